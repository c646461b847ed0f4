# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Helper functions: one call per library, tool or unit test.

# add_dtensor_library(NAME SOURCES... [LINK LIBS...] [DEPENDS TARGETS...])
#
# A static library of the LLVM-free parts, or of the compiler where it links
# one of its targets. COMPILER selects the shared precompiled header and
# orders the library after the generated headers.
function(add_dtensor_library name)
  cmake_parse_arguments(ARG "COMPILER" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_COMPILER)
    dtensor_use_mlir(${name})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# add_dtensor_tool(NAME SOURCES... [COMPILER] [LINK LIBS...])
function(add_dtensor_tool name)
  cmake_parse_arguments(ARG "COMPILER" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  if(ARG_COMPILER)
    dtensor_use_mlir(${name})
  endif()
endfunction()

# add_dtensor_unittest(NAME SOURCES... [COMPILER] [LINK LIBS...])
#
# A GoogleTest program, registered as one CTest entry of the same name.
function(add_dtensor_unittest name)
  cmake_parse_arguments(ARG "COMPILER" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  if(ARG_COMPILER)
    dtensor_use_mlir(${name})
  endif()
  add_test(NAME unit-${name} COMMAND ${name})
endfunction()
