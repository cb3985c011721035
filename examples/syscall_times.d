#!/usr/bin/env -S kinst -s
/* Where a command's time goes among its system calls: kinst -s syscall_times.d -c
 * COMMAND. After procsystime. */
#pragma D option quiet

syscall:::entry
/pid == $target/
{
	self->start = timestamp;
}

syscall:::return
/self->start/
{
	@calls[probefunc] = count();
	@time[probefunc] = sum(timestamp - self->start);
	self->start = 0;
}

END
{
	normalize(@time, 1000);
	printf("%-20s %10s %12s\n", "SYSTEM CALL", "CALLS", "MICROSECONDS");
	printa("%-20s %@10d %@12d\n", @calls, @time);
}
