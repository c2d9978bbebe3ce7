package scripts

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// fuzz gives made-up files to a reader: it must end, say the same each time,
// and name only places that are there.
func fuzz(f *testing.F, runner, name string, seeds ...string) {
	for _, s := range seeds {
		f.Add(s, "a")
	}
	f.Fuzz(func(t *testing.T, text, script string) {
		r := bashsafety.ScriptRef{Runner: runner, Dir: "/w", Names: []string{script}, Vars: []string{"X=y"}}
		if script == "" {
			r.Names = nil
		}
		files := map[string]string{name: text}
		got := find(t, files, r)
		if again := find(t, files, r); tell(got) != tell(again) {
			t.Fatalf("twice the same file, two answers:\n%s%s", tell(got), tell(again))
		}
		for _, s := range got {
			if s.File != "/w/"+name || s.Line < 0 || s.Line > 1+strings.Count(text, "\n") || (s.Text == "") == (s.Why == "") && s.Text != "" {
				t.Fatalf("%+v", s)
			}
			if len(s.Text) > bashsafety.MaxBytes+len(text) {
				t.Fatalf("a text of %d bytes from a file of %d", len(s.Text), len(text))
			}
			if s.Why == "" && commandOpen(s.Text) {
				t.Fatalf("an open command: %q", s.Text)
			}
		}
	})
}

func FuzzPackage(f *testing.F) {
	fuzz(f, "npm", "package.json", `{"scripts":{"a":"b","prea":"c"}}`, `{"scripts":{"a":1}}`, `{"scripts":{"a":"x"},"scripts":{}}`, "{\"\\u0073cripts\":{\"a\":\"\\n\"}}")
}

func FuzzMakefile(f *testing.F) {
	fuzz(f, "make", "Makefile", "A ?= b\na: c ; echo\n\t@rm $(A) $@ \\\n\tx\nc:\n\t$(X)\n", "define R\nendef\nifdef X\na:\n\techo $(shell x)\nendif\n", "a b: %: c\n\t-echo\n.ONESHELL:\n", "A = $(A)\na:\n\techo $(A)\n")
}

func FuzzJustfile(f *testing.F) {
	fuzz(f, "just", "justfile", "x := 'y'\na p='z': (b 'c') && d\n  @echo {{x}} {{p}}\nb:\n  #!/bin/sh\n  rm\n", "set shell := ['bash', '-c']\nalias a := b\n[no-cd]\nb:\n  echo {{{{\n")
}

func FuzzTaskfile(f *testing.F) {
	fuzz(f, "task", "Taskfile.yml", "vars: {A: b}\ntasks:\n  a:\n    deps: [b]\n    cmds:\n      - echo {{.A}}\n      - task: b\n      - |\n        x\n  b: \"y\"\n", "---\ntasks:\n  a: 'b'' c' # d\n  default:\n  - echo\n")
}

func FuzzMise(f *testing.F) {
	fuzz(f, "mise", "mise.toml", "[tasks.a]\nrun = [\"x\", '''y''']\ndepends = \"b\"\n[tasks]\nb = \"\"\"\nz\"\"\"\n", "tasks.a = { run = \"{{x}}\", n = 1.5 }\n[[x]]\n", "tasks.a=[run=\"{{\"}")
}
