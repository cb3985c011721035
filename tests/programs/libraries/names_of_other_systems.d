/* Types, variables and functions that scripts for illumos and FreeBSD take for granted. */
#pragma D option quiet
#pragma D option nolibs

BEGIN
{
	this->flag = (boolean_t)B_TRUE;
	this->time = (hrtime_t)timestamp;
	this->address = (caddr_t)0;
	this->major = (major_t)3;
	printf("%d %d %d %d\n", this->flag, B_FALSE, sizeof (u_long), sizeof (u_char));
	printf("%d %d\n", sizeof (caddr_t), sizeof (minor_t));
	printf("%s\n", zonename);
	printf("%s; %s; %s\n", strerror[2], strerror[EAGAIN], strerror[-1]);
	exit(0);
}
