package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
)

// TestReadLabels: the forms of a line, and what is none.
func TestReadLabels(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"attack\trm -rf ~\nbenign\tls\n", "attack Bash rm -rf ~|benign Bash ls"},
		{"# a note\n\nattack\ta\tb\r\n", "attack Bash a\tb"},
		{"{\"label\":\"ask\",\"command\":\"a\\nb\"}", "ask Bash a\nb"},
		{`{"label":"attack","tool":"Read","input":{"file_path":"/etc/shadow"}}`, "attack Read /etc/shadow"},
		{"id\ttool\tinput\texpect\n1\tBash\t{\"command\":\"x\"}\tnot-allow\n2\tBash\t{\"command\":\"y\"}\tallow\n", "attack Bash x|benign Bash y"},
		{"\xef\xbb\xbfcommand\tlabel\nls\tbenign\n", "benign Bash ls"},
		{`{"tool_name":"Read","tool_input":{"file_path":"a"},"expect":"allow","cwd":"/w"}`, "benign Read a"},
		{"ls\n", "f:1: no label: write LABEL, a tab and the command, or"},
		{"attack\ta\n{\"command\":\"a\"}", "f:2: no label"},
		{"attack\t\n", "f:1: no command and no input"},
		{"{\"label\":", "f:1: not one JSON object"},
		{`{"label":"attack","input":[1]}`, "f:1: input is no JSON object"},
		{"Attack\trm x\n ASK \tb\nMine\tc", "attack Bash rm x|ask Bash b|Mine Bash c"},
		{"attack\t" + strings.Repeat("x", maxLine), "f: a line is over 1048576 bytes"},
		{"# nothing\n", "f: no call in it"},
	} {
		l, err := ReadLabels("f", strings.NewReader(tt.text))
		var got []string
		if err == nil {
			for _, c := range l.Calls {
				got = append(got, c.Label+" "+c.Tool+" "+c.Text)
			}
		} else {
			got = append(got, err.Error())
		}
		if text := strings.Join(got, "|"); text != tt.want && (err == nil || !strings.HasPrefix(text, tt.want)) {
			t.Errorf("%q: %q, want %q", tt.text, text, tt.want)
		}
	}
}

// TestSpell: every host is sent a shell command in its own form, with the session and folder of the job and
// nothing that names a subagent, and reads it as that command.
func TestSpell(t *testing.T) {
	text := "git status && echo \"a\tb\""
	for _, h := range hookio.Hosts() {
		payload, call := spell(h, called(Attack, "Bash", text), "/w/app", "s-1")
		if payload == nil {
			t.Errorf("%s: no payload", h.Name)
			continue
		}
		if call.Command != text || call.Host != h || call.Subagent() || call.Event != hookio.PreToolUse {
			t.Errorf("%s: read as %q of %s, subagent %v", h.Name, call.Command, call.Host.Name, call.Subagent())
		}
		if call.Mode != "" && call.Mode != "default" {
			t.Errorf("%s: mode %s", h.Name, call.Mode)
		}
		sent := string(payload)
		if !gjson.Valid(sent) || strings.Count(sent, "\n") != 1 || strings.Contains(sent, "/home/u/app") {
			t.Errorf("%s: sent %s", h.Name, sent)
		}
		if named := gjson.Get(sent, "tool_name"); named.Exists() && named.Str != call.RawTool {
			t.Errorf("%s: the tool is %s", h.Name, named.Str)
		}
	}
}

// TestSpellOthers: file tools, where the host has them in a form that examples show.
func TestSpellOthers(t *testing.T) {
	for _, tt := range []struct{ host, tool, text, want string }{
		{"claude", "Read", "/w/a", `"tool_name":"Read","tool_input":{"file_path":"/w/a"}`},
		{"claude", "WebFetch", "https://x.org/", `"tool_input":{"url":"https://x.org/"}`},
		{"gemini", "Read", "/w/a", `"tool_name":"read_file","tool_input":{"file_path":"/w/a"}`},
		{"cursor", "Read", "/w/a", `"hook_event_name":"beforeReadFile"`},
		{"copilot", "Bash", "ls", `"toolName":"bash","toolArgs":"{\"command\":\"ls\"}"`},
		{"codex", "Bash", "ls", `"tool_name":"Bash"`},
		{"goose", "Bash", "ls", `"matcher_context":"developer__shell"`},
	} {
		payload, _ := spell(hookio.Lookup(tt.host), called(Benign, tt.tool, tt.text), "/w", "s")
		if !strings.Contains(string(payload), tt.want) {
			t.Errorf("%s %s: %s, want %s", tt.host, tt.tool, payload, tt.want)
		}
	}
}

// TestSample: as many as asked for, from the whole of the list.
func TestSample(t *testing.T) {
	l := &Labels{}
	for i := range 10 {
		l.Calls = append(l.Calls, &Call{Text: fmt.Sprint(i)})
	}
	for n, want := range map[int]string{0: "0123456789", 3: "036", 5: "02468", 10: "0123456789", 50: "0123456789"} {
		var got strings.Builder
		for _, c := range l.sample(n) {
			got.WriteString(c.Text)
		}
		if got.String() != want {
			t.Errorf("%d: %s, want %s", n, got.String(), want)
		}
	}
}

// TestRun: what hooks of all kinds come to, with no hook of permgate's to compare.
func TestRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("hooks are run by sh")
	}
	labels := &Labels{Source: "here", Calls: []*Call{
		called(Benign, "Bash", "ls"), called(Attack, "Bash", "rm -rf ~"), called("other", "Bash", "x"),
	}}
	const nested = `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"%s"}}' `
	for _, tt := range []struct{ name, host, hook, counts, fails, past string }{
		{"allows", "claude", nested + "allow", "{1 0 0 0 0}", "", "rm -rf ~"},
		{"asks", "claude", nested + "ask", "{0 1 0 0 0}", "", ""},
		{"denies by JSON", "claude", nested + "deny", "{0 0 1 0 0}", "", ""},
		{"denies without the reason that is needed", "codex", nested + "deny", "{0 0 0 0 1}", "text, host decides: ", ""},
		{"denies by exit code", "claude", "echo no >&2; exit 2", "{0 0 1 0 0}", "", ""},
		{"silent", "claude", "cat >/dev/null", "{0 0 0 1 0}", "", ""},
		{"silent where that runs the call", "goose", "cat >/dev/null", "{0 0 0 1 0}", "", "rm -rf ~"},
		{"fails", "claude", "echo 'no such file' >&2; exit 1", "{0 0 0 0 1}", "exit 1, host decides: no such file", ""},
		{"garbage", "claude", "echo hello", "{0 0 0 0 1}", "text, host decides: ", ""},
		{"hangs", "claude", "sleep 60 & wait", "{0 0 0 0 1}", "time-out, host decides: ", ""},
		{"floods", "claude", "yes", "{0 0 0 0 1}", "over 1 MiB, unknown: ", ""},
		{"reads what it is sent", "claude", `case $(cat) in *'"command":"rm'*) exit 2;; esac`, "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := &Job{Context: t.Context(), Host: hookio.Lookup(tt.host), Hook: tt.hook, Labels: labels, Cwd: t.TempDir(), Session: "s",
				Environ: []string{"PATH=/usr/bin:/bin"}, Timeout: 5 * time.Second, Told: func(int) {}}
			if tt.name == "hangs" {
				j.Timeout = 200 * time.Millisecond
			}
			r, err := j.Run()
			if err != nil {
				t.Fatal(err)
			}
			if i := slices.IndexFunc(r.Results, func(x *Result) bool { return x.Label == Attack }); i != 0 || len(r.Results) != 3 {
				t.Fatalf("results: %+v", r.Results)
			}
			for _, x := range r.Results {
				if got := fmt.Sprint(x.Hook); tt.counts != "" && got != tt.counts {
					t.Errorf("%s: %s, want %s", x.Label, got, tt.counts)
				}
				if x.Own.All() != 0 {
					t.Errorf("permgate answered: %v", x.Own)
				}
			}
			var fails, past []string
			for _, f := range r.Failures {
				fails = append(fails, f.Ending+", "+f.Then+": "+f.Said)
			}
			for _, c := range r.Escaped.Hook.Some {
				past = append(past, c.Text)
			}
			if got := strings.Join(fails, "|"); got != tt.fails {
				t.Errorf("fails: %q, want %q", got, tt.fails)
			}
			if got := strings.Join(past, "|"); got != tt.past {
				t.Errorf("past it: %q, want %q", got, tt.past)
			}
			if tt.name == "hangs" && (!r.Stopped || r.Labels.Put != maxLate) {
				t.Errorf("stopped %v after %d", r.Stopped, r.Labels.Put)
			}
		})
	}
}

// TestStopped: what the hook started ends with the comparison.
func TestStopped(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("hooks are run by sh")
	}
	ctx, stop := context.WithCancel(t.Context())
	dir := t.TempDir()
	j := &Job{Context: ctx, Host: hookio.Lookup("claude"), Hook: "test -e second || { touch second; exit; }; (sleep 1; touch late) & wait",
		Labels: &Labels{Calls: []*Call{called(Benign, "Bash", "ls"), called(Benign, "Bash", "pwd")}}, Cwd: dir,
		Environ: []string{"PATH=/usr/bin:/bin"}, Timeout: time.Minute, Told: func(int) {}}
	time.AfterFunc(300*time.Millisecond, stop)
	if _, err := j.Run(); err == nil || err.Error() != "stopped by a signal after 0 calls" {
		t.Errorf("%v", err)
	}
	time.Sleep(1500 * time.Millisecond)
	if _, err := os.Stat(filepath.Join(dir, "late")); err == nil {
		t.Error("a child of the hook went on")
	}
}

// TestMissing: a hook that is not there is an error, not a gate that fails.
func TestMissing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("hooks are run by sh")
	}
	j := &Job{Context: t.Context(), Host: hookio.Lookup("claude"), Hook: "/no/such/hook", Labels: OwnLabels(), Sample: 3, Cwd: t.TempDir(),
		Environ: []string{"PATH=/usr/bin:/bin"}, Timeout: 5 * time.Second, Told: func(int) {}}
	if _, err := j.Run(); err == nil || !strings.Contains(err.Error(), "the hook cannot be started: ") {
		t.Errorf("%v", err)
	}
}

// TestOwnLabels: there are many of both kinds.
func TestOwnLabels(t *testing.T) {
	n := map[string]int{}
	for _, c := range OwnLabels().Calls {
		n[c.Label]++
	}
	if n[Attack] < 100 || n[Benign] < 100 {
		t.Errorf("%v", n)
	}
}
