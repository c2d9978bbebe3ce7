package native

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/permgate--owner/permgate/internal/policy/profile"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// projectsTried are projects that init writes a policy for.
func projectsTried() []map[string]string {
	return []map[string]string{
		{"pnpm-lock.yaml": "", "pnpm-workspace.yaml": "packages: [apps/*]\n", "turbo.json": "{}", "apps/web/package.json": `{"name": "web", "scripts": {"test": "vitest run"}}`,
			"package.json": `{"name": "acme", "scripts": {"build": "turbo run build", "test": "turbo run test", "lint": "turbo run lint"},` +
				`"devDependencies": {"turbo": "^2", "typescript": "^5", "vitest": "^3", "eslint": "^9", "prettier": "^3"}}`},
		{"package-lock.json": "{}", "package.json": `{"name": "x", "scripts": {"build": "tsc", "test": "vitest run"}, "devDependencies": {"prettier": "^3"}}`},
		{"go.mod": "module served\n", "Makefile": "build test lint:\n\tgo $@ ./...\n", ".golangci.yml": "", "services/mail/go.mod": "module mail\n"},
		{"requirements.txt": "requests\n", ".venv/pyvenv.cfg": "home = /usr/bin\n", "uv.lock": "", "src/shop/cart.py": "x = 1\n",
			"pyproject.toml": "[project]\nname = \"shop\"\n[dependency-groups]\ndev = [\"pytest\", \"ruff\", \"mypy>=1\", \"black\"]\n"},
		{"Cargo.toml": "[package]\nname = \"x\"\n", "src/main.rs": "fn main() {}\n", "Dockerfile": "FROM x\n", "compose.yaml": "services: {}\n"},
	}
}

// everydayTexts are calls, alone and as they are run in projects.
func everydayTexts(commands []string) (out []string) {
	for _, text := range commands {
		out = append(out, text)
		if strings.ContainsAny(text, "|;&\n<>(") {
			continue
		}
		out = append(out, "FOO=1 "+text, text+" > out.txt", text+" 2>&1 | tail -5")
		for _, launcher := range []string{"uv run ", "pnpm exec ", "npx ", "docker run --rm -v ./:/w -w /w x "} {
			out = append(out, launcher+text)
		}
	}
	return out
}

// launchedTexts are everyday calls as the environments of projects run them.
func launchedTexts() (out []string) {
	for _, launcher := range []string{"uv run", "poetry run", "pdm run", "hatch run", "pnpm exec", "pnpm", "npx", "yarn exec", "bundle exec", "mise exec --",
		"NODE_ENV=test", "CI=1", "AWS_REGION=eu-west-1", "python -m", "docker run --rm -v ./:/w -w /w node", "timeout 60", "time"} {
		for _, text := range words(`
pytest -q
pytest tests/test_a.py -k name
ruff check --fix .
ruff format .
mypy src
black .
prettier --write .
prettier --check src
eslint . --fix
tsc --noEmit
tsc --outDir dist
vitest run
vitest run src/a.test.ts
jest --coverage
turbo run build
rspec spec/a_spec.rb
rake test
go test ./...
go build -o bin/x .
cargo test
npm test`) {
			out = append(out, launcher+" "+text)
		}
	}
	return out
}

// onceOfInit are everyday calls that what init writes made stricter.
func onceOfInit() []string {
	return []string{
		"pnpm exec prettier --write .", "FOO=1 env FOO=1 pytest", "env FOO=1 pytest > out.txt", "pnpm exec env FOO=1 pytest",
		"docker run --rm -v ./:/w -w /w x cp skills/* packages/ui", "npx cp skills/* packages/ui",
	}
}

// A replay is calls under what init writes for a project.
type replay struct {
	found         map[string]string // by class, the shortest
	calls, secret int
}

// TestInitNeverStricter: what init writes makes no everyday call stricter, but those that name a file of secrets. Other
// calls may be held back.
func TestInitNeverStricter(t *testing.T) {
	every := testenv.Every(t, 4, 1, 1)
	r := &replay{found: map[string]string{}}
	for _, files := range projectsTried() {
		root := fstest.MapFS{}
		for name, text := range files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		p, st := profile.For(root, profile.Starter), stage{"": worldOf(t, filesOf(recommended, files))}
		r.run(st, p, onceOfInit(), 1, true)
		r.run(st, p, everydayTexts(seedTexts(t)), every, true)
		r.run(st, p, launchedTexts(), every, true)
		r.run(st, p, everydayTexts(drawnCommands), every, false)
	}
	for class, text := range r.found {
		t.Errorf("%s: %s", class, text)
	}
	t.Logf("%d calls, %d of them name a file of secrets", r.calls, r.secret)
	if r.secret == 0 {
		t.Error("no call names a file of secrets")
	}
}

// run decides texts in the modes, each in auto and some in the others, where it is one of so many.
func (r *replay) run(st stage, p *profile.Policy, texts []string, every int, everyday bool) {
	var added []placed
	for _, rule := range p.Rules() {
		if rule.List == rules.Allow {
			added = append(added, placed{rule.Text, "local"})
		}
	}
	for i, text := range texts {
		for j, mode := range []string{"auto", "default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"} {
			if i%every > 0 || (i+j)%5 > 0 && j > 0 && every > 1 {
				continue
			}
			s := &scene{text: text, mode: mode, classifier: mode == "plan", added: added, written: string(p.Settings(true))}
			r.calls++
			switch v := st.stricterThan(s, st.decide(s, nil, "")); {
			case v == nil, v.cause == heldBack && !everyday:
			case v.after.Step() == "1" && strings.Contains(v.after.Reason(), "your rule Read(/**/"):
				r.secret++
			case r.found[v.class()] == "" || len(text) < len(r.found[v.class()]):
				r.found[v.class()] = text + " in " + mode + ": " + v.after.Reason()
			}
		}
	}
}
