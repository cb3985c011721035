// What a program that is started inherits of the process that starts it.
#pragma once

namespace kinst {

/// Notes what kinst changes for itself and children are not to have: the mask of
/// signals, which signals are ignored, the CPUs to run on, limits of descriptors and of
/// locked memory. To be called at the beginning of main(); what was not noted then is
/// noted when a child is about to be started.
void note_inherited_state();

/// In a child, before it runs another program: all of that as it was noted. Calls only
/// what may be called between fork() and exec().
void restore_inherited_state();

}  // namespace kinst
