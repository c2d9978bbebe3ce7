package gate_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// guardedPaths are files that no rule lets a tool write: some of the system, one of
// each row of the table of sensitive paths, in the project and in the home.
func guardedPaths() []string {
	out := []string{
		"/etc/passwd", "/etc/cron.d/x", "/etc/ssh/sshd_config", "/boot/grub/grub.cfg", "/usr/bin/ls", "/usr/lib/x.so", "/usr/lib/a/../b.so",
		"/private/etc/hosts", "//etc//passwd", "/usr/local/bin/permgate",
	}
	for i := range guard.Sensitives {
		for _, name := range guard.Sensitives[i].Files() {
			if home, ok := strings.CutPrefix(name, "~/"); ok {
				out = append(out, "/home/dev/"+home)
			} else if guard.Sensitives[i].Class == guard.Control {
				out = append(out, "/work/project/"+name, "/home/dev/"+name, "/work/project/a/"+name)
			}
		}
	}
	return out
}

// writers are calls that write a path, by every tool that can.
var writers = []struct {
	name    string
	payload func(path string) string
}{
	{"Edit", func(p string) string {
		return tool("Edit", `{"file_path":`+strconv.Quote(p)+`,"old_string":"a","new_string":"b"}`)
	}},
	{"Write", func(p string) string { return tool("Write", `{"file_path":`+strconv.Quote(p)+`,"content":"a"}`) }},
	{"NotebookEdit", func(p string) string {
		return tool("NotebookEdit", `{"notebook_path":`+strconv.Quote(p)+`,"new_source":"a"}`)
	}},
	{"MultiEdit", func(p string) string {
		return tool("MultiEdit", `{"file_path":"a","edits":[{"old_string":"a","new_string":"b"},{"file_path":`+strconv.Quote(p)+`}]}`)
	}},
	{"apply_patch", func(p string) string {
		return tool("apply_patch", `{"input":`+strconv.Quote("*** Begin Patch\n*** Delete File: "+p+"\n*** End Patch\n")+`}`)
	}},
	{"redirect", func(p string) string { return bash("echo x > " + word(p)) }},
	{"tee", func(p string) string { return bash("echo x | tee -a " + word(p)) }},
	{"cp", func(p string) string { return bash("cp a " + word(p)) }},
}

// TestNothingLiftsStep2: whatever allow rule, grant, folder or mode there is, and in
// whatever scope, a write that step 2 asks about is asked about.
func TestNothingLiftsStep2(t *testing.T) {
	grants := func(p string) []string {
		exact := "/" + strings.TrimPrefix(p, "/")
		var rules []string
		for _, tool := range []string{"Edit", "Write", "NotebookEdit"} {
			rules = append(rules, tool, tool+"(//**)", tool+"(/"+exact+")")
		}
		rules = append(rules, "Edit(~/**)", "Edit(/**)", "Edit(**)", "Bash", "Bash(*)", "Bash(echo *)", "Bash(tee:*)", "Bash(cp a "+p+")", "Bash(echo x > "+p+")")
		return rules
	}
	every, combined, combination := testenv.Every(t, 15, 15, 1), testenv.Every(t, 7, 1, 1), 0
	for i, p := range guardedPaths() {
		if i >= 10 && i%every != 0 {
			continue
		}
		quoted := make([]string, 0, 32)
		for _, r := range grants(p) {
			quoted = append(quoted, strconv.Quote(r))
		}
		settings := `{"permissions":{"allow":[` + strings.Join(quoted, ",") + `],"additionalDirectories":["/"]}}`
		for _, scope := range []string{user, managed, local} {
			for _, posture := range []string{"{}", `{"destructive":"practical","secrets":"ask","readOnlyCommands":"allow"}`} {
				for _, w := range writers {
					for _, mode := range []string{"default", "bypassPermissions"} {
						if combination++; combination%combined > 0 {
							continue
						}
						s := sentence{name: fmt.Sprint(w.name, " ", p, " ", scope, " ", mode), payload: as(w.payload(p), `"permission_mode":"`+mode+`"`),
							files: m(scope, settings, "/home/dev/.gen/permgate.json", posture, "/state/session-s1.json", `{"project":"/work/project","allowAllEdits":true,"allowAllBash":true}`),
							flags: gate.Flags{State: "/state"}}
						_, v, a := s.answer(t)
						if a.Decision == hookio.Allow || !slices.Contains([]string{"1", "2"}, v.Step()) {
							t.Errorf("%s: %v at step %s: %s", s.name, a.Decision, v.Step(), a.Reason)
						}
					}
				}
			}
		}
	}
}

// word is a path as the shell has to read it: one of an editor's folders holds blanks.
func word(p string) string { return strings.ReplaceAll(p, " ", `\ `) }
