package interp_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/internal/test/oracle"
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
// own rendering of it: bash parses the text as the body of a function and
// prints that. Where the two differ there must be a Doubt.
func TestParserOracle(t *testing.T) {
	o := oracle.New(t)
	r := rand.New(rand.NewPCG(7, 1))
	var texts []string
	for len(texts) < 2000 {
		var b strings.Builder
		for range 3 + r.IntN(9) {
			b.WriteString(scriptTokens[r.IntN(len(scriptTokens))])
		}
		s := bashsafety.Analyze(b.String(), testEnv())
		if len(s.Doubts) == 0 && len(s.Subcommands) > 0 {
			texts = append(texts, b.String())
		}
	}
	compared := 0
	for batch := range slices.Chunk(texts, renderBatch) {
		for i, rendered := range renderings(t, o, batch) {
			theirs := bashsafety.Analyze(rendered, testEnv())
			if rendered == "" || hasDoubt(theirs, "parse-error") || hasDoubt(theirs, "shadowed-command") {
				continue // bash would not run it, or prints it in a form nobody reads
			}
			compared++
			want := commandsOf(theirs, "function qz")
			if got := commandsOf(bashsafety.Analyze(batch[i], testEnv()), ""); got != want {
				t.Errorf("%q\n sees %s\n bash %s\n from %q", batch[i], got, want, rendered)
			}
		}
	}
	if compared < len(texts)/2 {
		t.Errorf("only %d of %d texts compared", compared, len(texts))
	}
	t.Logf("%d of %d texts compared", compared, len(texts))
}

// renderBatch is how many texts one text for the oracle holds: each starts a
// subshell and a program.
const renderBatch = 50

// renderings returns bash's rendering of each text, "" for what it does not
// parse.
func renderings(t *testing.T, o *oracle.Oracle, texts []string) []string {
	t.Helper()
	var script strings.Builder
	for i, text := range texts {
		// eval keeps a syntax error from ending the whole script.
		fmt.Fprintf(&script, "unset -f qz; eval %s; q=$(declare -f qz); git rendered %d \"$q\"\n", quote("qz() {\n"+text+"\n}"), i)
	}
	r, err := o.Run(script.String())
	if err != nil || r.TimedOut || r.Cut {
		t.Fatalf("%q: %+v, %v", texts, r, err)
	}
	out := make([]string, len(texts))
	for _, argv := range r.Execs {
		if len(argv) != 4 || argv[0] != "git" || argv[1] != "rendered" {
			continue
		}
		if i, err := strconv.Atoi(argv[2]); err == nil && i < len(out) {
			out[i] = argv[3]
		}
	}
	return out
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
