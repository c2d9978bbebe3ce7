package gate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
)

// list is a settings file with n rules of a form, and one more after them.
func list(kind string, n int, form, last string) string {
	var b strings.Builder
	b.WriteString(`{"permissions":{"` + kind + `":[`)
	for i := range n {
		fmt.Fprintf(&b, `"`+form+`",`, i)
	}
	return b.String() + `"` + last + `"]}}`
}

// TestManyRules: the files of a project are read up to a budget; those of the user
// and the administrator bind whole.
func TestManyRules(t *testing.T) {
	const form = "Bash(tool%d run:*)"
	own := `{"permissions":{"allow":["Bash(ls:*)"],"deny":["Bash(curl:*)"]}}`
	with := func(kv ...string) map[string]string { return m(append(kv, user, own)...) }
	deferring := func(name, text string) map[string]string {
		return with(name, text, "/home/dev/.gen/permgate.json", `{"onUnmatched":"defer"}`)
	}
	blank := "{}" + strings.Repeat(" ", 1<<20-2)
	claude := gate.Flags{Host: "claude"}
	cat400, long := "cat"+strings.Repeat(" a/b", 400), strings.Repeat("some text ", 2000)
	tooMany, paths := list("deny", 20000, form, "x"), list("deny", 16000, "Read(**/[%d]*)", "Read(y)")
	runSentences(t, []sentence{
		{name: "all of them bind", payload: bash("rm a"), files: with(shared, list("deny", 19999, form, "Bash(rm:*)")), want: deny},
		{name: "and are no fault", payload: bash("ls"), files: with(shared, list("deny", 19999, form, "Bash(rm:*)")), want: allow},
		{name: "one too many is not read", payload: bash("rm a"), files: with(shared, list("deny", 20000, form, "Bash(rm:*)")), want: ask},
		{name: "those before it are", payload: bash("tool19999 run x"), files: with(shared, list("deny", 20000, form, "Bash(rm:*)")), want: deny},
		{name: "it is a fault", payload: bash("ls"), files: with(shared, tooMany), want: ask, reason: "over 20000 rules"},
		{name: "of ask rules", payload: bash("ls"), files: with(shared, list("ask", 20000, form, "x")), want: ask, reason: "over 20000 rules"},
		{name: "of allow rules", payload: bash("ls"), files: with(local, list("allow", 20000, form, "x")), want: ask, reason: "over 20000 rules"},
		{name: "of two files together", payload: bash("ls"), files: with(shared, list("deny", 12000, form, "x"), local, list("deny", 12000, form, "x")), want: ask, reason: "over 20000 rules"},
		{name: "of folders on the way", payload: bash("ls"), cwd: "/work/project/a/b", files: with("/work/project/a/.gen/settings.json", list("deny", 12000, form, "x"),
			"/work/project/a/b/.claude/settings.json", list("ask", 12000, form, "x")), want: ask, reason: "over 20000 rules"},
		{name: "of permgate.json", payload: bash("ls"), files: with("/work/project/.gen/permgate.json", `{"contentExclusion":["`+strings.Repeat(`a","`, 20000)+`b"]}`), want: ask, reason: "over 20000 rules"},
		{name: "the user's deny binds", payload: bash("curl x"), files: with(shared, tooMany), want: deny},
		{name: "the user's own are not counted", payload: bash("rm a"), files: m(user, list("deny", 25000, form, "Bash(rm:*)")), want: deny},
		{name: "nor a fault", payload: bash("ls"), files: m(user, list("deny", 22000, form, `Bash(rm:*)"],"allow":["Bash(ls)`)), want: allow},
		{name: "managed neither", payload: bash("rm a"), files: m(managed, list("deny", 25000, form, "Bash(rm:*)")), want: deny},
		{name: "directories", payload: bash("ls"), files: with(shared, `{"permissions":{"additionalDirectories":["`+strings.Repeat(`../a","`, 200)+`../b"]}}`), want: ask, reason: "over 200 additional directories"},
		{name: "a few directories", payload: bash("ls"), files: with(shared, `{"permissions":{"additionalDirectories":["`+strings.Repeat(`../a","`, 199)+`../b"]}}`), want: allow},
		{name: "bytes", payload: bash("ls"), cwd: "/work/project/a/b/c/d", files: with(shared, blank, "/work/project/a/.gen/settings.json", blank,
			"/work/project/a/b/.gen/settings.json", blank, "/work/project/a/b/c/.gen/settings.json", blank,
			"/work/project/a/b/c/d/.gen/settings.json", "{}"), want: ask, reason: "together"},
		// defer: the fault takes our allow away, and silences stay
		{name: "defer, allowed", payload: bash("ls"), files: deferring(shared, tooMany), flags: claude, want: pass},
		{name: "defer, bypass", payload: as(bash("make x"), `"permission_mode":"bypassPermissions"`), files: deferring(shared, tooMany), flags: claude, want: pass},
		{name: "defer, allowed, acceptEdits", payload: as(bash("ls"), `"permission_mode":"acceptEdits"`), files: deferring(shared, tooMany), flags: claude, want: ask},
		{name: "defer, unmatched", payload: bash("make x"), files: deferring(shared, tooMany), flags: claude, want: pass},
		{name: "defer, denied", payload: bash("curl x"), files: deferring(shared, tooMany), flags: claude, want: deny},
		// comparing them has a budget too
		{name: "too much to compare", payload: bash(cat400), files: with(shared, paths), want: ask, reason: "rule-budget"},
		{name: "too much to compare, in bypass", payload: as(bash(cat400), `"permission_mode":"bypassPermissions"`), files: deferring(shared, paths), flags: claude, want: ask, reason: "rule-budget"},
		{name: "too much to compare, but denied", payload: bash("curl x; " + cat400), files: with(shared, paths), want: deny},
		{name: "a command with a hole", payload: bash(`git commit -m "$x ` + long + `"`), files: with(shared, list("deny", 16000, "Bash(*x%d)", "Read(y)")), want: ask, reason: "rule-budget"},
		{name: "one rule of a mebibyte", payload: bash(`git commit -m "$x ` + long + `"`), files: with(shared, `{"permissions":{"deny":["Bash(`+strings.Repeat("*a", 500000)+`)"]}}`), want: ask, reason: "rule-budget"},
		{name: "a usual call under 16000 rules", payload: bash("cd web && npm test -- --watch=false 2>&1 | tail -n 40; ls"), files: m(user, `{"permissions":{"allow":["Bash(ls:*)","Bash(npm test:*)","Bash(tail:*)","Bash(cd:*)"]}}`, shared, list("deny", 16000, form, "Bash(rm:*)")), want: allow},
		{name: "a long call under a few hundred rules", payload: bash("ls" + strings.Repeat(" a/b", 400)), files: with(local, list("allow", 400, form, "Bash(x)")), want: allow},
		{name: "a long text under a few hundred rules", payload: bash("ls '" + long + "'"), files: with(local, list("deny", 400, "Bash(*x%d*)", "Bash(y)")), want: allow},
		{name: "the user's are compared without a bound", payload: bash("ls; rm a"), files: m(user, list("deny", 30000, "Bash(*x%d)", "Bash(rm:*)"), shared, list("deny", 16000, form, "Bash(y)")), want: deny},
	})
}

// TestDenialsComeFirst: what the user denies is known before the rules of a project
// are compared, and is told at once.
func TestDenialsComeFirst(t *testing.T) {
	files := fakefs.New(m(user, `{"permissions":{"deny":["Bash(curl:*)"]}}`, shared, list("deny", 19000, "Bash(*x%d*)", "Bash(wget:*)")))
	files.Mkdir("/work/project/.git")
	files.Own("/home/dev", 1000)
	files.Own("/work", 1000)
	for command, want := range map[string]int{"curl x; ls": 2, "ls": 0, "wget a": 1} { // twice: by itself, and among all
		call, err := hookio.Read(strings.NewReader(`{"cwd":"/work/project",`+bash(command)+`}`), hookio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := gate.Case(call, &gate.Flags{}, gate.World{
			Getenv: func(string) string { return "" }, Cwd: "/work/project", PasswdHome: "/home/dev", UID: 1000,
			Exe: func() (string, error) { return "/usr/local/bin/permgate", nil }, Files: files, Now: time.Time{}.Add(time.Hour), ManagedDir: []string{"/etc/gen"},
		})
		var told []decide.Verdict
		c.Denied = func(v decide.Verdict) { told = append(told, v) }
		v := decide.Decide(c)
		if len(told) != want || want > 0 && (v.Decision() != deny || told[0].Reason() == "") {
			t.Errorf("%s: told %d times, decided %v: %s", command, len(told), v.Decision(), v.Reason())
		}
	}
}

// TestObserveEveryHost takes every exchange of every host through observe mode:
// whatever would be decided, the host gets its form of no opinion, and goes on
// as it does without a hook. A managed deny reaches it all the same.
func TestObserveEveryHost(t *testing.T) {
	for _, h := range hookio.Hosts() {
		if h.Name != "generic" && len(h.Reader) == 0 {
			t.Logf("%s has no model of its reader yet", h.Name)
		}
		calls := 0
		for _, x := range h.Examples() {
			for _, rules := range []string{
				`{}`,
				`{"permissions":{"deny":["*"]}}`,
				`{"permissions":{"ask":["*"]}}`,
				`{"permissions":{"allow":["Bash","Edit","Read","mcp__*"]}}`,
			} {
				call, got := observed(t, h, &x, m(user, rules, "/home/dev/.gen/permgate.json", `{"enforce": false}`))
				if call == nil || !call.Event.Decides() {
					continue
				}
				silence := hookio.Write(nil, call, hookio.Answer{})
				if string(got) != string(silence) {
					t.Errorf("%s, %s, %s: answered %s", h.Name, x.Name, rules, got)
				}
				if len(h.Reader) == 0 {
					continue
				}
				for _, installed := range [...]bool{false, true} {
					if installed && h.Register == nil { // docs/seeds.md says that its functions make a no of it
						continue
					}
					if f, _ := h.After(call.RawEvent, hookio.EndsSilence, installed); f != hookio.FateHost && f != hookio.FateRuns &&
						(f != hookio.FatePrompts || call.Event != hookio.PermissionRequest) { // there its prompt is what comes next
						t.Errorf("%s, event %s: after no opinion the call is %v", h.Name, call.RawEvent, f)
					}
				}
			}
			call, got := observed(t, h, &x, m(managed, `{"permissions":{"deny":["*"]}}`, "/home/dev/.gen/permgate.json", `{"enforce": false}`))
			if call == nil || !call.Event.Decides() {
				continue
			}
			calls++
			if want := hookio.Write(nil, call, hookio.Answer{}); string(got) == string(want) || !strings.Contains(string(got), "managed-settings.json") {
				t.Errorf("%s, %s: a managed deny was answered by %q", h.Name, x.Name, got)
			}
		}
		if calls == 0 {
			t.Errorf("no call of %s was looked at", h.Name)
		}
	}
}

// observed answers an example as the hook would, nil where it carries no call.
func observed(t *testing.T, h *hookio.Host, x *hookio.Example, settings map[string]string) (*hookio.Call, []byte) {
	t.Helper()
	files := fakefs.New(nil)
	for _, dir := range []string{"/home/dev", "/work/project/.git"} {
		files.Mkdir(dir)
	}
	for name, text := range settings {
		files.Write(name, text)
	}
	files.Own("/home/dev", 1000)
	call, err := hookio.Read(strings.NewReader(x.In), hookio.Options{Host: h.Name, Event: string(x.Event)})
	if err != nil {
		return nil, nil
	}
	call.Cwd, call.Project = "/work/project", "" // the fake disk has no other
	c := gate.Case(call, &gate.Flags{Host: h.Name}, gate.World{
		Getenv: func(k string) string { return map[string]string{"HOME": "/home/dev"}[k] },
		Cwd:    "/work/project", PasswdHome: "/home/dev", UID: 1000, Exe: func() (string, error) { return "/usr/local/bin/permgate", nil },
		Files: files, Now: time.Time{}.Add(time.Hour), ManagedDir: []string{"/etc/gen", "/etc/san", "/etc/claude-code"},
	})
	return call, hookio.Write(nil, call, decide.Decide(c).Answer())
}
