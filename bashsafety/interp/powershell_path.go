package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

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
	for i := range len(s) {
		if s[i]|0x20 < 'a' || s[i]|0x20 > 'z' {
			return false
		}
	}
	return true
}

// slashes spells a path of Windows as permgate does: C:\x is /c/x. One below
// the working directory is, where that is a path of Windows on another system,
// below it too.
func (p *psParser) slashes(t string) string {
	t = strings.ReplaceAll(t, `\`, "/")
	if home := p.w.env.Home; home != "" && (t == "~" || strings.HasPrefix(t, "~/")) {
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
		return p.w.env.Cwd + rest
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
	cwd := p.w.env.Cwd
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
		for _, e := range shell.EffectsOf(shell.Write, &file, &p.st.cwd) {
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
		sub.Effects = shell.EffectsOf(shell.Read, &file, &p.st.cwd)
		for i := range sub.Effects {
			sub.Effects[i].Span = p.place(w.Span)
		}
	}
	p.w.add(sub)
}
