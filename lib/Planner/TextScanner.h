// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cursor over the short texts that users write for meshes and layouts. It
// skips blanks between tokens and keeps no memory of its own.
#ifndef DTENSOR_LIB_PLANNER_TEXTSCANNER_H
#define DTENSOR_LIB_PLANNER_TEXTSCANNER_H

#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dtensor {

class TextScanner {
public:
  explicit TextScanner(std::string_view text) : text(text) {}

  bool atEnd() {
    skipBlanks();
    return pos == text.size();
  }

  /// Takes `token` if it comes next.
  bool consume(std::string_view token) {
    skipBlanks();
    if (text.substr(pos, token.size()) != token)
      return false;
    pos += token.size();
    return true;
  }

  /// Takes [A-Za-z_][A-Za-z0-9_]*; empty where none comes next.
  std::string_view identifier() {
    skipBlanks();
    size_t start = pos;
    while (pos < text.size() && isWord(text[pos], pos == start))
      ++pos;
    return text.substr(start, pos - start);
  }

  /// Takes an integer that fits int64_t, with an optional minus sign.
  std::optional<int64_t> integer() {
    skipBlanks();
    size_t start = pos, at = pos;
    bool negative = at < text.size() && text[at] == '-';
    if (negative)
      ++at;
    int64_t value = 0;
    size_t digits = at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      int64_t digit = text[at] - '0';
      if (value > (INT64_MAX - digit) / 10)
        return std::nullopt;
      value = value * 10 + digit;
    }
    if (at == digits) {
      pos = start;
      return std::nullopt;
    }
    pos = at;
    return negative ? -value : value;
  }

  /// What is left, for error messages.
  std::string rest() {
    skipBlanks();
    return std::string(text.substr(pos));
  }

  /// The text up to the next comma outside parentheses, for error messages.
  std::string entry() {
    skipBlanks();
    size_t end = pos;
    for (int depth = 0; end < text.size(); ++end) {
      if (text[end] == ',' && depth == 0)
        break;
      depth += (text[end] == '(') - (text[end] == ')');
    }
    return std::string(text.substr(pos, end - pos));
  }

private:
  static bool isWord(char c, bool first) {
    unsigned char u = static_cast<unsigned char>(c);
    return c == '_' || (u < 128 && (first ? isalpha(u) : isalnum(u)));
  }
  void skipBlanks() {
    while (pos < text.size() && (text[pos] == ' ' || text[pos] == '\t'))
      ++pos;
  }

  std::string_view text;
  size_t pos = 0;
};

} // namespace dtensor

#endif // DTENSOR_LIB_PLANNER_TEXTSCANNER_H
