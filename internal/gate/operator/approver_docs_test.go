//go:build unix

package operator

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

const approverPage = "../../../docs/approvers.md"

// scripts are those of a page, by the name their second line gives.
func scripts(t *testing.T, page string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, block := range strings.Split(string(text), "```sh\n")[1:] {
		script, _, _ := strings.Cut(block, "```")
		name, _, _ := strings.Cut(strings.TrimPrefix(script, "#!/bin/sh\n# "), ":")
		out[name] = script
	}
	return out
}

// TestPageAnswers: the page's table is the one the program reads.
func TestPageAnswers(t *testing.T) {
	text, err := os.ReadFile(approverPage)
	if err != nil {
		t.Fatal(err)
	}
	want := "<!-- answers -->\n| answer | |\n|---|---|\n"
	for _, a := range Answers {
		want += "| `" + a.Answer + "` | " + a.Doc + " |\n"
	}
	if !strings.Contains(string(text), want+"<!-- end -->") {
		t.Errorf("%s is to hold\n%s", approverPage, want)
	}
}

// TestApproverScripts runs the scripts of the page with programs of the test in the
// place of the desktop and the network.
func TestApproverScripts(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("the scripts need jq: ", err)
	}
	all := scripts(t, approverPage)
	const evil = `<b>x</b> $(touch pwned) \u202e "; touch pwned #`
	for _, tt := range []struct {
		name, script, stubs string // "NAME: text" lines
		input               string
		want                hookio.Decision
		answer              string
		shown               string // what the stub saw
	}{
		{"zenity yes", "ask-desktop", "uname: echo Linux\nzenity: cat >shown; echo \"$@\" >>shown", "make", hookio.Allow, "once", `{"command":"make"}`},
		{"zenity no", "ask-desktop", "uname: echo Linux\nzenity: cat >shown; exit 1", "make", hookio.Deny, "deny", "make"},
		{"zenity, the session", "ask-desktop", "uname: echo Linux\nzenity: cat >shown; echo \"$@\" >>shown; echo session; exit 1", "make", hookio.Allow, "session", "--extra-button=session"},
		{"zenity shows text only", "ask-desktop", "uname: echo Linux\nzenity: cat >shown; exit 1", evil, hookio.Deny, "deny", `<b>x</b> $(touch pwned) \\u202e \"; touch pwned #`},
		{"no display", "ask-desktop", "uname: echo Linux\nzenity: exit 5", "make", hookio.Deny, "deny", ""},
		{"zenity, too long", "ask-desktop", "uname: echo Linux\nzenity: exit 0", strings.Repeat("x", 70<<10), hookio.Deny, "deny", ""},
		{"osascript yes", "ask-desktop", "uname: echo Darwin\nosascript: printf '%s\\n' \"$@\" >shown; echo once", "make", hookio.Allow, "once", "make"},
		{"osascript no", "ask-desktop", "uname: echo Darwin\nosascript: cat >shown; echo deny", "make", hookio.Deny, "deny", "choose from list"},
		{"osascript fails", "ask-desktop", "uname: echo Darwin\nosascript: exit 1", "make", hookio.Deny, "", ""},
		{"osascript, too long", "ask-desktop", "uname: echo Darwin\nosascript: echo once", strings.Repeat("x", 2000), hookio.Deny, "deny", ""},
		{"ntfy yes", "ask-ntfy", "sleep: :\ncurl: echo \"$@\" >>shown; case $* in *poll=1*) echo once ;; *) cat >>shown ;; esac", "make", hookio.Allow, "once", `"label":"session"`},
		{"ntfy no", "ask-ntfy", "sleep: :\ncurl: echo \"$@\" >>shown; case $* in *poll=1*) echo deny ;; esac", "make", hookio.Deny, "deny", "--proto =https"},
		{"ntfy, nobody answers", "ask-ntfy", "sleep: :\ncurl: echo \"$@\" >>shown", "make", hookio.Deny, "", "poll=1"},
		{"ntfy, another answer", "ask-ntfy", "sleep: :\ncurl: case $* in *poll=1*) echo allow-all ;; esac", "make", hookio.Deny, "", ""},
		{"ntfy, no network", "ask-ntfy", "sleep: :\ncurl: exit 6", "make", hookio.Deny, "", ""},
		{"ntfy, evil text", "ask-ntfy", "sleep: :\ncurl: case $* in *poll=1*) echo deny ;; *) cat >shown ;; esac", evil, hookio.Deny, "deny", `$(touch pwned)`},
		{"ntfy, too long", "ask-ntfy", "sleep: :\ncurl: case $* in *poll=1*) echo once ;; esac", strings.Repeat("x", 5000), hookio.Deny, "deny", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, line := range strings.Split(tt.stubs, "\n") {
				name, body, _ := strings.Cut(line, ": ")
				executable.Write(t, filepath.Join(dir, name), "#!/bin/sh\n"+body+"\n")
			}
			executable.Write(t, filepath.Join(dir, "script"), all[tt.script])
			a, _ := testApprover(t)
			c, v := call(t, "Bash", bash(tt.input))
			r := a.request(c, v)
			cmd := exec.Command(filepath.Join(dir, "script"))
			cmd.Dir, cmd.Env = dir, []string{"PATH=" + dir + ":" + os.Getenv("PATH")}
			cmd.Stdin = bytes.NewReader(r.json(c, v))
			line, err := cmd.Output()
			o := a.conclude(r, bytes.TrimSuffix(line, []byte("\n")), err)
			shown, _ := os.ReadFile(filepath.Join(dir, "shown"))
			if o.Decision != tt.want || o.Answer != tt.answer || !strings.Contains(string(shown), tt.shown) {
				t.Errorf("%v %s, %v; %.3000s", o.Decision, o.Reason, err, shown)
			}
			if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
				t.Error("a shell read the text of the call")
			}
		})
	}
	if len(all) != 2 {
		t.Errorf("%d scripts", len(all))
	}
}

// TestShellcheck: the scripts are clean for shellcheck, where there is one.
func TestShellcheck(t *testing.T) {
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip("no shellcheck here: ", err)
	}
	for _, page := range [...]string{approverPage, classifierPage} {
		for name, script := range scripts(t, page) {
			cmd := exec.Command("shellcheck", "-s", "sh", "-")
			cmd.Stdin = strings.NewReader(script)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
	}
}
