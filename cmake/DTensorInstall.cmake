# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What an installation holds: tools, headers, libraries, and the package files
# that find_package(DTensor) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(targets DTensorPlanner DTensorRuntime DTensorC)
if(DTENSOR_COMPILER)
  list(APPEND targets DTensorCompiler)
  # LLVM's libraries need not be in a folder that the loader knows.
  set_target_properties(DTensorCompiler PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
endif()
# Names without the project's: DTensor::Runtime.
foreach(target ${targets})
  string(REPLACE "DTensor" "" short ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${short})
endforeach()
install(TARGETS ${targets} EXPORT DTensorTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT DTensorTargets NAMESPACE DTensor::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/DTensor)

get_property(modules GLOBAL PROPERTY DTRT_MPI_MODULES)
foreach(mpi ${modules})
  install(TARGETS dtrt-mpi-${mpi} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()

if(DTENSOR_COMPILER)
  install(TARGETS DTensorPlugin DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

foreach(tool dtensor-plan dtensor-run dtensor-verify dtensor-compile dtensor-opt)
  if(TARGET ${tool})
    set_target_properties(${tool} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${tool} DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()

# The compiler's headers are for embedders, who build in its tree.
install(DIRECTORY include/dtensor/Planner DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dtensor)
install(DIRECTORY include/dtensor-c runtime/include/dtensor runtime/include/dtensor-c
                  runtime/include/dtrt
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

configure_package_config_file(cmake/DTensorConfig.cmake.in
  ${PROJECT_BINARY_DIR}/DTensorConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/DTensor)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/DTensorConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/DTensorConfig.cmake
              ${PROJECT_BINARY_DIR}/DTensorConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/DTensor)
