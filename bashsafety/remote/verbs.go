package remote

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

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
		n := partEnd(text)
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

// partEnd is where the first part of a word ends: at a mark, or before the capital
// that begins the next one.
func partEnd(text string) int {
	for i := 1; i < len(text); i++ {
		capital := 'A' <= text[i] && text[i] <= 'Z' && 'a' <= text[i-1] && text[i-1] <= 'z'
		if capital || strings.IndexByte("-_:", text[i]) >= 0 {
			return i
		}
	}
	return len(text)
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
