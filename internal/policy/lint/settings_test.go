package lint

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/test/golden"
	"github.com/permgate--owner/permgate/rules"
)

// written reads a folder of testdata as an example. settings.json,
// settings.local.json and permgate.json are in .claude of the project, those in
// user/ in .claude of the user, other files in the project. expect.txt holds the
// findings, and @tracked or @folder NAME.
func written(t *testing.T, dir string) (x *Example, expect []string) {
	t.Helper()
	x = &Example{}
	var files []Other
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		name, _ = filepath.Rel(dir, name)
		switch name = filepath.ToSlash(name); {
		case name == "expect.txt":
			for line := range strings.Lines(string(text)) {
				switch line = strings.TrimSpace(line); {
				case line == "@tracked":
					x.Tracked = true
				case strings.HasPrefix(line, "@folder "):
					files = append(files, Other{Name: strings.TrimPrefix(line, "@folder ") + "/"})
				case line != "":
					expect = append(expect, line)
				}
			}
			return nil
		case strings.HasPrefix(name, "user/"):
			name = "~/.claude/" + strings.TrimPrefix(name, "user/")
		case name == "settings.json" || name == "settings.local.json" || name == "permgate.json":
			name = ".claude/" + name
		}
		files = append(files, Other{Name: name, Text: string(text)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(files, func(o Other) bool { return settingsName(o.Name) })
	if i < 0 {
		t.Fatal("no settings")
	}
	x.File, x.Text = files[i].Name, files[i].Text
	x.Beside = slices.Delete(files, i, i+1)
	return x, expect
}

// TestSettings: of settings files as people write them every planted mistake
// is found and nothing else, and nothing in those without; what findings show
// to be let through is, and is not after the fix.
func TestSettings(t *testing.T) {
	for _, kind := range [...]string{"flawed", "clean"} {
		dirs, err := filepath.Glob("testdata/" + kind + "/*")
		if err != nil || len(dirs) < 10 || kind == "flawed" && len(dirs) < 20 {
			t.Fatal(kind, len(dirs), err)
		}
		for _, dir := range dirs {
			t.Run(kind+"/"+filepath.Base(dir), func(t *testing.T) {
				x, want := written(t, dir)
				in := exampleInput(x, x.Text)
				var got []string
				for _, f := range Run(in) {
					got = append(got, fmt.Sprintf("%s:%d %s", filepath.Base(f.Pos.File), f.Pos.Line, f.Check.ID))
					t.Logf("%s %s | %s | %s", got[len(got)-1], f.Text, f.Exploit, f.Instead)
				}
				if kind == "flawed" && golden.Update() {
					rewrite(t, filepath.Join(dir, "expect.txt"), got)
				}
				for _, line := range got {
					if !slices.Contains(want, line) {
						t.Error("not expected:", line)
					}
				}
				for _, line := range want {
					if !slices.Contains(got, line) {
						t.Error("not found:", line)
					}
				}
				if kind == "flawed" && len(want) == 0 || len(got) != len(want) {
					t.Errorf("%d findings, want %d", len(got), len(want))
				}
				proveAll(t, in)
				mend(t, in, x)
			})
		}
	}
}

// rewrite writes a new expect.txt and keeps what is not a finding.
func rewrite(t *testing.T, name string, found []string) {
	old, _ := os.ReadFile(name)
	var out strings.Builder
	for line := range strings.Lines(string(old)) {
		if strings.HasPrefix(line, "@") {
			out.WriteString(line)
		}
	}
	for _, line := range found {
		out.WriteString(line + "\n")
	}
	if err := os.WriteFile(name, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// mended is an example after every rule that lets too much through was
// replaced by what its finding says, in the texts of the files.
func mended(t *testing.T, in *Input, x Example) *Example {
	t.Helper()
	change := func(name, text string) string {
		at := exampleFile(&Example{File: name})
		doc, err := edit.Parse(at, []byte(text))
		if err != nil {
			return text
		}
		for _, o := range in.openings() {
			if o.Rule.Pos.File != at {
				continue
			}
			if len(o.Deny) == 0 {
				if n, err := doc.RemoveRule("allow", o.Rule.Text); err != nil || n == 0 {
					t.Fatalf("%s: %d, %v", o.Rule.Text, n, err)
				}
			}
			for list, texts := range map[string][]string{"allow": o.Narrow, "deny": o.Deny} {
				for _, rule := range texts {
					if _, err := doc.AddRule(list, rule); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		return string(doc.Bytes())
	}
	x.Text = change(x.File, x.Text)
	x.Beside = slices.Clone(x.Beside)
	for i, o := range x.Beside {
		if settingsName(o.Name) {
			x.Beside[i].Text = change(o.Name, o.Text)
		}
	}
	return &x
}

// mend checks that nothing is let through after what the findings propose was
// written, that the calls shown ask or are denied then, and that no other kind
// of finding came of it.
func mend(t *testing.T, in *Input, x *Example) {
	t.Helper()
	y := mended(t, in, *x)
	after := exampleInput(y, y.Text)
	for _, o := range in.openings() {
		if v, err := after.Decide(o.Tool, o.Exploit); err != nil || v.Decision() == hookio.Allow && o.Kind != anyDomain {
			t.Errorf("%s is still allowed: %v %s", o.Exploit, err, v.Reason())
		}
		for _, text := range o.Narrow {
			r, _ := rules.ParseRule(text, rules.Allow, o.Rule.Scope, o.Rule.Pos, o.Rule.Claude)
			if v, err := after.Decide(sampleOf(&r)); err != nil || v.Decision() != hookio.Allow {
				t.Errorf("%s is proposed and allows nothing: %v %s", text, err, v.Reason())
			}
		}
	}
	for _, o := range after.openings() {
		t.Errorf("after the fix %s lets through %s", o.Rule.Text, o.Exploit)
	}
}
