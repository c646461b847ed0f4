// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rule of validatePlan, broken one at a time.
#include "TestPlans.h"

#include <gtest/gtest.h>

#include <functional>

using namespace dtrt;
using test::view;

namespace {

/// The message after `damage` is done to the sample's sharded program.
std::string refusal(const std::function<void(schema::ProgramT &)> &damage) {
  PlanFile file = test::matmulPlan();
  damage(*file.plan.programs[0]);
  Status status = validatePlan(file);
  return status ? "accepted" : status.message();
}

void expectRefused(const std::string &part,
                   const std::function<void(schema::ProgramT &)> &damage) {
  std::string message = refusal(damage);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(ValidatePlan, accepts_the_sample) {
  EXPECT_TRUE(validatePlan(test::matmulPlan()));
}

TEST(ValidatePlan, messages_name_program_and_step) {
  EXPECT_EQ(refusal([](auto &p) { p.gemms[0]->c = view(440, 120); }),
            "program 'main' step 0: view 'c' [440, +120) leaves the slab of "
            "512 bytes");
}

TEST(ValidatePlan, indices_and_views) {
  expectRefused("step 1: collective 7 does not exist, there are 1",
                [](auto &p) {
                  p.steps[1] = schema::Step(schema::StepKind::collective, 7);
                });
  expectRefused("step kind 9 is unknown", [](auto &p) {
    p.steps[1] = schema::Step(static_cast<schema::StepKind>(9), 0);
  });
  expectRefused("has no view 'a'", [](auto &p) { p.gemms[0]->a.reset(); });
  expectRefused("does not start at a multiple of 8",
                [](auto &p) { p.gemms[0]->a = view(4, 92); });
  expectRefused("view 'c' [0, +120) overlaps view 'a' [0, +96)",
                [](auto &p) { p.gemms[0]->c = view(0, 120); });
  expectRefused("peak_bytes", [](auto &p) { p.peak_bytes = 1000; });
  expectRefused("leaves the slab",
                [](auto &p) { p.inputs[0]->view = view(~uint64_t(7), 96); });
}

TEST(ValidatePlan, tensors_and_layouts) {
  expectRefused("input 0 'a': layout: ",
                [](auto &p) { p.inputs[0]->layout = "zz=shard(0)"; });
  expectRefused("view 'view' has 88 bytes, its layout takes 96",
                [](auto &p) { p.inputs[0]->view = view(0, 88); });
  expectRefused("negative", [](auto &p) { p.inputs[0]->shape = {-6, 8}; });
  expectRefused("elements", [](auto &p) {
    p.inputs[0]->shape = {int64_t(1) << 40, int64_t(1) << 40};
  });
  expectRefused("element type 77 is unknown", [](auto &p) {
    p.results[0]->type = static_cast<schema::ElementType>(77);
  });
  expectRefused("layout: ",
                [](auto &p) { p.inputs[0]->layout = "tp=partial(band)"; });
}

TEST(ValidatePlan, gemms) {
  expectRefused("matrix a takes 1200 bytes, its view has 96",
                [](auto &p) { p.gemms[0]->k = 50; });
  expectRefused("gemm size is negative", [](auto &p) { p.gemms[0]->m = -1; });
  expectRefused("bad stride", [](auto &p) { p.gemms[0]->stride_a = -1; });
  expectRefused("gemm is not defined on f8E5M2", [](auto &p) {
    p.gemms[0]->type = schema::ElementType::f8E5M2;
  });
  expectRefused("matrices c of a batch overlap", [](auto &p) {
    p.gemms[0]->batch = 2;
    p.gemms[0]->stride_c = 0;
  });
  expectRefused("local extent", [](auto &p) {
    p.gemms[0]->local_m = std::make_unique<schema::LocalExtentT>();
    p.gemms[0]->local_m->axes = {"nope"};
  });
  expectRefused("local extent of a dimension of -3", [](auto &p) {
    p.gemms[0]->local_m = std::make_unique<schema::LocalExtentT>();
    p.gemms[0]->local_m->size = -3;
  });
  expectRefused("a gemm size is an index or a counter", [](auto &p) {
    p.gemms[0]->local_m = std::make_unique<schema::LocalExtentT>();
    p.gemms[0]->local_m->axes = {"tp"};
    p.gemms[0]->local_m->is_index = true;
  });
  expectRefused("counter of loop -2", [](auto &p) {
    p.gemms[0]->local_m = std::make_unique<schema::LocalExtentT>();
    p.gemms[0]->local_m->counter = -2;
  });
  expectRefused("a counter's start or step, and no counter", [](auto &p) {
    p.gemms[0]->local_m = std::make_unique<schema::LocalExtentT>();
    p.gemms[0]->local_m->counter_step = 1;
  });
  expectRefused("a counter has a size or axes", [](auto &p) {
    p.gemms[0]->local_m = std::make_unique<schema::LocalExtentT>();
    p.gemms[0]->local_m->counter = 0;
    p.gemms[0]->local_m->size = 2;
  });
  expectRefused("an index over axes has 0 axes and size 2", [](auto &p) {
    p.gemms[0]->local_m = std::make_unique<schema::LocalExtentT>();
    p.gemms[0]->local_m->size = 2;
    p.gemms[0]->local_m->is_index = true;
  });
}

TEST(ValidatePlan, collectives) {
  expectRefused("layout 'from': ",
                [](auto &p) { p.collectives[0]->from = "rubbish"; });
  expectRefused("layout 'to': ",
                [](auto &p) { p.collectives[0]->to = "rubbish"; });
  expectRefused("overlaps",
                [](auto &p) { p.collectives[0]->target = view(200, 120); });
  expectRefused("view 'source' has 112 bytes, its layout takes 120",
                [](auto &p) { p.collectives[0]->source = view(192, 112); });
  expectRefused("collective kind 99 is unknown", [](auto &p) {
    p.collectives[0]->kind = static_cast<schema::CollectiveKind>(99);
  });
  expectRefused("reduce op 99 is unknown", [](auto &p) {
    p.collectives[0]->op = static_cast<schema::ReduceOp>(99);
  });
  expectRefused("reduction 99 is unknown", [](auto &p) {
    p.collectives[0]->reduction = static_cast<schema::Reduction>(99);
  });
  expectRefused("root 0 of a collective that has none",
                [](auto &p) { p.collectives[0]->root = 0; });
  for (int64_t root : {-1, 99})
    expectRefused("root " + std::to_string(root) + " is not in a group of ",
                  [&](auto &p) {
                    p.collectives[0]->kind = schema::CollectiveKind::reduce;
                    p.collectives[0]->root = root;
                  });
  expectRefused("mesh 'mesh' has 4 ranks, the program's has 2",
                [](auto &p) { p.collectives[0]->mesh = test::mesh(4); });
  expectRefused("mesh 'mesh': ",
                [](auto &p) { p.collectives[0]->mesh = test::mesh(0); });
  expectRefused("a second collective called 'all_reduce.0'", [](auto &p) {
    p.steps.push_back(schema::Step(schema::StepKind::collective, 0));
  });
}

TEST(ValidatePlan, copies) {
  auto withCopy = [](uint64_t from, uint64_t to, uint64_t bytes) {
    return [=](schema::ProgramT &p) {
      auto copy = std::make_unique<schema::CopyT>();
      copy->source = view(from, 16);
      copy->target = view(to, bytes);
      p.copies.push_back(std::move(copy));
      p.steps.push_back(schema::Step(schema::StepKind::copy, 0));
    };
  };
  EXPECT_EQ(refusal(withCopy(0, 64, 16)), "accepted");
  expectRefused("copies 16 bytes into a view of 24", withCopy(0, 64, 24));
  expectRefused("overlaps", withCopy(0, 8, 16));
}

TEST(ValidatePlan, kernels) {
  auto withCall = [](schema::ProgramT &p) {
    auto call = std::make_unique<schema::KernelCallT>();
    call->kernel = 3;
    call->reads = {schema::View(0, 8)};
    call->writes = {schema::View(64, 8)};
    p.kernel_calls.push_back(std::move(call));
    p.steps.push_back(schema::Step(schema::StepKind::kernel, 0));
  };
  expectRefused("calls kernels, but has no kernels section", withCall);
  auto check = [&](const std::function<void(schema::KernelCallT &)> &damage) {
    PlanFile file = test::matmulPlan();
    file.kernels = {1};
    file.plan.kernels.push_back(std::make_unique<schema::KernelT>());
    withCall(*file.plan.programs[0]);
    file.plan.programs[0]->kernel_calls[0]->kernel = 0;
    damage(*file.plan.programs[0]->kernel_calls[0]);
    Status status = validatePlan(file);
    return status ? std::string("accepted") : status.message();
  };
  EXPECT_EQ(check([](auto &) {}), "accepted");
  EXPECT_NE(
      check([](auto &c) { c.kernel = 5; }).find("kernel 5 does not exist"),
      std::string::npos);
  EXPECT_NE(
      check([](auto &c) { c.reads = {schema::View(64, 8)}; }).find("overlaps"),
      std::string::npos);
  EXPECT_NE(check([](auto &c) {
              c.writes = {schema::View(64, 8), schema::View(64, 8)};
            }).find("overlaps"),
            std::string::npos);
}

TEST(ValidatePlan, meshes_and_references) {
  expectRefused("has no mesh", [](auto &p) { p.mesh.reset(); });
  expectRefused("mesh: ", [](auto &p) { p.mesh->axes[0]->size = 0; });
  expectRefused("reference 5 does not exist", [](auto &p) { p.reference = 5; });
  expectRefused("is not for one rank", [](auto &p) { p.reference = 0; });
  expectRefused("a second program of this name",
                [](auto &p) { p.name = "main.reference"; });
  PlanFile file = test::matmulPlan();
  file.plan.programs[1]->inputs.pop_back();
  EXPECT_NE(validatePlan(file).message().find("has other inputs"),
            std::string::npos);
  file = test::matmulPlan();
  file.plan.programs[1]->results.clear();
  EXPECT_NE(validatePlan(file).message().find("has other results"),
            std::string::npos);
}

} // namespace
