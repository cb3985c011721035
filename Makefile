# A thin front on CMake; `make help` says what there is.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60

# Cases of `make differential`, and the seed that makes them; without one the time does.
N ?= 10000
SEED ?=

.PHONY: help deps configure build all demo test sanitize fuzz differential install format lint clean

help:
	@echo 'make demo     trace an instruction of a real kernel in a throwaway guest'
	@echo 'make test     run every test'
	@echo 'make differential N=10000  compare what D computes with independent models'
	@echo 'make sanitize run unit tests and whole programs under the sanitizers'
	@echo 'make fuzz     run each fuzz target for a minute (FUZZ_SECONDS)'
	@echo 'make build    build the command: build/kinst'
	@echo 'make install  install it below $(PREFIX) (PREFIX, DESTDIR)'
	@echo 'make format   lay the sources out; make lint  check them'

deps:
	@scripts/install-deps

configure: deps
	@cmake --preset release >/dev/null

build: configure
	@cmake --build build -j$(JOBS) --target kinst

# The command, and every test.
all: configure
	@cmake --build build -j$(JOBS)

demo: build
	@scripts/demo

test: all
	@scripts/fetch-kernels --headers
	@cd build && ctest --output-on-failure -j$(JOBS)

# Not part of `make test`: it compiles everything a second time.
sanitize: deps
	@cmake --preset sanitize >/dev/null
	@cmake --build build-sanitize -j$(JOBS) --target kinst unit_tests refuse_call
	@cd build-sanitize && ctest --output-on-failure -j$(JOBS) \
	  -R '^(unit$$|programs/|command[.]|docs/|examples/|json$$)'

# Needs root and BPF, and prints the seed.
differential: build
	@tests/differential/run --cases $(N) $(if $(SEED),--seed $(SEED)) build/kinst

# Needs clang and its fuzzer runtime (Debian: libclang-rt-14-dev). What is found is kept
# in build-fuzz/corpus for the next time, and what crashes in build-fuzz/crashes.
fuzz: deps
	@cmake --preset fuzz >/dev/null
	@cmake --build build-fuzz -j$(JOBS) --target fuzz_targets
	@tests/fuzz/run build-fuzz $(FUZZ_SECONDS)

install: build
	@cmake --install build --prefix $(PREFIX)

format:
	@scripts/lint --format

lint: all
	@scripts/lint

clean:
	@rm -rf build build-debug build-sanitize build-fuzz
