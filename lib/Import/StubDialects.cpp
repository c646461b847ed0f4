// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-ins for stablehlo, sdy, chlo and mhlo. Their ops stay unregistered and
// their attributes and types opaque: the text is kept, the importer reads it.

#include "dtensor/Import/StubDialects.h"

#include "ParseOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::dtensor;

namespace {

/// What all stand-ins share.
class StubDialect : public Dialect {
public:
  StubDialect(StringRef name, MLIRContext *context, TypeID id)
      : Dialect(name, context, id) {
    allowUnknownOperations();
    allowUnknownTypes();
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()),
                           parser.getFullSymbolSpec(),
                           type ? type : NoneType::get(getContext()));
  }
  Type parseType(DialectAsmParser &parser) const override {
    return OpaqueType::get(StringAttr::get(getContext(), getNamespace()),
                           parser.getFullSymbolSpec());
  }
  std::optional<ParseOpHook>
  getParseOperationHook(StringRef opName) const override {
    return ParseOpHook(getForeignParser(opName));
  }
};

struct StableHLOStub : StubDialect {
  explicit StableHLOStub(MLIRContext *context)
      : StubDialect(getDialectNamespace(), context,
                    TypeID::get<StableHLOStub>()) {}
  static constexpr llvm::StringLiteral getDialectNamespace() {
    return "stablehlo";
  }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StableHLOStub)
};

struct ShardyStub : StubDialect {
  explicit ShardyStub(MLIRContext *context)
      : StubDialect(getDialectNamespace(), context, TypeID::get<ShardyStub>()) {
  }
  static constexpr llvm::StringLiteral getDialectNamespace() { return "sdy"; }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShardyStub)
};

struct CHLOStub : StubDialect {
  explicit CHLOStub(MLIRContext *context)
      : StubDialect(getDialectNamespace(), context, TypeID::get<CHLOStub>()) {}
  static constexpr llvm::StringLiteral getDialectNamespace() { return "chlo"; }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CHLOStub)
};

struct MHLOStub : StubDialect {
  explicit MHLOStub(MLIRContext *context)
      : StubDialect(getDialectNamespace(), context, TypeID::get<MHLOStub>()) {}
  static constexpr llvm::StringLiteral getDialectNamespace() { return "mhlo"; }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MHLOStub)
};

} // namespace

void mlir::dtensor::registerStubDialects(DialectRegistry &registry) {
  registry.insert<StableHLOStub, ShardyStub, CHLOStub, MHLOStub>();
}

bool mlir::dtensor::isForeignOp(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "stablehlo" || dialect == "sdy" || dialect == "chlo" ||
         dialect == "mhlo";
}

/// True for attributes of a function that say how values are sharded.
static bool hasForeignAttribute(ArrayAttr dictionaries) {
  if (!dictionaries)
    return false;
  for (auto dictionary : dictionaries.getAsRange<DictionaryAttr>())
    for (NamedAttribute attribute : dictionary)
      if (attribute.getName().getValue().starts_with("sdy.") ||
          attribute.getName().getValue().starts_with("mhlo."))
        return true;
  return false;
}

bool mlir::dtensor::needsImport(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>())
    if (hasForeignAttribute(func.getArgAttrsAttr()) ||
        hasForeignAttribute(func.getResAttrsAttr()))
      return true;
  return module
      ->walk([](Operation *op) {
        return isForeignOp(op) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}
