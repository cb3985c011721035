/* No function makes a string longer than strsize, or fails because it would be. */
#pragma D option quiet
#pragma D option strsize=6

BEGIN
{
	printf("%s|%s|%s|\n", "123456789", strjoin("1234", "5678"), substr("12345678", 1));
	printf("%s|%s|%d|\n", lltostr(12345678), toupper("abcdefgh"), strlen("12345678"));
	printf("%d %d\n", index("123456789", "6"), index("123456789", "7"));
	printf("%s|%s|\n", basename("/ab/cdefgh"), strtok("12345678", "x"));
	printf("%d\n", "1234567" == "123456");
	exit(0);
}

ERROR
{
	exit(1);
}
