/* Functions of a machine with a link register, compiled for it: what they do with the
 * register before they call others. */
int given(int number);
int* filled(int* numbers);

int leaf(int number) {
  return number * 3;
}

int calls(int number) {
  return given(number) + given(number + 1);
}

int has_numbers(int number) {
  int numbers[6] = {number};
  return filled(numbers)[0] + given(number);
}

int has_many_numbers(int number) {
  int numbers[6000] = {number};
  return filled(numbers)[0] + given(number);
}

int has_as_many_as_wanted(int number) {
  int numbers[number];
  return filled(numbers)[0] + given(number);
}

int calls_at_times(int number) {
  return number == 0 ? 0 : given(number) + 1;
}

int calls_at_the_end(int number) {
  return given(number + 1);
}
