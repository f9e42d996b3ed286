# The two commands of this project are `make demo` and `make test`; `make` without a target lists them all.

PYTHON ?= python3
# The newest Django that the interpreter supports, unless you name one: DJANGO=5.2.
DJANGO ?=
# Another interpreter needs another directory: make test PYTHON=python3.12 VENV=.venv-3.12
VENV ?= .venv$(if $(DJANGO),-django$(DJANGO))
BIN := $(VENV)/bin
# Few people have all of these packages. They get their own environment, so that `make test` is quick
# to set up and tests the package without them.
WITH_OTHERS := $(VENV)-with-others

# make demo
LINKS ?= docs/demo/links.txt
SERVE ?= 1
PORT ?= 8000

# make fuzz
MINUTES ?= 10
TARGETS ?=

# make bench-columns, make bench-rows
ROWS ?= 100000

# make leaks: how often each function is called, unless that takes longer
OPERATIONS ?= 10000000
SECONDS_EACH ?= 60

# make test, make test-servers: ARGS goes to pytest, as in `make test ARGS="-k host"`
# make bench: ARGS goes to pytest-benchmark, as in `make bench ARGS="--passes 3 --limit 1000"`
ARGS ?=
# How many processes run the tests: one for each core, or only one where ARGS asks for some of them,
# which are found sooner than a second process has started.
WORKERS ?= $(if $(ARGS),0,auto)
POSTGRES_URL ?= postgres://postgres@127.0.0.1:5432/test
MARIADB_URL ?= mysql://root@127.0.0.1:3306/test
# make bench-rows
DATABASE ?= $(POSTGRES_URL)

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Compiling takes a while: only the targets that say so do it.
export WEBURL_BUILD := interpreted
# pytest rewrites each file of tests before it imports it: ten seconds, unless it may keep the result.
export PYTHONDONTWRITEBYTECODE :=

# A file of tests stays in one process, because the examples of a document build on one another.
PYTEST := -m pytest --numprocesses $(WORKERS) --dist loadfile

.NOTPARALLEL:
# Every target with a plain name: none of them is a file.
.PHONY: $(shell sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' Makefile)

# Each target that people run says what it does after "##" on its line.
help:
	@sed -n 's/^\([a-z][a-z-]*\):.*  ## \(.*\)/make \1\t\2/p' Makefile | expand -t 26
	@echo
	@echo "make demo takes LINKS=file for your own list, SERVE=0 for only the report, and PORT=$(PORT)."
	@echo "PYTHON=python3.12 VENV=.venv-3.12 names another interpreter (3.11 or newer) and the"
	@echo "directory of its environment; DJANGO=5.2 another Django than the newest."

# --- the environment: made once, brought up to date when pyproject.toml changes ---------------

# The two distributions: weburl, and the Django app, which needs just this version of it.
PROJECTS := src/pyproject.toml pyproject.toml
EDITABLE := --editable ./src --editable .

# $(1): the interpreter; $(2): where the environment goes. Older pips do not support dependency groups.
define make_environment
@echo "Making the virtual environment in $(2) ..."
@"$(1)" -m venv --clear "$(2)"
@"$(2)/bin/python" -m pip install --quiet --upgrade 'pip>=25.1'
endef

$(VENV)/.made:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "There is no '$(PYTHON)' here: install Python 3.11 or newer, or name it with PYTHON=."; \
	  exit 1; } >&2
	@"$(PYTHON)" -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else \
	  "This needs Python 3.11 or newer, and $(PYTHON) is %d.%d: name another with PYTHON=, " \
	  "as in: make demo PYTHON=python3.12" % (v[0], v[1]))'
	$(call make_environment,$(PYTHON),$(VENV))
	@touch "$@"

$(VENV)/.has-project: $(VENV)/.made $(PROJECTS)
	@echo "Installing the project ..."
	@"$(BIN)/python" -m pip install --quiet $(EDITABLE) $(if $(DJANGO),"django==$(DJANGO).*")
	@touch "$@"

# One stamp for each dependency group of pyproject.toml.
$(VENV)/.has-%: $(VENV)/.made $(PROJECTS)
	@echo "Installing the project and what '$*' needs ..."
	@"$(BIN)/python" -m pip install --quiet $(EDITABLE) --group $* $(if $(DJANGO),"django==$(DJANGO).*")
	@touch "$@"

# --- what people run --------------------------------------------------------------------------

demo: $(VENV)/.has-project  ## import the sample links, print what became of them, serve the page
	@"$(BIN)/python" docs/demo/manage.py migrate --verbosity 0
	@"$(BIN)/python" docs/demo/manage.py import_links "$(LINKS)"
ifneq ($(SERVE),0)
	@echo
	@DJANGO_RUNSERVER_HIDE_WARNING=true \
	  "$(BIN)/python" docs/demo/manage.py runserver --noreload "127.0.0.1:$(PORT)"
endif

environment: $(VENV)/.has-test

versions: $(VENV)/.has-test
	@"$(BIN)/python" -c 'import sys, django; \
	  print("Python %d.%d, Django" % sys.version_info[:2], django.__version__)'

test: environment  ## every test that needs no database server, a process for each core: WORKERS=1
	"$(BIN)/python" $(PYTEST) $(ARGS)

# This runs in the environment with the other libraries, because the integrations use their types.
check: $(WITH_OTHERS)/.has-all  ## ruff, mypy, import-linter, the workflows, and whether all public types are complete
	"$(WITH_OTHERS)/bin/ruff" check .
	"$(WITH_OTHERS)/bin/ruff" format --check .
	"$(WITH_OTHERS)/bin/mypy" src django_whatwg_url tests benchmarks docs/demo docs/site .ci
	"$(WITH_OTHERS)/bin/lint-imports"
	"$(WITH_OTHERS)/bin/python" -m pytest --quiet tests/test_layers.py tests/typing
	"$(WITH_OTHERS)/bin/python" .ci/check_versions.py
	"$(WITH_OTHERS)/bin/python" .ci/promises.py compare
	"$(WITH_OTHERS)/bin/zizmor" --quiet --offline --min-severity medium .github
	@# Whether everything public has a type; basedpyright finds packages only through these paths.
	@for package in weburl django_whatwg_url; do \
	  report=$$(PATH="$(abspath $(WITH_OTHERS)/bin):$$PATH" PYTHONPATH=src:. basedpyright \
	    --verifytypes "$$package" --ignoreexternal) || { echo "$$report" >&2; exit 1; }; \
	  echo "$$package: $$(echo "$$report" | grep "completeness score")"; \
	done

confusables: $(VENV)/.has-test  ## make the table of look-alikes from Unicode's file
	"$(BIN)/python" -m tests.standard.rendering.confusables

map: $(VENV)/.has-check  ## draw the map in docs/architecture.md from the code
	"$(BIN)/python" -m tests.structure

format: $(VENV)/.has-check  ## let ruff put the code into shape
	"$(BIN)/ruff" check --fix .
	"$(BIN)/ruff" format .

messages: $(VENV)/.has-test  ## find the messages to translate, and compile the translations (GNU gettext)
	cd django_whatwg_url && "$(abspath $(BIN))/python" -m django makemessages --all --no-location --no-wrap --no-obsolete
	cd django_whatwg_url && "$(abspath $(BIN))/python" -m django compilemessages

servers-environment: $(VENV)/.has-servers $(VENV)/.has-queues $(VENV)/.has-test

test-servers: test-postgresql test-mariadb  ## the Django tests on PostgreSQL (POSTGRES_URL) and MariaDB (MARIADB_URL)

# These files use no database.
WITHOUT_SQL := documented_names languages linkify messages package redirects templatetags
SERVER_TESTS := tests/django --ignore tests/django/crossings $(WITHOUT_SQL:%=--ignore tests/django/test_%.py)

test-postgresql: servers-environment
	WEBURL_TEST_DATABASE="$(POSTGRES_URL)" "$(BIN)/python" $(PYTEST) $(SERVER_TESTS) $(ARGS)

test-mariadb: servers-environment
	WEBURL_TEST_DATABASE="$(MARIADB_URL)" "$(BIN)/python" $(PYTEST) $(SERVER_TESTS) $(ARGS)

# --- with other libraries, with data engines, in a browser --------------------------------------

$(WITH_OTHERS)/.made: $(VENV)/.made
	$(call make_environment,$(PYTHON),$(WITH_OTHERS))
	@touch "$@"

$(WITH_OTHERS)/.has-%: $(WITH_OTHERS)/.made $(PROJECTS)
	@echo "Installing the project and what '$*' needs into $(WITH_OTHERS) ..."
	@"$(WITH_OTHERS)/bin/python" -m pip install --quiet $(EDITABLE) --group test --group $* \
	  $(if $(DJANGO),"django==$(DJANGO).*")
	@touch "$@"

# All groups in one step, which resolves them once.
OTHERS := check integrations columns browser docs

$(WITH_OTHERS)/.has-all: $(WITH_OTHERS)/.made $(PROJECTS)
	@echo "Installing the project and what '$(OTHERS)' need into $(WITH_OTHERS) ..."
	@"$(WITH_OTHERS)/bin/python" -m pip install --quiet $(EDITABLE) --group test \
	  $(addprefix --group ,$(OTHERS)) $(if $(DJANGO),"django==$(DJANGO).*")
	@touch $(addprefix "$(WITH_OTHERS)"/.has-,$(OTHERS)) "$@"

test-integrations: $(WITH_OTHERS)/.has-integrations  ## the tests with other libraries: REST, pydantic, SQLAlchemy and more
	WEBURL_TEST_WITH=integrations DJANGO_SETTINGS_MODULE=tests.integrations.settings \
	  "$(WITH_OTHERS)/bin/python" $(PYTEST) tests/integrations tests/django/crossings docs/integrations \
	  docs/coming-from $(ARGS)

test-crossings: test-crossings-sqlite test-crossings-postgresql test-crossings-mariadb  ## what each field does in each place: all on SQLite, some on the servers

# $(1): the database, as WEBURL_TEST_DATABASE names it
test_crossings = WEBURL_THOROUGH=1 WEBURL_TEST_DATABASE="$(1)" WEBURL_TEST_WITH=integrations \
  DJANGO_SETTINGS_MODULE=tests.integrations.settings "$(WITH_OTHERS)/bin/python" -m pytest tests/django/crossings $(ARGS)

test-crossings-sqlite: $(WITH_OTHERS)/.has-integrations
	$(call test_crossings,)

test-crossings-postgresql: $(WITH_OTHERS)/.has-integrations
	$(call test_crossings,$(POSTGRES_URL))

test-crossings-mariadb: $(WITH_OTHERS)/.has-integrations
	$(call test_crossings,$(MARIADB_URL))

test-columns: $(WITH_OTHERS)/.has-columns  ## the tests with data engines: Arrow, DuckDB, Polars, Spark (takes Java)
	WEBURL_TEST_WITH=columns "$(WITH_OTHERS)/bin/python" $(PYTEST) tests/columns docs/columns $(ARGS)

# The tool that checks accessibility is JavaScript: without npm its tests are skipped.
AXE := axe-core@4.14.1

$(WITH_OTHERS)/node_modules/.has-$(AXE): $(WITH_OTHERS)/.made
	@command -v npm >/dev/null || { \
	  echo "There is no npm here: accessibility is not tested."; exit 0; }; \
	  npm install --silent --no-save --no-audit --no-fund --ignore-scripts \
	    --prefix "$(WITH_OTHERS)" "$(AXE)" && touch "$@"

test-browser: $(WITH_OTHERS)/.has-browser $(WITH_OTHERS)/.has-docs $(WITH_OTHERS)/node_modules/.has-$(AXE) playground  ## the tests in a real Chromium, which must be installed
	WEBURL_TEST_WITH=browser DJANGO_SETTINGS_MODULE=tests.browser.settings \
	  "$(WITH_OTHERS)/bin/python" -m pytest tests/browser $(ARGS)

# Python 3.14 as WebAssembly, on Node: without processes, threads, sockets, and compiled libraries.
# What needs one of these is skipped, and counted, by tests/pyodide/plugin.py, which also fails if a
# file of web-platform-tests is not read. ARGS names other tests: ARGS=tests/policies.
PYODIDE := pyodide@314.0.7
IN_PYODIDE := $(VENV)-pyodide
PYODIDE_ROOMS := pyodide standard/infra standard/hosts standard/url standard/interface standard/rendering patterns
PYODIDE_TESTS := --enough $(addprefix tests/,$(PYODIDE_ROOMS)) \
  $(filter-out %/test_server.py,$(wildcard tests/viewer/test_*.py)) \
  $(patsubst %,tests/django/test_%.py,admin fields_saving forms functions lookups)

$(IN_PYODIDE)/.has-$(PYODIDE): $(VENV)/.made
	@rm -rf "$(IN_PYODIDE)" && mkdir -p "$(IN_PYODIDE)"
	npm install --silent --no-save --no-audit --no-fund --ignore-scripts --prefix "$(IN_PYODIDE)" "$(PYODIDE)"
	@touch "$@"

# The packages are pure Python, so that those for any platform do. Their own needs are in the group.
$(IN_PYODIDE)/.has-packages: $(IN_PYODIDE)/.has-$(PYODIDE) $(PROJECTS)
	@rm -rf "$(IN_PYODIDE)/packages"
	@"$(BIN)/python" -m pip install --quiet --no-deps --no-compile --target "$(IN_PYODIDE)/packages" \
	  --only-binary :all: --platform any --implementation py --abi none --python-version 3.14 --group pyodide
	@touch "$@"

test-pyodide: $(VENV)/.has-test  ## URLs, hosts and Django on SQLite in Pyodide: Python 3.14 in WebAssembly (takes npm)
	@command -v npm >/dev/null || { \
	  echo "There is no npm here: the tests do not run in Pyodide." >&2; test -z "$$CI"; exit; }; \
	  $(MAKE) --no-print-directory VENV="$(VENV)" run-in-pyodide

run-in-pyodide: $(IN_PYODIDE)/.has-packages $(VENV)/.has-test
	@rm -rf "$(IN_PYODIDE)"/wheel "$(IN_PYODIDE)"/packages/weburl* "$(IN_PYODIDE)"/packages/django_whatwg_url*
	@"$(BIN)/python" -m pip wheel --quiet --no-deps --wheel-dir "$(IN_PYODIDE)/wheel" ./src .
	@"$(BIN)/python" -m pip install --quiet --no-deps --no-compile --target "$(IN_PYODIDE)/packages" \
	  --upgrade "$(IN_PYODIDE)"/wheel/*.whl
	@"$(BIN)/python" -m tests.pyodide "$(IN_PYODIDE)/packages/unicode.json"
	@cp tests/pyodide/run.mjs "$(IN_PYODIDE)/run.mjs"
	HYPOTHESIS_PROFILE=few node "$(IN_PYODIDE)/run.mjs" "$(IN_PYODIDE)/packages" . \
	  "$(or $(WPT_URL_RESOURCES),../shared/wpt)" -p no:cacheprovider --quiet \
	  $(or $(ARGS),$(PYODIDE_TESTS))

# What the playground runs in the browser: Pyodide, and the wheels of weburl and of what it needs. Without
# npm, the site is built without them, and says so.
PLAYGROUND := $(WITH_OTHERS)/playground
PURE := --only-binary :all: --platform any --implementation py --abi none --python-version 3.14

$(PLAYGROUND)/.has-$(PYODIDE): $(WITH_OTHERS)/.made
	@rm -rf "$(PLAYGROUND)" && mkdir -p "$(PLAYGROUND)"
	@npm install --silent --no-save --no-audit --no-fund --ignore-scripts --prefix "$(PLAYGROUND)" "$(PYODIDE)"
	@touch "$@"

$(PLAYGROUND)/wheels/.made: $(PLAYGROUND)/.has-$(PYODIDE) $(PROJECTS) $(shell find src -type f -not -name '*.pyc')
	@echo "Building the wheels of the playground ..."
	@rm -rf "$(PLAYGROUND)/wheels"
	@"$(WITH_OTHERS)/bin/python" -m pip wheel --quiet --no-deps --wheel-dir "$(PLAYGROUND)/wheels" ./src
	@"$(WITH_OTHERS)/bin/python" -m pip download --quiet --no-deps --dest "$(PLAYGROUND)/wheels" $(PURE) --group playground
	@touch "$@"

playground: $(WITH_OTHERS)/.made
	@command -v npm >/dev/null || { echo "There is no npm here: the playground is built without Python."; exit 0; }; \
	  $(MAKE) --no-print-directory "$(PLAYGROUND)/wheels/.made"

docs: export DJANGO_SETTINGS_MODULE := tests.integrations.settings
docs: $(WITH_OTHERS)/.has-docs playground  ## build the site of the documents into site/, and follow its links
	PYTHONPATH=docs/demo "$(WITH_OTHERS)/bin/python" -m docs.site
	WEBURL_TEST_WITH=site "$(WITH_OTHERS)/bin/python" -m pytest --quiet tests/site $(ARGS)

# In docs/pictures, for people to look at: not compared with anything.
screenshots: $(WITH_OTHERS)/.has-browser  ## pictures of the demo and the admin, in docs/pictures
	WEBURL_TEST_WITH=browser DJANGO_SETTINGS_MODULE=tests.browser.settings WEBURL_PICTURES=docs/pictures \
	  "$(WITH_OTHERS)/bin/python" -m pytest --quiet tests/browser/test_pictures.py

# --- compiled by Cython ------------------------------------------------------------------------

# Built from a source distribution: building a wheel here would leave its libraries among the sources,
# where the interpreter would import them.
SDIST := dist/sdist

$(SDIST)/.made: $(VENV)/.has-build $(PROJECTS) README.md $(shell find src django_whatwg_url -name '*.py' -o -name '*.pxd' -o -name '*.txt')
	@rm -rf "$(SDIST)"
	@"$(BIN)/python" -m hatchling build --target sdist --directory "$(SDIST)" >/dev/null
	@cd src && "$(abspath $(BIN))/python" -m hatchling build --target sdist --directory "$(abspath $(SDIST))" >/dev/null
	@touch "$@"

# The compiled build has its own environment, so that `make test` still tests the interpreted code.
COMPILED := .venv-compiled

$(COMPILED)/.made: $(VENV)/.made
	$(call make_environment,$(BIN)/python,$(COMPILED))
	@touch "$@"

$(COMPILED)/.has-weburl: $(COMPILED)/.made $(SDIST)/.made
	@echo "Compiling weburl into $(COMPILED) ..."
	@"$(COMPILED)/bin/python" -m pip uninstall --quiet --yes weburl django-whatwg-url
	@WEBURL_BUILD=compiled "$(COMPILED)/bin/python" -m pip install --quiet "$(SDIST)"/*.tar.gz
	@"$(COMPILED)/bin/python" -m pip install --quiet --group test
	@touch "$@"

# What the compiled modules can break. ARGS names other tests, or a marker. `make test` has compiled
# with the same Python already, in test_build_hook.py.
COMPILED_TESTS := $(addprefix tests/,standard columns/compiled origins keys text patterns policies html django/column) \
  $(patsubst %,tests/test_%.py,agreement building_blocks conventions environments layers main memory redirect_uris shared_state) \
  $(patsubst %,tests/django/test_%.py,fields_saving forms functions) \
  --ignore tests/standard/compiled/test_build_hook.py --ignore tests/html/test_in_chromium.py

test-compiled: $(COMPILED)/.has-weburl  ## the tests of weburl, and of the fields, on a compiled build in its own environment
	WEBURL_EXPECTED_BUILD=compiled "$(COMPILED)/bin/python" $(PYTEST) $(or $(ARGS),$(COMPILED_TESTS))

# As deployments set Python: without docstrings and assertions, with an error for each comparison of
# bytes with text, and in development mode. pytest keeps the assertions of the tests themselves.
# Django compares whatever it gets with "", so its side runs without -bb.
SET := -OO -X dev
SET_TESTS := $(addprefix tests/,standard/interface origins keys test_environments.py) \
  $(patsubst %,tests/standard/url/test_%.py,record setters) $(patsubst %,tests/policies/test_%.py,policy hosts)
SET_DJANGO_TESTS := tests/django/column $(patsubst %,tests/django/test_%.py,fields_saving forms lookups)

test-settings: $(VENV)/.has-test $(COMPILED)/.has-weburl  ## both builds under -OO, -bb and -X dev
	@set -e; export HYPOTHESIS_PROFILE=few; for build in "$(BIN)" "$(COMPILED)/bin"; do \
	  "$$build/python" $(SET) -bb -m pytest -W "ignore:assertions not in test modules" $(SET_TESTS); \
	  "$$build/python" $(SET) -m pytest -W "ignore:assertions not in test modules" $(SET_DJANGO_TESTS); \
	done

# As a user has them: packages without their sources, first without django-stubs.
CHECKERS := $(VENV)-type-checkers

test-type-checkers: environment  ## what mypy, pyright, basedpyright, pyrefly and ty show for a field
	$(call make_environment,$(BIN)/python,$(CHECKERS))
	@"$(CHECKERS)/bin/python" -m pip install --quiet ./src . --group type-checkers
	WEBURL_TYPE_CHECKERS="$(CHECKERS)/bin" "$(BIN)/python" -m pytest -m nightly tests/typing/test_type_checkers.py
	@"$(CHECKERS)/bin/python" -m pip install --quiet 'django-stubs>=5.2'
	WEBURL_TYPE_CHECKERS="$(CHECKERS)/bin" "$(BIN)/python" -m pytest -m nightly tests/typing/test_type_checkers.py

# Frozen programs of both builds.
test-frozen: $(VENV)/.has-freeze $(VENV)/.has-test $(COMPILED)/.has-weburl  ## programs that PyInstaller and Nuitka freeze, of both builds
	"$(BIN)/python" -m pytest -m nightly tests/release/test_frozen.py
	@"$(COMPILED)/bin/python" -m pip install --quiet --group freeze
	"$(COMPILED)/bin/python" -m pytest -m nightly tests/release/test_frozen.py

# Compiles in this checkout, for work on the compiled modules: until `make interpreted`, everything
# here runs compiled, and a change to a compiled module takes effect after another `make compiled`.
compiled: $(VENV)/.has-build  ## compile weburl by Cython in this checkout; make interpreted takes it back
	@find src -name '*.so' -delete -o -name '*.pyd' -delete
	@WEBURL_BUILD=compiled "$(BIN)/python" -m pip install --quiet --no-deps $(EDITABLE)
	@"$(BIN)/python" -c "from weburl import COMPILED; assert COMPILED"
	@echo "weburl is compiled, in this checkout; 'make interpreted' takes it back."

interpreted: $(VENV)/.made
	@find src -name '*.so' -delete -o -name '*.pyd' -delete
	@"$(BIN)/python" -m pip install --quiet --no-deps $(EDITABLE)
	@"$(BIN)/python" -c "from weburl import COMPILED; assert not COMPILED"

# Each build of weburl has its own environment with the peers: one process cannot import both builds,
# and ratios compare with peers in the same process.
BENCH := .venv-bench

$(BENCH)/%/.has-peers: $(VENV)/.made $(PROJECTS)
	$(call make_environment,$(BIN)/python,$(@D))
	@"$(@D)/bin/python" -m pip install --quiet --group bench
	@touch "$@"

$(BENCH)/%/.has-weburl: $(BENCH)/%/.has-peers $(SDIST)/.made
	@echo "Installing weburl, $* ..."
	@"$(@D)/bin/python" -m pip uninstall --quiet --yes weburl django-whatwg-url
	@WEBURL_BUILD=$* "$(@D)/bin/python" -m pip install --quiet "$(SDIST)"/*.tar.gz
	@touch "$@"

.PRECIOUS: $(BENCH)/%/.has-peers $(BENCH)/%/.has-weburl

# How benchmarks are run by pytest-benchmark. ARGS="--limit 1000 --passes 3" is a quick run.
BENCHMARK := -m pytest --quiet -c benchmarks/pytest.ini

bench: $(BENCH)/interpreted/.has-weburl $(BENCH)/compiled/.has-weburl  ## measure weburl beside its peers, and write the tables in docs/
	@set -e; for build in interpreted compiled; do \
	  "$(BENCH)/$$build/bin/python" $(BENCHMARK) benchmarks/bench_urls.py benchmarks/bench_conformance.py \
	    benchmarks/bench_kept.py benchmarks/bench_django.py --benchmark-json "$(BENCH)/$$build.json" $(ARGS); \
	done
	@"$(BENCH)/interpreted/bin/python" -m benchmarks.report "$(BENCH)/compiled.json" "$(BENCH)/interpreted.json"

# One subject in both builds: make bench-html, bench-keys, bench-patterns, bench-text, bench-fetching.
bench-html bench-keys bench-patterns bench-text bench-fetching: bench-%: $(BENCH)/interpreted/.has-weburl $(BENCH)/compiled/.has-weburl
	@set -e; for build in interpreted compiled; do \
	  "$(BENCH)/$$build/bin/python" -m pip install --quiet --group bench-$*; \
	  "$(BENCH)/$$build/bin/python" $(BENCHMARK) benchmarks/bench_$*.py $(ARGS); \
	done

bench-columns: $(BENCH)/interpreted/.has-weburl $(BENCH)/compiled/.has-weburl  ## measure columns beside other tools (takes Java): ROWS=100000
	@set -e; for build in interpreted compiled; do \
	  "$(BENCH)/$$build/bin/python" -m pip install --quiet --group bench-columns; \
	  "$(BENCH)/$$build/bin/python" $(BENCHMARK) benchmarks/bench_columns.py --rows $(ROWS) $(ARGS); \
	done

bench-queries: servers-environment  ## measure queries on SQLite and PostgreSQL, which must run
	@WEBURL_TEST_DATABASE=sqlite:// "$(BIN)/python" $(BENCHMARK) benchmarks/bench_queries.py $(ARGS)
	@WEBURL_TEST_DATABASE="$(POSTGRES_URL)" "$(BIN)/python" $(BENCHMARK) benchmarks/bench_queries.py \
	  --benchmark-timer=time.perf_counter $(ARGS)

bench-rows: servers-environment  ## measure jobs over all rows of a table: ROWS=2000000 DATABASE=postgres://…
	@WEBURL_TEST_DATABASE="$(DATABASE)" "$(BIN)/python" -m benchmarks.rows --rows $(ROWS) $(ARGS)

# --- searching for bugs -------------------------------------------------------------------------

# Atheris has wheels for Linux. Inputs worth keeping, and those that fail, stay in .fuzzing/.
fuzz: $(VENV)/.has-fuzz $(VENV)/.has-test  ## let fuzzers look for mistakes: MINUTES=10 in all, TARGETS="parse html" for some
	"$(BIN)/python" -m tests.fuzzing --minutes $(MINUTES) $(TARGETS)

growth: $(VENV)/.has-test  ## time and memory of every public function on hostile shapes, to 4 MB
	"$(BIN)/python" -m benchmarks.complexity $(ARGS)

# In both builds, because the compiled one counts its references in C.
leaks: $(VENV)/.has-test $(COMPILED)/.has-weburl  ## memory of every public function in long runs: OPERATIONS=10000000 SECONDS_EACH=60
	@status=0; for build in "$(BIN)" "$(COMPILED)/bin"; do \
	  "$$build/python" -m benchmarks.leaks --operations $(OPERATIONS) --seconds $(SECONDS_EACH) $(ARGS) \
	    || status=1; \
	done; exit $$status

# All extension modules of the build, with both sanitizers of gcc. Python itself is built without
# them, so LD_PRELOAD loads their runtimes first, and Python's own leaks are ignored.
SANITIZED := .venv-sanitized
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O1
sanitizer = $(shell $(CC) -print-file-name=lib$(1).so)

$(SANITIZED)/.has-weburl: $(VENV)/.made $(SDIST)/.made
	@echo "Compiling weburl with sanitizers into $(SANITIZED) ..."
	@"$(BIN)/python" -m venv --clear "$(SANITIZED)"
	@"$(SANITIZED)/bin/python" -m pip install --quiet --upgrade 'pip>=25.1'
	@"$(SANITIZED)/bin/python" -m pip install --quiet --group test 'pyarrow>=18'
	@WEBURL_BUILD=compiled CFLAGS="$(SANITIZERS)" LDFLAGS="$(SANITIZERS)" \
	  "$(SANITIZED)/bin/python" -m pip install --quiet --no-cache-dir "$(SDIST)"/*.tar.gz
	@touch "$@"

# Without the allocators of Python and Arrow, which would hide reads past the end of an object or a buffer.
SANITIZED_RUN = LD_PRELOAD="$(call sanitizer,asan) $(call sanitizer,ubsan)" \
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc ARROW_DEFAULT_MEMORY_POOL=system \
  WEBURL_EXPECTED_BUILD=compiled "$(SANITIZED)/bin/python"

test-sanitized: $(SANITIZED)/.has-weburl  ## the compiled build's tests under AddressSanitizer and UBSan (takes gcc)
	$(SANITIZED_RUN) -m tests.standard.compiled.equality 10000 $$(date +%s)
	@# Not --capture=fd, which would lose what a sanitizer prints before it ends the process.
	$(SANITIZED_RUN) -m pytest --capture=sys tests/standard/compiled tests/columns/compiled tests/columns/test_plain.py \
	  tests/columns/test_same_answers.py tests/keys tests/standard/url \
	  tests/standard/interface/test_search_params.py tests/test_building_blocks.py $(ARGS)

# Reads of memory that nothing was written to, which the sanitizers of gcc do not see. It takes 50 times
# as long as without valgrind, so there are few texts.
VALGRIND = PYTHONMALLOC=malloc HYPOTHESIS_PROFILE=few WEBURL_EXPECTED_BUILD=compiled valgrind --quiet \
  --error-exitcode=1 --suppressions=.ci/valgrind.supp "$(COMPILED)/bin/python"

test-valgrind: $(COMPILED)/.has-weburl  ## the compiled build's parser and keys under valgrind (takes valgrind)
	$(VALGRIND) -m tests.standard.compiled.equality 300 $$(date +%s)
	$(VALGRIND) -m pytest tests/keys \
	  tests/columns/compiled/test_host_lists.py tests/standard/compiled/test_idn.py $(ARGS)

# check-wheel-contents compares the files with the sources. W004 would refuse names that PyInstaller and
# Django require, so check_wheel.py checks the names of modules. W102 counts the libraries of a compiled wheel.
# A wheel without libraries does not have the sources of libraries.
NOT_IN_WHEELS := .*,*.pyc,__pycache__,compiled
define check_wheels
"$(BIN)/check-wheel-contents" --ignore W004 --package-omit "$(NOT_IN_WHEELS)" --package src/weburl dist/weburl-*.whl
"$(BIN)/check-wheel-contents" --ignore W004 --package django_whatwg_url dist/django_whatwg_url-*.whl
"$(BIN)/python" .ci/check_wheel.py dist/*.whl
endef

wheel: $(VENV)/.has-wheel  ## build the pure wheels into dist/ and look into them
	@rm -f dist/*.whl
	@WEBURL_BUILD=interpreted "$(BIN)/python" -m pip wheel --quiet --no-deps --wheel-dir dist ./src .
	@$(check_wheels)

# --- a release: CONTRIBUTING.md --------------------------------------------------------------------

# The audit and the licences need an environment with only what the package installs.
RELEASE := $(VENV)-release
INSTALLED := $(RELEASE)/installed
WITHOUT ?=

$(RELEASE)/.made: $(VENV)/.made $(PROJECTS)
	$(call make_environment,$(PYTHON),$(RELEASE))
	@echo "Installing the project and what a release takes into $(RELEASE) ..."
	@"$(RELEASE)/bin/python" -m pip install --quiet --group release $(EDITABLE)
	@"$(BIN)/python" -m venv --without-pip "$(INSTALLED)"
	@"$(RELEASE)/bin/python" -m pip --python "$(INSTALLED)" install --quiet \
	  "./src[columns,duckdb,fsspec,html,rendering,spark,testing,warc]" .
	@touch "$@"

# Each distribution is built twice: the files must be equal byte by byte. cibuildwheel builds the
# compiled wheels of all platforms, and tries each: [tool.cibuildwheel] in src/pyproject.toml.
wheels: $(RELEASE)/.made $(VENV)/.has-wheel  ## build the source distributions and the pure wheels for a release
	@rm -rf dist/release dist/again
	@for directory in dist/release dist/again; do for project in src .; do \
	  export WEBURL_BUILD=interpreted SOURCE_DATE_EPOCH="$$(git log -1 --format=%ct)"; \
	  (cd $$project && "$(abspath $(RELEASE))/bin/python" -m hatchling build --directory "$(CURDIR)/$$directory") || exit; \
	done; done
	@for file in dist/release/*; do cmp "$$file" "dist/again/$${file##*/}" || exit; done; rm -r dist/again
	@"$(BIN)/check-wheel-contents" --ignore W004 --package-omit "$(NOT_IN_WHEELS)" --package src/weburl dist/release/weburl-*.whl
	@"$(BIN)/check-wheel-contents" --ignore W004 --package django_whatwg_url dist/release/django_whatwg_url-*.whl
	"$(BIN)/python" .ci/check_wheel.py dist/release/*.whl
	"$(BIN)/python" .ci/quickstart.py dist/release/*.whl

promises: $(RELEASE)/.made  ## write tests/promises/, and compare all public names with the last tag
	"$(RELEASE)/bin/python" .ci/promises.py write
	@last=$$(git describe --tags --abbrev=0 2>/dev/null) || { echo "There is no tag to compare names with."; exit 0; }; \
	  "$(RELEASE)/bin/griffe" check weburl --search src --against "$$last" && \
	  "$(RELEASE)/bin/griffe" check django_whatwg_url --against "$$last"

# Licences that are fine for every user of this package.
LICENCES := Apache-2.0;Apache Software License;Apache-2.0 AND CNRI-Python;BSD License;BSD-3-Clause;BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0;MIT;MIT License;MPL-2.0;MPL-2.0 AND MIT;PSF-2.0

licences: $(RELEASE)/.made  ## list the licences of all that comes with the package, and fail on another one
	"$(RELEASE)/bin/pip-licenses" --python "$(INSTALLED)/bin/python" --order license \
	  --allow-only "$(LICENCES)"

audit: $(RELEASE)/.made  ## look for known vulnerabilities in all that comes with the package
	"$(RELEASE)/bin/pip-audit" --strict --path "$$(echo "$(INSTALLED)"/lib/python*/site-packages)"

release-versions: $(RELEASE)/.made
	"$(RELEASE)/bin/python" .ci/check_versions.py --for-release
	"$(RELEASE)/bin/python" .ci/check_addresses.py
	"$(RELEASE)/bin/python" .ci/promises.py compare --for-release

release-messages: $(RELEASE)/.made
	"$(RELEASE)/bin/python" .ci/catalogues.py

# Each step runs, even after a failure.
release-check:  ## everything that a release must pass; WITHOUT="audit wheels" leaves out
	@$(MAKE) --keep-going --no-print-directory \
	  $(filter-out $(WITHOUT),release-versions release-messages promises licences audit docs wheels)

# Lists what the pure wheels install, each package with its version and licence, as CycloneDX.
sbom: $(RELEASE)/.made  ## after make wheels: list what comes with the package, as CycloneDX
	"$(RELEASE)/bin/cyclonedx-py" environment --pyproject pyproject.toml --output-reproducible \
	  --output-file dist/release/sbom.cdx.json "$(INSTALLED)"

clean:  ## remove what these commands made
	rm -rf "$(VENV)" .venv .venv-3* .venv-django* .venv-with-others .venv-release "$(BENCH)" "$(COMPILED)" "$(SANITIZED)" .fuzzing dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis docs/demo/db.sqlite3*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
