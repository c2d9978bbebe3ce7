package interp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

func BenchmarkAnalyze(b *testing.B) {
	for _, text := range []string{
		"git status",
		"cd /x && git diff --stat | head -20",
		"git commit -m \"$(cat <<'EOF'\nfix: a thing\n\nthat was broken\nEOF\n)\"",
	} {
		b.Run(text[:10], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bashsafety.Analyze(text, testEnv())
			}
		})
	}
}

// BenchmarkRecorded analyses the commands that agents were recorded to run. Of
// each the fastest run counts, because other work on the machine only adds.
func BenchmarkRecorded(b *testing.B) {
	calls := recordedCommands(b)
	best := make([]time.Duration, len(calls))
	bytes := 0
	b.ReportAllocs()
	for b.Loop() {
		for i, c := range calls {
			start := time.Now()
			bashsafety.Analyze(c.text, c.env)
			if d := time.Since(start); best[i] == 0 || d < best[i] {
				best[i] = d
			}
		}
	}
	for _, c := range calls {
		bytes += len(c.text)
	}
	slices.Sort(best)
	for _, p := range []int{50, 90, 99} {
		b.ReportMetric(float64(best[len(best)*p/100].Nanoseconds())/1000, fmt.Sprintf("p%d-µs", p))
	}
	b.ReportMetric(float64(best[len(best)-1].Nanoseconds())/1000, "max-µs")
	b.ReportMetric(float64(len(calls)), "commands")
	b.ReportMetric(float64(bytes)/float64(len(calls)), "bytes/command")
}

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

// BenchmarkLinear analyses texts of many shapes in three sizes; the time for a
// byte must not grow with the text.
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
