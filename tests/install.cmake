# Installs the build into a fresh prefix and uses it as others would: embed.c by pkg-config and by find_package, the
# program with its scenes. Run by ctest with BUILD, SOURCE, CC, SANITIZE defined.

set(work ${BUILD}/tests/install)
file(REMOVE_RECURSE ${work})

function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${ARGV}\nended with ${status}:\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

function(run_embedded program)
    run(${program})
    if(NOT output MATCHES "mean pressure [0-9]+ Pa")
        message(FATAL_ERROR "${program} said: ${output}")
    endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)

file(GLOB_RECURSE pc ${work}/prefix/*/meniscus.pc)
get_filename_component(pc_folder "${pc}" DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
run(pkg-config --cflags --libs meniscus)
separate_arguments(flags UNIX_COMMAND "${output}")
run(${CC} -std=c17 -Wall -Wextra -Werror ${SOURCE}/tests/embed.c -o ${work}/by_pkg_config ${flags})
get_filename_component(libraries "${pc_folder}" DIRECTORY)
set(ENV{LD_LIBRARY_PATH} ${libraries})
run_embedded(${work}/by_pkg_config)

file(WRITE ${work}/user/CMakeLists.txt "cmake_minimum_required(VERSION 3.20)\nproject(user LANGUAGES C)\n"
    "find_package(meniscus 0.1 REQUIRED)\nadd_executable(embed ${SOURCE}/tests/embed.c)\n"
    "target_link_libraries(embed PRIVATE meniscus::meniscus)\n")
set(sanitize "")
if(SANITIZE)
    set(sanitize "-DCMAKE_EXE_LINKER_FLAGS=-fsanitize=address,undefined")
endif()
run(${CMAKE_COMMAND} -S ${work}/user -B ${work}/user/build -DCMAKE_C_COMPILER=${CC} ${sanitize}
    -DCMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/user/build)
run_embedded(${work}/user/build/embed)

set(ENV{MENISCUS_SCENES} "")
set(ENV{MENISCUS_VALIDATION} "")
run(${work}/prefix/bin/meniscus scenes)
if(NOT output MATCHES "drop_on_slope")
    message(FATAL_ERROR "the installed program finds these scenes: ${output}")
endif()
if(NOT EXISTS ${work}/prefix/share/meniscus/validation/momentum.json OR
   NOT EXISTS ${work}/prefix/share/meniscus/validation/momentum.md)
    message(FATAL_ERROR "the files of the validation suite are not installed")
endif()
run(${work}/prefix/bin/meniscus validate --list)
