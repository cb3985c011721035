/* Strings are joined, cut, searched and changed, whatever memory they come from. */
#pragma D option quiet

BEGIN
{
	text = "fooeyfooeyfoo";
	printf("%d %d %d\n", strlen(""), strlen(text), strlen(probename));
	printf("%s|%s|\n", strjoin(text, probename), strjoin("", ""));
	printf("%s|%s|%s|\n", substr(text, 8), substr(text, -5, 3), substr(text, 2, -8));
	printf("%s|%s|%s|\n", substr("abcde", -7, 3), substr("abcde", 9), substr("", 0));
	printf("%s|%s|\n", strchr(text, 'y'), strrchr(text, 'y'));
	printf("%d %d\n", strchr(text, 'a') == NULL, strrchr(text, 'a') == NULL);
	printf("%s|%s|%d\n", strstr(text, "yf"), strstr(text, ""),
	    strstr(text, "fox") == NULL);
	printf("%d %d %d %d\n", index(text, "foo"), index(text, "foo", 1),
	    index(text, "foo", 11), index(text, "", 99));
	printf("%d %d %d %d\n", rindex(text, "foo"), rindex(text, "foo", 9),
	    rindex(text, "foo", -1), rindex(text, ""));
	printf("%s|%s|\n", toupper("Kinst-1"), tolower("KINST-1"));
}

BEGIN
{
	/* Nested, and several in one expression. */
	printf("%s\n", strjoin(strjoin(toupper("ab"), substr(text, 3, 2)),
	    strjoin(lltostr(-5), strstr(text, "yfoo"))));
	printf("%d %d %d\n", text == "fooeyfooeyfoo", text < "fop", "" > text);
	printf("%d\n", strjoin("a", "b") == strjoin("", "ab"));
}

BEGIN
{
	/* An array of the kernel's. */
	printf("%s|%d\n", substr(curthread->comm, 0, 3),
	    strjoin("k", strstr(curthread->comm, "inst")) == execname);
	exit(0);
}

ERROR
{
	exit(1);
}
