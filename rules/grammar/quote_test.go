package grammar

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for _, row := range []struct{ word, want string }{
		{"", "''"},
		{"git", "git"},
		{"--format=%h", "--format=%h"},
		{"a b", "'a b'"},
		{"it's", `'it'\''s'`},
		{"*", "'*'"},
		{"a?b", "'a?b'"},
		{"$HOME", "'$HOME'"},
		{`a\b`, `'a\b'`},
		{"HEAD~1", "HEAD~1"},
		{"HEAD^", "HEAD^"},
		{"HEAD^~2", "HEAD^~2"},
		{"stash@{0}", "stash@{0}"},
		{"{a,b}", "'{a,b}'"},
		{"{1..3}", "'{1..3}'"},
		{"~", "'~'"},
		{"~/x", "'~/x'"},
		{"a=~/x", "'a=~/x'"},
		{"#x", "'#x'"},
		{"a#x", "a#x"},
		{"app/[id]/page.tsx", "app/[id]/page.tsx"},
		{"naïve", "naïve"},
		{"a\u00a0b", "'a\u00a0b'"},
		{"a\u200bb", "'a\u200bb'"},
		{"a\nb", "'a\nb'"},
		{"a;b", "'a;b'"},
		{"\xff", "'\xff'"},
	} {
		if got := Quote(row.word); got != row.want {
			t.Errorf("Quote(%q) = %s, want %s", row.word, got, row.want)
		}
	}
}

// randomWord makes words of the characters that quoting is about.
func randomWord(r *rand.Rand) string {
	const alphabet = "ab~{},.[]#^!=:@%+/-_ \t\n'\"\\$`*?;&|<>()é漢\u200b"
	rs := []rune(alphabet)
	var b strings.Builder
	for n := r.IntN(9); n > 0; n-- {
		b.WriteRune(rs[r.IntN(len(rs))])
	}
	return b.String()
}

// bash is asked what the quoted words are. Only printf runs.
func TestQuoteAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	r := rand.New(rand.NewPCG(1, 2))
	var want []string
	script := "printf '%s\\0'"
	for range 4000 {
		w := randomWord(r)
		want = append(want, w)
		script += " " + Quote(w)
	}
	cmd := exec.Command(bash, "--norc", "--noprofile", "-c", script)
	cmd.Dir = t.TempDir() // no file that a bracket could match
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(got) != len(want) {
		t.Fatalf("%d words, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("Quote(%q) = %s, bash reads %q", want[i], Quote(want[i]), got[i])
		}
	}
}

func TestUnquote(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		w := randomWord(r)
		plain, _ := Text{{Lit: Quote(w)}}.Unquote()
		if got, _ := plain.flat(); got != w {
			t.Errorf("unquote(Quote(%q)) = %q", w, got)
		}
	}
}
