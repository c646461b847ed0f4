// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries the shared precompiled header (Pch.h); nothing else.
