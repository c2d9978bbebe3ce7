package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A flow follows secrets through a text, from what reads them or prints the environment, by pipes,
// substitutions, variables and files, to what sends something away.
type flow struct {
	s *analysis.Analysis
	// carries is set where the output may hold a secret, signs where that may sign in to, see
	// commands.Credential.
	carries []bool
	signs   []string
	files   []*shell.Effect // what such a command writes
	names   []flowName
}

// A flowName is a variable that may hold a secret, and where that may sign in to.
type flowName struct{ name, signs string }

func sendsSecrets(s *analysis.Analysis) []analysis.Finding {
	if !sends(s) {
		return nil
	}
	f := &flow{s: s, carries: make([]bool, len(s.Subcommands)), signs: make([]string, len(s.Subcommands))}
	for i := range s.Subcommands {
		f.carries[i] = f.source(i)
		sub := &s.Subcommands[i]
		if from := tellsSecret(sub); f.carries[i] && from != nil {
			f.signs[i] = from.Issuer
		} else if f.carries[i] {
			f.signs[i] = picked(sub, "")
		}
	}
	f.spread()
	return remote.RunningAt(s, func(i int, sub *analysis.Subcommand) bool {
		to := senderOf(sub)
		return to != nil && f.leaves(i, to) || f.dials(i)
	})
}

// sends reports whether anything in the text talks to another machine at all.
func sends(a *analysis.Analysis) bool {
	for i := range a.Subcommands {
		sub := &a.Subcommands[i]
		if senderOf(sub) != nil || len(sub.Programs) > 0 {
			return true
		}
		if slices.ContainsFunc(sub.Effects, dial) {
			return true
		}
	}
	return false
}

// spread follows what is carried until nothing is added; each round costs the
// square of the subcommands, and a text has few stages.
func (f *flow) spread() {
	const rounds = 6
	for range rounds {
		grown := false
		for i := range f.s.Subcommands {
			if !f.carries[i] && f.reached(i) {
				f.carries[i], grown = true, true
			}
		}
		for i := range f.s.Subcommands {
			if f.carries[i] {
				grown = f.keeps(i) || grown
			}
		}
		if !grown {
			return
		}
	}
}

// reached reports whether a subcommand gets what another one carries.
func (f *flow) reached(i int) bool {
	sub := &f.s.Subcommands[i]
	if !sub.Here() || shell.Listed(measures, sub.Program) {
		return false
	}
	if k := f.piped(sub); k >= 0 {
		f.signs[i] = picked(sub, f.signs[k])
		return true
	}
	if k := f.substituted(i); k >= 0 {
		f.signs[i] = f.signs[k]
		return true
	}
	if n := f.variable(sub.Argv); n != nil {
		f.signs[i] = picked(sub, n.signs)
		return true
	}
	return f.pipedVariable(sub) || f.readsTaken(sub)
}

// pipedVariable reports whether PowerShell feeds a command a variable with a secret: $x | command.
func (f *flow) pipedVariable(sub *analysis.Subcommand) bool {
	at := strings.TrimRight(f.s.Text[:min(sub.Span.Start, len(f.s.Text))], " \t")
	value, piped := strings.CutSuffix(at, "|")
	value = value[strings.LastIndexAny(value, ";\n{}=|(")+1:]
	return piped && strings.HasPrefix(strings.TrimLeft(value, " \t"), "$") &&
		slices.ContainsFunc(f.names, func(n flowName) bool { return mentions(value, n.name) })
}

// piped is the subcommand with a secret whose output another one reads, -1 for none.
func (f *flow) piped(sub *analysis.Subcommand) int {
	for _, k := range sub.From {
		if k < len(f.carries) && f.carries[k] {
			return k
		}
	}
	return -1
}

// substituted is the subcommand with a secret that is in a word of another one, or in what that is
// fed; -1 for none.
func (f *flow) substituted(i int) int {
	sub := &f.s.Subcommands[i]
	for k := range f.s.Subcommands {
		in := &f.s.Subcommands[k]
		if k != i && f.carries[k] && (insideWord(sub, in) || insideText(sub, in)) {
			return k
		}
	}
	return -1
}

// insideText reports whether inner is substituted in the text that outer is fed.
func insideText(outer, inner *analysis.Subcommand) bool {
	w := outer.StdinText
	return w != nil && !w.Known && len(inner.Via) > len(outer.Via) && w.Span.Contains(inner.Span)
}

// readsTaken reports whether a command reads a file that a secret was put in.
func (f *flow) readsTaken(sub *analysis.Subcommand) bool {
	return slices.ContainsFunc(sub.Effects, func(e shell.Effect) bool {
		taken := func(file *shell.Effect) bool { return samePlace(f.s, &e, file) }
		return analysis.ReadsContent(&e) && slices.ContainsFunc(f.files, taken)
	})
}

// samePlace reports whether a path that is read may be one that was written: known, or spelled
// alike.
func samePlace(a *analysis.Analysis, read, written *shell.Effect) bool {
	switch {
	case read.Known && written.Known:
		return covers(read, written) || covers(written, read)
	case read.Glob && written.Known:
		return commands.LikeName(read.Path, written.Path)
	case read.Known, written.Known:
		return false
	}
	if read.Path != written.Path || read.Temp && written.Temp {
		return read.Path == written.Path
	}
	variable := spelling(a, read)
	return variable != "" && variable == spelling(a, written)
}

// covers reports whether an effect is on the path of another, or on a tree around it.
func covers(e *shell.Effect, other *shell.Effect) bool {
	return e.Path == other.Path || e.Recursive && (e.Path == "/" || strings.HasPrefix(other.Path, e.Path+"/"))
}

// spelling is the variable a path is written as: "$f" for $f, "$f" and ${f}; ""
// where it is more than one.
func spelling(a *analysis.Analysis, e *shell.Effect) string {
	if !holds(a, e.Span) {
		return ""
	}
	t := strings.Trim(a.Text[e.Span.Start:e.Span.End], `"'@<>=(){} `)
	if i := strings.LastIndexByte(t, '$'); i >= 0 {
		return strings.Trim(t[i+1:], `{}"`)
	}
	return ""
}

// holds reports whether a place is one of the text, and not empty.
func holds(a *analysis.Analysis, p shell.Span) bool {
	return p.Start >= 0 && p.Start < p.End && p.End <= len(a.Text)
}

// keeps notes where what a subcommand carries is kept: files and variables.
func (f *flow) keeps(i int) (grown bool) {
	sub := &f.s.Subcommands[i]
	sends := senderOf(sub) != nil && !fetchesCredentials(i, sub)
	for e := range sub.Puts {
		answer := sends && !e.Redirect // what a sender is told to write is nothing it carries
		if !slices.Contains(f.files, e) && !answer {
			f.files, grown = append(f.files, e), true
		}
	}
	for _, name := range assigns(f.s, sub) {
		if !slices.ContainsFunc(f.names, func(n flowName) bool { return n.name == name }) {
			f.names, grown = append(f.names, flowName{name, f.signs[i]}), true
		}
	}
	return grown
}

// variable returns a variable with a secret that one of the words uses.
func (f *flow) variable(words []shell.Word) *flowName {
	for i := range words {
		if n := f.used(&words[i]); n != nil {
			return n
		}
	}
	return nil
}

// used returns the variable with a secret that a word uses, nil when it uses none.
func (f *flow) used(w *shell.Word) *flowName {
	if w.Known || len(f.names) == 0 || !holds(f.s, w.Span) {
		return nil
	}
	text := f.s.Text[w.Span.Start:w.Span.End]
	for i := range f.names {
		if mentions(text, f.names[i].name) {
			return &f.names[i]
		}
	}
	return nil
}

func mentions(text, name string) bool {
	for {
		i := strings.IndexByte(text, '$')
		if i < 0 {
			return false
		}
		text = strings.TrimLeft(text[i+1:], "{#!")
		if rest, ok := strings.CutPrefix(text, name); ok && (rest == "" || !shell.NameByte(rest[0])) {
			return true
		}
	}
}

// signsIn reports whether a client logs in with a word: a header for that, or the value of -u.
func signsIn(argv []shell.Word, k int) bool {
	t, option := strings.ToLower(argv[k].Text), ""
	if k > 0 {
		option = argv[k-1].Text
	}
	if shell.Among("-u --user --oauth2-bearer", option) || shell.StartsWithAny(t, "--user=", "--oauth2-bearer=") {
		return true
	}
	header, ok := headerIn(option, t)
	if !ok && !shell.Listed("http https xh", argv[0].Text) { // HTTPie names headers without an option
		return false
	}
	name, _, ok := strings.Cut(header, ":")
	return ok && shell.ContainsAny(name, "auth", "token", "key", "cookie")
}

// headerIn is the header that an option of curl gives, and whether there is one.
func headerIn(option, word string) (string, bool) {
	cluster := len(option) > 1 && option[0] == '-' && option[1] != '-' && option[len(option)-1] == 'H' // -sSH
	if cluster || option == "--header" {
		return word, true
	}
	if rest, ok := strings.CutPrefix(word, "-h"); ok {
		return rest, true
	}
	return strings.CutPrefix(word, "--header=")
}

// namesSecret reports whether a word names a secret that the tables take for no file: f=@.env, put
// .env.
func (f *flow) namesSecret(i int, to *sender) bool {
	sub := &f.s.Subcommands[i]
	puts := func(text string) bool { return f.putsSecret(text, sub) }
	for k := range sub.Argv[1:] {
		if w := &sub.Argv[1+k]; w.Known && (f.namedFile(w.Text, sub) || to.Lines && puts(w.Text)) {
			return true
		}
	}
	return f.givenSecret(sub) || to.Lines && slices.ContainsFunc(f.s.Fed(i), puts)
}

// namedFile reports whether the file that a word has after an @ or < is a secret.
func (f *flow) namedFile(word string, sub *analysis.Subcommand) bool {
	at := strings.LastIndexAny(word, "@<")
	return at >= 0 && at+1 < len(word) && f.secretAt(word[at+1:], sub)
}

// givenSecret reports whether a word of a sender whose files no table knows is a
// secret. Where it fetches something, the last word is where that goes.
func (f *flow) givenSecret(sub *analysis.Subcommand) bool {
	if sub.Does(shell.Read) {
		return false
	}
	fetches := false
	for k := 1; k < len(sub.Argv); k++ {
		w := &sub.Argv[k]
		place := strings.Contains(w.Text, ":") // HOST:FILE
		target := fetches && k == len(sub.Argv)-1
		value := k > 1 && strings.HasPrefix(sub.Argv[k-1].Text, "-") // of an option
		if sent := !place && !target && !value; sent && w.Known && f.secretAt(w.Text, sub) {
			return true
		}
		fetches = fetches || place
	}
	return false
}

// putsSecret looks for lines that send a file.
func (f *flow) putsSecret(text string, sub *analysis.Subcommand) bool {
	lines := strings.FieldsFunc(lang.Unescaped(text), func(r rune) bool { return r == '\n' || r == ';' })
	return slices.ContainsFunc(lines, func(line string) bool {
		words := strings.Fields(line)
		return len(words) > 1 && shell.Listed("put mput reput send append mirror", words[0]) &&
			slices.ContainsFunc(words[1:], func(w string) bool { return f.secretAt(w, sub) })
	})
}

// secretAt reports whether a path, from where a subcommand runs, is a secret.
func (f *flow) secretAt(name string, sub *analysis.Subcommand) bool {
	if f.s.Env.Secret == nil || name == "" || strings.HasPrefix(name, "-") {
		return false
	}
	name, _, _ = strings.Cut(name, ";") // curl -F f=@a;type=b
	w := shell.Literal(name, &sub.Argv[0])
	if rest, ok := strings.CutPrefix(name, "~/"); ok && f.s.Env.Home != "" {
		w.Text = f.s.Env.Home + "/" + rest
	}
	reads := shell.EffectsOf(shell.Read, &w, &shell.CwdState{Dirs: sub.Dirs})
	return slices.ContainsFunc(reads, func(e shell.Effect) bool { return f.s.Env.Secret(&e) })
}

// codeSends finds program texts that talk to the network and name a secret, or the whole environment. What loads a
// file of variables only sets them.
func codeSends(s *analysis.Analysis) []analysis.Finding {
	f := &flow{s: s}
	const longest = 200
	return remote.RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		return sub.Here() && slices.ContainsFunc(sub.Programs, func(t *code.Text) bool {
			names := func(name string) bool {
				return len(name) < longest && !strings.ContainsAny(name, " \n") && f.secretAt(name, sub)
			}
			return t.Talks() && (t.Does(code.Tells) || slices.ContainsFunc(t.Strings, names))
		})
	})
}
