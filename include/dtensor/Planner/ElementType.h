// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types and reduction operators: the vocabulary that the planner, the
// compiler and the runtime share.
#ifndef DTENSOR_PLANNER_ELEMENTTYPE_H
#define DTENSOR_PLANNER_ELEMENTTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace dtensor {

/// Element types a tensor can have. The integers are signless, as MLIR's are;
/// operators tell the signs apart (min against umin).
enum class ElementType : uint8_t {
  F64,
  F32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  I1,
  I8,
  I16,
  I32,
  I64
};

/// The name in MLIR text and in tools ("f32", "bf16", "i1", "f8E4M3FN").
std::string_view elementTypeName(ElementType type);
std::optional<ElementType> parseElementType(std::string_view name);
/// Bytes one element takes in memory (i1 takes one).
int64_t elementBytes(ElementType type);
bool isFloat(ElementType type);

/// What makes one value out of the contributions of a partial tensor.
enum class ReduceOp : uint8_t {
  Sum,
  Product,
  Min,
  Max,
  UMin,
  UMax,
  Avg,
  BAnd,
  BOr,
  BXor
};

/// The name in layouts ("sum", "umin", "bxor").
std::string_view reduceOpName(ReduceOp op);
std::optional<ReduceOp> parseReduceOp(std::string_view name);

/// True when `op` is defined on `type`: avg on floats of 16 bits and more,
/// umin, umax, band, bor, bxor on integers, sum and product not on i1, and
/// nothing on f8 (which is moved, never computed with).
bool isReductionSupported(ReduceOp op, ElementType type);

} // namespace dtensor

#endif // DTENSOR_PLANNER_ELEMENTTYPE_H
