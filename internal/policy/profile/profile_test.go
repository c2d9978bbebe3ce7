package profile

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// axes are what projects differ in: the files of each alternative. Every part of
// the table is one of them; the first alternative is no file. Those after plain
// differ from others in what is found, not in the rules: pairs are enough.
var axes = [...]struct {
	plain int
	of    []map[string]string
}{
	{2, []map[string]string{{}, {".git/HEAD": "x"}}},
	{2, []map[string]string{{}, {"go.mod": "module x"}, {"svc/mail/go.mod": "module x"}}},
	{5, []map[string]string{{}, {"package.json": scripts}, {"package.json": scripts, "pnpm-lock.yaml": ""},
		{"package.json": scripts, "yarn.lock": ""}, {"package.json": scripts, "bun.lockb": ""},
		{"package.json": "{}", "pnpm-lock.yaml": ""}, {"package.json": `{"scripts": {"test": `},
		members("pnpm-lock.yaml", "pnpm-workspace.yaml", "turbo.json"), members("yarn.lock"), members("bun.lock", "nx.json"), members("turbo.json")}},
	{4, []map[string]string{{}, {"requirements-dev.txt": ""}, {"uv.lock": ""}, {"poetry.lock": ""}, {"pyproject.toml": ""}, {"poetry.lock": "", "uv.lock": ""},
		{"pyproject.toml": `dev = ["black", "isort", "coverage[toml]>=7"]`, ".venv/pyvenv.cfg": "x"}}},
	{2, []map[string]string{{}, {"Cargo.toml": ""}}},
	{2, []map[string]string{{}, {"Makefile": makefile}, {"svc/Makefile": makefile}}},
	{1, []map[string]string{{}, {".golangci.yml": ""}}},
	{2, []map[string]string{{}, {"Dockerfile": ""}, {"compose.yaml": ""}}},
}

const (
	scripts  = `{"scripts": {"test": "jest", "lint": "eslint .", "type-check": "tsc", "deploy": "rm -rf x", "build": "x", "te\"st": "y"}}`
	makefile = "CFLAGS := -O2\nall: build\nbuild test: x\n\techo test: y\n.PHONY: lint\nlint:\n\trm -rf x\ndeploy: build\n\tx\n"
)

// members is a repository of several packages, one with a name that no rule may hold.
func members(files ...string) map[string]string {
	out := map[string]string{
		"package.json":       `{"workspaces": ["pkg/*"], "scripts": {"test": "x"}, "devDependencies": {"vitest": "3", "eslint": "9", "typescript": "5"}}`,
		"pkg/a/package.json": `{"name": "@x/a", "scripts": {"test": "x", "deploy": "x"}}`, "pkg/b/package.json": `{"name": "b", "scripts": {"build": "x"}}`,
		"pkg/c/package.json": `{"name": "c) --dir /", "scripts": {"test": "x"}}`, "pkg/d/project.json": `{"name": "d", "targets": {"lint": {}, "deploy": {}}}`,
	}
	for _, name := range files {
		out[name] = "{}"
	}
	return out
}

// projects calls f for every pair of the axes and for all at once, with PERMGATE_FULL=all for every combination of three
// and more. pair is set for those of two and less.
func projects(t *testing.T, f func(files map[string]string, pair bool)) {
	whole := testenv.Count(t, len(axes), len(axes), 3) // how many axes a plain project uses at least
	for pick := range combinations(len(axes)) {
		used, plain := 0, true
		files := map[string]string{}
		for i, n := range pick {
			if n > 0 {
				used++
			}
			plain = plain && n < axes[i].plain
			maps.Copy(files, axes[i].of[n])
		}
		if used <= 2 || plain && used >= whole {
			f(files, used <= 2)
		}
	}
}

// combinations are all ways to pick one alternative of every axis.
func combinations(n int) func(func([]int) bool) {
	return func(yield func([]int) bool) {
		pick := make([]int, n)
		for {
			if !yield(pick) {
				return
			}
			i := 0
			for ; i < n; i++ {
				if pick[i]++; pick[i] < len(axes[i].of) {
					break
				}
				pick[i] = 0
			}
			if i == n {
				return
			}
		}
	}
}

func tree(files map[string]string) fstest.MapFS {
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return root
}

const (
	home = "/home/u"
	app  = home + "/app"
)

// world is a machine with the files of a policy in one project of one user.
func world(p *Policy, folder string) gate.World {
	files := fakefs.New(map[string]string{
		app + folder + "settings.json": string(p.Settings(folder == "/.claude/")),
	})
	if gate := p.Gate(); gate != nil {
		files.Write(app+folder+"permgate.json", string(gate))
	}
	files.Mkdir(app + "/.git")
	files.Own(home, 1000)
	return gate.World{
		Getenv: func(string) string { return "" }, Cwd: app, PasswdHome: home, UID: 1000, Files: files,
		Exe: func() (string, error) { return "/opt/bin/permgate", nil }, Now: time.Unix(0, 0), ManagedDir: []string{"/etc/none"},
	}
}

// TestPolicies runs, for every kind of project and both profiles, the tests of
// the policy against the policy, and lint over its files.
func TestPolicies(t *testing.T) {
	n, every := 0, testenv.Every(t, 5, 1, 1)
	seen := map[string]bool{}
	projects(t, func(files map[string]string, pair bool) {
		for _, profile := range Profiles {
			p := For(tree(files), profile.Name)
			if key := profile.Name + p.Names() + string(p.Tests(p.Gate() != nil)); seen[key] {
				continue
			} else {
				seen[key] = true
			}
			if n++; n%every > 0 {
				continue
			}
			w := world(p, "/.gen/")
			judge(t, p, w)
			if pair {
				inspect(t, w)
				inspect(t, world(p, "/.claude/"))
			}
			if t.Failed() {
				t.Fatalf("files %v, profile %s", slices.Sorted(maps.Keys(files)), profile.Name)
			}
		}
	})
	t.Logf("%d policies", n)
}

// judge runs the tests of a policy against it.
func judge(t *testing.T, p *Policy, w gate.World) {
	t.Helper()
	f := policytest.Parse("permissions.test", string(p.Tests(p.Gate() != nil)))
	for _, err := range f.Errors {
		t.Error(err.Error())
	}
	r := policytest.Runner{World: w, Dir: app}
	var cover policytest.Coverage
	cover.Add(gate.Policy(hookio.Unread(hookio.Options{}), &gate.Flags{}, w))
	for i := range f.Tests {
		res, err := r.Run(&f.Tests[i])
		if err != nil {
			t.Error(err)
			continue
		}
		cover.Touch(res.Verdict)
		if res.Wrong != "" {
			t.Errorf("%s %s: %s: %s", res.Test.Tool, res.Test.Argument, res.Wrong, res.Verdict.Reason())
		}
	}
	for _, u := range cover.Untouched() {
		t.Errorf("no test is about %s", u.Text)
	}
}

// inspect looks at the files of a policy with lint.
func inspect(t *testing.T, w gate.World) {
	t.Helper()
	in := lint.New(w, gate.Flags{}, hookio.Unread(hookio.Options{}).Host)
	for _, x := range lint.Run(in) {
		t.Errorf("lint: %s: %s: %s; %s %s", x.Pos, x.Check.ID, x.Text, x.Instead, x.Exploit)
	}
	for _, x := range in.Policy.Faults {
		t.Errorf("fault: %s: %s", x.Pos, x.Msg)
	}
	for _, x := range in.Policy.Dropped {
		t.Errorf("does not count: %s: %s", x.Text, x.Why)
	}
}

// TestParts checks the literals themselves.
func TestParts(t *testing.T) {
	found := map[string]bool{}
	projects(t, func(files map[string]string, _ bool) {
		for _, p := range Profiles {
			for _, g := range Groups(tree(files), p.Name) {
				found[g.Name] = true
			}
		}
	})
	known := strings.Split("files,root files,unless,comment,each", ",")
	for _, profile := range [...]string{"both", Starter, Strict} {
		for list := range strings.FieldsSeq("allow allowed ask asked deny denied") {
			known = append(known, profile+" "+list)
		}
	}
	for _, p := range parts() {
		if comment := p.Text["comment"]; p.Name == "" || comment == "" || strings.HasSuffix(comment, ".") {
			t.Errorf("%q: name or comment", p.Name)
		}
		if !found[p.Name] {
			t.Errorf("%s: no project of the tests shows it", p.Name)
		}
		for key, text := range p.Text {
			if !slices.Contains(known, key) || text == "" {
				t.Errorf("%s: %q is no key, or has no text", p.Name, key)
			}
		}
		each := p.Text["each"]
		if each != "" && !slices.ContainsFunc(finders[:], func(f finder) bool { return f.name == each }) {
			t.Errorf("%s: nothing is called %s", p.Name, each)
		}
		for _, profile := range [...]string{"both", Starter, Strict} {
			l := p.lists(profile)
			if len(l.Allow)+len(l.Ask)+len(l.Deny) > 0 && len(l.Tests)+len(p.lists("both").Tests) == 0 {
				t.Errorf("%s: rules without tests", p.Name)
			}
			for _, text := range slices.Concat(l.Allow, l.Ask, l.Deny) {
				if strings.Contains(text, "{") && each == "" {
					t.Errorf("%s: nothing to put into %s", p.Name, text)
				}
			}
		}
	}
}

// TestNames checks what is taken from a project's files: the usual names, and
// nothing that could say something else in a rule.
func TestNames(t *testing.T) {
	root := tree(map[string]string{"package.json": scripts, "Makefile": makefile})
	if got := strings.Join(packageScripts(root, manifests(root)), " "); got != "test lint type-check build" {
		t.Errorf("package.json: %s", got)
	}
	if got := strings.Join(makeTargets(root, nil), " "); got != "build test lint" {
		t.Errorf("Makefile: %s", got)
	}
	for _, bad := range []string{"[]", "null", `{"scripts": 1}`, `{"scripts": ["test"]}`, "{"} {
		if got := packageScripts(tree(map[string]string{"package.json": bad}), []string{"package.json"}); len(got) > 0 {
			t.Errorf("%s: %s", bad, got)
		}
	}
}

// TestScriptNames: words after a usual name, and what says that something is sent.
func TestScriptNames(t *testing.T) {
	for name, want := range map[string]bool{
		"test": true, "test:unit": true, "lint:fix": true, "build:prod": true, "test:e2e:ci": true, "format:check": true,
		"deploy": false, "build:deploy": false, "test:": false, "test:a b": false, "test:*": false, "build:npm-publish": false,
		"clean": false, "postinstall": false, "test:)": false,
	} {
		if scriptName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// TestStarter checks what the profile promises: no ask rule, no rule for a
// program that only reads, nothing that sends, and only secrets are denied.
func TestStarter(t *testing.T) {
	projects(t, func(files map[string]string, _ bool) {
		for _, r := range For(tree(files), Starter).Rules() {
			switch {
			case r.List == rules.Ask, r.List == rules.Deny && !strings.HasPrefix(r.Text, "Read(/**/"):
				t.Errorf("%s %s", r.List, r.Text)
			case r.List == rules.Allow:
				for _, word := range []string{"push", "publish", "deploy", "install", "curl", "go run", "uv run:*", "npm run:*", "bun run:*", "exec:*", "npx:*", "dlx", "--dir"} {
					if strings.Contains(r.Text, word) {
						t.Errorf("%s", r.Text)
					}
				}
				for _, program := range []string{"cat", "head", "tail", "ls", "grep", "rg", "wc", "pwd", "find", "git status", "git log", "git diff"} {
					if strings.HasPrefix(r.Text, "Bash("+program+":") || r.Text == "Bash("+program+")" {
						t.Errorf("%s", r.Text)
					}
				}
			}
		}
	})
}

// TestSecrets checks what the deny rules do not reach, in the project and out of it.
func TestSecrets(t *testing.T) {
	never(t, world(For(tree(nil), Starter), "/.claude/"), "deny ",
		"Read .env.example", "Read web/.env.sample", "Read .env.template", "Read .env.production.example",
		"Read .env.test", "Read web/.env.development", "Read .envrc",
		"Read certs/ca.pem", "Read certs/server.crt", "Read deploy/id_ed25519.pub", "Read keys.go",
		"Read src/key.ts", "Read ../other/.env",
		"Read ~/.ssh/id_ed25519", "Bash ssh -i ~/.ssh/id_ed25519 host uptime",
		"Bash scp -i ~/.ssh/id_rsa x host:", "Bash cat .env.example",
		"Bash kubectl --kubeconfig ~/.kube/config get pods", "Bash grep -rn KEY .",
	)
}

// TestManifests: a monorepo is found two folders down, what others wrote is
// not, and a huge folder does not hide what is in the root.
func TestManifests(t *testing.T) {
	files := map[string]string{
		"services/api/go.mod": "module x", "apps/web/package.json": scripts, "apps/web/bun.lock": "",
		"node_modules/x/Cargo.toml": "",
		"a/b/c/d/uv.lock":           "", ".cache/poetry.lock": "", "sub/Makefile": makefile, "vendor/y/pnpm-lock.yaml": "",
	}
	if got := For(tree(files), Starter).Names(); got != "Go, Go modules in folders, Bun, make in folders" {
		t.Errorf("%s", got)
	}
	for i := range 2 * entries {
		files["many/"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+time.Unix(int64(i), 0).Format("150405")+".txt"] = ""
	}
	files["go.mod"] = "module x"
	if got := For(tree(files), Starter).Names(); !strings.Contains(got, "Go") {
		t.Errorf("%s", got)
	}
}

// TestStrict checks what the profile promises: no allow rule with a wildcard
// covers a program that runs code of the project.
func TestStrict(t *testing.T) {
	runs := []string{"go build", "go test", "go vet", "go run", "go generate", "npm", "pnpm", "yarn", "bun", "pytest", "ruff", "mypy", "uv run", "poetry run", "cargo", "make", "docker"}
	projects(t, func(files map[string]string, _ bool) {
		for _, r := range For(tree(files), Strict).Rules() {
			if r.List != rules.Allow || !strings.ContainsAny(r.Text, "*") {
				continue
			}
			for _, program := range runs {
				if strings.HasPrefix(r.Text, "Bash("+program) {
					t.Errorf("%s", r.Text)
				}
			}
		}
	})
}

// TestHeldMembers checks what the rules about packages, folders and their tools do not reach.
func TestHeldMembers(t *testing.T) {
	files := members("pnpm-lock.yaml", "pnpm-workspace.yaml", "turbo.json", "nx.json")
	maps.Copy(files, map[string]string{
		"svc/go.mod": "", "svc/Makefile": makefile, ".venv/pyvenv.cfg": "x", "pyproject.toml": "black isort coverage",
	})
	never(t, world(For(tree(files), Starter), "/.gen/"), "allow Bash ",
		"pnpm --filter @x/a exec ./x test", "pnpm --filter @x/a --dir ../o test", "pnpm --filter b deploy", "pnpm --filter @x/a deploy",
		"pnpm -r deploy", "pnpm -r exec rm -rf x", "pnpm -r publish", "pnpm dlx vitest", "pnpm --filter c test", "pnpm --filter '*' test",
		"pnpm --filter ../o test", "pnpm -r --dir ../o run test", "npx cowsay", "npx -y vitest", "npx vitest@latest", "npx --package evil vitest",
		"npx -c vitest", "npx tsc", "bunx tsc", "npx tsc --outDir ~/.ssh", "npx vitest --outputFile=$HOME/.bashrc", "npx vitest --config ../o.ts",
		"npx eslint -o ~/.bashrc .", "npx eslint --rulesdir ../o .", "pnpm exec tsc --outDir ~/.ssh", "turbo run deploy",
		"turbo run test deploy", "npx turbo run test deploy", "turbo run test --filter=@x/a deploy", "turbo run test --cwd ../o",
		"pnpm turbo run test deploy", "nx deploy d", "nx lint d --runner ./x", "nx run-many -t lint deploy", "nx run d:deploy", "npx nx reset",
		"go -C svc test -exec ./x ./...", "go -C ../o test ./...", "go -C svc run .", "go -C svc build -toolexec ./x",
		"make -C svc deploy", "make -C svc test SHELL=./x", "make -C ../o test", "make -C svc test deploy",
		".venv/bin/python x.py", ".venv/bin/pip install x", "../o/.venv/bin/pytest", ".venv/bin/mypy --python-executable ./x",
		".venv/bin/python -m pip install x", "PATH=. black .", "coverage run x.py", "cat .env && black .",
	)
}

// TestPlain: names that a rule may hold, and those it may not.
func TestPlain(t *testing.T) {
	for name, want := range map[string]bool{
		"web": true, "@acme/api": true, "services/mail": true, "a.b_c-d": true, "Ü": false, "": false, "@": false, "-r": false,
		"a b": false, "a*": false, "a)": false, "..": false, "a/../b": false, "/a": false, "a/": false, "a/-b": false, ".git": false,
		"a:b": false, "a=b": false, "a,b": false, "a\nb": false, "@@a": false, "{of}": false,
	} {
		if plain(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// TestHeld checks what the wildcards of the laxer profile do not reach, in a
// project that shows everything.
func TestHeld(t *testing.T) {
	files := map[string]string{}
	for _, a := range axes {
		maps.Copy(files, a.of[1])
	}
	never(t, world(For(tree(files), Starter), "/.gen/"), "allow Bash ",
		"npm run test --prefix ../other", "npm run test --script-shell=./x", "npm run deploy",
		"npm test --prefix ../other", "git push", "make deploy", "make test SHELL=./x",
		"go test -exec ./x ./...", "go build -toolexec ./x", "go vet -vettool=./x",
		"go build -o /usr/local/bin/ls .", "go run .",
		"cargo build --config build.rustc-wrapper=./x", "cargo --config x.toml test",
		"git -c core.pager=./x log", "git log --output=/tmp/x",
		"git show --ext-diff", "rg --pre ./x y", "mypy --python-executable ./x",
		"docker -H tcp://example.com ps", "cat .env", "head -1 ~/.ssh/config",
		"grep -r x . > ~/.bashrc", "ls $(curl -s https://example.com/)",
	)
}

// never fails for calls that are decided so, each what a line of a test file says after the decision.
func never(t *testing.T, w gate.World, decided string, calls ...string) {
	t.Helper()
	r := policytest.Runner{World: w, Dir: app}
	for _, call := range calls {
		f := policytest.Parse("never", decided+call)
		if len(f.Tests) != 1 {
			t.Fatal(f.Errors)
		}
		if res, err := r.Run(&f.Tests[0]); err != nil || res.Wrong == "" {
			t.Errorf("%s%s (%v): %s", decided, call, err, res.Verdict.Reason())
		}
	}
}
