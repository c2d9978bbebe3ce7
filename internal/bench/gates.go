package bench

import (
	"errors"
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/tree"
)

// ReadGates reads a file of gates, in TOML: a table each, by its name, with hook, and host, event and setup where
// needed.
// usual is the host of those that name none.
func ReadGates(name, text string, usual *hookio.Host) ([]*Gate, error) {
	fail := func(off int, format string, args ...any) error {
		line := 1 + strings.Count(text[:min(off, len(text))], "\n")
		return fmt.Errorf("%s:%d: %s", name, line, fmt.Sprintf(format, args...))
	}
	root, err := tree.TOML(text)
	var bad *tree.Error
	if errors.As(err, &bad) {
		return nil, fail(bad.Off, "%s", hookio.Escape(bad.Msg))
	}
	var out []*Gate
	for i, key := range root.Keys {
		n, g := root.Items[i], &Gate{Name: key, Host: usual}
		if n.Kind != tree.Table {
			return nil, fail(n.Off, "%s is no table: write [NAME], and hook = '...' below it", hookio.Escape(key))
		}
		for k, word := range n.Keys {
			if v := n.Items[k]; v.Kind != tree.Text || !g.set(word, v.Text) {
				return nil, fail(v.Off, "%s: a gate has hook, setup, event (PreToolUse, PermissionRequest) and host (permgate help hosts)",
					hookio.Escape(word))
			}
		}
		if g.Hook == "" || g.Host == nil {
			return nil, fail(n.Off, "%s needs a hook and a host", hookio.Escape(key))
		}
		out = append(out, g)
	}
	if len(out) == 0 {
		return nil, fail(0, "no gate in it")
	}
	return out, nil
}

// set gives a gate what a key says; false for a key or value that is none.
func (g *Gate) set(key, value string) bool {
	switch key {
	case "hook":
		g.Hook = value
	case "setup":
		g.Setup = value
	case "event":
		g.Event = hookio.Event(value)
		return g.Event == hookio.PreToolUse || g.Event == hookio.PermissionRequest
	case "host":
		host, err := gate.NamedHost(value)
		g.Host = host
		return err == nil && host != nil
	default:
		return false
	}
	return true
}
