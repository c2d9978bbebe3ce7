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

// maxHere bounds the effects that several mounts make of those in a container; one mount makes one of each.
const maxHere = 256

// Here are the effects of a command in the container that are effects on this machine, each at its source: those at or
// below a mount, and those on a whole tree that holds one. A home of ours that the shell put in for ~ may be any
// folder.
func (b *Box) Here(effects []shell.Effect, home string) (all []shell.Effect) {
	seen := make(map[shell.Effect]bool)
	for _, e := range effects {
		switch e.Kind {
		case shell.Network, shell.Privilege, shell.Unknown, shell.Looks:
			continue
		}
		tree := e.Recursive || e.Glob
		rest, ours := strings.CutPrefix(e.Path, home)
		ours = ours && home != "" && (rest == "" || rest[0] == '/')
		for _, m := range b.Mounts {
			path, ok := m.source(e.Path, tree)
			if !ok && ours {
				path, ok = shell.CleanPath(m.Source+rest), true
			}
			if !ok {
				continue
			}
			enough := len(all) >= max(maxHere, len(effects))
			if enough { // any place of this machine, whatever other mounts there are
				path, b.Closed = shell.HoleMark, false
			}
			at := e
			at.Path, at.Raw, at.Known = path, "", at.Known && !strings.HasPrefix(path, shell.HoleMark)
			key := at
			if key.Span = (shell.Span{}); !seen[key] {
				seen[key], all = true, append(all, at)
			}
			if enough {
				break
			}
		}
	}
	return all
}

// source is the path of this machine that a path of the container is, or that is below it where a whole tree is meant.
func (m *Mount) source(path string, tree bool) (string, bool) {
	target := strings.TrimSuffix(m.Target, "/")
	if rest, ok := strings.CutPrefix(path, target); ok && (rest == "" || rest[0] == '/') {
		return shell.CleanPath(m.Source + rest), true
	}
	above := strings.TrimSuffix(strings.TrimRight(path, "*"), "/")
	return m.Source, tree && strings.HasPrefix(target, above+"/")
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
		case "network", "net":
			b.Closed = b.Closed && shell.Among("none bridge default", u.Value.Text)
		default:
			b.Closed = b.Closed && shell.Among(closedOptions, u.Name)
		}
	}
	leaves := func(w shell.Word) bool { // what leads out of the folders it was given
		return !w.Known || shell.ContainsAny(w.Text, "chroot", "nsenter", "unshare", "mount", "pivot_root", "ln ", "ssh", "/proc/")
	}
	b.Closed = b.Closed && !slices.ContainsFunc(c.rest(0), leaves) && !c.Has("entrypoint")
	return b
}

// closedOptions are options of docker run and its kin that give a container nothing of this machine but what the words
// say.
const closedOptions = "rm i t it d interactive tty detach name e env label l h hostname entrypoint pull platform q quiet init read-only " +
	"memory m cpus u user restart tmpfs add-host dns p publish expose health-cmd stop-timeout ulimit shm-size no-healthcheck"

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
	switch unclear := strings.Contains(text, `"`) || drive(text); {
	case strings.Contains(source, shell.HoleMark): // any folder
		b.Closed = false
		b.add(shell.HoleMark, target)
	case unclear, !u.Value.Known, strings.Contains(source, "/run"), strings.HasSuffix(source, ".sock"), strings.Contains(text, "volume-opt"):
		b.Closed = false
	case strings.HasPrefix(source, "/"), strings.HasPrefix(source, "."):
		at := shell.Literal(source, &u.Value)
		for _, e := range shell.EffectsOf(shell.Read, &at, cwd) {
			if b.Closed = b.Closed && e.Known; e.Known {
				b.add(e.Path, target)
			}
		}
	}
}

// add adds a mount that is not there yet.
func (b *Box) add(source, target string) {
	if m := (Mount{source, shell.CleanPath(target)}); !slices.Contains(b.Mounts, m) {
		b.Mounts = append(b.Mounts, m)
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
