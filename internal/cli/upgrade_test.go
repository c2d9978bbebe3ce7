package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
)

// versions are two of Claude Code's recommended posture: the first there ever was, and one with a key more.
func versions() (first, second []hookio.Recommended) {
	first = slices.DeleteFunc(slices.Clone(hookio.Lookup("claude").Register.Posture), func(r hookio.Recommended) bool { return r.Since > 1 })
	return first, append(slices.Clone(first), hookio.Recommended{Name: "outsideReads", JSON: `"ask"`, Since: 2})
}

// offers has a version recommended until the test ends.
func offers(t *testing.T, version []hookio.Recommended) {
	r := hookio.Lookup("claude").Register
	was := r.Posture
	t.Cleanup(func() { r.Posture = was })
	r.Posture = version
}

// upgrades is a home directory in which the first version was installed for Claude Code. Its hook cannot be started, which
// install says.
func upgrades(t *testing.T) (l *logRun, posture string) {
	l = newLogRun(t, nil)
	exe := filepath.Join(l.dir, "bin", "permgate")
	writeFile(t, exe, "")
	l.e.World.Exe = func() (string, error) { return exe, nil }
	l.e.World.Cwd = filepath.Join(l.dir, "app")
	first, second := versions()
	offers(t, first)
	if out, errs, code := l.run("install", "--host", "claude", "--yes"); code != subcmd.ExitFindings {
		t.Fatal(out, errs)
	}
	posture = filepath.Join(l.e.World.PasswdHome, ".claude", "permgate.json")
	if text := l.text(posture); strings.Contains(text, "$posture") || strings.Contains(text, "outsideReads") {
		t.Fatal(text) // the first version leaves no record
	}
	offers(t, second)
	return l, posture
}

func (l *logRun) text(name string) string {
	l.t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		l.t.Fatal(err)
	}
	return string(text)
}

// replace changes a file.
func (l *logRun) replace(name, old, text string) {
	l.t.Helper()
	was := l.text(name)
	if !strings.Contains(was, old) {
		l.t.Fatalf("no %q in %s", old, was)
	}
	writeFile(l.t, name, strings.Replace(was, old, text, 1))
}

// shows runs permgate and looks for parts of what it prints; those after a ! must be missing.
func (l *logRun) shows(code int, args string, parts ...string) {
	l.t.Helper()
	out, errs, got := l.run(strings.Fields(args)...)
	if got != code {
		l.t.Errorf("%s: exit %d, want %d: %s%s", args, got, code, out, errs)
	}
	for _, part := range parts {
		part, not := strings.CutPrefix(part, "!")
		if strings.Contains(out+errs, part) == not {
			l.t.Errorf("%s: %q: found %v in\n%s%s", args, part, !not, out, errs)
		}
	}
}

const (
	newKeyLine = `posture for Claude Code: outsideReads ask ("ask": reads outside the workspace are asked about, as writes are)`
	lacksLine  = "lacks what is new in the recommended posture: outsideReads ask; fix: permgate upgrade --posture\n"
)

// TestUpgradePosture: what a later version recommends is shown with what it
// changes, and added once; what its owner wrote, changed and took out stays so.
func TestUpgradePosture(t *testing.T) {
	l, posture := upgrades(t)
	l.replace(posture, `      "secrets": "ask",`+"\n", "") // removed on purpose
	l.replace(posture, `"deny",`, `"ask", // mine`)        // changed
	before := l.text(posture)
	l.shows(subcmd.ExitFindings, "doctor --host claude", lacksLine, "!secrets")
	l.shows(subcmd.ExitOK, "upgrade --posture --dry-run", newKeyLine, "removed earlier, so not added: Claude Code: secrets ask (--all adds them)", "nothing written")
	l.shows(subcmd.ExitError, "upgrade --posture", newKeyLine, "there is no terminal to confirm on")
	if got := l.text(posture); got != before {
		t.Error("a dry run or a missing yes wrote", got)
	}
	l.shows(subcmd.ExitOK, "upgrade --posture --yes", "upgraded ~/.claude/permgate.json (backup: ")
	want := strings.Replace(before, `"expandScripts": true`, `"expandScripts": true,
      "outsideReads": "ask",
      "$posture": 2`, 1)
	if got := l.text(posture); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	l.shows(subcmd.ExitOK, "upgrade --posture --yes", "nothing to do: no recommended key is new")
	l.shows(subcmd.ExitFindings, "doctor --host claude", "ok    claude: ~/.claude/permgate.json leaves out recommended keys: secrets ask; permgate upgrade --posture --all adds them",
		"!unknown key", "!lacks")

	// taken out after it was offered: for good
	l.replace(posture, `      "outsideReads": "ask",`+"\n", "")
	removed := l.text(posture)
	l.shows(subcmd.ExitOK, "upgrade --posture --yes", "nothing to do", "removed earlier, so not added: Claude Code: secrets ask, outsideReads ask")
	l.shows(subcmd.ExitFindings, "install --host claude --yes", "already registered", "!settings in")
	l.shows(subcmd.ExitFindings, "doctor --host claude", "!lacks")
	if got := l.text(posture); got != removed {
		t.Error("it came back:", got)
	}
	l.shows(subcmd.ExitOK, "upgrade --posture --all --yes --host claude", "upgraded")
	for _, key := range []string{`"secrets": "ask"`, `"outsideReads": "ask"`, `"catastrophic": "ask", // mine`, `"$posture": 2`} {
		if got := l.text(posture); strings.Count(got, key) != 1 {
			t.Errorf("%s in %s", key, got)
		}
	}
	l.shows(subcmd.ExitOK, "uninstall --host claude --yes", "catastrophic is \"ask\" (not what install wrote)")
	if got := l.text(posture); strings.Contains(got, "$posture") || strings.Contains(got, "secrets") {
		t.Error("uninstall left", got)
	}
}

// TestUpgradeByInstall: install run again offers the same; a first one writes all
// keys and the version they are of.
func TestUpgradeByInstall(t *testing.T) {
	l, posture := upgrades(t)
	l.shows(subcmd.ExitOK, "install --host claude --dry-run", newKeyLine)
	l.shows(subcmd.ExitFindings, "install --host claude --yes", "already registered", "settings in ~/.claude/permgate.json (backup: ", "  has outsideReads \"ask\"\n")
	upgraded := l.text(posture)
	l.shows(subcmd.ExitFindings, "install --host claude --yes", "!settings in")
	l.shows(subcmd.ExitOK, "uninstall --host claude --yes --backups", "deleted ~/.claude/permgate.json")
	l.shows(subcmd.ExitFindings, "install --host claude --yes", "that a command starts\n  has outsideReads \"ask\"\n")
	if got := l.text(posture); got != upgraded {
		t.Errorf("installed afresh\n%s\nupgraded\n%s", got, upgraded)
	}
}

// TestUpgradeDeclined: a key that is there, for this program or for all, is an answer.
func TestUpgradeDeclined(t *testing.T) {
	for _, where := range []struct{ old, text string }{
		{`"expandScripts": true`, `"expandScripts": true, "outsideReads": "allow"`},
		{`"hosts"`, `"outsideReads": "allow", "hosts"`},
		{`"expandScripts": true`, `"expandScripts": true, "$posture": 3`}, // a later permgate wrote it
	} {
		t.Run(where.text, func(t *testing.T) {
			l, posture := upgrades(t)
			l.replace(posture, where.old, where.text)
			before := l.text(posture)
			l.shows(subcmd.ExitOK, "upgrade --posture --yes", "nothing to do")
			l.shows(subcmd.ExitFindings, "install --host claude --yes", "!settings in")
			l.shows(subcmd.ExitFindings, "doctor --host claude", "!lacks")
			if got := l.text(posture); got != before {
				t.Error(got)
			}
		})
	}
	// no number: as if it were not there
	l, posture := upgrades(t)
	l.replace(posture, `"expandScripts": true`, `"$posture": "2", "expandScripts": true`)
	l.shows(subcmd.ExitOK, "upgrade --posture --yes", "upgraded")
	if got := l.text(posture); !strings.Contains(got, `"$posture": 2,`) || !strings.Contains(got, "outsideReads") {
		t.Error(got)
	}
}
