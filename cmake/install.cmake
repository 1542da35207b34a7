# What `cmake --install` leaves behind: library, headers, program, scenes, the validation suite's files, meniscus.pc and a CMake package.

install(TARGETS meniscus EXPORT meniscusTargets)
install(DIRECTORY include/meniscus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/meniscus/scenes)
install(DIRECTORY validation/ DESTINATION ${CMAKE_INSTALL_DATADIR}/meniscus/validation
    FILES_MATCHING PATTERN "*.json" PATTERN "*.md")
if(TARGET meniscus_program)
    install(TARGETS meniscus_program)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/meniscus)
install(EXPORT meniscusTargets NAMESPACE meniscus:: DESTINATION ${package_dir})
configure_package_config_file(cmake/meniscusConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/meniscusConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/meniscusConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/meniscusConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/meniscusConfigVersion.cmake
    DESTINATION ${package_dir})

# A static library leaves its dependencies to whoever links it, so there they are public in meniscus.pc.
set(MN_PC_REQUIRES "jansson")
if(ASSIMP_FOUND)
    string(APPEND MN_PC_REQUIRES " assimp")
endif()
if(HDF5_FOUND)
    string(APPEND MN_PC_REQUIRES " hdf5-serial")
endif()
set(MN_PC_LIBS "-lm")
if(MN_HAVE_OPENCL AND CMAKE_DL_LIBS)
    string(APPEND MN_PC_LIBS " -l${CMAKE_DL_LIBS}")
endif()
if(OpenMP_C_FOUND)
    string(PREPEND MN_PC_LIBS "${OpenMP_C_FLAGS} ")
endif()
if(MN_SANITIZE)
    string(PREPEND MN_PC_LIBS "-fsanitize=address,undefined ")
endif()
set(MN_PC_PRIVATE "")
if(BUILD_SHARED_LIBS)
    set(MN_PC_PRIVATE ".private")
    string(PREPEND MN_PC_LIBS "\nLibs.private: ")
else()
    string(PREPEND MN_PC_LIBS " ")
endif()
set(MN_PC_CFLAGS "")
if(MN_DOUBLE)
    set(MN_PC_CFLAGS " -DMN_DOUBLE")
endif()
# The prefix is found from where meniscus.pc lies, so that an installed tree can be moved as a whole.
file(RELATIVE_PATH MN_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/meniscus.pc.in ${CMAKE_CURRENT_BINARY_DIR}/meniscus.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/meniscus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
