package cli

import (
	"cmp"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
)

// An implied says whose posture a call has that no --host was given for: that of
// the one program the hook is registered with, for this user or by the
// administrator. With several it is the bare one, which is nobody's.
type implied struct {
	host *hookio.Host // nil for the bare posture
	file string       // where it is registered
	all  []string     // the names of those that are registered
}

// imply works out whose posture counts, where the options name no program.
func (o *callOptions) imply(e *env) {
	if o.Host != "" {
		return
	}
	dirs, err := e.dirs()
	if err != nil {
		return
	}
	if o.Home != "" {
		dirs.Home = e.abs(o.Home)
	}
	o.implied = &implied{}
	for _, h := range agents.Hosts() {
		plugin, _ := dirs.Plugin(h, e.readText)
		if file := cmp.Or(registeredIn(dirs, h), plugin.Name); file != "" {
			o.implied.host, o.implied.file = h, file
			o.implied.all = append(o.implied.all, h.Name)
		}
	}
	if len(o.implied.all) != 1 {
		o.implied.host, o.implied.file = nil, ""
	}
}

// registeredIn is the file of the user or the administrator that registers the
// hook with a host, "" for none.
func registeredIn(dirs *agents.Dirs, h *hookio.Host) string {
	for _, p := range dirs.Places(h) {
		if p.Scope == hookio.ForProject {
			continue
		}
		_, text, _, err := edit.Read(p.Name)
		if err != nil || len(text) == 0 {
			continue
		}
		if doc, err := edit.Parse(p.Name, text); err == nil && len(agents.Find(h, p, doc, "")) > 0 {
			return p.Name
		}
	}
	return ""
}

// bind makes a call one of the implied host, as its hook would see it.
func (i *implied) bind(call *hookio.Call) {
	if i != nil {
		gate.Bind(call, i.host)
	}
}

// of is i where it counted for a call, else nil.
func (i *implied) of(call *hookio.Call) *implied {
	switch {
	case i == nil:
	case i.host == nil && call.Host.Name == gate.Unmarked, i.host != nil && call.Host == i.host:
		return i
	}
	return nil
}

// note names the posture for people, "" where there is only the bare one.
func (i *implied) note(e *env) string {
	switch {
	case i == nil || len(i.all) == 0:
		return ""
	case i.host == nil:
		return "without a particular program: several are registered (" + strings.Join(i.all, ", ") +
			"); --host NAME decides as one of them"
	}
	return "as " + i.host.Title + " would call: the hook is registered in " + e.path(i.file)
}

// option is what makes another subcommand decide alike.
func (i *implied) option() string {
	if i == nil || i.host == nil {
		return ""
	}
	return "--host " + i.host.Name + " "
}

// implies adds it to a result.
func (o *object) implies(i *implied) {
	if i != nil && i.host != nil {
		o.opt("registered_in", hookio.Escape(i.file))
	}
}
