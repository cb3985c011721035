#!/usr/bin/env -S kinst -s
/* What runs: the most frequent stacks of the kernel and of programs, sampled 99 times a
 * second on each CPU for ten seconds. */
#pragma D option quiet

profile-99hz
/arg0/
{
	@kernel[execname, stack(8)] = count();
}

profile-99hz
/arg1/
{
	@user[execname, ustack(5)] = count();
}

tick-10s
{
	trunc(@kernel, 5);
	trunc(@user, 5);
	exit(0);
}
