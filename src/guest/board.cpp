#include "guest/board.h"

namespace kinst::guest {

const Board& native_board() {
#if defined(__x86_64__)
  return x86_64_board();
#else
#error "there is no board for this machine yet: see src/guest/board.h"
#endif
}

}  // namespace kinst::guest
