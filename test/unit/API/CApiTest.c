/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The C interface from C: every family of functions once, errors, and memory
 * that goes back to its owner.
 */
#include "dtensor-c/Runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("%s:%d: %s does not hold (%s)\n", __FILE__, __LINE__, #condition, \
             dtensorLastMessage());                                            \
      ++failures;                                                              \
    }                                                                          \
  } while (0)
#define EXPECT_OK(call) EXPECT((call) == DTENSOR_OK)

static int32_t rankMain(void *user) {
  int64_t rank = -1, size = -1;
  EXPECT_OK(dtensorWorldRank(&rank));
  EXPECT_OK(dtensorWorldSize(&size));
  EXPECT(size == 4);

  /* Meshes. */
  const int64_t grid[] = {2, 2};
  const char *names[] = {"dp", "tp"};
  dtensorMesh mesh = NULL, row = NULL, line = NULL;
  EXPECT_OK(dtensorInitDeviceMesh("cpu", grid, 2, names, &mesh));
  EXPECT(dtensorMeshNdim(mesh) == 2 && dtensorMeshSize(mesh) == 4);
  EXPECT(dtensorMeshHasNames(mesh) &&
         strcmp(dtensorMeshName(mesh, 1), "tp") == 0);
  EXPECT(strcmp(dtensorMeshText(mesh), "(dp=2,tp=2)") == 0);
  int64_t coordinate[2] = {-1, -1};
  EXPECT(dtensorMeshCoordinate(mesh, coordinate) == 1);
  EXPECT(coordinate[0] == rank / 2 && coordinate[1] == rank % 2);
  EXPECT_OK(dtensorMeshSlice(mesh, names + 1, 1, &row));
  int64_t ranks[2] = {-1, -1};
  dtensorMeshRanks(row, ranks);
  EXPECT(ranks[0] == rank / 2 * 2 && ranks[1] == rank / 2 * 2 + 1);
  EXPECT_OK(dtensorMeshFlatten(mesh, NULL, &line));
  EXPECT(dtensorMeshSize(line) == 4 && !dtensorMeshEqual(line, mesh));

  /* A tensor from rank 0, chunked by both dimensions. */
  float values[10];
  for (int i = 0; i < 10; ++i)
    values[i] = (float)i + 100.0f * (float)rank;
  const int64_t shape[] = {5, 2};
  dtensorArray array = NULL;
  EXPECT_OK(
      dtensorArrayWrap(values, DTENSOR_F32, shape, 2, NULL, NULL, &array));
  const dtensorPlacement list[] = {{DTENSOR_SHARD, 0, NULL, NULL},
                                   {DTENSOR_SHARD, -1, NULL, NULL}};
  const dtensorPlacements chunked = {list, 2, NULL};
  dtensorDTensor x = NULL, y = NULL, z = NULL;
  EXPECT_OK(dtensorDistributeTensor(array, mesh, &chunked, 0, &x));
  EXPECT(dtensorNdim(x) == 2 && dtensorType(x) == DTENSOR_F32);
  int64_t lo[2], hi[2], extents[2], strides[2];
  EXPECT(dtensorBoxOf(x, rank, lo, hi) == 1);
  EXPECT(lo[0] == (rank < 2 ? 0 : 3) && hi[0] == (rank < 2 ? 3 : 5));
  dtensorShape(x, extents);
  dtensorStride(x, strides);
  EXPECT(extents[0] == 5 && strides[0] == 2 && strides[1] == 1);
  dtensorArray local = NULL, whole = NULL;
  EXPECT_OK(dtensorToLocal(x, &local));
  EXPECT(((float *)dtensorArrayData(local))[0] == (float)(lo[0] * 2 + lo[1]));

  /* Redistribution, also asynchronous, and counters. */
  dtensorCommCounts before, after;
  EXPECT_OK(dtensorGetCommCounts(&before));
  const dtensorPlacements text = {NULL, 0, "tp=shard(0), dp=shard(0)"};
  EXPECT_OK(dtensorRedistribute(x, NULL, &text, 1, &y));
  EXPECT_OK(dtensorWait(y));
  EXPECT(dtensorIsReady(y));
  EXPECT_OK(dtensorGetCommCounts(&after));
  EXPECT(after.receivedBytes >= before.receivedBytes);
  EXPECT(strcmp(dtensorStepKindName(3), "all_gather") == 0);
  EXPECT(strcmp(dtensorLayoutText(y), "tp=shard(0), dp=shard(0)") == 0);
  dtensorPlacement found[4];
  size_t count = 0;
  int32_t inMeshOrder = -1;
  EXPECT_OK(dtensorPlacementsOf(y, found, 4, &count, &inMeshOrder));
  EXPECT(count == 2 && !inMeshOrder && strcmp(found[0].axis, "tp") == 0);
  EXPECT_OK(dtensorPlacementsOf(x, found, 4, &count, &inMeshOrder));
  EXPECT(count == 2 && inMeshOrder && !found[0].axis && found[1].dim == 1);
  EXPECT_OK(dtensorFullTensor(y, &whole));
  for (int i = 0; i < 10; ++i)
    EXPECT(((float *)dtensorArrayData(whole))[i] == (float)i);

  /* Contributions. */
  const dtensorPlacement sums[] = {{DTENSOR_PARTIAL, 0, "sum", "dp"},
                                   {DTENSOR_REPLICATE, 0, NULL, "tp"}};
  const dtensorPlacements partial = {sums, 2, NULL};
  dtensorArray part = NULL, total = NULL;
  const int64_t one = 1;
  EXPECT_OK(dtensorArrayCreate(DTENSOR_I64, &one, 1, &part));
  *(int64_t *)dtensorArrayData(part) = 1 + rank / 2;
  EXPECT_OK(dtensorFromLocal(part, mesh, &partial, 1, NULL, NULL, 0, &z));
  EXPECT_OK(dtensorFullTensor(z, &total));
  EXPECT(*(int64_t *)dtensorArrayData(total) == 3);

  /* Refusals leave results alone and say what is wrong. */
  dtensorDTensor none = NULL;
  const dtensorPlacements wrong = {list, 1, NULL};
  EXPECT(dtensorRedistribute(x, NULL, &wrong, 0, &none) ==
         DTENSOR_INVALID_ARGUMENT);
  EXPECT(none == NULL && strstr(dtensorLastMessage(), "1 placements do not fit"));
  EXPECT(dtensorRedistribute(NULL, NULL, NULL, 0, &none) ==
         DTENSOR_INVALID_ARGUMENT);
  EXPECT(strcmp(dtensorLastMessage(), "tensor is NULL") == 0);
  EXPECT(dtensorArrayCreate(99, &one, 1, &part) == DTENSOR_INVALID_ARGUMENT);
  EXPECT(strstr(dtensorLastMessage(), "99 is no element type"));

  dtensorFactoryOptions options = {DTENSOR_F32, 0, mesh, &chunked, NULL, 1, 7};
  dtensorDTensor r = NULL;
  EXPECT_OK(dtensorRand(shape, 2, &options, &r));
  EXPECT_OK(dtensorBarrier());

  dtensorRelease(r);
  dtensorRelease(z);
  dtensorArrayRelease(total);
  dtensorArrayRelease(part);
  dtensorArrayRelease(whole);
  dtensorArrayRelease(local);
  dtensorRelease(y);
  dtensorRelease(x);
  dtensorArrayRelease(array);
  dtensorMeshRelease(line);
  dtensorMeshRelease(row);
  dtensorMeshRelease(mesh);
  dtensorRelease(NULL);
  return failures;
}

static int32_t failingMain(void *user) {
  int64_t rank = 0;
  dtensorWorldRank(&rank);
  if (rank == 1) {
    dtensorSetError(DTENSOR_IO, "no such tea", rank);
    return DTENSOR_IO;
  }
  return dtensorBarrier();
}

static void takeText(const char *data, size_t size, void *user) {
  size_t room = 2000 - strlen((char *)user);
  strncat((char *)user, data, size < room ? size : room);
}

static void markReleased(void *user) { *(int *)user = 1; }

int main(void) {
  EXPECT(dtensorVersion() ==
         DTENSOR_C_VERSION_MAJOR * 1000 + DTENSOR_C_VERSION_MINOR);
  EXPECT_OK(dtensorSpmd(4, rankMain, NULL, NULL));

  EXPECT(dtensorSpmd(3, failingMain, NULL, NULL) == DTENSOR_IO);
  EXPECT(strcmp(dtensorLastMessage(), "no such tea") == 0);
  EXPECT(dtensorLastRank() == 1);
  EXPECT(strcmp(dtensorStatusName(DTENSOR_IO), "Io") == 0);

  char json[2048] = "";
  const int64_t shape[] = {64, 32};
  EXPECT_OK(dtensorPlan("x=2,y=4", shape, 2, DTENSOR_F32, "S(0), S(0)",
                        "R, S(0)", NULL, NULL, -1, takeText, json));
  EXPECT(strstr(json, "\"op\":\"permute\"") && strstr(json, "\"checked\":true"));
  dtensorProgram program = NULL;
  EXPECT(dtensorProgramLoad("/no/such.plan", NULL, &program) == DTENSOR_IO);
  EXPECT(strstr(dtensorLastMessage(), "/no/such.plan: cannot open"));

  int released = 0, memory = 0;
  dtensorArray array = NULL;
  EXPECT_OK(dtensorArrayWrap(&memory, DTENSOR_I32, NULL, 0, markReleased,
                             &released, &array));
  EXPECT(!released);
  dtensorArrayRelease(array);
  EXPECT(released);
  uint64_t token = 0;
  EXPECT_OK(dtensorArrayWrapToken(&memory, DTENSOR_I32, NULL, 0, 42, &array));
  EXPECT(dtensorTakeReleased(&token, 1) == 0);
  dtensorArrayRelease(array);
  EXPECT(dtensorTakeReleased(&token, 1) == 1 && token == 42);

  if (failures == 0)
    printf("all of the C interface holds\n");
  return failures != 0;
}
