#!/usr/bin/env -S kinst -s
/* The functions of the kernel that one system call of a command passes through, indented
 * by depth: kinst -s function_flow.d -c 'cat /etc/hostname'. */
#pragma D option flowindent

int done;

syscall::read:entry
/pid == $target && !done/
{
	self->follows = 1;
}

fbt:vmlinux:vfs_*:entry, fbt:vmlinux:vfs_*:return
/self->follows/
{}

syscall::read:return
/self->follows/
{
	self->follows = 0;
	done = 1;
	exit(0);
}
