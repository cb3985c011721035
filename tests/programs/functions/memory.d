/* alloca() gives zeroed memory of the clause, which may be stored to and copied to. */
#pragma D option quiet

struct pair {
	int first;
	char text[12];
};

BEGIN
{
	this->pair = (struct pair *)alloca(sizeof (struct pair));
	this->pair->first = 42;
	bcopy(probename, this->pair->text, 3);
	printf("%d %s|\n", this->pair->first, this->pair->text);

	this->bytes = (char *)alloca(8);
	this->bytes[0] = 'a';
	this->bytes[7] = 'z';
	printf("%d %d %d\n", this->bytes[0], this->bytes[3], this->bytes[7]);
	bcopy(this->bytes, this->bytes + 3, 1);
	printf("%c\n", this->bytes[3]);
	printf("%d\n", alloca(0) == alloca(0));
}

BEGIN
{
	/* This process's own first argument. */
	this->start = curthread->mm->arg_start;
	printf("%s\n", basename(copyinstr(this->start)));
	printf("%d\n", *(char *)copyin(this->start, 1) == copyinstr(this->start, 2)[0]);
	this->into = alloca(1);
	copyinto(this->start, 1, this->into);
	printf("%d\n", *(char *)this->into == copyinstr(this->start)[0]);
	exit(0);
}

ERROR
{
	exit(1);
}
