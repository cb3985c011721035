/* The place behind an array's last element has an address, and what is cast to a pointer
   may be written through, where that points to memory of the program's. */
#pragma D option quiet

int a[5];

BEGIN
{
	a[4] = 6;
	this->end = &a[5];
	this->last = this->end - 1;
	printf("%d %d\n", *this->last, this->end - &a[0]);
	*(int *)&a[2] = 8;
	((int *)a)[3] = 9;
	printf("%d %d\n", a[2], a[3]);
}

BEGIN
{
	*(int *)0x1234 = 1;
}

ERROR
{
	printf("fault %d at %x\n", arg4, arg5);
	exit(0);
}
