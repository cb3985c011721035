#!/usr/bin/env -S kinst -s
/* Files as they are opened, by whom, with the result. After opensnoop. */
#pragma D option quiet

BEGIN
{
	printf("%-16s %7s %5s %4s %s\n", "PROGRAM", "PID", "ERR", "FD", "PATH");
}

syscall::open:entry
{
	self->path = arg0;
}

syscall::openat:entry
{
	self->path = arg1;
}

syscall::open:return, syscall::openat:return
/self->path/
{
	printf("%-16s %7d %5d %4d %s\n", execname, pid, errno, errno ? -1 : (int)arg1,
	    copyinstr(self->path));
	self->path = 0;
}
