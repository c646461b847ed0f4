// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gather, scatter, sort and reduce_window as structured ops of the dtensor
// dialect: the forms in which frontends use them. Others are refused.

#include "OpImport.h"

#include "ShardyText.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// Dimension numbers
//===----------------------------------------------------------------------===//

namespace {

/// What gather and scatter say about dimensions; the lists of both.
struct PartDims {
  SmallVector<int64_t> window;  ///< offset_dims, update_window_dims
  SmallVector<int64_t> dropped; ///< collapsed, inserted
  SmallVector<int64_t> indexed; ///< start_index_map, scatter_dims_to_operand
  int64_t vector = 0;
};

} // namespace

static FailureOr<PartDims> readDims(OpImport &import, StringRef attribute,
                                    std::array<StringRef, 3> names,
                                    std::array<StringRef, 2> batching) {
  std::string text;
  if (Attribute attr = import.op->getAttr(attribute))
    llvm::raw_string_ostream(text) << attr;
  auto read = [&](StringRef name) {
    return shardy::parseNamedInts(text, name);
  };
  for (StringRef name : batching)
    if (auto list = read(name); !list || !list->empty())
      return import.emitError()
             << "has '" << name << "'; only forms without it are imported";
  PartDims dims;
  SmallVector<int64_t> *lists[] = {&dims.window, &dims.dropped, &dims.indexed};
  for (auto [name, list] : llvm::zip_equal(names, lists)) {
    auto found = read(name);
    if (!found)
      return import.emitError() << "has no readable '" << attribute
                                << "': " << found.error().message;
    list->assign(found->begin(), found->end());
  }
  auto [before, after] = StringRef(text).split("index_vector_dim");
  after = after.ltrim();
  if (after.consume_front("="))
    after = after.ltrim();
  if (!after.empty() &&
      after.take_while(llvm::isDigit).getAsInteger(10, dims.vector))
    return import.emitError() << "has no readable 'index_vector_dim'";
  SmallVector<int64_t> dropped(dims.dropped), indexed(dims.indexed);
  llvm::sort(dropped);
  llvm::sort(indexed);
  if (dropped != indexed)
    return import.emitError()
           << "takes more than one element along the dimensions that the "
              "indices are of; only single ones are imported";
  return dims;
}

/// Indices with the positions of one place in the last dimension.
static Value bringVectorLast(OpImport &import, Value indices, int64_t vector) {
  auto type = cast<RankedTensorType>(indices.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (vector == type.getRank()) {
    shape.push_back(1);
    return import.reshape(indices, shape);
  }
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != vector)
      order.push_back(dim);
  order.push_back(vector);
  return llvm::is_sorted(order) ? indices : import.transpose(indices, order);
}

/// The dimensions of parts, those of the batch first, that `window` does not
/// name.
static SmallVector<int64_t> getBatchFirst(int64_t rank,
                                          ArrayRef<int64_t> window) {
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(window, dim))
      order.push_back(dim);
  order.append(window.begin(), window.end());
  return order;
}

/// Checks what is said about dimensions of `whole`, of the indices (operand 1),
/// and of `parts`, whose dimensions `windowName` tells apart.
static LogicalResult checkDims(OpImport &import, const PartDims &dims,
                               RankedTensorType whole, RankedTensorType parts,
                               StringRef windowName) {
  RankedTensorType indices = import.operandTensor(1);
  Type element = indices.getElementType();
  bool isKnown = element.isInteger(32) || element.isInteger(64);
  if (!isKnown || dims.vector < 0 || dims.vector > indices.getRank())
    return import.emitError()
           << "has indices of " << indices << " with their vector in dimension "
           << dims.vector << "; needs i32 or i64";
  SmallVector<int64_t> indexed(dims.indexed);
  llvm::sort(indexed);
  for (auto [index, dim] : llvm::enumerate(indexed))
    if (dim < 0 || dim >= whole.getRank() ||
        (index > 0 && indexed[index - 1] == dim))
      return import.emitError()
             << "has indices of dimension " << dim
             << "; needs different ones in [0, " << whole.getRank() << ')';
  int64_t vectorSize =
      dims.vector == indices.getRank() ? 1 : indices.getDimSize(dims.vector);
  if (vectorSize != static_cast<int64_t>(indexed.size()))
    return import.emitError()
           << "has indices of " << vectorSize << " numbers for "
           << indexed.size() << " dimensions";
  size_t numKept = whole.getRank() - indexed.size();
  bool isKnownWindow = dims.window.size() == numKept;
  for (auto [index, dim] : llvm::enumerate(dims.window))
    isKnownWindow &= dim >= 0 && dim < parts.getRank() &&
                     (index == 0 || dims.window[index - 1] < dim);
  if (!isKnownWindow)
    return import.emitError()
           << "needs '" << windowName << "' of " << numKept
           << " growing dimensions in [0, " << parts.getRank() << ')';
  return success();
}

/// The parts of `whole` at `indices`: [batch.., rest..].
static RankedTensorType getPartType(RankedTensorType whole, Value indices,
                                    ArrayRef<int64_t> dims) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(indices.getType()).getShape().drop_back());
  for (int64_t dim = 0; dim < whole.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      shape.push_back(whole.getDimSize(dim));
  return RankedTensorType::get(shape, whole.getElementType());
}

static LogicalResult importGather(OpImport &import) {
  auto dims =
      readDims(import, "dimension_numbers",
               {"offset_dims", "collapsed_slice_dims", "start_index_map"},
               {"operand_batching_dims", "start_indices_batching_dims"});
  if (failed(dims))
    return failure();
  RankedTensorType source = import.operandTensor(0);
  if (failed(checkDims(import, *dims, source, import.resultTensor(),
                       "offset_dims")))
    return failure();
  FailureOr<SmallVector<int64_t>> sizes = import.integers("slice_sizes");
  if (failed(sizes))
    return failure();
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    if (static_cast<int64_t>(sizes->size()) != source.getRank() ||
        (*sizes)[dim] != (llvm::is_contained(dims->indexed, dim)
                              ? 1
                              : source.getDimSize(dim)))
      return import.emitError()
             << "takes a part of dimension " << dim
             << "; only whole dimensions and single elements are imported";
  Value indices = bringVectorLast(import, import.operands[1], dims->vector);
  RankedTensorType parts = getPartType(source, indices, dims->indexed);
  Value empty = import.empty(parts.getShape(), parts.getElementType());
  Value made = GatherOp::create(
                   import.builder, import.loc(), parts, dims->indexed,
                   ValueRange{import.operands[0], indices}, ValueRange(empty))
                   .getResult(0);
  if (parts.getRank() != import.resultTensor().getRank())
    return import.emitError()
           << "has a result of type " << import.op->getResult(0).getType()
           << "; its parts are of " << parts;
  // Where each dimension of the result is among the parts'.
  SmallVector<int64_t> order = getBatchFirst(parts.getRank(), dims->window);
  SmallVector<int64_t> back(order.size());
  for (auto [index, dim] : llvm::enumerate(order))
    back[dim] = index;
  return import.yield(llvm::is_sorted(back) ? made
                                            : import.transpose(made, back));
}

static LogicalResult importScatter(OpImport &import) {
  auto dims =
      readDims(import, "scatter_dimension_numbers",
               {"update_window_dims", "inserted_window_dims",
                "scatter_dims_to_operand_dims"},
               {"input_batching_dims", "scatter_indices_batching_dims"});
  if (failed(dims))
    return failure();
  if (import.operands.size() != 3 || import.op->getNumRegions() != 1 ||
      !import.op->getRegion(0).hasOneBlock())
    return import.emitError() << "scatters several tensors; only one is "
                                 "imported";
  RankedTensorType target = import.operandTensor(0);
  if (failed(checkDims(import, *dims, target, import.operandTensor(2),
                       "update_window_dims")))
    return failure();
  Region &region = import.op->getRegion(0);
  Block &body = region.front();
  std::optional<ReduceOp> op = getBodyReduceOp(region, import.kind(0));
  bool replaces = body.getNumArguments() == 2 &&
                  body.getOperations().size() == 1 &&
                  body.back().getName().getStringRef() == "stablehlo.return" &&
                  body.back().getNumOperands() == 1 &&
                  body.back().getOperand(0) == body.getArgument(1);
  if (!op && !replaces)
    return import.emitError()
           << "has a body that neither takes the update nor combines it by one "
              "of add, multiply, maximum, minimum, and, or, xor";
  Value indices = bringVectorLast(import, import.operands[1], dims->vector);
  Value updates = import.operands[2];
  int64_t rank = import.operandTensor(2).getRank();
  SmallVector<int64_t> order = getBatchFirst(rank, dims->window);
  if (!llvm::is_sorted(order))
    updates = import.transpose(updates, order);
  RankedTensorType parts = getPartType(target, indices, dims->indexed);
  if (updates.getType() != parts)
    return import.emitError()
           << "puts parts of " << updates.getType() << " where whole ones are "
           << "of " << parts << "; only whole dimensions are imported";
  auto reduceOp =
      op ? ReduceOpAttr::get(import.builder.getContext(), *op) : ReduceOpAttr();
  return import.yield(
      ScatterOp::create(import.builder, import.loc(), target, reduceOp,
                        import.builder.getDenseI64ArrayAttr(dims->indexed),
                        ValueRange{updates, indices},
                        ValueRange(import.operands[0]))
          .getResult(0));
}

//===----------------------------------------------------------------------===//
// sort
//===----------------------------------------------------------------------===//

/// The op `name` with `numOperands` operands that `value` is the result of;
/// null where it is another value. Nothing has verified foreign ops.
static Operation *getDefiningOp(Value value, StringRef name,
                                unsigned numOperands) {
  Operation *op = value.getDefiningOp();
  bool isIt = op && op->getName().getStringRef() == name &&
              op->getNumOperands() == numOperands;
  return isIt ? op : nullptr;
}

static std::optional<APFloat> getFloatConstant(Value value) {
  Operation *constant = getDefiningOp(value, "stablehlo.constant", 0);
  auto elements = constant
                      ? constant->getAttrOfType<DenseFPElementsAttr>("value")
                      : DenseFPElementsAttr();
  if (!elements || !elements.isSplat())
    return std::nullopt;
  return elements.getSplatValue<APFloat>();
}

namespace {

/// What a comparator makes alike on one of its sides before it compares.
struct MadeAlike {
  bool zeros = false, nans = false;
  bool operator!=(const MadeAlike &other) const {
    return zeros != other.zeros || nans != other.nans;
  }
};

} // namespace

/// What is made alike where `value` is `argument` with `x == 0 ? 0 : x`, with
/// `x != x ? NaN : x`, or with both, each once; nothing for other values. Of
/// constants only 0.0 and a NaN without sign are where the elements that they
/// stand for are sorted to.
static std::optional<MadeAlike> getMadeAlike(OpImport &import, Value value,
                                             Value argument) {
  MadeAlike made;
  while (value != argument) {
    Operation *select = getDefiningOp(value, "stablehlo.select", 3);
    if (!select)
      return std::nullopt;
    Operation *test =
        getDefiningOp(select->getOperand(0), "stablehlo.compare", 2);
    std::optional<APFloat> chosen = getFloatConstant(select->getOperand(1));
    if (!test || !chosen || chosen->isNegative() ||
        test->getOperand(0) != argument)
      return std::nullopt;
    OpImport comparison{test, import.builder, import.blocks, import.form, {},
                        {}};
    // In the total order zeros of two signs differ, and NaNs equal themselves.
    if (comparison.keyword("compare_type") == "TOTALORDER")
      return std::nullopt;
    StringRef direction = comparison.keyword("comparison_direction");
    std::optional<APFloat> bound = getFloatConstant(test->getOperand(1));
    if (direction == "EQ" && bound && bound->isZero() && chosen->isZero() &&
        !made.zeros)
      made.zeros = true;
    else if (direction == "NE" && test->getOperand(1) == argument &&
             chosen->isNaN() && !made.nans)
      made.nans = true;
    else
      return std::nullopt;
    value = select->getOperand(2);
  }
  return made;
}

static LogicalResult importSort(OpImport &import) {
  Operation *op = import.op;
  auto dim = op->getAttrOfType<IntegerAttr>("dimension");
  size_t count = import.operands.size();
  if (count == 0 || op->getNumRegions() != 1 ||
      !op->getRegion(0).hasOneBlock() ||
      op->getRegion(0).getNumArguments() != 2 * count)
    return import.emitError() << "needs a comparator of two arguments for each "
                                 "operand";
  Block &body = op->getRegion(0).front();
  int64_t rank = import.operandTensor(0).getRank();
  int64_t along = dim ? dim.getInt() : rank - 1;
  bool returnsOne =
      !body.empty() &&
      body.back().getName().getStringRef() == "stablehlo.return" &&
      body.back().getNumOperands() == 1;
  Operation *last = returnsOne ? getDefiningOp(body.back().getOperand(0),
                                               "stablehlo.compare", 2)
                               : nullptr;
  std::optional<MadeAlike> left, right;
  if (last) {
    left = getMadeAlike(import, last->getOperand(0), body.getArgument(0));
    right = getMadeAlike(import, last->getOperand(1), body.getArgument(1));
  }
  if (!left || !right || *left != *right)
    return import.emitError()
           << "has a comparator that is more than one comparison of the first "
              "operand's elements";
  OpImport comparison{last, import.builder, import.blocks, import.form, {}, {}};
  StringRef direction = comparison.keyword("comparison_direction");
  StringRef order = comparison.keyword("compare_type");
  if ((direction != "LT" && direction != "GT") || along < 0 || along >= rank)
    return import.emitError()
           << "along dimension " << along << " has a comparator of direction '"
           << direction << "'; needs LT or GT in [0, " << rank << ')';
  if (order == "TOTALORDER" && !(left->zeros && left->nans))
    return import.emitError()
           << "tells zeros and NaNs of different signs apart; only comparators "
              "that make them alike are imported";
  if (import.kind(0) == ElementKind::Unsigned)
    return import.emitError() << "sorts by unsigned elements; convert them to "
                                 "signed ones";
  SmallVector<Value> inits;
  SmallVector<Type> types;
  for (size_t i = 0; i < count; ++i) {
    RankedTensorType type = import.operandTensor(i);
    if (type.getShape() != import.operandTensor(0).getShape())
      return import.emitError() << "sorts tensors of different shapes, "
                                << op->getOperand(0).getType() << " and "
                                << op->getOperand(i).getType();
    inits.push_back(import.empty(type.getShape(), type.getElementType()));
    types.push_back(type);
  }
  auto sort = SortOp::create(import.builder, import.loc(), types,
                             import.builder.getI64IntegerAttr(along),
                             direction == "GT" ? import.builder.getUnitAttr()
                                               : UnitAttr(),
                             import.operands, inits);
  llvm::append_range(import.results, sort.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

/// The list `name`, or ones where it is not there.
static FailureOr<SmallVector<int64_t>> readOnes(OpImport &import,
                                                StringRef name, int64_t rank) {
  if (!import.op->hasAttr(name))
    return SmallVector<int64_t>(rank, 1);
  return import.integers(name);
}

static LogicalResult importReduceWindow(OpImport &import) {
  Operation *op = import.op;
  if (import.operands.size() != 2 || op->getNumRegions() != 1)
    return import.emitError()
           << "reduces several tensors; only one is imported";
  RankedTensorType source = import.operandTensor(0);
  RankedTensorType result = import.resultTensor();
  int64_t rank = source.getRank();
  auto window = readOnes(import, "window_dimensions", rank);
  auto strides = readOnes(import, "window_strides", rank);
  auto dilations = readOnes(import, "window_dilations", rank);
  auto base = readOnes(import, "base_dilations", rank);
  if (failed(window) || failed(strides) || failed(dilations) || failed(base))
    return failure();
  if (llvm::any_of(*base, [](int64_t size) { return size != 1; }))
    return import.emitError() << "has 'base_dilations'; only forms without "
                                 "them are imported";
  SmallVector<int64_t> low(rank, 0), high(rank, 0);
  if (auto padding = op->getAttrOfType<DenseIntElementsAttr>("padding")) {
    if (padding.getNumElements() != 2 * rank)
      return import.emitError() << "needs a 'padding' of " << rank << " pairs";
    for (auto [index, size] : llvm::enumerate(padding.getValues<APInt>()))
      (index % 2 ? high : low)[index / 2] = size.getSExtValue();
  }
  std::optional<ReduceOp> reduceOp =
      getBodyReduceOp(op->getRegion(0), import.kind(0));
  if (!reduceOp)
    return import.emitError()
           << "has a body that is not one of add, multiply, maximum, minimum, "
              "and, or, xor of its arguments";
  if (import.operandTensor(1) !=
      RankedTensorType::get({}, source.getElementType()))
    return import.emitError() << "starts from " << op->getOperand(1).getType()
                              << "; needs a scalar of its operand's elements";
  // What the verifier would say of the made op is said here, at the foreign
  // one. The bound is the verifier's: below it nothing overflows.
  constexpr int64_t kLargest = int64_t(1) << 31;
  for (ArrayRef<int64_t> list :
       {ArrayRef<int64_t>(*window), ArrayRef<int64_t>(*strides),
        ArrayRef<int64_t>(*dilations)})
    if (static_cast<int64_t>(list.size()) != rank ||
        llvm::any_of(list,
                     [](int64_t size) { return size < 1 || size > kLargest; }))
      return import.emitError()
             << "needs " << rank << " sizes of at least 1 and at most 2^31";
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (low[dim] < 0 || high[dim] < 0)
      return import.emitError() << "takes elements away around dimension "
                                << dim << "; only what adds some is imported";
    if (low[dim] > kLargest || high[dim] > kLargest)
      return import.emitError() << "adds more than 2^31 elements around "
                                << "dimension " << dim;
    int64_t room = source.getDimSize(dim) + low[dim] + high[dim] -
                   ((*window)[dim] - 1) * (*dilations)[dim] - 1;
    int64_t windows = room < 0 ? 0 : room / (*strides)[dim] + 1;
    if (result.getRank() != rank || result.getDimSize(dim) != windows)
      return import.emitError() << "has " << windows << " windows in dimension "
                                << dim << ", its result is of " << result;
  }
  Value start = import.empty(result.getShape(), result.getElementType());
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  start = linalg::BroadcastOp::create(import.builder, import.loc(),
                                      import.operands[1], start, all)
              ->getResult(0);
  Builder &b = import.builder;
  return import.yield(
      ReduceWindowOp::create(
          import.builder, import.loc(), result,
          ReduceOpAttr::get(b.getContext(), *reduceOp),
          b.getDenseI64ArrayAttr(*window), b.getDenseI64ArrayAttr(*strides),
          b.getDenseI64ArrayAttr(*dilations), b.getDenseI64ArrayAttr(low),
          b.getDenseI64ArrayAttr(high), ValueRange(import.operands[0]),
          ValueRange(start))
          .getResult(0));
}

void mlir::dtensor::addStructuredRules(ImportRules &rules) {
  rules["stablehlo.gather"] = {importGather, 2, false};
  rules["stablehlo.scatter"] = {importScatter, -1, false, true};
  rules["stablehlo.sort"] = {importSort, -1, false, true};
  rules["stablehlo.reduce_window"] = {importReduceWindow, -1, false, true};
}
