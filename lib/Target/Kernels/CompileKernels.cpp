// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles kernel functions: linalg on memrefs -> loops -> LLVM IR -> object.

#include "CompileKernels.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// To the LLVM dialect
//===----------------------------------------------------------------------===//

namespace {

/// min(max(value, low), high). The expansion that comes with the dialect takes
/// the minimum with the low bound.
struct ExpandClampF : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    Value raised = arith::MaximumFOp::create(rewriter, op.getLoc(),
                                             op.getValue(), op.getMin());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, raised, op.getMax());
    return success();
  }
};

/// math.isinf and math.isnormal as comparisons of the absolute value.
template <typename OpTy> struct ExpandClass : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getOperand().getType();
    const llvm::fltSemantics &format =
        cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
    auto number = [&](const APFloat &value) -> Value {
      auto attr = rewriter.getFloatAttr(getElementTypeOrSelf(type), value);
      if (auto shaped = dyn_cast<ShapedType>(type))
        return arith::ConstantOp::create(rewriter, loc,
                                         DenseElementsAttr::get(shaped, attr));
      return arith::ConstantOp::create(rewriter, loc, attr);
    };
    using Predicate = arith::CmpFPredicate;
    Value size = math::AbsFOp::create(rewriter, loc, op.getOperand());
    Value infinity = number(APFloat::getInf(format));
    if (isa<math::IsInfOp>(op)) {
      rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, Predicate::OEQ, size,
                                                 infinity);
      return success();
    }
    Value finite =
        arith::CmpFOp::create(rewriter, loc, Predicate::OLT, size, infinity);
    Value large =
        arith::CmpFOp::create(rewriter, loc, Predicate::OGE, size,
                              number(APFloat::getSmallestNormalized(format)));
    rewriter.replaceOpWithNewOp<arith::AndIOp>(op, finite, large);
    return success();
  }
};

/// Polynomials for f32 math functions, which vectorise; libm's do not. And what
/// has neither an instruction nor a libm function.
struct ApproximateMathPass
    : PassWrapper<ApproximateMathPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ApproximateMathPass)
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns);
    patterns.add<ExpandClampF, ExpandClass<math::IsInfOp>,
                 ExpandClass<math::IsNormalOp>>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect,
                    vector::VectorDialect>();
  }
};

} // namespace

/// Gives arguments without elements one dimension: the conversion to bare
/// pointers takes no others.
static void flattenEmptyBuffers(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>()) {
    Block &body = func.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    for (BlockArgument argument : body.getArguments()) {
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (!type || type.getRank() < 2 || !type.hasStaticShape() ||
          type.getNumElements() != 0)
        continue;
      argument.setType(MemRefType::get({0}, type.getElementType()));
      ReassociationIndices all =
          llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
      auto whole = memref::ExpandShapeOp::create(
          builder, argument.getLoc(), type, argument,
          ArrayRef<ReassociationIndices>{all});
      argument.replaceAllUsesExcept(whole, whole);
    }
    func.setType(FunctionType::get(func.getContext(), body.getArgumentTypes(),
                                   func.getResultTypes()));
  }
}

static void buildLoweringPipeline(OpPassManager &pm) {
  // Named ops fix the types of their bodies; what follows changes those.
  pm.addPass(createLinalgGeneralizeNamedOpsPass());
  // bf16 has no arithmetic on common CPUs: compute in f32, round each result.
  pm.addPass(math::createMathExtendToSupportedTypes());
  arith::ArithEmulateUnsupportedFloatsOptions bf16;
  bf16.sourceTypeStrs = {"bf16"};
  bf16.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(bf16));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));

  pm.addPass(std::make_unique<ApproximateMathPass>());
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  // Integer powers become a function of the module.
  pm.addPass(createConvertMathToFuncs());
  // What has no polynomial (f64, rare functions) goes to libm.
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass()); // offsets that depend on extents
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  // One bare pointer per buffer: shapes are static.
  ConvertFuncToLLVMPassOptions func;
  func.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(func));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

//===----------------------------------------------------------------------===//
// To machine code
//===----------------------------------------------------------------------===//

/// Gives each kernel the one signature that the runtime calls, under the
/// kernel's own name; the function with a pointer per buffer is inlined.
static void addEntryPoints(llvm::Module &module, ArrayRef<std::string> names) {
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {pointer, pointer}, false);
  for (const std::string &name : names) {
    llvm::Function *body = module.getFunction(name);
    body->setName(name + ".body");
    body->setLinkage(llvm::GlobalValue::InternalLinkage);
    auto *entry = llvm::Function::Create(
        type, llvm::GlobalValue::ExternalLinkage, name, module);
    llvm::IRBuilder<> builder(
        llvm::BasicBlock::Create(context, "entry", entry));
    // Buffers come first, then extents.
    SmallVector<llvm::Value *> arguments;
    unsigned numBuffers = 0;
    for (llvm::Argument &argument : body->args()) {
      bool isBuffer = argument.getType()->isPointerTy();
      unsigned index =
          isBuffer ? numBuffers++ : argument.getArgNo() - numBuffers;
      llvm::Value *slot = builder.CreateConstGEP1_32(
          argument.getType(), entry->getArg(isBuffer ? 0 : 1), index);
      arguments.push_back(builder.CreateLoad(argument.getType(), slot));
    }
    builder.CreateCall(body, arguments);
    builder.CreateRetVoid();
  }
}

/// The CPU level that kernels are compiled for: fixed levels instead of this
/// very CPU, so that a plan says exactly which machines can run it.
static StringRef getTargetCPU() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (StringRef needed :
       {"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"})
    if (!features.lookup(needed))
      return "x86-64";
  return "x86-64-v3";
}

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(StringRef cpu, std::string &message) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, "", llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

static bool emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                       SmallVectorImpl<char> &object) {
  llvm::raw_svector_ostream os(object);
  llvm::legacy::PassManager pm;
  if (machine.addPassesToEmitFile(pm, os, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return false;
  pm.run(module);
  return true;
}

FailureOr<KernelImage> mlir::dtensor::compileKernels(ModuleOp kernels) {
  std::vector<std::string> names;
  for (auto func : kernels.getOps<func::FuncOp>())
    names.push_back(func.getName().str());
  MLIRContext *context = kernels.getContext();
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context->appendDialectRegistry(registry);

  OwningOpRef<ModuleOp> lowered(kernels.clone());
  flattenEmptyBuffers(*lowered);
  PassManager pm(context);
  buildLoweringPipeline(pm);
  if (failed(pm.run(*lowered)))
    return failure();

  llvm::LLVMContext llvmContext;
  auto module = translateModuleToLLVMIR(*lowered, llvmContext, "kernels");
  if (!module)
    return kernels.emitError() << "cannot translate kernels to LLVM IR";
  std::string message;
  StringRef cpu = getTargetCPU();
  auto machine = createTargetMachine(cpu, message);
  if (!machine)
    return kernels.emitError() << "cannot compile for this host: " << message;
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  addEntryPoints(*module, names);
  if (!linkFloatHelpers(*module, message))
    return kernels.emitError() << message;
  for (llvm::Function &function : *module)
    function.addFnAttr("target-cpu", cpu);
  optimize(*module, *machine);
  SmallVector<char> object;
  if (!emitObject(*module, *machine, object))
    return kernels.emitError() << "cannot emit an object for this host";
  auto shared =
      linkSharedObject(StringRef(object.data(), object.size()), message);
  if (!shared)
    return kernels.emitError() << "cannot link kernels: " << message;
  return KernelImage{std::move(*shared), cpu.str()};
}
