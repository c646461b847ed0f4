// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes programs of a plan: loading resolves every step to addresses and
// prepared collectives, running walks an array.
#ifndef DTRT_EXECUTOR_H
#define DTRT_EXECUTOR_H

#include "dtrt/Communicator.h"
#include "dtrt/Gemm.h"

#include <map>

namespace dtrt {

/// A compiled kernel: `buffers` are the views read, then those written.
using KernelFunction = void (*)(void *const *buffers, const int64_t *extents);

/// The kernels of a plan, loaded from memory. Shared by all ranks of a
/// process; must outlive their programs.
class KernelLibrary {
public:
  ~KernelLibrary();
  KernelLibrary(const KernelLibrary &) = delete;
  KernelLibrary &operator=(const KernelLibrary &) = delete;

  /// Refuses kernels for another CPU, objects that would run code when loaded
  /// or import what kernels may not, and missing symbols. A plan without
  /// kernels gives an empty library.
  static Expected<std::unique_ptr<KernelLibrary>> load(const PlanFile &file);

  /// By the index in Plan.kernels.
  KernelFunction function(uint32_t kernel) const { return functions[kernel]; }

private:
  KernelLibrary() = default;

  void *handle = nullptr;
  std::vector<KernelFunction> functions;
};

/// An input or result of a program, as one rank sees it.
struct RankTensor {
  std::string name;
  dtensor::ElementType type = dtensor::ElementType::F32;
  std::vector<int64_t> shape; ///< global
  dtensor::Layout layout;
  std::byte *data = nullptr; ///< the rank's box, dense
};

/// Microseconds that each step took, by position in the program.
using StepTimes = std::vector<double>;

/// When a step ran: microseconds of the steady clock.
struct StepEvent {
  size_t step = 0; ///< position in the program
  double startUs = 0, endUs = 0;
};

/// Steps [begin, end) of a program.
struct StepRange {
  size_t begin = 0, end = 0;
};
class StepQueue;

/// One rank's program with its memory.
class RankProgram {
public:
  ~RankProgram();
  RankProgram(const RankProgram &) = delete;
  RankProgram &operator=(const RankProgram &) = delete;

  /// Loads program number `program` for `rank` of its mesh. `file` must have
  /// passed validatePlan.
  static Expected<std::unique_ptr<RankProgram>>
  create(const PlanFile &file, size_t program, const KernelLibrary &kernels,
         int64_t rank);

  const dtensor::Mesh &mesh() const { return programMesh; }
  const std::vector<RankTensor> &inputs() const { return inputTensors; }
  const std::vector<RankTensor> &results() const { return resultTensors; }

  /// Bytes that this rank takes from others in the collective at `position`.
  int64_t receivedBytes(size_t position) const {
    return communications[steps[position].index].prepared.recvBytes;
  }

  /// Attaches the collectives, in the program's order, and starts the second
  /// queue of programs that use one.
  Status attach(Communicator &communicator);

  /// Runs all steps once. Inputs may be overwritten. With `times`, also
  /// measures every step (and adds to what is there); with `events`, appends
  /// when each ran.
  RunStatus run(Communicator &communicator, StepTimes *times = nullptr,
                std::vector<StepEvent> *events = nullptr);

private:
  /// An argument of a call that a loop counts: start + step * iteration.
  struct Counted {
    size_t argument = 0; ///< index in Call.extents
    uint32_t loop = 0;   ///< index in `loops`
    int64_t start = 0, step = 0;
  };
  struct Call {
    KernelFunction function = nullptr;
    std::vector<void *> buffers;
    std::vector<int64_t> extents;
    std::vector<Counted> counted;
  };
  struct CopyBytes {
    const std::byte *source = nullptr;
    std::byte *target = nullptr;
    size_t bytes = 0;
  };
  struct Product {
    GemmShape shape;
    const std::byte *a = nullptr, *b = nullptr;
    std::byte *c = nullptr;
  };
  struct Communication {
    PreparedCollective prepared;
    const std::byte *source = nullptr;
    std::byte *target = nullptr;
  };
  struct ResolvedStep {
    schema::StepKind kind = schema::StepKind::copy;
    uint32_t index = 0;
  };

  struct Start {
    StepRange range;
    uint64_t number = 0; ///< what to wait for, once handed over
  };
  struct Loop {
    uint32_t number = 0;
    uint64_t count = 0;
    StepRange body;
    int64_t iteration = 0; ///< of the present run
  };
  struct Branch {
    const std::byte *condition = nullptr;
    StepRange whenTrue, whenFalse;
  };
  /// What the present run uses.
  struct Recording {
    Communicator *communicator = nullptr;
    StepTimes *times = nullptr;
    std::vector<StepEvent> *events = nullptr;
    size_t lastStart = 0; ///< the position of the start under way
  };

  RankProgram(dtensor::Mesh mesh, int64_t rank);
  Status allocate(uint64_t bytes);
  Status
  resolveTensors(const std::vector<std::unique_ptr<schema::TensorT>> &tensors,
                 std::vector<RankTensor> &out);
  Status resolveStep(const schema::ProgramT &program, size_t position,
                     const KernelLibrary &kernels);
  Status resolveCall(const schema::KernelCallT &call,
                     const KernelLibrary &kernels);
  Status resolveGemm(const schema::GemmT &gemm);
  Status resolveCollective(const schema::CollectiveT &op, size_t position);
  void resolveControl(const schema::ProgramT &program, size_t position,
                      ResolvedStep &resolved);
  Expected<int64_t> localExtent(const schema::LocalExtentT &extent) const;
  RunStatus runStep(const ResolvedStep &step, Communicator &communicator);
  RunStatus runSteps(StepRange range, Communicator &communicator);
  RunStatus runControl(const ResolvedStep &step, Communicator &communicator);
  /// The step after `position` and those that belong to it.
  size_t stepAfter(size_t position) const;
  RunStatus startSteps(Start &start, Communicator &communicator);
  RunStatus runOnQueue(StepRange range);
  RunStatus measureStep(size_t position, Communicator &communicator,
                        std::vector<StepEvent> *events);
  std::byte *at(const schema::View &view) const { return slab + view.offset(); }

  dtensor::Mesh programMesh;
  int64_t rank;
  std::byte *slab = nullptr;
  std::vector<RankTensor> inputTensors, resultTensors;
  std::vector<ResolvedStep> steps;
  std::vector<Call> calls;
  std::vector<Product> products;
  std::vector<CopyBytes> copies;
  std::vector<Communication> communications;
  std::vector<Start> starts;
  std::map<uint32_t, uint32_t> startOf; ///< the start of each event
  std::vector<Loop> loops;
  std::vector<Branch> branches;

  Recording recording;
  /// Where the communicator runs on other threads, and there are starts.
  std::unique_ptr<StepQueue> queue;
  std::vector<StepEvent> queueEvents;
};

} // namespace dtrt

#endif // DTRT_EXECUTOR_H
