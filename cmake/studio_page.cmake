# The studio's page: TypeScript that npm and vite turn into plain files, made anew only where its sources have changed.
# It is put together in a folder of its own in the build tree, so that nothing is written beside the sources.

set(MN_HAVE_STUDIO_PAGE OFF)
if(MN_STUDIO)
    find_program(MN_NODE node DOC "Node.js 18 or newer, for the studio's page")
    find_program(MN_NPM npm DOC "The package manager of Node.js, for the studio's page")
    if(MN_NODE AND MN_NPM)
        execute_process(COMMAND ${MN_NODE} --version OUTPUT_VARIABLE MN_NODE_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE
            ERROR_QUIET)
        string(REGEX REPLACE "^v" "" MN_NODE_VERSION "${MN_NODE_VERSION}")
        if(MN_NODE_VERSION VERSION_GREATER_EQUAL 18)
            set(MN_HAVE_STUDIO_PAGE ON)
        endif()
    endif()
endif()

if(MN_HAVE_STUDIO_PAGE)
    set(source ${PROJECT_SOURCE_DIR}/studio/page)
    set(work ${PROJECT_BINARY_DIR}/studio/work)
    set(MN_STUDIO_PAGE ${PROJECT_BINARY_DIR}/studio/page)
    file(GLOB_RECURSE page_files RELATIVE ${source} CONFIGURE_DEPENDS ${source}/src/* ${source}/public/*)
    list(APPEND page_files index.html vite.config.js tsconfig.json validation.mjs)
    list(TRANSFORM page_files PREPEND ${source}/ OUTPUT_VARIABLE page_sources)

    add_custom_command(OUTPUT ${work}/packages.stamp VERBATIM
        COMMAND ${CMAKE_COMMAND} -DNPM=${MN_NPM} -DSOURCE=${source} -DWORK=${work} -DSTAMP=${work}/packages.stamp
            -P ${PROJECT_SOURCE_DIR}/cmake/studio_packages.cmake
        DEPENDS ${source}/package.json ${source}/package-lock.json ${source}/.npmrc
            ${PROJECT_SOURCE_DIR}/cmake/studio_packages.cmake
        COMMENT "Fetching what the studio's page is made with")
    add_custom_command(OUTPUT ${work}/page.stamp VERBATIM
        COMMAND ${CMAKE_COMMAND} -DNODE=${MN_NODE} -DSOURCE=${source} -DWORK=${work} -DPAGE=${MN_STUDIO_PAGE} -DDOCS=${PROJECT_SOURCE_DIR}/docs
            -DSTAMP=${work}/page.stamp -P ${PROJECT_SOURCE_DIR}/cmake/studio_build.cmake
        DEPENDS ${work}/packages.stamp ${page_sources} ${PROJECT_SOURCE_DIR}/docs/validation.md ${PROJECT_SOURCE_DIR}/cmake/studio_build.cmake
        COMMENT "Building the studio's page")
    add_custom_target(studio_page ALL DEPENDS ${work}/page.stamp)
    install(DIRECTORY ${MN_STUDIO_PAGE}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/meniscus/studio OPTIONAL)
endif()
