/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs code when loaded: must be refused.
 */
volatile int touched; /* else a compiler may run the constructor itself */
__attribute__((constructor)) static void touch(void) { touched = 1; }
