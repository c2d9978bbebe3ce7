package native

import (
	"maps"
	"slices"
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

// everydayTexts are everyday calls, alone and as they are run in projects.
func everydayTexts(t *testing.T) (out []string) {
	for _, text := range append(seedTexts(t), drawnCommands...) {
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

// knownOfInit are everyday calls that what init writes makes stricter, by class, each with an example.
func knownOfInit() map[string]string {
	return map[string]string{
		"judged, then asked: a variable in front":   "FOO=1 env FOO=1 pytest",
		"judged, then asked: a redirect":            "env FOO=1 pytest > out.txt",
		"judged, then asked: a part without a rule": "pnpm exec env FOO=1 pytest",
		"judged, then asked: step 2":                "docker run --rm -v ./:/w -w /w x cp skills/* packages/ui",
		"runs, then asked: step 2":                  "npx cp skills/* packages/ui",
	}
}

// TestInitNeverStricter: what init writes makes no everyday call stricter, but those that name a file of secrets.
func TestInitNeverStricter(t *testing.T) {
	every, known := testenv.Every(t, 4, 1, 1), knownOfInit()
	texts := slices.AppendSeq(slices.Collect(maps.Values(known)), slices.Values(everydayTexts(t)))
	found, secret, calls := map[string]string{}, 0, 0
	for _, files := range projectsTried() {
		root := fstest.MapFS{}
		for name, text := range files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		p := profile.For(root, profile.Starter)
		st, added := stage{"": worldOf(t, filesOf(recommended, files))}, []placed(nil)
		for _, r := range p.Rules() {
			if r.List == rules.Allow {
				added = append(added, placed{r.Text, "local"})
			}
		}
		for i, text := range texts {
			first := i < len(known)
			if i%every > 0 && !first {
				continue
			}
			for j, mode := range []string{"default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"} {
				if (i+j)%5 > 0 && mode != "auto" && !first {
					continue
				}
				s := &scene{text: text, mode: mode, classifier: mode == "plan", added: added, written: string(p.Settings(true))}
				calls++
				v := st.tightened(s)
				switch {
				case v == nil:
				case v.after.Step() == "1" && strings.Contains(v.after.Reason(), "your rule Read(/**/"):
					secret++
				case found[v.class()] == "" || len(text) < len(found[v.class()]):
					found[v.class()] = text + " in " + mode + ": " + v.after.Reason()
				}
			}
		}
	}
	for class, text := range found {
		if known[class] == "" {
			t.Errorf("%s: %s", class, text)
		}
	}
	for class, text := range known {
		if found[class] == "" {
			t.Errorf("no longer made stricter: %s: %s", class, text)
		}
	}
	t.Logf("%d calls, %d of them name a file of secrets", calls, secret)
	if secret == 0 {
		t.Error("no call names a file of secrets")
	}
}
