/* Paths are taken apart as the commands of these names do, and cleaned by their text. */
#pragma D option quiet

BEGIN
{
	path[0] = "/foo/bar///baz//";
	path[1] = "/";
	path[2] = "f/";
	path[3] = "";
	path[4] = "/foo/bar/../../baz/.//";
	path[5] = "a/../..";
	path[6] = "z/a/b/../../././c///d/e";
	path[7] = "/../..";
	path[8] = "a/..";
	i = 0;
}

BEGIN { printf("%s|%s|%s|\n", basename(path[i]), dirname(path[i]), cleanpath(path[i])); i++; }
BEGIN { printf("%s|%s|%s|\n", basename(path[i]), dirname(path[i]), cleanpath(path[i])); i++; }
BEGIN { printf("%s|%s|%s|\n", basename(path[i]), dirname(path[i]), cleanpath(path[i])); i++; }
BEGIN { printf("%s|%s|%s|\n", basename(path[i]), dirname(path[i]), cleanpath(path[i])); i++; }
BEGIN { printf("%s|%s|%s|\n", basename(path[i]), dirname(path[i]), cleanpath(path[i])); i++; }
BEGIN { printf("%s|%s|%s|\n", basename(path[i]), dirname(path[i]), cleanpath(path[i])); i++; }
BEGIN { printf("%s|%s|%s|\n", basename(path[i]), dirname(path[i]), cleanpath(path[i])); i++; }
BEGIN { printf("%s|%s|%s|\n", basename(path[i]), dirname(path[i]), cleanpath(path[i])); i++; }
BEGIN { printf("%s|%s|%s|\n", basename(path[i]), dirname(path[i]), cleanpath(path[i])); exit(0); }

ERROR
{
	exit(1);
}
