package rules_test

import (
	"errors"
	"testing"

	"github.com/permgate--owner/permgate/rules"
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
	in := func(scope rules.Scope, root string) rules.StandIn {
		return rules.StandIn{Scope: scope, Root: root, Place: "rev:x", Data: []byte(allowing("New"))}
	}
	for name, tt := range map[string]struct {
		in   *rules.StandIns
		cwd  string
		want string
	}{
		"none":                      {nil, proj, "Local | User"},
		"a folder":                  {&rules.StandIns{Whole: true, Files: []rules.StandIn{in(rules.Shared, ".claude")}}, proj, "New | User"},
		"nothing":                   {&rules.StandIns{Whole: true}, proj, "User"},
		"local":                     {&rules.StandIns{Files: []rules.StandIn{in(rules.Local, ".claude")}}, proj, "New | User"},
		"the folder in use":         {&rules.StandIns{Files: []rules.StandIn{in(rules.Shared, "")}}, proj, "Local | New | User"},
		"user":                      {&rules.StandIns{Files: []rules.StandIn{in(rules.User, "")}}, proj, "Local | New"},
		"a project that is no more": {&rules.StandIns{Files: []rules.StandIn{in(rules.Shared, "")}}, "/gone/app", "New | User"},
	} {
		p := rules.Load(where(func(w *rules.Where) { w.Cwd, w.StandIns = tt.cwd, tt.in }), fs)
		if got := texts(p.Allow); got != tt.want {
			t.Errorf("%s: %s, want %s; %s", name, got, tt.want, dropped(p))
		}
	}
	broken := in(rules.Shared, "")
	broken.Err = errors.New("is no file in git")
	p := rules.Load(where(func(w *rules.Where) { w.StandIns = &rules.StandIns{Files: []rules.StandIn{broken}} }), fs)
	if faults(p, true) == "" {
		t.Error("a stand-in that cannot be used is no fault")
	}
}
