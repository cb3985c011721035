/* A translator's members of text hold their own bytes and nothing behind. */
#pragma D option quiet

typedef struct {
	char name[8];
	string text;
	char last[4];
} out_t;

translator out_t < int v > {
	name = v ? "longer than eight" : "ab";
	text = v ? "text" : "";
	last = "abc";
};

BEGIN
{
	this->o = xlate < out_t > (0);
	printf("[%s] [%s] [%s]\n", stringof(this->o.name), this->o.text,
	    stringof(this->o.last));
	tracemem(&this->o.name, 8);
	exit(0);
}
