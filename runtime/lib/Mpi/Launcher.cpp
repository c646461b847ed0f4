// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out from the environment which launcher started this process.
#include "dtrt/MpiRanks.h"

#include <cerrno>
#include <cstdlib>

using namespace dtrt;

namespace {

struct Convention {
  Launcher::Kind kind;
  const char *rank, *size;
};

// MPICH's Hydra, and what follows its conventions, set the PMI variables.
constexpr Convention kConventions[] = {
    {Launcher::OpenMpi, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {Launcher::Mpich, "PMI_RANK", "PMI_SIZE"},
    {Launcher::Torchrun, "RANK", "WORLD_SIZE"},
};

Expected<int64_t> numberIn(const char *variable) {
  const char *text = std::getenv(variable);
  char *end = nullptr;
  errno = 0;
  long long value = std::strtoll(text, &end, 10);
  if (end == text || *end || errno || value < 0 || value > 1000000000)
    return Error{std::string("the environment variable ") + variable + " is '" +
                 text + "', not a number"};
  return static_cast<int64_t>(value);
}

} // namespace

Expected<Launcher> dtrt::detectLauncher() {
  Launcher found;
  for (const Convention &convention : kConventions) {
    bool hasRank = std::getenv(convention.rank) != nullptr;
    bool hasSize = std::getenv(convention.size) != nullptr;
    // RANK alone means nothing: many programs use a variable of that name.
    if (!hasSize && (!hasRank || convention.kind == Launcher::Torchrun))
      continue;
    // MPI's launchers come first: jobs under them often set torchrun's too.
    if (found.isMpi() && convention.kind == Launcher::Torchrun)
      break;
    if (!hasRank || !hasSize)
      return Error{std::string("the environment variable ") +
                   (hasRank ? convention.rank : convention.size) +
                   " is set, but " +
                   (hasRank ? convention.size : convention.rank) + " is not"};
    if (found.kind != Launcher::None)
      return Error{"the environment variables " + found.variable + " and " +
                   convention.size + " come from two different launchers"};
    Expected<int64_t> rank = numberIn(convention.rank);
    if (!rank)
      return rank.error();
    Expected<int64_t> size = numberIn(convention.size);
    if (!size)
      return size.error();
    if (*rank >= *size)
      return Error{std::string("the environment variable ") + convention.rank +
                   " is " + std::to_string(*rank) + ", but " + convention.size +
                   " is " + std::to_string(*size)};
    found = {convention.kind, *rank, *size, convention.size};
  }
  return found;
}
