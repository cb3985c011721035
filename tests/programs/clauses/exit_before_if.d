/* To DTrace what stands in an if and what stands behind one are clauses of their own,
   and none runs once exit() was called. */
#pragma D option quiet

BEGIN
{
	printf("before\n");
	if (1) {
		exit(3);
		printf("beside exit()\n");
	} else {
		printf("never\n");
	}
	printf("never\n");
	exit(4);
}

END
{
	printf("end\n");
	if (1) {
		exit(5);
	}
	printf("end goes on\n");
}
