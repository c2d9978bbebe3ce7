package profile

// parts are the ecosystems, in the files' order. The starter asks nothing, and
// names no program that only reads: cat with a wildcard opens every file.
var parts = [...]Part{
	{
		Name: "every project", Comment: "reading and writing a usual file of secrets by name; .env.example is none",
		Both: Lists{
			// The files of a project that hold passwords and private keys. A
			// rule has no way to say "but not", so the spellings of .env are named one by
			// one. .env.example, .env.sample and .env.template stay readable, and so do
			// .env.test and .env.development, which are often committed.
			// What the home directory holds is for the key secrets of permgate.json.
			Deny: []string{
				"Read(/**/.env)", "Read(/**/.env.local)", "Read(/**/.env.*.local)",
				"Read(/**/.env.staging)", "Read(/**/.env.prod)", "Read(/**/.env.production)",
				"Read(/**/*.key)", "Read(/**/key.pem)", "Read(/**/privkey.pem)", "Read(/**/id_rsa)", "Read(/**/id_ed25519)",
				"Read(/**/*.p12)", "Read(/**/*.pfx)",
			},
			Tests: []string{
				"deny Read .env", "deny Bash cat config/.env.local", "deny Bash base64 .env.production",
				"deny Read .env.prod", "deny Read .env.staging", "deny Read .env.test.local",
				"deny Read certs/server.key", "deny Read deploy/id_rsa", "deny Read deploy/id_ed25519",
				"deny Read certs/key.pem", "deny Read certs/privkey.pem", "deny Read store.p12", "deny Read store.pfx",
			},
		},
		Strict: Lists{
			Ask: []string{
				"Bash(curl:*)", "Bash(wget:*)", "Bash(ssh:*)", "Bash(scp:*)", "Bash(rsync:*)", "WebFetch", "WebSearch",
			},
			Deny: []string{"Bash(sudo:*)"},
			Tests: []string{
				"deny Bash sudo make install", "ask Bash curl -sO https://example.com/x.tar.gz",
				"ask WebFetch https://example.com/", "ask WebSearch weather",
				"ask Bash wget https://example.com/x.tar.gz", "ask Bash rsync -a . backup:",
				"ask Bash scp README.md backup:", "ask Bash ssh example.com uptime",
			},
		},
	},
	{
		Name: "git", Files: []string{".git"}, Root: true,
		Comment: "commits stay on this machine; no rule here lets a push through",
		Starter: Lists{
			Allow: []string{"Bash(git add:*)", "Bash(git commit:*)"},
			Tests: []string{"allow Bash git add -A", "allow Bash git commit -m 'say why'"},
		},
		Strict: Lists{
			Ask: []string{
				"Bash(git push:*)", "Bash(git clone:*)", "Bash(git fetch:*)", "Bash(git pull:*)", "Bash(git commit:*)",
			},
			Tests: []string{
				"ask Bash git push origin main", "ask Bash git -C . push", "ask Bash git clone https://example.com/x.git",
				"ask Bash git fetch", "ask Bash git pull --rebase", "ask Bash git commit -m x",
			},
		},
	},
	{
		Name: "Go", Files: []string{"go.mod"}, Comment: "building, testing, formatting",
		Starter: Lists{
			Allow: []string{
				"Bash(go build:*)", "Bash(go test:*)", "Bash(go vet:*)", "Bash(go fmt:*)", "Bash(gofmt:*)", "Bash(go mod tidy:*)",
			},
			Tests: []string{
				"allow Bash go test -run TestX ./...", "allow Bash go build ./... && go vet ./...",
				"allow Bash gofmt -l -w . && go fmt ./... && go mod tidy",
			},
		},
		Strict: Lists{
			Allow: []string{"Bash(go build ./...)", "Bash(go vet ./...)", "Bash(go test ./...)"},
			Ask: []string{
				"Bash(go get:*)", "Bash(go install:*)", "Bash(go mod download:*)", "Bash(go mod tidy:*)", "Bash(go run:*)",
				"Bash(go generate:*)",
			},
			Tests: []string{
				"allow Bash go build ./... && go vet ./... && go test ./...", "ask Bash go get example.com/m@latest",
				"ask Bash go install ./...", "ask Bash go run .", "ask Bash go generate ./...", "ask Bash go mod tidy",
				"ask Bash go mod download",
			},
		},
	},
	{
		Name: "Go modules in folders", Files: []string{"go.mod"}, Each: modules, Comment: "the same with go -C",
		Starter: Lists{
			Allow: []string{"Bash(go -C {of} {}:*)"},
			Tests: []string{"allow Bash go -C {of} {} ./..."},
		},
	},
	{
		Name: "golangci-lint", Files: []string{".golangci.yml", ".golangci.yaml", ".golangci.toml"}, Comment: "linting Go",
		Starter: Lists{
			Allow: []string{"Bash(golangci-lint run:*)"}, Tests: []string{"allow Bash golangci-lint run ./..."},
		},
		Strict: Lists{Allow: []string{"Bash(golangci-lint run)"}, Tests: []string{"allow Bash golangci-lint run"}},
	},
	{
		Name: "npm", Files: []string{"package.json"}, Each: packageScripts,
		Unless:  []string{"pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"},
		Comment: "scripts that build, test and check, by name",
		Both: Lists{
			Allow: []string{"Bash(npm {test})", "Bash(npm run {})"},
			Tests: []string{"allow Bash npm {test}", "allow Bash npm run {}"},
		},
		Starter: Lists{ // npm takes what is before -- as its own options, such as --prefix
			Allow: []string{"Bash(npm {test} -- *)", "Bash(npm run {} -- *)"},
			Tests: []string{"allow Bash npm {test} -- --quiet", "allow Bash npm run {} -- --quiet"},
		},
		Strict: Lists{
			Ask: []string{
				"Bash(npm install:*)", "Bash(npm i:*)", "Bash(npm ci:*)", "Bash(npm publish:*)", "Bash(npm exec:*)", "Bash(npx:*)",
			},
			Tests: []string{
				"ask Bash npm install left-pad", "ask Bash npm i left-pad", "ask Bash npm ci", "ask Bash npx cowsay",
				"ask Bash npm exec cowsay", "ask Bash npm publish",
			},
		},
	},
	{
		Name: "npm workspaces", Files: []string{"package.json"}, Each: workspacePairs,
		Unless:  []string{"pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"},
		Comment: "the same scripts, by the package they belong to",
		Starter: Lists{
			Allow: []string{
				"Bash(npm run {} -w {of})", "Bash(npm run {} --workspace={of})",
				"Bash(npm run {} --workspaces --if-present)", "Bash(npm run {} --workspaces)",
			},
			Tests: []string{
				"allow Bash npm run {} -w {of} && npm run {} --workspace={of}",
				"allow Bash npm run {} --workspaces && npm run {} --workspaces --if-present",
			},
		},
	},
	{
		Name: "npm in folders", Files: []string{"package.json"}, Each: folderScripts,
		Unless:  []string{"pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"},
		Comment: "the same scripts, by folder",
		Starter: Lists{
			Allow: []string{"Bash(npm --prefix {of} run {})"},
			Tests: []string{"allow Bash npm --prefix {of} run {}"},
		},
	},
	{
		Name: "JavaScript tools", Files: []string{"package.json"}, Each: packageTools,
		Comment: "test runners, checkers and formatters that package.json names",
		Starter: Lists{
			Allow: []string{"Bash(npx {}:*)"},
			Tests: []string{"allow Bash npx {} src"},
		},
	},
	{
		Name: "pnpm", Files: []string{"pnpm-lock.yaml"}, Each: packageScripts,
		Comment: "scripts that build, test and check, by name",
		Starter: Lists{
			Allow: []string{"Bash(pnpm {}:*)", "Bash(pnpm run {}:*)"},
			Tests: []string{"allow Bash pnpm {}", "allow Bash pnpm run {} --quiet"},
		},
		Strict: Lists{
			Allow: []string{"Bash(pnpm run {})"},
			Ask: []string{
				"Bash(pnpm install:*)", "Bash(pnpm i:*)", "Bash(pnpm add:*)", "Bash(pnpm publish:*)", "Bash(pnpm exec:*)",
				"Bash(pnpm dlx:*)",
			},
			Tests: []string{
				"allow Bash pnpm run {}", "ask Bash pnpm install", "ask Bash pnpm i", "ask Bash pnpm add left-pad",
				"ask Bash pnpm dlx cowsay", "ask Bash pnpm exec cowsay", "ask Bash pnpm publish",
			},
		},
	},
	{
		Name: "pnpm workspace", Files: []string{"pnpm-workspace.yaml"}, Root: true, Each: packagePairs,
		Comment: "the same scripts, by package or in all of them",
		Starter: Lists{
			Allow: []string{
				"Bash(pnpm --filter {of} {}:*)", "Bash(pnpm --filter {of} run {}:*)", "Bash(pnpm -r {})",
				"Bash(pnpm -r run {}:*)",
			},
			Tests: []string{
				"allow Bash pnpm --filter {of} {} && pnpm --filter {of} run {} --quiet",
				"allow Bash pnpm -r {} && pnpm -r run {}",
			},
		},
	},
	{
		Name: "tools with pnpm", Files: []string{"pnpm-lock.yaml"}, Each: installedTools,
		Comment: "those that package.json names",
		Starter: Lists{
			Allow: []string{"Bash(pnpm {}:*)", "Bash(pnpm exec {}:*)"},
			Tests: []string{"allow Bash pnpm {} src && pnpm exec {} src"},
		},
	},
	{
		Name: "Yarn", Files: []string{"yarn.lock"}, Each: packageScripts,
		Comment: "scripts that build, test and check, by name",
		Starter: Lists{
			Allow: []string{"Bash(yarn {}:*)", "Bash(yarn run {}:*)"},
			Tests: []string{"allow Bash yarn {}", "allow Bash yarn run {} --quiet"},
		},
		Strict: Lists{
			Allow: []string{"Bash(yarn run {})"},
			Ask: []string{
				"Bash(yarn)", "Bash(yarn install:*)", "Bash(yarn add:*)", "Bash(yarn npm publish:*)", "Bash(yarn publish:*)",
				"Bash(yarn dlx:*)", "Bash(yarn exec:*)",
			},
			Tests: []string{
				"allow Bash yarn run {}", "ask Bash yarn", "ask Bash yarn install --immutable", "ask Bash yarn add left-pad",
				"ask Bash yarn dlx cowsay", "ask Bash yarn exec cowsay", "ask Bash yarn publish", "ask Bash yarn npm publish",
			},
		},
	},
	{
		Name: "Yarn workspaces", Files: []string{"yarn.lock"}, Root: true, Each: workspacePairs,
		Comment: "the same scripts, by package",
		Starter: Lists{
			Allow: []string{"Bash(yarn workspace {of} {})", "Bash(yarn workspace {of} run {})"},
			Tests: []string{"allow Bash yarn workspace {of} {} && yarn workspace {of} run {}"},
		},
	},
	{
		Name: "tools with Yarn", Files: []string{"yarn.lock"}, Each: installedTools,
		Comment: "those that package.json names",
		Starter: Lists{
			Allow: []string{"Bash(yarn {}:*)"},
			Tests: []string{"allow Bash yarn {} src"},
		},
	},
	{
		Name: "Bun", Files: []string{"bun.lock", "bun.lockb"}, Each: packageScripts,
		Comment: "its own tests, and scripts that build, test and check, by name",
		Starter: Lists{
			Allow: []string{"Bash(bun test:*)", "Bash(bun run {}:*)"},
			Tests: []string{"allow Bash bun test src", "allow Bash bun run {} --quiet"},
		},
		Strict: Lists{
			Allow: []string{"Bash(bun test)", "Bash(bun run {})"},
			Ask: []string{
				"Bash(bun install:*)", "Bash(bun i:*)", "Bash(bun add:*)", "Bash(bun publish:*)", "Bash(bun x:*)", "Bash(bunx:*)",
			},
			Tests: []string{
				"allow Bash bun test", "allow Bash bun run {}", "ask Bash bun install", "ask Bash bun i",
				"ask Bash bun add left-pad", "ask Bash bunx cowsay", "ask Bash bun x cowsay", "ask Bash bun publish",
			},
		},
	},
	{
		Name: "tools with Bun", Files: []string{"bun.lock", "bun.lockb"}, Each: packageTools,
		Comment: "those that package.json names",
		Starter: Lists{
			Allow: []string{"Bash(bunx {}:*)"},
			Tests: []string{"allow Bash bunx {} src"},
		},
	},
	{
		Name: "Turborepo", Files: []string{"turbo.json"}, Root: true, Each: turboTasks,
		Comment: "the same scripts, one task at a time",
		Starter: Lists{
			Allow: []string{
				"Bash(turbo run {})", "Bash(npx turbo run {})", "Bash(turbo run {} --filter={of})",
				"Bash(npx turbo run {} --filter={of})",
			},
			Tests: []string{
				"allow Bash turbo run {} && npx turbo run {}",
				"allow Bash turbo run {} --filter={of} && npx turbo run {} --filter={of}",
			},
		},
	},
	{
		Name: "Turborepo with pnpm", Files: []string{"turbo.json"}, Root: true, Each: pnpmTurboTasks,
		Comment: "the same tasks",
		Starter: Lists{
			Allow: []string{"Bash(pnpm turbo run {})"},
			Tests: []string{"allow Bash pnpm turbo run {}"},
		},
	},
	{
		Name: "Nx", Files: []string{"nx.json"}, Root: true, Each: nxTargets,
		Comment: "targets that build, test and check, by name",
		Starter: Lists{
			Allow: []string{
				"Bash(nx {} {of})", "Bash(npx nx {} {of})", "Bash(nx run {of}:{})", "Bash(npx nx run {of}:{})",
				"Bash(nx run-many -t {})", "Bash(npx nx run-many -t {})", "Bash(nx affected -t {})",
				"Bash(npx nx affected -t {})",
			},
			Tests: []string{
				"allow Bash nx {} {of} && npx nx {} {of}", "allow Bash nx run {of}:{} && npx nx run {of}:{}",
				"allow Bash nx run-many -t {} && npx nx run-many -t {}",
				"allow Bash nx affected -t {} && npx nx affected -t {}",
			},
		},
	},
	{
		Name: "Python", Comment: "tests, linters, formatters",
		Files: []string{"pyproject.toml", "requirements*.txt", "setup.py", "setup.cfg", "uv.lock", "poetry.lock"},
		Starter: Lists{
			Allow: []string{
				"Bash(pytest:*)", "Bash(python -m pytest:*)", "Bash(python3 -m pytest:*)", "Bash(ruff check:*)",
				"Bash(ruff format:*)", "Bash(mypy:*)", "Bash(python -m ruff check:*)", "Bash(python -m mypy:*)",
			},
			Tests: []string{
				"allow Bash pytest -q tests", "allow Bash python -m pytest -x && python3 -m pytest",
				"allow Bash ruff check . && ruff format --check .", "allow Bash mypy src",
				"allow Bash python -m ruff check . && python -m mypy src",
			},
		},
		Strict: Lists{
			Allow: []string{"Bash(pytest)", "Bash(ruff check)", "Bash(mypy .)"},
			Ask: []string{
				"Bash(pip install:*)", "Bash(pip3 install:*)", "Bash(python -m pip:*)", "Bash(python3 -m pip:*)", "Bash(pipx:*)",
			},
			Tests: []string{
				"allow Bash pytest", "allow Bash ruff check && mypy .", "ask Bash pip install requests",
				"ask Bash pip3 install requests", "ask Bash python -m pip install requests",
				"ask Bash python3 -m pip install -r requirements.txt", "ask Bash pipx install ruff",
			},
		},
	},
	{
		Name: "virtual environment", Each: environments, Comment: "the same tools, from there",
		Files: []string{"pyproject.toml", "requirements*.txt", "setup.py", "setup.cfg", "uv.lock", "poetry.lock"},
		Starter: Lists{
			Allow: []string{
				"Bash({}/bin/python -m pytest:*)", "Bash({}/bin/pytest:*)", "Bash({}/bin/ruff check:*)",
				"Bash({}/bin/ruff format:*)", "Bash({}/bin/mypy:*)",
			},
			Tests: []string{
				"allow Bash {}/bin/python -m pytest -q && {}/bin/pytest",
				"allow Bash {}/bin/ruff check . && {}/bin/ruff format . && {}/bin/mypy src",
			},
		},
	},
	{
		Name: "Python tools", Files: []string{"pyproject.toml", "requirements*.txt", "setup.cfg"}, Each: pythonTools,
		Comment: "checkers and formatters that the project names",
		Starter: Lists{
			Allow: []string{"Bash({}:*)", "Bash(python -m {}:*)"},
			Tests: []string{"allow Bash {} src && python -m {} src"},
		},
	},
	{
		Name: "coverage", Files: []string{"pyproject.toml", "requirements*.txt", "setup.cfg"}, Each: coverage,
		Comment: "of pytest",
		Starter: Lists{
			Allow: []string{"Bash(coverage run -m pytest:*)", "Bash(coverage report:*)"},
			Tests: []string{"allow Bash coverage run -m pytest -q && coverage report"},
		},
	},
	{
		Name: "uv", Files: []string{"uv.lock"}, Comment: "the same through uv",
		Starter: Lists{
			Allow: []string{"Bash(uv run pytest:*)", "Bash(uv run ruff:*)", "Bash(uv run mypy:*)"},
			Tests: []string{"allow Bash uv run pytest -q tests", "allow Bash uv run ruff check && uv run mypy src"},
		},
		Strict: Lists{
			Allow: []string{"Bash(uv run pytest)"},
			Ask: []string{
				"Bash(uv add:*)", "Bash(uv sync:*)", "Bash(uv pip:*)", "Bash(uv tool:*)", "Bash(uvx:*)", "Bash(uv publish:*)",
			},
			Tests: []string{
				"allow Bash uv run pytest", "ask Bash uv add requests", "ask Bash uv sync --frozen", "ask Bash uv pip install x",
				"ask Bash uv tool install ruff", "ask Bash uvx ruff", "ask Bash uv publish",
			},
		},
	},
	{
		Name: "Poetry", Files: []string{"poetry.lock"}, Comment: "the same through Poetry",
		Starter: Lists{
			Allow: []string{"Bash(poetry run pytest:*)", "Bash(poetry run ruff:*)", "Bash(poetry run mypy:*)"},
			Tests: []string{"allow Bash poetry run pytest -q", "allow Bash poetry run ruff check && poetry run mypy src"},
		},
		Strict: Lists{
			Allow: []string{"Bash(poetry run pytest)"},
			Ask: []string{
				"Bash(poetry add:*)", "Bash(poetry install:*)", "Bash(poetry update:*)", "Bash(poetry publish:*)",
			},
			Tests: []string{
				"allow Bash poetry run pytest", "ask Bash poetry add requests", "ask Bash poetry install",
				"ask Bash poetry update", "ask Bash poetry publish",
			},
		},
	},
	{
		Name: "Rust", Files: []string{"Cargo.toml"}, Comment: "building, testing, formatting",
		Starter: Lists{
			Allow: []string{
				"Bash(cargo build:*)", "Bash(cargo check:*)", "Bash(cargo test:*)", "Bash(cargo clippy:*)", "Bash(cargo fmt:*)",
			},
			Tests: []string{
				"allow Bash cargo build --release", "allow Bash cargo check && cargo fmt", "allow Bash cargo test --workspace",
				"allow Bash cargo clippy --all-targets",
			},
		},
		Strict: Lists{
			Allow: []string{"Bash(cargo check)", "Bash(cargo test)", "Bash(cargo clippy)", "Bash(cargo fmt --check)"},
			Ask: []string{
				"Bash(cargo add:*)", "Bash(cargo install:*)", "Bash(cargo update:*)", "Bash(cargo publish:*)", "Bash(cargo run:*)",
				"Bash(cargo fetch:*)",
			},
			Tests: []string{
				"allow Bash cargo check && cargo test && cargo clippy && cargo fmt --check", "ask Bash cargo add serde",
				"ask Bash cargo install ripgrep", "ask Bash cargo update", "ask Bash cargo publish --dry-run",
				"ask Bash cargo run --release", "ask Bash cargo fetch",
			},
		},
	},
	{
		Name: "make", Files: []string{"Makefile", "makefile", "GNUmakefile"}, Root: true, Each: makeTargets,
		Comment: "targets that build, test and check, by name",
		Both:    Lists{Allow: []string{"Bash(make {})"}, Tests: []string{"allow Bash make {}"}},
	},
	{
		Name: "make in folders", Files: []string{"Makefile", "makefile", "GNUmakefile"}, Each: folderTargets,
		Comment: "the same targets with make -C",
		Starter: Lists{
			Allow: []string{"Bash(make -C {of} {})"},
			Tests: []string{"allow Bash make -C {of} {}"},
		},
	},
	{
		Name: "containers", Comment: "permgate cannot see what runs in a container",
		Files: []string{
			"Dockerfile", "Containerfile", "compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml",
		},
		Strict: Lists{
			Ask: []string{
				"Bash(docker run:*)", "Bash(docker exec:*)", "Bash(docker build:*)", "Bash(docker pull:*)", "Bash(docker push:*)",
				"Bash(docker compose up:*)", "Bash(docker compose run:*)", "Bash(docker compose exec:*)", "Bash(docker-compose:*)",
			},
			Tests: []string{
				"ask Bash docker run --rm alpine true", "ask Bash docker exec app sh", "ask Bash docker build .",
				"ask Bash docker pull alpine", "ask Bash docker compose up -d", "ask Bash docker compose run app",
				"ask Bash docker compose exec app sh", "ask Bash docker-compose up", "ask Bash docker push example/app",
			},
		},
	},
}
