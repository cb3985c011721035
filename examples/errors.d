#!/usr/bin/env -S kinst -s
/* System calls that fail, by program, call and error. After errinfo. */
#pragma D option quiet

syscall:::return
/errno != 0/
{
	@[execname, probefunc, errno] = count();
}

END
{
	printf("%-16s %-20s %5s %8s\n", "PROGRAM", "CALL", "ERROR", "COUNT");
	printa("%-16s %-20s %5d %@8d\n", @);
}
