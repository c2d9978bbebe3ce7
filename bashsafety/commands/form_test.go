package commands

import (
	"cmp"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// formWords are the words of a call; ? is one of which nothing is known, and a word before one is its start.
func formWords(text string) []shell.Word {
	var words []shell.Word
	for f := range strings.FieldsSeq(text) {
		w := shell.Word{Text: f, Known: true, Single: true}
		if start, hole := strings.CutSuffix(f, "?"); hole {
			w = shell.Word{Text: start + shell.HoleMark, Single: true}
		}
		words = append(words, w)
	}
	return words
}

// TestFormFits says which calls are of a form, what it is about, and which are surely of it.
func TestFormFits(t *testing.T) {
	row := Command{Flags: "-x dry-run", Values: "-o output", OptValues: "check"}
	for _, tt := range []struct{ pattern, call, about string }{
		{"run", "run a", "sure"},
		{"run", "Run a", "may"},
		{"run", "ru? a", "may"},
		{"run", "? a", "may"},
		{"run", "a run", "no"},
		{"FILE", "a b", "a"},
		{"FILE", "", "no"},
		{"FILE", "?", "?"},
		{"FILE $", "a b", "no"},
		{"* FILE", "a b c", "b"},
		{"* FILE...", "a b c", "b c"},
		{"* FILE...", "a", "no"},
		{"** FILE $", "a b c", "c"},
		{"* ** FILE $", "a", "no"},
		{"^run|rm", "a", "sure"},
		{"^run|rm", "rm", "no"},
		{"^run|rm", "RM", "may"},
		{"^run|rm", "?", "may"},
		{"-v|--raw|^-*", "-", "no"},
		{"run|^r*", "run", "sure"},
		{"run|^r*", "rm", "no"},
		{"run|^r*", "a", "sure"},
		{"**:^c $", "a b", "sure"},
		{"**:^c $", "a c", "no"},
		{"**:a|b* c $", "a b bc c", "sure"},
		{"**:a|b* c $", "a d c", "no"},
		{"FILE:^*:*", "a:b", "no"},
		{"FILE:^+*", "+a?", "no"},
		{"FILE:^+*", "a?", "a?"},
		{"#", "50", "sure"},
		{"FILE...:^#", "5 a 0x", "a 0x"},
		{"-- COMMAND", "a -- b c", "b"},
		{"-- COMMAND", "a b c", "no"},
		{"-- COMMAND", "a --", "no"},
		{"-- * FILE...", "a -- -b c d", "c d"},
		{"!-- * COMMAND", "a b", "b"},
		{"!-- * COMMAND", "a -- b", "no"},
		{"-o=^json|yaml", "-o xml", "sure"},
		{"-o=@FILE", "-o @a", "a"},
		{"-o=@FILE", "-o a@b", "no"},
		{"-o=@FILE", "-o ?", "?"},
		{"-o=@FILE", "-o a?", "no"},
		{"-o=*=FILE", "-o a=b=c", "b=c"},
		{"-o=*=FILE", "-o a", "no"},
		{"-o=FILE:^@*", "-o a -o @b", "a"},
		{"-o=^json|yaml", "-o json", "no"},
		{"FILE...:*.rb", "a b.rb c d.rb", "b.rb d.rb"},
		{"FILE...:*.rb", "a b", "no"},
		{"FILE:*.rb", "? a", "?"},
		{"FILE:*.rb", "a.r? a", "a.r?"},
		{"FILE:*.rb", "a? a", "a?"},
		{"FILE:b*", "a? a", "no"},
		{"FILE...:^c*|b", "a b c.rb", "a"},
		{"NAME:^H|H^|H~*", "H^", "no"},
		{"NAME:^H|H^|H~*", "show", "show"},
		{"FILE:^a", "a? a", "a?"},
		{"^a|b FILE", "b c", "no"},
		{"^a|b FILE", "c d", "d"},
		{"^a|b", "c", "sure"},
		{"^a|b", "a?", "may"},
		{"-o=NAME:^x|y", "-o x", "no"},
		{"-o=NAME:^x|y", "-o X", "X"},
		{"FILE:^#", "a", "a"},
		{"FILE:^#", "1 a", "no"},
		{"-o=FILE:^#", "-o 1?", "1?"},
		{"-o=FILE:^#", "a -o", "no"},
		{"#", "10", "sure"},
		{"TEXT *", "a", "no"},
		{"TEXT *", "a b", "a"},
		{"-x FILE", "a", "no"},
		{"-x FILE", "-x a", "a"},
		{"!-x FILE", "-x a", "no"},
		{"!-x FILE", "a", "a"},
		{"-o|--output=FILE", "a -o b --output=c", "b c"},
		{"-o|--output=FILE:*/*", "a -o b --output=c/d", "c/d"},
		{"-o|--output=FILE:*/*", "-o b", "no"},
		{"-o=FILE:*/*", "a -o", "sure"},
		{"!-o", "-o false", "no"},
		{"-o=json", "-o json", "sure"},
		{"-o=json", "-o yaml", "no"},
		{"-o=json", "-o ?", "may"},
		{"!-o=json a", "-o ? a", "may"},
		{"!-o=json a", "-o json a", "no"},
		{"~secret", "a ?", "may"},
		{"!~secret a", "a ?", "may"},
		{"--check", "--check", "sure"},
		{"--check", "--check=false", "may"},
		{"!--check", "a", "sure"},
		{"!--check", "--check a", "no"},
		{"!--check", "--check=false a", "may"},
		{"!--check", "--frob --check a", "may"},
		{"~secret", "a my-secret-b", "sure"},
		{"=p|q -x", "-x", "sure"},
		{"=q -x", "-x", "no"},
		{">*", "a", "sure"},
		{"!~secret", "a my-secret-b", "no"},
	} {
		c := &Invocation{Cmd: &row, Sub: &row, as: "p", Argv: append(formWords("p"), formWords(tt.call)...), From: 1}
		a := parseArgs(c.Argv, 1, 0, []*Command{&row})
		c.add(&a)
		r, sure := c.reading(), c.reading()
		sure.sure = true
		got := "no"
		if r.fitsPattern(tt.pattern) {
			if got = "may"; sure.fitsPattern(tt.pattern) {
				got = "sure"
			}
			if words := aboutWords(&r); words != "" {
				got = words
			}
		}
		if got != tt.about {
			t.Errorf("%q of %q: got %q, want %q", tt.call, tt.pattern, got, tt.about)
		}
	}
}

// aboutWords are the words that a pattern which fits is about.
func aboutWords(r *reading) string {
	var out []string
	for n := r.from; n < r.to; n++ {
		if mayFit(r.place.fits, r.words[n]) {
			out = append(out, r.words[n].Text)
		}
	}
	for _, u := range r.values {
		out = append(out, u.Value.Text)
	}
	return strings.ReplaceAll(strings.Join(out, " "), shell.HoleMark, "?")
}

// TestFormsOnlyAdd holds that a form which says what a call does still says it of a call of which less is known, and
// that one which proves proves no more of it: a word that is not known may be anything.
func TestFormsOnlyAdd(t *testing.T) {
	random := rand.New(rand.NewSource(50))
	forms, calls := 0, 0
	eachRow(func(m, row *Command) {
		for i := range row.Forms {
			forms++
			for range 40 {
				calls += onlyAdds(t, random, m, row, &row.Forms[i])
			}
		}
	})
	if forms < 40 || calls < 20*forms {
		t.Errorf("only %d forms and %d calls", forms, calls)
	}
}

// onlyAdds makes a call, takes one operand or value after the other away and counts them.
func onlyAdds(t *testing.T, random *rand.Rand, m, row *Command, f *Form) (calls int) {
	fits := func(argv []shell.Word) bool {
		c := &Invocation{Cmd: m, Sub: row, Argv: argv, From: 1, as: row.Name()}
		a := parseArgs(argv, 1, row.Style, []*Command{row})
		c.add(&a)
		r := c.reading()
		r.sure = f.Does.surely()
		return r.fitsPattern(f.If)
	}
	argv := callLike(random, row, f.If)
	known := fits(argv)
	for i := range argv[1:] {
		if strings.HasPrefix(argv[i+1].Text, "-") {
			continue
		}
		less := slices.Clone(argv)
		less[i+1] = formWords("?")[0]
		now := fits(less)
		if sure := f.Does.surely(); sure && now && !known || !sure && known && !now {
			t.Errorf("%s: %q: %v of %v, %v of %v", row.Names, f.If, known, textsOf(argv), now, textsOf(less))
		}
		calls++
	}
	return calls
}

// callLike makes a call that may be of a pattern.
func callLike(random *rand.Rand, row *Command, pattern string) []shell.Word {
	words := []string{row.Name()}
	some := []string{"a", "b.rb", "list", "-", "x=y", "file:z", "d/e"}
	for token := range strings.FieldsSeq(pattern) {
		if token[0] == '=' {
			continue
		}
		option, value, _ := strings.Cut(strings.TrimPrefix(token, "!"), "=")
		one := strings.Split(option, "|")
		word := one[random.Intn(len(one))]
		switch {
		case word == "$", word[0] == '~', word[0] == '>', token[0] == '!' && random.Intn(3) > 0:
			continue
		case word == "**", word == "*":
			word = some[random.Intn(len(some))]
		default:
			name, fits, _ := strings.Cut(word, ":")
			if shell.Among(Places, strings.TrimSuffix(name, "...")) {
				word = cmp.Or(strings.ReplaceAll(fits, "*", "x"), some[random.Intn(len(some))])
			}
		}
		words = append(words, word)
		if value != "" {
			_, fits, _ := strings.Cut(value, ":")
			words = append(words, cmp.Or(strings.ReplaceAll(fits, "*", "x"), strings.Split(value, "|")[0]))
		}
	}
	for range random.Intn(3) {
		words = append(words, some[random.Intn(len(some))])
	}
	return formWords(strings.Join(words, " "))
}

func textsOf(argv []shell.Word) (texts []string) {
	for i := range argv {
		texts = append(texts, strings.ReplaceAll(argv[i].Text, shell.HoleMark, "?"))
	}
	return texts
}
