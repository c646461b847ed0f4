// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small strict JSON reader for what tools are given: cases of dtensor-plan.
#ifndef DTENSOR_PLANNER_JSON_H
#define DTENSOR_PLANNER_JSON_H

#include "dtensor/Planner/Expected.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace dtensor {

/// One JSON value.
struct JsonValue {
  enum class Kind : uint8_t { Null, Bool, Number, String, Array, Object };
  Kind kind = Kind::Null;
  bool boolean = false;
  double number = 0;
  /// Number only: written without fraction and exponent, and fits.
  bool isInteger = false;
  int64_t integer = 0;
  std::string text; ///< String only
  std::vector<JsonValue> items;
  std::vector<std::pair<std::string, JsonValue>> members; ///< as written
  size_t offset = 0; ///< of its first byte in the text

  bool isNull() const { return kind == Kind::Null; }
  bool isString() const { return kind == Kind::String; }
  bool isArray() const { return kind == Kind::Array; }
  bool isObject() const { return kind == Kind::Object; }
  /// The member called `name`, or null where there is none.
  const JsonValue *find(std::string_view name) const;
};

/// Reads one JSON text as RFC 8259 has it, no more: no comments, no trailing
/// commas. Also refuses repeated member names and values nested deeper than
/// 64. Messages begin with "column N: ", counted in bytes from 1.
Expected<JsonValue> parseJson(std::string_view text);

} // namespace dtensor

#endif // DTENSOR_PLANNER_JSON_H
