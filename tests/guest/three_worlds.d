/* From a system call, through two instructions of the kernel, to the user's code that
   made the call: how long vfs_write() took, between its first and its returning one. */
syscall::write:entry
/pid == $target/
{
	self->bytes = arg2;
}

kinst::vfs_write:entry
/self->bytes/
{
	self->file = (struct file *)regs[R_RDI];
	self->begin = timestamp;
}

kinst::vfs_write:return
/self->begin/
{
	printf("%d bytes to %s: at \"%s\" %d were written", self->bytes,
	    stringof(self->file->f_path.dentry->d_name.name), insn, regs[R_RAX]);
	@["ns in vfs_write", self->bytes] = quantize(timestamp - self->begin);
	ustack(4);
	self->begin = 0;
	self->bytes = 0;
}
