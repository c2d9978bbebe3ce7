package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// TestSpawns: a loop without an end that starts jobs is not proven to only read.
func TestSpawns(t *testing.T) {
	for _, text := range []string{
		"while :; do sleep 99999 & done",
		"until false; do (cat x &); done",
		"while true; do { ls & }; sleep 1; done",
		"for ((;;)); do sleep 9 & done",
		"for i in $(seq 1 100000); do sleep 9 & done",
		"for i in {1..1000}; do sleep 9 & done",
		"while read l; do grep \"$l\" x & done < y",
		"while :; do if true; then ls | wc & fi; done",
		"seq 99999 | xargs -I{} sh -c 'sleep 9 &'",
		"while :; do bash -c 'sleep 9 &'; done",
		"while :; do echo $(sleep 9 & ) ; done",
	} {
		if provenText(text) {
			t.Errorf("%s: proven to only read", text)
		}
	}
	for _, text := range []string{
		"sleep 1 & wait",
		"for i in 1 2 3; do grep x f$i & done; wait",
		"for f in *.go; do wc -l \"$f\" & done; wait",
		"while read l; do echo x; done < y",
		"grep a x & grep b x & wait",
		"for i in {1..5}; do ls & done",
	} {
		if !provenText(text) {
			t.Errorf("%s: not proven to only read", text)
		}
	}
}

// provenText reports whether the tables prove a text to only read.
func provenText(text string) bool {
	s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Dir: "/w", Home: "/home/u"})
	for i := range s.Subcommands {
		if s.Subcommands[i].Unproven() != "" {
			return false
		}
		for _, e := range s.Subcommands[i].Effects {
			if e.Kind == shell.Network || e.Kind == shell.Unknown {
				return false
			}
		}
	}
	return len(s.Doubts)+len(s.Findings) == 0
}
