/* strtok() goes on within a clause, and ends with it. */
#pragma D option quiet

BEGIN
{
	this->text = ",,Carrots, Barley,,Beans,";
	printf("%s|", strtok(this->text, ", "));
	printf("%s|", strtok(NULL, ", "));
	printf("%s|", strtok(NULL, ", "));
	printf("%s|", strtok(NULL, ", ") == NULL ? "over" : "goes on");
	printf("%s\n", this->text);
}

BEGIN
{
	printf("%s|%s|%s|\n", strtok("abcdefghijk", "ce"), strtok(NULL, "h"),
	    strtok(NULL, ""));
	printf("%d %d\n", strtok("", "x") == NULL, strtok("---", "-") == NULL);
}

BEGIN
{
	strtok("a b", " ");
}

BEGIN
{
	printf("not printed: %s\n", strtok(NULL, " "));
}

BEGIN
{
	exit(0);
}

ERROR
{
	printf("fault %d at %d\n", arg4, arg5);
}
