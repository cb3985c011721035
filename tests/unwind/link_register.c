/* Functions of a machine with a link register, compiled for it: what they do with the
 * register before they call others. FUNCTION says which one is compiled: nothing links
 * the objects, so several functions of one would lie over each other. */
int given(int number);
int* filled(int* numbers);

#if FUNCTION == 1
int leaf(int number) {
  return number * 3;
}
#elif FUNCTION == 2
int calls(int number) {
  return given(number) + given(number + 1);
}
#elif FUNCTION == 3
int has_numbers(int number) {
  int numbers[6] = {number};
  return filled(numbers)[0] + given(number);
}
#elif FUNCTION == 4
int has_many_numbers(int number) {
  int numbers[6000] = {number};
  return filled(numbers)[0] + given(number);
}
#elif FUNCTION == 5
int has_as_many_as_wanted(int number) {
  int numbers[number];
  return filled(numbers)[0] + given(number);
}
#elif FUNCTION == 6
int calls_at_times(int number) {
  return number == 0 ? 0 : given(number) + 1;
}
#elif FUNCTION == 7
int calls_at_the_end(int number) {
  return given(number + 1);
}
#endif
