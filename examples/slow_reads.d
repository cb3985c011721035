#!/usr/bin/env -S kinst -s
/* What happened in reads that took longer than $1 milliseconds, and nothing of the
 * others: kinst -s slow_reads.d 10. A speculation for each read. */
#pragma D option quiet
#pragma D option nspec=16

syscall::read:entry
{
	self->spec = speculation();
	self->start = timestamp;
	self->fd = arg0;
}

syscall::read:entry
/self->spec/
{
	speculate(self->spec);
	printf("%s[%d] reads %s\n", execname, pid, fds[arg0].fi_name);
}

syscall::read:return
/self->spec && timestamp - self->start > $1 * 1000000/
{
	speculate(self->spec);
	printf("  and waits %d ms\n", (timestamp - self->start) / 1000000);
}

syscall::read:return
/self->spec && timestamp - self->start > $1 * 1000000/
{
	commit(self->spec);
	self->spec = 0;
}

syscall::read:return
/self->spec/
{
	discard(self->spec);
	self->spec = 0;
}
