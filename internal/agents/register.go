package agents

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
)

// Register makes every event of the host call exe, changing as little as
// possible: an entry of ours is brought up to date where it stands, else one is
// added. Hooks of others are not touched.
func Register(h *hookio.Host, p Place, d *edit.Doc, exe string) error {
	if obj, ok := d.Root.Value.(*hujson.Object); ok && len(obj.Members) == 0 {
		for _, m := range h.Register.Head {
			if err := d.AddMember(&d.Root, m.Name, m.JSON); err != nil {
				return err
			}
		}
	}
	for i := range h.Register.Events {
		ev := &h.Register.Events[i]
		list, err := d.Array(keys(p, ev.Name)...)
		if err != nil {
			return err
		}
		if own := whole(list, ev.Matcher); own != nil {
			err = update(h, d, own, exe, ev, p.wait())
		} else if h.Register.First {
			err = d.AddFirst(list, entry(h, exe, ev, p.wait()))
		} else {
			err = d.AddElement(list, entry(h, exe, ev, p.wait()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keys is the path of an event in a file.
func keys(p Place, event string) []string {
	if p.Root == "" {
		return []string{event}
	}
	return []string{p.Root, event}
}

// events is the object that holds the lists of handlers by event.
func events(p Place, d *edit.Doc) *hujson.Value {
	if p.Root == "" {
		return &d.Root
	}
	return edit.Member(&d.Root, p.Root)
}

// update sets the members that make a handler ours and leaves the others.
func update(h *hookio.Host, d *edit.Doc, handler *hujson.Value, exe string, ev *hookio.HookEvent,
	waits time.Duration) error {
	for _, k := range stale(h, handler, exe, ev, waits) {
		if err := d.SetMember(handler, k.Name, k.JSON); err != nil {
			return err
		}
	}
	if !h.Register.Exec && edit.Member(handler, "args") != nil {
		return d.RemoveMember(handler, "args")
	}
	return nil
}

// stale returns the members of a handler that are not as install would write
// them; options of the hook that a user added stay.
func stale(h *hookio.Host, handler *hujson.Value, exe string, ev *hookio.HookEvent,
	waits time.Duration) []hookio.Member {
	var out []hookio.Member
	var options []string
	if c := parseCall(handler); c != nil {
		options = c.options
	}
	for _, k := range members(h, exe, ev, waits, options...) {
		old := edit.Member(handler, k.Name)
		late := k.Name == h.Register.Timeout && old != nil && !timely(h.Register, minimal(old), waits)
		if old != nil && !late && (minimal(old) == k.JSON || k.Name == h.Register.Timeout) {
			continue
		}
		out = append(out, k)
	}
	return out
}

// timely reports whether a user's own time-out leaves the hook the four seconds that
// a call may take on a busy machine, and what it may wait for programs of the operator's.
func timely(r *hookio.Registration, number string, waits time.Duration) bool {
	n, err := strconv.ParseFloat(number, 64)
	if r.Millis {
		n /= 1000
	}
	return err == nil && n >= float64(seconds(waits))
}

// seconds is the least time-out of a hook that may wait for so long, in whole seconds.
func seconds(waits time.Duration) int {
	return int((5*time.Second + waits + time.Second - 1) / time.Second)
}

// Unregister takes every handler of ours out, and the groups, lists and the
// hooks object that become empty by it and hold no comment. It returns how many handlers there were.
func Unregister(p Place, d *edit.Doc) (int, error) {
	hooks := events(p, d)
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
		if n > before && edit.Empty(list) {
			if err := d.RemoveMember(hooks, edit.Text(&obj.Members[i].Name)); err != nil {
				return n, err
			}
		}
	}
	if n > 0 && edit.Empty(hooks) && p.Root != "" {
		return n, d.RemoveMember(&d.Root, p.Root)
	}
	return n, nil
}

func unregister(d *edit.Doc, list *hujson.Value, n *int) error {
	for i := len(edit.Elements(list)) - 1; i >= 0; i-- {
		element := &edit.Elements(list)[i]
		before := *n
		if ours(element) {
			*n++
		}
		handlers := edit.Member(element, "hooks")
		for j := len(edit.Elements(handlers)) - 1; j >= 0; j-- {
			if ours(&edit.Elements(handlers)[j]) {
				*n++
				if err := d.RemoveElement(handlers, j); err != nil {
					return err
				}
			}
		}
		if *n > before && len(edit.Elements(handlers)) == 0 && !holdsMore(element) {
			if err := d.RemoveElement(list, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// holdsMore reports whether a group holds a list or an object that is neither
// its handlers nor part of a handler of ours: somebody else's, of a kind not
// known here.
func holdsMore(group *hujson.Value) bool {
	obj, ok := group.Value.(*hujson.Object)
	if !ok || ours(group) {
		return false
	}
	for i := range obj.Members {
		switch edit.Text(&obj.Members[i].Name) {
		case "hooks", "matcher":
			continue
		}
		switch obj.Members[i].Value.Value.(type) {
		case *hujson.Array, *hujson.Object:
			return true
		}
	}
	return false
}

// Bare reports whether nothing but what install makes of an empty file is left
// of one, after Unregister.
func Bare(h *hookio.Host, d *edit.Doc) bool {
	var b strings.Builder
	for i, m := range h.Register.Head {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(edit.Quote(m.Name) + ":" + m.JSON)
	}
	text := strings.Join(strings.Fields(string(d.Bytes())), "")
	return text == "{}" || text == "{"+b.String()+"}"
}

// ours reports whether a handler runs permgate's hook, in exec or shell form.
func ours(handler *hujson.Value) bool { return parseCall(handler) != nil }

// each calls f for every handler of ours in a list of groups or handlers; all
// says that it sees every call, or those that the event's own matcher meets.
func each(list *hujson.Value, own string, f func(handler *hujson.Value, all bool)) {
	elements := edit.Elements(list)
	for i := range elements {
		all := everything(edit.Member(&elements[i], "matcher"), own)
		if ours(&elements[i]) {
			f(&elements[i], all && edit.Member(&elements[i], "if") == nil)
		}
		handlers := edit.Elements(edit.Member(&elements[i], "hooks"))
		for j := range handlers {
			if ours(&handlers[j]) {
				f(&handlers[j], all && edit.Member(&handlers[j], "if") == nil)
			}
		}
	}
}

// everything reports whether a matcher lets every tool through, or is the event's own.
func everything(matcher *hujson.Value, own string) bool {
	return matcher == nil || slices.Contains([]string{"", "*", ".*", own}, edit.Text(matcher))
}

// whole returns the first handler of ours that sees every call and runs nothing else.
func whole(list *hujson.Value, own string) (found *hujson.Value) {
	each(list, own, func(handler *hujson.Value, all bool) {
		if found == nil && all && !parseCall(handler).beside {
			found = handler
		}
	})
	return found
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
