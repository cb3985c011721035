#!/usr/bin/env -S kinst -s
/* How large reads and writes are, by program. After bitesize. */
#pragma D option quiet

syscall::read:return, syscall::write:return
/errno == 0/
{
	@[execname, probefunc] = quantize(arg1);
}
