package bashsafety

import "strings"

// file is a word as the path of a file, with slashes and drives as the first
// segment; drive names what is no file. What is read as a pattern is one.
func (p *psParser) file(w *psWord, patterns bool) (file Word, drive string) {
	file = w.Word
	file.Glob = false
	switch {
	case !w.Known && w.folder != "":
		file.Text, file.Known = w.folder, true
	case !w.Known && w.partly != "":
		file.Text = w.partly
	}
	t := file.Text
	if i := strings.Index(t, "::"); i > 0 {
		if provider := strings.ToLower(t[:i]); provider != "filesystem" && !strings.HasSuffix(provider, `\filesystem`) {
			return file, provider[strings.LastIndexByte(provider, '\\')+1:]
		}
		t = t[i+2:]
	}
	if name, _, ok := strings.Cut(t, ":"); ok && len(name) > 1 && plainLetters(name) {
		if file.Known || !strings.Contains(name, HoleMark) {
			return file, strings.ToLower(name)
		}
	}
	if strings.Contains(t, "`") {
		file.Known = false
		t, _, _ = strings.Cut(t, "`")
		t += HoleMark
	}
	file.Text = p.slashes(t)
	file.Known = file.Known && !strings.Contains(file.Text, HoleMark)
	if file.Known && patterns && strings.ContainsAny(file.Text, "*?[") {
		file.Known, file.Glob = false, true
	}
	return file, ""
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
	if len(t) < 2 || t[1] != ':' || t[0]|0x20 < 'a' || t[0]|0x20 > 'z' {
		return t
	}
	if len(t) == 2 || t[2] != '/' {
		if len(t) == 2 {
			return "/" + strings.ToLower(t[:1])
		}
		return HoleMark + "/" + t[2:] // where the drive is
	}
	if at := strings.LastIndexByte(p.w.env.Cwd, '/'); at >= 0 {
		own := strings.TrimRight(strings.ReplaceAll(p.w.env.Cwd[at+1:], `\`, "/"), "/")
		if len(own) > 2 && own[1] == ':' && len(t) >= len(own) && strings.EqualFold(t[:len(own)], own) && (len(t) == len(own) || t[len(own)] == '/') {
			return p.w.env.Cwd + t[len(own):]
		}
	}
	return "/" + strings.ToLower(t[:1]) + t[2:]
}

// spelled is a word of a program as the tables read it. Only what looks like a
// path is changed: in anything else a backslash is itself.
func (p *psParser) spelled(w *psWord, place int) Word {
	out := w.Word
	if w.splat || !w.Known && w.folder == "" && !w.Quoted {
		out.Single = false
	}
	t := out.Text
	if w.folder != "" && !w.Known && place > 0 {
		t, out.Known = w.folder, true
	}
	switch i := strings.IndexByte(t, '='); {
	case place == 0:
		out.Text = p.slashes(t) // a command word is no text
	case i > 0 && t[0] == '-':
		out.Text = t[:i+1] + p.spell(t[i+1:])
	default:
		out.Text = p.spell(t)
	}
	out.Known = out.Known && !strings.Contains(out.Text, HoleMark)
	if out.Known && w.bare && place > 0 && strings.ContainsAny(out.Text, "*?[") && !strings.ContainsAny(out.Text, `\`) {
		out.Known, out.Glob = false, true
	}
	return out
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
func (p *psParser) written(outs []psWord) []Effect {
	var all []Effect
	for i := range outs {
		file, drive := p.file(&outs[i], false)
		if drive != "" {
			p.doubt(dPowerShell, HidesAll, "the drive "+drive, outs[i].Span.Start)
			continue
		}
		for _, e := range effectsOf(Write, &file, &p.st.cwd) {
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
	sub := Subcommand{Span: p.place(Span{p.i, p.i}), Structural: true, Via: p.via, Effects: []Effect{{Kind: Read}}}
	if w != nil {
		file, _ := p.file(w, false)
		sub.Effects = effectsOf(Read, &file, &p.st.cwd)
		for i := range sub.Effects {
			sub.Effects[i].Span = p.place(w.Span)
		}
	}
	p.w.add(sub)
}
