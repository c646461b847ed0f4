// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text forms of layouts: "x=shard(0), y:(1)2=partial(sum), ..." and the
// DTensor spelling "S(0), R, P(sum)", one placement per mesh axis.
#include "dtensor/Planner/Layout.h"

#include "TextScanner.h"

using namespace dtensor;

namespace {

constexpr const char *opNames =
    "sum, product, min, max, umin, umax, avg, band, bor, bxor";

/// Reads one layout text; the first error stops it.
class LayoutParser {
public:
  LayoutParser(const Mesh &mesh, int rank, std::string_view text)
      : mesh(mesh), rank(rank), scanner(text) {}

  Expected<Layout> parse() {
    while (!scanner.atEnd()) {
      if (scanner.consume("...")) {
        if (Status status = parseOpenness(); !status)
          return status.error();
        break;
      }
      if (Status status = parseEntry(); !status)
        return status.error();
      if (scanner.atEnd())
        break;
      std::string rest = scanner.rest();
      if (!scanner.consume(",") || scanner.atEnd())
        return Error{"cannot read '" + rest +
                     "' in a layout; separate entries with one comma"};
    }
    if (spelledInOrder && entries.size() != mesh.axes().size())
      return Error{"layout has " + std::to_string(entries.size()) +
                   " placements, but the mesh has " +
                   std::to_string(mesh.axes().size()) +
                   " axes; write one S(dim), R or P(op) per axis"};
    return makeLayout(mesh, rank, entries, openness);
  }

private:
  /// `(0, 2)` after the three dots, which must be last.
  Status parseOpenness() {
    openness.open = true;
    if (scanner.consume("(")) {
      do {
        std::string rest = scanner.rest();
        auto dim = scanner.integer();
        if (!dim || *dim < 0 || *dim > INT32_MAX)
          return Error{"cannot read '" + rest +
                       "' as an open dim; write ...(0, 2)"};
        openness.dims.push_back(static_cast<int>(*dim));
      } while (scanner.consume(","));
      if (!scanner.consume(")"))
        return Error{"missing ')' after the open dims; write ...(0, 2)"};
    }
    if (!scanner.atEnd())
      return Error{"'" + scanner.rest() +
                   "' follows '...', which must be the last entry"};
    return Status::success();
  }

  Status parseEntry() {
    std::string entry = scanner.entry();
    size_t equals = entry.find('=');
    bool inOrder = equals == std::string::npos;
    if (!entries.empty() && inOrder != spelledInOrder)
      return Error{"layout mixes 'axis=placement' with placements in mesh "
                   "order at '" +
                   entry + "'; use one form"};
    spelledInOrder = inOrder;
    PlacementEntry result;
    if (inOrder) {
      if (entries.size() >= mesh.axes().size())
        return Error{"layout has more placements than the mesh has axes (" +
                     std::to_string(mesh.axes().size()) + ") at '" + entry +
                     "'"};
      result.axis = mesh.wholeAxis(static_cast<int>(entries.size()));
    } else {
      std::string name = entry.substr(0, equals);
      while (!name.empty() && (name.back() == ' ' || name.back() == '\t'))
        name.pop_back();
      auto axis = parseAxisRef(mesh, name);
      if (!axis)
        return axis.error();
      result.axis = *axis;
      scanner.identifier();
      if (scanner.consume(":")) {
        scanner.consume("(");
        scanner.integer();
        scanner.consume(")");
        scanner.integer();
      }
      scanner.consume("=");
    }
    if (Status status = parsePlacement(entry, result); !status)
      return status;
    entries.push_back(result);
    return Status::success();
  }

  Status parsePlacement(const std::string &entry, PlacementEntry &result) {
    std::string_view word = scanner.identifier();
    if (word == (spelledInOrder ? "R" : "replicate"))
      return Status::success();
    if (word == (spelledInOrder ? "S" : "shard")) {
      result.kind = PlacementEntry::Kind::Shard;
      std::optional<int64_t> dim;
      if (scanner.consume("("))
        dim = scanner.integer();
      if (!dim || !scanner.consume(")"))
        return Error{"cannot read '" + entry + "'; write " +
                     (spelledInOrder ? "S(dim)" : "axis=shard(dim)")};
      result.dim = *dim;
      return Status::success();
    }
    if (word == (spelledInOrder ? "P" : "partial")) {
      result.kind = PlacementEntry::Kind::Partial;
      if (!scanner.consume("(")) {
        // DTensor's own default; the long form always names the op.
        if (spelledInOrder)
          return Status::success();
        return Error{"cannot read '" + entry + "'; write axis=partial(op)"};
      }
      std::string name(scanner.identifier());
      auto op = parseReduceOp(name);
      if (!op)
        return Error{"unknown reduce op '" + name + "' in '" + entry +
                     "' (ops are " + opNames + ")"};
      result.op = *op;
      if (!scanner.consume(")"))
        return Error{"missing ')' in '" + entry + "'"};
      return Status::success();
    }
    return Error{"unknown placement in '" + entry + "' (placements are " +
                 (spelledInOrder ? "S(dim), R, P(op)"
                                 : "shard(dim), replicate, partial(op)") +
                 ")"};
  }

  const Mesh &mesh;
  int rank;
  TextScanner scanner;
  std::vector<PlacementEntry> entries;
  Openness openness;
  bool spelledInOrder = false;
};

} // namespace

Expected<Layout> dtensor::parseLayout(const Mesh &mesh, int rank,
                                      std::string_view text) {
  return LayoutParser(mesh, rank, text).parse();
}

std::string dtensor::printLayout(const Mesh &mesh, const Layout &layout) {
  std::string text;
  auto separate = [&text] { text += text.empty() ? "" : ", "; };
  for (const PlacementEntry &entry : layoutEntries(layout)) {
    separate();
    text += printAxisRef(mesh, entry.axis);
    switch (entry.kind) {
    case PlacementEntry::Kind::Shard:
      text += "=shard(" + std::to_string(entry.dim) + ")";
      break;
    case PlacementEntry::Kind::Partial:
      text += "=partial(" + std::string(reduceOpName(entry.op)) + ")";
      break;
    case PlacementEntry::Kind::Replicate:
      text += "=replicate";
      break;
    }
  }
  if (!layout.openness.open)
    return text;
  separate();
  text += "...";
  if (layout.openness.dims.empty())
    return text;
  text += "(";
  for (size_t i = 0; i < layout.openness.dims.size(); ++i)
    text += (i ? ", " : "") + std::to_string(layout.openness.dims[i]);
  return text + ")";
}
