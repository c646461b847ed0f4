// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Overlap of even layouts, from the digits that they share.
#include "EvenOverlap.h"

#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>
#include <map>
#include <set>

using namespace dtensor;

namespace {

/// A (sub-)axis on a dimension: its coordinate is the digits of the dimension
/// from position `base` on.
struct Placed {
  AxisRef ref;
  size_t dim = 0;
  int64_t base = 1;
};

/// Cuts of the axes and of the dimensions, counted in pieces from the major
/// end, and the digits between them.
class Digits {
public:
  Digits(const Layout &from, const Layout &to) : dims(from.dims.size()) {
    for (const Layout *layout : {&from, &to})
      for (size_t d = 0; d < layout->dims.size(); ++d) {
        int64_t base = 1;
        for (const AxisRef &ref : layout->dims[d]) {
          placed.push_back({ref, d, base});
          axes[ref.axis].insert({ref.preSize, ref.end()});
          dims[d].insert({base, base * ref.size});
          base *= ref.size;
        }
      }
  }

  /// Carries every cut over to the axis or dimension on the other side until
  /// nothing changes. False where some cut is no divisor of the next.
  bool close() {
    for (bool grown = true; grown;) {
      grown = false;
      for (const Placed &one : placed) {
        const AxisRef &ref = one.ref;
        for (int64_t cut : std::vector<int64_t>(axes[ref.axis].begin(),
                                                axes[ref.axis].end())) {
          if (cut <= ref.preSize || cut >= ref.end())
            continue;
          if (cut % ref.preSize != 0)
            return false;
          grown |= dims[one.dim].insert(one.base * (cut / ref.preSize)).second;
        }
        for (int64_t cut :
             std::vector<int64_t>(dims[one.dim].begin(), dims[one.dim].end())) {
          if (cut <= one.base || cut >= one.base * ref.size)
            continue;
          if (cut % one.base != 0)
            return false;
          grown |= axes[ref.axis].insert(ref.preSize * (cut / one.base)).second;
        }
      }
    }
    for (const auto &[axis, cuts] : axes)
      if (!isChain(cuts))
        return false;
    return std::all_of(dims.begin(), dims.end(), isChain);
  }

  EvenOverlap count(const Mesh &mesh, const std::vector<int64_t> &shape) {
    for (const Placed &one : placed)
      for (auto it = axes[one.ref.axis].find(one.ref.preSize);
           *it != one.ref.end(); ++it)
        unite(axisDigit(one.ref.axis, *it),
              dimDigit(one.dim, one.base * (*it / one.ref.preSize)));
    EvenOverlap overlap;
    // Elements below the finest cut of each dimension belong together.
    double free = 1;
    int64_t kept = 1;
    for (size_t d = 0; d < dims.size(); ++d)
      kept *= shape[d] / (dims[d].empty() ? 1 : *dims[d].rbegin());
    double ranks = 1;
    std::map<int, int> ranksIn; // digits of ranks per class
    for (const auto &[key, number] : numbers)
      if (key.first < 0)
        ++ranksIn[find(number)];
    for (const auto &[key, number] : numbers) {
      double size = static_cast<double>(sizeOf(key));
      if (key.first < 0)
        ranks *= size;
      if (find(number) != number)
        continue;
      free *= size;
      if (ranksIn.count(number) == 0)
        kept *= sizeOf(key);
    }
    for (const auto &[root, digits] : ranksIn)
      overlap.someKeepNothing |= digits > 1;
    overlap.keptMost = kept;
    int64_t below = 1;
    for (size_t d = 0; d < dims.size(); ++d)
      below *= shape[d] / (dims[d].empty() ? 1 : *dims[d].rbegin());
    // Axes that no layout uses repeat all of it.
    overlap.keptTotal = free * static_cast<double>(below) *
                        (static_cast<double>(mesh.numRanks()) / ranks);
    return overlap;
  }

private:
  /// (-1 - axis or dimension, position): axes are negative.
  using Key = std::pair<int, int64_t>;

  static bool isChain(const std::set<int64_t> &cuts) {
    int64_t last = 1;
    for (int64_t cut : cuts) {
      if (cut % last != 0)
        return false;
      last = cut;
    }
    return true;
  }

  int64_t sizeOf(const Key &key) const {
    const std::set<int64_t> &cuts = key.first < 0
                                        ? axes.at(-1 - key.first)
                                        : dims[static_cast<size_t>(key.first)];
    return *std::next(cuts.find(key.second)) / key.second;
  }

  int numberOf(const Key &key) {
    auto [it, fresh] =
        numbers.try_emplace(key, static_cast<int>(parents.size()));
    if (fresh)
      parents.push_back(it->second);
    return it->second;
  }
  int axisDigit(int axis, int64_t position) {
    return numberOf({-1 - axis, position});
  }
  int dimDigit(size_t dim, int64_t position) {
    return numberOf({static_cast<int>(dim), position});
  }
  int find(int number) const {
    while (parents[static_cast<size_t>(number)] != number)
      number = parents[static_cast<size_t>(number)];
    return number;
  }
  void unite(int a, int b) { parents[static_cast<size_t>(find(b))] = find(a); }

  std::vector<Placed> placed;
  std::map<int, std::set<int64_t>> axes;
  std::vector<std::set<int64_t>> dims;
  std::map<Key, int> numbers;
  std::vector<int> parents;
};

} // namespace

std::optional<EvenOverlap>
dtensor::evenOverlap(const Mesh &mesh, const Layout &from, const Layout &to,
                     const std::vector<int64_t> &shape) {
  Digits digits(from, to);
  if (!digits.close())
    return std::nullopt;
  return digits.count(mesh, shape);
}
