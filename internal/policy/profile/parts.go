package profile

// parts are the ecosystems. The starter asks nothing, and names no program that only reads: cat opens every file.
var parts = [...]part{
	{
		Name: "every project", Comment: "reading and writing a usual file of secrets by name; .env.example is none",
		Both: wording{
			// A rule cannot say "but not", so the spellings of .env are named one by one: .env.example and others
			// that are often committed stay readable. The home directory is for the key secrets of permgate.json.
			Deny: "Read(/**/.env); Read(/**/.env.local); Read(/**/.env.*.local); Read(/**/.env.staging); " +
				"Read(/**/.env.prod); Read(/**/.env.production); Read(/**/*.key); Read(/**/key.pem); " +
				"Read(/**/privkey.pem); Read(/**/id_rsa); Read(/**/id_ed25519); Read(/**/*.p12); Read(/**/*.pfx)",
			Denied: "Read .env; cat config/.env.local; base64 .env.production; Read .env.prod; Read .env.staging; " +
				"Read .env.test.local; Read certs/server.key; Read deploy/id_rsa; Read deploy/id_ed25519; " +
				"Read certs/key.pem; Read certs/privkey.pem; Read store.p12; Read store.pfx",
		},
		Strict: wording{
			Deny:   "sudo:*",
			Denied: "sudo make install",
			Ask:    "curl:*; wget:*; ssh:*; scp:*; rsync:*; WebFetch; WebSearch",
			Asked: "curl -sO https://example.com/x.tar.gz; WebFetch https://example.com/; WebSearch weather; " +
				"wget https://example.com/x.tar.gz; rsync -a . backup:; scp README.md backup:; ssh example.com uptime",
		},
	},
	{
		Name: "git", Files: ".git", Root: true,
		Comment: "commits stay on this machine; no rule here lets a push through",
		Starter: wording{Allow: "git add:*; git commit:*", Allowed: "git add -A; git commit -m 'say why'"},
		Strict: wording{
			Ask: "git push:*; git clone:*; git fetch:*; git pull:*; git commit:*",
			Asked: "git push origin main; git -C . push; git clone https://example.com/x.git; git fetch; " +
				"git pull --rebase; git commit -m x",
		},
	},
	{
		Name: "Go", Files: "go.mod", Comment: "building, testing, formatting",
		Starter: wording{
			Allow: "go build:*; go test:*; go vet:*; go fmt:*; gofmt:*; go mod tidy:*",
			Allowed: "go test -run TestX ./...; go build ./... && go vet ./...; " +
				"gofmt -l -w . && go fmt ./... && go mod tidy",
		},
		Strict: wording{
			Allow:   "go build ./...; go vet ./...; go test ./...",
			Allowed: "go build ./... && go vet ./... && go test ./...",
			Ask:     "go get:*; go install:*; go mod download:*; go mod tidy:*; go run:*; go generate:*",
			Asked: "go get example.com/m@latest; go install ./...; go run .; go generate ./...; go mod tidy; " +
				"go mod download",
		},
	},
	{
		Name: "Go modules in folders", Files: "go.mod", Each: modules, Comment: "the same with go -C",
		Starter: wording{Allow: "go -C {of} {}:*", Allowed: "go -C {of} {} ./..."},
	},
	{
		Name: "golangci-lint", Files: ".golangci.yml .golangci.yaml .golangci.toml", Comment: "linting Go",
		Starter: wording{Allow: "golangci-lint run:*", Allowed: "golangci-lint run ./..."},
		Strict:  wording{Allow: "golangci-lint run", Allowed: "golangci-lint run"},
	},
	{
		Name: "npm", Files: "package.json", Each: packageScripts, Unless: "pnpm-lock.yaml yarn.lock bun.lock bun.lockb",
		Comment: "scripts that build, test and check, by name",
		Both:    wording{Allow: "npm {test}; npm run {}", Allowed: "npm {test}; npm run {}"},
		Starter: wording{ // npm takes what is before -- as its own options, such as --prefix
			Allow:   "npm {test} -- *; npm run {} -- *",
			Allowed: "npm {test} -- --quiet; npm run {} -- --quiet",
		},
		Strict: wording{
			Ask:   "npm install:*; npm i:*; npm ci:*; npm publish:*; npm exec:*; npx:*",
			Asked: "npm install left-pad; npm i left-pad; npm ci; npx cowsay; npm exec cowsay; npm publish",
		},
	},
	{
		Name: "npm workspaces", Files: "package.json", Each: workspacePairs,
		Unless:  "pnpm-lock.yaml yarn.lock bun.lock bun.lockb",
		Comment: "the same scripts, by the package they belong to",
		Starter: wording{
			Allow: "npm run {} -w {of}; npm run {} --workspace={of}; npm run {} --workspaces --if-present; " +
				"npm run {} --workspaces",
			Allowed: "npm run {} -w {of} && npm run {} --workspace={of}; " +
				"npm run {} --workspaces && npm run {} --workspaces --if-present",
		},
	},
	{
		Name: "npm in folders", Files: "package.json", Each: folderScripts,
		Unless: "pnpm-lock.yaml yarn.lock bun.lock bun.lockb", Comment: "the same scripts, by folder",
		Starter: wording{Allow: "npm --prefix {of} run {}", Allowed: "npm --prefix {of} run {}"},
	},
	{
		Name: "JavaScript tools", Files: "package.json", Each: packageTools,
		Comment: "test runners, checkers and formatters that package.json names",
		Starter: wording{Allow: "npx {}:*", Allowed: "npx {} src"},
	},
	{
		Name: "pnpm", Files: "pnpm-lock.yaml", Each: packageScripts,
		Comment: "scripts that build, test and check, by name",
		Starter: wording{Allow: "pnpm {}:*; pnpm run {}:*", Allowed: "pnpm {}; pnpm run {} --quiet"},
		Strict: wording{
			Allow:   "pnpm run {}",
			Allowed: "pnpm run {}",
			Ask:     "pnpm install:*; pnpm i:*; pnpm add:*; pnpm publish:*; pnpm exec:*; pnpm dlx:*",
			Asked:   "pnpm install; pnpm i; pnpm add left-pad; pnpm dlx cowsay; pnpm exec cowsay; pnpm publish",
		},
	},
	{
		Name: "pnpm workspace", Files: "pnpm-workspace.yaml", Root: true, Each: packagePairs,
		Comment: "the same scripts, by package or in all of them",
		Starter: wording{
			Allow:   "pnpm --filter {of} {}:*; pnpm --filter {of} run {}:*; pnpm -r {}; pnpm -r run {}:*",
			Allowed: "pnpm --filter {of} {} && pnpm --filter {of} run {} --quiet; pnpm -r {} && pnpm -r run {}",
		},
	},
	{
		Name: "tools with pnpm", Files: "pnpm-lock.yaml", Each: installedTools,
		Comment: "those that package.json names",
		Starter: wording{Allow: "pnpm {}:*; pnpm exec {}:*", Allowed: "pnpm {} src && pnpm exec {} src"},
	},
	{
		Name: "Yarn", Files: "yarn.lock", Each: packageScripts, Comment: "scripts that build, test and check, by name",
		Starter: wording{Allow: "yarn {}:*; yarn run {}:*", Allowed: "yarn {}; yarn run {} --quiet"},
		Strict: wording{
			Allow:   "yarn run {}",
			Allowed: "yarn run {}",
			Ask:     "yarn; yarn install:*; yarn add:*; yarn npm publish:*; yarn publish:*; yarn dlx:*; yarn exec:*",
			Asked: "yarn; yarn install --immutable; yarn add left-pad; yarn dlx cowsay; yarn exec cowsay; " +
				"yarn publish; yarn npm publish",
		},
	},
	{
		Name: "Yarn workspaces", Files: "yarn.lock", Root: true, Each: workspacePairs,
		Comment: "the same scripts, by package",
		Starter: wording{
			Allow:   "yarn workspace {of} {}; yarn workspace {of} run {}",
			Allowed: "yarn workspace {of} {} && yarn workspace {of} run {}",
		},
	},
	{
		Name: "tools with Yarn", Files: "yarn.lock", Each: installedTools, Comment: "those that package.json names",
		Starter: wording{Allow: "yarn {}:*", Allowed: "yarn {} src"},
	},
	{
		Name: "Bun", Files: "bun.lock bun.lockb", Each: packageScripts,
		Comment: "its own tests, and scripts that build, test and check, by name",
		Starter: wording{Allow: "bun test:*; bun run {}:*", Allowed: "bun test src; bun run {} --quiet"},
		Strict: wording{
			Allow:   "bun test; bun run {}",
			Allowed: "bun test; bun run {}",
			Ask:     "bun install:*; bun i:*; bun add:*; bun publish:*; bun x:*; bunx:*",
			Asked:   "bun install; bun i; bun add left-pad; bunx cowsay; bun x cowsay; bun publish",
		},
	},
	{
		Name: "tools with Bun", Files: "bun.lock bun.lockb", Each: packageTools,
		Comment: "those that package.json names",
		Starter: wording{Allow: "bunx {}:*", Allowed: "bunx {} src"},
	},
	{
		Name: "Turborepo", Files: "turbo.json", Root: true, Each: turboTasks,
		Comment: "the same scripts, one task at a time",
		Starter: wording{
			Allow:   "turbo run {}; npx turbo run {}; turbo run {} --filter={of}; npx turbo run {} --filter={of}",
			Allowed: "turbo run {} && npx turbo run {}; turbo run {} --filter={of} && npx turbo run {} --filter={of}",
		},
	},
	{
		Name: "Turborepo with pnpm", Files: "turbo.json", Root: true, Each: pnpmTurboTasks, Comment: "the same tasks",
		Starter: wording{Allow: "pnpm turbo run {}", Allowed: "pnpm turbo run {}"},
	},
	{
		Name: "Nx", Files: "nx.json", Root: true, Each: nxTargets,
		Comment: "targets that build, test and check, by name",
		Starter: wording{
			Allow: "nx {} {of}; npx nx {} {of}; nx run {of}:{}; npx nx run {of}:{}; nx run-many -t {}; " +
				"npx nx run-many -t {}; nx affected -t {}; npx nx affected -t {}",
			Allowed: "nx {} {of} && npx nx {} {of}; nx run {of}:{} && npx nx run {of}:{}; " +
				"nx run-many -t {} && npx nx run-many -t {}; nx affected -t {} && npx nx affected -t {}",
		},
	},
	{
		Name: "Python", Files: "pyproject.toml requirements*.txt setup.py setup.cfg uv.lock poetry.lock",
		Comment: "tests, linters, formatters",
		Starter: wording{
			Allow: "pytest:*; python -m pytest:*; python3 -m pytest:*; ruff check:*; ruff format:*; mypy:*; " +
				"python -m ruff check:*; python -m mypy:*",
			Allowed: "pytest -q tests; python -m pytest -x && python3 -m pytest; " +
				"ruff check . && ruff format --check .; mypy src; python -m ruff check . && python -m mypy src",
		},
		Strict: wording{
			Allow:   "pytest; ruff check; mypy .",
			Allowed: "pytest; ruff check && mypy .",
			Ask:     "pip install:*; pip3 install:*; python -m pip:*; python3 -m pip:*; pipx:*",
			Asked: "pip install requests; pip3 install requests; python -m pip install requests; " +
				"python3 -m pip install -r requirements.txt; pipx install ruff",
		},
	},
	{
		Name: "virtual environment", Files: "pyproject.toml requirements*.txt setup.py setup.cfg uv.lock poetry.lock",
		Each: environments, Comment: "the same tools, from there",
		Starter: wording{
			Allow: "{}/bin/python -m pytest:*; {}/bin/pytest:*; {}/bin/ruff check:*; {}/bin/ruff format:*; " +
				"{}/bin/mypy:*",
			Allowed: "{}/bin/python -m pytest -q && {}/bin/pytest; " +
				"{}/bin/ruff check . && {}/bin/ruff format . && {}/bin/mypy src",
		},
	},
	{
		Name: "Python tools", Files: "pyproject.toml requirements*.txt setup.cfg", Each: pythonTools,
		Comment: "checkers and formatters that the project names",
		Starter: wording{Allow: "{}:*; python -m {}:*", Allowed: "{} src && python -m {} src"},
	},
	{
		Name: "coverage", Files: "pyproject.toml requirements*.txt setup.cfg", Each: coverage, Comment: "of pytest",
		Starter: wording{
			Allow:   "coverage run -m pytest:*; coverage report:*",
			Allowed: "coverage run -m pytest -q && coverage report",
		},
	},
	{
		Name: "uv", Files: "uv.lock", Comment: "the same through uv",
		Starter: wording{
			Allow:   "uv run pytest:*; uv run ruff:*; uv run mypy:*",
			Allowed: "uv run pytest -q tests; uv run ruff check && uv run mypy src",
		},
		Strict: wording{
			Allow:   "uv run pytest",
			Allowed: "uv run pytest",
			Ask:     "uv add:*; uv sync:*; uv pip:*; uv tool:*; uvx:*; uv publish:*",
			Asked:   "uv add requests; uv sync --frozen; uv pip install x; uv tool install ruff; uvx ruff; uv publish",
		},
	},
	{
		Name: "Poetry", Files: "poetry.lock", Comment: "the same through Poetry",
		Starter: wording{
			Allow:   "poetry run pytest:*; poetry run ruff:*; poetry run mypy:*",
			Allowed: "poetry run pytest -q; poetry run ruff check && poetry run mypy src",
		},
		Strict: wording{
			Allow:   "poetry run pytest",
			Allowed: "poetry run pytest",
			Ask:     "poetry add:*; poetry install:*; poetry update:*; poetry publish:*",
			Asked:   "poetry add requests; poetry install; poetry update; poetry publish",
		},
	},
	{
		Name: "Rust", Files: "Cargo.toml", Comment: "building, testing, formatting",
		Starter: wording{
			Allow: "cargo build:*; cargo check:*; cargo test:*; cargo clippy:*; cargo fmt:*",
			Allowed: "cargo build --release; cargo check && cargo fmt; cargo test --workspace; " +
				"cargo clippy --all-targets",
		},
		Strict: wording{
			Allow:   "cargo check; cargo test; cargo clippy; cargo fmt --check",
			Allowed: "cargo check && cargo test && cargo clippy && cargo fmt --check",
			Ask:     "cargo add:*; cargo install:*; cargo update:*; cargo publish:*; cargo run:*; cargo fetch:*",
			Asked: "cargo add serde; cargo install ripgrep; cargo update; cargo publish --dry-run; " +
				"cargo run --release; cargo fetch",
		},
	},
	{
		Name: "make", Files: "Makefile makefile GNUmakefile", Root: true, Each: makeTargets,
		Comment: "targets that build, test and check, by name",
		Both:    wording{Allow: "make {}", Allowed: "make {}"},
	},
	{
		Name: "make in folders", Files: "Makefile makefile GNUmakefile", Each: folderTargets,
		Comment: "the same targets with make -C",
		Starter: wording{Allow: "make -C {of} {}", Allowed: "make -C {of} {}"},
	},
	{
		Name:    "containers",
		Files:   "Dockerfile Containerfile compose.yaml compose.yml docker-compose.yaml docker-compose.yml",
		Comment: "permgate cannot see what runs in a container",
		Strict: wording{
			Ask: "docker run:*; docker exec:*; docker build:*; docker pull:*; docker push:*; docker compose up:*; " +
				"docker compose run:*; docker compose exec:*; docker-compose:*",
			Asked: "docker run --rm alpine true; docker exec app sh; docker build .; docker pull alpine; " +
				"docker compose up -d; docker compose run app; docker compose exec app sh; docker-compose up; " +
				"docker push example/app",
		},
	},
}
