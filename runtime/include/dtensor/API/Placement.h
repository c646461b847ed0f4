// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placements: what one dimension of a mesh does to a tensor.
#ifndef DTENSOR_API_PLACEMENT_H
#define DTENSOR_API_PLACEMENT_H

#include "dtensor/Planner/Layout.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace dtensor {

/// What ranks that differ on one mesh dimension hold.
struct Placement {
  enum class Kind : uint8_t { Shard, Replicate, Partial };

  Kind kind = Kind::Replicate;
  int64_t dim = 0; ///< Shard: tensor dimension; negative from the end
  ReduceOp op = ReduceOp::Sum; ///< Partial

  bool isShard() const { return kind == Kind::Shard; }
  bool isReplicate() const { return kind == Kind::Replicate; }
  bool isPartial() const { return kind == Kind::Partial; }
  /// "Shard(dim=0)", "Replicate()", "Partial(sum)".
  std::string text() const;

  bool operator==(const Placement &other) const;
  bool operator!=(const Placement &other) const { return !(*this == other); }
};

/// Chunks of tensor dimension `dim`, as torch.chunk cuts it: of ceil(n / parts)
/// elements until they run out; later chunks are short or empty. Negative
/// dimensions count from the end.
struct Shard : Placement {
  explicit Shard(int64_t dim);
};

/// The whole tensor on every rank.
struct Replicate : Placement {
  Replicate();
};

/// Contributions that `op` still has to combine: sum, product, min, max, umin,
/// umax, avg, band, bor, bxor.
struct Partial : Placement {
  explicit Partial(ReduceOp op = ReduceOp::Sum);
  /// By name; throws DTensorError for one that there is not.
  explicit Partial(const std::string &op);
};

/// A placement of a named (sub-)axis: "tp", or "x:(1)2" for a part of one.
struct AxisPlacement {
  std::string axis;
  Placement placement;

  bool operator==(const AxisPlacement &other) const {
    return axis == other.axis && placement == other.placement;
  }
};

/// The placements of a tensor: one per mesh dimension in mesh order, or named
/// axes in an order of one's own. Where several axes chunk one tensor
/// dimension, the first one in the list is the major one.
class Placements {
public:
  /// Replicated on every mesh dimension.
  Placements() = default;
  Placements(std::initializer_list<Placement> perMeshDim)
      : perMeshDim(perMeshDim), isGiven(true) {}
  Placements(std::vector<Placement> perMeshDim)
      : perMeshDim(std::move(perMeshDim)), isGiven(true) {}

  /// Named axes; those left out replicate.
  static Placements ordered(std::vector<AxisPlacement> entries);
  /// The form of tools, "y=shard(0), x=shard(0)" or "S(0), R, P(sum)".
  static Placements parse(std::string text);

  bool given() const { return isGiven; }
  /// True where there is one placement per mesh dimension.
  bool isMeshOrder() const { return entries.empty() && text.empty(); }
  const std::vector<Placement> &list() const { return perMeshDim; }

  /// The layout of a tensor of rank `rank`, canonical. Throws what makeLayout
  /// and parseLayout refuse, and a list of another length than the mesh has
  /// dimensions.
  Layout layout(const Mesh &mesh, int rank) const;

  bool operator==(const Placements &other) const {
    return perMeshDim == other.perMeshDim && entries == other.entries &&
           text == other.text;
  }

private:
  std::vector<Placement> perMeshDim;
  std::vector<AxisPlacement> entries;
  std::string text;
  bool isGiven = false;
};

/// A layout as one placement per mesh dimension; false where it cannot be said
/// so (an order of its own, parts of axes).
bool toMeshOrder(const Mesh &mesh, const Layout &layout,
                 std::vector<Placement> &perMeshDim);
/// A layout as placements of named axes: by tensor dimension, major first, then
/// the partial ones.
std::vector<AxisPlacement> toOrdered(const Mesh &mesh, const Layout &layout);

} // namespace dtensor

#endif // DTENSOR_API_PLACEMENT_H
