package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// newItem is New-Item and mkdir: a path, or a path and a name. A link is written
// where it leads as well.
func (b *psCall) newItem() {
	names := b.values("Name")
	paths := b.files(true)
	for i := range paths {
		if len(names) == 0 {
			b.touch(shell.Write, &paths[i], false)
		}
	}
	for i := range names {
		dir := psWord{Word: shell.Literal(".", &names[i].Word)}
		if len(paths) > 0 {
			dir = paths[0]
		}
		w := psWord{Word: shell.Word{Text: dir.Text + "/" + names[i].Text, Known: dir.Known && names[i].Known, Single: true, Span: names[i].Span}}
		b.touch(shell.Write, &w, false)
	}
	kind := b.values("ItemType")
	if len(kind) == 0 || kind[0].Known && shell.Among("file directory", strings.ToLower(kind[0].Text)) {
		return
	}
	for _, w := range b.values("Target Value") {
		b.touch(shell.Write, &w, true)
	}
}

// copies is Copy-Item, Move-Item and the archive cmdlets.
func (b *psCall) copies(tree bool) {
	from := b.files(true)
	for i := range from {
		if b.cmd.does == psRelocates {
			b.touch(shell.Delete, &from[i], true)
		} else {
			b.touch(shell.Read, &from[i], tree || b.cmd.name == "Compress-Archive")
		}
	}
	if b.cmd.does == psRelocates {
		b.fromPipe(shell.Delete)
	} else {
		b.fromPipe(shell.Read)
	}
	to := b.values("Destination DestinationPath")
	if len(to) == 0 {
		to = []psWord{{Word: shell.Literal(".", &b.c.words[0].Word)}}
	}
	for i := range to {
		b.touch(shell.Write, &to[i], tree || b.cmd.does == psRelocates || b.cmd.name == "Expand-Archive")
		for k := range from {
			dir, _ := b.p.file(&to[i], false)
			src, _ := b.p.file(&from[k], true)
			if strings.HasSuffix(b.cmd.name, "-Archive") || !src.Known && !src.Glob {
				continue
			}
			w := shell.Beneath(&dir, &src)
			b.touchFile(shell.Write, &w, tree)
		}
	}
}

func (b *psCall) renames() {
	from, to := b.files(true), b.values("NewName")
	for i := range from {
		b.touch(shell.Delete, &from[i], true)
		for k := range to {
			old, _ := b.p.file(&from[i], false)
			w, _ := b.p.file(&to[k], false)
			if cut := strings.LastIndexByte(old.Text, '/'); cut >= 0 {
				w.Text, w.Known = old.Text[:cut+1]+w.Text, w.Known && old.Known
			}
			b.touchFile(shell.Write, &w, true)
		}
	}
	b.fromPipe(shell.Delete)
}

// moves is Set-Location. Where it fails, what follows runs where it was.
func (b *psCall) moves() {
	for _, w := range b.values(b.cmd.paths) {
		file, drive := b.p.file(&w, false)
		next := shell.CwdState{Moved: true}
		if drive == "" {
			next = *shell.Moved(&b.p.st.cwd, &file)
		}
		b.p.st.cwd = b.p.st.cwd.Or(next)
	}
}
