package bashsafety

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tokens of texts for TestParserOracle. Commands have names that no system has.
var scriptTokens = [...]string{
	"qa", "qb", "qc", "x", "-y", " ", " ", " ", " ", "\n", "\n", ";", "; ", " && ", " || ", " | ", " & ",
	"'", "\"", "'s'", "\"d\"", "$'e'", "\\", "\\\n", "\\\\", "\\'", "\\\"", "\\$", "#", " # c", " # c\\\n", "\t",
	"$(", ")", "(", "`", "$((", "))", "((", "${x:-", "${x#", "${x/", "}", "{ ", "; }", "{", "$", "$x", "${x}", "[", "]", "[[ ", " ]]",
	"<<E\n", "<<'E'\n", "<<-E\n", "\nE\n", "E", "\n\tE\n", "<<<", ">f", "<f", "2>&1", "&>f", ">|f", "<(", ">(",
	"if ", "; then ", "; fi", "while ", "; do ", "; done", "for x in ", "case x in ", " esac", ";;", "! ", "time ", "function qf ", "qf() ",
	">&", "<&", "&>>", "<>", ">&-", "<&-", "2>", "1-", "{v}>", ">>", "2", "-", ",", "\r",
	"$(qa)", "`qb`", "\"$(qc)\"", "\"`qa -y`\"", "qa <<E\nx\nE\n", "<<E\n$(qa)\nE\n", "<<E\na\\\nE\nE\n", "<<-E\n\tx\n\tE\n",
	"<<'E'\n$(qa)\nE\n", "<<E <<F\nE\nx\nF\n", "$(qa <<E\nx\nE\n)", "${x:-$(qa)}", "\"${x:-`qb`}\"", "$((1+$(qa)))", "((x=1))",
	"[[ a == b ]]", "[[ a =~ b.c|d ]]", "(qa)", "{ qa; }", "if qa; then qb; fi", "for x in a; do qb; done", "case x in a) qa;; esac",
	"while qa; do qb; done", "qf() { qa; }", "<(qa)", ">(qb)", "a=(x y)", "let x=1", "\"a 'b' \\\" c\"", "'a \"b\"'", "\"$x\"", "$[1]", "${#x}", "${x//a/b}",
	"x=", "a=(", "a[1]=", "let ", "declare ", "=", "*", "?", "{a,b}", "~", "|&", "coproc ", "!", "&", "<", ">", "|",
}

// TestParserOracle compares what we see in a text with what we see in bash's
// own rendering of it. bash parses the text as the body of a function and
// prints it; nothing is run. Where the two differ there must be a Doubt.
func TestParserOracle(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash to compare with")
	}
	r := rand.New(rand.NewPCG(7, 1))
	var texts []string
	for len(texts) < 2000 {
		var b strings.Builder
		for range 3 + r.IntN(9) {
			b.WriteString(scriptTokens[r.IntN(len(scriptTokens))])
		}
		s := Analyze(b.String(), testEnv())
		if len(s.Doubts) == 0 && len(s.Subcommands) > 0 {
			texts = append(texts, b.String())
		}
	}
	compared := 0
	for len(texts) > 0 {
		n := min(len(texts), 200)
		compared += compareWithBash(t, bash, texts[:n])
		texts = texts[n:]
	}
	t.Logf("%d compared", compared)
}

// compareWithBash compares a few texts and returns how many bash would run.
func compareWithBash(t *testing.T, bash string, texts []string) (compared int) {
	t.Helper()
	var script strings.Builder
	for _, text := range texts {
		// eval keeps a syntax error from ending the whole script.
		script.WriteString("unset -f qz; eval " + quote("qz() {\n"+text+"\n}") + "; declare -f qz; printf '\\1'\n")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "script")
	if err := os.WriteFile(file, []byte(script.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "--norc", "--noprofile", "-r", file)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/nonexistent"}
	out, _ := cmd.Output()
	answers := bytes.Split(out, []byte{1})
	for i, rendered := range answers[:min(len(answers), len(texts)+1)-1] {
		if len(rendered) == 0 {
			continue // bash would not run it at all
		}
		theirs := Analyze(string(rendered), testEnv())
		if hasDoubt(theirs, "parse-error") || hasDoubt(theirs, "shadowed-command") {
			continue // bash prints some things in a form nobody reads
		}
		compared++
		want := commandsOf(theirs, "function qz")
		if got := commandsOf(Analyze(texts[i], testEnv()), ""); got != want {
			t.Errorf("%q\n sees %s\n bash %s\n from %q", texts[i], got, want, rendered)
		}
	}
	return compared
}

func commandsOf(s *Script, in string) string {
	var b strings.Builder
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		via := sub.Via
		if in != "" && len(via) > 0 && via[0] == in {
			via = via[1:]
		}
		b.WriteString("[" + strings.Join(via, " "))
		for j := range sub.Argv {
			b.WriteString(" " + showWord(&sub.Argv[j]))
		}
		var redirs []string
		for j := range sub.Effects {
			if e := &sub.Effects[j]; e.Redirect {
				redirs = append(redirs, fmt.Sprintf(" %d:%s", e.Kind, strings.ReplaceAll(e.Path, HoleMark, "?")))
			}
		}
		slices.Sort(redirs) // bash prints them in an order of its own
		b.WriteString(strings.Join(redirs, ""))
		b.WriteByte(']')
	}
	return b.String()
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
