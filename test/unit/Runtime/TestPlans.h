// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans built by hand, for tests that need no compiler.
#ifndef DTRT_TEST_TESTPLANS_H
#define DTRT_TEST_TESTPLANS_H

#include "dtrt/PlanFile.h"

#include <memory>
#include <string>

namespace dtrt::test {

inline std::unique_ptr<schema::View> view(uint64_t offset, uint64_t bytes) {
  return std::make_unique<schema::View>(offset, bytes);
}

inline std::unique_ptr<schema::MeshT> mesh(int64_t size) {
  auto mesh = std::make_unique<schema::MeshT>();
  mesh->name = "mesh";
  auto axis = std::make_unique<schema::MeshAxisT>();
  axis->name = "tp";
  axis->size = size;
  mesh->axes.push_back(std::move(axis));
  return mesh;
}

inline std::unique_ptr<schema::TensorT>
tensor(const std::string &name, std::vector<int64_t> shape,
       const std::string &layout, uint64_t offset, uint64_t bytes) {
  auto tensor = std::make_unique<schema::TensorT>();
  tensor->name = name;
  tensor->type = schema::ElementType::f32;
  tensor->shape = std::move(shape);
  tensor->layout = layout;
  tensor->view = view(offset, bytes);
  return tensor;
}

/// c = a * b of 6x8 and 8x5 on one rank.
inline std::unique_ptr<schema::ProgramT> referenceProgram() {
  auto program = std::make_unique<schema::ProgramT>();
  program->name = "main.reference";
  program->mesh = mesh(1);
  program->slab_bytes = program->peak_bytes = 512;
  program->inputs.push_back(tensor("a", {6, 8}, "", 0, 192));
  program->inputs.push_back(tensor("b", {8, 5}, "", 192, 160));
  program->results.push_back(tensor("", {6, 5}, "", 384, 120));
  auto gemm = std::make_unique<schema::GemmT>();
  gemm->type = schema::ElementType::f32;
  gemm->m = 6;
  gemm->n = 5;
  gemm->k = 8;
  gemm->a = view(0, 192);
  gemm->b = view(192, 160);
  gemm->c = view(384, 120);
  program->gemms.push_back(std::move(gemm));
  program->steps.push_back(schema::Step(schema::StepKind::gemm, 0));
  return program;
}

/// The same with the contracted dimension on two ranks: a local product, then
/// an all_reduce. Layout: a 0, b 96, partial c 192, c 320.
inline std::unique_ptr<schema::ProgramT> shardedProgram() {
  auto program = std::make_unique<schema::ProgramT>();
  program->name = "main";
  program->mesh = mesh(2);
  program->slab_bytes = program->peak_bytes = 512;
  program->inputs.push_back(tensor("a", {6, 8}, "tp=shard(1)", 0, 96));
  program->inputs.push_back(tensor("b", {8, 5}, "tp=shard(0)", 96, 80));
  program->results.push_back(tensor("", {6, 5}, "", 320, 120));
  auto gemm = std::make_unique<schema::GemmT>();
  gemm->type = schema::ElementType::f32;
  gemm->m = 6;
  gemm->n = 5;
  gemm->k = 4;
  gemm->a = view(0, 96);
  gemm->b = view(96, 80);
  gemm->c = view(192, 120);
  program->gemms.push_back(std::move(gemm));
  auto reduce = std::make_unique<schema::CollectiveT>();
  reduce->name = "all_reduce.0";
  reduce->kind = schema::CollectiveKind::all_reduce;
  reduce->axes = {"tp"};
  reduce->op = schema::ReduceOp::sum;
  reduce->type = schema::ElementType::f32;
  reduce->shape = {6, 5};
  reduce->from = "tp=partial(sum)";
  reduce->to = "";
  reduce->source = view(192, 120);
  reduce->target = view(320, 120);
  program->collectives.push_back(std::move(reduce));
  program->steps.push_back(schema::Step(schema::StepKind::gemm, 0));
  program->steps.push_back(schema::Step(schema::StepKind::collective, 0));
  program->reference = 1;
  return program;
}

inline PlanFile matmulPlan() {
  PlanFile file;
  file.plan.producer = "test";
  file.plan.source = "matmul.mlir";
  file.plan.topology = "builtin:threads";
  file.plan.programs.push_back(shardedProgram());
  file.plan.programs.push_back(referenceProgram());
  return file;
}

} // namespace dtrt::test

#endif // DTRT_TEST_TESTPLANS_H
