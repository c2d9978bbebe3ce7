package commands

import "github.com/permgate--owner/permgate/bashsafety/shell"

// A Symlink is a symlink that a command makes: the names it may get, and what it
// leads to, as written.
type Symlink struct {
	Names  []shell.Effect
	Target *shell.Word
}

// Symlinks reports whether a command that copies or links makes symlinks.
func (c *Invocation) Symlinks() bool {
	return c.Sub.Operands == Links && c.Has("s", "symbolic") || c.Sub.Operands == Copies && c.Has("s", "symbolic-link")
}

// HardLinks reports whether a command that copies or links makes second names of
// the same files.
func (c *Invocation) HardLinks() bool {
	return c.Sub.Operands == Links && !c.Symlinks() || c.Sub.Operands == Copies && c.Has("l", "link")
}

// linked notes that one of names becomes a symlink to target.
func (c *Invocation) linked(name, target *shell.Word) {
	if c.Symlinks() {
		c.Links = append(c.Links, Symlink{shell.EffectsOf(shell.Write, name, c.Cwd), target})
	}
}
