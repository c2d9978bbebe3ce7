package prove

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// TestSettings: what else than rules differs, and which setting is named.
func TestSettings(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	for _, r := range []struct {
		name    string
		change  func(now, was *rules.Policy)
		verdict Verdict
		rule    string // of a finding or of what is open
	}{
		{"mode", func(now, _ *rules.Policy) { now.Mode.Value = "acceptEdits" }, Fails, "defaultMode"},
		{"stricter mode", func(now, _ *rules.Policy) { now.Mode.Value = "dontAsk" }, Holds, ""},
		{"bypass", func(now, _ *rules.Policy) { now.Mode.Value = "bypassPermissions" }, Fails, "defaultMode"},
		{"defer", func(now, _ *rules.Policy) { now.Posture.OnUnmatched.Value = "defer" }, Fails, "onUnmatched"},
		{"read only", func(now, _ *rules.Policy) { now.Posture.ReadOnlyCommands.Value = "allow" }, Fails, "readOnlyCommands"},
		{"catastrophic", func(_, was *rules.Policy) { was.Posture.Catastrophic.Value = "deny" }, Fails, "catastrophic"},
		{"outside reads", func(_, was *rules.Policy) { was.Posture.OutsideReads.Value = "ask" }, Fails, "outsideReads"},
		{"fence", func(_, was *rules.Policy) { was.FenceWrite.Value = "true" }, Fails, "blockWritesOutsideWorkingDirectories"},
		{"fence added", func(now, _ *rules.Policy) { now.FenceWrite.Value = "true" }, Holds, ""},
		{"scripts", func(_, was *rules.Policy) { was.Posture.ExpandScripts.Value = "true" }, Unknown, "expandScripts"},
		{"classifier", func(now, _ *rules.Policy) { now.Posture.Classifier.Value = "x" }, Unknown, "classifier"},
		{"folder", func(now, was *rules.Policy) {
			now.Dirs = dirsOf("/srv")
			add(now, "Edit", rules.Allow, rules.User, false)
			add(was, "Edit", rules.Allow, rules.User, false)
		}, Fails, "additionalDirectories"},
		{"folder without a rule", func(now, _ *rules.Policy) { now.Dirs = dirsOf("/srv") }, Holds, ""},
		{"folder of the project", func(now, _ *rules.Policy) {
			now.Mode.Value, now.Dirs = "bypassPermissions", dirsOf("/b/src")
		}, Fails, "defaultMode"},
		{"folder in one that is there", func(now, was *rules.Policy) {
			now.Dirs, was.Dirs = dirsOf("/srv", "/srv/a", "/b/src"), dirsOf("/srv")
			add(now, "Bash", rules.Allow, rules.User, false)
			add(was, "Bash", rules.Allow, rules.User, false)
		}, Holds, ""},
		{"folder with allowed names", func(now, was *rules.Policy) {
			now.Dirs = dirsOf("/srv")
			add(now, "Edit(*.md)", rules.Allow, rules.User, false)
			add(was, "Edit(*.md)", rules.Allow, rules.User, false)
		}, Holds, ""},
		{"folder with edits allowed below all", func(now, was *rules.Policy) {
			now.Dirs = dirsOf("/srv")
			add(now, "Edit(//*/a/*.md)", rules.Allow, rules.User, false)
			add(was, "Edit(/../*/a/*.md)", rules.Allow, rules.User, false)
		}, Fails, "additionalDirectories"},
		{"folder that is fenced off", func(now, was *rules.Policy) {
			now.Dirs, now.FenceRead.Value, was.FenceRead.Value = dirsOf("/srv"), "true", "true"
		}, Fails, "additionalDirectories"},
		{"folder under denied commands", func(now, was *rules.Policy) {
			now.Dirs, now.FenceRead.Value, was.FenceRead.Value = dirsOf("/srv"), "true", "true"
			for _, tool := range []string{"Bash", "PowerShell", "Monitor", "Read", "Edit"} {
				add(now, tool, rules.Deny, rules.User, false)
				add(was, tool, rules.Deny, rules.User, false)
			}
		}, Holds, ""},
		{"folder that commands may use", func(now, was *rules.Policy) {
			now.Dirs = dirsOf("/srv")
			add(now, "Bash(curl *)", rules.Allow, rules.User, false)
			add(was, "Bash(curl *)", rules.Allow, rules.User, false)
		}, Fails, "additionalDirectories"},
		{"folder of the system", func(now, was *rules.Policy) {
			now.Dirs, now.Mode.Value, was.Mode.Value = dirsOf("/usr"), "dontAsk", "dontAsk"
		}, Holds, ""},
		{"folder of the system under bypass", func(now, was *rules.Policy) {
			now.Dirs, now.Mode.Value, was.Mode.Value = dirsOf("/usr"), "bypassPermissions", "bypassPermissions"
		}, Fails, "additionalDirectories"},
		{"addresses", func(now, was *rules.Policy) {
			was.Posture.URLsSet = rules.Setting{Value: "true", Pos: rules.Pos{File: "/b/permgate.json", Line: 1, Col: 1}}
		}, Fails, "urls.allow"},
	} {
		t.Run(r.name, func(t *testing.T) {
			now, was := policyOf("default"), policyOf("default")
			r.change(now, was)
			report, err := (&Job{Flags: &gate.Flags{}}).compare(w.side(now), w.side(was))
			if err != nil {
				t.Fatal(err)
			}
			named := r.rule == ""
			for _, f := range report.Findings {
				named = named || f.Rule == r.rule
			}
			for _, o := range report.Open {
				named = named || o.Rule == r.rule
			}
			if report.Verdict != r.verdict || !named {
				t.Errorf("got %d: %s %+v", report.Verdict, findings(report), report)
			}
		})
	}
}

func dirsOf(paths ...string) (out []rules.Dir) {
	for _, path := range paths {
		out = append(out, rules.Dir{Path: rules.Path{Given: path, Real: path}})
	}
	return out
}
