// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled programs: a plan is loaded once per process, its program once per
// rank; a call copies inputs in, runs the steps, and copies results out.
#include "dtensor/API/Program.h"

#include "API/TensorState.h"

#include "Driver/Driver.h"
#include "Plan/Xxh64.h"
#include "dtrt/Executor.h"
#include "dtrt/PlanTypes.h"
#include "dtrt/Tensor.h"
#include "dtrt/VerifyPlan.h"

#include <cstring>
#include <fstream>
#include <iterator>

using namespace dtensor;

namespace {

DTensorError refuse(const std::string &text) {
  return DTensorError(ErrorCode::InvalidArgument, text);
}

/// A plan with its kernels, checked: shared by the ranks of a process.
struct LoadedPlan {
  dtrt::PlanFile file;
  std::unique_ptr<dtrt::KernelLibrary> kernels;
  uint64_t hash = 0;
};

std::shared_ptr<const LoadedPlan> loadPlan(const void *data, size_t size,
                                           const std::string &name) {
  static std::mutex mutex; // one rank loads, the others find it
  static auto *loaded =
      new std::map<std::pair<uint64_t, size_t>, std::weak_ptr<LoadedPlan>>;
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t hash = dtrt::xxh64(data, size);
  if (auto known = (*loaded)[{hash, size}].lock())
    return known;
  auto made = std::make_shared<LoadedPlan>();
  made->hash = hash;
  made->file =
      unwrap(dtrt::parsePlan(static_cast<const uint8_t *>(data), size, name));
  if (Status status = dtrt::verifyPlan(made->file); !status)
    throw refuse("plan '" + name + "': " + status.message());
  made->kernels = unwrap(dtrt::KernelLibrary::load(made->file));
  (*loaded)[{hash, size}] = made;
  return made;
}

bool overlaps(const dtrt::schema::View &a, const dtrt::schema::View &b) {
  return a.offset() < b.offset() + b.bytes() &&
         b.offset() < a.offset() + a.bytes();
}

/// True where a step of the program writes into `view`: an input there does
/// not survive a call.
bool isWritten(const dtrt::schema::ProgramT &program,
               const dtrt::schema::View &view) {
  for (const auto &call : program.kernel_calls)
    for (const dtrt::schema::View &written : call->writes)
      if (overlaps(written, view))
        return true;
  for (const auto &gemm : program.gemms)
    if (overlaps(*gemm->c, view))
      return true;
  for (const auto &copy : program.copies)
    if (overlaps(*copy->target, view))
      return true;
  for (const auto &collective : program.collectives)
    if (overlaps(*collective->target, view))
      return true;
  return false;
}

ProgramPort toPort(const dtrt::schema::TensorT &tensor) {
  return {tensor.name, dtrt::toElementType(tensor.type), tensor.shape,
          tensor.layout, tensor.requires_grad};
}

} // namespace

class dtensor::ProgramState {
public:
  std::string name;
  std::shared_ptr<const LoadedPlan> plan;
  std::optional<DeviceMesh> mesh;
  std::vector<ProgramPort> inputs, results;
  std::vector<std::shared_ptr<const TensorSpec>> inputSpecs, resultSpecs;
  std::vector<bool> isSet;
  /// Whether a call destroys what is in an input's place. Then the value is
  /// kept to be copied again; elsewhere the program's memory is where it lives.
  std::vector<bool> written;
  std::vector<std::optional<DTensor>> kept;
  std::shared_ptr<const Call> call;
  /// Null outside of the mesh. One call at a time uses its memory.
  std::shared_ptr<dtrt::RankProgram> program;
  std::mutex mutex;

  DTensor arrange(size_t input, const DTensor &value) const;
  void place(size_t input, const DTensor &value);
  void run();
};

/// `value` as the program wants it.
DTensor ProgramState::arrange(size_t input, const DTensor &value) const {
  const ProgramPort &port = inputs[input];
  if (value.shape() != port.shape || value.dtype() != port.dtype)
    throw refuse("input " + std::to_string(input) +
                 (port.name.empty() ? "" : " '" + port.name + "'") +
                 " of program '" + name + "' is " +
                 typeText(port.dtype, port.shape) + ", not " +
                 typeText(value.dtype(), value.shape()));
  return value.redistribute(*mesh, inputSpecs[input]->placements);
}

/// Copies an arranged input into the program's memory.
void ProgramState::place(size_t input, const DTensor &value) {
  if (!program)
    return;
  Array local = value.toLocal();
  if (local.bytes() > 0)
    std::memcpy(program->inputs()[input].data, local.data(),
                static_cast<size_t>(local.bytes()));
}

void ProgramState::run() {
  if (!program)
    return;
  const MeshState &state = *mesh->impl();
  RankContext &context = *state.context;
  runOnChannel(context, state.channel, state.ranks, [&](Agreement &all) {
    all.check(call);
    Channel &channel = context.channel(state.channel);
    dtrt::CommStats before = channel.communicator.stats();
    if (auto failure = program->run(channel.communicator)) {
      // Messages that are under way may still be written.
      if (!context.world->ranksAreThreads)
        context.keepForever(program);
      context.fail(*failure);
    }
    dtrt::CommStats after = channel.communicator.stats();
    for (size_t i = 0; i < after.collectives.size(); ++i)
      context.count(static_cast<StepKind>(i),
                    after.collectives[i] - before.collectives[i], 0);
    context.count(StepKind::Slice, 0, after.recvBytes - before.recvBytes);
  });
}

Program Program::load(const std::string &path, const std::string &entry) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw DTensorError(ErrorCode::Io,
                       path + ": cannot open: " + std::strerror(errno));
  std::string bytes((std::istreambuf_iterator<char>(stream)),
                    std::istreambuf_iterator<char>());
  if (stream.bad())
    throw DTensorError(ErrorCode::Io, path + ": cannot read");
  return fromBytes(bytes.data(), bytes.size(), path, entry);
}

Program Program::fromBytes(const void *data, size_t size,
                           const std::string &name, const std::string &entry) {
  std::shared_ptr<RankContext> context = RankContext::currentOrInitialize();
  auto state = std::make_shared<ProgramState>();
  state->plan = loadPlan(data, size, name);
  const dtrt::PlanFile &file = state->plan->file;
  size_t index = unwrap(dtrt::selectProgram(file.plan, entry));
  const dtrt::schema::ProgramT &program = *file.plan.programs[index];
  state->name = program.name;
  Mesh grid = unwrap(dtrt::toMesh(*program.mesh));
  if (grid.numRanks() > context->world->size)
    throw refuse("program '" + program.name + "' of " + name + " is for " +
                 std::to_string(grid.numRanks()) + " ranks (" +
                 printMesh(grid) + "), but " +
                 std::to_string(context->world->size) + " run");
  std::vector<int64_t> sizes, ranks;
  std::vector<std::string> names;
  for (const MeshAxis &axis : grid.axes()) {
    sizes.push_back(axis.size);
    names.push_back(axis.name);
  }
  for (int64_t at = 0; at < grid.numRanks(); ++at)
    ranks.push_back(grid.rankAt(at));
  state->mesh = DeviceMesh::create("cpu", sizes, ranks, names);
  MeshState &mesh = *state->mesh->impl();
  auto addPorts = [&](const auto &tensors, std::vector<ProgramPort> &ports,
                      auto &specs) {
    for (const auto &tensor : tensors) {
      ports.push_back(toPort(*tensor));
      const ProgramPort &port = ports.back();
      specs.push_back(mesh.spec(port.shape, port.dtype,
                                port.requiresGrad && isFloat(port.dtype),
                                Placements::parse(port.layout)));
    }
  };
  addPorts(program.inputs, state->inputs, state->inputSpecs);
  addPorts(program.results, state->results, state->resultSpecs);
  for (const auto &input : program.inputs)
    state->written.push_back(isWritten(program, *input->view));
  state->isSet.assign(state->inputs.size(), false);
  state->kept.resize(state->inputs.size());
  state->call = Call::make("program '" + program.name + "' of plan " +
                           std::to_string(state->plan->hash));
  if (mesh.me >= 0) {
    state->program = unwrap(
        dtrt::RankProgram::create(file, index, *state->plan->kernels, mesh.me));
    runOnChannel(*context, mesh.channel, mesh.ranks, [&](Agreement &all) {
      all.check(Call::make("load of " + state->call->text));
      dtrt::Communicator &communicator =
          context->channel(mesh.channel).communicator;
      if (Status status = state->program->attach(communicator); !status)
        context->fail(dtrt::Failure{dtrt::FailureCode::Setup, context->rank, -1,
                                    "load", status.message()});
    });
  }
  return Program(std::move(state));
}

const std::string &Program::name() const { return state->name; }
const DeviceMesh &Program::deviceMesh() const { return *state->mesh; }
const std::vector<ProgramPort> &Program::inputs() const {
  return state->inputs;
}
const std::vector<ProgramPort> &Program::results() const {
  return state->results;
}

size_t Program::inputNamed(const std::string &name) const {
  std::string known;
  for (size_t i = 0; i < state->inputs.size(); ++i) {
    const std::string &one = state->inputs[i].name;
    if (one == name || (one.empty() && std::to_string(i) == name))
      return i;
    known +=
        (known.empty() ? "" : ", ") + (one.empty() ? std::to_string(i) : one);
  }
  throw refuse("program '" + state->name + "' has no input '" + name +
               "'; it has " + (known.empty() ? "none" : known));
}

static void checkInput(const ProgramState &state, size_t input) {
  if (input < state.inputs.size())
    return;
  throw refuse("program '" + state.name + "' has no input " +
               std::to_string(input) + "; it has " +
               std::to_string(state.inputs.size()));
}

void Program::set(size_t input, const DTensor &value) {
  checkInput(*state, input);
  DTensor arranged = state->arrange(input, value);
  std::lock_guard<std::mutex> lock(state->mutex);
  state->place(input, arranged);
  state->isSet[input] = true;
  if (state->written[input])
    state->kept[input] = arranged;
}

void Program::set(size_t input, const Array &value) {
  DistributeTensorOptions everywhere;
  everywhere.srcDataRank = std::nullopt;
  checkInput(*state, input);
  set(input,
      distributeTensor(value, state->mesh, state->inputSpecs[input]->placements,
                       everywhere));
}

bool Program::isSet(size_t input) const {
  checkInput(*state, input);
  return state->isSet[input];
}

std::vector<DTensor>
Program::operator()(const std::vector<DTensor> &given) const {
  std::map<size_t, DTensor> byInput;
  size_t next = 0;
  for (size_t i = 0; i < state->inputs.size(); ++i)
    if (!state->isSet[i] && next < given.size())
      byInput.emplace(i, given[next++]);
  if (next < given.size())
    throw refuse("program '" + state->name + "' takes " + std::to_string(next) +
                 " inputs beside those that are set, " +
                 std::to_string(given.size()) + " are given");
  return call(byInput);
}

std::vector<DTensor>
Program::call(const std::map<size_t, DTensor> &given) const {
  auto portText = [&](size_t i) {
    const std::string &name = state->inputs[i].name;
    return "input " + std::to_string(i) +
           (name.empty() ? "" : " '" + name + "'") + " of program '" +
           state->name + "'";
  };
  for (const auto &entry : given) {
    checkInput(*state, entry.first);
    if (state->isSet[entry.first])
      throw refuse(portText(entry.first) +
                   " is set and stays so; set it again to change it");
  }
  std::map<size_t, DTensor> arranged;
  for (size_t i = 0; i < state->inputs.size(); ++i) {
    auto found = given.find(i);
    if (found != given.end())
      arranged.emplace(i, state->arrange(i, found->second));
    else if (!state->isSet[i])
      throw refuse(portText(i) + " is neither given nor set");
  }
  std::lock_guard<std::mutex> lock(state->mutex);
  for (const auto &[input, value] : arranged)
    state->place(input, value);
  for (size_t i = 0; i < state->inputs.size(); ++i)
    if (state->kept[i])
      state->place(i, *state->kept[i]);
  state->run();
  std::vector<DTensor> out;
  for (size_t i = 0; i < state->results.size(); ++i) {
    const auto &spec = state->resultSpecs[i];
    Array local = spec->box ? allocateLocal(*spec) : Array();
    if (local.bytes() > 0)
      std::memcpy(local.data(), state->program->results()[i].data,
                  static_cast<size_t>(local.bytes()));
    out.push_back(makeTensor(*state->mesh, spec, std::move(local)));
  }
  return out;
}
