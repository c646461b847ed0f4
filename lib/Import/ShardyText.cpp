// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the text of Shardy's attributes (grammar in ShardyText.h).

#include "ShardyText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir::dtensor::shardy;
using llvm::StringRef;
using llvm::Twine;
using Error = ::dtensor::Error;

namespace {

/// A cursor over text. The first mismatch is kept; after it nothing matches.
class Scanner {
public:
  explicit Scanner(StringRef text) : whole(text), rest(text) {}

  bool tryToken(StringRef token);
  void token(StringRef token);
  int64_t integer();
  std::string quoted();
  /// An identifier; `what` names it in messages.
  std::string identifier(StringRef what);
  void end();
  void fail(const Twine &message);
  bool failed() const { return !error.empty(); }
  /// Skips white space and comments.
  void skip();

  /// Calls `element` for each of `open` element,* `close`.
  template <typename Fn>
  void list(StringRef open, StringRef close, Fn element) {
    token(open);
    if (tryToken(close))
      return;
    do
      element();
    while (!failed() && tryToken(","));
    token(close);
  }
  template <typename T> Expected<T> result(T value) {
    end();
    if (failed())
      return Error{error};
    return value;
  }

private:
  StringRef whole, rest;
  std::string error;
};

} // namespace

void Scanner::fail(const Twine &message) {
  if (failed())
    return;
  error =
      (message + " at '" + rest.ltrim().take_front(16) + "' in '" + whole + "'")
          .str();
}

void Scanner::skip() {
  rest = rest.ltrim();
  while (rest.consume_front("//"))
    rest = rest.drop_until([](char c) { return c == '\n'; }).ltrim();
}

bool Scanner::tryToken(StringRef token) {
  skip();
  return !failed() && rest.consume_front(token);
}

void Scanner::token(StringRef token) {
  if (!tryToken(token))
    fail("expected '" + token + "'");
}

int64_t Scanner::integer() {
  int64_t value = 0;
  skip();
  if (!failed() && rest.consumeInteger(10, value))
    fail("expected an integer");
  return value;
}

std::string Scanner::quoted() {
  token("\"");
  auto [name, after] = rest.split('"');
  if (!failed() && name.size() == rest.size())
    fail("expected a closing quote");
  if (failed())
    return "";
  rest = after;
  return name.str();
}

std::string Scanner::identifier(StringRef what) {
  skip();
  if (rest.starts_with("\""))
    return quoted();
  StringRef name = rest.take_while(
      [](char c) { return llvm::isAlnum(c) || StringRef("_.$-").contains(c); });
  if (name.empty())
    fail("expected " + what);
  if (failed())
    return "";
  rest = rest.drop_front(name.size());
  return name.str();
}

void Scanner::end() {
  skip();
  if (!rest.empty())
    fail("expected the end");
}

static Axis scanAxis(Scanner &scanner) {
  Axis axis;
  axis.name = scanner.quoted();
  if (scanner.tryToken(":")) {
    scanner.token("(");
    axis.preSize = scanner.integer();
    scanner.token(")");
    axis.size = scanner.integer();
    if (axis.preSize < 1 || axis.size < 1)
      scanner.fail("sizes of a part of axis \"" + Twine(axis.name) +
                   "\" must be at least 1");
  }
  return axis;
}

static std::vector<Axis> scanAxes(Scanner &scanner) {
  std::vector<Axis> axes;
  scanner.list("{", "}", [&] { axes.push_back(scanAxis(scanner)); });
  return axes;
}

static Mesh scanMesh(Scanner &scanner) {
  Mesh mesh;
  scanner.token("<");
  scanner.list("[", "]", [&] {
    std::string name = scanner.quoted();
    scanner.token("=");
    mesh.axes.emplace_back(name, scanner.integer());
  });
  if (scanner.tryToken(",")) {
    scanner.token("device_ids");
    scanner.token("=");
    scanner.list("[", "]", [&] { mesh.devices.push_back(scanner.integer()); });
  }
  scanner.token(">");
  return mesh;
}

static Dim scanDim(Scanner &scanner) {
  Dim dim;
  scanner.list("{", "}", [&] {
    if (dim.open) {
      scanner.fail("expected '}' after '?'");
    } else if (scanner.tryToken("?")) {
      dim.open = true;
    } else {
      dim.axes.push_back(scanAxis(scanner));
      dim.open = scanner.tryToken("?"); // the comma may be left out
    }
  });
  if (scanner.tryToken("p"))
    dim.priority = scanner.integer();
  return dim;
}

static Sharding scanSharding(Scanner &scanner) {
  Sharding sharding;
  scanner.token("<");
  if (scanner.tryToken("@")) {
    sharding.meshName = scanner.identifier("the name of a mesh");
  } else {
    scanner.token("mesh");
    sharding.inlined = scanMesh(scanner);
  }
  scanner.token(",");
  scanner.list("[", "]", [&] { sharding.dims.push_back(scanDim(scanner)); });
  while (scanner.tryToken(",")) {
    if (scanner.tryToken("replicated")) {
      scanner.token("=");
      sharding.replicated = scanAxes(scanner);
      continue;
    }
    scanner.token("unreduced");
    scanner.tryToken("=");
    for (StringRef reduction : {"sum", "max", "min"})
      if (scanner.tryToken(reduction))
        sharding.reduction = reduction.str();
    sharding.unreduced = scanAxes(scanner);
  }
  scanner.token(">");
  return sharding;
}

Expected<Mesh> mlir::dtensor::shardy::parseMesh(StringRef text) {
  text.consume_front("#sdy.");
  text.consume_front("mesh");
  Scanner scanner(text);
  Mesh mesh = scanMesh(scanner);
  return scanner.result(mesh);
}

Expected<Sharding> mlir::dtensor::shardy::parseSharding(StringRef text) {
  text.consume_front("#sdy.");
  text.consume_front("sharding");
  Scanner scanner(text);
  Sharding sharding = scanSharding(scanner);
  return scanner.result(sharding);
}

Expected<std::vector<Sharding>>
mlir::dtensor::shardy::parsePerValue(StringRef text) {
  text.consume_front("#sdy.");
  text.consume_front("sharding_per_value");
  Scanner scanner(text);
  std::vector<Sharding> shardings;
  scanner.token("<");
  scanner.list("[", "]", [&] { shardings.push_back(scanSharding(scanner)); });
  scanner.token(">");
  return scanner.result(shardings);
}

Expected<std::vector<std::pair<std::string, Mesh>>>
mlir::dtensor::shardy::parseMeshes(StringRef text) {
  Scanner scanner(text);
  std::vector<std::pair<std::string, Mesh>> meshes;
  scanner.list("{", "}", [&] {
    std::string name = scanner.identifier("the name of a mesh");
    scanner.token("=");
    scanner.token("#sdy.mesh");
    meshes.emplace_back(name, scanMesh(scanner));
  });
  return scanner.result(meshes);
}

Expected<std::vector<int64_t>>
mlir::dtensor::shardy::parseNamedInts(StringRef text, StringRef name) {
  std::vector<int64_t> values;
  size_t position = text.find(name);
  if (position == StringRef::npos)
    return values;
  StringRef rest = text.drop_front(position + name.size());
  size_t close = rest.find(']');
  Scanner scanner(close == StringRef::npos ? rest : rest.take_front(close + 1));
  scanner.token("=");
  scanner.list("[", "]", [&] { values.push_back(scanner.integer()); });
  return scanner.result(values);
}
