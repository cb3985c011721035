/* tracemem() shows memory: of a pointer, of an array, of a number; cut by a third
   argument, which may vary. */
#pragma D option quiet

BEGIN
{
	this->p = (char *)alloca(20);
	this->p[0] = 'x';
	this->p[17] = 'y';
	tracemem(this->p, 20);
	this->n = 3;
	tracemem(this->p, 20, this->n);
	tracemem((uint64_t)this->p + 17, 2);
	tracemem(curthread->comm, 8);
	exit(0);
}
