#!/bin/sh
# Runs a test with simulations on a device of OpenCL. Where there is none it is skipped, which 77 tells ctest.
"$MENISCUS" devices | grep '^no devices' && exit 77
MENISCUS_BACKEND=opencl exec "$@"
