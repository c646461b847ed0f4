# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the wheel: CMake makes the runtime library, the rest is a zip file.

Environment:
    DTENSOR_LIBRARY_DIR: take the libraries of a build that there is already.
    DTENSOR_CMAKE_ARGS: more arguments for CMake ("-DDTENSOR_COMPILER=ON" also
        packs the compiler library, which dtensor.compile loads).
"""

import base64
import hashlib
import os
import shlex
import shutil
import subprocess
import sysconfig
import zipfile

NAME, VERSION = "dtensor_opt", "0.1.0"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
METADATA = f"""Metadata-Version: 2.1
Name: dtensor-opt
Version: {VERSION}
Summary: Distributed tensors with planned redistributions
License: Apache-2.0 WITH LLVM-exception
Requires-Python: >=3.9
Requires-Dist: numpy>=1.22
"""
#: What the package loads; all but the first where it has been built.
LIBRARIES = ("libdtensor.so", "dtrt-mpi-openmpi.so", "dtrt-mpi-mpich.so", "libDTensorCompiler.so")


def _build_libraries():
    """The folder with the libraries."""
    given = os.environ.get("DTENSOR_LIBRARY_DIR")
    if given:
        return given
    folder = os.path.join(ROOT, "build", "pip")
    arguments = ["-DCMAKE_BUILD_TYPE=Release", "-DDTENSOR_COMPILER=OFF", "-DDTENSOR_TESTS=OFF"]
    arguments += shlex.split(os.environ.get("DTENSOR_CMAKE_ARGS", ""))
    subprocess.check_call(["cmake", "-S", ROOT, "-B", folder, *arguments])
    subprocess.check_call(["cmake", "--build", folder, "-j", str(min(os.cpu_count() or 1, 8))])
    return os.path.join(folder, "lib")


def _package_files():
    """(path in the wheel, path on disk) of the Python files."""
    package = os.path.join(ROOT, "python", "dtensor")
    for folder, folders, files in os.walk(package):
        folders[:] = sorted(name for name in folders if name not in ("__pycache__", "_lib"))
        for name in sorted(files):
            if name.endswith((".py", ".pyi", ".typed")):
                path = os.path.join(folder, name)
                yield os.path.relpath(path, os.path.dirname(package)), path


class _Wheel:
    """A wheel file with its list of contents."""

    def __init__(self, path, tag):
        self.info = f"{NAME}-{VERSION}.dist-info"
        self.tag = tag
        self.records = []
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)

    def add(self, name, data):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.records.append(f"{name},sha256={digest},{len(data)}\n")
        # The same bytes give the same wheel.
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = 0o644 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, data)

    def finish(self):
        wheel = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {self.tag}\n"
        self.add(f"{self.info}/METADATA", METADATA.encode())
        self.add(f"{self.info}/WHEEL", wheel.encode())
        record = "".join(self.records) + f"{self.info}/RECORD,,\n"
        self.zip.writestr(f"{self.info}/RECORD", record)
        self.zip.close()


def _tag():
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"py3-none-{platform}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    libraries = _build_libraries()
    name = f"{NAME}-{VERSION}-{_tag()}.whl"
    wheel = _Wheel(os.path.join(wheel_directory, name), _tag())
    for target, source in _package_files():
        with open(source, "rb") as file:
            wheel.add(target, file.read())
    for index, library in enumerate(LIBRARIES):
        path = os.path.join(libraries, library)
        if not os.path.exists(path):
            if index == 0:
                raise FileNotFoundError(f"{path}: the build has made no runtime library")
            continue
        with open(path, "rb") as file:
            wheel.add(f"dtensor/_lib/{library}", file.read())
    wheel.finish()
    return name


def build_sdist(sdist_directory, config_settings=None):
    base = f"{NAME}-{VERSION}"
    files = subprocess.check_output(["git", "-C", ROOT, "ls-files"], text=True).split("\n")
    staging = os.path.join(sdist_directory, base)
    for name in filter(None, files):
        target = os.path.join(staging, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, name), target)
    with open(os.path.join(staging, "PKG-INFO"), "w", encoding="utf-8") as file:
        file.write(METADATA)
    path = shutil.make_archive(staging, "gztar", sdist_directory, base)
    shutil.rmtree(staging)
    return os.path.basename(path)


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
