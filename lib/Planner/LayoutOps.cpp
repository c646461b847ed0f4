// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of layouts that keep them canonical. A part of an axis is an interval
// [preSize, end) of the axis's divisor chain; all of this is interval work.
#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>
#include <numeric>

using namespace dtensor;

void dtensor::canonicalizeAxes(std::vector<AxisRef> &axes) {
  std::vector<AxisRef> merged;
  for (const AxisRef &ref : axes) {
    if (ref.size == 1)
      continue;
    if (!merged.empty() && merged.back().axis == ref.axis &&
        merged.back().end() == ref.preSize)
      merged.back().size *= ref.size;
    else
      merged.push_back(ref);
  }
  axes = std::move(merged);
}

void dtensor::canonicalizePartials(std::vector<PartialAxis> &partials) {
  std::sort(partials.begin(), partials.end(),
            [](const PartialAxis &a, const PartialAxis &b) {
              return a.axis < b.axis;
            });
  std::vector<PartialAxis> merged;
  for (const PartialAxis &partial : partials) {
    if (partial.axis.size == 1)
      continue;
    PartialAxis *last = merged.empty() ? nullptr : &merged.back();
    if (last && last->op == partial.op &&
        last->axis.axis == partial.axis.axis &&
        last->axis.end() == partial.axis.preSize)
      last->axis.size *= partial.axis.size;
    else
      merged.push_back(partial);
  }
  partials = std::move(merged);
}

bool dtensor::overlaps(const AxisRef &a, const AxisRef &b) {
  // Disjoint parts lie one after the other in one divisor chain.
  return a.axis == b.axis && b.preSize % a.end() != 0 &&
         a.preSize % b.end() != 0;
}

std::optional<std::vector<AxisRef>>
dtensor::dropSuffix(std::vector<AxisRef> list,
                    const std::vector<AxisRef> &suffix) {
  for (size_t i = suffix.size(); i-- > 0;) {
    const AxisRef &cut = suffix[i];
    if (cut.size == 1)
      continue;
    if (list.empty())
      return std::nullopt;
    AxisRef &last = list.back();
    if (last.axis != cut.axis || last.end() != cut.end() ||
        cut.preSize % last.preSize != 0)
      return std::nullopt;
    last.size = cut.preSize / last.preSize;
    if (last.size == 1)
      list.pop_back();
  }
  return list;
}

std::optional<std::vector<AxisRef>>
dtensor::dropPrefix(const std::vector<AxisRef> &list,
                    const std::vector<AxisRef> &prefix) {
  std::vector<AxisRef> rest = list;
  size_t at = 0;
  for (const AxisRef &cut : prefix) {
    if (at == rest.size() || rest[at].axis != cut.axis ||
        rest[at].preSize != cut.preSize || rest[at].size % cut.size != 0)
      return std::nullopt;
    rest[at].preSize = cut.end();
    rest[at].size /= cut.size;
    if (rest[at].size == 1)
      ++at;
  }
  rest.erase(rest.begin(), rest.begin() + at);
  return rest;
}

Layout dtensor::withAppended(Layout layout, int dim,
                             const std::vector<AxisRef> &axes) {
  std::vector<AxisRef> &list = layout.dims[dim];
  list.insert(list.end(), axes.begin(), axes.end());
  canonicalizeAxes(list);
  return layout;
}

std::optional<Layout> dtensor::withoutSuffix(const Layout &layout, int dim,
                                             const std::vector<AxisRef> &axes) {
  auto rest = dropSuffix(layout.dims[dim], axes);
  if (!rest)
    return std::nullopt;
  Layout result = layout;
  result.dims[dim] = std::move(*rest);
  return result;
}

std::optional<Layout> dtensor::withoutPartials(const Layout &layout,
                                               const std::vector<AxisRef> &axes,
                                               ReduceOp op) {
  Layout result = layout;
  for (const AxisRef &cut : axes) {
    bool found = false;
    for (size_t i = 0; i < result.partials.size() && !found; ++i) {
      AxisRef whole = result.partials[i].axis;
      if (result.partials[i].op != op || whole.axis != cut.axis ||
          cut.preSize % whole.preSize != 0 || whole.end() % cut.end() != 0)
        continue;
      found = true;
      AxisRef before = {cut.axis, whole.preSize, cut.preSize / whole.preSize};
      AxisRef after = {cut.axis, cut.end(), whole.end() / cut.end()};
      result.partials.erase(result.partials.begin() + i);
      result.partials.push_back({before, op});
      result.partials.push_back({after, op});
    }
    if (!found)
      return std::nullopt;
    // Two rests of one axis do not touch, so this only sorts and drops.
    canonicalizePartials(result.partials);
  }
  return result;
}

Layout dtensor::withPartials(Layout layout, const std::vector<AxisRef> &axes,
                             ReduceOp op) {
  for (const AxisRef &ref : axes)
    layout.partials.push_back({ref, op});
  canonicalizePartials(layout.partials);
  return layout;
}

std::vector<AxisRef> dtensor::coveringAxes(std::vector<AxisRef> refs) {
  // Joining two parts can make the result touch a third: repeat until stable.
  for (bool joined = true; joined;) {
    joined = false;
    for (size_t i = 0; i < refs.size() && !joined; ++i)
      for (size_t j = i + 1; j < refs.size() && !joined; ++j) {
        if (!overlaps(refs[i], refs[j]))
          continue;
        int64_t pre = std::gcd(refs[i].preSize, refs[j].preSize);
        int64_t end = std::lcm(refs[i].end(), refs[j].end());
        refs[i] = {refs[i].axis, pre, end / pre};
        refs.erase(refs.begin() + j);
        joined = true;
      }
  }
  std::sort(refs.begin(), refs.end());
  canonicalizeAxes(refs);
  return refs;
}

Layout dtensor::dataLayout(const Layout &layout) {
  Layout data;
  data.dims = layout.dims;
  data.partials = layout.partials;
  return data;
}
