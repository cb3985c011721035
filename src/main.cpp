// The command: everything it does is in the library, so that tests can link it.
int main() {
  return 0;
}
