// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs: entry, signature, and global tensors in and out.

#include "dtensor/Interpreter/Interpreter.h"

#include "Evaluator.h"

using namespace mlir;
using namespace mlir::dtensor;
using namespace mlir::dtensor::interp;

/// More ranks than this are a program for a cluster, not for one process.
static constexpr int64_t kMaxRanks = 4096;

static FailureOr<func::FuncOp> findEntry(ModuleOp module, StringRef entry) {
  SmallVector<func::FuncOp> candidates;
  SmallVector<StringRef> names;
  for (auto func : module.getOps<func::FuncOp>()) {
    names.push_back(func.getName());
    if (func.getName() == (entry.empty() ? "main" : entry))
      return func;
    if (func.isPublic())
      candidates.push_back(func);
  }
  if (entry.empty() && candidates.size() == 1)
    return candidates.front();
  return module.emitError()
         << "has no function @" << (entry.empty() ? "main" : entry)
         << " to interpret (its functions: " << llvm::join(names, ", ") << ")";
}

/// The type that the caller sees.
static Type getGlobalType(func::FuncOp func, bool isResult, unsigned index) {
  auto attr = isResult
                  ? func.getResultAttrOfType<TypeAttr>(index, kGlobalTypeAttr)
                  : func.getArgAttrOfType<TypeAttr>(index, kGlobalTypeAttr);
  if (attr)
    return attr.getValue();
  return isResult ? func.getResultTypes()[index]
                  : func.getArgumentTypes()[index];
}

static FailureOr<ProgramTensor>
getProgramTensor(func::FuncOp func, bool isResult, unsigned index) {
  Type type = getGlobalType(func, isResult, index);
  StringRef side = isResult ? "result" : "argument";
  if (std::string problem = checkType(type); !problem.empty())
    return func.emitOpError() << side << " " << index << " " << problem;
  if (auto shaped = dyn_cast<ShapedType>(type);
      shaped && !shaped.hasStaticShape())
    return func.emitOpError() << side << " " << index << " has type " << type
                              << ", a program needs static shapes: give "
                                 "every dimension a size";
  ProgramTensor tensor;
  auto ranked = dyn_cast<RankedTensorType>(type);
  std::optional<planner::ElementType> element =
      getElementType(ranked ? ranked.getElementType() : type);
  if (!element)
    return func.emitOpError() << side << " " << index << " has type " << type
                              << ", which tensors in files do not have";
  tensor.type = *element;
  if (ranked)
    tensor.shape = ranked.getShape().vec();
  auto name = isResult ? func.getResultAttrOfType<StringAttr>(index, kNameAttr)
                       : func.getArgAttrOfType<StringAttr>(index, kNameAttr);
  if (name)
    tensor.name = name.str();
  return tensor;
}

static FailureOr<ProgramSignature> getSignature(func::FuncOp func) {
  ProgramSignature signature;
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    FailureOr<ProgramTensor> tensor = getProgramTensor(func, false, i);
    if (failed(tensor))
      return failure();
    signature.inputs.push_back(std::move(*tensor));
  }
  for (unsigned i = 0; i < func.getNumResults(); ++i) {
    FailureOr<ProgramTensor> tensor = getProgramTensor(func, true, i);
    if (failed(tensor))
      return failure();
    signature.results.push_back(std::move(*tensor));
  }
  return signature;
}

FailureOr<ProgramSignature>
mlir::dtensor::getProgramSignature(ModuleOp module, StringRef entry) {
  FailureOr<func::FuncOp> func = findEntry(module, entry);
  if (failed(func))
    return failure();
  return getSignature(*func);
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

/// The mesh of a program of S3: of the first op that speaks of ranks, else of a
/// layout on a value that has a local type. Null for programs of earlier
/// stages.
static FlatSymbolRefAttr findMeshName(func::FuncOp func) {
  FlatSymbolRefAttr name;
  func->getParentOfType<ModuleOp>().walk([&](Operation *op) {
    if (auto collective = dyn_cast<comm::CollectiveOpInterface>(op))
      name = collective.getMeshAttr();
    else if (auto index = dyn_cast<comm::AxisIndexOp>(op))
      name = index.getMeshAttr();
    else if (auto extent = dyn_cast<comm::LocalExtentOp>(op))
      name = extent.getMeshAttr();
    return name ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (name)
    return name;
  for (unsigned i = 0; i < func.getNumArguments() && !name; ++i)
    if (auto layout = func.getArgAttrOfType<LayoutAttr>(i, kLayoutAttr))
      if (func.getArgAttr(i, kGlobalTypeAttr))
        name = layout.getMesh();
  for (unsigned i = 0; i < func.getNumResults() && !name; ++i)
    if (auto layout = func.getResultAttrOfType<LayoutAttr>(i, kLayoutAttr))
      if (func.getResultAttr(i, kGlobalTypeAttr))
        name = layout.getMesh();
  return name;
}

namespace {

/// One call of an entry.
class ProgramCall {
public:
  ProgramCall(func::FuncOp func, ProgramSignature signature)
      : func(func), module(func->getParentOfType<ModuleOp>()),
        signature(std::move(signature)) {}

  FailureOr<std::vector<dtrt::GlobalTensor>>
  run(ArrayRef<dtrt::GlobalTensor> inputs);

private:
  LogicalResult checkInputs(ArrayRef<dtrt::GlobalTensor> inputs);
  FailureOr<MeshOp> findMesh();
  FailureOr<planner::Layout> getValueLayout(bool isResult, unsigned index);

  func::FuncOp func;
  ModuleOp module;
  ProgramSignature signature;
  MeshOp mesh;
};

} // namespace

LogicalResult ProgramCall::checkInputs(ArrayRef<dtrt::GlobalTensor> inputs) {
  if (inputs.size() != signature.inputs.size())
    return func.emitOpError() << "takes " << signature.inputs.size()
                              << " inputs, " << inputs.size() << " are given";
  for (auto [i, input] : llvm::enumerate(inputs)) {
    const ProgramTensor &wanted = signature.inputs[i];
    auto count = dtrt::countElements(wanted.shape, wanted.type);
    if (input.type == wanted.type && input.shape == wanted.shape && count &&
        static_cast<int64_t>(input.data.size()) ==
            *count * planner::elementBytes(wanted.type))
      continue;
    return func.emitOpError()
           << "input " << i << " is " << dtrt::shapeText(input.shape) << " "
           << planner::elementTypeName(input.type).data() << " in "
           << input.data.size() << " bytes, the program takes "
           << dtrt::shapeText(wanted.shape) << " "
           << planner::elementTypeName(wanted.type).data();
  }
  return success();
}

FailureOr<MeshOp> ProgramCall::findMesh() {
  FlatSymbolRefAttr name = findMeshName(func);
  if (!name)
    return MeshOp();
  MeshOp found = lookupMesh(func, name);
  if (!found)
    return func.emitOpError() << "is laid out on mesh " << name
                              << ", which the module does not have";
  int64_t ranks = found.getPlannerMesh().numRanks();
  if (ranks > kMaxRanks)
    return func.emitOpError()
           << "runs on " << ranks << " ranks, the interpreter takes at most "
           << kMaxRanks;
  return found;
}

/// Values without a layout of their own are replicated.
FailureOr<planner::Layout> ProgramCall::getValueLayout(bool isResult,
                                                       unsigned index) {
  const ProgramTensor &tensor =
      isResult ? signature.results[index] : signature.inputs[index];
  int rank = static_cast<int>(tensor.shape.size());
  bool isLocal = isResult ? !!func.getResultAttr(index, kGlobalTypeAttr)
                          : !!func.getArgAttr(index, kGlobalTypeAttr);
  auto attr = isResult
                  ? func.getResultAttrOfType<LayoutAttr>(index, kLayoutAttr)
                  : func.getArgAttrOfType<LayoutAttr>(index, kLayoutAttr);
  if (!isLocal || !attr)
    return planner::Layout::replicated(rank);
  auto type = dyn_cast<RankedTensorType>(getGlobalType(func, isResult, index));
  StringRef side = isResult ? "result" : "argument";
  if (!type || attr.getMesh().getValue() != mesh.getSymName())
    return func.emitOpError()
           << side << " " << index << " has a layout on " << attr.getMesh()
           << ", the interpreter runs a program on one mesh";
  auto layout = getLayout(mesh.getPlannerMesh(), attr, type);
  if (!layout)
    return func.emitOpError()
           << side << " " << index << ": " << layout.error().message;
  return *layout;
}

FailureOr<std::vector<dtrt::GlobalTensor>>
ProgramCall::run(ArrayRef<dtrt::GlobalTensor> inputs) {
  FailureOr<MeshOp> found = findMesh();
  if (failed(found) || failed(checkInputs(inputs)))
    return failure();
  mesh = *found;
  Evaluator evaluator(module, mesh);
  std::vector<RankValues> arguments;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    TensorPtr global = makeTensor(getGlobalType(func, false, i));
    decodeElements(global->format,
                   reinterpret_cast<const char *>(input.data.data()),
                   global->size(), global->data.data());
    FailureOr<planner::Layout> layout = getValueLayout(false, i);
    if (failed(layout))
      return failure();
    if (!mesh) {
      arguments.push_back({global});
      continue;
    }
    auto values = distribute(evaluator.mesh(), *layout, global);
    if (!values)
      return func.emitOpError()
             << "argument " << i << ": " << values.error().message;
    arguments.push_back(std::move(*values));
  }
  auto values = evaluator.call(func, std::move(arguments));
  if (failed(values))
    return failure();
  std::vector<dtrt::GlobalTensor> results;
  for (auto [i, value] : llvm::enumerate(*values)) {
    const ProgramTensor &wanted = signature.results[i];
    FailureOr<planner::Layout> layout = getValueLayout(true, i);
    if (failed(layout))
      return failure();
    TensorRef global = value.front();
    if (mesh) {
      auto whole = assemble(evaluator.mesh(), *layout, wanted.shape, value);
      if (!whole)
        return func.emitOpError()
               << "result " << i << ": " << whole.error().message;
      global = *whole;
    }
    dtrt::GlobalTensor result;
    result.type = wanted.type;
    result.shape = wanted.shape;
    result.data.resize(global->size() * global->format.byteSize());
    encodeElements(global->format, global->data.data(), global->size(),
                   reinterpret_cast<char *>(result.data.data()));
    results.push_back(std::move(result));
  }
  return results;
}

FailureOr<std::vector<dtrt::GlobalTensor>>
mlir::dtensor::interpretProgram(ModuleOp module, StringRef entry,
                                ArrayRef<dtrt::GlobalTensor> inputs) {
  FailureOr<func::FuncOp> func = findEntry(module, entry);
  if (failed(func))
    return failure();
  FailureOr<ProgramSignature> signature = getSignature(*func);
  if (failed(signature))
    return failure();
  return ProgramCall(*func, std::move(*signature)).run(inputs);
}
