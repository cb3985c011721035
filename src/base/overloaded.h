// A visitor made of lambdas, for std::visit.
#pragma once

namespace kinst {

template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
// clang 14 cannot deduce an aggregate's template arguments without it.
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace kinst
