package scripts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
)

// An example is one file, one command and what would run: a line for each
// script, name, line and text; notes and doubts with their reason.
type example struct {
	what  string
	files map[string]string // below /w
	ref   bashsafety.ScriptRef
	want  string
}

func find(t *testing.T, files map[string]string, ref bashsafety.ScriptRef) []bashsafety.ScriptText {
	t.Helper()
	tree := fakefs.New(nil)
	tree.Mkdir("/w")
	for name, data := range files {
		tree.Write("/w/"+name, data)
	}
	f := Finder{Files: tree, Roots: []rules.Path{{Given: "/w", Real: "/w"}}}
	return f.Find(ref)
}

func tell(texts []bashsafety.ScriptText) string {
	var b strings.Builder
	for _, s := range texts {
		file := strings.TrimPrefix(s.File, "/w/")
		fmt.Fprintf(&b, "%s %s:%d", s.Name, file, s.Line)
		if s.Bash && s.Why == "" {
			b.WriteString(" bash")
		}
		if s.Guess {
			b.WriteString(" perhaps")
		}
		if s.Dir != "/w" && s.Why == "" {
			fmt.Fprintf(&b, " in %s", s.Dir)
		}
		switch {
		case s.Doubt:
			b.WriteString(" doubt: " + s.Why)
		case s.Why != "":
			b.WriteString(" not: " + s.Why)
		default:
			b.WriteString(": " + strings.ReplaceAll(strings.ReplaceAll(s.Text, hole, "…"), "\n", "⏎"))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func run(t *testing.T, list []example) {
	t.Helper()
	for _, e := range list {
		t.Run(e.what, func(t *testing.T) {
			if e.ref.Dir == "" {
				e.ref.Dir = "/w"
			}
			want := strings.TrimLeft(e.want, "\n")
			if got := tell(find(t, e.files, e.ref)); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

func ref(runner string, names ...string) bashsafety.ScriptRef {
	return bashsafety.ScriptRef{Runner: runner, Names: names}
}

func TestPackage(t *testing.T) {
	one := map[string]string{"package.json": "{\n  \"scripts\": {\n    \"build\": \"tsc\",\n    \"prebuild\": \"rm -r out\",\n    \"postbuild\": \"echo\",\n    \"n\": 1\n  }\n}"}
	in := func(text string) map[string]string { return map[string]string{"package.json": text} }
	run(t, []example{
		{what: "with pre and post", files: one, ref: ref("npm", "build"), want: `
npm run prebuild package.json:4: rm -r out
npm run build package.json:3: tsc
npm run postbuild package.json:5: echo
`},
		{what: "none of the name", files: one, ref: ref("npm", "x")},
		{what: "no file", ref: ref("npm", "x")},
		{what: "from below", files: one, ref: bashsafety.ScriptRef{Runner: "yarn", Dir: "/w/a/b", Names: []string{"postbuild"}}, want: "yarn run postbuild package.json:5: echo\n"},
		{what: "not a string", files: one, ref: ref("pnpm", "n"), want: "pnpm run n package.json:0 doubt: the script is not a string\n"},
		{what: "byte order mark", files: in("\ufeff{\"scripts\":\n{\"a\":\"b\"}}"), ref: ref("npm", "a"), want: "npm run a package.json:2: b\n"},
		{what: "escapes", files: in(`{"scripts":{"\u0061":"b \"c\"\n\u0024x"}}`), ref: ref("npm", "a"), want: "npm run a package.json:1: b \"c\"⏎$x\n"},
		{what: "no JSON", files: in(`{"scripts":{"a":"b"}`), ref: ref("npm", "a"), want: "npm run a package.json:0 doubt: the file is not valid JSON\n"},
		{what: "a list", files: in(`[]`), ref: ref("npm", "a"), want: "npm run a package.json:0 doubt: the file is not valid JSON\n"},
		{what: "two scripts keys", files: in(`{"scripts":{"a":"b"},"\u0073cripts":{"a":"rm x"}}`), ref: ref("npm", "a"), want: "npm run a package.json:0 doubt: the key \"scripts\" appears twice\n"},
		{what: "the script twice", files: in(`{"scripts":{"a":"b","a":"rm x"}}`), ref: ref("npm", "a"), want: "npm run a package.json:0 doubt: the script appears twice\n"},
		{what: "scripts is a list", files: in(`{"scripts":["a"]}`), ref: ref("npm", "a"), want: "npm run a package.json:0 doubt: \"scripts\" is not an object\n"},
		{what: "no scripts", files: in(`{}`), ref: ref("npm", "a")},
		{what: "too large", files: in(`{"scripts":{"a":"b"}}` + strings.Repeat(" ", maxFile)), ref: ref("npm", "a"), want: "npm run a package.json:0 doubt: larger than 1048576 bytes\n"},
	})
}

func TestMakefile(t *testing.T) {
	in := func(text string) map[string]string { return map[string]string{"Makefile": text} }
	run(t, []example{
		{what: "one target", files: in("all: build\n\nbuild:\n\t@go build ./...\n\t-rm -f x\nother:\n\techo\n"), ref: ref("make", "build"), want: `
make build Makefile:4: go build ./...
make build Makefile:5: rm -f x
`},
		{what: "default goal and what it needs", files: in(".PHONY: all\nall: build | dirs ; echo done\nbuild:\n\tgo build\ndirs:\n\tmkdir -p out\n"), ref: ref("make"), want: `
make build Makefile:4: go build
make dirs Makefile:6: mkdir -p out
make all Makefile:2: echo done
`},
		{what: "default goal that is named", files: in(".DEFAULT_GOAL := b\na:\n\techo a\nb:\n\techo b\n"), ref: ref("make"), want: "make b Makefile:5: echo b\n"},
		{what: "variables", files: in("OUT ?= build # where\nDIR = $(OUT)/x\nclean:\n\trm -rf $(DIR) ${OUT} $$HOME $@ $(CURDIR) $(HOME)/y $(NOPE)\n"), ref: ref("make", "clean"),
			want: "make clean Makefile:4: rm -rf build/x build $HOME clean /w ${HOME}/y …\n"},
		{what: "variables of the command line", files: in("OUT = build\nclean:\n\trm -rf $(OUT) $(X)\n"), ref: bashsafety.ScriptRef{Runner: "make", Names: []string{"clean"}, Vars: []string{"OUT=/", "X:=y"}},
			want: "make clean Makefile:3: rm -rf / y\n"},
		{what: "set twice, appended, computed", files: in("A = 1\nA = 2\nB += 3\nC != date\nx:\n\techo $(A) $(B) $(C)\n"), ref: ref("make", "x"), want: "make Makefile:4 perhaps: date\nmake x Makefile:6: echo … … …\nmake x Makefile:6 perhaps: echo 1 3 …\nmake x Makefile:6 perhaps: echo 2 3 …\n"},
		{what: "in a conditional", files: in("ifdef X\nA = 1\nelse\nx: y\nendif\nx:\n\techo $(A)\ny:\nifdef Y\n\techo y\nendif\n\techo z\n"), ref: ref("make", "x"), want: `
make y Makefile:10: echo y
make y Makefile:12: echo z
make x Makefile:7: echo …
make x Makefile:7 perhaps: echo 1
`},
		{what: "functions and automatic variables", files: in("x: a b\n\techo $(shell date) $< $^ $(@D) $(A:.c=.o) $*\n"), ref: ref("make", "x"), want: "make x Makefile:2 perhaps: date\nmake x Makefile:2: echo … a a b … … …\n"},
		{what: "a command made by make", files: in("x:\n\t$(GO) test\n\tcd a && $(GO) test\n\tA=1 $(GO)\n\techo $(GO); X=$(GO) ls\n"), ref: ref("make", "x"), want: `
make x Makefile:2 not: a command name in it comes from make
make x Makefile:3 not: a command name in it comes from make
make x Makefile:4 not: a command name in it comes from make
make x Makefile:5: echo …; X=… ls
`},
		{what: "sub-make", files: in("x:\n\t$(MAKE) -C sub all\n\t$(RM) a\n"), ref: ref("make", "x"), want: "make x Makefile:2: make -C sub all\nmake x Makefile:3: rm -f a\n"},
		{what: "continued", files: in("x: a \\\n  b\n\tfor i in 1 2; do \\\n\t  echo $$i; \\\n\tdone\na:\n\techo a\nb:\n\techo b\n"), ref: ref("make", "x"), want: `
make a Makefile:7: echo a
make b Makefile:9: echo b
make x Makefile:3: for i in 1 2; do \⏎  echo $i; \⏎done
`},
		{what: "bash", files: in("SHELL := /usr/bin/env bash\n.SHELLFLAGS := -eu -o pipefail -c\nx:\n\techo\n"), ref: ref("make", "x"), want: "make x Makefile:4 bash: echo\n"},
		{what: "sh with an option", files: in("SHELL=\t/bin/sh -e\nx:\n\techo\n"), ref: ref("make", "x"), want: "make x Makefile:3: echo\n"},
		{what: "another shell", files: in("SHELL = /usr/bin/python3\nx:\n\tprint()\n"), ref: ref("make", "x"), want: "make x Makefile:2 not: SHELL is an unknown shell\n"},
		{what: "one shell", files: in(".ONESHELL:\nx:\n\tcd a\n\techo\n"), ref: ref("make", "x"), want: "make x Makefile:3: cd a⏎echo\n"},
		{what: "shell flags", files: in(".SHELLFLAGS = -c 'rm x'\nx:\n\techo\n"), ref: ref("make", "x"), want: "make x Makefile:2 not: .SHELLFLAGS is not plain\n"},
		{what: "recipe prefix", files: in(".RECIPEPREFIX = >\nx:\n> rm y\n\techo\n"), ref: ref("make", "x"), want: "make x Makefile:3: rm y\n"},
		{what: "static pattern", files: in("a.o b.o: %.o: %.c\n\tcc -c $<\n"), ref: ref("make", "a.o"), want: "make a.o Makefile:2: cc -c a.c\n"},
		{what: "define, include, target variables", files: in("include x.mk\ndefine R\nx:\n\trm a\nendef\nx: V = 1\nx:\n\techo $(V) $(R)\n$(eval $(R))\n"), ref: ref("make", "x"), want: "make x Makefile:8: echo 1 x:⏎\trm a\nmake x Makefile:10: rm a\n"},
		{what: "functions of words", files: in("F = a/b.c d.c\nx:\n\techo $(notdir $(F)) $(dir $(F)) $(basename $(F)) $(suffix $(F)) $(addprefix p/,$(F)) $(addsuffix .o,$(F)) $(patsubst %.c,%.o,$(F)) $(subst a,z,$(F)) $(firstword $(F)) $(lastword $(F)) $(sort $(F)) $(strip  y )\n"),
			ref: ref("make", "x"), want: "make x Makefile:3: echo b.c d.c a/ ./ a/b d .c .c p/a/b.c p/d.c a/b.c.o d.c.o a/b.o d.o z/b.c d.c a/b.c d.c a/b.c d.c y\n"},
		{what: "eval, call and foreach", files: in("R = rm $(1)\n$(eval V = ls)\nx:\n\t$(V)\n\t$(call R,a b)\n\t$(foreach i,1 2,touch $(i);)\n"), ref: ref("make", "x"), want: `
make x Makefile:4: ls
make x Makefile:5: rm a b
make x Makefile:6: touch 1; touch 2;
`},
		{what: "patterns and the default", files: in("x: a.o\n%.o: %.c\n\tcc $< -o $@ # $*\n.DEFAULT:\n\techo $@\n"), ref: ref("make", "x", "y"), want: `
make a.o Makefile:3 perhaps: cc a.c -o a.o # a
make y Makefile:5: echo y
`},
		{what: "if", files: in("x:\n\techo $(if $(V),a,b)\n"), ref: ref("make", "x"), want: "make x Makefile:2: echo …\nmake x Makefile:2 perhaps: echo a\nmake x Makefile:2 perhaps: echo b\n"},
		{what: "circles", files: in("A = $(B)\nB = $(A)\na: b\n\techo $(A)\nb: a\n\techo b\n"), ref: ref("make", "a"), want: `
make b Makefile:6: echo b
make a Makefile:4 not: its variables are too long or refer to themselves
`},
		{what: "computed target", files: in("T = x\n$(T): y\n\techo x\ny:\n\techo y\n"), ref: ref("make", "x"), want: "make y Makefile:5: echo y\nmake x Makefile:3: echo x\n"},
		{what: "the first of several files", files: map[string]string{"GNUmakefile": "x:\n\techo g\n", "Makefile": "x:\n\techo m\n"}, ref: ref("make", "x"), want: "make x GNUmakefile:2: echo g\n"},
		{what: "not from below", files: in("x:\n\techo\n"), ref: bashsafety.ScriptRef{Runner: "make", Dir: "/w/a", Names: []string{"x"}}},
		{what: "named file", files: map[string]string{"a/b.mk": "x:\n\techo\n"}, ref: bashsafety.ScriptRef{Runner: "make", File: "/w/a/b.mk", Names: []string{"x"}}, want: "make x a/b.mk:2: echo\n"},
		{what: "outside", ref: bashsafety.ScriptRef{Runner: "make", Dir: "/tmp", Names: []string{"x"}}, want: "make x /tmp:0 not: it is outside the working directories\n"},
	})
}

func TestJustfile(t *testing.T) {
	in := func(text string) map[string]string { return map[string]string{"justfile": text} }
	run(t, []example{
		{what: "recipe and dependencies", files: in("out := 'build'\n\nall: (clean \"x\") test && after\n    @echo {{out}}\n\nclean dir='y':\n    rm -rf {{dir}} \\\n      {{out}}\n    -ls\ntest:\n\tgo test ./...\nafter:\n  echo {{ uppercase(out) }}\n"), ref: ref("just"), want: `
just clean justfile:7: rm -rf … \⏎build
just clean justfile:9: ls
just test justfile:11: go test ./...
just after justfile:13: echo …
just all justfile:4: echo build
`},
		{what: "alias and default", files: in("alias b := build\na:\n  echo a\n[default, private]\nbuild:\n  echo b\n"), ref: ref("just", "b"), want: "just build justfile:6: echo b\n"},
		{what: "the default", files: in("a:\n  echo a\n[default]\nbuild:\n  echo b\n"), ref: ref("just"), want: "just build justfile:5: echo b\n"},
		{what: "a script", files: in("x:\n    #!/usr/bin/env bash\n    set -e\n    if true; then\n      rm x\n    fi\n\ny:\n    #!/usr/bin/env python3\n    print()\n"), ref: ref("just", "x", "y"), want: `
just x justfile:2 bash: #!/usr/bin/env bash⏎set -e⏎if true; then⏎  rm x⏎fi⏎
just y justfile:8 not: it is not a shell script
`},
		{what: "a command made by just", files: in("x:\n  {{py}} a.py\n  echo {{{{x}}\n"), ref: ref("just", "x"), want: `
just x justfile:2 not: a command name in it comes from just
just x justfile:3: echo {{x}}
`},
		{what: "shell", files: in("set shell := [\"bash\", \"-uc\"]\nx:\n  echo\n"), ref: ref("just", "x"), want: "just x justfile:3 bash: echo\n"},
		{what: "another shell", files: in("set shell := [\"nu\", \"-c\"]\nx:\n  echo\n"), ref: ref("just", "x"), want: "just x justfile:2 not: its shell is unknown\n"},
		{what: "several lines", files: in("a := '''\nx:\n  rm x\n'''\nx:\n  echo\n"), ref: ref("just", "x")},
		{what: "attributes", files: in("[no-cd]\nx:\n  echo\n[working-directory: 'a']\ny:\n  echo\n"), ref: bashsafety.ScriptRef{Runner: "just", Dir: "/w/sub", Names: []string{"x", "y"}}, want: `
just x justfile:3 in /w/sub: echo
just y justfile:5 not: the attribute working-directory changes how it runs
`},
		{what: "variables of the command", files: in("a := 'x'\nx:\n  echo {{a}}\n"), ref: bashsafety.ScriptRef{Runner: "just", Names: []string{"x"}, Vars: []string{"a=y"}}, want: "just x justfile:3: echo y\n"},
		{what: "parameters with colons", files: in("x a=(\"b:c\") *rest: y # z\n  echo {{a}}\ny:\n  echo y\n"), ref: ref("just", "x"), want: "just y justfile:4: echo y\njust x justfile:2: echo …\n"},
	})
}

func TestTaskfile(t *testing.T) {
	in := func(text string) map[string]string { return map[string]string{"Taskfile.yml": text} }
	run(t, []example{
		{what: "commands, dependencies, calls", files: in(`version: '3'
vars:
  OUT: build
tasks:
  default:
    desc: "a: b" # comment
    deps: [clean]
    cmds:
      - echo {{.OUT}} {{.NOPE}}
      - task: test
      - cmd: rm {{.OUT}}/x
        silent: true
      - defer: echo late
      - |
        echo 1
        echo 2
  clean: rm -rf {{.OUT}}
  test:
    dir: sub
    aliases: [t]
    cmds:
    - go test ./...
`), ref: ref("task"), want: `
task clean Taskfile.yml:17 bash: rm -rf build
task default Taskfile.yml:9 bash: echo build …
task test Taskfile.yml:22 bash in /w/sub: go test ./...
task default Taskfile.yml:11 bash: rm build/x
task default Taskfile.yml:13 bash: echo late
task default Taskfile.yml:15 bash: echo 1⏎echo 2
`},
		{what: "alias", files: in("tasks:\n  test:\n    aliases: [t]\n    cmds: [\"echo\"]\n"), ref: ref("task", "t"), want: "task test Taskfile.yml:4 bash: echo\n"},
		{what: "own variables", files: in("vars: {A: b}\ntasks:\n  x:\n    vars:\n      A: c\n    cmd: echo {{.A}}\n"), ref: ref("task", "x"), want: "task x Taskfile.yml:6 bash: echo …\n"},
		{what: "in brackets and braces", files: in("vars: {A: \"b c\", D: '{{.A}}/{{.A}}'} # x\ntasks:\n  x:\n    deps: [{task: y, vars: {Z: 'a, b'}}, z]\n    cmds:\n      - {cmd: 'echo {{.D}}', silent: true}\n      - defer: { task: w }\n  y: [echo y, \"echo, y\"]\n  z: {cmd: echo z}\n  w: echo w\n"), ref: ref("task", "x"), want: `
task y Taskfile.yml:8 bash: echo y
task y Taskfile.yml:8 bash: echo, y
task z Taskfile.yml:9 bash: echo z
task x Taskfile.yml:6 bash: echo b c/b c
task w Taskfile.yml:10 bash: echo w
`},
		{what: "variables in circles", files: in("vars:\n  A: '{{.B}}'\n  B: '{{.A}}{{.A}}'\ntasks:\n  x: echo {{.A}}\n"), ref: ref("task", "x"), want: "task x Taskfile.yml:5 not: a command name in it comes from task\n"},
		{what: "a command made by task", files: in("tasks:\n  x: '{{.CMD}} a'\n"), ref: ref("task", "x"), want: "task x Taskfile.yml:2 not: a command name in it comes from task\n"},
		{what: "not plain", files: in("tasks:\n  x: &a\n    cmd: rm\n"), ref: ref("task", "x"), want: "task x Taskfile.yml:0 not: it uses syntax permgate does not read\n"},
		{what: "circle", files: in("tasks:\n  a:\n    deps: [b]\n    cmd: echo a\n  b:\n    cmds:\n      - task: a\n      - echo b\n"), ref: ref("task", "a"), want: "task b Taskfile.yml:8 bash: echo b\ntask a Taskfile.yml:4 bash: echo a\n"},
		{what: "the directory is not known", files: in("tasks:\n  a:\n    dir: '{{.X}}'\n    cmd: rm -rf .\n"), ref: ref("task", "a"), want: "task a Taskfile.yml:3 not: its directory is unknown\n"},
	})
}

func TestMise(t *testing.T) {
	in := func(text string) map[string]string { return map[string]string{"mise.toml": text} }
	run(t, []example{
		{what: "tasks", files: in(`[tools]
node = "20" # x
[tasks.build]
description = 'a "b"'
depends = ["clean", "lint x"]
run = ["echo 1", 'rm {{arg(name="x")}}']
[tasks]
clean = "rm -rf out"
[tasks."lint"]
dir = "sub"
run = """
echo a
echo b
"""
`), ref: ref("mise", "build"), want: `
mise run clean mise.toml:8: rm -rf out
mise run lint mise.toml:11 in /w/sub: echo a⏎echo b⏎
mise run build mise.toml:6: echo 1
mise run build mise.toml:6: rm …
`},
		{what: "inline", files: in("tasks.a = { run = \"echo\", dir = \"{{cwd}}\" }\n"), ref: bashsafety.ScriptRef{Runner: "mise", Dir: "/w/x", Names: []string{"a"}}, want: "mise run a mise.toml:1 in /w/x: echo\n"},
		{what: "a file", files: map[string]string{"mise.toml": "[tasks.a]\nfile = 's/a.sh'\n", "s/a.sh": "#!/bin/sh\nrm x\n"}, ref: ref("mise", "a"), want: "mise run a s/a.sh:1: #!/bin/sh⏎rm x⏎\n"},
		{what: "file tasks", files: map[string]string{"mise-tasks/db/drop": "#!/usr/bin/env bash\ndropdb x\n"}, ref: ref("mise", "db:drop"), want: "mise run db:drop mise-tasks/db/drop:1 bash: #!/usr/bin/env bash⏎dropdb x⏎\n"},
		{what: "another shell", files: in("[tasks.a]\nshell = \"node -e\"\nrun = \"x\"\n[tasks.b]\nrun = \"#!/usr/bin/env node\\nx\"\n"), ref: ref("mise", "a", "b"), want: `
mise run a mise.toml:2 not: its shell is unknown
mise run b mise.toml:5 not: it is not a shell script
`},
		{what: "not TOML", files: in("[tasks\n"), ref: ref("mise", "a"), want: "mise run a mise.toml:0 not: it uses syntax permgate does not read\n"},
	})
}
