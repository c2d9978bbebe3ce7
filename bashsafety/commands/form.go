package commands

import (
	"slices"
	"strings"
	"unicode"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Form says what a call does whose words are as a pattern says. Forms only add: a word that is
// not known fits whatever it may be, and nothing in a form that Proves, Binds or Hides.
//
// A pattern is blank-separated and describes the words after the program, or after the subcommand
// of the row:
//
//	destroy      that word; rm|remove is one of several, delete-* any such word
//	*            any word, # a number
//	**           any words, none included; of a Loss none that is a verb of its own
//	^rm|mv       any word but these, a|^rm|mv and a besides; **:rm|mv any words of these, **:^rm any but that
//	$            no word follows
//	-f|--force   that option, wherever it is; of a Loss long ones may be abbreviated
//	--size=0     that option with that value, attached or as the next word
//	!--check     not with that option, which behind one that is not listed may be its value
//	=run         the subcommand, or a program without any, is called so
//	--           with that word: the pattern describes the words after it; !-- without it
//	~TEXT        a word holds that text; !~TEXT none does
//	@            a word that says one of lossVerbs
//	FILE         any word, and the form is about it: DIR is a folder with all that
//	             is below, STEM how names begin, - is standard output but as a PATH or DIR; SPEC,
//	             OBJECT and REPO are what git takes for that; COMMAND, TEXT, HOST and NAME read
//	             better; LINE is a COMMAND, of one word with blanks a TEXT
//	FILE...      all words from there on, at least one
//	FILE:*.rb    one that fits; FILE...:*.rb each that does, FILE:^lib* one that may not
//	-o=FILE      that option, and the form is about its value, which may be still to come; -o=@FILE about what
//	             follows the @, -o=*=FILE about what follows the first =
//	>go.mod      the form is about that file, or those of a pattern, whatever the words are; >dir/ with all that
//	             is below, >* about one that they do not tell
//
// Without any of these what is done to files is done to the folder one is in. After ** a FILE is the
// last word: "** FILE $". Where the row says NoOptions a word that starts
// with a dash is like any other.
type Form struct {
	If   string
	Does Act
	// Why is a clause about the program: why no pattern covers the call, of Disproves why it does more than
	// read, of Doubts "id: message". Of Configures it is the file in the home.
	Why string
}

// ofForms says what the forms say that the call is of.
func (c *Invocation) ofForms(forms []Form) {
	if !slices.ContainsFunc(forms, func(f Form) bool { return !f.Does.surely() }) {
		return
	}
	r := c.reading()
	for i := range forms {
		if f := &forms[i]; !f.Does.surely() && r.fitsPattern(f.If) {
			c.isOf(f, &r)
		}
	}
}

// surely reports whether every word of a call has to be known for an act.
func (a Act) surely() bool { return a == Proves || a == Binds || a == Hides }

// surely reports whether a form says for sure that the call does something.
func (c *Invocation) surely(act Act) bool {
	forms := c.Sub.Forms
	i := slices.IndexFunc(forms, func(f Form) bool { return f.Does == act })
	if i < 0 || forms[i].If == "" {
		return i >= 0
	}
	r := c.reading()
	r.sure = true
	return slices.ContainsFunc(forms, func(f Form) bool { return f.Does == act && r.fitsPattern(f.If) })
}

// reading is the one of the row's own grammar.
func (c *Invocation) reading() reading {
	from := 0
	for from < len(c.Opts) && !c.means(&c.Opts[from]) {
		from++
	}
	name := c.as
	if n := len(c.Subs); n > 0 {
		name = c.Subs[n-1]
	}
	r := reading{name: name, dash: -1, listed: true, bare: c.Sub.Style&NoOptions != 0, opts: c.Opts[from:], words: make([]*shell.Word, len(c.Operands))}
	for n, i := range c.Operands {
		if r.words[n] = &c.Argv[i]; r.dash < 0 && c.DashDash > 0 && i > c.DashDash {
			r.dash = n
		}
	}
	return r
}

// A reading is one way to take the words of a program apart: what an option
// that is not listed does with the next word is not known.
type reading struct {
	row   *Loss
	name  string        // of the subcommand, or the program
	words []*shell.Word // that are neither options nor their values
	// dash is how many of them precede a --, -1 where none does; skip how many the pattern leaves out.
	dash, skip int
	opts       []Used
	// dry is set when the program is only asked what it would do, or how it is used.
	dry bool
	// loose is set when nothing is known of the options: they are among the words, under
	// the names that are typed. What the shell does not know then fits nothing but *.
	loose bool
	// listed is set when the row's own grammar counts: an option has the name that is listed. bare is
	// set when it has none, sure when a word that is not known fits nothing.
	listed, bare, sure bool
	// The last pattern that fitted is about the words in its place, and about the values of these options.
	place    place
	from, to int
	values   []*Used
	file     string // or about this file
}

// A place is a word of a pattern that says what its Form is about; the zero value is any other word.
type place struct {
	name    string // one of Places
	fits    string // what the word there has to fit
	several bool   // it is each word from there on that does
}

// asked are the options that make every program print its help and end.
const asked = "--help --version -version"

// loosely reads the words after a program of whose options nothing is known: each may
// take the next word.
func loosely(args []shell.Word) reading {
	r := reading{loose: true, words: make([]*shell.Word, len(args))}
	sure := true
	for i := range args {
		w := &args[i]
		r.words[i] = w
		if name, _, given := strings.Cut(w.Text, "="); strings.HasPrefix(name, "-") {
			sure = sure && (name != "--" || !w.Known)
			u := Used{Name: name, Given: given, sure: sure}
			if given {
				u.Value = shell.Suffix(w, len(name)+1)
			}
			r.opts = append(r.opts, u)
		}
	}
	r.dry = r.saysOne(asked)
	return r
}

// isForm reports whether a call of a program is of a form: spellings of the program, and a pattern.
func (r *reading) isForm(form, program string) bool {
	spellings, pattern, _ := strings.Cut(form, " ")
	named := strings.Contains(spellings, program) && wordFits(spellings, &shell.Word{Text: program, Known: true})
	return named && !r.dry && r.fitsPattern(pattern)
}

func isOneOf(forms []string, program string, args []shell.Word) bool {
	r := loosely(args)
	return slices.ContainsFunc(forms, func(form string) bool { return r.isForm(form, program) })
}

// HasForm reports whether the words after a program fit a pattern of a Loss, whatever its
// options mean.
func HasForm(args []shell.Word, pattern string) bool {
	r := loosely(args)
	return !r.dry && r.fitsPattern(pattern)
}

// saysOne reports whether one of the options of a list is surely given.
func (r *reading) saysOne(list string) bool {
	for name := range strings.FieldsFuncSeq(list, func(c rune) bool { return c == ' ' || c == '|' }) {
		if r.onlySays(name) {
			return true
		}
	}
	return false
}

// onlySays reports whether an option is surely given under its full name, and
// no other occurrence takes it back.
func (r *reading) onlySays(name string) bool {
	says := false
	for i := range r.opts {
		if o := &r.opts[i]; o.Name == name && !o.hole {
			if o.off() || o.Given && !o.Value.Known {
				return false
			}
			says = says || o.sure
		}
	}
	return says
}

// fitsPattern reports whether a pattern describes the command.
func (r *reading) fitsPattern(pattern string) bool {
	var room [8]string
	words := room[:0]
	r.place, r.from, r.to, r.values, r.file, r.skip = place{}, 0, 0, nil, "", 0
	for token := range strings.FieldsSeq(pattern) {
		switch {
		case r.listed && !r.bare && strings.TrimPrefix(token, "!") == "--":
			if r.dash < 0 == (token == "--") {
				return false
			}
			if token == "--" {
				r.skip = r.dash
			}
		case token[0] == '!' && len(token) > 2 && token[1] == '~':
			if r.holds(token[2:], r.sure) {
				return false
			}
		case token[0] == '!':
			if r.loose && r.saysOne(token[1:]) || !r.loose && r.given(token[1:], r.listed && r.sure) {
				return false
			}
		case token[0] == '=':
			if !surelyFits(token[1:], &shell.Word{Text: r.name, Known: true}) {
				return false
			}
		case token[0] == '>':
			r.file = token[1:]
		case token[0] == '~':
			if !r.holds(token[1:], !r.sure) {
				return false
			}
		case token[0] == '-' && len(token) > 1 && !r.bare:
			if !r.given(token, r.listed && !r.sure) {
				return false
			}
		default:
			words = append(words, token)
		}
	}
	if !r.fitsWords(words) {
		return false
	}
	r.placed(words)
	return true
}

// placed finds the words that a pattern which fits is about.
func (r *reading) placed(pattern []string) {
	for i, token := range pattern {
		p := placeOf(token)
		if p.name == "" || !r.listed {
			continue
		}
		if r.place, r.from = p, r.skip+i; i > 0 && pattern[i-1] == "**" {
			r.from = len(r.words) - 1
		}
		if r.to = r.from + 1; p.several {
			r.to = len(r.words)
		}
	}
}

// Places are the words of a pattern that say what its Form is about.
const Places = "FILE PATH SPEC OBJECT REPO DIR STEM COMMAND LINE TEXT HOST NAME"

// placeOf takes a word of a pattern apart.
func placeOf(token string) place {
	name, fits, some := strings.Cut(token, ":")
	name, several := strings.CutSuffix(name, "...")
	switch {
	case !shell.Among(Places, name):
		return place{}
	case !some:
		fits = "*"
	}
	return place{name, fits, several}
}

// surelyFits reports whether a word is known and one that a pattern names, in its case.
func surelyFits(pattern string, w *shell.Word) bool {
	some, but, not := denied(pattern)
	isOne := func(p string) bool { return p != "" && like(p, w.Text, isSame) }
	return w.Known && (slices.ContainsFunc(strings.Split(some, "|"), isOne) || not && !wordFits(but, w))
}

// denied takes a pattern apart that says which words do not fit: ^rm|mv, a|^rm|mv.
func denied(pattern string) (some, but string, not bool) {
	if but, not = strings.CutPrefix(pattern, "^"); not {
		return "", but, true
	}
	return strings.Cut(pattern, "|^")
}

// cutBefore takes off what precedes the place in the value of an option: @FILE, *=FILE.
func cutBefore(value string) (before, rest string) {
	at := max(strings.IndexFunc(value, unicode.IsUpper), 0)
	if placeOf(value[at:]).name == "" {
		return "", value
	}
	return value[:at], value[at:]
}

// mayFit is wordFits where a word of which nothing is known may be anything.
func mayFit(pattern string, w *shell.Word) bool {
	return !w.Known && shell.LiteralPrefix(w) == "" || wordFits(pattern, w)
}

// holds reports whether a word or the value of an option holds a text, or with may where the row's own
// grammar counts may hold it.
func (r *reading) holds(text string, may bool) bool {
	inWord := func(w *shell.Word) bool { return strings.Contains(w.Text, text) || r.listed && may && !w.Known }
	inValue := func(u Used) bool { return u.Given && inWord(&u.Value) }
	return slices.ContainsFunc(r.words, inWord) || slices.ContainsFunc(r.opts, inValue)
}

// given reports whether an option is given. Where the row's own grammar counts it may be with may, else surely is:
// --option=false, and a value that is not known.
func (r *reading) given(token string, may bool) bool {
	options, value, valued := strings.Cut(token, "=")
	before, value := cutBefore(value)
	about := placeOf(value)
	for option := range strings.SplitSeq(options, "|") {
		name := strings.TrimLeft(option, "-")
		for i := range r.opts {
			o := &r.opts[i]
			switch means := r.named(o, name, option); {
			case means && about.name != "":
				some := o.needs && !strings.HasPrefix(about.fits, "^")
				if o = o.behind(before); o != nil && o.Given {
					some = mayFit(about.fits, &o.Value)
				}
				if o != nil && some {
					r.place, r.values = about, append(r.values, o)
				}
			case means && r.listed:
				if may && o.mayBe(value, valued) || !may && o.surely(value, valued) {
					return true
				}
			case means && o.says(value, valued):
				return true
			}
		}
	}
	return len(r.values) > 0 && about.name != ""
}

// named reports whether an option is the one of that name.
func (r *reading) named(o *Used, name, typed string) bool {
	if r.listed {
		return o.Name == name
	}
	return !r.loose && o.means(name) || o.Name == typed
}

// fitsWords reports whether the words begin as a pattern says.
func (r *reading) fitsWords(pattern []string) bool {
	words := r.words[r.skip:]
	n := len(words)
	var room [2][32]bool
	at, next := append(room[0][:0], make([]bool, n+1)...), append(room[1][:0], make([]bool, n+1)...)
	at[0] = true // where the next word of the pattern may be
	for _, p := range pattern {
		several := false
		if at := placeOf(p); at.name != "" && r.listed {
			p, several = at.fits, at.several
		}
		clear(next)
		some := false
		each, those := strings.CutPrefix(p, "**:")
		for i, w := range words {
			if !at[i] {
				continue
			}
			if p == "**" || those {
				next[i], some = true, true
				if those {
					at[i+1] = at[i+1] || r.wordFits(each, w)
				} else {
					at[i+1] = at[i+1] || r.loose || r.listed || !plainVerb(w)
				}
				continue
			}
			at[i+1] = at[i+1] || several
			for k := range r.skips(p, i) {
				at[i+k+1] = true
			}
			if p != "$" && r.wordFits(p, w) {
				next[i+1], some = true, true
			}
		}
		if at[n] && (p == "**" || p == "$" || those) {
			next[n], some = true, true
		}
		if at, next = next, at; !some {
			return false
		}
	}
	return true
}

// wordFits reports whether a word fits a word of the pattern.
func (r *reading) wordFits(p string, w *shell.Word) bool {
	switch {
	case p == "*":
		return true
	case r.sure:
		return surelyFits(p, w)
	case r.listed:
		return mayFit(p, w)
	}
	return (w.Known || !r.loose) && wordFits(p, w)
}

// skips is how many words from one on a pattern may leave out. A word of which nothing is
// known may be an option, or, where the pattern ends, no word at all.
func (r *reading) skips(p string, i int) int {
	w := r.words[i]
	switch {
	case r.listed:
	case !r.loose:
		if shell.NothingKnown(w) && (p != "$" || !w.Single) {
			return 1
		}
	case strings.HasPrefix(w.Text, "-"):
		if i+1 < len(r.words) && !strings.Contains(w.Text, "=") {
			return 2
		}
		return 1
	}
	return 0
}

// wordFits reports whether a word is, or may be, one that a pattern names.
func wordFits(pattern string, w *shell.Word) bool {
	if some, but, not := denied(pattern); not {
		is := surelyFits(but, w) || !w.Known && begins(but, shell.LiteralPrefix(w))
		return !is || some != "" && wordFits(some, w)
	}
	lit := shell.LiteralPrefix(w)
	for p := range strings.SplitSeq(pattern, "|") {
		switch {
		case p == "*", p == "@" && saysLoss(w), w.Known && like(p, w.Text, strings.EqualFold),
			!w.Known && lit != "" && mayBecome(p, lit):
			return true
		}
	}
	return false
}

// mayBecome reports whether a word that begins with a text may fit a pattern.
func mayBecome(pattern, start string) bool {
	head, _, star := strings.Cut(pattern, "*")
	return strings.HasPrefix(head, start) || star && strings.HasPrefix(start, head)
}

// begins reports whether all words that begin with a text fit a pattern.
func begins(pattern, start string) bool {
	return slices.ContainsFunc(strings.Split(pattern, "|"), func(p string) bool {
		head, open := strings.CutSuffix(p, "*")
		return open && head != "" && !strings.Contains(head, "*") && strings.HasPrefix(start, head)
	})
}

// like reports whether a text fits a pattern with * for any run of characters.
func like(pattern, text string, same func(a, b string) bool) bool {
	if pattern == "#" {
		return shell.Number(text)
	}
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return same(pattern, text)
	}
	if len(text) < len(head) || !same(text[:len(head)], head) {
		return false
	}
	if text = text[len(head):]; rest == "" {
		return true
	}
	for i := 0; i <= len(text); i++ {
		if like(rest, text[i:], same) {
			return true
		}
	}
	return false
}

func isSame(a, b string) bool { return a == b }
