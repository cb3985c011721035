/* Prototypes that kernels hardly have: floating-point numbers, values of 128 bits,
 * packed and empty records, more parameters than registers. For compare_with_compiler,
 * which reads them from the object's BTF. */
struct two {
  long a, b;
};
struct three {
  char a, b, c;
};
struct seven {
  char bytes[7];
};
struct nine {
  long a;
  char b;
};
struct mixed {
  int a;
  float b;
};
struct floats {
  float a, b, c;
};
struct number {
  double real;
  long whole;
};
struct large {
  long words[5];
};
struct odd {
  char bytes[17];
};
struct fields {
  unsigned a : 3, b : 30, c : 7;
  long d : 60;
};
struct __attribute__((packed)) packed {
  char a;
  long b;
};
struct __attribute__((packed)) tight {
  int a;
  short b;
  char c;
};
struct wide {
  __int128 number;
};
struct empty {};
union either {
  long a;
  float b;
  char c[3];
};
union real {
  double a;
  float b;
};

void plain(char a, unsigned char b, short c, int d, unsigned e, long f) {}
void many(int a, long b, char c, short d, void* e, int f, char g, long h, short i,
          int j) {}
void records(struct two a, struct three b, struct seven c, struct nine d) {}
void forced(long a, long b, long c, long d, long e, struct two f, long g, int h) {}
void twice_forced(int a, int b, int c, struct two d, struct two e, struct nine f,
                  int g) {}
void in_memory(int a, struct large b, int c, struct odd d, int e) {}
void of_floats(float a, double b, int c, struct mixed d, struct floats e, long f) {}
void of_numbers(struct number a, union real b, union either c, int d) {}
void long_doubles(int a, long double b, int c) {}
void of_128(__int128 a, int b, struct wide c, __int128 d, int e, __int128 f) {}
void aligned(long a, long b, long c, long d, long e, long f, int g, __int128 h, int i,
             struct wide j, int k) {}
void of_fields(struct fields a, struct packed b, struct tight c, int d) {}
void of_nothing(struct empty a, int b, struct empty c, int d) {}
struct large gives_large(int a, struct two b) {
  struct large l = {};
  return l;
}
struct two gives_two(int a) {
  struct two t = {};
  return t;
}
struct packed gives_packed(int a, int b) {
  struct packed p = {};
  return p;
}
struct wide gives_wide(int a) {
  struct wide w = {};
  return w;
}
struct floats gives_floats(int a) {
  struct floats f = {};
  return f;
}
long double gives_long_double(int a) {
  return 0;
}
