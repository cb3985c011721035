// D libraries: declarations that a program may use without making them. Libraries
// declare thousands of names, and one program needs few of them. The items that a
// program does not mention are removed before any name is looked up.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "d/syntax/ast.h"

namespace kinst::d {

using Words = std::set<std::string, std::less<>>;

/// Adds the identifiers of `text` to `words`, those in its comments and strings too;
/// not D's keywords and built-in names, which no library declares.
void add_words(std::string_view text, Words& words);

/// Whether one of `words` is an identifier of `text`.
bool mentions(std::string_view text, const Words& words);

/// The names that an item gives a meaning: variables, types, tags, enumerators, an
/// inline, the type that a translator makes. Empty for clauses.
std::vector<std::string_view> declared_names(const Item& item);

/// A parsed library, and the text that its spans point into.
struct LibraryProgram {
  Program* program = nullptr;
  std::string_view text;
  /// The user named its folder: all of it is checked.
  bool is_wanted_whole = false;
};

/// Removes from the libraries' programs each item that declares no name of `wanted` and
/// no name that a remaining item needs. Clauses are always removed: a library enables
/// no probes.
void keep_mentioned(std::span<const LibraryProgram> libraries, const Words& wanted);

}  // namespace kinst::d
