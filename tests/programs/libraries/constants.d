/* Names of the D libraries, which no program declares. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", SIGKILL, EINTR, DTRACEFLT_DIVZERO);
	printf("%d\n", curpsinfo->pr_pid == pid);
	printf("%s\n", curpsinfo->pr_fname);
	printf("%d\n", curlwpsinfo->pr_lwpid == tid);
	printf("%d\n", curcpu->cpu_id == cpu);
	printf("%s\n", fds[0].fi_name);
	printf("%s\n", fds[1000].fi_name);
	printf("%d\n", fds[0].fi_oflags & O_ACCMODE);
	this->info = (psinfo_t *)0;
	printf("%d\n", sizeof (this->info->pr_fname));
	exit(0);
}
