/* exit() in ERROR ends the firing whose clause failed. */
#pragma D option quiet

BEGIN
{
	*(int *)0;
}

BEGIN
{
	printf("never\n");
}

ERROR
{
	printf("fault %d\n", arg4);
	exit(1);
}

ERROR
{
	printf("second clause of ERROR\n");
}
