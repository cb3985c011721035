# The kernel's own symbol tables say what /proc/kallsyms says, of every symbol of the
# kernel and its modules.
symbols_check
