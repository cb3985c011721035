/* uregs[] has what was saved at the kernel's entry, and what the kernel keeps for the
   thread: its segments are as 64-bit programs have them, and the base of fs is where
   the C library has put it. */
#pragma D option quiet

BEGIN
{
  printf("cs %x ss %x ds %x es %x gs %x\n", uregs[R_CS], uregs[R_SS], uregs[R_DS],
         uregs[R_ES], uregs[R_GS]);
  printf("fs is the thread's: %d %d\n", uregs[R_FS] != 0,
         uregs[R_FS] == curthread->thread.fsbase);
  printf("the C library's word that points to itself: %d\n",
         *(uint64_t *)copyin(uregs[R_FS], 8) == uregs[R_FS]);
  exit(0);
}
