package commands

import (
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// OnDisk is the one path a word names, "" where there is no telling.
func (c *Invocation) OnDisk(w *shell.Word, cwd *shell.CwdState) string {
	if w == nil {
		return ""
	}
	es := shell.EffectsOf(shell.Read, w, cwd)
	if len(es) != 1 || !es[0].Known {
		return ""
	}
	return es[0].Path
}

// unpacks writes a folder, and says what comes to lie in it.
func (c *Invocation) unpacks(dir *shell.Word, in shell.Contents) {
	from := len(c.Facts.Effects)
	c.touch(shell.Write, dir, true)
	c.Wrote = true
	c.holding(from, in)
	for i := range c.Facts.Effects[:from] { // the same write, of which nothing was said yet
		had := &c.Facts.Effects[i]
		if len(c.Facts.Effects) == from+1 && had.Contents == nil {
			one := &c.Facts.Effects[from]
			if one.Path == had.Path && one.Kind == had.Kind && one.Recursive == had.Recursive {
				had.Contents, c.Facts.Effects = one.Contents, c.Facts.Effects[:from]
				return
			}
		}
	}
}

// holding says of the writes from an index on what comes to lie below them.
func (c *Invocation) holding(from int, in shell.Contents) {
	for i := range c.Facts.Effects[from:] {
		if e := &c.Facts.Effects[from+i]; e.Kind == shell.Write {
			e.Contents = &in
		}
	}
}

// archive is what an archive holds that a word names; nil and - are standard input.
func (c *Invocation) archive(w *shell.Word, cwd *shell.CwdState) shell.Contents {
	if w == nil || w.Known && (w.Text == "-" || w.Text == "/dev/stdin") {
		return shell.Contents{Kind: shell.FromArchive, Stdin: true}
	}
	return shell.Contents{Kind: shell.FromArchive, From: c.OnDisk(w, cwd)}
}

// stripped reads the number of components that names lose.
func stripped(c *shell.Contents, u *Used) {
	n, err := strconv.Atoi(u.Value.Text)
	c.Strip = n
	c.Changed = c.Changed || !u.Value.Known || err != nil || n < 0
}

// folder is what lies in a folder that is copied.
func (c *Invocation) folder(src *shell.Word) shell.Contents {
	return shell.Contents{Kind: shell.FromFolder, From: c.OnDisk(src, c.Cwd)}
}

// arrives says that what src names comes to lie in dest: by its own name where
// dest is a folder. Where src means what is in it (x/., and for some programs
// x/), that lies right there.
func (c *Invocation) arrives(dest, src *shell.Word, in shell.Contents, slash bool) {
	name := strings.TrimRight(src.Text, "/")
	base := name[strings.LastIndexByte(name, '/')+1:]
	switch remote := elsewhere(src); {
	case remote && strings.HasSuffix(name, ":"):
		base = ""
	case remote:
		base = base[strings.LastIndexByte(base, ':')+1:]
	}
	switch {
	case dest.Known && shell.NotFile(dest.Text):
		return
	case shell.OpensFolder(base), slash && name != src.Text:
		c.unpacks(dest, in)
		return
	case strings.ContainsAny(base, "*?["+shell.HoleMark):
		return
	}
	one := *src
	one.Text = base
	w := shell.Beneath(dest, &one)
	from := len(c.Facts.Effects)
	c.write(&w)
	c.holding(from, in)
}
