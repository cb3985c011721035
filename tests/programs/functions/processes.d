/* This process descends from itself, its parent and the first process. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", progenyof($pid), progenyof($ppid), progenyof(1));
	printf("%d\n", progenyof($pid + 100000));
	exit(0);
}

ERROR
{
	exit(1);
}
