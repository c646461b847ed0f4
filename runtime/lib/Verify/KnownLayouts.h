// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a collective makes of a tensor whose layout is known. Collectives speak
// of the tensor that their group holds; a buffer's layout speaks of the whole.
#ifndef DTRT_LIB_VERIFY_KNOWNLAYOUTS_H
#define DTRT_LIB_VERIFY_KNOWNLAYOUTS_H

#include "dtrt/PlanTypes.h"

namespace dtrt {

/// What a buffer holds.
struct KnownTensor {
  dtensor::ElementType type = dtensor::ElementType::F32;
  std::vector<int64_t> shape; ///< global
  dtensor::Layout layout;
};

/// `held` after the collective. Refuses a collective that takes another type
/// or layout than `held` has. Nothing where the two have different ranks: then
/// the buffer is read as another tensor, which only its writer can vouch for.
Expected<std::optional<KnownTensor>>
applyCollective(const dtensor::Mesh &mesh, const KnownTensor &held,
                const schema::CollectiveT &op,
                const dtensor::LayoutChange &change);

} // namespace dtrt

#endif // DTRT_LIB_VERIFY_KNOWNLAYOUTS_H
