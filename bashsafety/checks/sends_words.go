package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// signsIn reports whether a word of a client is what it logs in with: a header
// for that, or the value of -u.
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

// namesSecret reports whether a word, or a line a sender obeys, names a secret in
// a form the tables take no file from: f=@.env, put .env.
func (f *flow) namesSecret(i int, to *sender) bool {
	sub := &f.s.Subcommands[i]
	puts := func(text string) bool { return f.putsSecret(text, sub) }
	for k := range sub.Argv[1:] {
		if w := &sub.Argv[1+k]; w.Known && (f.namedFile(w.Text, sub) || to.Lines && puts(w.Text)) {
			return true
		}
	}
	return f.givenSecret(sub) || to.Lines && slices.ContainsFunc(fedTexts(f.s, i), puts)
}

// namedFile reports whether the file that a word has after an @ or < is a secret.
func (f *flow) namedFile(word string, sub *interp.Subcommand) bool {
	at := strings.LastIndexAny(word, "@<")
	return at >= 0 && at+1 < len(word) && f.secretAt(word[at+1:], sub)
}

// givenSecret reports whether a word of a sender whose files no table knows is a
// secret. Where it fetches something, the last word is where that goes.
func (f *flow) givenSecret(sub *interp.Subcommand) bool {
	if slices.ContainsFunc(sub.Effects, func(e shell.Effect) bool { return e.Kind == shell.Read }) {
		return false
	}
	fetches := false
	for k := 1; k < len(sub.Argv); k++ {
		w := &sub.Argv[k]
		place := strings.Contains(w.Text, ":") // HOST:FILE
		target := fetches && k == len(sub.Argv)-1
		if sent := !place && !target && !afterOption(sub.Argv, k); sent && w.Known && f.secretAt(w.Text, sub) {
			return true
		}
		fetches = fetches || place
	}
	return false
}

func afterOption(argv []shell.Word, k int) bool {
	return k > 1 && strings.HasPrefix(argv[k-1].Text, "-")
}

// putsSecret looks for lines that send a file.
func (f *flow) putsSecret(text string, sub *interp.Subcommand) bool {
	lines := strings.FieldsFunc(lang.Unescaped(text), func(r rune) bool { return r == '\n' || r == ';' })
	return slices.ContainsFunc(lines, func(line string) bool {
		words := strings.Fields(line)
		return len(words) > 1 && shell.Listed("put mput reput send append mirror", words[0]) &&
			slices.ContainsFunc(words[1:], func(w string) bool { return f.secretAt(w, sub) })
	})
}

// secretAt reports whether a path as it is written, from where a subcommand runs,
// is a secret.
func (f *flow) secretAt(name string, sub *interp.Subcommand) bool {
	if f.s.Env.Secret == nil || name == "" || strings.HasPrefix(name, "-") {
		return false
	}
	name, _, _ = strings.Cut(name, ";") // curl -F f=@a;type=b
	w := shell.Literal(name, &sub.Argv[0])
	if rest, ok := strings.CutPrefix(name, "~/"); ok && f.s.Env.Home != "" {
		w.Text = f.s.Env.Home + "/" + rest
	}
	for _, e := range shell.EffectsOf(shell.Read, &w, &shell.CwdState{Dirs: sub.Dirs}) {
		if f.s.Env.Secret(&e) {
			return true
		}
	}
	return false
}
