package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

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
			if r.given(token[1:]) {
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
	return fitsWords(words, r.words)
}

// holds reports whether a word or the value of an option holds a text.
func (r *lossReading) holds(text string) bool {
	for _, w := range r.words {
		if strings.Contains(w.Text, text) {
			return true
		}
	}
	for i := range r.opts {
		if v := r.opts[i].Value; r.opts[i].Given && strings.Contains(v.Text, text) {
			return true
		}
	}
	return false
}

// given reports whether an option of a pattern's token was given.
func (r *lossReading) given(token string) bool {
	options, value, valued := strings.Cut(token, "=")
	for option := range strings.SplitSeq(options, "|") {
		name := strings.TrimLeft(option, "-")
		for i := range r.opts {
			if o := &r.opts[i]; o.means(name) && o.says(value, valued) {
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

// fitsWords reports whether words begin as a pattern says. A word of which
// nothing is known may be an option, or no word at all.
func fitsWords(pattern []string, words []*shell.Word) bool {
	if len(pattern) == 0 || len(words) == 0 {
		return fitsNothing(pattern)
	}
	p, next := pattern[0], pattern[1:]
	w, rest := words[0], words[1:]
	if p == "**" {
		return fitsWords(next, words) || !plainVerb(w) && fitsWords(pattern, rest)
	}
	if mayVanish(p, w) && fitsWords(pattern, rest) {
		return true
	}
	return p != "$" && wordFits(p, w) && fitsWords(next, rest)
}

// mayVanish reports whether a word of which nothing is known may be an option, or,
// where the pattern ends, no word at all.
func mayVanish(p string, w *shell.Word) bool { return nothingKnown(w) && (p != "$" || !w.Single) }

// fitsNothing reports whether a pattern describes a command without words.
func fitsNothing(pattern []string) bool {
	for _, p := range pattern {
		if p != "**" {
			return p == "$"
		}
	}
	return true
}

// wordFits reports whether a word is, or may be, one that a pattern names.
func wordFits(pattern string, w *shell.Word) bool {
	lit := shell.LiteralPrefix(w)
	for p := range strings.SplitSeq(pattern, "|") {
		if p == "*" || w.Known && like(p, w.Text) || p == "@" && saysLoss(w) {
			return true
		}
		if !w.Known && lit != "" && mayBecome(p, lit) {
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
// them stands for something harmless, the program's row spares it.
const lossVerbs = "abandon cancel deactivate deallocate decommission delete deletion deprovision deregister " +
	"destroy detach disable disassociate disconnect dissociate erase evict expire forget kill killall leave poweroff " +
	"purge reboot regenerate reject remove reset retire revoke rm shutdown stop suspend terminate unassign " +
	"unbind undeploy uninstall unmap unpublish unregister unset wipe withdraw"

// plainVerbs are the verbs after which no other verb follows: what comes next is
// a name or a text.
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
// behind a verb that does not is what it is done to: list-deleted, create-reset.
func saysLoss(w *shell.Word) bool {
	text := shell.LiteralPrefix(w)
	if text == "" || strings.ContainsAny(text, "/.=,@ ") {
		return false
	}
	for first := true; text != ""; first = false {
		n := shell.PartEnd(text)
		part, whole := strings.ToLower(text[:n]), n < len(text) || w.Known
		switch {
		case whole && shell.Listed(lossVerbs, part), !whole && beginsLoss(part):
			return true
		case first && whole && shell.Listed(plainStarts, part):
			return false
		}
		text = strings.TrimLeft(text[n:], "-_:")
	}
	return false
}

// beginsLoss reports whether a text may go on to be a verb that takes away.
func beginsLoss(start string) bool {
	for verb := range strings.FieldsSeq(lossVerbs) {
		if strings.HasPrefix(verb, start) {
			return true
		}
	}
	return false
}
