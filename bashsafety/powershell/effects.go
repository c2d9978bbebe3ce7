package powershell

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
	file.Down = file.Down && kind != shell.Delete // what a listing found is lost
	if drive != "" {
		b.onDrive(kind, drive, w)
		return
	}
	if b.p.drive != "" && kind != shell.Read && !strings.HasPrefix(file.Text, "/") {
		b.p.doubt(analysis.DoubtPowerShell, shell.HidesAll, "the drive "+b.p.drive, w.Span.Start)
	}
	b.touchFile(kind, &file, tree)
}

// touchFile adds the effects of a word that is a path already.
func (b *psCall) touchFile(kind shell.EffectKind, file *shell.Word, tree bool) {
	es := shell.EffectsOf(kind, file, b.p.cwd)
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
	for _, w := range b.values("ArgumentList Args") {
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
		if drive != "" || file.Known && strings.HasPrefix(file.Text, "/") {
			b.p.drive = drive
		}
		if drive == "" {
			next = *shell.Moved(b.p.cwd, &file)
		}
		*b.p.cwd = b.p.cwd.Or(next)
	}
}

// file is a word as the path of a file, with slashes and drives as the first
// segment; drive names what is no file. What is read as a pattern is one.
func (p *psParser) file(w *psWord, patterns bool) (file shell.Word, drive string) {
	file = w.Word
	file.Glob = false
	switch {
	case !w.Known && w.folder != "":
		file.Text, file.Known = w.folder, true
	case !w.Known && w.partly != "":
		file.Text = w.partly
	}
	t, drive, isFile := cutDrive(file.Text)
	if !isFile {
		return file, drive
	}
	if before, _, escaped := strings.Cut(t, "`"); escaped {
		file.Known = false
		t = before + shell.HoleMark
	}
	file.Text = p.slashes(t)
	file.Known = file.Known && !strings.Contains(file.Text, shell.HoleMark)
	if file.Known && patterns && strings.ContainsAny(file.Text, "*?[") {
		file.Known, file.Glob = false, true
	}
	return file, ""
}

// cutDrive splits the provider of files off a path; any other provider, or a drive
// of more than a letter, is no place of files.
func cutDrive(t string) (path, drive string, isFile bool) {
	if provider, rest, ok := strings.Cut(t, "::"); ok && provider != "" {
		provider = strings.ToLower(provider)
		if provider != "filesystem" && !strings.HasSuffix(provider, `\filesystem`) {
			return t, provider[strings.LastIndexByte(provider, '\\')+1:], false
		}
		t = rest
	}
	if name, _, ok := strings.Cut(t, ":"); ok && len(name) > 1 && plainLetters(name) {
		return t, strings.ToLower(name), false
	}
	return t, "", true
}

func plainLetters(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r|0x20 < 'a' || r|0x20 > 'z' })
}

// slashes spells a path of Windows as permgate does: C:\x is /c/x. One below
// the working directory is, where that is a path of Windows on another system,
// below it too.
func (p *psParser) slashes(t string) string {
	t = strings.ReplaceAll(t, `\`, "/")
	if home := p.a.Env.Home; home != "" && (t == "~" || strings.HasPrefix(t, "~/")) {
		t = home + t[1:]
	}
	if !DriveLetter(t) {
		return t
	}
	drive := "/" + strings.ToLower(t[:1])
	if len(t) == 2 {
		return drive
	}
	if t[2] != '/' {
		return shell.HoleMark + "/" + t[2:] // where the drive is
	}
	if rest, ok := p.belowCwd(t); ok {
		return p.a.Env.Cwd + rest
	}
	return drive + t[2:]
}

// DriveLetter reports whether a path begins with a drive of Windows.
func DriveLetter(t string) bool {
	return len(t) > 1 && t[1] == ':' && t[0]|0x20 >= 'a' && t[0]|0x20 <= 'z'
}

// belowCwd is what a path of Windows has below the working directory, whose last
// element is such a path on another system.
func (p *psParser) belowCwd(t string) (rest string, ok bool) {
	cwd := p.a.Env.Cwd
	at := strings.LastIndexByte(cwd, '/')
	if at < 0 {
		return "", false
	}
	own := strings.TrimRight(strings.ReplaceAll(cwd[at+1:], `\`, "/"), "/")
	if len(own) < 3 || own[1] != ':' || len(t) < len(own) || !strings.EqualFold(t[:len(own)], own) {
		return "", false
	}
	rest = t[len(own):]
	return rest, rest == "" || rest[0] == '/'
}

// spelled is a word of a program as the tables read it. Only what looks like a
// path is changed: in anything else a backslash is itself.
func (p *psParser) spelled(w *psWord, place int) shell.Word {
	out := w.Word
	out.Single = out.Single && !w.mayBeMany()
	if place == 0 {
		out.Text = p.slashes(out.Text) // a command word is no text
		out.Known = out.Known && !strings.Contains(out.Text, shell.HoleMark)
		return out
	}
	if w.folder != "" && !w.Known {
		out.Text, out.Known = w.folder, true
	}
	out.Text = p.spellArgument(out.Text)
	out.Known = out.Known && !strings.Contains(out.Text, shell.HoleMark)
	if out.Known && w.bare && slashPattern(out.Text) {
		out.Known, out.Glob = false, true
	}
	return out
}

// mayBeMany reports whether a word may become any number of them.
func (w *psWord) mayBeMany() bool { return w.splat || !w.Known && w.folder == "" && !w.Quoted }

func slashPattern(t string) bool { return strings.ContainsAny(t, "*?[") && !strings.Contains(t, `\`) }

// spellArgument is spell for the value of an option, too.
func (p *psParser) spellArgument(t string) string {
	if i := strings.IndexByte(t, '='); i > 0 && t[0] == '-' {
		return t[:i+1] + p.spell(t[i+1:])
	}
	return p.spell(t)
}

func (p *psParser) spell(t string) string {
	if !strings.Contains(t, `\`) && !(len(t) > 2 && t[1] == ':' && t[2] == '/') {
		return t
	}
	for i := range len(t) {
		if c := t[i]; !psName(c) && c != 0 && strings.IndexByte(`\/.:-+@~,*?[]`, c) < 0 {
			return t
		}
	}
	return p.slashes(t)
}

// written are the effects of redirections.
func (p *psParser) written(outs []psWord) []shell.Effect {
	var all []shell.Effect
	for i := range outs {
		file, drive := p.file(&outs[i], false)
		if drive != "" {
			p.doubt(analysis.DoubtPowerShell, shell.HidesAll, "the drive "+drive, outs[i].Span.Start)
			continue
		}
		for _, e := range shell.EffectsOf(shell.Write, &file, p.cwd) {
			e.Redirect, e.Span = true, p.place(e.Span)
			all = append(all, e)
		}
	}
	return all
}

// listFile lists the read of a file that no command makes.
func (p *psParser) listFile(w *psWord) {
	if p.dry {
		return
	}
	sub := analysis.Subcommand{Span: p.place(shell.Span{Start: p.i, End: p.i}), Structural: true, Via: p.via, Effects: []shell.Effect{{Kind: shell.Read}}}
	if w != nil {
		file, _ := p.file(w, false)
		sub.Effects = shell.EffectsOf(shell.Read, &file, p.cwd)
		for i := range sub.Effects {
			sub.Effects[i].Span = p.place(w.Span)
		}
	}
	p.w.Add(sub)
}
