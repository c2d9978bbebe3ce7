package scripts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// Only regular files inside the workspace are read.
func TestFiles(t *testing.T) {
	tree := fakefs.New(map[string]string{"/other/package.json": `{"scripts":{"a":"rm x"}}`})
	tree.Mkdir("/w/dir/package.json")
	tree.Link("/w/out/package.json", "/other/package.json")
	tree.Write("/w/pkg/package.json", `{"scripts":{"a":"echo"}}`)
	tree.Link("/w/in/package.json", "../pkg/package.json")
	tree.Link("/w/gone/package.json", "nowhere")
	tree.Link("/w/linked", "/other")
	f := Finder{Files: tree, Roots: []rules.Path{{Given: "/w", Real: "/w"}}}
	for dir, want := range map[string]string{
		"/w/dir":    "npm run a dir/package.json:0 doubt: not a regular file\n",
		"/w/out":    "npm run a out/package.json:0 doubt: it leads outside the project, to /other/package.json\n",
		"/w/in":     "npm run a in/package.json:1 in /w/in: echo\n",
		"/w/gone":   "",
		"/w/linked": "npm run a linked/package.json:0 doubt: it leads outside the project, to /other/package.json\n",
		"/other":    "npm run a /other:0 not: it is outside the working directories\n",
	} {
		got := tell(f.Find(bashsafety.ScriptRef{Runner: "npm", Dir: dir, Names: []string{"a"}}))
		if got != want {
			t.Errorf("%s: got %swant %s", dir, got, want)
		}
	}
}

// Whatever a project's file holds, reading it is work that ends; most takes some milliseconds.
func TestWork(t *testing.T) {
	big := func(unit string) string { return strings.Repeat(unit, maxFile/2/len(unit)) }
	var vars, targets strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&vars, "V%d = $(V%d)$(V%d)\n", i, i+1, i+1)
		fmt.Fprintf(&targets, "t%d: t%d\n\techo\n", i, i+1)
	}
	for _, c := range []struct{ runner, name, text string }{
		{"make", "Makefile", "a:\n\techo $(V0)\n" + vars.String()},
		{"make", "Makefile", "A = $(B)$(B)$(B)$(B)$(B)$(B)$(B)$(B)$(B)$(B)\nB = $(A)$(A)$(A)$(A)\na:\n\techo $(A)\n"},
		{"make", "Makefile", "a: t0\n" + targets.String()},
		{"make", "Makefile", "a: " + big("b ") + "\n" + strings.Repeat("\techo $^\n", 10000)},
		{"make", "Makefile", "a:\n\t" + big("x \\\n\t")},
		{"make", "Makefile", "a:\n\techo " + big("$(x)")},
		{"make", "Makefile", "A = " + strings.Repeat("x", 60000) + "\na:\n" + strings.Repeat("\techo $(A)$(A)\n", 20000)},
		{"make", "Makefile", big("a:\n\tx\n")},
		{"make", "Makefile", big("a = $(((((")},
		{"just", "justfile", "a:\n  " + big("x \\\n  ")},
		{"just", "justfile", "x := '" + strings.Repeat("x", 60000) + "'\na:\n" + big("  echo {{x}}\n")},
		{"just", "justfile", "a " + big("b ") + ":\n  echo " + strings.Repeat("{{b}}", 50000)},
		{"just", "justfile", big("a: a\n  x\n")},
		{"task", "Taskfile.yml", "vars:\n  A: " + strings.Repeat("x", 60000) + "\ntasks:\n  a:\n" + big("    - echo {{.A}}\n")},
		{"task", "Taskfile.yml", big("- - - - - - -\n")},
		{"task", "Taskfile.yml", strings.ReplaceAll(vars.String(), " = ", ": ")},
		{"mise", "mise.toml", "[tasks]\na = [" + big("'x',\n") + "]"},
		{"mise", "mise.toml", big("[[[[")},
		{"mise", "mise.toml", vars.String()},
		{"npm", "package.json", `{"scripts":{"a":"x"` + big(`,"b":"y"`) + "}}"},
	} {
		begin := testenv.Worked()
		out := find(t, map[string]string{c.name: c.text}, bashsafety.ScriptRef{Runner: c.runner, Dir: "/w", Names: []string{"a"}})
		if took := testenv.Worked() - begin; took > 10*time.Second {
			t.Errorf("%s %.40q: %v for %d bytes, %d scripts", c.name, c.text, took, len(c.text), len(out))
		} else if testing.Verbose() {
			t.Logf("%s %.40q: %v for %d bytes, %d scripts", c.name, c.text, took, len(c.text), len(out))
		}
	}
}

// One call does not read without end.
func TestReadOnlySoMuch(t *testing.T) {
	tree := fakefs.New(map[string]string{"/w/Makefile": "a:\n\techo\n#" + strings.Repeat("x", maxFile-20)})
	f := Finder{Files: tree, Roots: []rules.Path{{Given: "/w", Real: "/w"}}}
	for i := range 8 {
		got := tell(f.Find(bashsafety.ScriptRef{Runner: "make", Dir: "/w", Names: []string{"a"}}))
		want := "make a Makefile:2: echo\n"
		if i*(maxFile-10) > maxRead {
			want = "make a Makefile:0 doubt: too much has been read already\n"
		}
		if got != want {
			t.Errorf("%d: got %swant %s", i, got, want)
		}
	}
}
