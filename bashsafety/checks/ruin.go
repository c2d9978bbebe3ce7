package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// targets are the paths a command touches in one of two ways, as far as they
// are known.
func targets(c *commands.Invocation, sub *interp.Subcommand, a, b shell.EffectKind) []shell.Effect {
	var all []shell.Effect
	for _, list := range [...][]shell.Effect{sub.Effects, c.Facts.Effects} {
		for _, e := range list {
			if (e.Kind == a || e.Kind == b) && !e.Redirect && strings.HasPrefix(e.Path, "/") {
				all = append(all, e)
			}
		}
	}
	return all
}

// ruins reports whether a command touches, in a way, something ruinous.
func ruins(c *commands.Invocation, sub *interp.Subcommand, kind shell.EffectKind) bool {
	for _, e := range targets(c, sub, kind, kind) {
		if shell.Ruinous(&e, c.Home) {
			return true
		}
	}
	return false
}

// driveRoot reports whether a word is the root of a Windows drive.
func driveRoot(w *shell.Word) bool {
	return interp.DriveLetter(w.Text) && strings.Trim(w.Text[2:], `\/*.`) == ""
}

// removesRoot is rm -r of something ruinous.
func removesRoot(c *commands.Invocation, sub *interp.Subcommand) bool {
	if !c.Recursive {
		return false
	}
	for _, i := range c.Operands {
		if driveRoot(&c.Argv[i]) {
			return true
		}
	}
	return ruins(c, sub, shell.Delete)
}

// filtered reports whether a find expression names what it deletes.
func filtered(c *commands.Invocation) bool {
	for i := range c.Argv[1:] {
		t := c.Argv[i+1].Text
		if before := c.Argv[i].Text; before == "!" || before == "-not" {
			continue // all but those
		}
		switch {
		case t == "-mindepth", t == "-maxdepth", t == "-type":
		case t == "-empty", strings.HasPrefix(t, "-") && commands.FindTakesValue(t):
			return i+2 >= len(c.Argv) || strings.Trim(c.Argv[i+2].Text, "*.?/") != ""
		}
	}
	return false
}

// movesAway is mv of something whose loss is that of the machine.
func movesAway(c *commands.Invocation, sub *interp.Subcommand) bool {
	moved := c.Operands
	if c.Target == nil {
		if len(moved) < 2 {
			return false
		}
		moved = moved[:len(moved)-1]
	}
	for _, i := range moved {
		if driveRoot(&c.Argv[i]) {
			return true
		}
	}
	return ruins(c, sub, shell.Delete)
}

// findsAll reports whether a subcommand is a find that starts at something
// ruinous and names nothing of what it finds.
func findsAll(sub *interp.Subcommand) bool {
	c := sub.Call
	return c != nil && c.Cmd.Name() == "find" && !filtered(c) && ruins(c, sub, shell.Read)
}

// sweeps reports the commands that delete all that a find or a listing of
// something ruinous prints: find / -exec rm {} +, find ~ | xargs rm -rf.
func sweeps(s *interp.Analysis) []interp.Finding {
	return remote.RunningAt(s, func(i int, sub *interp.Subcommand) bool {
		if sub.Call == nil || len(sub.Via) == 0 || !shell.Listed("rm unlink shred rmdir srm", sub.Program) {
			return false
		}
		switch sub.Via[len(sub.Via)-1] {
		case "find":
			for k := range i {
				if by := &s.Subcommands[k]; by.Span == sub.Span && findsAll(by) {
					return true
				}
			}
		case "xargs", "parallel":
			return slices.ContainsFunc(sub.From, func(k int) bool { return findsAll(&s.Subcommands[k]) })
		}
		return false
	})
}

// mirrorsOnto is rsync that deletes what the source does not have, onto something
// ruinous, here or on another machine.
func mirrorsOnto(c *commands.Invocation, sub *interp.Subcommand) bool {
	mirrors := c.Has("delete", "delete-before", "delete-during", "delete-delay", "delete-after", "delete-excluded",
		"del")
	if !mirrors || c.Has("n", "dry-run", "list-only") || len(c.Operands) < 2 {
		return false
	}
	for _, e := range targets(c, sub, shell.Write, shell.Delete) {
		if shell.Ruinous(&e, c.Home) && e.Path != "/tmp" {
			return true
		}
	}
	return ruinousElsewhere(c.Argv[c.Operands[len(c.Operands)-1]].Text)
}

// ruinousElsewhere reports whether host:path is ruinous on that machine.
func ruinousElsewhere(target string) bool {
	host, at, ok := strings.Cut(target, ":")
	if !ok || strings.Contains(host, "/") {
		return false
	}
	at = shell.CleanPath(strings.TrimPrefix(at, ":"))
	if strings.HasPrefix(at, "/") {
		return shell.Ruinous(&shell.Effect{Path: at, Known: true}, "")
	}
	return at == "~" || at == "" || at == "."
}

// unpacksOver reports the commands that unpack into something ruinous.
func unpacksOver(s *interp.Analysis) []interp.Finding {
	var all []interp.Finding
	for _, program := range [...]string{"tar", "unzip", "cpio", "7z"} {
		all = append(all, matching(s, program, func(c *commands.Invocation, sub *interp.Subcommand) bool {
			for _, e := range targets(c, sub, shell.Write, shell.Write) {
				if e.Recursive && e.Known && !workFolder(s, e.Path) && shell.Ruinous(&e, c.Home) {
					return true
				}
			}
			return false
		})...)
	}
	return all
}

// workFolder reports whether a folder is there to be worked in: /tmp, or the one
// the text starts in, wherever that is.
func workFolder(a *interp.Analysis, dir string) bool {
	return dir == "/tmp" || a.Env.Cwd != "/" && dir == shell.CleanPath(a.Env.Cwd) && dir != a.Env.Home
}

// writesKernelKey reports the commands that write to a file of the kernel that
// restarts or stops the machine at once.
func writesKernelKey(s *interp.Analysis) []interp.Finding {
	return remote.RunningAt(s, func(_ int, sub *interp.Subcommand) bool {
		return slices.ContainsFunc(sub.Effects, kernelKey) || slices.ContainsFunc(sub.Away, kernelKey) ||
			sub.Call != nil && slices.ContainsFunc(sub.Call.Facts.Effects, kernelKey)
	})
}

func kernelKey(e shell.Effect) bool {
	const key = "/proc/sysrq-trigger"
	inOtherRoot := strings.HasPrefix(e.Path, "/proc/") && strings.HasSuffix(e.Path, "/root"+key)
	return e.Kind == shell.Write && (e.Path == key || inOtherRoot)
}
