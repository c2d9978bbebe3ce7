package interp_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/internal/test/oracle"
)

// tokens of texts for compareRenderings. Commands have names that no system has.
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

// compareRenderings compares what we see in a text with what we see in bash's own rendering of it: bash parses the text
// as the body of a function and prints that. Where the two differ there must be a Doubt.
func compareRenderings(t *testing.T, o *oracle.Oracle, n int) {
	r := rand.New(rand.NewPCG(7, 1))
	var texts, ours []string
	for len(texts) < n {
		var b strings.Builder
		for range 3 + r.IntN(9) {
			b.WriteString(scriptTokens[r.IntN(len(scriptTokens))])
		}
		s := bashsafety.Analyze(b.String(), testEnv())
		if len(s.Doubts) == 0 && len(s.Subcommands) > 0 {
			texts, ours = append(texts, b.String()), append(ours, commandsOf(s, ""))
		}
	}
	compared := 0
	for from := 0; from < n; from += renderBatch {
		for i, rendered := range renderings(t, o, texts[from:min(from+renderBatch, n)]) {
			theirs := bashsafety.Analyze(rendered, testEnv())
			if rendered == "" || hasDoubt(theirs, "parse-error") || hasDoubt(theirs, "shadowed-command") {
				continue // bash would not run it, or prints it in a form no one reads
			}
			compared++
			if got, want := ours[from+i], commandsOf(theirs, fmt.Sprint("function qz", i)); got != want {
				t.Errorf("%q\n sees %s\n bash %s\n from %q", texts[from+i], got, want, rendered)
			}
		}
	}
	if compared < len(texts)/2 {
		t.Errorf("only %d of %d texts compared", compared, len(texts))
	}
	t.Logf("%d of %d texts compared", compared, len(texts))
}

// renderBatch is how many texts one text for the oracle holds.
const renderBatch = 250

// renderings returns bash's rendering of each text, as the body of a function of its number, "" for what it does not parse.
func renderings(t *testing.T, o *oracle.Oracle, texts []string) []string {
	t.Helper()
	var script strings.Builder
	for i, text := range texts {
		// eval keeps a syntax error from ending the whole script.
		fmt.Fprintf(&script, "eval %s\n", quote(fmt.Sprintf("qz%d() {\n%s\n}", i, text)))
	}
	// One subshell and one program for all: to start one is what takes long. No text holds a \1.
	fmt.Fprintf(&script, "q=$(for ((i = 0; i < %d; i++)); do declare -f qz$i; printf '\\1'; done)\ngit rendered \"$q\"\n", len(texts))
	r, err := o.Run(script.String())
	if err != nil || r.TimedOut || r.Cut || len(r.Execs) == 0 {
		t.Fatalf("%q: %+v, %v", texts, r, err)
	}
	last := r.Execs[len(r.Execs)-1]
	out := strings.Split(last[len(last)-1], "\x01")
	if len(out) != len(texts)+1 {
		t.Fatalf("%d renderings of %d texts", len(out)-1, len(texts))
	}
	for i := range out {
		out[i] = strings.TrimRight(out[i], "\n")
	}
	return out[:len(texts)]
}

func commandsOf(s *analysis.Analysis, in string) string {
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
				redirs = append(redirs, fmt.Sprintf(" %d:%s", e.Kind, strings.ReplaceAll(e.Path, shell.HoleMark, "?")))
			}
		}
		slices.Sort(redirs) // bash prints them in an order of its own
		b.WriteString(strings.Join(redirs, ""))
		b.WriteByte(']')
	}
	return b.String()
}
