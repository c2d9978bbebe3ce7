package bashsafety

import "strings"

// A psCall is a cmdlet with its words given to its parameters.
type psCall struct {
	p     *psParser
	cmd   *cmdlet
	c     *psCommand
	given []psGiven
	all   []Effect
	// launches is set when it runs a program that is listed too.
	launches bool
}

// psExtra names the words that no parameter is left for.
const psExtra = "+"

// A psGiven is the value of one parameter; name is "" where it is not known.
type psGiven struct {
	name  string
	words []psWord
}

// bind gives the words to the parameters. A word behind a parameter that is not
// listed may be its value or not: it is both.
func (b *psCall) bind() {
	words := b.c.words[1:]
	var loose []psWord
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !w.bare || len(w.Text) < 2 || w.Text[0] != '-' || !psName(w.Text[1]) || w.Text[1] <= '9' {
			loose = append(loose, w)
			continue
		}
		name, value, glued := strings.Cut(w.Text[1:], ":")
		if strings.EqualFold(name, "ea") {
			name = "ErrorAction"
		}
		name = b.parameter(name)
		switch {
		case glued && value != "":
			v := w
			v.Text, v.folder, v.partly = value, "", ""
			b.given = append(b.given, psGiven{name, []psWord{v}})
		case name != "" && (listed(b.cmd.flags, name) || listed(psSwitch, name)):
			b.given = append(b.given, psGiven{name: name})
		case i+1 < len(words):
			i++
			b.given = append(b.given, psGiven{name, append([]psWord{words[i]}, words[i].more...)})
		default:
			b.given = append(b.given, psGiven{name: name})
		}
	}
	places := strings.Fields(b.cmd.pos)
	for i := range loose {
		for len(places) > 0 && b.has(places[0]) {
			places = places[1:]
		}
		name := psExtra
		if len(places) > 0 {
			name, places = places[0], places[1:]
		}
		b.given = append(b.given, psGiven{name, append([]psWord{loose[i]}, loose[i].more...)})
	}
}

// parameter returns the full name of a parameter that may be abbreviated; of
// several the one that names a file.
func (b *psCall) parameter(name string) string {
	for _, list := range [...]string{b.cmd.paths, "ErrorAction Destination DestinationPath NewName OutFile InFile Name ItemType Target Value Uri Method Variable MemberName", b.cmd.pos, b.cmd.flags, psSwitch} {
		if len(name) < 3 && strings.HasPrefix(list, "ErrorAction") {
			continue
		}
		for full := range strings.FieldsSeq(list) {
			if len(full) >= len(name) && strings.EqualFold(full[:len(name)], name) {
				return full
			}
		}
	}
	return ""
}

func (b *psCall) has(name string) bool {
	for i := range b.given {
		if b.given[i].name == name {
			return true
		}
	}
	return false
}

// values are the words of the parameters that are listed.
func (b *psCall) values(names string) []psWord {
	var all []psWord
	for i := range b.given {
		if listed(names, b.given[i].name) {
			all = append(all, b.given[i].words...)
		}
	}
	return all
}

// files are the words that name the files the cmdlet works on; loose is what
// could be one because its parameter is not known.
func (b *psCall) files(loose bool) []psWord {
	all := b.values(b.cmd.paths)
	for i := range b.given {
		if b.given[i].name == psExtra || loose && b.given[i].name == "" {
			all = append(all, b.given[i].words...)
		}
	}
	return all
}

// touch adds the effects of one word.
func (b *psCall) touch(kind EffectKind, w *psWord, tree bool) {
	file, drive := b.p.file(w, !b.has("LiteralPath"))
	if drive != "" {
		b.onDrive(kind, drive, w)
		return
	}
	b.touchFile(kind, &file, tree)
}

// touchFile adds the effects of a word that is a path already.
func (b *psCall) touchFile(kind EffectKind, file *Word, tree bool) {
	es := effectsOf(kind, file, &b.p.st.cwd)
	for i := range es {
		es[i].Recursive = tree
		es[i].Span = b.p.place(es[i].Span)
	}
	b.all = append(b.all, es...)
}

// onDrive follows what is no file: a variable, a function, the registry.
func (b *psCall) onDrive(kind EffectKind, drive string, w *psWord) {
	switch {
	case kind == Read && (drive == "env" || drive == "cert" || drive == "hklm" || drive == "hkcu" || drive == "registry"):
	case drive == "env":
		_, name, _ := strings.Cut(w.Text, ":")
		b.p.setEnv(strings.ToUpper(strings.Trim(name, `\/`)))
	case drive == "function" || drive == "alias" || drive == "variable":
		b.p.doubt(dShadow, HidesAll, w.Text, w.Span.Start)
	default:
		b.p.doubt(dPowerShell, HidesAll, "the drive "+drive, w.Span.Start)
	}
}

// effects says what the cmdlet does.
func (b *psCall) effects() {
	switch tree := b.has("Recurse"); b.cmd.does {
	case psReads:
		for _, w := range b.files(false) {
			b.touch(Read, &w, tree)
		}
	case psWrites:
		for _, w := range b.files(true) {
			b.touch(Write, &w, tree)
		}
		b.fromPipe(Write)
	case psAppears:
		b.newItem()
	case psDeletes:
		for _, w := range b.files(true) {
			b.touch(Delete, &w, tree)
		}
		b.fromPipe(Delete)
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
				b.touch(Source, &w, false)
			}
		}
	case psStarts:
		b.starts()
	case psDefines:
		b.p.doubt(dShadow, HidesAll, b.cmd.name, b.c.span.Start)
	case psBuilds:
		b.builds()
	case psEach:
		b.each()
	}
}

// fromPipe adds what is done to the files that come in through the pipe: those
// that Get-ChildItem listed, or any.
func (b *psCall) fromPipe(kind EffectKind) {
	if len(b.values(b.cmd.paths)) > 0 || !b.c.flow.piped {
		return
	}
	if kind == Write && listed("Set-Content Add-Content Out-File Tee-Object Export-Csv Export-Clixml Start-Transcript", b.cmd.name) {
		return // it is what is written
	}
	if b.c.flow.open || len(b.c.flow.roots) == 0 {
		b.all = append(b.all, Effect{Kind: kind, Span: b.p.place(b.c.span)})
		return
	}
	for _, e := range b.c.flow.roots {
		e.Kind, e.Recursive = kind, true
		b.all = append(b.all, e)
	}
}

// newItem is New-Item and mkdir: a path, or a path and a name. A link is written
// where it leads as well.
func (b *psCall) newItem() {
	names := b.values("Name")
	paths := b.files(true)
	for i := range paths {
		if len(names) == 0 {
			b.touch(Write, &paths[i], false)
		}
	}
	for i := range names {
		dir := psWord{Word: literal(".", &names[i].Word)}
		if len(paths) > 0 {
			dir = paths[0]
		}
		w := psWord{Word: Word{Text: dir.Text + "/" + names[i].Text, Known: dir.Known && names[i].Known, Single: true, Span: names[i].Span}}
		b.touch(Write, &w, false)
	}
	kind := b.values("ItemType")
	if len(kind) == 0 || kind[0].Known && (strings.EqualFold(kind[0].Text, "File") || strings.EqualFold(kind[0].Text, "Directory")) {
		return
	}
	for _, w := range b.values("Target Value") {
		b.touch(Write, &w, true)
	}
}

// copies is Copy-Item, Move-Item and the archive cmdlets.
func (b *psCall) copies(tree bool) {
	from := b.files(true)
	for i := range from {
		if b.cmd.does == psRelocates {
			b.touch(Delete, &from[i], true)
		} else {
			b.touch(Read, &from[i], tree || b.cmd.name == "Compress-Archive")
		}
	}
	if b.cmd.does == psRelocates {
		b.fromPipe(Delete)
	}
	to := b.values("Destination DestinationPath")
	if len(to) == 0 {
		to = []psWord{{Word: literal(".", &b.c.words[0].Word)}}
	}
	for i := range to {
		b.touch(Write, &to[i], tree || b.cmd.does == psRelocates || b.cmd.name == "Expand-Archive")
		for k := range from {
			dir, _ := b.p.file(&to[i], false)
			src, _ := b.p.file(&from[k], true)
			if strings.HasSuffix(b.cmd.name, "-Archive") || !src.Known && !src.Glob {
				continue
			}
			w := beneath(&dir, &src)
			b.touchFile(Write, &w, tree)
		}
	}
}

func (b *psCall) renames() {
	from, to := b.files(true), b.values("NewName")
	for i := range from {
		b.touch(Delete, &from[i], true)
		for k := range to {
			old, _ := b.p.file(&from[i], false)
			w, _ := b.p.file(&to[k], false)
			if cut := strings.LastIndexByte(old.Text, '/'); cut >= 0 {
				w.Text, w.Known = old.Text[:cut+1]+w.Text, w.Known && old.Known
			}
			b.touchFile(Write, &w, true)
		}
	}
	b.fromPipe(Delete)
}

// moves is Set-Location. Where it fails, what follows runs where it was.
func (b *psCall) moves() {
	for _, w := range b.values(b.cmd.paths) {
		file, drive := b.p.file(&w, false)
		next := cwdState{moved: true}
		if drive == "" {
			next = *moved(&b.p.st.cwd, &file)
		}
		b.p.st.cwd = b.p.st.cwd.or(next)
	}
}
