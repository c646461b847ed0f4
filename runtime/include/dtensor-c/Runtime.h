/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * C interface of the runtime library (libdtensor.so): distributed tensors as an
 * array API, without LLVM. include/dtensor/DTensor.h says what the functions
 * do; here is how they look from C.
 *
 * - Every function returns a dtensorStatus: 0, or why it failed, with the text
 *   in dtensorLastMessage(). Nothing is thrown across this interface. After a
 *   failure the results are untouched.
 * - Handles are opaque. A function that makes one gives it to the caller, who
 *   releases it once with the function named Release; releasing NULL does
 *   nothing. A handle may be used by any thread of its rank.
 * - Texts that are returned live until the next call of this interface on the
 *   same thread.
 * - Shapes, strides and boxes count elements; memory sizes are bytes; times
 *   are seconds.
 */
#ifndef DTENSOR_C_RUNTIME_H
#define DTENSOR_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program that was built with one major version runs with that one only;
 * minor versions add. */
#define DTENSOR_C_VERSION_MAJOR 1
#define DTENSOR_C_VERSION_MINOR 0

/* The library's version: major * 1000 + minor. */
int32_t dtensorVersion(void);

/* ---- Errors ---------------------------------------------------------------
 */

typedef enum dtensorStatus {
  DTENSOR_OK = 0,
  DTENSOR_INVALID_ARGUMENT = 1, /* a value that the call cannot take */
  DTENSOR_NOT_SUPPORTED = 2,    /* right, but not done by this version */
  DTENSOR_MISMATCH = 3,    /* ranks disagree about what they call or hold */
  DTENSOR_RANK_FAILED = 4, /* another rank failed or left the program */
  DTENSOR_TIMEOUT = 5,     /* a rank did not come before the deadline */
  DTENSOR_OUT_OF_MEMORY = 6,
  DTENSOR_IO = 7, /* a file, a library or the launcher's environment */
  DTENSOR_INTERNAL = 8
} dtensorStatus;

/* Of the last call on this thread that failed. */
const char *dtensorLastMessage(void);
/* The rank that failed first, or -1 where the error is no single rank's. */
int64_t dtensorLastRank(void);
/* "InvalidArgument", ...; "" for numbers that are no status. */
const char *dtensorStatusName(int32_t status);

/* ---- Ranks ----------------------------------------------------------------
 */

typedef struct dtensorSpmdOptions {
  double timeoutSeconds; /* of a rank that waits in a collective; 300 */
  const char *topology;  /* "builtin:threads" or a topology file; NULL for it */
  int32_t checkCalls;    /* processes compare what they call; 1 */
} dtensorSpmdOptions;

/* What a rank runs. Not 0: the rank has failed, with that status and the
 * message given to dtensorSetError or left by the call that failed. */
typedef int32_t (*dtensorRankMain)(void *user);

/* Runs `rankMain` on that many ranks (0: as the launcher has, else one) and
 * returns when all have. Options may be NULL. */
dtensorStatus dtensorSpmd(int64_t numRanks, dtensorRankMain rankMain,
                          void *user, const dtensorSpmdOptions *options);
/* Sets what dtensorLastMessage gives, for a rankMain that fails by itself. */
void dtensorSetError(int32_t status, const char *message, int64_t rank);

/* Makes this thread a rank: of the launcher's processes, else the only one. */
dtensorStatus dtensorInitialize(const dtensorSpmdOptions *options);
dtensorStatus dtensorFinalize(void);
int32_t dtensorIsInitialized(void);
/* 1 in a process of an mpirun. */
int32_t dtensorIsLaunched(void);
/* Ends all ranks with an error from this one, outside of dtensorSpmd. */
dtensorStatus dtensorAbort(int32_t status, const char *message);
dtensorStatus dtensorWorldRank(int64_t *rank);
dtensorStatus dtensorWorldSize(int64_t *size);
dtensorStatus dtensorBarrier(void);
dtensorStatus dtensorManualSeed(uint64_t seed);

/* This thread's rank, to be made that of another thread, which so becomes one
 * of the rank's own; NULL makes a thread no rank. */
typedef struct dtensorRankHandle *dtensorRank;
/* What tells this thread's rank from all others of the process, earlier and
 * later ones too; 0 for none. */
uint64_t dtensorRankIdentity(void);
dtensorStatus dtensorCurrentRank(dtensorRank *rank);
dtensorStatus dtensorSetCurrentRank(dtensorRank rank);
void dtensorRankRelease(dtensorRank rank);

/* Steps in the order of dtensor::StepKind: slice, to_partial, scale,
 * all_gather, all_to_all, permute, reduce_scatter, all_reduce, exchange,
 * broadcast, reduce, scatter, gather. */
#define DTENSOR_STEP_KINDS 13
typedef struct dtensorCommCounts {
  int64_t receivedBytes; /* from other ranks */
  int64_t steps[DTENSOR_STEP_KINDS];
} dtensorCommCounts;
/* What this rank has moved so far. */
dtensorStatus dtensorGetCommCounts(dtensorCommCounts *counts);
/* "all_gather"; "" outside of the list. */
const char *dtensorStepKindName(int32_t kind);

/* ---- Meshes ---------------------------------------------------------------
 */

typedef struct dtensorMeshHandle *dtensorMesh;

/* `names` may be NULL, or hold one name per dimension. */
dtensorStatus dtensorInitDeviceMesh(const char *deviceType,
                                    const int64_t *shape, size_t ndim,
                                    const char *const *names,
                                    dtensorMesh *mesh);
/* A mesh of given ranks in row-major order, as many as the shape has. */
dtensorStatus dtensorMeshCreate(const char *deviceType, const int64_t *shape,
                                size_t ndim, const int64_t *ranks,
                                size_t numRanks, const char *const *names,
                                dtensorMesh *mesh);
void dtensorMeshRelease(dtensorMesh mesh);
size_t dtensorMeshNdim(dtensorMesh mesh);
/* Writes ndim sizes. */
void dtensorMeshShape(dtensorMesh mesh, int64_t *shape);
int64_t dtensorMeshSize(dtensorMesh mesh);
/* Writes size ranks, row-major. */
void dtensorMeshRanks(dtensorMesh mesh, int64_t *ranks);
int32_t dtensorMeshHasNames(dtensorMesh mesh);
/* Of a dimension, also where none was given ("dim0"); "" out of range. */
const char *dtensorMeshName(dtensorMesh mesh, size_t dim);
const char *dtensorMeshDeviceType(dtensorMesh mesh);
/* 1 on ranks of the mesh, and then writes ndim coordinates. */
int32_t dtensorMeshCoordinate(dtensorMesh mesh, int64_t *coordinate);
int32_t dtensorMeshEqual(dtensorMesh a, dtensorMesh b);
dtensorStatus dtensorMeshSlice(dtensorMesh mesh, const char *const *names,
                               size_t numNames, dtensorMesh *part);
/* `name` may be NULL. */
dtensorStatus dtensorMeshFlatten(dtensorMesh mesh, const char *name,
                                 dtensorMesh *line);
/* All ranks as a line; without traffic, and the same one each time. */
dtensorStatus dtensorMeshWorld(dtensorMesh *mesh);
/* Some ranks of the mesh as one of one dimension; without traffic. */
dtensorStatus dtensorMeshPart(dtensorMesh mesh, const int64_t *ranks,
                              size_t numRanks, dtensorMesh *part);
const char *dtensorMeshText(dtensorMesh mesh);

/* ---- Placements -----------------------------------------------------------
 */

typedef enum dtensorPlacementKind {
  DTENSOR_SHARD = 0,
  DTENSOR_REPLICATE = 1,
  DTENSOR_PARTIAL = 2
} dtensorPlacementKind;

/* One placement: of the mesh dimension at its place in the list, or of `axis`
 * ("tp", "x:(1)2"). Either all of a list have an axis or none. */
typedef struct dtensorPlacement {
  int32_t kind;
  int64_t dim;    /* DTENSOR_SHARD; negative from the end */
  const char *op; /* DTENSOR_PARTIAL: "sum", ...; NULL for sum */
  const char *axis;
} dtensorPlacement;

/* A list, or a text as tools write it: "y=shard(0), x=shard(0)". A NULL pointer
 * to this, where one is taken, means replicated. */
typedef struct dtensorPlacements {
  const dtensorPlacement *list;
  size_t count;
  const char *text; /* used where not NULL */
} dtensorPlacements;

/* ---- Arrays ---------------------------------------------------------------
 */

typedef enum dtensorElementType {
  DTENSOR_F64,
  DTENSOR_F32,
  DTENSOR_F16,
  DTENSOR_BF16,
  DTENSOR_F8E4M3FN,
  DTENSOR_F8E5M2,
  DTENSOR_I1, /* one byte, 0 or 1 */
  DTENSOR_I8,
  DTENSOR_I16,
  DTENSOR_I32,
  DTENSOR_I64
} dtensorElementType;

/* A dense row-major tensor in this rank's memory. */
typedef struct dtensorArrayHandle *dtensorArray;

/* New memory, not set. */
dtensorStatus dtensorArrayCreate(int32_t type, const int64_t *shape,
                                 size_t ndim, dtensorArray *array);
/* Memory of the caller's. `release(user)` is called once it is not used any
 * more, on any thread; without it the memory must outlive all uses. */
dtensorStatus dtensorArrayWrap(void *data, int32_t type, const int64_t *shape,
                               size_t ndim, void (*release)(void *user),
                               void *user, dtensorArray *array);
/* The same for callers that must not be called back: `token` is kept, once the
 * memory is not used any more, for dtensorTakeReleased. */
dtensorStatus dtensorArrayWrapToken(void *data, int32_t type,
                                    const int64_t *shape, size_t ndim,
                                    uint64_t token, dtensorArray *array);
/* Writes up to `capacity` tokens and forgets them; returns how many. */
size_t dtensorTakeReleased(uint64_t *tokens, size_t capacity);
void dtensorArrayRelease(dtensorArray array);
int32_t dtensorArrayType(dtensorArray array);
size_t dtensorArrayNdim(dtensorArray array);
void dtensorArrayShape(dtensorArray array, int64_t *shape);
void *dtensorArrayData(dtensorArray array);
int64_t dtensorArrayBytes(dtensorArray array);
int32_t dtensorArrayRequiresGrad(dtensorArray array);
void dtensorArraySetRequiresGrad(dtensorArray array, int32_t value);

/* ---- Tensors --------------------------------------------------------------
 */

typedef struct dtensorTensorHandle *dtensorDTensor;

/* `srcDataRank`: position in the mesh's row-major order, or -1 where every rank
 * has the data. */
dtensorStatus dtensorDistributeTensor(dtensorArray array, dtensorMesh mesh,
                                      const dtensorPlacements *placements,
                                      int64_t srcDataRank,
                                      dtensorDTensor *tensor);
/* `shape` and `stride`, of `ndim` numbers, may be NULL. */
dtensorStatus dtensorFromLocal(dtensorArray local, dtensorMesh mesh,
                               const dtensorPlacements *placements,
                               int32_t runCheck, const int64_t *shape,
                               const int64_t *stride, size_t ndim,
                               dtensorDTensor *tensor);

typedef struct dtensorFactoryOptions {
  int32_t type;
  int32_t requiresGrad;
  dtensorMesh mesh;
  const dtensorPlacements *placements;
  const char *layout; /* "strided"; NULL for it */
  int32_t hasSeed;    /* rand, randn: use `seed` */
  uint64_t seed;
} dtensorFactoryOptions;

dtensorStatus dtensorOnes(const int64_t *shape, size_t ndim,
                          const dtensorFactoryOptions *options,
                          dtensorDTensor *tensor);
dtensorStatus dtensorZeros(const int64_t *shape, size_t ndim,
                           const dtensorFactoryOptions *options,
                           dtensorDTensor *tensor);
dtensorStatus dtensorEmpty(const int64_t *shape, size_t ndim,
                           const dtensorFactoryOptions *options,
                           dtensorDTensor *tensor);
dtensorStatus dtensorFull(const int64_t *shape, size_t ndim, double value,
                          const dtensorFactoryOptions *options,
                          dtensorDTensor *tensor);
/* For integers that a double does not hold. */
dtensorStatus dtensorFullInteger(const int64_t *shape, size_t ndim,
                                 int64_t value,
                                 const dtensorFactoryOptions *options,
                                 dtensorDTensor *tensor);
dtensorStatus dtensorRand(const int64_t *shape, size_t ndim,
                          const dtensorFactoryOptions *options,
                          dtensorDTensor *tensor);
dtensorStatus dtensorRandn(const int64_t *shape, size_t ndim,
                           const dtensorFactoryOptions *options,
                           dtensorDTensor *tensor);

void dtensorRelease(dtensorDTensor tensor);
/* The box of a tensor of this shape and layout that this rank would hold: ndim
 * lower and upper bounds. `*holds` is 0, and nothing is written, outside of the
 * mesh. */
dtensorStatus dtensorLocalBox(dtensorMesh mesh, const int64_t *shape,
                              size_t ndim, const dtensorPlacements *placements,
                              int64_t *lo, int64_t *hi, int32_t *holds);
/* This rank's part, sharing the tensor's memory. Waits. */
dtensorStatus dtensorToLocal(dtensorDTensor tensor, dtensorArray *local);
dtensorStatus dtensorFullTensor(dtensorDTensor tensor, dtensorArray *whole);
/* `mesh` may be NULL: the tensor's own. */
dtensorStatus dtensorRedistribute(dtensorDTensor tensor, dtensorMesh mesh,
                                  const dtensorPlacements *placements,
                                  int32_t asyncOp, dtensorDTensor *result);
dtensorStatus dtensorWait(dtensorDTensor tensor);
int32_t dtensorIsReady(dtensorDTensor tensor);

int32_t dtensorType(dtensorDTensor tensor);
size_t dtensorNdim(dtensorDTensor tensor);
void dtensorShape(dtensorDTensor tensor, int64_t *shape);
void dtensorStride(dtensorDTensor tensor, int64_t *stride);
int32_t dtensorRequiresGrad(dtensorDTensor tensor);
/* A handle of its own. */
dtensorStatus dtensorMeshOf(dtensorDTensor tensor, dtensorMesh *mesh);
/* Writes up to `capacity` placements, and how many there are. Where one per
 * mesh dimension says it all, they have no axis and `*inMeshOrder` is 1; else
 * they are of named axes, in their order. */
dtensorStatus dtensorPlacementsOf(dtensorDTensor tensor, dtensorPlacement *list,
                                  size_t capacity, size_t *count,
                                  int32_t *inMeshOrder);
/* "dp=shard(0), tp=partial(sum)" */
const char *dtensorLayoutText(dtensorDTensor tensor);
/* The box of a rank of the world: ndim lower and upper bounds. 0 where it is
 * not in the mesh; nothing is written then. */
int32_t dtensorBoxOf(dtensorDTensor tensor, int64_t rank, int64_t *lo,
                     int64_t *hi);
const char *dtensorText(dtensorDTensor tensor);

/* ---- Plans and programs ---------------------------------------------------
 */

/* Receives a piece of output; `user` is what the caller passed. */
typedef void (*dtensorTextSink)(const char *data, size_t size, void *user);

/* Plans a redistribution without running it, and needs no ranks: gives the
 * plan as JSON (what dtensor-plan --json prints of it: steps, bytes, times,
 * peak) to `sink`. `mesh` is "x=2,y=4"; layouts are texts; `topology` and
 * `toMesh` may be NULL, `memoryLimit` is -1 for none, `objective` is "time",
 * "bytes" or NULL for time. */
dtensorStatus dtensorPlan(const char *mesh, const int64_t *shape, size_t ndim,
                          int32_t type, const char *from, const char *to,
                          const char *topology, const char *objective,
                          int64_t memoryLimit, dtensorTextSink sink,
                          void *user);

typedef struct dtensorProgramHandle *dtensorProgram;

/* A program of a plan file, or of the bytes of one, on this rank. `entry` may
 * be NULL. */
dtensorStatus dtensorProgramLoad(const char *path, const char *entry,
                                 dtensorProgram *program);
dtensorStatus dtensorProgramFromBytes(const void *data, size_t size,
                                      const char *name, const char *entry,
                                      dtensorProgram *program);
void dtensorProgramRelease(dtensorProgram program);
const char *dtensorProgramName(dtensorProgram program);
dtensorStatus dtensorProgramMesh(dtensorProgram program, dtensorMesh *mesh);
size_t dtensorProgramNumInputs(dtensorProgram program);
size_t dtensorProgramNumResults(dtensorProgram program);

typedef struct dtensorPort {
  const char *name; /* "" where it has none */
  int32_t type;
  const int64_t *shape;
  size_t ndim;
  const char *layout;
  int32_t requiresGrad;
  int32_t isSet; /* of inputs: stays from call to call */
} dtensorPort;

/* What an input or a result is; the pointers live as long as the program. */
dtensorStatus dtensorProgramInput(dtensorProgram program, size_t index,
                                  dtensorPort *port);
dtensorStatus dtensorProgramResult(dtensorProgram program, size_t index,
                                   dtensorPort *port);
/* Sets an input for all later calls: from a tensor, or from a whole array that
 * every rank has. */
dtensorStatus dtensorProgramSet(dtensorProgram program, size_t input,
                                dtensorDTensor value);
dtensorStatus dtensorProgramSetArray(dtensorProgram program, size_t input,
                                     dtensorArray value);
/* Runs it. `inputs` has one entry per input, NULL for those that are set;
 * `results` receives one tensor per result. */
dtensorStatus dtensorProgramCall(dtensorProgram program,
                                 const dtensorDTensor *inputs,
                                 dtensorDTensor *results);

#ifdef __cplusplus
}
#endif

#endif /* DTENSOR_C_RUNTIME_H */
