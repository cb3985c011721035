# A register is cast to a kernel type, whose members lead on by the kernel's BTF.
first=$(kinst --disas vfs_read | awk '$2 ~ /^\+0x/ && !/cannot be traced/ { print $1; exit }')
echo some text > /tmp/a_file_of_ours
kinst -q -n "kinst::vfs_read:$first
  /pid == \$target/
  {
    this->file = (struct file *)regs[R_RDI];
    printf(\"%s %d\n\", stringof(((struct file *)regs[R_RDI])->f_path.dentry->d_name.name),
        this->file->f_inode->i_size);
  }" -c 'dd if=/tmp/a_file_of_ours of=/dev/null' > /tmp/out 2> /tmp/errors || fail "kinst: $(cat /tmp/errors)"
expect 'the file read' 'a_file_of_ours 10' "$(grep '^a_file_of_ours' /tmp/out | sort -u)"
