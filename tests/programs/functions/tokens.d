/* strtok() goes on within a firing. */
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
	this->first = strtok("one two three four", " ");
	printf("%s|", this->first);
}

BEGIN
{
	this->scratch = strjoin("not", "what strtok() goes on with");
	printf("%s|", strtok(NULL, " "));
}

BEGIN
/strlen(this->other = strjoin("a", "b")) == 2/
{
	printf("%s|%s|", strtok(NULL, " "), strtok(NULL, " "));
	printf("%s\n", strtok(NULL, " ") == NULL ? "over" : "goes on");
}

tick-10ms
{
	printf("not printed: %s\n", strtok(NULL, " "));
}

ERROR
{
	printf("fault %d at %d\n", arg4, arg5);
	exit(0);
}
