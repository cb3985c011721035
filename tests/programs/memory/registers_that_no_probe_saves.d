/* They are refused before anything runs. */
profile-97
{
  trace(regs[R_FS]);
}
