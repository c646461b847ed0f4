/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Imports a function that kernels may not call: must be refused.
 */
#include <stdint.h>

int system(const char *command);

void call_system(void *const *buffers, const int64_t *extents) {
  system((const char *)buffers[0]);
}
