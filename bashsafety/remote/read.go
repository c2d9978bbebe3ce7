package remote

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// deletionsOf returns the tables of deletions that have a program, a bit each.
// Where a file system folds case, so does the shell.
func deletionsOf(name string) uint32 {
	if name == "" {
		return 0
	}
	name = strings.ToLower(name)                                        // nothing is copied where it is so already
	for _, start := range [...]string{"remove-", "stop-", "disable-"} { // cmdlets are known by the start of their names
		if strings.HasPrefix(name, start) {
			return ^uint32(0)
		}
	}
	return deletionIndex(name)
}

// maxVerbWords is how many words are looked at for a verb. None comes later.
const maxVerbWords = 48

// read takes the words after the program apart. An option that is not listed takes
// no value, or, when greedy is set, the next word unless that is an option itself;
// the second result says that there is one.
func (d *deletion) read(args []shell.Word, greedy bool) (r reading, doubtful bool) {
	r.row = d
	ended, pending := false, false // pending: the word may be the value of an option that is not listed
	for i := 0; i < len(args); i++ {
		w := &args[i]
		lit := shell.LiteralPrefix(w)
		if ended || !mayBeOption(w, lit) {
			r.word(w)
			pending = false
			continue
		}
		if w.Known && lit == "--" {
			ended = true
			continue
		}
		from := len(r.opts)
		takes, open := d.options(&r, w, lit)
		for k := from; k < len(r.opts); k++ {
			r.opts[k].sure = !pending
		}
		pending = open
		doubtful = doubtful || open
		if i+1 == len(args) {
			break
		}
		if takes || open && greedy && !optionWord(&args[i+1]) {
			i++
			r.opts[len(r.opts)-1].value, pending = &args[i], false
		}
	}
	r.dry = r.onlyTells()
	return r, doubtful
}

// mayBeOption reports whether a word begins as an option does; -$x may be one.
func mayBeOption(w *shell.Word, lit string) bool {
	return len(lit) > 1 && lit[0] == '-' || lit == "-" && !w.Known
}

// onlyTells reports whether the program is only asked for its help, or what it would do.
func (r *reading) onlyTells() bool {
	d := r.row
	if r.onlySays("help") || !shell.Listed(d.values, "h") && !shell.Listed(d.flags, "h") && r.onlySays("h") {
		return true
	}
	for name := range strings.FieldsSeq(d.dry) {
		if r.onlySays(name) {
			return true
		}
	}
	return false
}

// word adds a word; of a run of unknown ones a few are enough.
func (r *reading) word(w *shell.Word) {
	n := len(r.words)
	inRun := n > 2 && nothingKnown(w) && nothingKnown(r.words[n-1]) && nothingKnown(r.words[n-2])
	if n < maxVerbWords && !inRun {
		r.words = append(r.words, w)
	}
}

// onlySays reports whether an option is surely given under its full name, and
// no other occurrence takes it back.
func (r *reading) onlySays(name string) bool {
	says := false
	for i := range r.opts {
		if o := &r.opts[i]; o.name == name && !o.hole {
			if o.off() || o.value != nil && !o.value.Known {
				return false
			}
			says = says || o.sure
		}
	}
	return says
}

// options reads the word of one long option or a cluster of short ones. takes
// says that the last one takes the next word, open that this is not known.
func (d *deletion) options(r *reading, w *shell.Word, lit string) (takes, open bool) {
	if d.style&commands.SingleDash == 0 && !strings.HasPrefix(lit, "--") {
		return d.cluster(r, w, lit)
	}
	name, _, attached := strings.Cut(strings.TrimLeft(lit, "-"), "=")
	g := argOption{name: name, hole: !w.Known && !attached}
	if attached {
		v := shell.Suffix(w, strings.IndexByte(w.Text, '=')+1)
		g.value = &v
	}
	r.opts = append(r.opts, g)
	switch {
	case attached || g.hole:
		return false, false
	case shell.Listed(d.values, name):
		return true, false
	}
	return false, !d.flag(name)
}

func (d *deletion) cluster(r *reading, w *shell.Word, lit string) (takes, open bool) {
	if !w.Known && len(lit) == 1 { // -$x
		r.opts = append(r.opts, argOption{hole: true})
	}
	for k := 1; k < len(lit); k++ {
		name := lit[k : k+1]
		g := argOption{name: name}
		if rest := strings.TrimPrefix(w.Text[k+1:], "="); shell.Listed(d.values, name) || rest != w.Text[k+1:] {
			takes = rest == "" && k+1 == len(w.Text)
			if !takes {
				v := shell.Suffix(w, len(w.Text)-len(rest))
				g.value = &v
			}
			r.opts = append(r.opts, g)
			return takes, false
		}
		r.opts = append(r.opts, g)
		open = !d.flag(name)
	}
	return false, open
}

// flag reports whether an option is known to take no value.
func (d *deletion) flag(name string) bool {
	if name == "h" || name == "help" || strings.HasPrefix(name, "no-") {
		return true
	}
	return shell.Listed(d.flags, name) || shell.Listed(commonFlags, name) || shell.Listed(d.dry, name)
}

// nothingKnown reports whether nothing is known of a word.
func nothingKnown(w *shell.Word) bool { return !w.Known && shell.LiteralPrefix(w) == "" }

// optionWord reports whether a word surely is an option.
func optionWord(w *shell.Word) bool {
	t := shell.LiteralPrefix(w)
	return len(t) > 1 && t[0] == '-'
}
