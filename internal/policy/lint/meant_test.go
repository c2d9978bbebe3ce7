package lint

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
)

// meant are patterns of other systems, and a call of ours that they are about.
var meant = []struct{ tool, pattern, call string }{
	{"Bash", "sudo *", "sudo x"}, {"Bash", "rm -rf *", "rm -rf x"}, {"Bash", "git push *", "git push origin"}, {"Bash", "git push:*", "git push x"},
	{"Bash", "curl *", "curl https://x.test/"}, {"Bash", "make", "make"}, {"Bash", "npm publish *", "npm publish x"}, {"Bash", "./deploy.sh *", "./deploy.sh x"},
	{"Bash", "*sudo*", "a; sudo b"}, {"Bash", "docker run --privileged *", "docker run --privileged x"},
	{"Read", "./.env", ".env"}, {"Read", "secrets/**", "secrets/a/b"}, {"Read", "**/*.pem", "a/b.pem"}, {"Read", "//etc/**", "/etc/x"},
	{"Write", "src/**", "src/a"}, {"Edit", "src/**", "src/a"}, {"Edit", "*", "a"}, {"WebFetch", "domain:evil.test", "https://evil.test/x"},
}

// spellings of a rule in systems with another grammar; # is the pattern.
var otherSpellings = map[string]string{
	"Bash": "bash:#|Bash:#|Bash #|bash #|shell:#|Shell:#|Shell #|sh:#|sh #|terminal:#|run_shell_command:#|execute_command:#|exec:#|bash(#)|shell(#)|Shell(#)|bash(#|#|run_shell_command(#)|command:#|run #",
	"Read": "read:#|Read:#|read_file:#|ReadFile:#|view:#|cat:#|read(#)|read_file(#)|read #|cat #", "Write": "write:#|write_file:#|create:#|write(#)", "Edit": "edit:#|edit_file:#|edit(#)|str_replace:#|edit #",
	"WebFetch": "fetch:#|web_fetch:#|WebFetch:#|fetch(#)",
}

// TestFixesMean: what --fix writes in the place of a restriction parses, and stops the call that its
// author meant; where it is not clear what was meant, the rule stays and the finding says why.
func TestFixesMean(t *testing.T) {
	mended := 0
	for _, m := range meant {
		for spelling := range strings.SplitSeq(otherSpellings[m.tool], "|") {
			text := strings.Replace(spelling, "#", m.pattern, 1)
			if strings.HasPrefix(text, "*") {
				continue // a pattern of tool names
			}
			for _, file := range []string{".gen/settings.json", ".claude/settings.json", "~/.claude/settings.json"} {
				for _, list := range []string{"deny", "ask"} {
					x := &Example{File: file}
					in := exampleInput(x, `{"permissions": {"`+list+`": [`+edit.Quote(text)+`]}}`)
					now, err := FixAll(in, func(*Finding) bool { return true })
					if err != nil {
						t.Fatal(err)
					}
					if now == in {
						if found := Run(in); len(found) == 0 && stops(t, in, m.tool, m.call) < hookio.Ask {
							t.Errorf("%s of %s: %s stops nothing, and nothing is said", list, file, text)
						}
						continue
					}
					mended++
					for _, r := range now.Rules {
						if r.Err != nil || len(now.Rules) == 1 && !rules.KnownTool(r.Tool) {
							t.Errorf("%s of %s: %s became %s: %v", list, file, text, r.Text, r.Err)
						}
					}
					if got := stops(t, now, m.tool, m.call); got < hookio.Ask || list == "deny" && got != hookio.Deny {
						t.Errorf("%s of %s: %s became %s, and %s %s is %v", list, file, text, now.Rules[0].Text, m.tool, m.call, got)
					}
				}
			}
		}
	}
	if t.Logf("%d rules were mended", mended); mended < 400 {
		t.Errorf("only %d rules were mended", mended)
	}
}

// stops is what the settings say of a call, in a mode that allows everything else.
func stops(t *testing.T, in *Input, tool, call string) hookio.Decision {
	t.Helper()
	_, v, err := in.Decide(tool, call)
	if err != nil {
		t.Fatal(err)
	}
	if v.Rule == nil && v.Step != "2" {
		return hookio.Pass
	}
	return v.Decision
}
