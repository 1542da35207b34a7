# A thin front to CMake. Every goal does its own set-up: packages by tools/setup, then configure, then build.
#
#   make demo          build, run scenes/drop_on_slope.json into out/demo, make a picture and a film of it
#   make test          build and run every test
#   make fuzz          search for inputs that bring the readers down, SECONDS=60 each (tools/fuzz)
#   make test-sanitize the tests under sanitizers: test-addresses (and undefined behaviour), then test-races
#   make test-valgrind a short run of the program under valgrind
#   make analyse       static analysis: clang-tidy, cppcheck, gcc -fanalyzer (tools/analyse)
#   make build         library, program and tests
#   make format        reformat the sources; make format-check only looks
#   make clean         remove build/ and out/
#
# MARCH=… chooses the processor (default native: fastest here; MARCH= builds for any x86-64). BUILD=… moves the build
# folder. CC=clang chooses the compiler.

MAKEFLAGS += --no-print-directory

MARCH ?= native
BUILD ?= build/release
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SECONDS ?= 60
CMAKE_ARGS ?=

configure = cmake -S . -B $(1) -DMN_MARCH=$(MARCH) $(2) $(CMAKE_ARGS)
run_tests = ctest --test-dir $(1) -j2 --output-on-failure

.PHONY: demo test fuzz test-sanitize test-addresses test-races test-valgrind analyse build format format-check clean setup

demo: setup
	@$(call configure,$(BUILD),-DCMAKE_BUILD_TYPE=Release)
	@cmake --build $(BUILD) -j $(JOBS) --target meniscus_program
	@$(BUILD)/meniscus run scenes/drop_on_slope.json -o out/demo
	@$(BUILD)/meniscus render out/demo -o out/demo/picture.png
	@$(BUILD)/meniscus render out/demo -o out/demo/film.mp4 --frames 0-30 --size 480x270 --samples 16
	@echo "frames, for ParaView: out/demo/frames/frames.pvd"
	@echo "time series:          out/demo/series.csv"
	@echo "summary:              out/demo/summary.json"

build: setup
	@$(call configure,$(BUILD),-DCMAKE_BUILD_TYPE=Release)
	@cmake --build $(BUILD) -j $(JOBS)

test: build
	@$(call run_tests,$(BUILD))

fuzz: setup
	@tools/fuzz --seconds $(SECONDS) --jobs $(JOBS)

test-sanitize: test-addresses test-races

test-addresses: setup
	@$(call configure,build/sanitize,-DMN_SANITIZE=address -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O2 -g")
	@cmake --build build/sanitize -j $(JOBS)
	@$(call run_tests,build/sanitize)

# Tests that compare bits or pictures of one and of several threads, the pool of the validation suite, the solvers, the
# studio's server beside its simulation.
RACES = ^(test_disorder|test_invariants|test_memory|test_neighbours|test_render_show|test_render_trace|test_sim_errors$\
|test_sleepers|test_solver|test_steps|test_studio_server|test_studio_steer|test_suite|test_surface|test_viscosity)$$
test-races: setup
	@$(call configure,build/races,-DMN_SANITIZE=thread -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=Debug \
	    -DCMAKE_C_FLAGS_DEBUG="-O1 -g" -DMN_OPENCL=OFF)
	@cmake --build build/races -j $(JOBS)
	@ctest --test-dir build/races --output-on-failure -R "$(RACES)"

# Not for the processor at hand: valgrind does not know all of its instructions.
test-valgrind: setup
	@cmake -S . -B build/valgrind -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1 -g" -DMN_OPENCL=OFF $(CMAKE_ARGS)
	@cmake --build build/valgrind -j $(JOBS) --target meniscus_program
	@GOMP_SPINCOUNT=1000 valgrind -q --leak-check=full --error-exitcode=9 build/valgrind/meniscus run two_fluids \
	    --threads 1 --set spacing=0.0008 --until 0.002 --format ply,vtp,csv,bgeo,vtkhdf -q -o out/valgrind

analyse: setup
	@tools/analyse --jobs $(JOBS)

setup:
	@tools/setup

format:
	@tools/format

format-check: setup
	@tools/format --check

clean:
	rm -rf build out
