# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds MLIR 22.1 and sets up what every compiler target shares: include
# paths, flags, one precompiled header, and linking against libMLIR.so only.
# (Linking ${MLIR_DIALECT_LIBS} would put a second, static MLIR beside it.)
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
find_package(LLD REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/lld)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(MLIR_LINK_MLIR_DYLIB ON)
# add_mlir_doc writes below this folder; unset it would be the root folder.
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
set(LLVM_EXTERNAL_LIT ${LLVM_TOOLS_BINARY_DIR}/lit)
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(DTENSOR_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")

# The headers that all compiler sources include anyway, compiled once.
add_library(DTensorPCH OBJECT ${PROJECT_SOURCE_DIR}/cmake/Pch.cpp)
target_include_directories(DTensorPCH SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_compile_definitions(DTensorPCH PRIVATE ${DTENSOR_LLVM_DEFINITIONS})
target_compile_options(DTensorPCH PRIVATE -fno-exceptions)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # A time stamp in the header would defeat ccache.
  target_compile_options(DTensorPCH PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
endif()
target_precompile_headers(DTensorPCH PRIVATE ${PROJECT_SOURCE_DIR}/cmake/Pch.h)

# dtensor_use_mlir(TARGET): compiles TARGET against MLIR and links libMLIR.so.
function(dtensor_use_mlir target)
  target_include_directories(${target} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE ${DTENSOR_LLVM_DEFINITIONS})
  target_compile_options(${target} PRIVATE -fno-exceptions)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  # Executables would get -fPIE, which does not go with the header's -fPIC.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_precompile_headers(${target} REUSE_FROM DTensorPCH)
  target_link_libraries(${target} PRIVATE MLIR LLVM)
  add_dependencies(${target} dtensor-headers)
endfunction()
