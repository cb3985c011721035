/* exit() ends the firing behind its clause: what follows in that clause still runs, no
   later clause does. END's clauses all run, and the last status given counts. */
#pragma D option quiet

BEGIN
{
	printf("first\n");
}

BEGIN
{
	exit(3);
	printf("same clause\n");
}

BEGIN
{
	printf("never\n");
}

tick-1ms
{
	printf("never\n");
}

END
{
	exit(4);
	printf("end\n");
}

END
{
	printf("end again\n");
}
