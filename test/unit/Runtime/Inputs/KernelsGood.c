/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels for tests, with the calling convention of compiled ones.
 */
#include <stdint.h>

float tanhf(float value);

/* buffers[1][i] = tanh(buffers[0][i]) for extents[0] elements. */
void apply_tanh(void *const *buffers, const int64_t *extents) {
  const float *from = (const float *)buffers[0];
  float *to = (float *)buffers[1];
  for (int64_t i = 0; i < extents[0]; ++i)
    to[i] = tanhf(from[i]);
}
