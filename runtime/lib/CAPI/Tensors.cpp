// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C interface: arrays and distributed tensors.
#include "CAPI/Handles.h"

#include <algorithm>
#include <mutex>

using namespace dtensor;
using namespace dtensor::capi;

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

dtensorStatus dtensorArrayCreate(int32_t type, const int64_t *shape,
                                 size_t ndim, dtensorArray *array) {
  return guard([&] {
    need(array, "array");
    *array = new dtensorArrayHandle{
        Array(toType(type), toList(shape, ndim, "shape"))};
  });
}

dtensorStatus dtensorArrayWrap(void *data, int32_t type, const int64_t *shape,
                               size_t ndim, void (*release)(void *user),
                               void *user, dtensorArray *array) {
  return guard([&] {
    need(array, "array");
    std::vector<int64_t> extents = toList(shape, ndim, "shape");
    // Checked first: what is refused stays the caller's.
    Array checked = Array::wrap(data, toType(type), extents);
    if (release)
      checked = Array::wrap(data, toType(type), extents,
                            std::shared_ptr<void>(user, release));
    *array = new dtensorArrayHandle{std::move(checked)};
  });
}

namespace {

/// Tokens of memory that nobody uses any more.
struct ReleasedTokens {
  std::mutex mutex;
  std::vector<uint64_t> tokens;

  static ReleasedTokens &instance() {
    static auto *one = new ReleasedTokens; // arrays may outlive main
    return *one;
  }
};

} // namespace

dtensorStatus dtensorArrayWrapToken(void *data, int32_t type,
                                    const int64_t *shape, size_t ndim,
                                    uint64_t token, dtensorArray *array) {
  return guard([&] {
    need(array, "array");
    std::vector<int64_t> extents = toList(shape, ndim, "shape");
    Array checked = Array::wrap(data, toType(type), extents);
    auto keeper =
        std::shared_ptr<uint64_t>(new uint64_t(token), [](uint64_t *p) {
          ReleasedTokens &released = ReleasedTokens::instance();
          std::lock_guard<std::mutex> lock(released.mutex);
          released.tokens.push_back(*p);
          delete p;
        });
    *array = new dtensorArrayHandle{
        Array::wrap(data, toType(type), extents, std::move(keeper))};
  });
}

size_t dtensorTakeReleased(uint64_t *tokens, size_t capacity) {
  ReleasedTokens &released = ReleasedTokens::instance();
  std::lock_guard<std::mutex> lock(released.mutex);
  size_t count = std::min(capacity, released.tokens.size());
  std::copy_n(released.tokens.end() - static_cast<std::ptrdiff_t>(count), count,
              tokens);
  released.tokens.resize(released.tokens.size() - count);
  return count;
}

void dtensorArrayRelease(dtensorArray array) { delete array; }

int32_t dtensorArrayType(dtensorArray array) {
  return static_cast<int32_t>(array->array.dtype());
}

size_t dtensorArrayNdim(dtensorArray array) {
  return array->array.shape().size();
}

void dtensorArrayShape(dtensorArray array, int64_t *shape) {
  std::copy(array->array.shape().begin(), array->array.shape().end(), shape);
}

void *dtensorArrayData(dtensorArray array) { return array->array.data(); }
int64_t dtensorArrayBytes(dtensorArray array) { return array->array.bytes(); }

int32_t dtensorArrayRequiresGrad(dtensorArray array) {
  return array->array.requiresGrad();
}

void dtensorArraySetRequiresGrad(dtensorArray array, int32_t value) {
  array->array.setRequiresGrad(value != 0);
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

dtensorStatus dtensorDistributeTensor(dtensorArray array, dtensorMesh mesh,
                                      const dtensorPlacements *placements,
                                      int64_t srcDataRank,
                                      dtensorDTensor *tensor) {
  return guard([&] {
    need(tensor, "tensor");
    DistributeTensorOptions options;
    options.srcDataRank = srcDataRank;
    if (srcDataRank == -1)
      options.srcDataRank = std::nullopt;
    *tensor = new dtensorTensorHandle{
        distributeTensor(need(array, "array")->array, need(mesh, "mesh")->mesh,
                         toPlacements(placements), options)};
  });
}

dtensorStatus dtensorFromLocal(dtensorArray local, dtensorMesh mesh,
                               const dtensorPlacements *placements,
                               int32_t runCheck, const int64_t *shape,
                               const int64_t *stride, size_t ndim,
                               dtensorDTensor *tensor) {
  return guard([&] {
    need(tensor, "tensor");
    FromLocalOptions options;
    options.runCheck = runCheck != 0;
    if (shape)
      options.shape = toList(shape, ndim, "shape");
    if (stride)
      options.stride = toList(stride, ndim, "stride");
    *tensor = new dtensorTensorHandle{
        fromLocal(need(local, "local")->array, need(mesh, "mesh")->mesh,
                  toPlacements(placements), options)};
  });
}

namespace {

/// Calls a factory with the options in C.
template <typename Make>
dtensorStatus makeBy(const int64_t *shape, size_t ndim,
                     const dtensorFactoryOptions *given, dtensorDTensor *tensor,
                     Make make) {
  return guard([&] {
    need(tensor, "tensor");
    need(given, "options");
    FactoryOptions options;
    options.dtype = toType(given->type);
    options.requiresGrad = given->requiresGrad != 0;
    options.deviceMesh = need(given->mesh, "options.mesh")->mesh;
    options.placements = toPlacements(given->placements);
    if (given->layout)
      options.layout = given->layout;
    if (given->hasSeed)
      options.seed = given->seed;
    *tensor =
        new dtensorTensorHandle{make(toList(shape, ndim, "shape"), options)};
  });
}

} // namespace

dtensorStatus dtensorOnes(const int64_t *shape, size_t ndim,
                          const dtensorFactoryOptions *options,
                          dtensorDTensor *tensor) {
  return makeBy(shape, ndim, options, tensor, ones);
}

dtensorStatus dtensorZeros(const int64_t *shape, size_t ndim,
                           const dtensorFactoryOptions *options,
                           dtensorDTensor *tensor) {
  return makeBy(shape, ndim, options, tensor, zeros);
}

dtensorStatus dtensorEmpty(const int64_t *shape, size_t ndim,
                           const dtensorFactoryOptions *options,
                           dtensorDTensor *tensor) {
  return makeBy(shape, ndim, options, tensor, empty);
}

dtensorStatus dtensorFull(const int64_t *shape, size_t ndim, double value,
                          const dtensorFactoryOptions *options,
                          dtensorDTensor *tensor) {
  return makeBy(
      shape, ndim, options, tensor,
      [&](const std::vector<int64_t> &size, const FactoryOptions &with) {
        return full(size, value, with);
      });
}

dtensorStatus dtensorFullInteger(const int64_t *shape, size_t ndim,
                                 int64_t value,
                                 const dtensorFactoryOptions *options,
                                 dtensorDTensor *tensor) {
  return makeBy(
      shape, ndim, options, tensor,
      [&](const std::vector<int64_t> &size, const FactoryOptions &with) {
        return full(size, value, with);
      });
}

dtensorStatus dtensorRand(const int64_t *shape, size_t ndim,
                          const dtensorFactoryOptions *options,
                          dtensorDTensor *tensor) {
  return makeBy(shape, ndim, options, tensor, dtensor::rand);
}

dtensorStatus dtensorRandn(const int64_t *shape, size_t ndim,
                           const dtensorFactoryOptions *options,
                           dtensorDTensor *tensor) {
  return makeBy(shape, ndim, options, tensor, dtensor::randn);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

void dtensorRelease(dtensorDTensor tensor) { delete tensor; }

dtensorStatus dtensorLocalBox(dtensorMesh mesh, const int64_t *shape,
                              size_t ndim, const dtensorPlacements *placements,
                              int64_t *lo, int64_t *hi, int32_t *holds) {
  return guard([&] {
    std::optional<Box> box =
        localBoxOf(need(mesh, "mesh")->mesh, toList(shape, ndim, "shape"),
                   toPlacements(placements));
    *need(holds, "holds") = box.has_value();
    if (box) {
      std::copy(box->lo.begin(), box->lo.end(), lo);
      std::copy(box->hi.begin(), box->hi.end(), hi);
    }
  });
}

dtensorStatus dtensorToLocal(dtensorDTensor tensor, dtensorArray *local) {
  return guard([&] {
    need(local, "local");
    *local = new dtensorArrayHandle{need(tensor, "tensor")->tensor.toLocal()};
  });
}

dtensorStatus dtensorFullTensor(dtensorDTensor tensor, dtensorArray *whole) {
  return guard([&] {
    need(whole, "whole");
    *whole =
        new dtensorArrayHandle{need(tensor, "tensor")->tensor.fullTensor()};
  });
}

dtensorStatus dtensorRedistribute(dtensorDTensor tensor, dtensorMesh mesh,
                                  const dtensorPlacements *placements,
                                  int32_t asyncOp, dtensorDTensor *result) {
  return guard([&] {
    need(result, "result");
    const DTensor &from = need(tensor, "tensor")->tensor;
    RedistributeOptions options;
    options.asyncOp = asyncOp != 0;
    *result = new dtensorTensorHandle{
        from.redistribute(mesh ? mesh->mesh : from.deviceMesh(),
                          toPlacements(placements), options)};
  });
}

dtensorStatus dtensorWait(dtensorDTensor tensor) {
  return guard([&] { need(tensor, "tensor")->tensor.wait(); });
}

int32_t dtensorIsReady(dtensorDTensor tensor) {
  return tensor->tensor.isReady();
}

int32_t dtensorType(dtensorDTensor tensor) {
  return static_cast<int32_t>(tensor->tensor.dtype());
}

size_t dtensorNdim(dtensorDTensor tensor) {
  return tensor->tensor.shape().size();
}

void dtensorShape(dtensorDTensor tensor, int64_t *shape) {
  const std::vector<int64_t> &extents = tensor->tensor.shape();
  std::copy(extents.begin(), extents.end(), shape);
}

void dtensorStride(dtensorDTensor tensor, int64_t *stride) {
  std::vector<int64_t> strides = tensor->tensor.stride();
  std::copy(strides.begin(), strides.end(), stride);
}

int32_t dtensorRequiresGrad(dtensorDTensor tensor) {
  return tensor->tensor.requiresGrad();
}

dtensorStatus dtensorMeshOf(dtensorDTensor tensor, dtensorMesh *mesh) {
  return guard([&] {
    need(mesh, "mesh");
    *mesh = new dtensorMeshHandle{need(tensor, "tensor")->tensor.deviceMesh()};
  });
}

dtensorStatus dtensorPlacementsOf(dtensorDTensor tensor, dtensorPlacement *list,
                                  size_t capacity, size_t *count,
                                  int32_t *inMeshOrder) {
  static thread_local std::vector<AxisPlacement> kept;
  return guard([&] {
    need(tensor, "tensor");
    bool isPlain = tensor->tensor.isMeshOrder();
    kept.clear();
    if (isPlain)
      for (const Placement &placement : tensor->tensor.placements())
        kept.push_back({"", placement});
    else
      kept = tensor->tensor.orderedPlacements();
    *need(count, "count") = kept.size();
    *need(inMeshOrder, "inMeshOrder") = isPlain;
    for (size_t i = 0; i < std::min(capacity, kept.size()); ++i) {
      const Placement &one = kept[i].placement;
      list[i].kind = static_cast<int32_t>(one.kind);
      list[i].dim = one.dim;
      // Names of operators are literals.
      list[i].op = one.isPartial() ? reduceOpName(one.op).data() : nullptr;
      list[i].axis = isPlain ? nullptr : kept[i].axis.c_str();
    }
  });
}

const char *dtensorLayoutText(dtensorDTensor tensor) {
  return keepText(tensor->tensor.layoutText());
}

int32_t dtensorBoxOf(dtensorDTensor tensor, int64_t rank, int64_t *lo,
                     int64_t *hi) {
  std::optional<Box> box = tensor->tensor.boxOf(rank);
  if (!box)
    return 0;
  std::copy(box->lo.begin(), box->lo.end(), lo);
  std::copy(box->hi.begin(), box->hi.end(), hi);
  return 1;
}

const char *dtensorText(dtensorDTensor tensor) {
  return keepText(tensor->tensor.text());
}
