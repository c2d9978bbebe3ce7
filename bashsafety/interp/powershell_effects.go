package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// effects says what the cmdlet does.
func (b *psCall) effects() {
	switch tree := b.has("Recurse"); b.cmd.does {
	case psReads:
		for _, w := range b.files(false) {
			b.touch(shell.Read, &w, tree)
		}
		opens := shell.Listed("Get-Content Import-Csv Import-Clixml Format-Hex", b.cmd.name)
		if opens || b.cmd.name == "Select-String" && !b.c.flow.open {
			b.fromPipe(shell.Read)
		}
	case psWrites:
		for _, w := range b.files(true) {
			b.touch(shell.Write, &w, tree)
		}
		b.fromPipe(shell.Write)
	case psAppears:
		b.newItem()
	case psDeletes:
		for _, w := range b.files(true) {
			b.touch(shell.Delete, &w, tree)
		}
		b.fromPipe(shell.Delete)
	case psCopies, psRelocates:
		b.copies(tree)
	case psRenames:
		b.renames()
	case psMoves:
		b.moves()
	case psFetches:
		b.fetches()
	case psImports:
		for _, w := range b.values(b.cmd.paths) {
			if strings.ContainsAny(w.Text, `/\.`) || !w.Known {
				b.touch(shell.Source, &w, false)
			}
		}
	case psStarts:
		b.starts()
	case psDefines:
		b.p.doubt(analysis.DoubtShadow, shell.HidesAll, b.cmd.name, b.c.span.Start)
	case psBuilds:
		b.builds()
	case psEach:
		b.each()
	}
}

// touch adds the effects of one word.
func (b *psCall) touch(kind shell.EffectKind, w *psWord, tree bool) {
	file, drive := b.p.file(w, !b.has("LiteralPath"))
	if drive != "" {
		b.onDrive(kind, drive, w)
		return
	}
	b.touchFile(kind, &file, tree)
}

// touchFile adds the effects of a word that is a path already.
func (b *psCall) touchFile(kind shell.EffectKind, file *shell.Word, tree bool) {
	es := shell.EffectsOf(kind, file, &b.p.st.cwd)
	for i := range es {
		es[i].Recursive = tree
		es[i].Span = b.p.place(es[i].Span)
	}
	b.all = append(b.all, es...)
}

// onDrive follows what is no file: a variable, a function, the registry.
func (b *psCall) onDrive(kind shell.EffectKind, drive string, w *psWord) {
	switch {
	case kind == shell.Read && shell.Listed("env cert hklm hkcu registry", drive):
	case drive == "env":
		_, name, _ := strings.Cut(w.Text, ":")
		b.p.setEnv(strings.ToUpper(strings.Trim(name, `\/`)))
	case shell.Listed("function alias variable", drive):
		b.p.doubt(analysis.DoubtShadow, shell.HidesAll, w.Text, w.Span.Start)
	default:
		b.p.doubt(analysis.DoubtPowerShell, shell.HidesAll, "the drive "+drive, w.Span.Start)
	}
}

// fromPipe adds what is done to the files that come in through the pipe: those
// that Get-ChildItem listed, or any.
func (b *psCall) fromPipe(kind shell.EffectKind) {
	if len(b.values(b.cmd.paths)) > 0 || !b.c.flow.piped {
		return
	}
	const stores = "Set-Content Add-Content Out-File Tee-Object Export-Csv Export-Clixml Start-Transcript"
	if kind == shell.Write && shell.Listed(stores, b.cmd.name) {
		return // it is what is written
	}
	if b.c.flow.open || len(b.c.flow.roots) == 0 {
		b.all = append(b.all, shell.Effect{Kind: kind, Span: b.p.place(b.c.span)})
		return
	}
	for _, e := range b.c.flow.roots {
		e.Kind, e.Recursive = kind, true
		b.all = append(b.all, e)
	}
}

// fetches is what talks to a URL.
func (b *psCall) fetches() {
	for _, w := range b.values("Uri Source") {
		b.all = append(b.all, shell.Effect{Kind: shell.Network, Path: w.Text, Known: w.Known, Span: b.p.place(w.Span)})
	}
	for _, w := range b.values("OutFile Destination") {
		b.touch(shell.Write, &w, false)
	}
	for _, w := range b.values("InFile") {
		b.touch(shell.Read, &w, false)
	}
}

// starts is Start-Process: the program and its arguments are a command.
func (b *psCall) starts() {
	program := b.values("FilePath")
	if len(program) == 0 || !program[0].Known {
		b.p.doubt(analysis.DoubtDynamic, shell.HidesAll, "", b.c.span.Start)
		return
	}
	inner := psCommand{words: program[:1:1], span: b.c.span, flow: &psFlow{}}
	for _, w := range b.values("ArgumentList") {
		if !w.Known || !strings.ContainsAny(w.Text, " \t") {
			inner.words = append(inner.words, w)
			continue
		}
		for word := range strings.FieldsSeq(w.Text) { // the program is given one line
			part := w
			part.Text = strings.Trim(word, `"`)
			inner.words = append(inner.words, part)
		}
	}
	for i := range inner.words {
		inner.words[i].more = nil
	}
	b.launches = true
	if b.p.enter() {
		via := b.p.via
		b.p.via = append(via[:len(via):len(via)], "Start-Process")
		b.p.native(&inner)
		b.p.via = via
		b.p.depth--
	}
}

// builds is New-Object: types outside the table are code.
func (b *psCall) builds() {
	name := b.values("TypeName")
	for i := range b.given {
		if strings.HasPrefix("comobject", strings.ToLower(b.given[i].name)) && b.given[i].name != "" {
			name = nil
		}
	}
	if len(name) > 0 && name[0].Known {
		kind := psTypeName(name[0].Text)
		plain := shell.Listed("psobject object pscustomobject management.automation.psobject", kind)
		if plain || psType(kind) || psStatic(kind, "new") {
			return
		}
	}
	b.p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "New-Object", b.c.span.Start)
}

// each is ForEach-Object: a word where a block could be is the name of a
// property, or of a method that is called.
func (b *psCall) each() {
	for i := range b.given {
		g := &b.given[i]
		if g.name != "" && g.name != psExtra && !shell.Listed("MemberName Process", g.name) {
			continue
		}
		for k := range g.words {
			if w := &g.words[k]; !w.block && !harmlessMember(w) {
				name := strings.ReplaceAll(w.Text, shell.HoleMark, "...")
				b.p.doubt(analysis.DoubtPowerShellCode, shell.HidesAll, "ForEach-Object "+name, b.c.span.Start)
				return
			}
		}
	}
}

// harmlessMember reports whether a member has no effect when it is read or called.
func harmlessMember(w *psWord) bool {
	name := strings.ToLower(w.Text)
	return w.Known && (shell.Listed(psTextMembers, name) || shell.Listed(psProperties, name) || shell.Number(name))
}

// psProperties are what ForEach-Object may be given by name.
const psProperties = "count length id value values keys matches groups definition displayname status version path " +
	"parent directory root mode lastwritetime processname handles state title number url file sum average"
