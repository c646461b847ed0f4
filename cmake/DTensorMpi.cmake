# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The modules that call MPI: one per implementation, because their binary
# interfaces differ. All that are found are built; none is required.
# Sets DTRT_MPI_MODULES to the names of those built (openmpi, mpich) and
# DTRT_MPIRUN_<name> to their launchers, where found.
set(DTRT_MPI_MODULES "")

# dtrt_add_mpi_module(NAME WRAPPER MACRO)
#
# MACRO is what the implementation's mpi.h defines: a plain `mpicxx` may belong
# to either.
function(dtrt_add_mpi_module name wrapper macro)
  execute_process(COMMAND ${wrapper} -show OUTPUT_VARIABLE line
                  RESULT_VARIABLE failed ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed)
    return()
  endif()
  separate_arguments(words UNIX_COMMAND "${line}")
  set(includes "")
  set(directories "")
  set(libraries "")
  foreach(word ${words})
    if(word MATCHES "^-I(.+)")
      list(APPEND includes ${CMAKE_MATCH_1})
    elseif(word MATCHES "^-L(.+)")
      list(APPEND directories ${CMAKE_MATCH_1})
    elseif(NOT word MATCHES "cxx" AND word MATCHES "^-l(.*mpi.*)")
      list(APPEND libraries ${CMAKE_MATCH_1}) # without the C++ bindings
    endif()
  endforeach()
  find_file(DTRT_MPI_HEADER_${name} mpi.h HINTS ${includes} NO_DEFAULT_PATH)
  if(NOT DTRT_MPI_HEADER_${name})
    find_file(DTRT_MPI_HEADER_${name} mpi.h)
  endif()
  if(NOT DTRT_MPI_HEADER_${name})
    return()
  endif()
  file(STRINGS ${DTRT_MPI_HEADER_${name}} defines
       REGEX "define +${macro}[ \t]" LIMIT_COUNT 1)
  if(NOT defines)
    return()
  endif()
  add_library(dtrt-mpi-${name} MODULE ${PROJECT_SOURCE_DIR}/runtime/lib/Mpi/MpiModule.cpp)
  set_target_properties(dtrt-mpi-${name} PROPERTIES PREFIX ""
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_definitions(dtrt-mpi-${name} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_include_directories(dtrt-mpi-${name} PRIVATE ${PROJECT_SOURCE_DIR}/runtime/lib)
  target_include_directories(dtrt-mpi-${name} SYSTEM PRIVATE ${includes})
  target_link_directories(dtrt-mpi-${name} PRIVATE ${directories})
  target_link_libraries(dtrt-mpi-${name} PRIVATE ${libraries})
  target_link_options(dtrt-mpi-${name} PRIVATE -Wl,--no-undefined)
  find_program(DTRT_MPIRUN_${name} NAMES mpirun.${name} mpirun)
  message(STATUS "dtrt: MPI module for ${name}")
  set(DTRT_MPI_MODULES ${DTRT_MPI_MODULES} ${name} PARENT_SCOPE)
endfunction()

find_program(DTRT_MPICXX_openmpi NAMES mpicxx.openmpi mpicxx)
find_program(DTRT_MPICXX_mpich NAMES mpicxx.mpich mpicxx)
if(DTRT_MPICXX_openmpi)
  dtrt_add_mpi_module(openmpi ${DTRT_MPICXX_openmpi} OMPI_MAJOR_VERSION)
endif()
if(DTRT_MPICXX_mpich)
  dtrt_add_mpi_module(mpich ${DTRT_MPICXX_mpich} MPICH_VERSION)
endif()
set_property(GLOBAL PROPERTY DTRT_MPI_MODULES ${DTRT_MPI_MODULES})
if(NOT DTRT_MPI_MODULES)
  message(STATUS "dtrt: no MPI found; the mpi backend will not be there")
endif()
