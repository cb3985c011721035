#include "base/text/words.h"

namespace kinst {

Result<std::vector<std::string>> split_words(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  const auto append = [&](char c) {
    if (!in_word) {
      words.emplace_back();
      in_word = true;
    }
    words.back() += c;
  };
  for (std::size_t at = 0; at < command.size(); ++at) {
    const char c = command[at];
    if (c == '\\' && quote != '\'' && at + 1 < command.size()) {
      append(command[++at]);
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        append(c);
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      if (!in_word) {
        words.emplace_back();
        in_word = true;
      }
    } else if (c == ' ' || c == '\t' || c == '\n') {
      in_word = false;
    } else {
      append(c);
    }
  }
  if (quote != 0) {
    return error("a quote does not end: {}", command.substr(command.rfind(quote)));
  }
  return words;
}

}  // namespace kinst
