/* The left side of a compound assignment is read before the right side is evaluated;
   characters of several bytes are numbers; sizes of strings count no zero but a
   literal's. */
#pragma D option quiet

BEGIN
{
	i = 4;
	i += i++ + --i;
	printf("%d\n", i);
	j = 1;
	j -= j++ * 3;
	printf("%d\n", j);
	printf("%d %x %x %x\n", 'a', '\'', 'ab"d', 'a\bcdefgh');
	printf("%d %d %d\n", sizeof (string), sizeof ("hi"), sizeof (NULL));
	exit(0);
}
