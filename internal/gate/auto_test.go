package gate_test

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/auto"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// TestAutoDefaultExamples: in mode auto each entry of the built-in lists answers the
// calls of its literal, and leaves the look-alikes alone.
func TestAutoDefaultExamples(t *testing.T) {
	ids := map[string]bool{}
	for i := range auto.Defaults {
		d := &auto.Defaults[i]
		if ids[d.ID] || len(d.Hits) == 0 || len(d.Passes) == 0 || d.Doc == "" || d.Does == "" {
			t.Errorf("%s: twice, or not all of it is there", d.ID)
		}
		ids[d.ID] = true
		for _, text := range d.Hits {
			if v := autoVerdict(t, text, nil); !speaks(v, d) {
				t.Errorf("%s: %s: not matched: %v, %s", d.ID, text, v.Decision(), v.Reason())
			}
		}
		for _, text := range d.Passes {
			if v := autoVerdict(t, text, nil); speaks(v, d) {
				t.Errorf("%s: %s: matched: %s", d.ID, text, v.Reason())
			}
		}
		for _, text := range slices.Concat(d.Hits, d.Passes) { // neither in another mode nor where the list is replaced
			own := m(user, `{"autoMode":{"hard_deny":[],"soft_deny":[],"allow":[]}}`)
			if v := autoVerdict(t, text, own); speaks(v, d) || v.Why().Judged != nil && v.Why().Judged.Source == say.ByList {
				t.Errorf("%s: %s: matched although the list is replaced: %s", d.ID, text, v.Reason())
			}
			s := sentence{payload: examplePayload(text, "acceptEdits")}
			if _, v, _ := s.answer(t); speaks(v, d) || v.Why().Judged != nil {
				t.Errorf("%s: %s: matched in another mode: %s", d.ID, text, v.Reason())
			}
		}
	}
}

// speaks reports whether an entry is why a call is answered as it is. What step 2
// asks about anyway is asked about there.
func speaks(v decide.Verdict, d *auto.Default) bool {
	if v.Step() == "2" && d.List == rules.AutoSoftDeny {
		return !strings.Contains(v.Reason(), "built-in")
	}
	want := [...]hookio.Decision{deny, ask, allow}[d.List]
	return v.Decision() == want && strings.Contains(v.Reason(), "built-in "+d.ID+" of ") &&
		v.Why().Judged != nil && v.Why().Judged.ID == d.ID && v.Why().Judged.Source == say.ByList
}

func autoVerdict(t *testing.T, text string, files map[string]string) decide.Verdict {
	t.Helper()
	s := sentence{payload: examplePayload(text, "auto"), files: files}
	_, v, _ := s.answer(t)
	return v
}

// examplePayload makes a payload of "TOOL REST".
func examplePayload(text, mode string) string {
	name, rest, _ := strings.Cut(text, " ")
	if !strings.HasPrefix(rest, "{") {
		in, _ := json.Marshal(map[string]string{gate.Primary(name): rest})
		rest = string(in)
	}
	return as(tool(name, rest), `"permission_mode":"`+mode+`"`)
}

// TestAutoDefaultsInForce: where the built-in lists apply, and what they may not undo.
func TestAutoDefaultsInForce(t *testing.T) {
	const pg, claude = "/home/dev/.gen/permgate.json", "/home/dev/.claude/settings.json"
	in := func(command string) string { return as(bash(command), `"permission_mode":"auto"`) }
	set := func(list, entries string) string {
		return `{"autoMode":{"` + list + `":` + entries + `},"permissions":{"allow":["Bash"]}}`
	}
	beside := gate.Flags{Host: "claude"}
	deferred := `{"onUnmatched":"defer"}`
	practical := `{"destructive":"practical"}`
	env := m("PERMGATE_DISABLE_AUTO_MODE", "1")
	temp := func(files *fakefs.FS) {
		files.Own("/tmp/x", 1000)
		files.File("/tmp").Mode |= fs.ModeSticky | 0o777
	}
	built := "built-in sudo of autoMode.hard_deny"
	runSentences(t, []sentence{
		{name: "nothing written", payload: in("sudo id"), want: deny, reason: built + ": no rules are set in autoMode.hard_deny"},
		{name: "spliced", payload: in("sudo id"), files: m(user, set("hard_deny", `["$defaults","Bash(x:*)"]`)), want: deny, reason: user + ":1:27"},
		{name: "spliced, own rule", payload: in("x y"), files: m(user, set("hard_deny", `["$defaults","Bash(x:*)"]`)), want: deny, reason: "autoMode.hard_deny Bash(x:*)"},
		{name: "spliced by name", payload: in("sudo id"), files: m(user, set("hard_deny", `["$defaults.hard_deny"]`)), want: deny, reason: built},
		{name: "replaced", payload: in("sudo id"), files: m(user, set("hard_deny", `["Bash(x:*)"]`)), want: allow},
		{name: "replaced by nothing", payload: in("sudo id"), files: m(user, set("hard_deny", `[]`)), want: allow},
		{name: "a shared file replaces nothing", payload: in("sudo id"), files: m(shared, set("hard_deny", `[]`)), want: deny, reason: built},
		{name: "sentences replace nothing", payload: in("sudo id"), files: m(claude, set("hard_deny", `["Never push to main"]`)), want: deny, reason: built},
		{name: "beside a classifier", payload: in("sudo id"), files: m(pg, deferred, user, set("allow", `[]`)), flags: beside, want: allow},
		{name: "beside a classifier, no rule", payload: in("sudo id"), files: m(pg, deferred), flags: beside, want: pass},
		{name: "beside a classifier, soft", payload: in("cat .env"), files: m(pg, deferred), flags: beside, want: pass},
		{name: "beside a classifier, spliced", payload: in("sudo id"), files: m(pg, deferred, user, set("hard_deny", `["$defaults"]`)), flags: beside, want: deny, reason: built},
		{name: "beside a classifier, spliced in its file", payload: in("sudo id"), files: m(pg, deferred, claude, set("hard_deny", `["$defaults"]`)), flags: beside, want: deny, reason: built},
		{name: "beside a classifier, its own $defaults", payload: in("sudo id"), files: m(pg, deferred, claude, set("hard_deny", `["$defaults","Never push to main"]`)), flags: beside, want: pass},
		{name: "a classifier, no defer", payload: in("sudo id"), flags: beside, want: deny, reason: built},
		{name: "soft", payload: in("cat .env"), files: m(user, set("hard_deny", `[]`)), want: ask, reason: "built-in secret-path of autoMode.soft_deny"},
		{name: "soft, an exact rule names it", payload: in("cat .env"), files: m(user, `{"permissions":{"allow":["Bash(cat .env)"]}}`), want: allow},
		{name: "soft, in a chain", payload: in("ls && rimraf src"), files: m(user, set("hard_deny", `[]`)), want: ask, reason: "built-in recursive-delete"},
		{name: "soft, what practical lets go", payload: in("rm -r /tmp/x"), files: m(pg, practical, user, set("hard_deny", `[]`), "/tmp/x/a", ""), arrange: temp, want: allow},
		{name: "soft, rsync to what practical lets go", payload: in("rsync -a --delete src/ /tmp/x/"), files: m(pg, practical, user, set("hard_deny", `[]`), "/tmp/x/a", ""), arrange: temp, want: allow},
		{name: "soft, headless", payload: in("cat .env"), flags: gate.Flags{Headless: true}, want: deny, reason: "built-in secret-path"},
		{name: "an allow that is not there without", payload: as(tool("TodoWrite", `{}`), `"permission_mode":"auto"`), files: m(user, set("allow", `[]`)), want: ask},
		{name: "locked by env", payload: in("sudo id"), files: m(user, set("allow", `[]`)), env: env, want: deny, reason: built},
		{name: "locked by env, soft", payload: in("cat .env"), files: m(user, set("allow", `[]`)), env: env, want: ask, reason: "built-in secret-path"},
		{name: "locked by env, replaced", payload: in("sudo id"), files: m(user, set("hard_deny", `[]`)), env: env, want: allow},
		{name: "locked by env, no allow", payload: as(tool("TodoWrite", `{}`), `"permission_mode":"auto"`), env: env, want: ask},
		{name: "locked by a setting", payload: in("sudo id"), files: m(user, `{"disableAutoMode":true,"permissions":{"allow":["Bash"]}}`), want: deny, reason: built},
		{name: "locked by a setting, soft", payload: in("cat .env"), files: m(user, `{"disableAutoMode":true,"permissions":{"allow":["Bash"]}}`), want: ask, reason: "built-in secret-path"},
		{name: "locked beside a classifier", payload: in("sudo id"), files: m(pg, deferred, user, `{"disableAutoMode":true}`), flags: beside, want: ask},
		{name: "managed, while only observing", payload: in("sudo id"), files: m(pg, `{"enforce":false}`, managed, set("hard_deny", `["$defaults"]`)), want: deny, reason: built},
		{name: "the user's, while only observing", payload: in("sudo id"), files: m(pg, `{"enforce":false}`, user, set("hard_deny", `["$defaults"]`)), want: pass},
	})
}
