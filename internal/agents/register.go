package agents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
)

// Register makes all events that the host's release has call exe: it updates or adds ours, and takes them from others.
func Register(h *hookio.Host, p Place, d *edit.Doc, exe string) error {
	if err := quotable(p.goos(), h, exe); err != nil {
		return err
	}
	if len(edit.Members(&d.Root)) == 0 {
		for _, m := range h.Register.Head {
			if err := d.AddMember(&d.Root, m.Name, m.JSON); err != nil {
				return err
			}
		}
	}
	if _, err := Unregister(p, d, p.lacks); err != nil {
		return err
	}
	for i := range h.Register.Events {
		ev := &h.Register.Events[i]
		if p.lacks(ev.Name) {
			continue
		}
		list, err := d.Array(keys(p, ev.Name)...)
		if err != nil {
			return err
		}
		if own := whole(list, ev.Matcher); own != nil {
			err = update(h, p, d, own, exe, ev)
		} else if h.Register.First {
			err = d.AddFirst(list, entry(h, p, exe, ev))
		} else {
			err = d.AddElement(list, entry(h, p, exe, ev))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keys is the path of an event in a file, or of what holds all of them.
func keys(p Place, event ...string) []string {
	if p.Root == "" {
		return event
	}
	return append([]string{p.Root}, event...)
}

// events are the lists of handlers by event.
func events(p Place, d *edit.Doc) []hujson.ObjectMember {
	return edit.Members(edit.Member(&d.Root, keys(p)...))
}

// update sets the members that make a handler ours and leaves the others.
func update(h *hookio.Host, p Place, d *edit.Doc, handler *hujson.Value, exe string, ev *hookio.HookEvent) error {
	for _, k := range stale(h, p, handler, exe, ev) {
		if err := d.SetMember(handler, k.Name, k.JSON); err != nil {
			return err
		}
	}
	if !h.Register.Exec && edit.Member(handler, "args") != nil {
		return d.RemoveMember(handler, "args")
	}
	return nil
}

// stale returns what install would write otherwise in a handler; options that a user added stay.
func stale(h *hookio.Host, p Place, handler *hujson.Value, exe string, ev *hookio.HookEvent) []hookio.Member {
	var out []hookio.Member
	var options []string
	if c := parseCall(handler); c != nil {
		options = c.options
	}
	for _, k := range members(h, p, exe, ev, options...) {
		old := edit.Member(handler, k.Name)
		late := k.Name == h.Register.Timeout && old != nil && !timely(h.Register, minimal(old), p.wait())
		if old != nil && !late && (minimal(old) == k.JSON || k.Name == h.Register.Timeout) {
			continue
		}
		out = append(out, k)
	}
	return out
}

// NameHome makes every handler of ours call the hook with --home, or without where dir is "". It returns how many
// handlers there are; one whose shell command runs other things too is left alone.
func NameHome(h *hookio.Host, p Place, d *edit.Doc, dir string) (int, error) {
	n := 0
	var err error
	for _, list := range events(p, d) {
		ev := Event(h, edit.Text(&list.Name))
		if ev == nil {
			continue
		}
		each(&list.Value, ev.Matcher, func(handler *hujson.Value, _ bool) {
			if c := parseCall(handler); !c.beside && err == nil {
				n++
				err = setHome(h, d, handler, c, ev, dir)
			}
		})
	}
	return n, err
}

func setHome(h *hookio.Host, d *edit.Doc, handler *hujson.Value, c *hookCall, ev *hookio.HookEvent, dir string) error {
	options, _ := cutHome(c.options)
	if dir != "" {
		options = append(options, "--home", dir)
	}
	if err := quotable(runtime.GOOS, h, dir); dir != "" && err != nil {
		return err
	}
	if slices.Equal(options, c.options) {
		return nil
	}
	for _, k := range members(h, Place{}, c.program, ev, options...) {
		if k.Name == "args" || k.Name == commandKey(h.Register, runtime.GOOS) || h.Register.Exec && k.Name == "command" {
			if err := d.SetMember(handler, k.Name, k.JSON); err != nil {
				return err
			}
		}
	}
	return nil
}

// cutHome takes --home out of the options of a hook; dir is the folder it names first, "" for none.
func cutHome(options []string) (rest []string, dir string) {
	for i := 0; i < len(options); i++ {
		value, joined := strings.CutPrefix(options[i], "--home=")
		switch {
		case joined:
		case options[i] != "--home":
			rest = append(rest, options[i])
			continue
		case i+1 < len(options):
			i++
			value = options[i]
		default:
			value = ""
		}
		dir = cmp.Or(dir, value)
	}
	return rest, dir
}

// Home is the folder that --home names among the options of a hook, "" for none.
func (f *Found) Home() string {
	_, dir := cutHome(f.Options)
	return dir
}

// timely reports whether a user's own time-out leaves the hook enough time, on a busy machine too.
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
// hooks object that become empty by it and hold no comment; of, if not nil, says from which events. It returns how many.
func Unregister(p Place, d *edit.Doc, of func(event string) bool) (int, error) {
	n := 0
	for i := len(events(p, d)) - 1; i >= 0; i-- {
		list, before := &events(p, d)[i], n
		if of != nil && !of(edit.Text(&list.Name)) {
			continue
		}
		if err := unregister(d, &list.Value, &n); err != nil {
			return n, err
		}
		if n > before {
			if err := d.RemoveEmpty(keys(p, edit.Text(&list.Name))...); err != nil {
				return n, err
			}
		}
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

// holdsMore reports whether a group has a list or object besides its handlers, of another program.
func holdsMore(group *hujson.Value) bool {
	return !ours(group) && slices.ContainsFunc(edit.Members(group), func(m hujson.ObjectMember) bool {
		_, literal := m.Value.Value.(hujson.Literal)
		return !literal && !slices.Contains([]string{"hooks", "matcher"}, edit.Text(&m.Name))
	})
}

// Bare reports whether Unregister left nothing but what install makes of an empty file.
func Bare(h *hookio.Host, d *edit.Doc) bool {
	text := strings.Join(strings.Fields(string(d.Bytes())), "")
	return text == "{}" || text == object(h.Register.Head)
}

// ours reports whether a handler runs permgate's hook, in exec or shell form.
func ours(handler *hujson.Value) bool { return parseCall(handler) != nil }

// each calls f for every handler of ours in a list; all says that it sees every call that the event's matcher meets.
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

// A Found is one handler of ours in a file.
type Found struct {
	Event   string // as the file spells it
	Program string // the binary it runs
	Text    string // the command as written
	Place   string // file:line:col
	// Known is the event as install registers it, nil for an event it does not register.
	Known *hookio.HookEvent
	// All: it sees every call, not only those of some tools.
	All bool
	// Options are those of the hook that install does not write.
	Options []string
	// Beside: its shell command runs other things too; install leaves it alone.
	Beside bool
	// Plain: it runs Program as install would, or with --headless, which is only stricter.
	Plain bool
	// Stale are the members that are not as install would write them.
	Stale []hookio.Member
}

// Find returns our handlers in a file, compared with what install would write for exe.
func Find(h *hookio.Host, p Place, d *edit.Doc, exe string) []Found {
	var out []Found
	for _, list := range events(p, d) {
		name := edit.Text(&list.Name)
		known, own := Event(h, name), ""
		if known != nil {
			own = known.Matcher
		}
		each(&list.Value, own, func(handler *hujson.Value, all bool) {
			f := Found{Event: name, Place: d.Pos(handler), All: all, Known: known}
			c := parseCall(handler)
			f.Program, f.Text, f.Options, f.Beside = c.program, c.text, c.options, c.beside
			if f.Known != nil {
				f.Plain = plain(h, f.Known, c)
				f.Stale = stale(h, p, handler, exe, f.Known)
			}
			out = append(out, f)
		})
	}
	return out
}

// Missing returns the events that Register would add a handler for, those whose handler it would change, and those that
// the release lacks, whose handlers it would take out.
func Missing(h *hookio.Host, p Place, d *edit.Doc, exe string) (absent, outdated, lacked []string) {
	for i := range h.Register.Events {
		ev := &h.Register.Events[i]
		list := edit.Member(&d.Root, keys(p, ev.Name)...)
		own := whole(list, ev.Matcher)
		switch {
		case p.lacks(ev.Name):
			each(list, "", func(*hujson.Value, bool) { lacked = append(lacked, ev.Name) })
		case own == nil:
			absent = append(absent, ev.Name)
		case len(stale(h, p, own, exe, ev)) > 0:
			outdated = append(outdated, ev.Name)
		}
	}
	return absent, outdated, lacked
}

// Event returns the event of that name install registers, nil for none.
func Event(h *hookio.Host, name string) *hookio.HookEvent {
	i := slices.IndexFunc(h.Register.Events, func(ev hookio.HookEvent) bool { return ev.Name == name })
	if i < 0 {
		return nil
	}
	return &h.Register.Events[i]
}

// plain reports whether a command is one install writes for its program, or wrote.
func plain(h *hookio.Host, ev *hookio.HookEvent, c *hookCall) bool {
	if slices.ContainsFunc(c.options, func(word string) bool { return word != "--headless" }) {
		return false
	}
	if c.text == args(h, ev, c.options...) {
		return true
	}
	call := bare(c.text)
	shells := []hookio.Shell{shellOf(runtime.GOOS, h), hookio.PowerShell, 0}
	return slices.ContainsFunc(shells, func(shell hookio.Shell) bool {
		return call == hookCommand(shell, h, c.program, ev, c.options...) && (shell > 0 || runtime.GOOS == "windows")
	})
}

// Holds reports whether a file has a list for an event, of any program.
func Holds(p Place, d *edit.Doc, event string) bool {
	return edit.Member(&d.Root, keys(p, event)...) != nil
}

// Readable returns why a host reads nothing of a file, nil where it does.
func Readable(h *hookio.Host, name string, text []byte) error {
	if !h.Register.Plain || len(text) == 0 || json.Valid(text) {
		return nil
	}
	return fmt.Errorf("%s: %s reads nothing of a file with comments or trailing commas", name, h.Title)
}

// Copy copies the hooks of others from a .claude file, in shell form, into the file of a host that stops reading them
// there once it has an entry of its own. It returns how many groups were copied.
func Copy(d *edit.Doc, claude *edit.Doc, event string) (int, error) {
	n := 0
	for _, group := range edit.Elements(edit.Member(&claude.Root, "hooks", event)) {
		if !others(group) {
			continue
		}
		group = group.Clone()
		handlers := edit.Member(&group, "hooks").Value.(*hujson.Array)
		handlers.Elements = slices.DeleteFunc(handlers.Elements, func(h hujson.Value) bool { return ours(&h) })
		for i := range handlers.Elements {
			shellForm(&handlers.Elements[i])
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

// Others reports whether an event has a handler that is not ours.
func Others(d *edit.Doc, event string) bool {
	return slices.ContainsFunc(edit.Elements(edit.Member(&d.Root, "hooks", event)), others)
}

// others reports whether a group holds a handler that is not ours.
func others(group hujson.Value) bool {
	return slices.ContainsFunc(edit.Elements(edit.Member(&group, "hooks")), func(h hujson.Value) bool { return !ours(&h) })
}

// shellForm turns a handler with args into one shell command.
func shellForm(handler *hujson.Value) {
	args := edit.Member(handler, "args")
	command := edit.Member(handler, "command")
	if args == nil || command == nil {
		return
	}
	words := []string{quotePlaceholders(edit.Text(command))}
	for _, word := range edit.Elements(args) {
		words = append(words, quotePlaceholders(edit.Text(&word)))
	}
	command.Value = hujson.String(strings.Join(words, " "))
	obj := handler.Value.(*hujson.Object)
	obj.Members = slices.DeleteFunc(obj.Members, func(m hujson.ObjectMember) bool { return edit.Text(&m.Name) == "args" })
}

// quotePlaceholders quotes a word, except ${CLAUDE_PROJECT_DIR} and the like, which are variables of the shell.
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
