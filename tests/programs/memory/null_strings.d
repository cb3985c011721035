/* A string variable is NULL once NULL was assigned to it, and a dynamic one before
   anything was: what reads it fails, what compares it takes it for "". */
#pragma D option quiet

string array[int];
string global;
self string never;

BEGIN
{
	printf("[%s] %d\n", global, global == "");
	global = NULL;
	printf("%d %d %d\n", global == "", global == NULL, array[1] == "");
}

BEGIN
{
	global = "full";
	array[1] = global;
	printf("[%s] [%s]\n", global, array[1]);
	global = NULL;
}

BEGIN
{
	trace(global);
	printf("not reached\n");
}

BEGIN
{
	trace(array[2]);
	printf("not reached\n");
}

BEGIN
{
	trace(self->never);
	printf("not reached\n");
}

BEGIN
{
	trace(global[1]);
	printf("not reached\n");
}

BEGIN
{
	exit(0);
}

ERROR
{
	printf("clause %d: fault %d at %d\n", arg1, arg4, arg5);
}
