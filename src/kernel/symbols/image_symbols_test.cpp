#include "kernel/symbols/image_symbols.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace kinst::kernel {
namespace {

constexpr KernelAddress begin{0xffffffff82000000};
constexpr KernelAddress text{0xffffffff81000000};

struct Entry {
  KernelAddress address{};
  std::string typed_name;  // the letter of its type before it
};

// More than the 256 that the first marker leads to, one of a name that takes two bytes
// to say its length, and several of one name.
std::vector<Entry> entries() {
  std::vector<Entry> out = {{KernelAddress{0}, "Afixed_percpu_data"},
                            {KernelAddress{0x5000}, "Acpu_hw_events"},
                            {text, "T_stext"},
                            {text, "T_text"}};
  for (std::uint64_t i = 1; i <= 600; ++i) {
    out.push_back({text + FunctionOffset{i * 16}, fmt::format("tfunction_{:03}", i)});
  }
  out.push_back({text + FunctionOffset{0x8000}, "t" + std::string(300, 'x')});
  out.push_back({text + FunctionOffset{0x8010}, "tcleanup"});
  out.push_back({text + FunctionOffset{0x8020}, "tvfs_read"});
  out.push_back({text + FunctionOffset{0x8030}, "tcleanup"});
  out.push_back({text + FunctionOffset{0x9000}, "D_end"});
  return out;
}

enum class Order { Latest, Newest, Middle, Oldest };

// Writes the tables as scripts/kallsyms.c does, with few tokens of several letters.
class Tables final : public Memory {
 public:
  explicit Tables(Order order, bool has_absolute_offsets = true)
      : is_absolute_(has_absolute_offsets && order != Order::Latest),
        is_from_own_place_(order == Order::Latest) {
    switch (order) {
      case Order::Latest:
      case Order::Newest:
        add_count();
        add_names();
        add_tokens();
        add_offsets();
        add_order();
        break;
      case Order::Middle:
        add_offsets();
        add_count();
        add_names();
        add_order();
        add_tokens();
        break;
      case Order::Oldest:
        add_offsets();
        add_count();
        add_names();
        add_tokens();
        break;
    }
    bytes_.resize(bytes_.size() + 8192);  // what follows in the kernel
  }

  [[nodiscard]] Result<void> read(KernelAddress address,
                                  std::span<std::byte> out) const override {
    const std::uint64_t at = number(address - begin);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = at + i < bytes_.size() ? bytes_[at + i] : std::byte{};
    }
    return {};
  }

  std::string vmcoreinfo = fmt::format("SYMBOL(_stext)={:x}\n", number(text));

 private:
  KernelAddress here() {
    const std::size_t alignment = is_from_own_place_ ? 4 : 8;
    bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
    return begin + FunctionOffset{bytes_.size()};
  }
  void tell(std::string_view name) {
    vmcoreinfo += fmt::format("SYMBOL(kallsyms_{})={:x}\n", name, number(here()));
  }
  template <typename Value>
  void add(const Value& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  void add_count() {
    tell("num_syms");
    add(static_cast<std::uint32_t>(entries_.size()));
  }

  // Token 0x80 is "vfs_", 0x81 "tf"; the others are letters.
  static std::vector<std::uint8_t> compressed(std::string_view name) {
    std::vector<std::uint8_t> out;
    while (!name.empty()) {
      const std::string_view taken = name.starts_with("vfs_") ? "vfs_"
                                     : name.starts_with("tf") ? "tf"
                                                              : name.substr(0, 1);
      out.push_back(taken == "vfs_" ? 0x80
                    : taken == "tf" ? 0x81
                                    : static_cast<std::uint8_t>(name.front()));
      name.remove_prefix(taken.size());
    }
    return out;
  }

  void add_names() {
    tell("names");
    const std::size_t names = bytes_.size();
    std::vector<std::uint32_t> markers;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (i % 256 == 0) {
        markers.push_back(static_cast<std::uint32_t>(bytes_.size() - names));
      }
      const auto tokens = compressed(entries_[i].typed_name);
      if (tokens.size() < 0x80) {
        add(static_cast<std::uint8_t>(tokens.size()));
      } else {
        add(static_cast<std::uint8_t>((tokens.size() & 0x7fU) | 0x80U));
        add(static_cast<std::uint8_t>(tokens.size() >> 7U));
      }
      std::ranges::for_each(tokens, [&](std::uint8_t token) { add(token); });
    }
    here();
    std::ranges::for_each(markers, [&](std::uint32_t marker) { add(marker); });
  }

  void add_tokens() {
    tell("token_table");
    std::array<std::uint16_t, 256> index{};
    const std::size_t table = bytes_.size();
    for (std::size_t token = 0; token < index.size(); ++token) {
      index[token] = static_cast<std::uint16_t>(bytes_.size() - table);
      const std::string spelled = token == 0x80 ? "vfs_"
                                  : token == 0x81
                                      ? "tf"
                                      : std::string(1, static_cast<char>(token));
      std::ranges::for_each(spelled, [&](char letter) { add(letter); });
      add('\0');
    }
    tell("token_index");
    add(index);
  }

  void add_offsets() {
    tell("offsets");
    if (is_from_own_place_) {
      for (const Entry& one : entries_) {
        add(static_cast<std::int32_t>(number(one.address) - number(here())));
      }
      return;
    }
    for (const Entry& one : entries_) {
      const auto distance =
          static_cast<std::int32_t>(number(one.address) - number(base()));
      add(!is_absolute_        ? distance
          : one.address < text ? static_cast<std::int32_t>(number(one.address))
                               : -1 - distance);
    }
    tell("relative_base");
    add(base());
  }

  // Without absolute offsets per-CPU variables are symbols like others.
  [[nodiscard]] static KernelAddress base() { return text; }

  void add_order() {
    here();
    std::vector<std::size_t> order(entries_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) {
      return std::string_view(entries_[i].typed_name).substr(1);
    });
    for (const std::size_t index : order) {
      add(static_cast<std::uint8_t>(index >> 16U));
      add(static_cast<std::uint8_t>(index >> 8U));
      add(static_cast<std::uint8_t>(index));
    }
  }

  bool is_absolute_;
  bool is_from_own_place_;
  std::vector<Entry> entries_ = is_absolute_ ? entries() : without_per_cpu();
  static std::vector<Entry> without_per_cpu() {
    std::vector<Entry> out = entries();
    out.erase(out.begin(), out.begin() + 2);
    return out;
  }
  std::vector<std::byte> bytes_;
};

Result<ImageSymbols> open(Order order, bool has_absolute_offsets = true) {
  auto tables = std::make_unique<Tables>(order, has_absolute_offsets);
  const std::string vmcoreinfo = tables->vmcoreinfo;
  return ImageSymbols::open(std::move(tables), vmcoreinfo);
}

class ImageSymbolsOfOrder : public testing::TestWithParam<Order> {};

TEST_P(ImageSymbolsOfOrder, NamesAndPlacesEverySymbol) {
  const auto symbols = open(GetParam());
  ASSERT_TRUE(symbols) << symbols.error().message;
  const std::vector<Entry> expected = entries();
  ASSERT_EQ(symbols->size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ImageSymbols::Name name = symbols->name(i);
    EXPECT_EQ(name.type + name.text, expected[i].typed_name);
    EXPECT_EQ(symbols->address(i), expected[i].address);
  }
  std::size_t next = 0;
  symbols->for_each({}, [&](std::size_t index, const ImageSymbols::Name& name) {
    EXPECT_EQ(index, next);
    EXPECT_EQ(name.type + name.text, expected[next++].typed_name);
  });
  EXPECT_EQ(next, expected.size());
}

TEST_P(ImageSymbolsOfOrder, FindsByNameAndByPrefix) {
  const auto symbols = open(GetParam());
  ASSERT_TRUE(symbols) << symbols.error().message;
  EXPECT_EQ(symbols->find("function_300"), (std::vector<std::size_t>{303}));
  EXPECT_EQ(symbols->find("_stext"), (std::vector<std::size_t>{2}));
  EXPECT_EQ(symbols->find("cleanup"), (std::vector<std::size_t>{605, 607}));
  EXPECT_EQ(symbols->find("cleanup"), (std::vector<std::size_t>{605, 607}));
  EXPECT_EQ(symbols->find("clean"), (std::vector<std::size_t>{}));
  EXPECT_EQ(symbols->find(""), (std::vector<std::size_t>{}));
  std::vector<std::string> found;
  symbols->for_each("vfs", [&](std::size_t, const ImageSymbols::Name& name) {
    found.push_back(name.text);
  });
  EXPECT_EQ(found, (std::vector<std::string>{"vfs_read"}));
}

TEST_P(ImageSymbolsOfOrder, FindsTheFirstAboveAnAddress) {
  const auto symbols = open(GetParam());
  ASSERT_TRUE(symbols) << symbols.error().message;
  EXPECT_EQ(symbols->first_above(KernelAddress{0x4fff}), 1U);
  EXPECT_EQ(symbols->first_above(text), 4U);
  EXPECT_EQ(symbols->first_above(text + FunctionOffset{31}), 5U);
  EXPECT_EQ(symbols->first_above(text + FunctionOffset{0x9000}), symbols->size());
}

INSTANTIATE_TEST_SUITE_P(EveryOrder, ImageSymbolsOfOrder,
                         testing::Values(Order::Newest, Order::Middle, Order::Oldest));

TEST(ImageSymbols, UnderstandsOffsetsThatAreAllRelative) {
  const auto symbols = open(Order::Newest, false);
  ASSERT_TRUE(symbols) << symbols.error().message;
  EXPECT_EQ(symbols->address(0), text);
  EXPECT_EQ(symbols->address(symbols->find("vfs_read").front()),
            text + FunctionOffset{0x8020});
}

TEST(ImageSymbols, UnderstandsOffsetsFromTheirOwnPlace) {
  const auto symbols = open(Order::Latest);
  ASSERT_TRUE(symbols) << symbols.error().message;
  const std::vector<Entry> expected = entries();
  ASSERT_EQ(symbols->size(), expected.size() - 2) << "without variables of each CPU";
  for (std::size_t i = 0; i < symbols->size(); ++i) {
    const ImageSymbols::Name name = symbols->name(i);
    EXPECT_EQ(name.type + name.text, expected[i + 2].typed_name);
    EXPECT_EQ(symbols->address(i), expected[i + 2].address);
  }
  EXPECT_EQ(symbols->find("cleanup"), (std::vector<std::size_t>{603, 605}));
}

TEST(ImageSymbols, AreNotOpenedWhereTheTablesDoNotAgree) {
  auto tables = std::make_unique<Tables>(Order::Newest);
  std::string elsewhere = tables->vmcoreinfo;
  elsewhere.replace(elsewhere.find("ffffffff81000000"), 16, "ffffffff81000010");
  EXPECT_EQ(ImageSymbols::open(std::move(tables), elsewhere).error().message,
            "the kernel's symbol table has an unknown form");
  tables = std::make_unique<Tables>(Order::Newest);
  EXPECT_EQ(ImageSymbols::open(std::move(tables), "OSRELEASE=5.15\n").error().message,
            "this kernel does not tell where its symbol table is");
}

}  // namespace
}  // namespace kinst::kernel
