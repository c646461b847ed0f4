// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole of dtensor-verify as a function.
#include "VerifyTool.h"

#include "dtrt/VerifyPlan.h"

using namespace dtrt;

static const char *const help =
    R"help(dtensor-verify: checks that the schedule of a plan file is correct

usage: dtensor-verify PLAN

rules, of which the first that is violated is named with its step:
  1  one order of communication: every collective is met once, by its group,
     with one kind, count, type and op
  2  no read of bytes that nothing has written, no write over a live buffer
  3  peak memory is what the plan says
  4  data flow: every rank ends with its boxes, contributions count once,
     every result is written

example:
  dtensor-compile model.mlir -o model.plan && dtensor-verify model.plan

exit codes: 0 all rules hold, 1 the plan was refused, 2 usage
)help";

static int complain(std::ostream &err, const std::string &message, int code) {
  err << "dtensor-verify: error: " << message << "\n";
  return code;
}

int dtrt::runVerifyTool(const std::vector<std::string> &args, std::ostream &out,
                        std::ostream &err) {
  std::string path;
  for (const std::string &arg : args) {
    if (arg == "--help" || arg == "-h") {
      out << help;
      return 0;
    }
    if (arg.size() > 1 && arg[0] == '-')
      return complain(err, "unknown flag '" + arg + "'; see --help", 2);
    if (!path.empty())
      return complain(err,
                      "takes one plan, but got '" + path + "' and '" + arg +
                          "'; see --help",
                      2);
    path = arg;
  }
  if (path.empty())
    return complain(err, "no plan is given; see --help", 2);
  Expected<PlanFile> file = readPlanFile(path);
  if (!file)
    return complain(err, file.error().message, 1);
  std::vector<ProgramSummary> summaries;
  if (Status status = verifyPlan(*file, &summaries); !status)
    return complain(err, "plan '" + path + "': " + status.message(), 1);
  for (const ProgramSummary &program : summaries)
    out << "program '" << program.name << "': " << program.steps << " steps, "
        << program.collectives << " collectives, peak " << program.peakBytes
        << " bytes: all rules hold\n";
  return 0;
}
