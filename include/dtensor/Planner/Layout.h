// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts: how one tensor lies on a mesh, in canonical form, and which box of
// the tensor each rank holds.
#ifndef DTENSOR_PLANNER_LAYOUT_H
#define DTENSOR_PLANNER_LAYOUT_H

#include "dtensor/Planner/ElementType.h"
#include "dtensor/Planner/Mesh.h"

#include <optional>

namespace dtensor {

/// A (sub-)axis along which ranks hold contributions that `op` still has to
/// combine.
struct PartialAxis {
  AxisRef axis;
  ReduceOp op = ReduceOp::Sum;

  bool operator==(const PartialAxis &other) const {
    return axis == other.axis && op == other.op;
  }
};

/// Which dimensions propagation may still shard.
struct Openness {
  bool open = false;
  /// The open dimensions; empty with `open` set means all of them.
  std::vector<int> dims;

  bool operator==(const Openness &other) const {
    return open == other.open && dims == other.dims;
  }
};

/// A layout of a tensor of rank dims.size(). Axes that appear nowhere are
/// replicated. Canonical: adjacent parts of one axis merged, size-1 axes
/// dropped, partials and pins in mesh order.
struct Layout {
  /// Per tensor dimension the axes that chunk it, major to minor.
  std::vector<std::vector<AxisRef>> dims;
  std::vector<PartialAxis> partials;
  /// Axes written `= replicate`: propagation may not use them.
  std::vector<AxisRef> pinned;
  Openness openness;

  /// The layout that replicates a tensor of rank `rank` everywhere.
  static Layout replicated(int rank) {
    Layout layout;
    layout.dims.resize(rank);
    return layout;
  }
  int rank() const { return static_cast<int>(dims.size()); }
  bool isReplicated() const;

  /// Equality of the data: pins and openness do not count.
  bool operator==(const Layout &other) const {
    return dims == other.dims && partials == other.partials;
  }
  bool operator!=(const Layout &other) const { return !(*this == other); }
  /// An order without meaning, for deterministic containers.
  bool operator<(const Layout &other) const;
};

/// One entry `axis = placement` of a written layout, in the order written.
struct PlacementEntry {
  enum class Kind : uint8_t { Shard, Replicate, Partial };
  AxisRef axis;
  Kind kind = Kind::Replicate;
  int64_t dim = 0;             ///< Shard only
  ReduceOp op = ReduceOp::Sum; ///< Partial only
};

/// Builds the canonical layout of a tensor of rank `rank` from written
/// entries. Refuses: an axis (part) used twice, a dim outside [0, rank),
/// shard of a rank-0 tensor, two different reduce ops other than sum with avg,
/// and parts of one axis whose cuts do not nest.
Expected<Layout> makeLayout(const Mesh &mesh, int rank,
                            const std::vector<PlacementEntry> &entries,
                            Openness openness = {});

/// The entries of a layout in canonical print order: by dimension, then
/// partials, then pins.
std::vector<PlacementEntry> layoutEntries(const Layout &layout);

/// Parses the form of tools and JSON, "dp=shard(0), x:(1)2=partial(sum), ...",
/// or the DTensor spelling in mesh order, "S(0), R, P(sum)".
Expected<Layout> parseLayout(const Mesh &mesh, int rank, std::string_view text);
/// Prints the form of tools and JSON; "" for a replicated, closed layout.
std::string printLayout(const Mesh &mesh, const Layout &layout);

/// Refuses a partial op that `type` does not have.
Status checkElementType(const Layout &layout, ElementType type);

/// A half-open box of a tensor: [lo[d], hi[d]) in every dimension.
struct Box {
  std::vector<int64_t> lo, hi;

  bool operator==(const Box &other) const {
    return lo == other.lo && hi == other.hi;
  }
  bool isEmpty() const;
  int64_t numElements() const;
  std::vector<int64_t> extents() const;
};

/// The common part of two boxes; empty where they do not meet.
Box intersect(const Box &a, const Box &b);

/// Part `index` of [lo, hi) cut into `parts` chunks as torch.chunk does: size
/// ceil(n / parts) until the elements run out; an empty chunk starts at hi.
void chunk(int64_t &lo, int64_t &hi, int64_t parts, int64_t index);

/// The box of a tensor of shape `shape` that `rank` holds (for partial
/// tensors: the box that it holds a contribution for).
Box localBox(const Mesh &mesh, const Layout &layout,
             const std::vector<int64_t> &shape, int64_t rank);

/// The largest extent per dimension over all ranks: the first chunk's.
std::vector<int64_t> maxLocalShape(const Mesh &mesh, const Layout &layout,
                                   const std::vector<int64_t> &shape);

/// True when every rank holds a box of maxLocalShape: every dimension divides
/// by the product of the axes on it.
bool isEven(const Layout &layout, const std::vector<int64_t> &shape);

} // namespace dtensor

#endif // DTENSOR_PLANNER_LAYOUT_H
