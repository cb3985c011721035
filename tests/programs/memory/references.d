/* FreeBSD's memref(), printm() and memstr(): memory by address and size, dumped, and as
   a string with another character for each zero. */
#pragma D option quiet

BEGIN
{
	this->words = (char *)alloca(8);
	this->words[0] = 'a';
	this->words[2] = 'b';
	this->words[4] = 'c';
	printf("[%s] [%s] [%s]\n", memstr(this->words, '-', 6),
	    memstr(this->words, '-', 1), memstr(this->words, ' ', 8));
	this->reference = memref(this->words, 5);
	printf("%d %d\n", this->reference[0] == (uintptr_t)this->words,
	    this->reference[1]);
}

/* As much as the reference says, and no more than the size. */
BEGIN
{
	printm(8, this->reference);
	printm(3, this->reference);
	printm(16, memref(this->words, 2));
}

BEGIN
/memstr(this->words, 'x', 0) == NULL/
{
	printf("no string\n");
	this->nothing = pid == 0;
	if (this->nothing) {
		printm(4, this->reference);
	}
}

BEGIN
{
	memstr(this->words, 'x', 4097);
}

BEGIN
{
	printm(4, memref((void *)0x10, 4));
}

BEGIN
{
	exit(0);
}
