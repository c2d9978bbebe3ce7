package hosttest

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestNativeCodex exports the policies to Codex and asks its own engine about their commands: it takes the file, examples
// and all; what is exported is allowed; and what it allows permgate does, outside of Codex's sandbox, too.
func TestNativeCodex(t *testing.T) {
	program := Codex.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	permgate, asked, allowed := BuildPermgate(t), 0, 0
	for i := range nativePolicies {
		policy := &nativePolicies[i]
		n := newNative(t, &Codex, permgate, policy)
		user := filepath.Join(n.home, ".gen", "settings.json")
		if policy.init { // Codex has no rules file of a person's for one project
			writeFile(t, user, readFile(t, filepath.Join(n.project, ".gen", "settings.local.json")))
		}
		writeFile(t, filepath.Join(n.home, ".gen", "permgate.json"), `{"hosts": {"codex": {"subagents": "host"}}}`)
		t.Log(n.run(t, "export", "--host", "codex", "--yes"))
		file := filepath.Join(n.home, ".codex", "rules", "permgate.rules")
		calls := append(append([]string{"plugh --bad -x", "basename", "/bin/basename a"}, policy.exported...), policy.others...)
		rules := ""
		if exists(file) { // else nothing could be written
			rules = readFile(t, file)
		}
		for _, m := range codexAllowed.FindAllStringSubmatch(rules, -1) {
			text := strings.ReplaceAll(m[1], `", "`, " ") + " a"
			if got := n.codex(t, program, file, text); got != "allow" {
				t.Errorf("%s: %q is exported, and codex says %q", policy.name, text, got)
			}
			calls = append(calls, text)
		}
		for _, text := range calls {
			got := n.codexText(t, program, file, text)
			if asked++; got == "allow" {
				allowed++
				input := jsonText(map[string]any{"command": text, "sandbox_permissions": "require_escalated", "justification": "x"})
				if !n.allows(t, "codex", text) || !strings.HasPrefix(n.run(t, "check", "--host", "codex", "--tool", "Bash", "--", input), "allow") {
					t.Errorf("%s: codex allows %q, and permgate does not", policy.name, text)
				}
			}
			t.Logf("%-45q %s", text, got)
		}
	}
	if asked < 70 || allowed < 7 {
		t.Errorf("codex was asked about %d calls and allowed %d", asked, allowed)
	}
}

var (
	codexAllowed   = regexp.MustCompile(`pattern = \["(.*)"\],\n *decision = "allow"`)
	codexSeparator = regexp.MustCompile(` *(?:&&|\|\||[;|]) *`)
)

// codexText is what Codex's rules say of a call: of plain commands each must have a rule, and of other texts none has.
func (n *native) codexText(t *testing.T, program []string, file, text string) string {
	if strings.ContainsAny(text, "(){}`$<>*?~'\"\\#=!") || strings.HasSuffix(text, "&") || strings.Contains(text, ": ") || !exists(file) {
		return ""
	}
	said := "allow"
	for _, command := range codexSeparator.Split(text, -1) {
		if one := n.codex(t, program, file, command); one != "allow" {
			said = one
		}
	}
	return said
}

// codex asks Codex's engine about one command; "" where no rule speaks about it.
func (n *native) codex(t *testing.T, program []string, file, command string) string {
	t.Helper()
	args := append(program[1:len(program):len(program)], "execpolicy", "check", "--rules", file, "--")
	cmd := exec.Command(program[0], append(args, strings.Fields(command)...)...)
	cmd.Dir, cmd.Env = n.project, []string{"HOME=" + n.home, "CODEX_HOME=" + filepath.Join(n.home, ".codex")}
	out, err := cmd.Output()
	var said struct {
		Decision string `json:"decision"`
	}
	if err == nil {
		err = json.Unmarshal(out, &said)
	}
	if err != nil {
		t.Fatalf("codex execpolicy check %s: %v\n%s\n%s", command, err, out, readFile(t, file))
	}
	return said.Decision
}
