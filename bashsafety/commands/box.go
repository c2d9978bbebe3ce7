package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Box is a container that a command makes: what runs there touches this machine at its mounts alone.
type Box struct {
	Mounts []Mount
	Dir    string // where the command starts, absolute; "" where the image says it
	Closed bool   // nothing else of this machine can be reached: no privilege, device, namespace or socket of it
}

// A Mount is a folder or file of this machine, absolute and clean, at a path of a container.
type Mount struct{ Source, Target string }

// Here are the effects of a command in the container that are effects on this machine, each at its source. A home of
// ours that the shell put in for ~ is that of root there.
func (b *Box) Here(effects []shell.Effect, home string) (all []shell.Effect) {
	for _, e := range effects {
		switch e.Kind {
		case shell.Network, shell.Privilege, shell.Unknown, shell.Looks:
			continue
		}
		rest, ours := strings.CutPrefix(e.Path, home+"/")
		for _, m := range b.Mounts {
			if path, ok := m.source(e.Path); ok {
				e.Path, e.Raw = path, ""
			} else if path, ok = m.source("/root/" + rest); ok && ours && home != "" {
				e.Path, e.Raw = path, ""
			} else {
				continue
			}
			all = append(all, e)
			break
		}
	}
	return all
}

// source is the path of this machine that a path of the container is.
func (m *Mount) source(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(m.Target, "/"))
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return shell.CleanPath(m.Source + rest), true
}

// box is the container that docker run and its kin make. What is not understood leaves it open.
func (c *Invocation) box() *Box {
	b := &Box{Closed: c.Understood() && c.Subs[0] != "compose" && c.Cmd.Name() != "docker-compose"}
	for u := range c.options() {
		switch u.Name {
		case "v", "volume", "mount":
			b.mount(u, c.Cwd)
		case "w", "workdir":
			b.Dir = u.Value.Text
		case "privileged", "device", "volumes-from", "device-cgroup-rule", "cap-add", "security-opt", "volume-driver", "runtime",
			"use-api-socket", "rootfs":
			b.Closed = false
		case "pid", "ipc", "uts", "cgroupns", "userns", "network", "net":
			b.Closed = b.Closed && u.Value.Known && !strings.HasPrefix(u.Value.Text, "host")
		}
	}
	return b
}

// mount adds what one option mounts. A named volume is no place of this machine unless options make it one.
func (b *Box) mount(u *Used, cwd *shell.CwdState) {
	source, _ := mountSource(u)
	target, text := "", u.Value.Text
	if u.Name == "mount" {
		for _, key := range [...]string{"target", "destination", "dst"} {
			if w := csvValue(&u.Value, key); w.Text != "" {
				target = w.Text
			}
		}
	} else if _, rest, ok := strings.Cut(text, ":"); ok {
		target, _, _ = strings.Cut(rest, ":")
	}
	switch unclear := !u.Value.Known || strings.Contains(text, `"`) || drive(text); {
	case unclear, strings.HasSuffix(source, ".sock"), strings.Contains(text, "volume-opt"):
		b.Closed = false
	case strings.HasPrefix(source, "/"), strings.HasPrefix(source, "."):
		at := shell.Literal(source, &u.Value)
		for _, e := range shell.EffectsOf(shell.Read, &at, cwd) {
			if b.Closed = b.Closed && e.Known; e.Known {
				b.Mounts = append(b.Mounts, Mount{e.Path, shell.CleanPath(target)})
			}
		}
	}
}

// Cwd is where a command in the container starts.
func (b *Box) Cwd() shell.CwdState {
	if strings.HasPrefix(b.Dir, "/") && !strings.Contains(b.Dir, shell.HoleMark) {
		return shell.CwdState{Dirs: []string{shell.CleanPath(b.Dir)}, Moved: true}
	}
	return shell.CwdState{Moved: true}
}

// Untouched reports whether a command runs in a closed container and changes nothing of this machine.
func (s *Standing) Untouched(effects []shell.Effect) bool {
	changes := func(e shell.Effect) bool { return e.Kind == shell.Write || e.Kind == shell.Delete }
	return s.Box != nil && s.Box.Closed && !slices.ContainsFunc(effects, changes)
}
