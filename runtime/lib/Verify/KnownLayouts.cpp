// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of whole tensors through collectives of groups.
#include "Verify/KnownLayouts.h"

#include <algorithm>

using namespace dtrt;
using dtensor::AxisRef;
using dtensor::Layout;
using dtensor::PartialAxis;

namespace {

/// `list` without `suffix`; nothing where it does not end so. The last axis of
/// `list` may be a merged one that `suffix` names the minor part of.
std::optional<std::vector<AxisRef>> withoutSuffix(std::vector<AxisRef> list,
                                                  std::vector<AxisRef> suffix) {
  for (; !suffix.empty(); suffix.pop_back()) {
    AxisRef drop = suffix.back();
    if (list.empty() || list.back().axis != drop.axis ||
        list.back().end() != drop.end() || list.back().size % drop.size != 0)
      return std::nullopt;
    list.back().size /= drop.size;
    if (list.back().size == 1)
      list.pop_back();
  }
  return list;
}

/// Takes `gone` out of `partials`, which may name it as a part of an axis.
bool removePartial(std::vector<PartialAxis> &partials,
                   const PartialAxis &gone) {
  for (auto at = partials.begin(); at != partials.end(); ++at) {
    const AxisRef held = at->axis, axis = gone.axis;
    if (at->op != gone.op || held.axis != axis.axis ||
        axis.preSize % held.preSize != 0 || held.end() % axis.end() != 0)
      continue;
    partials.erase(at);
    AxisRef major = {axis.axis, held.preSize, axis.preSize / held.preSize};
    AxisRef minor = {axis.axis, axis.end(), held.end() / axis.end()};
    for (const AxisRef &rest : {major, minor})
      if (rest.size > 1)
        partials.push_back({rest, gone.op});
    return true;
  }
  return false;
}

/// `layout` with what `change` says replaced.
std::optional<Layout> changed(const dtensor::Mesh &mesh, Layout layout,
                              const dtensor::LayoutChange &change) {
  using Kind = dtensor::PlacementEntry::Kind;
  std::vector<dtensor::PlacementEntry> entries;
  for (int d = 0; d < layout.rank(); ++d) {
    auto rest = withoutSuffix(layout.dims[d], change.from.dims[d]);
    if (!rest)
      return std::nullopt;
    rest->insert(rest->end(), change.to.dims[d].begin(),
                 change.to.dims[d].end());
    for (const AxisRef &axis : *rest)
      entries.push_back({axis, Kind::Shard, d, dtensor::ReduceOp::Sum});
  }
  for (const PartialAxis &partial : change.from.partials)
    if (!removePartial(layout.partials, partial))
      return std::nullopt;
  layout.partials.insert(layout.partials.end(), change.to.partials.begin(),
                         change.to.partials.end());
  for (const PartialAxis &partial : layout.partials)
    entries.push_back({partial.axis, Kind::Partial, 0, partial.op});
  auto made = dtensor::makeLayout(mesh, layout.rank(), entries);
  if (!made)
    return std::nullopt;
  return *made;
}

} // namespace

Expected<std::optional<KnownTensor>>
dtrt::applyCollective(const dtensor::Mesh &mesh, const KnownTensor &held,
                      const schema::CollectiveT &op,
                      const dtensor::LayoutChange &change) {
  if (toElementType(op.type) != held.type)
    return Error{
        "takes " + std::string(elementTypeName(toElementType(op.type))) +
        ", but its source holds " + std::string(elementTypeName(held.type))};
  if (change.from.rank() != held.layout.rank())
    return std::optional<KnownTensor>();
  std::optional<Layout> layout = changed(mesh, held.layout, change);
  if (!layout)
    return Error{"takes layout '" + printLayout(mesh, change.from) + "' to '" +
                 printLayout(mesh, change.to) +
                 "', but its source has layout '" +
                 printLayout(mesh, held.layout) + "'"};
  KnownTensor after = held;
  after.layout = std::move(*layout);
  return std::optional<KnownTensor>(std::move(after));
}
