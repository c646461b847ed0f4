// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From two layouts to a routine: the planner says which steps, the executor's
// preparation what this rank does in each. Nothing here picks collectives.
#include "API/TensorState.h"

#include "Plan/Xxh64.h"
#include "dtensor/Planner/LayoutOps.h"
#include "dtensor/Planner/MeshChange.h"

#include <algorithm>

using namespace dtensor;

PlanCache &dtensor::planCache() {
  static auto *cache = new PlanCache; // ranks may outlive main
  return *cache;
}

Backend dtensor::backendOf(const World &world) {
  return world.ranksAreThreads ? Backend::Threads : Backend::Mpi;
}

namespace {

bool communicates(const RedistributionPlan &plan) {
  for (const RedistributionStep &step : plan.steps)
    if (isCollective(step.kind) && totalSize(step.axes) > 1)
      return true;
  return false;
}

RedistributionRequest makeRequest(const MeshState &mesh, const TensorSpec &from,
                                  const TensorSpec &to) {
  const World &world = *mesh.context->world;
  RedistributionRequest request;
  request.mesh = mesh.grid;
  request.shape = from.shape;
  request.type = from.type;
  request.from = dataLayout(from.layout);
  request.to = dataLayout(to.layout);
  request.topology = world.topology;
  request.backend = backendOf(world);
  return request;
}

/// A routine that follows the plan of `request` on the ranks of `mesh`.
std::shared_ptr<Routine> followPlan(const MeshState &mesh,
                                    const RedistributionRequest &request,
                                    std::shared_ptr<const Call> call) {
  PlanCache::Answer plan = planCache().plan(request);
  if (!*plan)
    throw DTensorError(ErrorCode::InvalidArgument, plan->error().message);
  // The mesh outlives its routines, which it keeps.
  auto prepare = [&mesh, request, plan] {
    Routine::Steps steps;
    appendSteps(mesh, request, **plan, "redistribute", steps);
    return steps;
  };
  return std::make_shared<Routine>(*mesh.context, mesh.channel, mesh.ranks,
                                   std::move(call), (*plan)->steps.size(),
                                   communicates(**plan), std::move(prepare));
}

/// What this rank does in an exchange between meshes.
Routine::Steps exchangeSteps(const MeshState &source,
                             const MeshExchange &exchange, ElementType type,
                             uint64_t key) {
  Routine::Steps steps;
  if (exchange.reduction)
    appendSteps(source, exchange.reduction->request, exchange.reduction->plan,
                "redistribute", steps);
  const std::vector<int64_t> &devices = exchange.devices;
  auto found =
      std::lower_bound(devices.begin(), devices.end(), source.context->rank);
  if (found == devices.end() || *found != source.context->rank)
    return steps;
  auto me = static_cast<size_t>(found - devices.begin());
  int64_t bytes = elementBytes(type);
  dtrt::PreparedCollective out;
  // The exchange is the last step of the plan.
  out.step = static_cast<int64_t>(exchange.plan.steps.size()) - 1;
  out.name = "redistribute.exchange";
  out.type = type;
  out.rank = source.context->rank;
  out.myIndex = static_cast<int>(me);
  out.group = devices;
  out.key = key;
  if (exchange.held[me])
    out.sourceBytes = exchange.held[me]->numElements() * bytes;
  if (exchange.wanted[me])
    out.targetBytes = exchange.wanted[me]->numElements() * bytes;
  for (const Transfer &transfer : exchange.transfers[me]) {
    dtrt::StridedLoop loop(
        transfer.box, {*exchange.held[transfer.source], *exchange.wanted[me]},
        bytes);
    if (transfer.source != static_cast<int64_t>(me))
      out.recvBytes += loop.totalBytes();
    out.copies.push_back({static_cast<int>(transfer.source), std::move(loop)});
  }
  steps.push_back(std::move(out));
  return steps;
}

/// Between meshes of the same or of other ranks; `to` has no partials.
std::shared_ptr<Routine> crossMeshes(MeshState &source, const TensorSpec &from,
                                     const MeshState &target,
                                     const TensorSpec &to) {
  RankContext &context = *source.context;
  std::string text =
      "redistribute of " + from.text + " to " + to.text + " between meshes";
  std::string key = text + "|" + source.key + "|" + target.key;
  {
    std::lock_guard<std::mutex> lock(context.routinesMutex);
    auto known = context.routines.find(key);
    if (known != context.routines.end())
      return known->second;
  }
  MeshChangeRequest request;
  request.source = {source.grid, source.ranks};
  request.target = {target.grid, target.ranks};
  request.shape = from.shape;
  request.type = from.type;
  request.from = dataLayout(from.layout);
  request.to = dataLayout(to.layout);
  request.topology = context.world->topology;
  request.backend = backendOf(*context.world);
  std::shared_ptr<const Call> call = Call::make(text);
  std::shared_ptr<Routine> made;
  // A routine may outlive both meshes' handles, but not the rank.
  std::shared_ptr<MeshState> kept = source.shared_from_this();
  if (std::optional<RedistributionRequest> one = asOneMesh(request)) {
    made = source.routine(text, [&] { return followPlan(source, *one, call); });
  } else {
    auto exchange =
        std::make_shared<MeshExchange>(unwrap(planMeshExchange(request)));
    // A channel for each way between two meshes: what goes one way need not
    // wait for what comes the other.
    std::string way = source.key + " -> " + target.key;
    made = std::make_shared<Routine>(
        context, dtrt::xxh64(way.data(), way.size()) | 1, exchange->devices,
        call, exchange->plan.steps.size(), exchange->devices.size() > 1,
        [kept, exchange, type = from.type, hash = call->hash] {
          return exchangeSteps(*kept, *exchange, type, hash);
        });
  }
  std::lock_guard<std::mutex> lock(context.routinesMutex);
  return context.routines.emplace(key, made).first->second;
}

} // namespace

void dtensor::appendSteps(const MeshState &mesh,
                          const RedistributionRequest &request,
                          const RedistributionPlan &plan,
                          const std::string &name, Routine::Steps &steps) {
  if (mesh.me < 0)
    return;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    auto prepared = dtrt::prepareStep(request, plan.steps[i], mesh.me,
                                      static_cast<int64_t>(i));
    if (!prepared)
      throw DTensorError(ErrorCode::Internal, prepared.error().message);
    prepared->name = name + "." + prepared->name;
    placeOnWorld(*prepared, mesh.ranks);
    steps.push_back(std::move(*prepared));
  }
}

std::shared_ptr<Routine>
MeshState::routine(const std::string &call,
                   const std::function<std::shared_ptr<Routine>()> &make) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto known = routines.find(call);
    if (known != routines.end())
      return known->second;
  }
  std::shared_ptr<Routine> made = make();
  std::lock_guard<std::mutex> lock(mutex);
  return routines.emplace(call, std::move(made)).first->second;
}

std::shared_ptr<Routine> MeshState::redistribution(const TensorSpec &from,
                                                   const TensorSpec &to) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto known = redistributions.find({&from, &to});
    if (known != redistributions.end())
      return known->second;
  }
  // By what the layouts mean, so that ranks which write one layout in two ways
  // still prepare the same routine once.
  std::string text = "redistribute of " + from.text + " to " + to.text;
  std::shared_ptr<Routine> made = routine(text, [&] {
    return followPlan(*this, makeRequest(*this, from, to), Call::make(text));
  });
  std::lock_guard<std::mutex> lock(mutex);
  return redistributions.emplace(SpecPair(&from, &to), made).first->second;
}

//===----------------------------------------------------------------------===//
// DTensor::redistribute
//===----------------------------------------------------------------------===//

static DTensor runRoutine(const DTensor &source, const DeviceMesh &mesh,
                          std::shared_ptr<const TensorSpec> spec,
                          const std::shared_ptr<Routine> &routine, bool async) {
  std::shared_ptr<const TensorState> from = source.impl();
  if (routine->isEmpty())
    return DTensor(std::make_shared<TensorState>(mesh, std::move(spec),
                                                 from->local, from->pending));
  Array target = spec->box ? allocateLocal(*spec) : Array();
  if (!async || !routine->communicates()) {
    from->wait();
    routine->run(from->local, target);
    return makeTensor(mesh, std::move(spec), std::move(target));
  }
  // The task keeps the routine through the mesh, and the source's memory.
  std::shared_ptr<Pending> pending =
      routine->start(from->local, target, [from, mesh] { from->wait(); });
  return DTensor(std::make_shared<TensorState>(mesh, std::move(spec),
                                               std::move(target), pending));
}

DTensor DTensor::redistribute(const Placements &placements,
                              const RedistributeOptions &options) const {
  const TensorSpec &from = *state->spec;
  MeshState &mesh = *state->mesh.impl();
  std::shared_ptr<const TensorSpec> to =
      mesh.spec(from.shape, from.type, from.requiresGrad, placements);
  if (to->layout == from.layout)
    return DTensor(std::make_shared<TensorState>(state->mesh, to, state->local,
                                                 state->pending));
  std::shared_ptr<Routine> routine = mesh.redistribution(from, *to);
  return runRoutine(*this, state->mesh, std::move(to), routine,
                    options.asyncOp);
}

DTensor DTensor::redistribute(const DeviceMesh &deviceMesh,
                              const Placements &placements,
                              const RedistributeOptions &options) const {
  if (deviceMesh == state->mesh)
    return redistribute(placements, options);
  const TensorSpec &from = *state->spec;
  MeshState &source = *state->mesh.impl(), &target = *deviceMesh.impl();
  if (source.context != target.context)
    throw DTensorError(ErrorCode::InvalidArgument,
                       "the mesh " + target.text() +
                           " is of another run or rank than the tensor's " +
                           source.text() +
                           "; make it in the same run, on every rank");
  std::shared_ptr<const TensorSpec> to =
      target.spec(from.shape, from.type, from.requiresGrad, placements);
  if (to->layout.partials.empty())
    return runRoutine(*this, deviceMesh, to,
                      crossMeshes(source, from, target, *to), options.asyncOp);
  // Boxes cross first; contributions are then made where they lie.
  Layout whole = to->layout;
  whole.partials.clear();
  std::shared_ptr<const TensorSpec> between =
      target.spec(from.shape, from.type, from.requiresGrad,
                  Placements::ordered(toOrdered(target.grid, whole)));
  DTensor arrived =
      runRoutine(*this, deviceMesh, between,
                 crossMeshes(source, from, target, *between), options.asyncOp);
  return arrived.redistribute(placements, options);
}
