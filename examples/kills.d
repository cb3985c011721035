#!/usr/bin/env -S kinst -s
/* Signals as they are sent, from whom to whom. After kill.d. */
#pragma D option quiet

syscall::kill:entry
{
	self->to = arg0;
	self->signal = arg1;
	self->sends = 1;
}

syscall::kill:return
/self->sends/
{
	printf("%-16s %7d -> %7d signal %2d%s error %d\n", execname, pid, (int)self->to,
	    (int)self->signal, self->signal == SIGKILL ? " (SIGKILL)" : "", errno);
	self->sends = 0;
}
