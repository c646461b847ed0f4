/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Distributed tensors in C: the rows of a matrix on four ranks, then its
 * columns.
 */
#include <dtensor-c/Runtime.h>

#include <stdio.h>

static int32_t run(void *unused) {
  const int64_t ranks = 4, shape[] = {8, 6};
  const char *names[] = {"x"};
  float values[48];
  dtensorMesh mesh = NULL;
  dtensorArray array = NULL, part = NULL;
  dtensorDTensor rows = NULL, columns = NULL;
  const dtensorPlacements by_rows = {NULL, 0, "x=shard(0)"};
  const dtensorPlacements by_columns = {NULL, 0, "x=shard(1)"};
  int32_t status;

  (void)unused;
  for (int i = 0; i < 48; ++i)
    values[i] = (float)i;
  /* What fails first ends the rank, and with it the others. */
  (void)((status = dtensorInitDeviceMesh("cpu", &ranks, 1, names, &mesh)) ||
         (status = dtensorArrayWrap(values, DTENSOR_F32, shape, 2, NULL, NULL,
                                    &array)) ||
         (status = dtensorDistributeTensor(array, mesh, &by_rows, 0, &rows)) ||
         (status = dtensorRedistribute(rows, NULL, &by_columns, 0, &columns)) ||
         (status = dtensorToLocal(columns, &part)));
  if (status == DTENSOR_OK) {
    int64_t rank = 0, extents[2];
    dtensorWorldRank(&rank);
    dtensorArrayShape(part, extents);
    if (rank == 0)
      printf("%s: rank 0 holds %lldx%lld, its last element is %g\n",
             dtensorText(columns), (long long)extents[0], (long long)extents[1],
             ((const float *)dtensorArrayData(part))[15]);
  }
  dtensorArrayRelease(part);
  dtensorRelease(columns);
  dtensorRelease(rows);
  dtensorArrayRelease(array);
  dtensorMeshRelease(mesh);
  return status;
}

int main(void) {
  if (dtensorSpmd(4, run, NULL, NULL) != DTENSOR_OK) {
    fprintf(stderr, "error: %s\n", dtensorLastMessage());
    return 1;
  }
  return 0;
}
