package lint

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/edit"
)

// FuzzLint puts any text where a settings file lies: nothing panics, every
// finding has a place in the file and says something on one line, and what is
// mended can be read and has no more findings of what was mended.
func FuzzLint(f *testing.F) {
	for _, c := range Checks() {
		fails, passes := c.Examples()
		for _, list := range [...][]Example{fails, passes} {
			for i := range list {
				f.Add(list[i].Name(), list[i].Text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		switch name {
		case ".claude/settings.json", ".gen/settings.json", ".claude/settings.local.json", ".claude/permgate.json", "~/.claude/settings.json":
		default:
			name = ".claude/settings.json"
		}
		if len(text) > 2000 {
			t.Skip()
		}
		in := exampleInput(&Example{File: name}, text)
		lines := strings.Count(text, "\n") + 1
		for _, x := range Run(in) {
			if x.Text == "" || x.Instead == "" || x.Check == nil || x.Pos.Line > lines || x.Pos.Line < 0 {
				t.Errorf("%+v", x)
			}
			x.Source(40)
			x.marked()
		}
		mended, err := FixAll(in, func(*Finding) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		for i, file := range mended.Files {
			if file.Text == in.Files[i].Text {
				continue
			}
			if _, err := edit.Parse(file.Name, []byte(file.Text)); err != nil {
				t.Errorf("%q is mended to %q: %v", text, file.Text, err)
			}
		}
	})
}
