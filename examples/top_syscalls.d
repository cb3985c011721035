#!/usr/bin/env -S kinst -s
/* The ten busiest programs and calls, every second. After topsyscall. */
#pragma D option quiet

syscall:::entry
{
	@programs[execname] = count();
	@calls[probefunc] = count();
}

tick-1s
{
	trunc(@programs, 10);
	trunc(@calls, 10);
	printf("%Y\n", walltimestamp);
	printa("%-20s %@8d\n", @programs);
	printf("\n");
	printa("%-20s %@8d\n", @calls);
	printf("\n");
	clear(@programs);
	clear(@calls);
}
