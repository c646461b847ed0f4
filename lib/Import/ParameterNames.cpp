// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of parameters, from what frontends leave on arguments.

#include "ParameterNames.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::dtensor;

/// The frontend's name; empty without one.
static StringRef findName(DictionaryAttr attributes, Location loc) {
  if (attributes)
    for (NamedAttribute attribute : attributes)
      if (attribute.getName().getValue().ends_with(".name"))
        if (auto name = dyn_cast<StringAttr>(attribute.getValue()))
          return name;
  if (auto named = dyn_cast<NameLoc>(loc))
    return named.getName();
  return "";
}

/// Letters, digits and `_`; any run of others is one dot, none at the ends.
static std::string toIdentifiers(StringRef text) {
  std::string name;
  for (char c : text) {
    if (llvm::isAlnum(c) || c == '_')
      name += c;
    else if (!name.empty() && name.back() != '.')
      name += '.';
  }
  while (!name.empty() && name.back() == '.')
    name.pop_back();
  return name;
}

StringAttr ParameterNames::choose(DictionaryAttr attributes, Location loc) {
  // Ours already: as it stands.
  if (auto own = attributes ? attributes.getAs<StringAttr>("dtensor.name")
                            : StringAttr()) {
    used.insert(own.getValue());
    return own;
  }
  std::string base = toIdentifiers(findName(attributes, loc));
  if (base.empty() || llvm::isDigit(base.front()))
    return {};
  std::string name = base;
  while (!used.insert(name).second)
    name = base + "_" + std::to_string(++lastNumber[base]);
  return StringAttr::get(loc.getContext(), name);
}
