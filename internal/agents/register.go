package agents

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"permgate/internal/edit"
)

// Register makes every event of the agent call exe, changing as little as
// possible: an entry of ours is brought up to date where it stands, else one is
// appended. Hooks of others are not touched.
func (a *Agent) Register(d *edit.Doc, exe string) error {
	for _, event := range a.Events {
		list, err := d.Array("hooks", event)
		if err != nil {
			return err
		}
		if h := ours(list, true); h != nil {
			err = a.update(d, h, exe, event)
		} else {
			err = d.AddElement(list, a.Entry(exe, event))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// update sets the members that make a handler ours and leaves the others.
func (a *Agent) update(d *edit.Doc, handler *hujson.Value, exe, event string) error {
	for _, k := range a.keys(exe, event) {
		old := edit.Member(handler, k.Name)
		if old != nil && (k.Name == "timeout" || minimal(old) == k.JSON) {
			continue
		}
		if err := d.SetMember(handler, k.Name, k.JSON); err != nil {
			return err
		}
	}
	if !a.ExecForm && edit.Member(handler, "args") != nil {
		return d.RemoveMember(handler, "args")
	}
	return nil
}

// Unregister takes every handler of ours out, and the groups, lists and the
// hooks object that become empty by it. It returns how many handlers there were.
func Unregister(d *edit.Doc) (int, error) {
	hooks := edit.Member(&d.Root, "hooks")
	obj, ok := value(hooks).(*hujson.Object)
	if !ok {
		return 0, nil
	}
	n := 0
	for i := len(obj.Members) - 1; i >= 0; i-- {
		list := &obj.Members[i].Value
		before := n
		if err := unregister(d, list, &n); err != nil {
			return n, err
		}
		if n > before && len(edit.Elements(list)) == 0 {
			if err := d.RemoveMember(hooks, edit.Text(&obj.Members[i].Name)); err != nil {
				return n, err
			}
		}
	}
	if n > 0 && len(obj.Members) == 0 {
		return n, d.RemoveMember(&d.Root, "hooks")
	}
	return n, nil
}

func unregister(d *edit.Doc, list *hujson.Value, n *int) error {
	for i := len(edit.Elements(list)) - 1; i >= 0; i-- {
		handlers := edit.Member(&edit.Elements(list)[i], "hooks")
		before := *n
		for j := len(edit.Elements(handlers)) - 1; j >= 0; j-- {
			if Ours(&edit.Elements(handlers)[j]) {
				*n++
				if err := d.RemoveElement(handlers, j); err != nil {
					return err
				}
			}
		}
		if *n > before && len(edit.Elements(handlers)) == 0 {
			if err := d.RemoveElement(list, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// Ours reports whether a handler runs permgate's hook, in exec or shell form.
func Ours(handler *hujson.Value) bool {
	command := edit.Text(edit.Member(handler, "command"))
	if args := edit.Member(handler, "args"); args != nil {
		words := edit.Elements(args)
		return isGate(command) && len(words) > 0 && edit.Text(&words[0]) == "hook"
	}
	program, sub := firstWords(command)
	return isGate(program) && sub == "hook"
}

// ours returns the first handler of ours in a list of groups; with all, only
// one that sees every call.
func ours(list *hujson.Value, all bool) *hujson.Value {
	groups := edit.Elements(list)
	for i := range groups {
		if m := edit.Text(edit.Member(&groups[i], "matcher")); all && m != "" && m != "*" {
			continue
		}
		handlers := edit.Elements(edit.Member(&groups[i], "hooks"))
		for j := range handlers {
			if Ours(&handlers[j]) && (!all || edit.Member(&handlers[j], "if") == nil) {
				return &handlers[j]
			}
		}
	}
	return nil
}

// Copy copies the hooks of an event of a .claude file into a file of a program
// that stops reading them there once it has an entry of its own. Handlers of
// ours are left out, and exec form becomes shell form. It returns how many
// groups were copied.
func (a *Agent) Copy(d *edit.Doc, claude *edit.Doc, event string) (int, error) {
	n := 0
	groups := edit.Elements(edit.Member(edit.Member(&claude.Root, "hooks"), event))
	for i := range groups {
		group := groups[i].Clone()
		kept := 0
		if arr, ok := value(edit.Member(&group, "hooks")).(*hujson.Array); ok {
			rest := arr.Elements[:0]
			for _, h := range arr.Elements {
				if !Ours(&h) {
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
			if !Ours(&handlers[j]) {
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
		return ShellQuote(word)
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

// Recommend adds the recommended keys that are absent to the agent's section of
// a permgate.json and returns them. A value somebody wrote is never changed.
func (a *Agent) Recommend(d *edit.Doc) ([]Key, error) {
	section, err := d.Object("hosts", a.Name)
	if err != nil {
		return nil, err
	}
	var added []Key
	for _, k := range a.Posture {
		if edit.Member(section, k.Name) != nil {
			continue
		}
		if err := d.AddMember(section, k.Name, k.JSON); err != nil {
			return added, fmt.Errorf("%s: %w", k.Name, err)
		}
		// adding may move the tree: look the section up again
		if section, err = d.Object("hosts", a.Name); err != nil {
			return added, err
		}
		added = append(added, k)
	}
	return added, nil
}

func minimal(v *hujson.Value) string {
	c := v.Clone()
	c.Minimize()
	return strings.TrimSpace(string(c.Pack()))
}

func value(v *hujson.Value) hujson.ValueTrimmed {
	if v == nil {
		return nil
	}
	return v.Value
}
