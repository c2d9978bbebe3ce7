package agents

import (
	"runtime"

	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
)

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
	// Plain: it runs Program as install would have it run, and nothing else, but
	// for --headless, which is only stricter.
	Plain bool
	// Stale are the members that are not as install would write them.
	Stale []hookio.Member
}

// Find returns the handlers of ours in a file, compared with what install
// would write for the binary exe.
func Find(h *hookio.Host, p Place, d *edit.Doc, exe string) []Found {
	var out []Found
	obj, ok := value(events(p, d)).(*hujson.Object)
	if !ok {
		return nil
	}
	for i := range obj.Members {
		name := edit.Text(&obj.Members[i].Name)
		known, own := Event(h, name), ""
		if known != nil {
			own = known.Matcher
		}
		each(&obj.Members[i].Value, own, func(handler *hujson.Value, all bool) {
			f := Found{Event: name, Place: d.Pos(handler), All: all, Known: known}
			c := parseCall(handler)
			f.Program, f.Text, f.Options, f.Beside = c.program, c.text, c.options, c.beside
			if f.Known != nil {
				f.Plain = plain(h, f.Known, c)
				f.Stale = stale(h, handler, exe, f.Known, p.wait())
			}
			out = append(out, f)
		})
	}
	return out
}

// Missing returns the events that Register would add a handler for, and those of
// which it would change one.
func Missing(h *hookio.Host, p Place, d *edit.Doc, exe string) (absent, outdated []string) {
	for i := range h.Register.Events {
		ev := &h.Register.Events[i]
		own := whole(edit.Member(events(p, d), ev.Name), ev.Matcher)
		switch {
		case own == nil:
			absent = append(absent, ev.Name)
		case len(stale(h, own, exe, ev, p.wait())) > 0:
			outdated = append(outdated, ev.Name)
		}
	}
	return absent, outdated
}

// Event returns the event of that name install registers, nil for none.
func Event(h *hookio.Host, name string) *hookio.HookEvent {
	for i := range h.Register.Events {
		if h.Register.Events[i].Name == name {
			return &h.Register.Events[i]
		}
	}
	return nil
}

// plain reports whether a command is one install writes for its program, or wrote.
func plain(h *hookio.Host, ev *hookio.HookEvent, c *hookCall) bool {
	for _, word := range c.options {
		if word != "--headless" {
			return false
		}
	}
	if c.text == args(h, ev, c.options...) {
		return true
	}
	call := bare(c.text)
	return call == hookCommand(runtime.GOOS, h, c.program, ev, false, c.options...) ||
		call == hookCommand(runtime.GOOS, h, c.program, ev, true, c.options...)
}

// Holds reports whether a file has a list for an event, whoever's.
func Holds(p Place, d *edit.Doc, event string) bool { return edit.Member(events(p, d), event) != nil }
