package gate

import (
	"io"
	"testing"

	"github.com/spf13/pflag"
)

// TestPlain: what needs no table of options is read as the table reads it.
func TestPlain(t *testing.T) {
	words := []string{"--host", "--event", "--home", "claude", "", "--", "-", "--host=x", "--headless", "--cwd", "--hos"}
	plain := 0
	for n := range 5 {
		for i := range pow(len(words), n) {
			var args []string
			for range n {
				args, i = append(args, words[i%len(words)]), i/len(words)
			}
			var got, want Flags
			if !got.Plain(args) {
				continue
			}
			plain++
			flags := pflag.NewFlagSet("hook", pflag.ContinueOnError)
			flags.SetOutput(io.Discard)
			want.Register(flags)
			if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
				t.Fatalf("%q: %v, %q", args, err, flags.Args())
			}
			if got.Host != want.Host || got.Event != want.Event || got.Home != want.Home {
				t.Fatalf("%q: %+v, want %+v", args, got, want)
			}
		}
	}
	if plain < 900 {
		t.Errorf("%d of all", plain)
	}
}

func pow(base, n int) int {
	out := 1
	for range n {
		out *= base
	}
	return out
}
