package bashsafety

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// pieces of words that bash may expand without running or reading anything.
var wordPieces = [...]string{
	"a", "b", "xyz", "-", "=", "/", ".", ":", ",", "+", "%", "@", "1", "01", "10", "..",
	`\a`, `\\`, `\'`, `\"`, `\ `, `\$`, `\{`, `\*`, "\\\n", `\~`,
	"''", "'a b'", `'\'`, `'"'`, "'*'", "'{a,b}'", `'$x'`,
	`""`, `"a  b"`, `"'"`, `"\""`, `"\\"`, `"\a"`, `"\$x"`, "\"\\`\"", "\"a\\\nb\"", `"{a,b}"`, `"~"`,
	`$'a'`, `$'\n'`, `$'\t\\'`, `$'\x41\x4'`, `$'\101\7'`, `$'\''`, `$'\q\"'`, `$'a\0b'`, `$'\u0041'`, `$'\e\a\b\f\v\r'`, `$"a b"`,
	"{", "}", "{a,b}", "{,x}", "{a,{b,c}}", "{1..3}", "{3..1}", "{a..e..2}", "{01..10..3}", "{a}", "{}", "{a,b", "{1..}", "{1..2..0}", "{-2..2}", "{a..3}", "{x,y}}", "{{a,b}",
	"~", "~/", "~/x", "~x/y", "a=~", "a=~/x:~", "b=~/",
	"$v", "${v}", `"$v"`, `"${v}x"`, "$w", `"$w"`, "$e", `"$e"`, "${w}b",
	`"${l[@]}"`, `"x${l[@]}y"`,
}

// TestWordOracle compares the words we make with those bash makes.
func TestWordOracle(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash to compare with")
	}
	const assigns = "v=abc; w='a  b '; e=''; l=(x 'y z' '')\n"
	r := rand.New(rand.NewPCG(1, 2))
	var words []string
	for len(words) < 4000 {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(wordPieces[r.IntN(len(wordPieces))])
		}
		words = append(words, b.String())
	}
	var script strings.Builder
	script.WriteString(assigns)
	for _, w := range words {
		script.WriteString("printf '%s\\0' : " + w + "\nprintf '\\1'\n")
	}
	cmd := exec.Command(bash, "--norc", "--noprofile")
	cmd.Stdin = strings.NewReader(script.String())
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"HOME=/home/u", "LC_ALL=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := bytes.Split(out, []byte{1})
	if len(answers) != len(words)+1 {
		t.Fatalf("bash gave %d answers for %d words", len(answers)-1, len(words))
	}
	exact := 0
	for i, w := range words {
		got, known := analysed(t, assigns+"printf : "+w)
		want := string(answers[i])
		if !known {
			continue
		}
		exact++
		if got != want {
			t.Errorf("%s\n got %q\nbash %q", w, got, want)
		}
	}
	if exact < len(words)*8/10 {
		t.Errorf("only %d of %d words are known exactly", exact, len(words))
	}
}

// analysed returns the words of the one command in the text, each ended by NUL.
func analysed(t *testing.T, text string) (string, bool) {
	s := Analyze(text, testEnv())
	if len(s.Subcommands) != 1 || hasDoubt(s, "parser-diff") {
		return "", false
	}
	var b strings.Builder
	for _, w := range s.Subcommands[0].Argv[1:] {
		if !w.Known {
			return "", false
		}
		b.WriteString(w.Text + "\x00")
	}
	return b.String(), true
}
