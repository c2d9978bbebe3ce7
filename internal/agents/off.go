package agents

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
)

// An Off is a setting of a host that keeps its hooks from running.
type Off struct {
	*hookio.OffSwitch
	Place string // file:line:col, or file:line of a TOML file
}

// Off returns the settings that keep the hooks of a scope from running, the
// administrator's first. read returns a file's text, nil when there is none; show
// is how messages spell its name. A file that cannot be read is the host's business.
func (d *Dirs) Off(h *hookio.Host, scope string, read func(name string) []byte, show func(name string) string) []Off {
	var out []Off
	for i := range h.Register.Off {
		o := &h.Register.Off[i]
		if o.Spares == scope {
			continue
		}
		for _, name := range d.offFiles(h, o) {
			if place := isOff(o, show(name), read(name)); place != "" {
				out = append(out, Off{o, place})
			}
		}
	}
	return out
}

func (d *Dirs) offFiles(h *hookio.Host, o *hookio.OffSwitch) []string {
	var out []string
	if o.Path != "" {
		out = []string{d.Path(h.Register, o.Path)}
	} else {
		for _, p := range d.Places(h) {
			if p.Scope == o.Scope {
				out = append(out, p.Name)
			}
		}
	}
	if o.Scope == hookio.ForProject {
		out = append(out, d.below(out)...)
	}
	return out
}

// below returns files of the project as they are called in the folders between
// it and the working directory: which of them a host reads depends on where it
// was started.
func (d *Dirs) below(names []string) []string {
	var out []string
	for dir := d.Cwd; dir != "" && dir != d.Project && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		for _, name := range names {
			if rel, err := filepath.Rel(d.Project, name); err == nil {
				out = append(out, filepath.Join(dir, rel))
			}
		}
	}
	return out
}

// isOff returns where a file sets the switch, "" when it does not.
func isOff(o *hookio.OffSwitch, name string, text []byte) string {
	if len(text) == 0 {
		return ""
	}
	if strings.HasSuffix(o.Path, ".toml") {
		if line := tomlLine(string(text), o.Key, o.Value); line > 0 {
			return fmt.Sprintf("%s:%d", name, line)
		}
		return ""
	}
	doc, err := edit.Parse(name, text)
	if err != nil {
		return ""
	}
	v := &doc.Root
	for _, key := range strings.Split(o.Key, ".") {
		v = edit.Member(v, key)
	}
	if v == nil || !switched(v, o.Value) {
		return ""
	}
	return doc.Pos(v)
}

// switched reports whether a setting has a value, or holds it in its list. What
// is meant to be true is so by anything but false and null.
func switched(v *hujson.Value, value string) bool {
	for _, el := range edit.Elements(v) {
		if minimal(&el) == value {
			return true
		}
	}
	return minimal(v) == value || value == "true" && edit.On(v)
}

// tomlLine returns the line of a TOML text that gives a key this value, 0 for
// none. It knows tables, dotted keys and tables on one line, which is how the
// switches are written.
func tomlLine(text, key, value string) int {
	table, n := "", 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "#")
		line = squeeze(line)
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[]") + "."
			continue
		}
		name, v, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		name = table + name
		if inner, isTable := strings.CutPrefix(v, "{"); isTable {
			for _, pair := range strings.Split(strings.TrimSuffix(inner, "}"), ",") {
				if name+"."+pair == key+"="+value {
					return n
				}
			}
		}
		if name == key && v == value {
			return n
		}
	}
	return 0
}

// squeeze takes the blanks and the quotes around keys out of a line.
func squeeze(line string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n\"'", r) {
			return -1
		}
		return r
	}, line)
}
