/* Structs as wholes, in variables of each kind and by their members, through pointers. */
#pragma D option quiet

struct pair {
	int first, second;
};
struct both {
	struct pair left, right;
	union {
		uint8_t bytes[8];
		uint64_t word;
	} u;
};

struct both g;
this struct both t;
struct pair p;

BEGIN
{
	g.left.first = 1;
	g.left.second = 2;
	this->t.right = g.left;
	p = this->t.right;
	g.right = p;
	this->t.left.second = 7;
	g.left = this->t.left;
	printf("%d %d %d %d\n", g.left.first, g.left.second, g.right.first,
	    g.right.second);
	printf("%d %d\n", this->t.right.first, this->t.right.second);

	this->p = (struct both *)alloca(sizeof (struct both));
	this->p->u.bytes[1] = 1;
	this->p->left = g.right;
	printf("%d %d %d\n", this->p->u.word, this->p->left.first,
	    this->p->left.second);
	print(this->p->left);
	exit(0);
}
