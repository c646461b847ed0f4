// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C interface: plans of redistributions, and compiled programs.
#include "CAPI/Handles.h"

#include <charconv>

using namespace dtensor;
using namespace dtensor::capi;

namespace {

/// The shortest text that reads back as `value`.
std::string number(double value) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, end.ptr);
}

/// Names here are identifiers and layouts: nothing to escape but quotes.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string toJson(const Mesh &mesh, const RedistributionPlan &plan,
                   const Topology &topology) {
  std::string out = "{\"steps\":[";
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const RedistributionStep &step = plan.steps[i];
    out += std::string(i ? "," : "") +
           "{\"op\":" + quoted(stepKindName(step.kind)) + ",\"axes\":[";
    for (size_t k = 0; k < step.axes.size(); ++k)
      out += (k ? "," : "") + quoted(printAxisRef(mesh, step.axes[k]));
    out += "],\"layout\":" + quoted(printLayout(mesh, step.to)) +
           ",\"recv_bytes_max\":" + std::to_string(step.recvBytesMax) +
           ",\"send_bytes_max\":" + std::to_string(step.sendBytesMax) +
           ",\"peak_bytes\":" + std::to_string(step.peakBytes) +
           ",\"time_us\":" + number(step.timeUs) + "}";
  }
  return out + "],\"topology\":{\"name\":" + quoted(topology.name) +
         ",\"hash\":" + quoted(topologyHash(topology)) + "}" +
         ",\"recv_bytes_max\":" + std::to_string(plan.recvBytesMax) +
         ",\"recv_bytes_avg\":" + number(plan.recvBytesAvg) +
         ",\"lower_bound_bytes_max\":" +
         (plan.lowerBoundBytesMax < 0
              ? "null"
              : std::to_string(plan.lowerBoundBytesMax)) +
         ",\"time_us\":" + number(plan.timeUs) +
         ",\"peak_bytes\":" + std::to_string(plan.peakBytes) +
         ",\"checked\":true}";
}

template <typename T> T unwrapped(Expected<T> value) {
  if (!value)
    throw DTensorError(ErrorCode::InvalidArgument, value.error().message);
  return std::move(*value);
}

void fill(const ProgramPort &port, dtensorPort *out) {
  out->name = port.name.c_str();
  out->type = static_cast<int32_t>(port.dtype);
  out->shape = port.shape.data();
  out->ndim = port.shape.size();
  out->layout = port.layout.c_str();
  out->requiresGrad = port.requiresGrad;
  out->isSet = 0;
}

const ProgramPort &portAt(const std::vector<ProgramPort> &ports, size_t index,
                          const char *what) {
  if (index < ports.size())
    return ports[index];
  throw DTensorError(ErrorCode::InvalidArgument,
                     std::string("there is no ") + what + " " +
                         std::to_string(index) + "; there are " +
                         std::to_string(ports.size()));
}

} // namespace

dtensorStatus dtensorPlan(const char *mesh, const int64_t *shape, size_t ndim,
                          int32_t type, const char *from, const char *to,
                          const char *topology, const char *objective,
                          int64_t memoryLimit, dtensorTextSink sink,
                          void *user) {
  return guard([&] {
    need(reinterpret_cast<const void *>(sink), "sink");
    RedistributionRequest request;
    request.mesh = unwrapped(parseMesh(need(mesh, "mesh")));
    request.shape = toList(shape, ndim, "shape");
    for (int64_t extent : request.shape)
      if (extent < 0)
        throw DTensorError(ErrorCode::InvalidArgument,
                           "negative extent " + std::to_string(extent));
    request.type = toType(type);
    int rank = static_cast<int>(ndim);
    request.from =
        unwrapped(parseLayout(request.mesh, rank, need(from, "from")));
    request.to = unwrapped(parseLayout(request.mesh, rank, need(to, "to")));
    request.topology =
        unwrapped(parseTopology(topology ? topology : "builtin:threads"));
    request.memoryLimit = memoryLimit;
    std::string goal = objective ? objective : "time";
    if (goal != "time" && goal != "bytes")
      throw DTensorError(ErrorCode::InvalidArgument,
                         "objective '" + goal + "' is neither time nor bytes");
    request.objective = goal == "time" ? Objective::Time : Objective::Bytes;
    RedistributionPlan plan = unwrapped(planRedistribution(request));
    if (Status status = checkRedistribution(request, plan); !status)
      throw DTensorError(ErrorCode::Internal, status.message());
    std::string json = toJson(request.mesh, plan, request.topology);
    sink(json.data(), json.size(), user);
  });
}

dtensorStatus dtensorProgramLoad(const char *path, const char *entry,
                                 dtensorProgram *program) {
  return guard([&] {
    need(program, "program");
    *program = new dtensorProgramHandle{
        Program::load(need(path, "path"), entry ? entry : "")};
  });
}

dtensorStatus dtensorProgramFromBytes(const void *data, size_t size,
                                      const char *name, const char *entry,
                                      dtensorProgram *program) {
  return guard([&] {
    need(program, "program");
    *program = new dtensorProgramHandle{Program::fromBytes(
        need(data, "data"), size, name ? name : "plan", entry ? entry : "")};
  });
}

void dtensorProgramRelease(dtensorProgram program) { delete program; }

const char *dtensorProgramName(dtensorProgram program) {
  return program->program.name().c_str();
}

dtensorStatus dtensorProgramMesh(dtensorProgram program, dtensorMesh *mesh) {
  return guard([&] {
    need(mesh, "mesh");
    *mesh =
        new dtensorMeshHandle{need(program, "program")->program.deviceMesh()};
  });
}

size_t dtensorProgramNumInputs(dtensorProgram program) {
  return program->program.inputs().size();
}

size_t dtensorProgramNumResults(dtensorProgram program) {
  return program->program.results().size();
}

dtensorStatus dtensorProgramInput(dtensorProgram program, size_t index,
                                  dtensorPort *port) {
  return guard([&] {
    const Program &p = need(program, "program")->program;
    fill(portAt(p.inputs(), index, "input"), need(port, "port"));
    port->isSet = p.isSet(index);
  });
}

dtensorStatus dtensorProgramResult(dtensorProgram program, size_t index,
                                   dtensorPort *port) {
  return guard([&] {
    fill(portAt(need(program, "program")->program.results(), index, "result"),
         need(port, "port"));
  });
}

dtensorStatus dtensorProgramSet(dtensorProgram program, size_t input,
                                dtensorDTensor value) {
  return guard([&] {
    need(program, "program")->program.set(input, need(value, "value")->tensor);
  });
}

dtensorStatus dtensorProgramSetArray(dtensorProgram program, size_t input,
                                     dtensorArray value) {
  return guard([&] {
    need(program, "program")->program.set(input, need(value, "value")->array);
  });
}

dtensorStatus dtensorProgramCall(dtensorProgram program,
                                 const dtensorDTensor *inputs,
                                 dtensorDTensor *results) {
  return guard([&] {
    const Program &p = need(program, "program")->program;
    std::map<size_t, DTensor> given;
    for (size_t i = 0; i < p.inputs().size(); ++i)
      if (inputs && inputs[i])
        given.emplace(i, inputs[i]->tensor);
    std::vector<DTensor> made = p.call(given);
    if (!made.empty())
      need(results, "results");
    for (size_t i = 0; i < made.size(); ++i)
      results[i] = new dtensorTensorHandle{made[i]};
  });
}
