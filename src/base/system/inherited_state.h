// The process state that a started program inherits.
#pragma once

namespace kinst {

/// Saves the state that kinst changes for itself and must not pass on to children: the
/// signal mask, the ignored signals, the CPU affinity, and the limits on descriptors
/// and locked memory. Call it at the beginning of main(); otherwise the state is saved
/// when the first child is about to be started.
void note_inherited_state();

/// Restores the saved state. For a child between fork() and exec(): calls only
/// functions that are allowed there.
void restore_inherited_state();

}  // namespace kinst
