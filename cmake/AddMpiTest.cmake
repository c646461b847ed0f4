# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Ranks as processes: one entry per MPI that a module was built for. A plain
# run as root and more ranks than cores is what containers do.
set(DTRT_MPIRUN_FLAGS_openmpi --oversubscribe --mca btl_vader_single_copy_mechanism none)
set(DTRT_MPIRUN_FLAGS_mpich "")
get_property(DTRT_MPI_MODULES GLOBAL PROPERTY DTRT_MPI_MODULES)

# add_mpi_test(NAME RANKS COMMAND...)
#
# CTest entries NAME-openmpi and NAME-mpich: skipped, and said so, where that
# MPI is missing.
function(add_mpi_test name ranks)
  foreach(mpi openmpi mpich)
    if(mpi IN_LIST DTRT_MPI_MODULES AND DTRT_MPIRUN_${mpi})
      add_test(NAME ${name}-${mpi} COMMAND ${DTRT_MPIRUN_${mpi}}
        ${DTRT_MPIRUN_FLAGS_${mpi}} -n ${ranks} ${ARGN})
    else()
      add_test(NAME ${name}-${mpi} COMMAND ${CMAKE_COMMAND} -E echo
        "skipped: ${mpi} was not found when this build was configured")
      set_tests_properties(${name}-${mpi} PROPERTIES
        SKIP_REGULAR_EXPRESSION "^skipped: ")
    endif()
    set_tests_properties(${name}-${mpi} PROPERTIES TIMEOUT 300 PROCESSORS 2
      ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
  endforeach()
endfunction()
