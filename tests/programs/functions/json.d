/* json() selects a value of a text, which may itself be such a text. */
#pragma D option quiet
#pragma D option strsize=512

BEGIN
{
	text = "{ \"top\": { \"mid\" : { \"legs\": \"feet\" }, \"list\":[0,1,{\"a\":true}]}}";
	printf("%s\n", json(text, "top.mid"));
	printf("%s\n", json(json(text, "top.mid"), "legs"));
	printf("%s %s\n", json(text, "top.list[2].a"), json(text, "top.list[1]"));
	printf("%d %d\n", json(text, "top.list[3]") == NULL, json(text, "mid") == NULL);
	exit(0);
}

ERROR
{
	exit(1);
}
