package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Loss says by which words a program deletes or stops what is no file of this
// machine: resources, clusters, accounts, services. It is data: a part of the
// program's Command, or a row of a table for programs of which no more is known.
//
// A pattern is blank-separated and describes a command from the word after the
// program on:
//
//	destroy      that word; rm|remove is one of several, delete-* any such word
//	*            any word
//	**           any words that are no verb of their own, none included
//	$            no word follows
//	-f|--force   that option, wherever it is; long ones may be abbreviated
//	--size=0     that option with that value, attached or as the next word
//	!--check     not with that option
//	~TEXT        a word holds that text; !~TEXT none does
//	@            a word that says one of lossVerbs
//
// Words may follow a pattern. The empty pattern is the bare program.
type Loss struct {
	Names  string     // base names, which may hold *; "" for all of the Command
	Of     LossFamily // of a row of a Command
	Values string     // options that take the next word, in addition to those of the Command
	Flags  string     // options that take none, likewise; commonFlags are never listed
	Style  Style      // SingleDash is the one that counts
	Dry    string     // options with which the program only says what it would do
	Verbs  []string
	Spares []string // patterns of what is harmless although a verb fits
	// Fits says what patterns cannot: it is asked where none of them fits.
	fits func(*lossReading) bool
}

// A LossFamily is the place of a table in lossFamilies: what one check asks about.
type LossFamily uint8

const (
	inTable     LossFamily = iota // the row is in the table of its family
	OfInfra                       // what a description of infrastructure names
	OfCluster                     // clusters, and what runs in them
	OfContainer                   // containers
	OfSwarm                       // machines that run containers together
	OfMachine                     // virtual machines
	OfCloud                       // clouds
	OfPlatform                    // platforms that host applications, and services that an application uses
	OfCodeHost                    // code hosts, and services that build what they hold
	OfRegistry                    // package registries
	OfStorage                     // what is stored elsewhere
	OfBackup                      // copies of the past
	OfQueue                       // message brokers and schedulers
	OfCall                        // clients that name what they call
	OfServices                    // services of the system
	OfPower                       // turning the machine off
	OfAccounts                    // users and groups
	OfNetwork                     // opening the firewall, cutting the network off
	OfVolumes                     // volumes, snapshots and pools
	OfWindows                     // what binds every program of a Windows machine, and what its own tools delete
	OfMac                         // the same of macOS
	OfLoaders                     // tools of Windows that fetch or run code, which they are not there for
	OfDatabase                    // databases, without a statement; from here on the table is forms
	OfReset                       // what an application stores, through its framework
	OfSecrets                     // secret stores and keyrings
)

// commonFlags are options that take no value wherever they are known.
const commonFlags = "-yqfA yes force quiet verbose recursive all wait no-wait json assume-yes non-interactive " +
	"interactive debug auto-approve now ignore-not-found all-namespaces no-input skip-confirmation no-confirm"

// A lossReading is one way to take the words of a program apart: what an option
// that is not listed does with the next word is not known.
type lossReading struct {
	row   *Loss
	words []*shell.Word // that are neither options nor their values
	opts  []Used
	// dry is set when the program is only asked what it would do, or how it is used.
	dry bool
	// loose is set when nothing is known of the options: they are among the words, under
	// the names that are typed. What the shell does not know then fits nothing but *.
	loose bool
}

// LossesOf returns the families of losses that a program has, a bit each.
// Where a file system folds case, so does the shell.
func LossesOf(name string) uint32 {
	if name == "" {
		return 0
	}
	name = strings.ToLower(name)                                        // nothing is copied where it is so already
	for _, start := range [...]string{"remove-", "stop-", "disable-"} { // cmdlets are known by the start of their names
		if strings.HasPrefix(name, start) {
			return ^uint32(0)
		}
	}
	return lossesIndexed(name)
}

// Loses reports whether a program deletes or stops something of a family. bare is
// set when it does so without a word that would tell it from a name.
func Loses(of LossFamily, name string, args []shell.Word) (loses, bare bool) {
	if of >= OfDatabase {
		return isOneOf(forms[of], name, args), false
	}
	e := Find(name)
	m := e.command()
	tables := [...][]Loss{nil, lossFamilies[of]}
	if m != nil {
		tables[0] = m.Rare().Losses
	}
	for _, rows := range tables {
		for i := range rows {
			row := &rows[i]
			about := row.Names == "" || row.about(name)
			if about && (row.Of == of || row.Of == inTable) && row.takes(m, args) {
				return true, len(row.Verbs) > 0 && row.Verbs[0] == ""
			}
		}
	}
	return false, false
}

// about reports whether the row is about a program, in any case.
func (l *Loss) about(name string) bool {
	for rest := l.Names; rest != ""; {
		var p string
		p, rest, _ = strings.Cut(rest, " ")
		if len(p) == len(name) && strings.EqualFold(p, name) {
			return true
		}
		if strings.HasSuffix(p, "*") && len(name) >= len(p) && strings.EqualFold(p[:len(p)-1], name[:len(p)-1]) {
			return true
		}
	}
	return false
}

// Takes reports whether one of the readings of the words after the program fits.
func (l *Loss) Takes(args []shell.Word) bool { return l.takes(nil, args) }

func (l *Loss) takes(m *Command, args []shell.Word) bool {
	r, doubtful := l.read(m, args, false)
	if !r.loses() && doubtful {
		r, _ = l.read(m, args, true)
	}
	return r.loses()
}

// Gives reports, of the reading that takes an option which is not listed for one
// without a value, whether one of the options of a pattern is given, and its operands.
// dry is set when the program only says what it would do.
func (l *Loss) Gives(args []shell.Word, options string) (given bool, operands []*shell.Word, dry bool) {
	r, _ := l.read(nil, args, false)
	return r.given(options), r.words, r.dry
}

// read takes the words after the program apart. An option that is not listed, which the second
// result reports, takes no value, when greedy is set the next word that is no option.
func (l *Loss) read(m *Command, args []shell.Word, greedy bool) (r lossReading, doubtful bool) {
	own := Command{Values: l.Values, Flags: l.Flags}
	grammars := []*Command{{Flags: commonFlags}, {Flags: l.Dry}, &own}
	if m != nil {
		grammars = []*Command{grammars[0], m, grammars[1], &own}
	}
	a := parseLoosely(args, l.Style, greedy, grammars)
	r.row, r.opts = l, a.Opts
	for _, i := range a.Operands {
		r.words = append(r.words, &args[i])
	}
	r.dry = r.onlyTells(&own)
	return r, len(a.Unknown) > 0
}

// asked are the options that make every program print its help and end.
const asked = "--help --version -version"

// loosely reads the words after a program of whose options nothing is known: each may
// take the next word.
func loosely(args []shell.Word) lossReading {
	r := lossReading{loose: true, words: make([]*shell.Word, len(args))}
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
func (r *lossReading) isForm(form, program string) bool {
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

// onlyTells reports whether the program is only asked for its help, or what it would do.
func (r *lossReading) onlyTells(own *Command) bool {
	if r.onlySays("help") || !shell.Listed(own.Values, "h") && !shell.Listed(own.Flags, "h") && r.onlySays("h") {
		return true
	}
	return r.saysOne(r.row.Dry)
}

// saysOne reports whether one of the options of a list is surely given.
func (r *lossReading) saysOne(list string) bool {
	for name := range strings.FieldsFuncSeq(list, func(c rune) bool { return c == ' ' || c == '|' }) {
		if r.onlySays(name) {
			return true
		}
	}
	return false
}

// onlySays reports whether an option is surely given under its full name, and
// no other occurrence takes it back.
func (r *lossReading) onlySays(name string) bool {
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

// loses reports whether the reading is described by the row.
func (r *lossReading) loses() bool {
	if r.dry || len(r.words) > 0 && r.words[0].Known && r.words[0].Text == "help" {
		return false
	}
	if slices.ContainsFunc(r.row.Spares, r.fitsPattern) {
		return false
	}
	return slices.ContainsFunc(r.row.Verbs, r.fitsPattern) || r.row.fits != nil && r.row.fits(r)
}

// fitsPattern reports whether a pattern describes the command.
func (r *lossReading) fitsPattern(pattern string) bool {
	var room [8]string
	words := room[:0]
	for token := range strings.FieldsSeq(pattern) {
		switch {
		case token[0] == '!' && len(token) > 2 && token[1] == '~':
			if r.holds(token[2:]) {
				return false
			}
		case token[0] == '!':
			if r.loose && r.saysOne(token[1:]) || !r.loose && r.given(token[1:]) {
				return false
			}
		case token[0] == '~':
			if !r.holds(token[1:]) {
				return false
			}
		case token[0] == '-' && len(token) > 1:
			if !r.given(token) {
				return false
			}
		default:
			words = append(words, token)
		}
	}
	return r.fitsWords(words)
}

// holds reports whether a word or the value of an option holds a text.
func (r *lossReading) holds(text string) bool {
	inWord := func(w *shell.Word) bool { return strings.Contains(w.Text, text) }
	inValue := func(u Used) bool { return u.Given && inWord(&u.Value) }
	return slices.ContainsFunc(r.words, inWord) || slices.ContainsFunc(r.opts, inValue)
}

func (r *lossReading) given(token string) bool {
	options, value, valued := strings.Cut(token, "=")
	for option := range strings.SplitSeq(options, "|") {
		name := strings.TrimLeft(option, "-")
		for i := range r.opts {
			o := &r.opts[i]
			if means := !r.loose && o.means(name) || o.Name == option; means && o.says(value, valued) {
				return true
			}
		}
	}
	return false
}

// means reports whether an option is, abbreviates or may be the one of that name.
func (u *Used) means(name string) bool {
	if star := strings.TrimSuffix(name, "*"); star != name {
		return strings.HasPrefix(u.Name, star)
	}
	switch {
	case len(name) == 1 || len(u.Name) == 1:
		return u.Name == name || u.hole && strings.HasPrefix(name, u.Name)
	case u.hole || len(u.Name) > 2:
		return len(u.Name) <= len(name) && strings.EqualFold(u.Name, name[:len(u.Name)])
	}
	return u.Name == name
}

// says reports whether an option is on, or has the value that is asked for.
func (u *Used) says(value string, valued bool) bool {
	if !valued {
		return !u.off()
	}
	return u.Given && wordFits(value, &u.Value)
}

// off reports whether an option was given with a value that takes it back.
func (u *Used) off() bool {
	return u.Given && u.Value.Known && shell.Among("false no none off 0 f", strings.ToLower(u.Value.Text))
}

// fitsWords reports whether the words begin as a pattern says.
func (r *lossReading) fitsWords(pattern []string) bool {
	n := len(r.words)
	var room [2][32]bool
	at, next := append(room[0][:0], make([]bool, n+1)...), append(room[1][:0], make([]bool, n+1)...)
	at[0] = true // where the next word of the pattern may be
	for _, p := range pattern {
		clear(next)
		some := false
		for i, w := range r.words {
			if !at[i] {
				continue
			}
			if p == "**" {
				next[i], some = true, true
				at[i+1] = at[i+1] || r.loose || !plainVerb(w)
				continue
			}
			for k := range r.skips(p, i) {
				at[i+k+1] = true
			}
			if seen := w.Known || !r.loose || p == "*"; seen && p != "$" && wordFits(p, w) {
				next[i+1], some = true, true
			}
		}
		if at[n] && (p == "**" || p == "$") {
			next[n], some = true, true
		}
		if at, next = next, at; !some {
			return false
		}
	}
	return true
}

// skips is how many words from one on a pattern may leave out. A word of which nothing is
// known may be an option, or, where the pattern ends, no word at all.
func (r *lossReading) skips(p string, i int) int {
	w := r.words[i]
	switch {
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
	lit := shell.LiteralPrefix(w)
	for p := range strings.SplitSeq(pattern, "|") {
		switch {
		case p == "*", p == "@" && saysLoss(w), w.Known && like(p, w.Text), !w.Known && lit != "" && mayBecome(p, lit):
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

// like reports whether a text fits a pattern with * for any run of characters.
func like(pattern, text string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return strings.EqualFold(pattern, text)
	}
	if len(text) < len(head) || !strings.EqualFold(text[:len(head)], head) {
		return false
	}
	if text = text[len(head):]; rest == "" {
		return true
	}
	for i := 0; i <= len(text); i++ {
		if like(rest, text[i:]) {
			return true
		}
	}
	return false
}

// lossVerbs are the verbs by which the programs of clouds and platforms take
// something away, stop it or make it as new, whatever they do it to. Where one of
// them means something harmless, the program's row spares it.
const lossVerbs = "abandon cancel deactivate deallocate decommission delete deletion deprovision deregister " +
	"destroy detach disable disassociate disconnect dissociate erase evict expire forget kill killall leave poweroff " +
	"purge reboot regenerate reject remove reset retire revoke rm shutdown stop suspend terminate unassign " +
	"unbind undeploy uninstall unmap unpublish unregister unset wipe withdraw"

// plainVerbs are verbs that a name or a text follows, and no other verb.
const plainVerbs = "list ls describe show read get view help query create update set add start explain status ssh " +
	"login invoke exec wait publish call execute submit apply"

// plainStarts are verbs that say the same at the start of a word: get-thing-to-delete.
const plainStarts = "get list describe create update set put add start show import export enable test validate"

// plainVerb reports whether no other verb follows a word.
func plainVerb(w *shell.Word) bool {
	return w.Known && (shell.Listed(plainVerbs, w.Text) || shell.StartsWithAny(w.Text, "get-", "list-", "describe-"))
}

// saysLoss reports whether a word is, or may be, a verb that takes away, alone or
// as a part: admin-disable-user, functions:delete, DeleteInstance. What comes
// after a verb that does not is what it is done to: list-deleted, create-reset.
func saysLoss(w *shell.Word) bool {
	text := shell.LiteralPrefix(w)
	if strings.ContainsAny(text, "/.=,@ ") {
		return false
	}
	if first := text[:shell.PartEnd(text)]; len(first) < len(text) && shell.Listed(plainStarts, strings.ToLower(first)) {
		return false
	}
	for text != "" {
		n := shell.PartEnd(text)
		part := strings.ToLower(text[:n])
		if shell.Listed(lossVerbs, part) || n == len(text) && !w.Known && strings.Contains(" "+lossVerbs, " "+part) {
			return true
		}
		text = strings.TrimLeft(text[n:], "-_:")
	}
	return false
}
