# Checks the page's types and puts it together. A mistake in it fails the build.
if(NOT EXISTS ${WORK}/node_modules)
    return()
endif()
foreach(part src public index.html vite.config.js tsconfig.json)
    file(REMOVE_RECURSE ${WORK}/${part})
    file(COPY ${SOURCE}/${part} DESTINATION ${WORK})
endforeach()
execute_process(COMMAND ${NODE} node_modules/typescript/bin/tsc --noEmit WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE failed)
if(NOT failed)
    execute_process(COMMAND ${NODE} node_modules/vite/bin/vite.js build --logLevel warn --outDir ${PAGE} --emptyOutDir
        WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed)
endif()
if(failed)
    message(FATAL_ERROR "the studio's page could not be built")
endif()
file(TOUCH ${STAMP})
