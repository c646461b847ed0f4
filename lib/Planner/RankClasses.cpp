// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes of ranks, from the places where the sizes of chunks change.
#include "RankClasses.h"

#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>
#include <set>

using namespace dtensor;

namespace {

/// A (sub-)axis on which no layout sees a part, or one of which every
/// coordinate is a class of its own.
struct Unit {
  AxisRef ref;
  bool whole = true; ///< every layout that uses it uses all of it
  std::set<int64_t> starts = {0};
};

class ClassBuilder {
public:
  ClassBuilder(const Mesh &mesh, const std::vector<int64_t> &shape,
               const std::vector<const Layout *> &layouts,
               const std::vector<AxisRef> &fixed)
      : mesh(mesh) {
    std::vector<AxisRef> refs = fixed;
    for (const Layout *layout : layouts)
      for (const std::vector<AxisRef> &axes : layout->dims)
        refs.insert(refs.end(), axes.begin(), axes.end());
    addUnits(refs, fixed);
    for (const Layout *layout : layouts)
      for (size_t d = 0; d < shape.size(); ++d)
        addStarts(shape[d], layout->dims[d]);
    counted = mesh.numRanks() / totalSize(fixed);
  }

  std::vector<RankClass> build() {
    visit(0, 0, 1);
    int64_t listed = 0;
    for (const RankClass &one : classes)
      listed += one.count;
    // Axes that no layout uses multiply every class.
    for (RankClass &one : classes)
      one.count *= counted / std::max<int64_t>(1, listed);
    return std::move(classes);
  }

private:
  void addUnits(const std::vector<AxisRef> &refs,
                const std::vector<AxisRef> &fixed) {
    // Unlike coveringAxes, parts that merely touch stay apart.
    std::vector<AxisRef> joined;
    for (AxisRef ref : refs) {
      for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < joined.size() && !grown; ++i)
          if (overlaps(joined[i], ref)) {
            ref = coveringAxes({joined[i], ref}).front();
            joined.erase(joined.begin() + i);
            grown = true;
          }
      }
      joined.push_back(ref);
    }
    std::sort(joined.begin(), joined.end());
    for (const AxisRef &ref : joined) {
      Unit unit = {ref};
      bool isFixed = false;
      for (const AxisRef &part : refs)
        if (overlaps(part, ref))
          unit.whole &= part == ref;
      for (const AxisRef &part : fixed)
        isFixed |= part == ref;
      if (isFixed)
        continue;
      fixedParts.emplace_back();
      for (const AxisRef &part : fixed)
        if (overlaps(part, ref))
          fixedParts.back().push_back(part);
      units.push_back(std::move(unit));
    }
  }

  /// Where the sizes of the chunks of [0, extent) under `axes` change.
  void addStarts(int64_t extent, const std::vector<AxisRef> &axes) {
    std::set<int64_t> extents = {extent}, next;
    for (const AxisRef &ref : axes) {
      next.clear();
      auto unit = std::find_if(units.begin(), units.end(), [&](const Unit &u) {
        return u.whole && u.ref == ref;
      });
      for (int64_t n : extents) {
        int64_t size = n / ref.size + (n % ref.size != 0);
        int64_t full = size ? n / size : 0;
        for (int64_t start : {full, full + 1})
          if (unit != units.end() && start < ref.size)
            unit->starts.insert(start);
        next.insert(size);
        if (full < ref.size)
          next.insert(n - full * size);
        if (full + 1 < ref.size)
          next.insert(0);
      }
      extents = next;
    }
  }

  bool isExcluded(size_t at, int64_t coordinate) const {
    const AxisRef &ref = units[at].ref;
    for (const AxisRef &part : fixedParts[at])
      if (coordinate / (ref.end() / part.end()) % part.size != 0)
        return true;
    return false;
  }

  void visit(size_t at, int64_t position, int64_t count) {
    if (at == units.size()) {
      classes.push_back({mesh.rankAt(position), count});
      return;
    }
    const Unit &unit = units[at];
    int64_t stride = mesh.stride(unit.ref);
    if (!unit.whole) {
      for (int64_t i = 0; i < unit.ref.size; ++i)
        if (!isExcluded(at, i))
          visit(at + 1, position + i * stride, count);
      return;
    }
    for (auto it = unit.starts.begin(); it != unit.starts.end(); ++it) {
      auto following = std::next(it);
      int64_t end = following == unit.starts.end() ? unit.ref.size : *following;
      visit(at + 1, position + *it * stride, count * (end - *it));
    }
  }

  const Mesh &mesh;
  std::vector<Unit> units;
  /// Per unit the parts of it whose coordinate must be 0.
  std::vector<std::vector<AxisRef>> fixedParts;
  int64_t counted = 1;
  std::vector<RankClass> classes;
};

} // namespace

std::vector<RankClass>
dtensor::rankClasses(const Mesh &mesh, const std::vector<int64_t> &shape,
                     const std::vector<const Layout *> &layouts,
                     const std::vector<AxisRef> &fixed) {
  return ClassBuilder(mesh, shape, layouts, fixed).build();
}

size_t dtensor::commonPrefix(const std::vector<AxisRef> &a,
                             const std::vector<AxisRef> &b) {
  size_t common = 0;
  while (common < a.size() && common < b.size() && a[common] == b[common])
    ++common;
  return common;
}

bool dtensor::isEvenDim(const Layout &layout, const std::vector<int64_t> &shape,
                        int dim) {
  return shape[dim] % totalSize(layout.dims[dim]) == 0;
}
