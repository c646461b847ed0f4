// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the libraries lie that are loaded on demand.
#ifndef DTRT_LIB_DATA_NEIGHBOURFILE_H
#define DTRT_LIB_DATA_NEIGHBOURFILE_H

#include <string>
#include <vector>

namespace dtrt {

/// Paths at which `library` may lie, in the order of preference: beside the
/// library that this code is part of, and in ../lib of the executable.
std::vector<std::string> neighbourPaths(const std::string &library);

} // namespace dtrt

#endif // DTRT_LIB_DATA_NEIGHBOURFILE_H
