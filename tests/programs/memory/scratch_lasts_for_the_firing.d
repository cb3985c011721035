/* What alloca(), copyin() and string functions give is there for all clauses of the
   firing, those of ERROR that run in between included. */
#pragma D option quiet

BEGIN
{
	this->p = (int *)alloca(4);
	*this->p = 5;
	this->text = (char *)strjoin("two ", "words");
	*((int *)alloca(4)) = 1;
}

BEGIN
{
	this->q = (int *)alloca(8);
	this->q[1] = 7;
	trace(*(int *)8);
}

ERROR
{
	this->r = (int *)alloca(4);
	*this->r = 9;
	printf("%d in ERROR\n", *this->r);
}

BEGIN
{
	printf("%d %d %s\n", *this->p, this->q[1], stringof(this->text));
	exit(0);
}
