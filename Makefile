# Two commands do everything on a fresh machine: `make run` and `make test`.
# What is missing is installed by scripts/setup.sh where it may be, and named exactly where it may not.

.DEFAULT_GOAL := help
.PHONY: help run test faults pubsub api s3 lint bench fuzz clean setup setup-tests web e2e browser

PORT ?= 8080
# Where the hotel's data is. The PostgreSQL of a root user gets there even when the folders above are closed to it.
DATA_DIR ?= .data
TARGET := $(or $(CARGO_TARGET_DIR),target)

help: ## Show the commands
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-6s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: web ## Build and run the demo hotel: PORT=8080 DATA_DIR=.data
	@[ -e "$(TARGET)/release/melmastoon" ] || echo "… building melmastoon: some 400 libraries the first time, ten to fifteen minutes on two processors" >&2
	@cargo build --release --package melmastoon
	@exec "$(TARGET)/release/melmastoon" up --demo --listen "127.0.0.1:$(PORT)" --data-dir "$(DATA_DIR)"

test: web browser setup-tests ## Format, lints, all tests, the REST interface against its document
	@scripts/test.sh

faults: setup-tests ## Break everything that can break, and check what must hold: SEED=… MINUTES=10 OUTAGE=120, or EVENTS=1000000 KILLS=20
	@scripts/faults.sh

pubsub: setup-tests ## The bus on Google Pub/Sub, against Google's emulator where it is installed
	@scripts/pubsub.sh

web: setup ## Build the web app into web/dist
	@scripts/web.sh

e2e: web browser ## The web app in a browser against the real server
	@scripts/e2e.sh

api: setup ## Ask the demo hotel 2,000 questions and hold every answer against /openapi.json: SEED=1405 EXAMPLES=15
	@scripts/api.sh

s3: setup ## The archive in a bucket, against a server that speaks S3
	@scripts/s3.sh

lint: setup ## Format, lints, licences and bans (installs cargo-deny)
	@scripts/lint.sh --install

bench: setup-tests ## Measure: the hotel against its database's own limit, the planner, the reading of events
	@scripts/need-folder.sh bench
	@cargo build --release --package melmastoon --package melmastoon-bench
	@$${CARGO_TARGET_DIR:-target}/release/melmastoon-bench
	@cargo bench --package melmastoon-planner --bench quality -- --json ../bench/planner.json
	@cargo run --release --quiet --package melmastoon-contracts --bin contracts-speed

fuzz: setup ## Feed every reader random bytes: FUZZ_SECONDS=60 each
	@scripts/need-folder.sh fuzz
	@scripts/fuzz.sh

clean: ## Remove what was built, and the tests' PostgreSQL; the hotel's data stays
	@scripts/stop-test-cluster.sh --remove
	@cargo clean

setup:
	@scripts/setup.sh
	@scripts/setup-web.sh

browser:
	@scripts/setup-web.sh --browser

setup-tests:
	@scripts/setup.sh --tests
