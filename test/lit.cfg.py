# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lit configuration. Tests find our tools and LLVM's (FileCheck, not) on PATH.
# DTENSOR_CHECK_ROUNDTRIP=1 reruns every dtensor-opt with --verify-roundtrip.
import os
import shutil

import lit.formats

config.name = "dtensor"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "unit", "lib"]
config.test_source_root = os.path.dirname(__file__)

path = [
    os.path.join(config.dtensor_binary_dir, "bin"),
    config.llvm_tools_dir,
    config.environment["PATH"],
]
config.environment["PATH"] = os.pathsep.join(path)
# Ranks are threads already; a BLAS with threads of its own would only add noise.
config.environment["OPENBLAS_NUM_THREADS"] = "1"
for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "DTENSOR_LONG_TESTS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%examples", os.path.join(config.test_source_root, "Examples")))
config.substitutions.append(("%source", config.dtensor_source_dir))
config.substitutions.append(("%binary", config.dtensor_binary_dir))
config.substitutions.append(("%mlir-include", os.path.join(config.llvm_tools_dir, "..", "include")))
config.substitutions.append(("%python", "/usr/bin/python3"))
opt = "dtensor-opt"
if os.environ.get("DTENSOR_CHECK_ROUNDTRIP"):
    opt += " --verify-roundtrip"
config.substitutions.append(("%dtensor-opt", opt))

# A feature per MPI that has both its launcher and our module; %mpirun-NAME
# starts ranks under it, as root and with more ranks than cores too.
config.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
config.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
for mpi, flags in (
    ("openmpi", " --oversubscribe --mca btl_vader_single_copy_mechanism none"),
    ("mpich", ""),
):
    launcher = shutil.which("mpirun." + mpi)
    module = os.path.join(config.dtensor_binary_dir, "lib", "dtrt-mpi-%s.so" % mpi)
    if launcher and os.path.exists(module):
        config.available_features.add(mpi)
        config.substitutions.append(("%mpirun-" + mpi, launcher + flags))

# Real programs of other projects, where a developer has them beside the clone.
# A user's clone has none; their tests are then reported as unsupported.
shared = os.path.join(config.dtensor_source_dir, "..", "shared", "inputs")
config.substitutions.append(("%shared-inputs", shared))
if os.path.isdir(shared):
    config.available_features.add("shared-inputs")
