package agents

import (
	"strings"

	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/internal/edit"
)

// Copy copies the hooks of an event of a .claude file into a file of a host
// that stops reading them there once it has an entry of its own. Handlers of
// ours are left out, and exec form becomes shell form. It returns how many
// groups were copied.
func Copy(d *edit.Doc, claude *edit.Doc, event string) (int, error) {
	n := 0
	groups := edit.Elements(edit.Member(edit.Member(&claude.Root, "hooks"), event))
	for i := range groups {
		group := groups[i].Clone()
		kept := 0
		if arr, ok := value(edit.Member(&group, "hooks")).(*hujson.Array); ok {
			rest := arr.Elements[:0]
			for _, h := range arr.Elements {
				if !ours(&h) {
					shellForm(&h)
					rest = append(rest, h)
				}
			}
			arr.Elements, kept = rest, len(rest)
		}
		if kept == 0 {
			continue
		}
		list, err := d.Array("hooks", event)
		if err != nil {
			return n, err
		}
		group.Minimize()
		if err := d.AddElement(list, string(group.Pack())); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// Others counts the groups of an event that hold a handler that is not ours.
func Others(d *edit.Doc, event string) int {
	n := 0
	groups := edit.Elements(edit.Member(edit.Member(&d.Root, "hooks"), event))
	for i := range groups {
		handlers := edit.Elements(edit.Member(&groups[i], "hooks"))
		for j := range handlers {
			if !ours(&handlers[j]) {
				n++
				break
			}
		}
	}
	return n
}

// Native reports whether a file has an entry for an event, an empty one included.
func Native(d *edit.Doc, event string) bool {
	return edit.Member(edit.Member(&d.Root, "hooks"), event) != nil
}

// shellForm turns a handler with args into one shell command.
func shellForm(handler *hujson.Value) {
	args := edit.Member(handler, "args")
	command := edit.Member(handler, "command")
	if args == nil || command == nil {
		return
	}
	words := []string{quotePlaceholders(edit.Text(command))}
	for i := range edit.Elements(args) {
		words = append(words, quotePlaceholders(edit.Text(&edit.Elements(args)[i])))
	}
	command.Value = hujson.String(strings.Join(words, " "))
	obj := handler.Value.(*hujson.Object)
	for i := range obj.Members {
		if edit.Text(&obj.Members[i].Name) == "args" {
			obj.Members = append(obj.Members[:i:i], obj.Members[i+1:]...)
			return
		}
	}
}

// quotePlaceholders quotes a word but leaves ${CLAUDE_PROJECT_DIR} and its like
// to the shell, which has them as variables.
func quotePlaceholders(word string) string {
	if !strings.Contains(word, "${CLAUDE_") {
		return shellQuote(word)
	}
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		if strings.IndexByte("\"\\`", word[i]) >= 0 || word[i] == '$' && !strings.HasPrefix(word[i:], "${CLAUDE_") {
			b.WriteByte('\\')
		}
		b.WriteByte(word[i])
	}
	return `"` + b.String() + `"`
}
