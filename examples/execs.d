#!/usr/bin/env -S kinst -s
/* Programs as they are started. After execsnoop: the name is the caller's, and behind
 * it is the new program's as it was called. */
#pragma D option quiet

syscall::execve:entry
{
	self->parent = execname;
}

syscall::execve:return
/errno == 0/
{
	printf("%7d %7d %-16s %s\n", pid, ppid, self->parent, curpsinfo->pr_psargs);
	self->parent = 0;
}
