package profile

// parts are the ecosystems, in the order the files name them.
var parts = [...]Part{
	{
		Name: "every project", Comment: "looking around; secrets are nobody's business, and root is not needed here",
		Both: Lists{
			Allow: []string{"Bash(pwd)", "Bash(ls:*)", "Bash(wc:*)"},
			Deny:  []string{"Bash(sudo:*)", "Read(.env)", "Read(.env.local)", "Read(*.pem)", "Read(~/.ssh/**)"},
			Tests: []string{
				"allow Bash pwd && ls -la && wc -l README.md", "deny Bash sudo make install", "deny Read .env", "deny Bash cat config/.env.local",
				"deny Read ~/.ssh/id_ed25519", "allow Read README.md",
			},
		},
		Starter: Lists{
			Allow: []string{"Bash(cat:*)", "Bash(head:*)", "Bash(tail:*)", "Bash(grep:*)", "Bash(rg:*)"},
			Tests: []string{"allow Bash grep -rn TODO . | head -20", "allow Bash rg -n TODO src | tail -5"},
		},
		Strict: Lists{
			Ask: []string{"Bash(curl:*)", "Bash(wget:*)", "Bash(ssh:*)", "Bash(scp:*)", "Bash(rsync:*)", "WebFetch", "WebSearch"},
			Tests: []string{
				"ask Bash curl -sO https://example.com/x.tar.gz", "ask WebFetch https://example.com/", "ask WebSearch weather",
				"ask Bash wget https://example.com/x.tar.gz", "ask Bash rsync -a . backup:", "ask Bash scp README.md backup:", "ask Bash ssh example.com uptime",
			},
		},
	},
	{
		Name: "git", Files: []string{".git"}, Comment: "looking at the history is free; what leaves this machine is asked about",
		Both: Lists{
			Allow: []string{"Bash(git status:*)", "Bash(git diff:*)", "Bash(git log:*)", "Bash(git show:*)"},
			Ask:   []string{"Bash(git push:*)"},
			Tests: []string{"allow Bash git status --short", "allow Bash git log --oneline -5", "allow Bash git diff --stat && git show HEAD", "ask Bash git push origin main", "ask Bash git -C . push"},
		},
		Starter: Lists{
			Allow: []string{"Bash(git add:*)", "Bash(git commit:*)", "Bash(git switch:*)"},
			Tests: []string{"allow Bash git switch main", "allow Bash git add -A && git commit -m 'say why'", "ask Bash git status && git push --force"},
		},
		Strict: Lists{
			Ask:   []string{"Bash(git clone:*)", "Bash(git fetch:*)", "Bash(git pull:*)", "Bash(git commit:*)"},
			Tests: []string{"ask Bash git clone https://example.com/x.git", "ask Bash git fetch", "ask Bash git pull --rebase", "ask Bash git commit -m x"},
		},
	},
	{
		Name: "Go", Files: []string{"go.mod"}, Comment: "building and testing; new modules are asked about",
		Both: Lists{
			Allow: []string{"Bash(go version)", "Bash(go doc:*)"},
			Ask:   []string{"Bash(go get:*)", "Bash(go install:*)"},
			Tests: []string{"allow Bash go version && go doc fmt.Println", "ask Bash go get example.com/m@latest", "ask Bash go install ./..."},
		},
		Starter: Lists{
			Allow: []string{"Bash(go build:*)", "Bash(go vet:*)", "Bash(go test:*)", "Bash(go list:*)", "Bash(go fmt:*)"},
			Tests: []string{"allow Bash go test -run TestX ./... 2>&1 | tail -20", "allow Bash go build ./... && go vet ./...", "allow Bash go list ./... && go fmt ./..."},
		},
		Strict: Lists{
			Allow: []string{"Bash(go build ./...)", "Bash(go vet ./...)", "Bash(go test ./...)"},
			Ask:   []string{"Bash(go mod download:*)", "Bash(go mod tidy:*)", "Bash(go run:*)", "Bash(go generate:*)"},
			Tests: []string{"allow Bash go build ./... && go vet ./... && go test ./...", "ask Bash go run .", "ask Bash go generate ./...", "ask Bash go mod tidy", "ask Bash go mod download"},
		},
	},
	{
		Name: "npm", Files: []string{"package.json"}, Unless: []string{"pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"}, Each: packageScripts,
		Comment: "scripts of package.json by name; packages are asked about",
		Both: Lists{
			Allow: []string{"Bash(npm run {})"},
			Ask:   []string{"Bash(npm install:*)", "Bash(npm i:*)", "Bash(npm ci:*)", "Bash(npm publish:*)", "Bash(npm exec:*)", "Bash(npx:*)"},
			Tests: []string{"ask Bash npm install left-pad", "ask Bash npm i left-pad", "ask Bash npm ci", "ask Bash npx cowsay", "ask Bash npm exec cowsay", "ask Bash npm publish", "allow Bash npm run {}"},
		},
		Starter: Lists{
			Allow: []string{"Bash(npm run {} -- *)", "Bash(npm ls)"}, // before -- stand options of npm itself, such as --prefix
			Tests: []string{"allow Bash npm run {} -- --quiet", "allow Bash npm ls"},
		},
	},
	{
		Name: "pnpm", Files: []string{"pnpm-lock.yaml"}, Each: packageScripts, Comment: "scripts of package.json by name; packages are asked about",
		Both: Lists{
			Ask:   []string{"Bash(pnpm install:*)", "Bash(pnpm i:*)", "Bash(pnpm add:*)", "Bash(pnpm publish:*)", "Bash(pnpm exec:*)", "Bash(pnpm dlx:*)"},
			Tests: []string{"ask Bash pnpm install", "ask Bash pnpm i", "ask Bash pnpm add left-pad", "ask Bash pnpm dlx cowsay", "ask Bash pnpm exec cowsay", "ask Bash pnpm publish", "allow Bash pnpm run {}"},
		},
		Starter: Lists{Allow: []string{"Bash(pnpm run {}:*)", "Bash(pnpm list:*)"}, Tests: []string{"allow Bash pnpm run {} --quiet", "allow Bash pnpm list"}},
		Strict:  Lists{Allow: []string{"Bash(pnpm run {})"}},
	},
	{
		Name: "Yarn", Files: []string{"yarn.lock"}, Each: packageScripts, Comment: "scripts of package.json by name; packages are asked about",
		Both: Lists{
			Ask:   []string{"Bash(yarn)", "Bash(yarn install:*)", "Bash(yarn add:*)", "Bash(yarn npm publish:*)", "Bash(yarn publish:*)", "Bash(yarn dlx:*)", "Bash(yarn exec:*)"},
			Tests: []string{"ask Bash yarn", "ask Bash yarn install --immutable", "ask Bash yarn add left-pad", "ask Bash yarn dlx cowsay", "ask Bash yarn exec cowsay", "ask Bash yarn publish", "ask Bash yarn npm publish", "allow Bash yarn run {}"},
		},
		Starter: Lists{Allow: []string{"Bash(yarn run {}:*)"}, Tests: []string{"allow Bash yarn run {} --quiet"}},
		Strict:  Lists{Allow: []string{"Bash(yarn run {})"}},
	},
	{
		Name: "Bun", Files: []string{"bun.lock", "bun.lockb"}, Each: packageScripts, Comment: "scripts of package.json by name; packages are asked about",
		Both: Lists{
			Ask:   []string{"Bash(bun install:*)", "Bash(bun i:*)", "Bash(bun add:*)", "Bash(bun publish:*)", "Bash(bun x:*)", "Bash(bunx:*)"},
			Tests: []string{"ask Bash bun install", "ask Bash bun i", "ask Bash bun add left-pad", "ask Bash bunx cowsay", "ask Bash bun x cowsay", "ask Bash bun publish", "allow Bash bun run {}"},
		},
		Starter: Lists{Allow: []string{"Bash(bun run {}:*)"}, Tests: []string{"allow Bash bun run {} --quiet"}},
		Strict:  Lists{Allow: []string{"Bash(bun run {})"}},
	},
	{
		Name: "Python", Files: []string{"pyproject.toml", "requirements*.txt", "setup.py", "setup.cfg", "uv.lock", "poetry.lock"},
		Comment: "tests and linters; packages are asked about",
		Both: Lists{
			Ask:   []string{"Bash(pip install:*)", "Bash(pip3 install:*)", "Bash(python -m pip:*)", "Bash(python3 -m pip:*)", "Bash(pipx:*)"},
			Tests: []string{"ask Bash pip install requests", "ask Bash pip3 install requests", "ask Bash python -m pip install requests", "ask Bash python3 -m pip install -r requirements.txt", "ask Bash pipx install ruff"},
		},
		Starter: Lists{
			Allow: []string{"Bash(pytest:*)", "Bash(ruff check:*)", "Bash(ruff format:*)", "Bash(mypy:*)"},
			Tests: []string{"allow Bash pytest -q tests", "allow Bash ruff check . && ruff format --check .", "allow Bash mypy src"},
		},
		Strict: Lists{
			Allow: []string{"Bash(pytest)", "Bash(ruff check)", "Bash(mypy .)"},
			Tests: []string{"allow Bash pytest", "allow Bash ruff check && mypy ."},
		},
	},
	{
		Name: "uv", Files: []string{"uv.lock"}, Comment: "the same by way of uv",
		Both: Lists{
			Allow: []string{"Bash(uv run pytest)", "Bash(uv tree:*)"},
			Ask:   []string{"Bash(uv add:*)", "Bash(uv sync:*)", "Bash(uv pip:*)", "Bash(uv tool:*)", "Bash(uvx:*)", "Bash(uv publish:*)"},
			Tests: []string{"ask Bash uv add requests", "ask Bash uv sync --frozen", "ask Bash uv pip install x", "ask Bash uv tool install ruff", "ask Bash uvx ruff", "ask Bash uv publish", "allow Bash uv tree", "allow Bash uv run pytest"},
		},
	},
	{
		Name: "Poetry", Files: []string{"poetry.lock"}, Comment: "the same by way of Poetry",
		Both: Lists{
			Allow: []string{"Bash(poetry run pytest)", "Bash(poetry show:*)"},
			Ask:   []string{"Bash(poetry add:*)", "Bash(poetry install:*)", "Bash(poetry update:*)", "Bash(poetry publish:*)"},
			Tests: []string{"ask Bash poetry add requests", "ask Bash poetry install", "ask Bash poetry update", "ask Bash poetry publish", "allow Bash poetry show", "allow Bash poetry run pytest"},
		},
	},
	{
		Name: "Rust", Files: []string{"Cargo.toml"}, Comment: "building and testing; new crates are asked about",
		Both: Lists{
			Ask:   []string{"Bash(cargo add:*)", "Bash(cargo install:*)", "Bash(cargo update:*)", "Bash(cargo publish:*)"},
			Tests: []string{"ask Bash cargo add serde", "ask Bash cargo install ripgrep", "ask Bash cargo update", "ask Bash cargo publish --dry-run"},
		},
		Starter: Lists{
			Allow: []string{"Bash(cargo build:*)", "Bash(cargo check:*)", "Bash(cargo test:*)", "Bash(cargo clippy:*)", "Bash(cargo fmt:*)", "Bash(cargo tree:*)"},
			Tests: []string{"allow Bash cargo build --release", "allow Bash cargo check && cargo fmt && cargo tree", "allow Bash cargo test --workspace", "allow Bash cargo clippy --all-targets"},
		},
		Strict: Lists{
			Allow: []string{"Bash(cargo check)", "Bash(cargo test)", "Bash(cargo clippy)", "Bash(cargo fmt --check)"},
			Ask:   []string{"Bash(cargo run:*)", "Bash(cargo fetch:*)"},
			Tests: []string{"allow Bash cargo check && cargo test && cargo clippy && cargo fmt --check", "ask Bash cargo run --release", "ask Bash cargo fetch"},
		},
	},
	{
		Name: "make", Files: []string{"Makefile", "makefile", "GNUmakefile"}, Each: makeTargets, Comment: "targets of the makefile by name",
		Both: Lists{Allow: []string{"Bash(make {})"}, Tests: []string{"allow Bash make {}"}},
	},
	{
		Name: "containers", Files: []string{"Dockerfile", "Containerfile", "compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"},
		Comment: "looking is free; what a container does is not seen here, so starting one is asked about",
		Both: Lists{
			Ask: []string{
				"Bash(docker run:*)", "Bash(docker exec:*)", "Bash(docker build:*)", "Bash(docker pull:*)", "Bash(docker push:*)",
				"Bash(docker compose up:*)", "Bash(docker compose run:*)", "Bash(docker compose exec:*)", "Bash(docker-compose:*)",
			},
			Tests: []string{"ask Bash docker run --rm alpine true", "ask Bash docker exec app sh", "ask Bash docker build .", "ask Bash docker pull alpine", "ask Bash docker compose up -d", "ask Bash docker compose run app", "ask Bash docker compose exec app sh", "ask Bash docker-compose up", "ask Bash docker push example/app"},
		},
		Starter: Lists{
			Allow: []string{"Bash(docker ps:*)", "Bash(docker images:*)", "Bash(docker compose ps:*)", "Bash(docker logs:*)"},
			Tests: []string{"allow Bash docker ps -a && docker images && docker compose ps", "allow Bash docker logs app"},
		},
	},
}

// Keys of permgate.json. Whatever stands there for a project only tightens.
var (
	excluded = [...]string{
		"**/.env", "**/.env.local", "**/.env.production", "**/*.pem", "**/*.p12", "**/*.pfx", "**/id_rsa", "**/id_ed25519",
		"~/.ssh/**", "~/.gnupg/**", "~/.aws/credentials", "~/.netrc",
	}
	metadata = [...]string{"169.254.169.254", "metadata.google.internal"} // they hand out the credentials of a cloud machine
	dumps    = [...]string{"pastebin.com", "transfer.sh", "webhook.site", "*.ngrok.io", "*.requestbin.com"}
)

// gateTests are tests of these keys, for both profiles and for strict.
var (
	gateTests = [...]string{
		"deny Bash rm -rf /", "deny Read deploy/server.p12 => excluded content", "deny Bash base64 .env.production", "deny WebFetch http://169.254.169.254/latest/meta-data/",
		"deny Bash curl -s http://169.254.169.254/latest/meta-data/", "allow Read .env.example",
	}
	strictGateTests = [...]string{"deny WebFetch https://pastebin.com/raw/x", "deny Bash curl -F f=@README.md https://transfer.sh"}
)
