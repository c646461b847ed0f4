// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factor rules: how the dimensions of an operation's tensors belong together.
// The model is Shardy's (sdy.op_sharding_rule); a matmul reads
//   ([i, k], [k, j], [i, j]) -> ([i, j]), reduction = k
#ifndef DTENSOR_INTERFACES_SHARDINGRULE_H
#define DTENSOR_INTERFACES_SHARDINGRULE_H

#include "dtensor/Dialect/DTensor/DTensor.h"

namespace mlir::dtensor {

/// What may happen when a factor is sharded.
enum class FactorKind {
  Parallel,        ///< every rank computes its own part of the result
  Reduction,       ///< ranks compute contributions to the result
  NeedReplication, ///< the op needs the whole dimension
  Carried          ///< no dimension: see CarriedSum
};

/// One factor: an index of the op's iteration space.
struct Factor {
  int64_t size = 1;
  FactorKind kind = FactorKind::Parallel;
  /// How contributions combine; Reduction only.
  planner::ReduceOp reduceOp = planner::ReduceOp::Sum;
  /// A dimension joins this factor with others: pieces of unequal size would
  /// not be pieces of that dimension.
  bool mustDivide = false;
};

/// What an operand is to the op.
enum class OperandRole {
  None,        ///< no tensor, or rank 0: takes no part
  Read,        ///< its values are read
  Accumulated, ///< a destination whose old values the result starts from
  Destination  ///< a destination whose old values are never read
};

/// A sum that an op hands on unfinished, because it is linear: where `factor`
/// is sharded, the `operands` are taken partial over its axes, and the results
/// are partial too. A product has one per operand: sums over other axes.
struct CarriedSum {
  int factor = 0;
  llvm::SmallVector<unsigned, 2> operands;
};

/// Factors of the dimensions of one tensor. A dimension that a reshape makes
/// of several has their factors, major to minor; one without factor
/// (broadcast, size 1) has none.
using DimFactors = llvm::SmallVector<llvm::SmallVector<int, 1>, 4>;

/// The rule of one op. `operands` and `roles` have one entry per operand,
/// `results` one per result; entries of values that are no tensors are empty.
struct ShardingRule {
  llvm::SmallVector<Factor> factors;
  llvm::SmallVector<OperandRole> roles;
  llvm::SmallVector<DimFactors> operands;
  llvm::SmallVector<DimFactors> results;
  llvm::SmallVector<CarriedSum, 1> carried;

  /// Notes that the op is linear in `operands` together, which are of a type
  /// that can be summed up.
  void carry(Type type, llvm::ArrayRef<unsigned> operands);

  /// "([i, k], [k, j]) -> ([i, j]), reduction = [k]".
  std::string str() const;
  /// What str() calls factor number `factor`: i, j, k, ... then f18, f19, ...
  static std::string factorName(int factor);
};

/// A sharding of the factors: the axes of each, major to minor.
using FactorAxes = llvm::SmallVector<std::vector<planner::AxisRef>>;

/// Shortens `axes` to those that cut `factor` into equal pieces, where it must
/// be.
void keepAllowed(const Factor &factor, std::vector<planner::AxisRef> &axes);

/// Deals the axes of a dimension out to its factors: the major factor takes
/// what divides it, the next one goes on only where the one before is cut into
/// single elements, and an axis that two factors share is split. Axes that no
/// factor can take are dropped.
llvm::SmallVector<std::vector<planner::AxisRef>>
splitByFactors(const ShardingRule &rule, llvm::ArrayRef<int> factors,
               const std::vector<planner::AxisRef> &axes);

/// The axes of a dimension whose factors are sharded as in `axes`: those of
/// the major factor, and of the next ones as long as each is cut into single
/// elements. The reverse of splitByFactors.
std::vector<planner::AxisRef> joinFactors(const ShardingRule &rule,
                                          llvm::ArrayRef<int> factors,
                                          const FactorAxes &axes);

/// The layout of a tensor whose dimensions have the given factors.
planner::Layout projectLayout(const ShardingRule &rule, const DimFactors &dims,
                              const FactorAxes &axes);
/// The same for a result or an accumulated operand: sharded reduction factors
/// leave it partial.
planner::Layout projectResultLayout(const ShardingRule &rule,
                                    const DimFactors &dims,
                                    const FactorAxes &axes);

/// The layout that an op whose factors are sharded as in `axes` takes an
/// operand in. The start value of a reduction counts once: it is a contribution
/// like the others, unless it changes nothing however often it is applied.
planner::Layout projectOperandLayout(const ShardingRule &rule, Operation *op,
                                     unsigned operand, const FactorAxes &axes);

/// True for values whose contents do not depend on position, made anew for any
/// layout at no cost: tensor.empty, splat constants, fills of a scalar.
bool isFreelyLaidOut(Operation *op);
/// True where `value` is made by such an op.
inline bool isFreeValue(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isFreelyLaidOut(op);
}
/// True when `value` holds the identity of `op` everywhere, so that adding it
/// on several ranks changes nothing.
bool isIdentityOf(Value value, planner::ReduceOp op);

/// The rule of `op`: that of its `dtensor.rule`, else its own; none where it
/// has neither.
std::optional<ShardingRule> getShardingRule(Operation *op);

/// What an elementwise op does with contributions to a sum.
enum class LinearForm {
  None,
  Unary,   ///< f(a + b) = f(a) + f(b): negation, wider floats
  Sum,     ///< of both operands together: addition, subtraction
  Product, ///< in each operand alone: multiplication
  Quotient ///< in the first operand: division
};
LinearForm getLinearForm(Operation *op);

/// A rule for ops of the Elementwise trait: all tensors share their factors.
ShardingRule getElementwiseRule(Operation *op);

/// Numbers of a rank that an op may need in its local form. Each call makes
/// them, before the op, as values of type index.
struct RankNumbers {
  /// The extent of dimension `dim` of result `result`, where it is `?`.
  llvm::function_ref<Value(unsigned result, unsigned dim)> makeExtent;
  /// Where this rank's part of operand `operand` begins in dimension `dim`;
  /// null where all ranks hold all of it.
  llvm::function_ref<Value(unsigned operand, unsigned dim)> makeOffset;
};

} // namespace mlir::dtensor

#include "dtensor/Interfaces/ShardingInterfaces.h.inc"

namespace mlir::dtensor {

/// Attach the interfaces to upstream ops, one function per dialect.
void registerArithShardingModels(DialectRegistry &registry);
void registerLinalgShardingModels(DialectRegistry &registry);
void registerTensorShardingModels(DialectRegistry &registry);
void registerSliceShardingModels(DialectRegistry &registry);
/// The same to the structured ops of the dtensor dialect.
void registerStructuredShardingModels(DialectRegistry &registry);

} // namespace mlir::dtensor

#endif // DTENSOR_INTERFACES_SHARDINGRULE_H
