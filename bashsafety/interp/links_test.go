package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// TestLinks: what a text does through a symlink that it makes itself is known.
func TestLinks(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"ln -s /etc x; echo > x/passwd", "write:/etc/passwd"},
		{"ln -s /etc x; cd x && touch passwd", "write:/etc/passwd"},
		{"ln -s /etc/passwd x; echo > x", "write:/etc/passwd"},
		{"ln -s ../h x && cp a x/b", "write:/h/b"},
		{"ln -sT /etc d/x; echo > d/x/y", "write:/etc/y"},
		{"ln -s /etc/ssl .; echo > ssl/y", "write:/etc/ssl/y"},
		{"ln -s -t d /etc; echo > d/etc/y", "write:/etc/y"},
		{"cp -s /etc/passwd x; echo > x", "write:/etc/passwd"},
		{"sudo ln -s ~ x; echo > x/.bashrc", "write:/home/u/.bashrc"},
		{"ln -s /a/b x; echo > x/../y", "write:/a/y"},
		{`ln -s "$y" x; echo > x/z`, "write:?"},
		{"ln -s /etc x; cat x/shadow", "read:/etc/shadow"},
		{"ln -s /etc x; rm x", "-delete:/etc"},
		{"ln -s /etc x; rm x/y", "delete:/etc/y"},
		{"ln -s /etc x; ln -sfn /usr x", "-write:/usr"},
		{"ln -s a b; ln -s b c; ln -s /etc a; echo > c/passwd", "write:/etc/passwd"},
		{"ln -s x/a x; echo > x", "-write:/etc"}, // a circle
		{"ln -s /etc x; echo > xy", "-write:/etcy"},
	} {
		s := bashsafety.Analyze(tt.text, analysis.Env{Cwd: "/w", Home: "/home/u"})
		found := false
		want, not := strings.CutPrefix(tt.want, "-")
		for i := range s.Subcommands {
			for _, e := range s.Subcommands[i].Effects {
				at := e.Path
				if !e.Known {
					at = "?"
				}
				found = found || fmt.Sprintf("%s:%s", map[shell.EffectKind]string{shell.Read: "read", shell.Write: "write", shell.Delete: "delete"}[e.Kind], at) == want
			}
		}
		if found == not {
			t.Errorf("%s: %s: %v", tt.text, tt.want, found)
		}
	}
}

// TestManyLinks: the effects that links add are bounded, and beyond that unknown.
func TestManyLinks(t *testing.T) {
	text := "ln -s /etc x\n" + strings.Repeat("ln -s /etc x$y; echo > x/a > x/b > x/c\n", 400)
	s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/home/u"})
	n := 0
	for i := range s.Subcommands {
		n += len(s.Subcommands[i].Effects)
	}
	if n > 5000 {
		t.Errorf("%d effects", n)
	}
}
