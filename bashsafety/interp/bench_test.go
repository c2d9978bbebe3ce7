package interp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A recordedCommand is the text of one recorded call and where it ran.
type recordedCommand struct {
	text string
	env  analysis.Env
}

func recordedCommands(t testing.TB) (all []recordedCommand) {
	t.Helper()
	for line := range strings.Lines(string(testenv.Corpus(t, "corpus/real_calls.jsonl"))) {
		var call struct {
			Cwd   string `json:"cwd"`
			Tool  string `json:"tool_name"`
			Input struct {
				Command string `json:"command"`
			} `json:"tool_input"`
		}
		if err := json.Unmarshal([]byte(line), &call); err != nil || call.Tool != "Bash" {
			continue // the input of other tools has another form
		}
		all = append(all, recordedCommand{call.Input.Command, analysis.Env{Cwd: call.Cwd, Home: "/home/dev"}})
	}
	return all
}

// BenchmarkLinear analyses texts of many shapes in three sizes; the time for a byte must not grow with the text.
func BenchmarkLinear(b *testing.B) {
	for _, c := range []struct {
		name  string
		shape textShape
	}{
		{"commands", textShape{open: "git -C \"$dir\" commit -q -m 'a message of some length' -- src/a.go src/b.go 2>&1 | tail -n 20 && make -C build test > /tmp/log.txt\n"}},
		{"words", textShape{before: "rm ", open: "src/a.go 'b c' \"$d\" e\\ f "}},
		{"assignments", textShape{open: "x=\"$x y\" z=~/a:b\n"}},
		{"heredoc", textShape{before: "cat > f <<'EOF'\n", open: "a line of \"text\" with $things in it\n", after: "EOF\n"}},
		{"expanded-heredoc", textShape{before: "cat > f <<EOF\n", open: "a line of \"text\" with ${things} in it\n", after: "EOF\n"}},
		{"quoted", textShape{before: "git commit -m \"", open: "a line of 'text' \\\"escaped\\\" $here\n", after: "\""}},
		{"comments", textShape{open: "# a comment of some length\n"}},
		{"nested", textShape{before: strings.Repeat("if a; then ", 50), open: "x=1\n", after: strings.Repeat(" fi;", 50)}},
		{"loop", textShape{before: "for i in a b c d; do ", open: "x=$i\n", after: " done"}},
		{"program", textShape{before: "sh -c '", open: "x=1 y=\"$x\"\n", after: "'"}},
		{"substitutions", textShape{before: ": ", open: "\"$((1 + 2))\" ${x:-y} "}},
		{"unparsable", textShape{before: ") ", open: "x=1; "}},
		{"too-deep", textShape{open: "( ", middle: "a", shut: " )"}},
		{"brackets", textShape{before: "echo $((", open: "(')'+", middle: "1", shut: ")", after: "))"}},
		{"chain", textShape{open: "x=1 && ", middle: "x=1"}},
		{"pipeline", textShape{open: "x=1 | ", middle: "x=1"}},
	} {
		for _, size := range []int{1 << 10, 8 << 10, 64 << 10} {
			text := c.shape.fill(size, true)
			b.Run(fmt.Sprintf("%s/%dKiB", c.name, size>>10), func(b *testing.B) {
				for b.Loop() {
					bashsafety.Analyze(text, testEnv())
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)), "ns/byte")
			})
		}
	}
}
