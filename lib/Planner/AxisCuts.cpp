// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places where two layouts cut the axes of their mesh.
#include "AxisCuts.h"

#include <algorithm>

using namespace dtensor;

AxisCuts::AxisCuts(const Mesh &mesh, const Layout &a, const Layout &b)
    : cuts(mesh.axes().size()) {
  auto add = [this](const AxisRef &ref) {
    cuts[ref.axis].push_back(ref.preSize);
    cuts[ref.axis].push_back(ref.end());
  };
  for (const Layout *layout : {&a, &b}) {
    for (const std::vector<AxisRef> &axes : layout->dims)
      std::for_each(axes.begin(), axes.end(), add);
    for (const PartialAxis &partial : layout->partials)
      add(partial.axis);
  }
  for (std::vector<int64_t> &list : cuts) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (size_t i = 1; i < list.size(); ++i)
      if (list[i] % list[i - 1] != 0) {
        list.clear();
        nestEverywhere = false;
      }
  }
}

std::vector<AxisRef> AxisCuts::split(const std::vector<AxisRef> &refs) const {
  std::vector<AxisRef> pieces;
  for (const AxisRef &ref : refs) {
    int64_t begin = ref.preSize;
    for (int64_t cut : cuts[ref.axis])
      if (cut > begin && cut < ref.end()) {
        pieces.push_back({ref.axis, begin, cut / begin});
        begin = cut;
      }
    pieces.push_back({ref.axis, begin, ref.end() / begin});
  }
  return pieces;
}

std::vector<PartialAxis>
AxisCuts::split(const std::vector<PartialAxis> &refs) const {
  std::vector<PartialAxis> pieces;
  for (const PartialAxis &ref : refs)
    for (const AxisRef &piece : split(std::vector<AxisRef>{ref.axis}))
      pieces.push_back({piece, ref.op});
  return pieces;
}

std::vector<AxisRef>
AxisCuts::splitPrimes(const std::vector<AxisRef> &refs) const {
  std::vector<AxisRef> primes;
  for (const AxisRef &piece : split(refs)) {
    int64_t pre = piece.preSize, rest = piece.size;
    for (int64_t factor = 2; rest > 1; ++factor) {
      // Past the square root what is left is itself prime.
      if (factor * factor > rest)
        factor = rest;
      for (; rest % factor == 0; rest /= factor, pre *= factor)
        primes.push_back({piece.axis, pre, factor});
    }
  }
  return primes;
}
