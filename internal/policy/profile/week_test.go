package profile

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
)

// week are three projects as they lie on the disk, for testdata/week.txt.
var week = map[string]map[string]string{
	"node": {
		".git/HEAD": "x", "pnpm-lock.yaml": "", "pnpm-workspace.yaml": "packages: [apps/*, packages/*]\n", "turbo.json": "{}",
		"package.json": `{"name": "acme", "scripts": {"build": "turbo run build", "test": "turbo run test", "lint": "turbo run lint"},` +
			`"devDependencies": {"turbo": "^2", "typescript": "^5", "vitest": "^3", "eslint": "^9", "prettier": "^3"}}`,
		"apps/web/package.json":      `{"name": "web", "scripts": {"dev": "vite", "build": "vite build", "test": "vitest run"}}`,
		"packages/api/package.json":  `{"name": "@acme/api", "scripts": {"test": "vitest run", "typecheck": "tsc"}}`,
		"packages/ui/package.json":   `{"name": "@acme/ui", "scripts": {"build": "tsc", "lint": "eslint src", "deploy": "x"}}`,
		"packages/evil/package.json": `{"name": "x * --dir /)", "scripts": {"test": "x"}}`,
		".env.example":               "A=1\n", "packages/ui/dist/x.js": "", "skills/one.md": "x\n", "skills/two.md": "x\n",
	},
	"go": {
		".git/HEAD": "x", "go.mod": "module served\n", "Makefile": "build test lint:\n\tgo $@ ./...\ndeploy:\n\t./x\n",
		"services/mail/go.mod": "module mail\n", "services/mail/Makefile": "test:\n\tgo test ./...\n", ".golangci.yml": "",
		"deploy/Makefile": "up:\n\t./x\n", "certs/ca.pem": "x",
	},
	"python": {
		".git/HEAD": "x", "requirements.txt": "requests\n", ".venv/pyvenv.cfg": "home = /usr/bin\n",
		"pyproject.toml":   "[project]\nname = \"shop\"\n[dependency-groups]\ndev = [\"pytest\", \"ruff\", \"mypy>=1\", \"black\", \"coverage[toml]\"]\n",
		"src/shop/cart.py": "x = 1\n",
	},
}

// wantCovered is how many calls of testdata/week.txt the starter policy covers at least.
const wantCovered = 70

// TestWeek counts the everyday calls of three projects that the starter policy
// covers; it stops none that is not stopped without it, but those that read a secret.
func TestWeek(t *testing.T) {
	text, err := os.ReadFile("testdata/week.txt")
	if err != nil {
		t.Fatal(err)
	}
	total, covered := 0, 0
	var bare, with policytest.Runner
	for line := range strings.Lines(string(text)) {
		call := strings.TrimSpace(line)
		name, isProject := strings.CutPrefix(call, "@ ")
		switch {
		case isProject:
			bare, with = runners(t, name)
			continue
		case call == "", strings.HasPrefix(call, "#"):
			continue
		}
		total++
		was, is := decideCall(t, &bare, call), decideCall(t, &with, call)
		if is.Decision == hookio.Allow && was.Decision != hookio.Allow {
			covered++
			t.Logf("covered: %s", call)
		}
		if stops(was) || !stops(is) || strings.HasPrefix(call, "cat ") && strings.Contains(call, "/.env") {
			continue
		}
		t.Errorf("stopped: %s: %s", call, is.Reason)
	}
	t.Logf("%d of %d calls are covered", covered, total)
	if covered < wantCovered || total < 140 {
		t.Errorf("%d of %d calls are covered, want %d", covered, total, wantCovered)
	}
}

// stops reports whether a call is answered by more than that no rule covers it.
func stops(v decide.Verdict) bool {
	return v.Decision == hookio.Deny || v.Decision == hookio.Ask && v.Step != "7"
}

// runners decide calls in a project of week without a policy and with the starter's.
func runners(t *testing.T, name string) (bare, with policytest.Runner) {
	t.Helper()
	files := week[name]
	if files == nil {
		t.Fatalf("no project %s", name)
	}
	p := For(tree(files), Starter)
	for i, r := range [...]*policytest.Runner{&bare, &with} {
		r.World, r.Dir = world(p, "/.claude/"), app
		at := map[string]string{}
		for name, text := range files {
			at[app+"/"+name] = text
		}
		if i == 1 {
			maps.Copy(at, map[string]string{app + "/.claude/settings.local.json": string(p.Settings(true))})
		}
		disk := fakefs.New(at)
		disk.Own(home, 1000)
		r.World.Files = disk
	}
	return bare, with
}

func decideCall(t *testing.T, r *policytest.Runner, call string) decide.Verdict {
	t.Helper()
	f := policytest.Parse("week", "allow Bash "+call)
	if len(f.Tests) != 1 {
		t.Fatal(f.Errors)
	}
	_, v, err := r.Decide(&f.Tests[0])
	if err != nil {
		t.Fatal(err)
	}
	return v
}
