// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of parameters, from what frontends leave on arguments.
#ifndef DTENSOR_LIB_IMPORT_PARAMETERNAMES_H
#define DTENSOR_LIB_IMPORT_PARAMETERNAMES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::dtensor {

/// Gives the arguments of one function names that differ.
class ParameterNames {
public:
  /// The name of an argument: an attribute called `name` of some dialect
  /// (`ttir.name`), else that of its location; null where neither has one.
  /// What cannot stand in a name becomes a dot: `params['w'][0]` is
  /// `params.w.0`. A name used before gets a number after it.
  StringAttr choose(DictionaryAttr attributes, Location loc);

private:
  llvm::StringSet<llvm::MallocAllocator> used;
  /// Where counting goes on, so that many arguments of one name stay linear.
  llvm::StringMap<unsigned> lastNumber;
};

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_IMPORT_PARAMETERNAMES_H
