// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the text of Shardy's attributes, and of the few StableHLO attributes
// that carry numbers:
//
//   mesh      ::= `<` `[` (str `=` int),* `]` (`,` `device_ids` `=` ints)? `>`
//   sharding  ::= `<` (`@`id | `mesh` mesh) `,` `[` dim,* `]`
//                 (`,` `replicated` `=` axes)?
//                 (`,` `unreduced` `=` (sum|max|min)? axes)? `>`
//   dim       ::= `{` axis,* (`,`? `?`)? `}` (`p` int)?
//   axes      ::= `{` axis,* `}`       axis ::= str (`:` `(` int `)` int)?
#ifndef DTENSOR_LIB_IMPORT_SHARDYTEXT_H
#define DTENSOR_LIB_IMPORT_SHARDYTEXT_H

#include "dtensor/Planner/Expected.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace mlir::dtensor::shardy {

/// The planner's way to refuse text: a message without location.
template <typename T> using Expected = ::dtensor::Expected<T>;

struct Axis {
  std::string name;
  int64_t preSize = 1, size = 0; ///< size 0: the whole axis
};

struct Mesh {
  std::vector<std::pair<std::string, int64_t>> axes;
  std::vector<int64_t> devices; ///< empty: in order
};

struct Dim {
  std::vector<Axis> axes;
  bool open = false;
  std::optional<int64_t> priority;
};

struct Sharding {
  std::string meshName; ///< empty where `inlined` is set
  std::optional<Mesh> inlined;
  std::vector<Dim> dims;
  std::vector<Axis> replicated, unreduced;
  std::string reduction = "sum"; ///< of `unreduced`: sum, max or min
};

/// Each function takes the whole text after the attribute's mnemonic, or with
/// `#sdy.` and the mnemonic before it.
Expected<Mesh> parseMesh(llvm::StringRef text);
Expected<Sharding> parseSharding(llvm::StringRef text);
/// `<[<...>, <...>]>`: one sharding per value.
Expected<std::vector<Sharding>> parsePerValue(llvm::StringRef text);
/// `{mesh = #sdy.mesh<...>, ...}`, as XLA keeps meshes in a string.
Expected<std::vector<std::pair<std::string, Mesh>>>
parseMeshes(llvm::StringRef text);

/// The list `name = [1, 2]` in `text`; empty where it is not there.
Expected<std::vector<int64_t>> parseNamedInts(llvm::StringRef text,
                                              llvm::StringRef name);

} // namespace mlir::dtensor::shardy

#endif // DTENSOR_LIB_IMPORT_SHARDYTEXT_H
