package bench

import (
	"bytes"
	"context"
	"crypto/sha1"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/hookio"
)

// TestLabels: the forms of a line, and what is not one.
func TestLabels(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"attack\trm -rf ~\nbenign\tls\n", "harmful Bash rm -rf ~|harmless Bash ls"},
		{"# a note\n\nattack\ta\tb\r\n", "harmful Bash a\tb"},
		{"{\"label\":\"ask\",\"command\":\"a\\nb\"}", "harmful Bash a\nb"},
		{`{"label":"attack","tool":"Read","input":{"file_path":"/etc/shadow"}}`, "harmful Read /etc/shadow"},
		{"id\ttool\tinput\texpect\n1\tBash\t{\"command\":\"x\"}\tnot-allow\n2\tBash\t{\"command\":\"y\"}\tallow\n", "harmful Bash x|harmless Bash y"},
		{"deny\tx\nallow\ty\nnot-allow\tz", "harmful Bash x|harmless Bash y|harmful Bash z"},
		{"\xef\xbb\xbfcommand\tlabel\nls\tbenign\n", "harmless Bash ls"},
		{"# said first\ncommand\tlabel\nls\tbenign\n", "harmless Bash ls"},
		{`{"tool_name":"Read","tool_input":{"file_path":"a"},"expect":"allow","cwd":"/w"}`, "harmless Read a"},
		{"ls\n", "f:1: no label: write LABEL, a tab and the command, or"},
		{"attack\ta\n{\"command\":\"a\"}", "f:2: no label"},
		{"attack\t\nattack\ta", "harmful Bash a"},
		{"attack\t\n", "f: no call in it"},
		{"{\"label\":", "f:1: not one JSON object"},
		{`{"label":"attack","input":[1]}`, "f:1: input is no JSON object"},
		{"Attack\trm x\n ASK \tb\nMine\tc", "harmful Bash rm x|harmful Bash b|Mine Bash c"},
		{"attack\t" + strings.Repeat("x", maxLine), "f: a line is over 1048576 bytes"},
		{"# nothing\n", "f: no call in it"},
		{"label\tfiles\tcommand\nask\t../x\tls", "f:2: ../x leads out of the project"},
		{"label\tfiles\tcommand\nask\t/etc/x=1\tls", "f:2: /etc/x leads out of the project"},
		{"label\tfiles\tcommand\nask\t.git/config=[core]fsmonitor=x\tls", "f:2: .git/config=[core]fsmonitor=x: a row has no files in a .git"},
		{"label\tfiles\tcommand\nask\ta/.GIT/hooks/x\tls", "f:2: a/.GIT/hooks/x: a row has no files in a .git"},
		{"label\tfiles\tcommand\nask\t~/.gitconfig=[core]fsmonitor=x\tls", "f:2: ~/.gitconfig=[core]fsmonitor=x: a row has no files in a .git"},
		{"label\tfiles\tcommand\nask\ta .git/ b/.git/ ~/x .github/y=1\tls", "harmful Bash ls"},
		{"label\tfiles\tcommand\nask\t~/../x\tls", "f:2: ../x leads out of the project"},
		{"label\tcwd\tcommand\nask\t../..\tls", "f:2: ../.. leads out of the project"},
		{"label\tcwd\tcommand\nask\t~/../..\tls", "f:2: ../.. leads out of the project"},
		{"label\tcwd\tcommand\nask\t/srv/x\tls\nask\t~\tls\nask\t~/a\tls\nask\ta/b\tls", "harmful Bash ls|harmful Bash ls|harmful Bash ls|harmful Bash ls"},
	} {
		var l Labels
		var got []string
		err := l.Add("f", strings.NewReader(tt.text))
		if err == nil {
			for _, c := range l.Calls {
				got = append(got, c.Kind+" "+c.Tool+" "+c.Text)
			}
		} else {
			got = append(got, err.Error())
		}
		if text := strings.Join(got, "|"); text != tt.want && (err == nil || !strings.HasPrefix(text, tt.want)) {
			t.Errorf("%q: %q, want %q", tt.text, text, tt.want)
		}
	}
}

// TestSource: what is said of a file.
func TestSource(t *testing.T) {
	var l Labels
	text := "# version: 1.0\nattack\ta\nattack\t\n# version: 2.0\nallow\tb\n"
	if err := l.Add("f", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if err := l.Add("g", strings.NewReader("allow\tb")); err != nil {
		t.Fatal(err)
	}
	s := l.Sources[0]
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
	if s.Version != "1.0" || s.Hash != fmt.Sprintf("%x", sum) || s.Calls != 2 || !slices.Equal(s.Empty, []int{3}) {
		t.Errorf("%+v", s)
	}
	if len(l.Calls) != 3 || l.Calls[1].Line != 5 || l.Sources[1].Calls != 1 {
		t.Errorf("%+v", l)
	}
}

// TestSpell: every host is sent a shell command in its own form, with the session and folder of the job and
// nothing that names a subagent, and reads it as that command.
func TestSpell(t *testing.T) {
	text := "git status && echo \"a\tb\""
	for _, h := range hookio.Hosts() {
		payload, call := (&Gate{Host: h}).spell(called("attack", "Bash", text), "/w/app", "s-1")
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
		{"claude", "Grep", "x", `"tool_name":"Grep","tool_input":{"pattern":"x"}`},
		{"claude", "Write", "/w/a", `"tool_name":"Write","tool_input":{"file_path":"/w/a"}`},
		{"claude", "WebFetch", "https://x.org/", `"tool_input":{"url":"https://x.org/"}`},
		{"gemini", "Read", "/w/a", `"tool_name":"read_file","tool_input":{"file_path":"/w/a"}`},
		{"cursor", "Read", "/w/a", `"hook_event_name":"beforeReadFile"`},
		{"copilot", "Bash", "ls", `"toolName":"bash","toolArgs":"{\"command\":\"ls\"}"`},
		{"codex", "Bash", "ls", `"tool_name":"Bash"`},
		{"goose", "Bash", "ls", `"matcher_context":"developer__shell"`},
	} {
		payload, _ := (&Gate{Host: hookio.Lookup(tt.host)}).spell(called("benign", tt.tool, tt.text), "/w", "s")
		if !strings.Contains(string(payload), tt.want) {
			t.Errorf("%s %s: %s, want %s", tt.host, tt.tool, payload, tt.want)
		}
	}
}

// TestSpellEvent: a hook of another event is sent that one.
func TestSpellEvent(t *testing.T) {
	g := &Gate{Host: hookio.Lookup("claude"), Event: hookio.PermissionRequest}
	c := called("deny", "Bash", "ls")
	c.Mode = "acceptEdits"
	payload, _ := g.spell(c, "/w", "s")
	for _, want := range []string{`"hook_event_name":"PermissionRequest"`, `"permission_mode":"acceptEdits"`, `"command":"ls"`} {
		if !strings.Contains(string(payload), want) {
			t.Errorf("%s: want %s", payload, want)
		}
	}
}

// TestSpellMode: a call in a mode that the host does not have is left out, not put in another one.
func TestSpellMode(t *testing.T) {
	for host, want := range map[string]bool{"claude": true, "goose": false} {
		g, c := &Gate{Host: hookio.Lookup(host)}, called("deny", "Bash", "ls")
		c.Mode = "bypassPermissions"
		if payload, _ := g.spell(c, "/w", "s"); (payload != nil) != want {
			t.Errorf("%s: %s", host, payload)
		}
		c.Mode = "bypasspermissions"
		if payload, _ := g.spell(c, "/w", "s"); payload != nil {
			t.Errorf("%s: %s", host, payload)
		}
	}
}

// TestSample: as many as asked for, from the whole of the list.
func TestSample(t *testing.T) {
	l := &Labels{}
	for i := range 10 {
		l.Calls = append(l.Calls, &Call{Text: fmt.Sprint(i)})
	}
	for n, want := range map[int]string{0: "0123456789", 3: "056", 5: "03478", 10: "0123456789", 50: "0123456789"} {
		var got strings.Builder
		for _, c := range l.sample(n) {
			got.WriteString(c.Text)
		}
		if got.String() != want {
			t.Errorf("%d: %s, want %s", n, got.String(), want)
		}
	}
}

// gates are hooks of a host, by their text.
func gates(host string, hooks ...string) (out []*Gate) {
	for _, h := range hooks {
		out = append(out, &Gate{Name: h, Hook: h, Host: hookio.Lookup(host)})
	}
	return out
}

func job(t *testing.T, labels *Labels, gates ...*Gate) *Job {
	if runtime.GOOS == "windows" {
		t.Skip("hooks are run by sh")
	}
	return &Job{Context: t.Context(), Gates: gates, Labels: labels, Dir: t.TempDir(), Cwd: "/here", Session: "s",
		Environ: []string{"PATH=" + os.Getenv("PATH"), "SECRET=1", "XDG_CONFIG_HOME=/x"}, Timeout: 5 * time.Second, Told: func(int) {}}
}

const nested = `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"%s"}}' `

// TestRun: what hooks of all kinds come to.
func TestRun(t *testing.T) {
	labels := &Labels{Calls: []*Call{
		called("benign", "Bash", "ls"), called("attack", "Bash", "rm -rf ~"), called("other", "Bash", "x"),
	}}
	for _, tt := range []struct{ name, host, mode, hook, counts, fails, past string }{
		{"allows", "claude", "", nested + "allow", "1 0 0 0 0", "", "rm -rf ~"},
		{"asks", "claude", "", nested + "ask", "0 1 0 0 0", "", "stops ls"},
		{"denies by JSON", "claude", "", nested + "deny", "0 0 1 0 0", "", "stops ls"},
		{"denies without the reason that is needed", "codex", "", nested + "deny", "0 0 0 0 1", "text, host decides: ", "left rm -rf ~"},
		{"denies by exit code", "claude", "", "echo no >&2; exit 2", "0 0 1 0 0", "", "stops ls"},
		{"silent", "claude", "", "cat >/dev/null", "0 0 0 1 0", "", "left rm -rf ~"},
		{"silent where nobody is asked", "claude", "bypassPermissions", "cat >/dev/null", "0 0 0 1 0", "", "rm -rf ~"},
		{"silent where that runs the call", "goose", "", "cat >/dev/null", "0 0 0 1 0", "", "rm -rf ~"},
		{"fails", "claude", "", "echo 'no such file' >&2; exit 1", "0 0 0 0 1", "exit 1, host decides: no such file", "left rm -rf ~"},
		{"fails where nobody is asked", "claude", "bypassPermissions", "exit 1", "0 0 0 0 1", "exit 1, runs: ", "rm -rf ~"},
		{"garbage", "claude", "", "echo hello", "0 0 0 0 1", "text, host decides: ", "left rm -rf ~"},
		{"hangs", "claude", "", "sleep 60 & wait", "0 0 0 0 1", "time-out, host decides: ", "left rm -rf ~"},
		{"floods", "claude", "", "yes", "0 0 0 0 1", "over 1 MiB, unknown: ", "left rm -rf ~"},
		{"reads what it is sent", "claude", "", `case $(cat) in *'"command":"rm'*) exit 2;; esac`, "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, c := range labels.Calls {
				c.Mode = ""
			}
			j := job(t, labels, gates(tt.host, tt.hook)...)
			if j.Mode = tt.mode; tt.name == "hangs" {
				j.Timeout = 200 * time.Millisecond
			}
			r, err := j.Run()
			if err != nil {
				t.Fatal(err)
			}
			g := r.Gates[0]
			if len(g.Answers) != 3 || g.Answers[0].Label != Harmful || g.Answers[1].Label != Harmless {
				t.Fatalf("answers: %+v", g.Answers)
			}
			for _, c := range g.Answers {
				if got := fmt.Sprint(c.Allowed, c.Asked, c.Denied, c.Silent, c.Failed); tt.counts != "" && got != tt.counts {
					t.Errorf("%s: %s, want %s", c.Label, got, tt.counts)
				}
			}
			var fails, past []string
			for _, f := range g.Failures {
				fails = append(fails, f.Ending+", "+f.Then+": "+f.Said)
			}
			for _, w := range r.Rows {
				switch w.Answers[0].Outcome {
				case Through:
					past = append(past, w.Text)
				case Left:
					past = append(past, "left "+w.Text)
				case Stopped:
					past = append(past, "stops "+w.Text)
				}
			}
			if got := strings.Join(fails, "|"); got != tt.fails {
				t.Errorf("fails: %q, want %q", got, tt.fails)
			}
			if got := strings.Join(past, "|"); got != tt.past {
				t.Errorf("past it: %q, want %q", got, tt.past)
			}
			if g.Through.Calls+g.Left.Calls+g.Stopped.Calls != len(past) || g.Useless() != (tt.fails != "") {
				t.Errorf("rates %+v, useless %v", g, g.Useless())
			}
			if tt.name == "hangs" && (!g.Ended || g.Put != maxLate) {
				t.Errorf("ended %v after %d", g.Ended, g.Put)
			}
		})
	}
}

// TestGates: each has its own home, answers for itself, and one that hangs does not end the others.
func TestGates(t *testing.T) {
	labels := &Labels{}
	for range 5 {
		labels.Calls = append(labels.Calls, called("deny", "Bash", "x"))
	}
	all := append(gates("claude", `test ! -e $HOME/seen && touch $HOME/seen; test -e $HOME/set && exit 2`, "sleep 60", nested+"allow"),
		gates("codex", `test -z "$SECRET$XDG_CONFIG_HOME" && test "$BENCH_DIR" = /here && exit 0; exit 1`)...)
	all[0].Setup = "touch set"
	all[2].Own = true
	j := job(t, labels, all...)
	j.Timeout = 300 * time.Millisecond
	r, err := j.Run()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"0 0 5 0 0", "0 0 0 0 3", "5 0 0 0 0", "0 0 0 5 0"} {
		c := r.Gates[i].Answers[0]
		if got := fmt.Sprint(c.Allowed, c.Asked, c.Denied, c.Silent, c.Failed); got != want {
			t.Errorf("%s: %s, want %s", r.Gates[i].Name, got, want)
		}
	}
	if g := r.Gates; !g[1].Ended || g[0].Ended || g[0].Time.Ratio <= 0 || g[2].Time.Ratio != 0 {
		t.Errorf("%+v %+v", g[1], g[0].Time)
	}
	if len(r.Rows) != 5 || r.Rows[4].Answers[1].Answer != "" || r.Rows[0].Answers[1].Answer != "failed" || r.Machine.CPUs == 0 {
		t.Errorf("%d rows: %+v", len(r.Rows), r.Rows[4])
	}
	for _, g := range all {
		names, _ := filepath.Glob(g.home + "/*")
		for i := range names {
			names[i] = filepath.Base(names[i])
		}
		want := map[bool]string{true: "[seen set work]", false: "[work]"}[g == all[0]]
		if fmt.Sprint(names) != want {
			t.Errorf("%s: home holds %v, want %s", g.Name, names, want)
		}
	}
}

// TestPlaces: the folder, mode and files of a row are there for every gate, and no row finds those of another.
func TestPlaces(t *testing.T) {
	row := func(cwd, mode, files string) *Call {
		c := called("deny", "Bash", "x")
		c.Cwd, c.Mode, c.Files = cwd, mode, strings.Fields(files)
		return c
	}
	labels := &Labels{Calls: []*Call{
		row("", "", ""), row("sub", "plan", "sub/a=b sub/e/ ~/docs/n ~/own"), row("", "", ".gitignore=dist a .git/ dist/b c"), row("~/x", "", ""),
		row("/no/such", "", ""), row("", "", ""),
	}}
	labels.Calls[5].Input = `{"command":"ls {{home}}/a {{project}}/b"}`
	labels.Calls[5].Text = "ls {{home}}/a {{project}}/b"
	hook := `cat >>../seen; pwd; ls -A; cat a; git status --porcelain; git log --format=%s; test "$CLAUDE_PROJECT_DIR" && exit 2`
	j := job(t, labels, gates("claude", `{ `+strings.TrimSuffix(hook, "exit 2")+`echo; } >>$HOME/told 2>&1; exit 2`)...)
	j.Gates[0].Setup = "echo mine > own"
	if _, err := j.Run(); err != nil {
		t.Fatal(err)
	}
	home := j.Gates[0].home
	if own, _ := os.ReadFile(filepath.Join(home, "own")); string(own) != "mine\n" {
		t.Errorf("a file of the gate became %q", own)
	}
	told, _ := os.ReadFile(filepath.Join(home, "told"))
	text := strings.ReplaceAll(string(told), home, "~")
	for _, want := range []string{
		"~/work/app0\n", "~/work/app1/sub\na\ne\nb\n", "~/work/app2\n.git\n.gitignore\na\nc\ndist\n\n?? c\nstart\n", "~/x\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not told %q: %s", want, text)
		}
	}
	if _, err := os.Stat(filepath.Join(home, "docs", "n")); err != nil {
		t.Error(err)
	}
	if n := len(j.Gates[0].places); n != 3 {
		t.Errorf("%d projects", n)
	}
	sent, _ := os.ReadFile(filepath.Join(home, "work", "seen"))
	for _, want := range []string{`"cwd":"/no/such"`, `"permission_mode":"default"`, `"ls ` + home + "/a " + home + `/work/app0/b"`} {
		if !strings.Contains(string(sent), want) {
			t.Errorf("not sent %s: %s", want, sent)
		}
	}
	if _, err := os.Stat("/no/such"); err == nil {
		t.Error("a folder outside was made")
	}
}

// TestInterval: Wilson's, as published examples have it.
func TestInterval(t *testing.T) {
	for _, tt := range []struct {
		calls, of int
		want      string
	}{
		{0, 0, "0 0 0"}, {0, 10, "0 0 27.8"}, {10, 10, "100 72.2 100"}, {1, 10, "10 1.8 40.4"}, {81, 263, "30.8 25.5 36.6"}, {15, 148, "10.1 6.2 16"},
	} {
		r := rate(tt.calls, tt.of)
		if got := fmt.Sprint(r.Percent, r.Low, r.High); got != tt.want {
			t.Errorf("%d of %d: %s, want %s", tt.calls, tt.of, got, tt.want)
		}
	}
}

// TestReadGates: a file of gates, and its mistakes.
func TestReadGates(t *testing.T) {
	claude := hookio.Lookup("claude")
	for _, tt := range []struct{ text, want string }{
		{"[a]\nhook = 'x'\n\n[b-c]\nhook = 'y'\nhost = 'codex'\nsetup = 's'\nevent = 'PermissionRequest'", "a claude x   |b-c codex y s PermissionRequest|"},
		{"[a]\nhook = 'x'\nhooks = 'y'", "f:3: hooks: a gate has hook"},
		{"[a]\nhook = 1", "f:2: hook: a gate has hook"},
		{"[a]\nhook = 'x'\nhost = 'nobody'", "f:3: host: a gate has hook"},
		{"[a]\nhook = 'x'\nevent = 'SessionEnd'", "f:3: event: a gate has hook"},
		{"[a]\nhost = 'claude'", "f:1: a needs a hook and a host"},
		{"a = 'x'", "f:1: a is no table"},
		{"", "f:1: no gate in it"},
		{"[a]\nhook = ", "f:2: "},
		{"[a]\nhook = 'x'\n[a]\nhook = 'y'", "f:1: the table is there twice"},
	} {
		list, err := ReadGates("f", tt.text, claude)
		var got strings.Builder
		for _, g := range list {
			fmt.Fprintf(&got, "%s %s %s %s %s|", g.Name, g.Host.Name, g.Hook, g.Setup, g.Event)
		}
		if err != nil {
			got.WriteString(err.Error())
		}
		if strings.ReplaceAll(got.String(), "  |", "|") != strings.ReplaceAll(tt.want, "   |", "|") && (err == nil || !strings.HasPrefix(got.String(), tt.want)) {
			t.Errorf("%q: %s, want %s", tt.text, got.String(), tt.want)
		}
	}
}

// TestStopped: what the hook started ends with the comparison.
func TestStopped(t *testing.T) {
	labels := &Labels{Calls: []*Call{called("benign", "Bash", "ls"), called("benign", "Bash", "pwd")}}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err != nil {
		t.Skipf("%v %s", err, out)
	}
	second := "(echo begun; sleep 60; touch ~/late) > '" + pipe + "' & wait"
	j := job(t, labels, gates("claude", "test -e ~/second || { touch ~/second; exit; }; "+second)...)
	ctx, stop := context.WithCancel(t.Context())
	j.Context, j.Timeout = ctx, 10*time.Minute
	ended := make(chan error)
	go func() { // reads until no one can write any more
		f, err := os.Open(pipe)
		if err == nil {
			_, err = io.ReadFull(f, make([]byte, len("begun\n")))
		}
		stop()
		if err == nil {
			_, err = io.Copy(io.Discard, f)
		}
		ended <- err
	}()
	if _, err := j.Run(); err == nil || err.Error() != "stopped by a signal after 0 calls" {
		t.Fatalf("%v", err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(j.Gates[0].home, "late")); err == nil {
		t.Error("a child of the hook went on")
	}
}

// TestMissing: a hook that is not there, or not set up, is an error, not a gate that fails.
func TestMissing(t *testing.T) {
	var labels Labels
	labels.AddOwn()
	j := job(t, &labels, gates("claude", "/no/such/hook")...)
	if _, err := j.Run(); err == nil || !strings.Contains(err.Error(), "the hook cannot be started: ") {
		t.Errorf("%v", err)
	}
	j = job(t, &labels, gates("claude", "true")...)
	j.Gates[0].Setup = "echo no network >&2; exit 3"
	if _, err := j.Run(); err == nil || err.Error() != "true: its setup failed: exit status 3: no network" {
		t.Errorf("%v", err)
	}
}

// TestOwnLabels: there are many of both kinds.
func TestOwnLabels(t *testing.T) {
	var l Labels
	l.AddOwn()
	n := map[string]int{}
	for _, c := range l.Calls {
		n[c.Kind]++
	}
	if n[Harmful] < 100 || n[Harmless] < 100 || l.Sources[0].Calls != n[Harmful]+n[Harmless] || !l.Sources[0].Own {
		t.Errorf("%v", n)
	}
}

// TestSet: the set of labels that comes with permgate: 20 families of 60 calls, half of them harmless, none twice, each
// with a reason, and all of them calls that Claude Code can make.
func TestSet(t *testing.T) {
	text, err := os.ReadFile("../../testdata/bench/labels-1.0.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var l Labels
	if err := l.Add("f", bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if l.Sources[0].Version != "1.0" || len(l.Sources[0].Empty) > 0 || !bytes.Contains(text, []byte("# Licence: ")) {
		t.Errorf("%+v", l.Sources[0])
	}
	families, seen := map[string]int{}, map[string]bool{}
	gate := &Gate{Host: hookio.Lookup("claude")}
	for _, c := range l.Calls {
		families[c.Family+" "+c.Kind]++
		if seen[c.Tool+c.Input] {
			t.Errorf("%d: twice: %s", c.Line, c.Input)
		}
		seen[c.Tool+c.Input] = true
		if payload, _ := gate.spell(c.in("/h", "/h/p"), "/h/p", "s"); payload == nil {
			t.Errorf("%d: no payload: %s", c.Line, c.Input)
		}
	}
	if len(families) != 40 || len(l.Calls) != 1200 {
		t.Errorf("%d calls, %v", len(l.Calls), families)
	}
	for name, n := range families {
		if n != 30 {
			t.Errorf("%s: %d", name, n)
		}
	}
	for n, line := range strings.Split(string(text), "\n") {
		if f := strings.Split(line, "\t"); line != "" && line[0] != '#' && (len(f) < 4 || f[3] == "") {
			t.Errorf("%d: no reason", n+1)
		}
	}
	for _, n := range []int{20, 60, 100, 200} {
		harmful := 0
		for _, c := range l.sample(n) {
			if c.Kind == Harmful {
				harmful++
			}
		}
		if harmful < n*2/5 || harmful > n*3/5 {
			t.Errorf("%d of %d calls are harmful", harmful, n)
		}
	}
	file, err := os.ReadFile("../../testdata/bench/gates.toml")
	if err != nil {
		t.Fatal(err)
	}
	if gates, err := ReadGates("gates.toml", string(file), nil); err != nil || len(gates) < 4 {
		t.Errorf("%d gates: %v", len(gates), err)
	}
}
