// Names close to one that is not known, for "did you mean".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kinst {

/// The number of letters to insert, delete, change or swap with a neighbour between the
/// two (optimal string alignment).
std::size_t edit_distance(std::string_view left, std::string_view right);

/// Keeps the `most` names nearest to one wanted name, nearest first, names of equal
/// distance in the order they were offered. Names too far to be a typing error (more
/// than a third of the wanted name's letters) are left out; case alone counts as one.
class NearNames {
 public:
  explicit NearNames(std::string_view wanted, std::size_t most = 3)
      : wanted_(wanted), most_(most) {}

  void offer(std::string_view name);
  [[nodiscard]] std::vector<std::string> names() const;

  /// "did you mean 'a', 'b' or 'c'?"; empty when nothing is near.
  [[nodiscard]] std::string question() const;

 private:
  struct Near {
    std::size_t distance = 0;
    std::string name;
  };
  std::string wanted_;
  std::size_t most_;
  std::vector<Near> near_;
};

}  // namespace kinst
