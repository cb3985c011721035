// Known names that resemble an unknown name, for "did you mean".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kinst {

/// The optimal string alignment distance: how many letters must be inserted, deleted,
/// changed, or swapped with their neighbour to turn `left` into `right`.
std::size_t edit_distance(std::string_view left, std::string_view right);

/// Keeps the `most` names nearest to one wanted name, nearest first, names of equal
/// distance in the order they were offered. Names too far to be a typing error (more
/// than a third of the wanted name's letters) are left out; names that differ only in
/// case have distance 1.
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
