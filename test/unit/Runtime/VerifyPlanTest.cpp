// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rule of verifyPlan, broken one at a time in plans made by hand.
#include "dtrt/VerifyPlan.h"
#include "TestPlans.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <iostream>

using namespace dtrt;
using test::view;

namespace {

/// A program under construction, on a mesh of 2 x 2. Tensors are f32; numbers
/// of buffers are offsets.
class Builder {
public:
  Builder() {
    program->name = "main";
    program->mesh = test::mesh(2);
    program->mesh->axes.push_back(
        std::make_unique<schema::MeshAxisT>(*program->mesh->axes[0]));
    program->mesh->axes[0]->name = "dp";
    program->slab_bytes = 1 << 20;
  }

  Builder &input(std::vector<int64_t> shape, const std::string &layout,
                 uint64_t offset, uint64_t bytes) {
    program->inputs.push_back(
        test::tensor("in", std::move(shape), layout, offset, bytes));
    return *this;
  }
  Builder &result(std::vector<int64_t> shape, const std::string &layout,
                  uint64_t offset, uint64_t bytes) {
    program->results.push_back(
        test::tensor("out", std::move(shape), layout, offset, bytes));
    return *this;
  }
  Builder &copy(uint64_t from, uint64_t to, uint64_t bytes) {
    auto copy = std::make_unique<schema::CopyT>();
    copy->source = view(from, bytes);
    copy->target = view(to, bytes);
    program->copies.push_back(std::move(copy));
    return step(schema::StepKind::copy, program->copies.size());
  }
  Builder &kernel(std::vector<schema::View> reads,
                  std::vector<schema::View> writes) {
    auto call = std::make_unique<schema::KernelCallT>();
    call->reads = std::move(reads);
    call->writes = std::move(writes);
    program->kernel_calls.push_back(std::move(call));
    return step(schema::StepKind::kernel, program->kernel_calls.size());
  }
  Builder &collective(schema::CollectiveKind kind,
                      std::vector<std::string> axes, std::vector<int64_t> shape,
                      const std::string &from, const std::string &to,
                      int fromDim, int toDim, schema::View source,
                      schema::View target) {
    auto op = std::make_unique<schema::CollectiveT>();
    op->name = "op." + std::to_string(program->collectives.size());
    op->kind = kind;
    op->axes = std::move(axes);
    op->type = schema::ElementType::f32;
    op->shape = std::move(shape);
    op->from = from;
    op->to = to;
    op->from_dim = fromDim;
    op->to_dim = toDim;
    op->source = view(source.offset(), source.bytes());
    op->target = view(target.offset(), target.bytes());
    program->collectives.push_back(std::move(op));
    return step(schema::StepKind::collective, program->collectives.size());
  }
  Builder &start(uint32_t event, uint32_t count, uint32_t queue = 1) {
    auto start = std::make_unique<schema::StartT>();
    start->event = event;
    start->count = count;
    start->queue = queue;
    program->starts.push_back(std::move(start));
    return step(schema::StepKind::start, program->starts.size());
  }
  Builder &wait(uint32_t event) {
    auto wait = std::make_unique<schema::WaitT>();
    wait->event = event;
    program->waits.push_back(std::move(wait));
    return step(schema::StepKind::wait, program->waits.size());
  }
  Builder &loop(uint32_t number, uint64_t count, uint32_t steps,
                std::vector<schema::View> carried = {}) {
    auto loop = std::make_unique<schema::LoopT>();
    loop->number = number;
    loop->count = count;
    loop->steps = steps;
    loop->carried = std::move(carried);
    program->loops.push_back(std::move(loop));
    return step(schema::StepKind::loop, program->loops.size());
  }
  Builder &branch(schema::View condition, uint32_t thenSteps,
                  uint32_t elseSteps, std::vector<schema::View> results = {}) {
    auto branch = std::make_unique<schema::BranchT>();
    branch->condition = view(condition.offset(), condition.bytes());
    branch->then_steps = thenSteps;
    branch->else_steps = elseSteps;
    branch->results = std::move(results);
    program->branches.push_back(std::move(branch));
    return step(schema::StepKind::branch, program->branches.size());
  }
  /// Gives the last kernel a number that loop `number` counts.
  Builder &counted(int number) {
    auto extent = std::make_unique<schema::LocalExtentT>();
    extent->counter = number;
    program->kernel_calls.back()->extents.push_back(std::move(extent));
    return *this;
  }
  Builder &peak(uint64_t bytes) {
    program->peak_bytes = bytes;
    return *this;
  }

  /// "" where all rules hold.
  std::string verify() {
    std::string invalid = validate();
    EXPECT_EQ(invalid, "");
    return invalid.empty() ? verifyPlan(file).message() : "";
  }

  /// The same of the checks that come before the rules.
  std::string validate() {
    file.kernels = {1};
    file.plan.kernels.push_back(std::make_unique<schema::KernelT>());
    file.plan.kernels[0]->symbol = "kernel0";
    file.plan.programs.push_back(std::move(program));
    return validatePlan(file).message();
  }

  std::unique_ptr<schema::ProgramT> program =
      std::make_unique<schema::ProgramT>();

private:
  PlanFile file;

  Builder &step(schema::StepKind kind, size_t count) {
    program->steps.push_back(
        schema::Step(kind, static_cast<uint32_t>(count - 1)));
    return *this;
  }
};

using schema::CollectiveKind;
using V = schema::View;

/// An input of 8x8 over dp is gathered over tp and made a result.
Builder gather() {
  return std::move(Builder()
                       .input({8, 8}, "dp=shard(0), tp=shard(0)", 0, 64)
                       .collective(CollectiveKind::all_gather, {"tp"}, {4, 8},
                                   "tp=shard(0)", "", 0, -1, V(0, 64),
                                   V(64, 128))
                       .result({8, 8}, "dp=shard(0)", 64, 128)
                       .peak(192));
}

std::string refusal(const std::function<void(schema::ProgramT &)> &damage) {
  PlanFile file = test::matmulPlan();
  damage(*file.plan.programs[0]);
  return verifyPlan(file).message();
}

TEST(VerifyPlan, accepts_correct_programs) {
  EXPECT_EQ(refusal([](auto &) {}), "");
  EXPECT_EQ(gather().verify(), "");
  std::vector<ProgramSummary> summaries;
  EXPECT_TRUE(bool(verifyPlan(test::matmulPlan(), &summaries)));
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].name, "main");
  EXPECT_EQ(summaries[0].steps, 2u);
  EXPECT_EQ(summaries[0].collectives, 1u);
  EXPECT_EQ(summaries[0].peakBytes, 512u);
}

TEST(VerifyPlan, rule_1_every_collective_once) {
  EXPECT_EQ(refusal([](auto &p) { p.steps.push_back(p.steps[1]); }),
            "program 'main' step 2 (all_reduce.0): rule 1: is met a second "
            "time");
  EXPECT_EQ(gather()
                .collective(CollectiveKind::all_gather, {"tp"}, {4, 8},
                            "tp=shard(0)", "", 0, -1, V(0, 64), V(192, 128))
                .result({8, 8}, "dp=shard(0)", 192, 128)
                .peak(320)
                .verify(),
            "");
  Builder unused = gather();
  unused.collective(CollectiveKind::all_gather, {"tp"}, {4, 8}, "tp=shard(0)",
                    "", 0, -1, V(0, 64), V(192, 128));
  unused.program->steps.pop_back();
  EXPECT_EQ(unused.verify(),
            "program 'main': rule 1: collective 'op.1' stands in no step");
}

TEST(VerifyPlan, rule_1_the_type_has_the_op) {
  EXPECT_EQ(refusal([](auto &p) {
              p.collectives[0]->type = schema::ElementType::i32;
              p.collectives[0]->op = schema::ReduceOp::avg;
            }),
            "program 'main' step 1 (all_reduce.0): rule 1: element type i32 "
            "has no avg");
}

TEST(VerifyPlan, rule_2_reads_come_after_writes) {
  EXPECT_EQ(refusal([](auto &p) { std::swap(p.steps[0], p.steps[1]); }),
            "program 'main' step 0 (all_reduce.0): rule 2: reads bytes "
            "[192, 312) that nothing has written");
  EXPECT_EQ(refusal([](auto &p) { p.gemms[0]->accumulate = true; }),
            "program 'main' step 0 (gemm): rule 2: reads bytes [192, 312) "
            "that nothing has written");
  EXPECT_EQ(Builder().input({16}, "", 0, 64).copy(32, 128, 64).verify(),
            "program 'main' step 0 (copy): rule 2: reads bytes [64, 96) that "
            "nothing has written");
}

TEST(VerifyPlan, rule_2_live_buffers_stay) {
  // The second write takes half of what the kernel still reads.
  EXPECT_EQ(Builder()
                .input({32}, "", 0, 128)
                .copy(0, 128, 128)
                .copy(0, 192, 128)
                .kernel({V(128, 128)}, {V(512, 64)})
                .verify(),
            "program 'main' step 1 (copy): rule 2: writes bytes [192, 256) "
            "over the live buffer [128, 256) of step 0 (copy), which step 2 "
            "(kernel0) reads");
  EXPECT_EQ(Builder()
                .input({32}, "", 0, 128)
                .copy(0, 128, 128)
                .kernel({V(0, 64)}, {V(160, 32)})
                .result({32}, "", 128, 128)
                .verify(),
            "program 'main' step 1 (kernel0): rule 2: writes bytes [160, 192) "
            "over the live buffer [128, 256) of step 0 (copy), which a result "
            "reads");
  EXPECT_EQ(Builder()
                .input({32}, "", 0, 128)
                .kernel({}, {V(64, 64)})
                .copy(0, 128, 128)
                .verify(),
            "program 'main' step 0 (kernel0): rule 2: writes bytes [64, 128) "
            "over the live buffer [0, 128) of the inputs, which step 1 (copy) "
            "reads");
  EXPECT_EQ(Builder()
                .input({32}, "", 0, 128)
                .copy(0, 128, 128)
                .kernel({}, {V(256, 64)})
                .kernel({V(192, 128)}, {V(512, 64)})
                .verify(),
            "program 'main' step 2 (kernel0): rule 2: reads bytes [192, 320), "
            "which begin or end inside the buffer [128, 256) of step 0 "
            "(copy)");
}

TEST(VerifyPlan, rule_2_inputs_are_disjoint) {
  EXPECT_EQ(Builder().input({32}, "", 0, 128).input({32}, "", 64, 128).verify(),
            "program 'main': rule 2: input 'in': bytes [64, 192) overlap "
            "[0, 128) of an earlier input");
}

TEST(VerifyPlan, rule_2_parts_and_places_may_be_used_again) {
  // Two halves are read as one, a half of a buffer is read, a dead buffer's
  // place is taken, and a buffer is updated in place.
  EXPECT_EQ(Builder()
                .input({32}, "", 0, 128)
                .copy(0, 128, 64)
                .copy(64, 192, 64)
                .kernel({V(128, 128)}, {V(256, 128)})
                .kernel({V(256, 64), V(320, 64)}, {V(128, 128)})
                .collective(CollectiveKind::all_reduce, {"tp"}, {32},
                            "tp=partial(sum)", "", -1, -1, V(128, 128),
                            V(128, 128))
                .result({32}, "", 128, 128)
                .peak(384)
                .verify(),
            "");
}

TEST(VerifyPlan, rule_3_peak_is_what_the_header_says) {
  EXPECT_EQ(refusal([](auto &p) { p.peak_bytes = 448; }),
            "program 'main' step 1 (all_reduce.0): rule 3: 512 bytes are live "
            "at once, but the header says peak_bytes 448");
  // Rounded to lines, also without bytes; the kernel's first output is dead
  // at once.
  Builder small;
  small.input({0}, "", 0, 0).input({2}, "", 64, 8);
  small.kernel({V(64, 8)}, {V(128, 8), V(256, 8)}).copy(256, 128, 8);
  small.result({2}, "", 128, 8);
  EXPECT_EQ(small.peak(256).verify(), "");
}

TEST(VerifyPlan, rule_4_kinds_do_what_their_layouts_say) {
  EXPECT_EQ(refusal([](auto &p) {
              p.collectives[0]->axes.clear();
            }).find("program 'main' step 1 (all_reduce.0): rule 4: "),
            0u);
  EXPECT_EQ(refusal([](auto &p) {
              p.collectives[0]->kind = CollectiveKind::all_gather;
            }).find("program 'main' step 1 (all_reduce.0): rule 4: "),
            0u);
  Builder wrongDim = gather();
  wrongDim.program->collectives[0]->from_dim = 1;
  EXPECT_NE(wrongDim.verify().find("step 0 (op.0): rule 4: step 0 "
                                   "(all_gather) over 'tp' does not lead from"),
            std::string::npos);
}

TEST(VerifyPlan, rule_4_kinds_with_a_root) {
  // An input of 4x8 per rank of dp, its row blocks over tp, and back to the
  // root; then the root's box to all.
  auto rooted = [](CollectiveKind kind, const char *from, const char *to,
                   int fromDim, int toDim, uint64_t in, uint64_t out) {
    Builder builder;
    builder.input({8, 8}, "dp=shard(0)", 0, in)
        .collective(kind, {"tp"}, {4, 8}, from, to, fromDim, toDim, V(0, in),
                    V(128, out))
        .result({9}, "", 256, 36)
        .kernel({V(128, out)}, {V(256, 36)});
    builder.program->collectives[0]->root = 1;
    builder.peak(in + out + 64);
    return builder;
  };
  EXPECT_EQ(
      rooted(CollectiveKind::broadcast, "", "", -1, -1, 128, 128).verify(), "");
  EXPECT_EQ(rooted(CollectiveKind::scatter, "", "tp=shard(0)", -1, 0, 128, 64)
                .verify(),
            "");
  EXPECT_NE(rooted(CollectiveKind::scatter, "", "tp=shard(0)", -1, 1, 128, 64)
                .verify()
                .find("rule 4: step 0 (slice) over 'tp' does not lead from"),
            std::string::npos);
  EXPECT_NE(
      rooted(CollectiveKind::broadcast, "", "tp=partial(sum)", -1, -1, 128, 128)
          .verify()
          .find("rule 4: broadcasts over 'tp' from '' to "
                "'tp=partial(sum)', between ranks that hold different "
                "parts"),
      std::string::npos);
  // What is known of the layout ends there: the result may say another.
  Builder type = rooted(CollectiveKind::broadcast, "", "", -1, -1, 128, 128);
  type.program->collectives[0]->type = schema::ElementType::i32;
  EXPECT_NE(type.verify().find("rule 4: takes i32, but its source holds f32"),
            std::string::npos);
}

TEST(VerifyPlan, rule_4_uneven_boxes_are_proved) {
  // 5 elements over dp, tp and over tp, dp: a group of tp alone does not hold
  // what its ranks need.
  EXPECT_NE(Builder()
                .input({5}, "dp=shard(0), tp=shard(0)", 0, 8)
                .collective(CollectiveKind::exchange, {"tp"}, {5},
                            "dp=shard(0), tp=shard(0)",
                            "tp=shard(0), dp=shard(0)", -1, -1, V(0, 8),
                            V(64, 8))
                .verify()
                .find("step 0 (op.0): rule 4: step 0 (exchange) on rank"),
            std::string::npos);
}

TEST(VerifyPlan, rule_4_layouts_follow_each_other) {
  Builder otherAxis = gather();
  otherAxis.program->inputs[0]->layout = "tp=shard(0), dp=shard(0)";
  EXPECT_EQ(otherAxis.verify(),
            "program 'main' step 0 (op.0): rule 4: takes layout 'tp=shard(0)' "
            "to '', but its source has layout 'tp=shard(0), dp=shard(0)'");
  Builder otherResult = gather();
  otherResult.program->results[0]->layout = "tp=shard(0)";
  EXPECT_EQ(otherResult.verify(),
            "program 'main': rule 4: result 'out' ends with layout "
            "'dp=shard(0)' instead of 'tp=shard(0)'");
  Builder otherType = gather();
  otherType.program->collectives[0]->type = schema::ElementType::i32;
  EXPECT_EQ(otherType.verify(),
            "program 'main' step 0 (op.0): rule 4: takes i32, but its source "
            "holds f32");
  Builder resultType = gather();
  resultType.program->results[0]->type = schema::ElementType::i32;
  EXPECT_EQ(resultType.verify(), "program 'main': rule 4: result 'out' holds "
                                 "f32 instead of i32");
}

TEST(VerifyPlan, rule_4_a_partial_input_is_reduced_once) {
  auto twice = [](const char *layout) {
    return Builder()
        .input({32}, layout, 0, 128)
        .collective(CollectiveKind::all_reduce, {"tp"}, {32}, "tp=partial(sum)",
                    "", -1, -1, V(0, 128), V(128, 128))
        .collective(CollectiveKind::all_reduce, {"dp"}, {32}, "dp=partial(sum)",
                    "", -1, -1, V(128, 128), V(256, 128))
        .result({32}, "", 256, 128)
        .peak(384)
        .verify();
  };
  EXPECT_EQ(twice("dp=partial(sum), tp=partial(sum)"), "");
  EXPECT_EQ(twice("tp=partial(sum)"),
            "program 'main' step 1 (op.1): rule 4: takes layout "
            "'dp=partial(sum)' to '', but its source has layout ''");
}

TEST(VerifyPlan, rule_4_results_are_written) {
  EXPECT_EQ(refusal([](auto &p) { p.results[0]->view = view(384, 120); }),
            "program 'main': rule 4: result '' reads bytes [440, 504) that "
            "nothing has written");
  EXPECT_EQ(refusal([](auto &p) {
              p.steps.pop_back();
              p.collectives.clear();
            }),
            "program 'main': rule 4: result '' reads bytes [320, 440) that "
            "nothing has written");
}

TEST(VerifyPlan, rule_2_parts_of_buffers_belong_together) {
  // The kernel should read a place of its own.
  EXPECT_EQ(Builder()
                .input({32}, "", 0, 128)
                .kernel({V(64, 64)}, {V(128, 64)})
                .result({16}, "", 128, 64)
                .verify(),
            "program 'main' step 0 (kernel0): rule 2: reads bytes [64, 128), a "
            "part of the buffer [0, 128) of the inputs that is not read part "
            "by part");
  EXPECT_NE(Builder()
                .input({32}, "", 0, 128)
                .kernel({V(0, 128)}, {V(128, 64)})
                .kernel({V(128, 64), V(0, 64), V(64, 64)}, {V(256, 64)})
                .result({16}, "", 256, 64)
                .verify()
                .find("step 1 (kernel0): rule 2: reads bytes [0, 64), a part"),
            std::string::npos);
}

TEST(VerifyPlan, rule_4_no_step_is_in_vain) {
  EXPECT_EQ(Builder()
                .input({32}, "", 0, 128)
                .copy(0, 128, 128)
                .copy(0, 256, 128)
                .result({32}, "", 256, 128)
                .verify(),
            "program 'main' step 0 (copy): rule 4: writes bytes [128, 256), "
            "which nothing reads");
}

TEST(VerifyPlan, takes_little_time_for_many_steps) {
  constexpr uint64_t count = 100000;
  Builder long_;
  long_.input({16}, "", 0, 64);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t from = i ? 64 * (1 + i % 1000) : 0;
    uint64_t to = 64 * (1 + (i + 1) % 1000);
    if (i % 10 == 0)
      long_.collective(CollectiveKind::all_reduce, {"tp"}, {16},
                       "tp=partial(sum)", "", -1, -1, V(from, 64), V(to, 64));
    else
      long_.kernel({V(from, 64)}, {V(to, 64)});
  }
  long_.program->inputs[0]->layout = "tp=partial(sum)";
  long_.peak(192).result({16}, "", 64, 64);
  PlanFile file;
  file.plan.kernels.push_back(std::make_unique<schema::KernelT>());
  file.plan.programs.push_back(std::move(long_.program));
  auto begin = std::chrono::steady_clock::now();
  Status status = verifyPlan(file);
  std::chrono::duration<double, std::milli> spent =
      std::chrono::steady_clock::now() - begin;
  EXPECT_TRUE(bool(status)) << status.message();
  std::cout << count << " steps verified in " << spent.count() << " ms\n";
  EXPECT_LT(spent.count(), 5000);
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

/// An input of 8x8 over dp is gathered on queue 1 while a kernel makes another
/// result of the input. The gather reads [0, 128) and writes [128, 384).
Builder startedGather() {
  Builder builder;
  builder.input({8, 8}, "dp=shard(0)", 0, 128)
      .kernel({V(0, 128)}, {V(512, 128)})
      .start(0, 1)
      .collective(CollectiveKind::all_gather, {"dp"}, {8, 8}, "dp=shard(0)", "",
                  0, -1, V(512, 128), V(128, 256));
  return builder;
}

TEST(VerifyPlan, a_started_collective_is_waited_for) {
  EXPECT_EQ(startedGather()
                .kernel({V(0, 128)}, {V(640, 128)})
                .wait(0)
                .result({8, 8}, "", 128, 256)
                .result({8, 8}, "dp=shard(0)", 640, 128)
                .peak(640)
                .verify(),
            "");
}

TEST(VerifyPlan, what_a_queue_writes_is_not_read_before_the_wait) {
  EXPECT_EQ(startedGather()
                .kernel({V(128, 256)}, {V(640, 128)})
                .wait(0)
                .result({8, 8}, "", 128, 256)
                .result({8, 8}, "dp=shard(0)", 640, 128)
                .peak(640)
                .verify(),
            "program 'main' step 3 (kernel0): rule 2: reads bytes [128, 384), "
            "which another queue is writing");
}

TEST(VerifyPlan, what_a_queue_uses_is_not_written_before_the_wait) {
  EXPECT_EQ(startedGather()
                .kernel({V(0, 128)}, {V(512, 128)})
                .wait(0)
                .result({8, 8}, "", 128, 256)
                .result({8, 8}, "dp=shard(0)", 512, 128)
                .peak(512)
                .verify(),
            "program 'main' step 3 (kernel0): rule 2: writes bytes [512, 640), "
            "which another queue is reading");
  EXPECT_EQ(startedGather()
                .kernel({V(0, 128)}, {V(256, 128)})
                .wait(0)
                .result({8, 8}, "", 128, 256)
                .result({8, 8}, "dp=shard(0)", 256, 128)
                .peak(512)
                .verify(),
            "program 'main' step 3 (kernel0): rule 2: writes bytes [256, 384), "
            "which another queue is writing");
}

TEST(VerifyPlan, what_a_queue_reads_counts_as_live_until_the_wait) {
  EXPECT_EQ(startedGather()
                .kernel({V(0, 128)}, {V(640, 128)})
                .wait(0)
                .result({8, 8}, "", 128, 256)
                .result({8, 8}, "dp=shard(0)", 640, 128)
                .peak(512)
                .verify(),
            "program 'main' step 3 (kernel0): rule 3: 640 bytes are live at "
            "once, but the header says peak_bytes 512");
}

TEST(VerifyPlan, starts_and_waits_that_do_not_pair_are_refused) {
  EXPECT_EQ(startedGather().validate(),
            "program 'main': nothing waits for event 0");
  EXPECT_EQ(startedGather().wait(0).wait(0).validate(),
            "program 'main' step 4: waits for event 0, which is not under way");
  EXPECT_EQ(startedGather().wait(7).validate(),
            "program 'main' step 3: waits for event 7, which is not under way");
  EXPECT_EQ(startedGather().start(0, 1).wait(0).validate(),
            "program 'main' step 3: starts event 0 a second time");
  EXPECT_EQ(startedGather().start(1, 1, 2).wait(0).validate(),
            "program 'main' step 3: hands steps to queue 2, there is queue 1");
  EXPECT_EQ(startedGather().start(1, 2).wait(0).validate(),
            "program 'main' step 3: hands over 2 steps, 1 follow");
  EXPECT_EQ(startedGather().start(1, 0).wait(0).validate(),
            "program 'main' step 3: hands over 0 steps, 1 follow");
  EXPECT_EQ(startedGather()
                .start(1, 1)
                .kernel({V(0, 128)}, {V(640, 128)})
                .wait(0)
                .validate(),
            "program 'main' step 4: is no collective, and handed to another "
            "queue");
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

/// An input at 0 is copied to the carried buffer at 128; each iteration makes a
/// value at 256 of both, and carries it.
Builder carryingLoop() {
  Builder builder;
  builder.input({8, 8}, "dp=shard(0)", 0, 128)
      .copy(0, 128, 128)
      .loop(0, 10, 2, {V(128, 128)})
      .kernel({V(0, 128), V(128, 128)}, {V(256, 128)})
      .copy(256, 128, 128);
  return builder;
}

TEST(VerifyPlan, a_loop_carries_its_buffer) {
  EXPECT_EQ(
      carryingLoop().result({8, 8}, "dp=shard(0)", 128, 128).peak(384).verify(),
      "");
}

TEST(VerifyPlan, what_a_loop_uses_again_is_not_overwritten_in_it) {
  // A buffer from before is dead after its read, if there were no second
  // iteration.
  EXPECT_EQ(Builder()
                .input({8, 8}, "dp=shard(0)", 0, 128)
                .kernel({V(0, 128)}, {V(384, 128)})
                .copy(0, 128, 128)
                .loop(0, 10, 3, {V(128, 128)})
                .kernel({V(384, 128), V(128, 128)}, {V(256, 128)})
                .kernel({V(256, 128)}, {V(384, 128)})
                .copy(384, 128, 128)
                .result({8, 8}, "dp=shard(0)", 128, 128)
                .peak(512)
                .verify(),
            "program 'main' step 2 (loop 0): rule 2: reads bytes [384, 512) in "
            "every iteration, and overwrites them");
}

/// A condition at 64 decides which kernel makes the value at 128.
Builder twoWays(uint64_t otherTarget) {
  Builder builder;
  builder.input({4}, "", 0, 16)
      .kernel({V(0, 16)}, {V(64, 1)})
      .branch(V(64, 1), 1, 1, {V(128, 16)})
      .kernel({V(0, 16)}, {V(128, 16)})
      .kernel({V(0, 16)}, {V(otherTarget, 16)})
      .result({4}, "", 128, 16);
  return builder;
}

TEST(VerifyPlan, both_ways_of_a_branch_leave_the_result) {
  EXPECT_EQ(twoWays(128).peak(128).verify(), "");
  EXPECT_EQ(
      twoWays(192).peak(128).verify(),
      "program 'main' step 1 (branch): rule 4: leaves bytes [128, 144) in "
      "one way only");
}

TEST(VerifyPlan, loops_and_branches_that_do_not_nest_are_refused) {
  auto refused = [](Builder builder) { return builder.validate(); };
  EXPECT_EQ(refused(std::move(Builder().loop(0, 0, 0))),
            "program 'main' step 0: runs 0 times");
  EXPECT_EQ(refused(std::move(Builder().loop(0, 2, 1))),
            "program 'main' step 0: takes 1 steps, 0 follow");
  EXPECT_EQ(refused(std::move(Builder().loop(0, 2, 0).loop(0, 2, 0))),
            "program 'main' step 1: a second loop 0");
  // The inner loop reaches out of the outer one.
  EXPECT_EQ(refused(std::move(
                Builder().loop(0, 2, 1).loop(1, 2, 1).kernel({}, {V(0, 16)}))),
            "program 'main' step 1: takes 1 steps, 0 follow");
  EXPECT_EQ(refused(std::move(Builder().branch(V(0, 1), 1, 0))),
            "program 'main' step 0: takes 1 steps, 0 follow");
  EXPECT_EQ(refused(std::move(Builder().branch(V(0, 4), 0, 0))),
            "program 'main' step 0: its condition has 4 bytes instead of 1");
  EXPECT_EQ(refused(std::move(Builder().kernel({}, {V(0, 16)}).counted(0))),
            "program 'main' step 0: counts by loop 0, which is not around it");
  Builder deep;
  for (uint32_t i = 0; i < 100; ++i)
    deep.loop(i, 2, 99 - i);
  EXPECT_EQ(deep.validate(),
            "program 'main' step 64: nests loops and branches deeper than 64");
}

} // namespace
