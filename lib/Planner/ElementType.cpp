// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, sizes and permitted reductions of element types.
#include "dtensor/Planner/ElementType.h"

using namespace dtensor;

namespace {

struct TypeRow {
  ElementType type;
  std::string_view name;
  int64_t bytes;
  bool isFloat;
};

constexpr TypeRow typeRows[] = {
    {ElementType::F64, "f64", 8, true},
    {ElementType::F32, "f32", 4, true},
    {ElementType::F16, "f16", 2, true},
    {ElementType::BF16, "bf16", 2, true},
    {ElementType::F8E4M3FN, "f8E4M3FN", 1, true},
    {ElementType::F8E5M2, "f8E5M2", 1, true},
    {ElementType::I1, "i1", 1, false},
    {ElementType::I8, "i8", 1, false},
    {ElementType::I16, "i16", 2, false},
    {ElementType::I32, "i32", 4, false},
    {ElementType::I64, "i64", 8, false},
};

struct OpRow {
  ReduceOp op;
  std::string_view name;
};

constexpr OpRow opRows[] = {
    {ReduceOp::Sum, "sum"},   {ReduceOp::Product, "product"},
    {ReduceOp::Min, "min"},   {ReduceOp::Max, "max"},
    {ReduceOp::UMin, "umin"}, {ReduceOp::UMax, "umax"},
    {ReduceOp::Avg, "avg"},   {ReduceOp::BAnd, "band"},
    {ReduceOp::BOr, "bor"},   {ReduceOp::BXor, "bxor"},
};

// The rows stand in the order of the enumerators.
const TypeRow &row(ElementType type) {
  return typeRows[static_cast<int>(type)];
}

} // namespace

std::string_view dtensor::elementTypeName(ElementType type) {
  return row(type).name;
}

std::optional<ElementType> dtensor::parseElementType(std::string_view name) {
  for (const TypeRow &candidate : typeRows)
    if (candidate.name == name)
      return candidate.type;
  return std::nullopt;
}

int64_t dtensor::elementBytes(ElementType type) { return row(type).bytes; }

bool dtensor::isFloat(ElementType type) { return row(type).isFloat; }

std::string_view dtensor::reduceOpName(ReduceOp op) {
  return opRows[static_cast<int>(op)].name;
}

std::optional<ReduceOp> dtensor::parseReduceOp(std::string_view name) {
  for (const OpRow &candidate : opRows)
    if (candidate.name == name)
      return candidate.op;
  return std::nullopt;
}

bool dtensor::isReductionSupported(ReduceOp op, ElementType type) {
  if (isFloat(type) && elementBytes(type) == 1)
    return false;
  switch (op) {
  case ReduceOp::Sum:
  case ReduceOp::Product:
    return type != ElementType::I1;
  case ReduceOp::Min:
  case ReduceOp::Max:
    return true;
  case ReduceOp::Avg:
    return isFloat(type);
  case ReduceOp::UMin:
  case ReduceOp::UMax:
  case ReduceOp::BAnd:
  case ReduceOp::BOr:
  case ReduceOp::BXor:
    return !isFloat(type);
  }
  return false;
}
