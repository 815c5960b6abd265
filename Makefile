# Every target installs what it needs first (scripts/bootstrap, silent when nothing is missing).
SHELL := /bin/bash
JOBS ?= $(shell nproc)
CTEST := ctest --output-on-failure --no-tests=error -j $(JOBS)

.PHONY: build mpi demo wheel deb test python-test test-slow mutate check proofs bench docs clean

build: ## the release binary, build/release/hushwalk
	@scripts/bootstrap build
	@cmake --preset release >/dev/null
	@cmake --build build/release --target hushwalk_cli

mpi: ## hushwalk-mpi, for graphs spread over several machines, build/release/hushwalk-mpi
	@scripts/bootstrap mpi
	@cmake --preset release -DHUSHWALK_MPI=ON >/dev/null
	@cmake --build build/release --target hushwalk_cli hushwalk_mpi_cli

demo: build ## a ranking on a built-in graph, also as a page: build/demo.html
	@echo
	@build/release/hushwalk demo -o build/demo.html

wheel: ## the Python package, build/dist/*.whl, and the source it can be made from
	@scripts/bootstrap build python
	@cmake --preset release -DHUSHWALK_PYTHON=ON >/dev/null
	@cmake --build build/release --target hushwalk_python
	@HUSHWALK_BUILD=build/release /usr/bin/python3 -m build --no-isolation --sdist --wheel --outdir build/dist . >build/wheel.log 2>&1 \
	  || { tail -n 30 build/wheel.log; exit 1; }
	@ls build/dist/*

# Debian's library folder, as its policy wants it.
deb: ## Debian packages, build/deb/*.deb: hushwalk, libhushwalk-dev, python3-hushwalk, hushwalk-mpi
	@scripts/bootstrap build python mpi deb
	@cmake --preset release -DHUSHWALK_PYTHON=ON -DHUSHWALK_MPI=ON -DCMAKE_INSTALL_LIBDIR=lib/$$(dpkg-architecture -qDEB_HOST_MULTIARCH) >/dev/null
	@cmake --build build/release --target hushwalk hushwalk_lab hushwalk_cli hushwalk_manual hushwalk_python hushwalk_mpi_cli hushwalk_mpi_manual
	@packaging/make-deb build/release build/deb

test: ## format, includes, and the test suite on the release build
	@scripts/bootstrap test python docs mpi
	@scripts/check-format
	@scripts/check-includes
	@cmake --preset release -DHUSHWALK_TESTS=ON -DHUSHWALK_PYTHON=ON -DHUSHWALK_MPI=ON >/dev/null
	@cmake --build build/release
	@$(CTEST) --test-dir build/release

python-test: ## the tests of the Python module only
	@scripts/bootstrap test python
	@cmake --preset release -DHUSHWALK_TESTS=ON -DHUSHWALK_PYTHON=ON >/dev/null
	@cmake --build build/release --target hushwalk_python hushwalk_cli seeded_module seeded_scores
	@$(CTEST) --test-dir build/release -R '^python: '

test-slow: test check deb ## make check, the packages in a bare Debian, a ledger that fails at every call, hushwalk-mpi on 1 to 4 processes, the audits with a million trials, the fuzz targets, a minute each, the notebooks in a kernel, a wheel from the sdist, and ten mutations
	@packaging/try-in-chroot build/deb
	@HUSHWALK_ALL_FAULTS=1 build/release/tests/fault_tests --gtest_brief=1
	@HUSHWALK_ALL_RANKS=1 $(CTEST) --test-dir build/release -R '^distributed: '
	@HUSHWALK_AUDIT_TRIALS=1000000 build/release/tests/audit_tests --gtest_brief=1 --gtest_filter='*StandsAllAttacks*:*NoneExceeds*'
	@cmake --preset fuzz >/dev/null
	@cmake --build build/fuzz
	@scripts/fuzz 60
	@HUSHWALK_NOTEBOOKS=1 $(CTEST) --test-dir build/release -R '^python: examples_test'
	@HUSHWALK_WHEEL_FROM_SDIST=1 $(CTEST) --test-dir build/release -R '^python: wheel_test'
	@scripts/mutate --sample 10 --random-seed $$(date +%j) --jobs $(JOBS)

mutate: ## break the code on purpose, one mutation at a time, and list those that no test notices: hours
	@scripts/bootstrap mutate
	@scripts/mutate --jobs $(JOBS)

# Sanitizers see memory and threads: what counts draws by the million, or looks at pages in a browser, shows them nothing new; what climbs
# and attacks for minutes on one thread shows nothing to that of threads. Tests do less of the same by themselves (tests/support/sanitized.h).
SANITIZED := $(CTEST) -E '^(statistical|browser):'
THREADS := $(CTEST) -E '^(statistical|browser|audit|oracle):'
check: proofs ## the proofs, the checks of clang-tidy and its analyzer, and the test suite under the sanitizers
	@scripts/bootstrap test python mpi
	@scripts/check-format
	@scripts/check-includes
	@cmake --preset dev -DHUSHWALK_MPI=ON -DHUSHWALK_PYTHON=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
	@scripts/tidy
	@cmake --preset asan-ubsan >/dev/null
	@cmake --build build/asan-ubsan
	@$(SANITIZED) --test-dir build/asan-ubsan
	@cmake --preset tsan >/dev/null
	@cmake --build build/tsan
	@TSAN_OPTIONS="suppressions=$(CURDIR)/tests/tsan.supp external_symbolizer_path=/usr/bin/llvm-symbolizer-19" $(THREADS) --test-dir build/tsan

proofs: ## the machine-checked proofs, and the axioms they rest on
	@scripts/bootstrap proofs
	@scripts/prove

PREVIOUS ?= HEAD~1
bench: ## speed, as ratios against peers measured in the same run
	@scripts/bootstrap bench python
	@cmake --preset release -DHUSHWALK_BENCH=ON -DHUSHWALK_PYTHON=ON >/dev/null
	@cmake --build build/release
	@/usr/bin/python3 bench/ratios.py build/release/bench --previous $(PREVIOUS) --table build/release/bench/ratios.md --plot build/release/bench/ratios.svg
	@PYTHONPATH=build/release/python /usr/bin/python3 bench/mechanisms.py --table build/release/bench/mechanisms.md --plot build/release/bench/mechanisms.svg

docs: build ## the documentation as HTML, build/docs/index.html
	@scripts/bootstrap docs
	@/usr/bin/python3 docs/pictures.py
	@HUSHWALK=build/release/hushwalk /usr/bin/python3 -m sphinx -q -W --keep-going -b html -d build/doctrees docs build/docs
	@echo "build/docs/index.html"

clean:
	@rm -rf build
