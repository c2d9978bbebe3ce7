package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// copies is cp, mv, ln and install: the last operand is the destination unless
// an option named it; it may be a directory that receives the base names.
func (c *Invocation) copies(ops []int) {
	dest, single := c.Target, c.Has("T", "no-target-directory")
	if dest == nil && len(ops) > 1 {
		dest = &c.Argv[ops[len(ops)-1]]
		ops = ops[:len(ops)-1]
	}
	if dest == nil && len(ops) == 1 {
		switch {
		case several(&c.Argv[ops[0]]):
			dest = &c.Argv[ops[0]]
		case c.Sub.Operands == Links:
			dest = c.here()
		}
	}
	for _, i := range ops {
		if c.Sub.Operands == Moves {
			c.remove(&c.Argv[i])
		} else {
			c.read(&c.Argv[i])
		}
		if c.HardLinks() { // what is written to the new name is written to the old one
			c.write(&c.Argv[i])
		}
	}
	if dest == nil {
		return
	}
	// what is moved may be a tree, and becomes the destination unless that is a directory
	tree := c.Recursive
	into := c.Target != nil || directory(dest, c.Home)
	c.Recursive = tree || c.Has("parents") || c.Sub.Operands == Moves && !into
	from := len(c.Facts.Effects)
	c.writeFile(dest)
	for i := range c.Facts.Effects[from:] {
		c.Facts.Effects[from+i].Replaces = c.Sub.Operands != Copies || tree || c.Has("P", "d", "no-dereference")
	}
	if !into {
		c.backup(dest)
	}
	c.Recursive = tree || c.Sub.Operands == Moves
	for _, i := range ops {
		if !into {
			c.linked(dest, &c.Argv[i])
		}
	}
	if single || dest.Known && shell.NotFile(dest.Text) {
		for _, i := range ops {
			if single && tree && c.Sub.Operands == Copies {
				c.unpacks(dest, c.folder(&c.Argv[i]))
			}
		}
		return
	}
	for _, i := range ops {
		src := &c.Argv[i]
		if !src.Known && !src.Glob && !into {
			continue
		}
		w := shell.Beneath(dest, src)
		from := len(c.Facts.Effects)
		c.write(&w)
		c.copied(from, dest, src)
		c.copiedTree(from, dest, src, tree)
		c.linked(&w, src)
		c.backup(&w)
	}
}

// copiedTree says of the writes from an index on that a tree is copied there. To
// some programs x/ is what is in x.
func (c *Invocation) copiedTree(from int, dest, src *shell.Word, tree bool) {
	in := c.folder(src)
	if c.Sub.Operands == Moves && src.Glob {
		c.holding(from, in)
	}
	if !tree || c.Sub.Operands != Copies {
		return
	}
	c.holding(from, in)
	if meansContents(src) {
		c.unpacks(dest, in)
	}
}

// meansContents reports whether a word may mean what is in a folder: x/, "$x"/. and
// what find or xargs names.
func meansContents(src *shell.Word) bool {
	name := src.Text[strings.LastIndexByte(src.Text, '/')+1:]
	if name == "" || src.Known || src.Glob {
		return name == ""
	}
	return name == "." || strings.HasPrefix(name, shell.HoleMark) && !src.Down
}

// copied says of the writes from an index on that they are called like what a
// pattern finds, in a folder that is known.
func (c *Invocation) copied(from int, dest, src *shell.Word) {
	if !dest.Known || !src.Glob {
		return
	}
	into, names := shell.EffectsOf(shell.Write, dest, c.Cwd), shell.EffectsOf(shell.Read, src, c.Cwd)
	if len(into) != 1 || len(names) != 1 || names[0].Expands == nil {
		return
	}
	for i := range c.Facts.Effects[from:] {
		c.Facts.Effects[from+i].Expands = &shell.Expansion{Pattern: names[0].Expands.Pattern, Into: into[0].Path}
	}
}

// backup writes what -b and its like keep of a file that is replaced: its name
// with something added.
func (c *Invocation) backup(w *shell.Word) {
	if !c.Has("b", "backup", "S", "suffix") {
		return
	}
	old := shell.NamesStartingWith(w)
	c.write(&old)
}

// directory reports whether a word certainly names a directory.
func directory(w *shell.Word, home string) bool {
	t := w.Text
	switch t[strings.LastIndexByte(t, '/')+1:] {
	case ".", "..":
		return true
	case "":
		return t != ""
	}
	return home != "" && t == home
}
