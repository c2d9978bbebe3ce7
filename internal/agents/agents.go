// Package agents reads the registration every host carries as data: where its
// hooks are kept, what the entry to add looks like, and how to tell that it is
// there.
package agents

import (
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"permgate/hookio"
	"permgate/internal/edit"
)

// Hosts returns the hosts permgate can register itself with, by name.
func Hosts() []*hookio.Host {
	var out []*hookio.Host
	for _, h := range hookio.Hosts() {
		if h.Register != nil {
			out = append(out, h)
		}
	}
	slices.SortFunc(out, func(a, b *hookio.Host) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Names returns the names of Hosts, separated by sep.
func Names(sep string) string {
	var names []string
	for _, h := range Hosts() {
		names = append(names, h.Name)
	}
	return strings.Join(names, sep)
}

// Lookup returns the host called name, nil if permgate cannot register itself there.
func Lookup(name string) *hookio.Host {
	if h := hookio.Lookup(name); name != "" && h != nil && h.Register != nil {
		return h
	}
	return nil
}

// Dirs are the folders a machine has for the "~/", the project's and the
// administrator's part of a registration.
type Dirs struct {
	Home, Project string
	System        string // stands in for /etc in tests; "" is the system's own
	Getenv        func(string) string
	Exists        func(name string) bool
}

// Path returns the file a path of a registration means.
func (d *Dirs) Path(r *hookio.Registration, name string) string {
	rest, inHome := strings.CutPrefix(name, "~/")
	switch {
	case !inHome && !rooted(name):
		return filepath.Join(d.Project, filepath.FromSlash(name))
	case !inHome && d.System != "":
		return filepath.Join(d.System, filepath.FromSlash(strings.TrimPrefix(name, "/etc/")))
	case !inHome:
		return name
	}
	if r.Moved.From != "" && strings.HasPrefix(name, r.Moved.From+"/") {
		if dir := d.Getenv(r.Moved.To); filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.FromSlash(name[len(r.Moved.From)+1:]))
		}
	}
	return filepath.Join(d.Home, filepath.FromSlash(rest))
}

// rooted reports whether a path of a registration is absolute on the system it is for.
func rooted(name string) bool { return strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':' }

// A Place is one file a host reads hooks from.
type Place struct {
	*hookio.HookFile
	Name string // the file on this machine
}

// Place returns where a host keeps the hooks of a scope; ok is false when it
// has no such scope.
func (d *Dirs) Place(h *hookio.Host, scope string) (Place, bool) {
	for _, p := range d.Places(h) {
		if p.Scope == scope && (!p.IfThere || d.Exists(p.Name)) {
			return p, true
		}
	}
	return Place{}, false
}

// Places returns every file of the host on this system, in the order in which
// the first that is there counts.
func (d *Dirs) Places(h *hookio.Host) []Place {
	var out []Place
	seen := "" // scopes whose file for this very system was found
	for i := range h.Register.Files {
		f := &h.Register.Files[i]
		if f.OS == runtime.GOOS {
			seen += f.Scope + ","
		} else if f.OS != "" || strings.Contains(seen, f.Scope+",") {
			continue
		}
		out = append(out, Place{f, d.Path(h.Register, f.Path)})
	}
	return out
}

// Entry is the element to add for an event, as compact JSON.
func Entry(h *hookio.Host, exe string, ev *hookio.HookEvent) string {
	var b strings.Builder
	if h.Register.Flat {
		b.WriteByte('{')
	} else {
		b.WriteString(`{"hooks":[{`)
	}
	sep := ""
	for _, k := range members(h, exe, ev) {
		b.WriteString(sep + edit.Quote(k.Name) + ":" + k.JSON)
		sep = ","
	}
	if h.Register.Flat {
		b.WriteByte('}')
		return b.String()
	}
	b.WriteString("}]}")
	if m := matcher(h, ev); m != "" {
		return `{"matcher":` + edit.Quote(m) + "," + b.String()[1:]
	}
	return b.String()
}

// matcher is that of an event, "" where the key is left out.
func matcher(h *hookio.Host, ev *hookio.HookEvent) string {
	switch {
	case ev.NoTool:
		return ""
	case ev.Matcher != "":
		return ev.Matcher
	}
	return h.Register.Matcher
}

// seconds is the time-out that is registered: far above the deadline of the
// hook itself, far below what a person would wait.
const seconds = 10

// members are those of a handler that make it ours. The time-out is a default:
// a user's own number is left alone, see timely.
func members(h *hookio.Host, exe string, ev *hookio.HookEvent) []hookio.Member {
	r := h.Register
	out := append([]hookio.Member(nil), r.Fixed...)
	if m := matcher(h, ev); m != "" && r.Flat {
		out = append(out, hookio.Member{Name: "matcher", JSON: edit.Quote(m)})
	}
	if r.Exec {
		out = append(out, hookio.Member{Name: "command", JSON: edit.Quote(exe)}, hookio.Member{Name: "args", JSON: args(h, ev)})
	} else {
		key := commandKey(r)
		out = append(out, hookio.Member{Name: key, JSON: edit.Quote(Command(h, exe, ev, key == "powershell"))})
	}
	timeout := "10"
	if r.Millis {
		timeout = "10000"
	}
	out = append(out, hookio.Member{Name: r.Timeout, JSON: timeout})
	if ev.Gates && r.FailShut.Name != "" {
		out = append(out, r.FailShut)
	}
	if ev.Async && r.Async.Name != "" {
		out = append(out, r.Async)
	}
	return out
}

func args(h *hookio.Host, ev *hookio.HookEvent) string {
	return `["hook","--host","` + h.Name + `","--event","` + ev.Name + `"]`
}

func commandKey(r *hookio.Registration) string {
	for _, p := range r.Command {
		if p.From == runtime.GOOS || p.From == "" {
			return p.To
		}
	}
	return "command"
}

// Command is the shell command of an event.
func Command(h *hookio.Host, exe string, ev *hookio.HookEvent, powershell bool) string {
	return command(runtime.GOOS, h, exe, ev, powershell)
}

func command(goos string, h *hookio.Host, exe string, ev *hookio.HookEvent, powershell bool) string {
	program := ShellQuote(exe)
	switch {
	case powershell:
		program = "& '" + strings.ReplaceAll(exe, "'", "''") + "'"
	case goos == "windows":
		program = `"` + exe + `"` // cmd and sh read this alike; a file name holds no quote
	}
	command := program + " hook --host " + h.Name + " --event " + ev.Name
	if ev.Gates && h.Register.OrExit2 {
		// exit 2 is the only code that blocks here: without it a missing
		// binary (127) would let every call through
		command += " || exit 2"
	}
	return command
}

// ShellQuote returns word so that a POSIX shell reads it as one word.
func ShellQuote(word string) string {
	plain := word != ""
	for _, r := range word {
		if !strings.ContainsRune("/._-+@%:,=", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			plain = false
		}
	}
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// isGate reports whether a program is permgate, by its name.
func isGate(program string) bool {
	base := path.Base(strings.ReplaceAll(program, `\`, "/"))
	return base == "permgate" || base == "permgate.exe"
}

// firstWords returns the first two words of a shell command.
func firstWords(command string) (first, second string) {
	command = strings.TrimPrefix(command, "& ") // PowerShell's call operator
	words := make([]string, 0, 2)
	var b strings.Builder
	quote, inWord := byte(0), false
	for i := 0; i < len(command) && len(words) < 2; i++ {
		switch c := command[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'' || quote == '"' && (c != '\\' || drive(b.String())):
			b.WriteByte(c)
		case c == '\\' && i+1 < len(command) && !drive(b.String()):
			i++
			b.WriteByte(command[i])
			inWord = true
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t':
			if inWord {
				words = append(words, b.String())
				b.Reset()
				inWord = false
			}
		default:
			b.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, b.String())
	}
	words = append(words, "", "")
	return words[0], words[1]
}

// drive reports whether a word starts like a Windows path: backslashes are
// separators there.
func drive(word string) bool { return len(word) > 1 && word[1] == ':' }
