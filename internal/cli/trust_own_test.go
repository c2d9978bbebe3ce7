package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
)

// newTrustEnv is a command line in a project below a home that requires trust.
func newTrustEnv(t *testing.T) (*subcmd.Env, *bytes.Buffer, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, app := filepath.Join(dir, "home"), filepath.Join(dir, "home", "app")
	writeFile(t, filepath.Join(app, ".git", "HEAD"), "")
	writeFile(t, filepath.Join(home, ".gen", "permgate.json"), `{"projectTrust": "require"}`)
	var errs bytes.Buffer
	e := &subcmd.Env{Out: new(bytes.Buffer), Err: &errs, Cmd: "permgate rules add", World: worldOf(home, app)}
	return e, &errs, filepath.Join(app, ".gen", "settings.json")
}

// add is what a command does that adds a rule to a file.
func add(e *subcmd.Env, name, list, rule string) (bool, int) {
	return e.Write(&subcmd.WriteOptions{Yes: true}, func() ([]*subcmd.Change, error) {
		ch, doc, err := subcmd.ReadForChange(e, name)
		if err != nil {
			return nil, err
		}
		if _, err := doc.AddRule(list, rule); err != nil {
			return nil, err
		}
		ch.Text = doc.Bytes()
		return []*subcmd.Change{ch}, nil
	})
}

// TestOwnWritesAreTrusted: what permgate wrote is trusted by itself, and nothing
// else that the file holds.
func TestOwnWritesAreTrusted(t *testing.T) {
	const granting, denying = `{"permissions": {"allow": ["Bash(curl:*)"]}}`, `{"permissions": {"deny": ["Bash(rm:*)"]}}`
	for _, c := range []struct {
		name, before string
		trusted      bool // before
		list         string
		state, says  string
	}{
		{name: "new file", list: "allow", state: subcmd.StateTrusted},
		{name: "only restrictions stood there", before: denying, list: "allow", state: subcmd.StateTrusted},
		{name: "trusted", before: granting, trusted: true, list: "allow", state: subcmd.StateTrusted},
		{name: "trusted, a deny is added", before: granting, trusted: true, list: "deny", state: subcmd.StateTrusted},
		{name: "a grant nobody trusted", before: granting, list: "allow", state: subcmd.StateChanged, says: "also contains 1 grant that was not trusted, so it does not count\n  hint: permgate trust shows and records it"},
		{name: "a grant nobody trusted, a deny is added", before: granting, list: "deny", state: subcmd.StateUntrusted},
		{name: "nothing granted", before: denying, list: "deny", state: subcmd.StateNotNeeded},
	} {
		e, errs, name := newTrustEnv(t)
		if c.before != "" {
			writeFile(t, name, c.before)
		}
		if c.trusted {
			if k := e.GrantDiff(""); recordTrust(k, e, k.Entries, "") != subcmd.ExitOK {
				t.Fatalf("%s: %s", c.name, errs)
			}
		}
		if done, code := add(e, name, c.list, "Bash(make:*)"); !done || code != subcmd.ExitOK {
			t.Errorf("%s: %v %d: %s", c.name, done, code, errs)
		}
		if got := e.GrantDiff("").Find(name).State(); got != c.state {
			t.Errorf("%s: the file is %s, want %s", c.name, got, c.state)
		}
		if !strings.Contains(errs.String(), c.says) || c.says == "" && errs.Len() > 0 {
			t.Errorf("%s: it says %q, want %q", c.name, errs, c.says)
		}
	}
}

// TestTrustWhatWasShown: a file that changed after it was shown is not trusted,
// and neither is the name when it leads elsewhere by then.
func TestTrustWhatWasShown(t *testing.T) {
	const text = `{"permissions": {"allow": ["Bash(make:*)"]}}`
	for what, swap := range map[string]func(t *testing.T, name string){
		"text": func(t *testing.T, name string) { writeFile(t, name, strings.Replace(text, "make", "curl", 1)) },
		"gone": func(t *testing.T, name string) { os.Remove(name) },
		"link": func(t *testing.T, name string) {
			other := filepath.Join(filepath.Dir(name), "other.json")
			os.Rename(name, other)
			if err := os.Symlink(other, name); err != nil {
				t.Skip(err)
			}
		},
		"folder": func(t *testing.T, name string) {
			dir := filepath.Dir(name)
			os.Rename(dir, dir+"-was")
			if err := os.Symlink(dir+"-was", dir); err != nil {
				t.Skip(err)
			}
		},
	} {
		e, errs, name := newTrustEnv(t)
		writeFile(t, name, text)
		k := e.GrantDiff("")
		swap(t, name)
		if code := recordTrust(k, e, k.Entries, ""); code != subcmd.ExitError || !strings.Contains(errs.String(), "changed meanwhile; nothing was recorded") {
			t.Errorf("%s: %d: %s", what, code, errs)
		}
		if all, err := k.Store.All(); len(all) > 0 || err != nil {
			t.Errorf("%s: recorded %v, %v", what, all, err)
		}
	}
}

// TestOwnWriteRaces: a change made from a text that is not there any more is not written.
func TestOwnWriteRaces(t *testing.T) {
	e, _, name := newTrustEnv(t)
	ch, err := subcmd.LoadText(name)
	if err != nil {
		t.Fatal(err)
	}
	ch.Text = []byte(`{"permissions": {"allow": ["Bash(make:*)"]}}`)
	writeFile(t, name, `{"permissions": {"allow": ["Bash(curl:*)"]}}`)
	if err := e.Replace(ch); err == nil || !strings.Contains(err.Error(), edit.ErrChanged.Error()) {
		t.Errorf("%v", err)
	}
	if got := e.GrantDiff("").Find(name).State(); got != subcmd.StateUntrusted {
		t.Errorf("it is %s", got)
	}
}
