# Fetches the packages of the page into the build tree. Without a network the rest of meniscus still has to build, so
# that is told and no more: page.stamp then stands for no page, and the next build tries again.
file(MAKE_DIRECTORY ${WORK})
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json ${SOURCE}/.npmrc DESTINATION ${WORK})
execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE failed OUTPUT_QUIET)
if(failed)
    message(WARNING "npm could not fetch what the studio's page is made with, so there will be no studio. Build again "
        "with a network to get it, or configure with -DMN_STUDIO=OFF.")
    file(REMOVE_RECURSE ${WORK}/node_modules)
else()
    file(TOUCH ${STAMP})
endif()
