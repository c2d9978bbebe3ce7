package importer

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

var update = flag.Bool("update", false, "write what the examples become")

// scopeOf is the scope that the first line of an example names.
func scopeOf(comment string) (o Options) {
	o.Project = "/project"
	for _, s := range []rules.Scope{rules.Managed, rules.Local, rules.Shared, rules.User} {
		if strings.Contains(comment, "scope "+s.String()) {
			o.Scope = s
		}
	}
	if !strings.Contains(comment, "scope ") {
		o.Scope = rules.User
	}
	o.Claude = strings.Contains(comment, "into .claude")
	return o
}

// TestExamples imports each example in testdata, SYSTEM-WHAT.txtar: files and a line of each item they become. A second
// import of what was written changes nothing.
func TestExamples(t *testing.T) {
	names, _ := filepath.Glob("testdata/examples/*.txtar")
	seen := map[string]int{}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			of, _, _ := strings.Cut(filepath.Base(name), "-") // core-agent is coreagent there
			s := named(of)
			if s == nil {
				t.Fatalf("no system is called %s", of)
			}
			seen[s.Name]++
			o := scopeOf(string(a.Comment))
			want := &a.Files[len(a.Files)-1]
			if want.Name != "want" {
				a.Files = append(a.Files, txtar.File{Name: "want"})
				want = &a.Files[len(a.Files)-1]
			}
			var files []File
			for _, f := range a.Files[:len(a.Files)-1] {
				files = append(files, File{f.Name, f.Data})
			}
			items, err := s.Import(files, o)
			var got strings.Builder
			if err != nil {
				got.WriteString("error     " + err.Error() + "\n")
			}
			for i := range items {
				got.WriteString(items[i].String() + "\n")
			}
			if *update {
				want.Data = []byte(got.String())
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got.String() != string(want.Data) {
				t.Errorf("got\n%swant\n%s", got.String(), want.Data)
			}
			twice(t, items)
		})
	}
	for _, s := range Systems() {
		if seen[s.Name] < 3 {
			t.Errorf("%s has %d examples", s.Name, seen[s.Name])
		}
	}
}

func named(name string) *System {
	for _, s := range Systems() {
		if strings.ReplaceAll(s.Name, "-", "") == name {
			return s
		}
	}
	return nil
}

func none(Entry) string { return "" }

// twice writes items into two files, and again.
func twice(t *testing.T, items []Item) {
	t.Helper()
	settings, gate := apply(t, items, "", "")
	again, gateAgain := apply(t, items, settings, gate)
	if settings != again || gate != gateAgain {
		t.Errorf("a second import changes\n%s%s\nto\n%s%s", settings, gate, again, gateAgain)
	}
}

func apply(t *testing.T, items []Item, settings, gate string) (string, string) {
	t.Helper()
	a, err := edit.Parse("settings.json", []byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	b, err := edit.Parse("permgate.json", []byte(gate))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Apply(items, a, b, none); err != nil {
		t.Fatal(err)
	}
	return string(a.Bytes()), string(b.Bytes())
}

// TestPage checks that docs/import.md says where each policy is read and on what that rests.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../../../docs/import.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(text)), " ")
	for _, s := range Systems() {
		for _, want := range []string{"`--from " + s.Name, s.Source} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: docs/import.md does not have %q", s.Name, want)
			}
		}
		for _, p := range s.Places {
			if !strings.Contains(page, p.Path) && !strings.Contains(p.Path, ".san/") {
				t.Errorf("%s: docs/import.md does not name %s", s.Name, p.Path)
			}
		}
	}
}

// TestMany imports a policy of many rules, each with another head: the comparison of each with each has to be cheap.
func TestMany(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "[[rule]]\ntool = \"Bash:cmd%d *\"\naction = %q\n", i, []string{"allow", "deny", "ask"}[i%3])
	}
	start := testenv.Worked()
	items, err := caliban.Import([]File{{"permissions.toml", []byte(b.String())}}, Options{Scope: rules.User})
	if err != nil || len(items) < 3000 {
		t.Fatal(len(items), err)
	}
	if took := testenv.Worked() - start; took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}
