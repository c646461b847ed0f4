# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the package raises. Where one rank's failure ends the others, all of
them raise the same type with the same text."""

from __future__ import annotations


class DTensorError(Exception):
    """Base of all errors of this package.

    Attributes:
        code: the status of the C interface (1 to 8).
        rank: the rank that failed first, or -1 where it is no single rank's.
    """

    code = 8

    def __init__(self, message: str, rank: int = -1):
        super().__init__(message)
        self.rank = rank


class InvalidArgumentError(DTensorError, ValueError):
    """A value that the call cannot take; the text says which, and the limit."""

    code = 1


class NotSupportedError(DTensorError, NotImplementedError):
    """Right, but not something that this version does."""

    code = 2


class MismatchError(DTensorError):
    """Ranks disagree about what they call, or about what they hold."""

    code = 3


class RankFailedError(DTensorError):
    """Another rank failed, or left the program."""

    code = 4


class RankTimeoutError(DTensorError):
    """A rank did not come before the deadline (seconds: `timeout` of spmd)."""

    code = 5


class OutOfMemoryError(DTensorError, MemoryError):
    """Memory could not be allocated."""

    code = 6


class IoError(DTensorError):
    """A file, a library, or the launcher's environment."""

    code = 7


class InternalError(DTensorError):
    """A mistake in this package; please report it."""

    code = 8


BY_CODE = {
    error.code: error
    for error in (
        InvalidArgumentError,
        NotSupportedError,
        MismatchError,
        RankFailedError,
        RankTimeoutError,
        OutOfMemoryError,
        IoError,
        InternalError,
    )
}
