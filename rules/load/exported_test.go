package load_test

import (
	"errors"
	"testing"

	"github.com/permgate--owner/permgate/rules/load"
)

// TestExported has rules in settings files that permgate export wrote there: they grant nothing, and a silence
// about what they cover is none.
func TestExported(t *testing.T) {
	const list = `{"files": {"/home/u/.claude/settings.json": {"allow": ["Bash(a)", "Bash(b)"], "deny": ["Bash(d)"]},
		"/home/u/proj/.claude/settings.local.json": {"allow": ["Bash(c)"]}}}`
	files := func(exported string) map[string]string {
		return map[string]string{
			home + "/.claude/settings.json":       `{"permissions": {"allow": ["Bash(a)", "Bash(own)"], "deny": ["Bash(d)"]}}`,
			home + "/.gen/settings.json":          `{"permissions": {"allow": ["Bash(a)"]}}`,
			proj + "/.claude/settings.json":       `{"permissions": {"allow": ["Bash(b)"]}}`,
			proj + "/.claude/settings.local.json": `{"permissions": {"allow": ["Bash(c)", "Bash(a)"]}}`,
			home + "/.claude/" + load.Exported:    exported,
		}
	}
	p := load.Load(where(), tree(files(list)))
	check(t, "allow", texts(p.Allow), "Bash(a) | Bash(b) | Bash(a) | Bash(own)")
	check(t, "untrusted", texts(p.Untrusted), "Bash(c) | Bash(a)")
	check(t, "deny", texts(p.Deny), "Bash(d)")
	check(t, "faults", faults(p, true), "")
	check(t, "dropped", dropped(p), "") // the rules they were made of count, or permgate doctor says that they do not

	fs := tree(files(list))
	fs.Link("/home/u/link", proj)
	p = load.Load(where(func(w *load.Where) { w.Cwd, w.Project = "/home/u/link", "/home/u/link" }), fs)
	check(t, "through a link", texts(p.Untrusted), "Bash(c) | Bash(c) | Bash(a)") // the folder is read by both names

	for _, bad := range []string{`{"files": [`, `{"files": ["Bash(a)"]}`, `{"files": {"/home/u/.claude/settings.json": ["Bash(a)"]}}`,
		`{"files": {"/home/u/.claude/settings.json": {"allow": [1]}}}`, `{"version": 2}`, ``, `[]`} {
		if p := load.Load(where(), tree(files(bad))); faults(p, true) == "" {
			t.Errorf("%s: no fault", bad)
		}
	}
	fs = tree(files(list))
	fs.Write(home+"/.claude/"+load.Exported, "").Err = errors.New("input/output error")
	if faults(load.Load(where(), fs), true) == "" {
		t.Error("it cannot be read, and that is no fault")
	}
}
