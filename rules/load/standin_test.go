package load_test

import (
	"errors"
	"testing"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// allowing is a settings file with one allow rule.
func allowing(rule string) string { return `{"permissions": {"allow": ["` + rule + `"]}}` }

// TestStandIns: settings to try out are read in place of a project's, in whatever
// project, trusted, and the other files are left as they are.
func TestStandIns(t *testing.T) {
	fs := tree(map[string]string{
		home + "/.claude/settings.json":       allowing("User"),
		home + "/.claude/permgate.json":       `{"projectTrust": "require"}`,
		proj + "/.claude/settings.json":       allowing("Shared"),
		proj + "/.claude/settings.local.json": allowing("Local"),
		proj + "/.gen/settings.json":          allowing("Gen"),
	})
	fs.Own(home, user)
	in := func(scope rules.Scope, root string) load.StandIn {
		return load.StandIn{Scope: scope, Root: root, Place: "rev:x", Data: []byte(allowing("New"))}
	}
	for name, tt := range map[string]struct {
		in   *load.StandIns
		cwd  string
		want string
	}{
		"none":                      {nil, proj, "Local | User"},
		"a folder":                  {&load.StandIns{Whole: true, Files: []load.StandIn{in(rules.Shared, ".claude")}}, proj, "New | User"},
		"nothing":                   {&load.StandIns{Whole: true}, proj, "User"},
		"local":                     {&load.StandIns{Files: []load.StandIn{in(rules.Local, ".claude")}}, proj, "New | User"},
		"the folder in use":         {&load.StandIns{Files: []load.StandIn{in(rules.Shared, "")}}, proj, "Local | New | User"},
		"user":                      {&load.StandIns{Files: []load.StandIn{in(rules.User, "")}}, proj, "Local | New"},
		"a project that is no more": {&load.StandIns{Files: []load.StandIn{in(rules.Shared, "")}}, "/gone/app", "New | User"},
	} {
		p := load.Load(where(func(w *load.Where) { w.Cwd, w.StandIns = tt.cwd, tt.in }), fs)
		if got := texts(p.Allow); got != tt.want {
			t.Errorf("%s: %s, want %s; %s", name, got, tt.want, dropped(p))
		}
	}
	broken := in(rules.Shared, "")
	broken.Err = errors.New("is no file in git")
	p := load.Load(where(func(w *load.Where) { w.StandIns = &load.StandIns{Files: []load.StandIn{broken}} }), fs)
	if faults(p, true) == "" {
		t.Error("a stand-in that cannot be used is no fault")
	}
}
