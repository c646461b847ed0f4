// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recursive descent over one JSON text.
#include "dtensor/Planner/Json.h"

#include <charconv>

using namespace dtensor;

namespace {

constexpr int maxDepth = 64;

class JsonParser {
public:
  explicit JsonParser(std::string_view text) : text(text) {}

  Expected<JsonValue> run() {
    JsonValue result;
    if (Status status = value(result, 0); !status)
      return status.error();
    skipSpace();
    if (at != text.size())
      return fail("text after the value");
    return result;
  }

private:
  Error fail(const std::string &what) const {
    return Error{"column " + std::to_string(at + 1) + ": " + what};
  }

  bool isAt(char c) const { return at < text.size() && text[at] == c; }
  bool isAtDigit() const {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  }

  bool take(char c) {
    if (!isAt(c))
      return false;
    ++at;
    return true;
  }

  void skipSpace() {
    while (isAt(' ') || isAt('\t') || isAt('\n') || isAt('\r'))
      ++at;
  }

  Status value(JsonValue &out, int depth) {
    if (depth > maxDepth)
      return fail("values are nested deeper than " + std::to_string(maxDepth));
    skipSpace();
    if (at == text.size())
      return fail("the text ends where a value is expected");
    out.offset = at;
    char c = text[at];
    if (c == '{')
      return object(out, depth);
    if (c == '[')
      return array(out, depth);
    if (c == '"') {
      out.kind = JsonValue::Kind::String;
      return string(out.text);
    }
    if (c == '-' || isAtDigit())
      return number(out);
    if (word("null"))
      return Status::success();
    out.kind = JsonValue::Kind::Bool;
    out.boolean = c == 't';
    if (word("true") || word("false"))
      return Status::success();
    return fail("expected a value");
  }

  bool word(std::string_view name) {
    if (text.substr(at, name.size()) != name)
      return false;
    at += name.size();
    return true;
  }

  Status array(JsonValue &out, int depth) {
    out.kind = JsonValue::Kind::Array;
    ++at;
    skipSpace();
    if (take(']'))
      return Status::success();
    for (;;) {
      out.items.emplace_back();
      if (Status status = value(out.items.back(), depth + 1); !status)
        return status;
      skipSpace();
      if (take(']'))
        return Status::success();
      if (!take(','))
        return fail("expected ',' or ']'");
    }
  }

  Status object(JsonValue &out, int depth) {
    out.kind = JsonValue::Kind::Object;
    ++at;
    skipSpace();
    if (take('}'))
      return Status::success();
    for (;;) {
      skipSpace();
      std::string name;
      if (!isAt('"'))
        return fail("expected a member name in quotes");
      size_t start = at;
      if (Status status = string(name); !status)
        return status;
      if (out.find(name)) {
        at = start;
        return fail("member '" + name + "' is given twice");
      }
      skipSpace();
      if (!take(':'))
        return fail("expected ':'");
      JsonValue member;
      if (Status status = value(member, depth + 1); !status)
        return status;
      out.members.emplace_back(std::move(name), std::move(member));
      skipSpace();
      if (take('}'))
        return Status::success();
      if (!take(','))
        return fail("expected ',' or '}'");
    }
  }

  Status string(std::string &out) {
    ++at;
    for (;;) {
      if (at == text.size())
        return fail("the text ends inside a string");
      unsigned char c = static_cast<unsigned char>(text[at]);
      if (c < 0x20)
        return fail("a control character inside a string");
      ++at;
      if (c == '"')
        return Status::success();
      if (c != '\\') {
        out += static_cast<char>(c);
        continue;
      }
      if (Status status = escape(out); !status)
        return status;
    }
  }

  Status escape(std::string &out) {
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    char c = at < text.size() ? text[at] : ' ';
    if (c == 'u') {
      ++at;
      return unicode(out);
    }
    size_t which = names.find(c);
    if (which == std::string_view::npos)
      return fail("unknown escape in a string");
    ++at;
    out += meant[which];
    return Status::success();
  }

  Status hex4(uint32_t &code) {
    std::string_view digits = text.substr(at, 4);
    auto end = digits.data() + digits.size();
    auto read = std::from_chars(digits.data(), end, code, 16);
    if (digits.size() != 4 || read.ptr != end || read.ec != std::errc())
      return fail("expected four hexadecimal digits");
    at += 4;
    return Status::success();
  }

  Status unicode(std::string &out) {
    uint32_t code = 0, low = 0;
    if (Status status = hex4(code); !status)
      return status;
    if (code >= 0xD800 && code < 0xE000) {
      bool pair = code < 0xDC00 && word("\\u");
      if (pair)
        if (Status status = hex4(low); !status)
          return status;
      if (!pair || low < 0xDC00 || low >= 0xE000)
        return fail("half of a surrogate pair in a string");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code < 0x80) {
      out += static_cast<char>(code);
      return Status::success();
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
    out += static_cast<char>(lead[more] | code >> (6 * more));
    while (more-- > 0)
      out += static_cast<char>(0x80 | (code >> (6 * more) & 0x3F));
    return Status::success();
  }

  Status digits() {
    if (!isAtDigit())
      return fail("expected a digit");
    while (isAtDigit())
      ++at;
    return Status::success();
  }

  Status number(JsonValue &out) {
    out.kind = JsonValue::Kind::Number;
    size_t start = at;
    take('-');
    bool leadingZero = isAt('0');
    if (Status status = digits(); !status)
      return status;
    if (leadingZero && at - start > (text[start] == '-' ? 2u : 1u))
      return fail("a number begins with 0");
    bool whole = true;
    if (take('.')) {
      whole = false;
      if (Status status = digits(); !status)
        return status;
    }
    if (take('e') || take('E')) {
      whole = false;
      if (!take('+'))
        take('-');
      if (Status status = digits(); !status)
        return status;
    }
    const char *begin = text.data() + start, *end = text.data() + at;
    out.isInteger =
        whole && std::from_chars(begin, end, out.integer).ec == std::errc();
    // from_chars leaves a 0 behind where no double is near the number.
    if (std::from_chars(begin, end, out.number).ec != std::errc()) {
      at = start;
      return fail("a number is out of the range of a double");
    }
    return Status::success();
  }

  std::string_view text;
  size_t at = 0;
};

} // namespace

const JsonValue *JsonValue::find(std::string_view name) const {
  for (const auto &[memberName, member] : members)
    if (memberName == name)
      return &member;
  return nullptr;
}

Expected<JsonValue> dtensor::parseJson(std::string_view text) {
  return JsonParser(text).run();
}
