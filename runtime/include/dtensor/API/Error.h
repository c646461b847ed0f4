// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one exception that the DTensor API throws.
#ifndef DTENSOR_API_ERROR_H
#define DTENSOR_API_ERROR_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace dtensor {

/// Why a call failed. The numbers are those of the C interface.
enum class ErrorCode : int32_t {
  InvalidArgument = 1, ///< a value that the call cannot take
  NotSupported = 2,    ///< right, but not something that this version does
  Mismatch = 3,        ///< ranks disagree about what they call, or hold
  RankFailed = 4,      ///< another rank failed, or left the program
  Timeout = 5,         ///< a rank did not come before the deadline
  OutOfMemory = 6,
  Io = 7, ///< a file, a library or the launcher's environment
  Internal = 8
};

/// "InvalidArgument", "RankFailed", ...
const char *errorCodeName(ErrorCode code);

/// Thrown by every function of the API. The text says which value was refused
/// and what to do; where one rank's failure ends the others, it is the same
/// text on all of them.
class DTensorError : public std::runtime_error {
public:
  DTensorError(ErrorCode code, const std::string &text, int64_t rank = -1)
      : std::runtime_error(text), errorCode(code), failedRank(rank) {}

  ErrorCode code() const { return errorCode; }
  /// The rank that failed first, or -1 where the error is no single rank's.
  int64_t rank() const { return failedRank; }

private:
  ErrorCode errorCode;
  int64_t failedRank;
};

} // namespace dtensor

#endif // DTENSOR_API_ERROR_H
