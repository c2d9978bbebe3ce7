package interp_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/internal/test/oracle"
	"github.com/permgate--owner/permgate/internal/test/testenv"
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

// wordAssigns comes before every word.
const wordAssigns = "v=abc; w='a  b '; e=''; l=(x 'y z' '')\n"

// wordBatch is how many words one text for the oracle holds. All of them are arguments of one program, with nextWord in
// front of each: to start a program is what takes long.
const wordBatch = 500

const nextWord = "next-word"

// TestBash holds the analysis against what bash does under one oracle. The texts differ from one level to the next in
// their number only.
func TestBash(t *testing.T) {
	o := oracle.New(t)
	every := testenv.Every(t, 8, 1, 1)
	t.Run("words", func(t *testing.T) { compareWords(t, o, 4000/every) })
	t.Run("renderings", func(t *testing.T) { compareRenderings(t, o, 2000/every) })
	t.Run("hidden evaluation", func(t *testing.T) { findHidden(t, o, every) })
}

// compareWords compares the words we make with those bash makes: those a
// program receives, and what printf %q makes of them, read by us.
func compareWords(t *testing.T, o *oracle.Oracle, n int) {
	env := analysis.Env{Cwd: o.Dir, Home: o.Home}
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, n)
	for i := range words {
		words[i] = randomWord(r)
	}
	exact := 0
	for batch := range slices.Chunk(words, wordBatch) {
		argv, quoted := bashWords(t, o, batch)
		for i, w := range batch {
			got, known := knownArgs(wordAssigns+"git "+w, env)
			if !known {
				continue
			}
			exact++
			if !slices.Equal(got, argv[i]) {
				t.Errorf("%s\n got %q\nbash %q", w, got, argv[i])
			}
			if len(argv[i]) == 0 {
				continue // %q of nothing is an empty word
			}
			if again, known := knownArgs("git "+quoted[i], env); !known || !slices.Equal(again, argv[i]) {
				t.Errorf("%s\nprintf %%q %s\nread %q, %v, want %q", w, quoted[i], again, known, argv[i])
			}
		}
	}
	if exact < len(words)*3/4 {
		t.Errorf("only %d of %d words are known exactly", exact, len(words))
	}
	t.Logf("%d of %d words are known exactly", exact, len(words))
}

func randomWord(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		b.WriteString(wordPieces[r.IntN(len(wordPieces))])
	}
	return b.String()
}

// bashWords returns, for each word, the arguments a program receives for it and
// how printf %q writes these.
func bashWords(t *testing.T, o *oracle.Oracle, words []string) (argv [][]string, quoted []string) {
	t.Helper()
	all := " " + nextWord + " " + strings.Join(words, " "+nextWord+" ")
	r, err := o.Run(wordAssigns + "git" + all + "\nprintf -v q '%q ' " + all + "\ngit \"$q\"\n")
	if err != nil || r.TimedOut || r.Cut || len(r.Execs) != 2 {
		t.Fatalf("%q: %+v, %v", words, r, err)
	}
	for _, arg := range r.Execs[0][1:] {
		if arg == nextWord {
			argv = append(argv, nil)
		} else {
			argv[len(argv)-1] = append(argv[len(argv)-1], arg)
		}
	}
	quoted = strings.Split(r.Execs[1][1], nextWord+" ")[1:]
	if len(argv) != len(words) || len(quoted) != len(words) {
		t.Fatalf("%d and %d results for %d words", len(argv), len(quoted), len(words))
	}
	return argv, quoted
}

// knownArgs returns the arguments of the one command in a text, false when one
// is not known.
func knownArgs(text string, env analysis.Env) (args []string, known bool) {
	s := bashsafety.Analyze(text, env)
	var found *analysis.Subcommand
	for i := range s.Subcommands {
		if sub := &s.Subcommands[i]; !sub.Structural && found == nil { // the next is what zsh makes of it
			found = sub
		}
	}
	if found == nil || hasDoubt(s, "parser-diff") {
		return nil, false
	}
	for _, w := range found.Argv[1:] {
		if !w.Known {
			return nil, false
		}
		args = append(args, w.Text)
	}
	return args, true
}
