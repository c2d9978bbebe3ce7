package powershell

import "strings"

// A psKind is what a value certainly is: the methods that change nothing but the value itself. "" is any.
type psKind string

// psTexts are a string or a list of strings.
const psTexts psKind = "replace remove insert match"

// kindOf is the kind of a type, or of an array of it.
func kindOf(typ string) psKind {
	switch typ, _, _ = strings.Cut(typ, "["); typ {
	case "string":
		return psTexts
	case "hashtable", "ordered", "collections.arraylist", "collections.generic.list", "collections.generic.dictionary":
		return "remove removeat clear"
	}
	return ""
}

// each is the kind of the elements of a value.
func (w *psWord) each() psKind {
	if w == nil || w.kind != psTexts {
		return ""
	}
	return w.kind
}

// elements are the values that a loop over a value has, nil where they are not known.
func (w *psWord) elements() []psWord {
	switch {
	case w == nil || len(w.more) > 0:
		return nil
	case w.list == nil && (w.path() != "" || w.under != ""):
		return []psWord{*w}
	}
	return w.list
}

// path is a value as the path of a file, "" where that is not known.
func (w *psWord) path() string {
	if w.Known {
		return w.Text
	}
	return w.folder
}

// with adds a part to a list. What is not known of one is not known of the list.
func (w *psWord) with(part *psWord) {
	if part == nil || part.kind != psTexts {
		w.kind = ""
	}
	if parts := part.elements(); parts == nil || w.list == nil || len(w.list) > 64 {
		w.list = nil
	} else {
		w.list = append(w.list, parts...)
	}
}

// joined is what operators make of operands; text says that the first is a string.
func (w *psWord) joined(signs string, text bool, from, to int) psWord {
	v := psHole(from, to)
	known := strings.NewReplacer("-ireplace", "", "-creplace", "", "-replace", "", "-split", "", "-join", "", "-f", "")
	rest := known.Replace(signs)
	switch commas := strings.Trim(rest, ",") == ""; {
	case commas && signs == rest:
		v.kind, v.list = w.kind, w.list
	case commas:
		v.kind = psTexts
	case text && strings.Trim(signs, "+") == "":
		v.kind = psTexts
		for i := range w.list { // no name of a command: those are written out
			v.folder += w.list[i].path()
		}
	}
	return v
}

// rounds reads a block once for each element of a value, where these are known and few, else once for any.
func (p *psParser) rounds(over *psWord, read func(*psWord)) {
	from, vars, item, blocks, values := p.i, len(p.vars), p.item, p.blocks, over.elements()
	if n := len(values); p.dry || n == 0 || n > min(8, 16>>p.loops) || !p.w.TakeText((n-1)*len(p.s)) {
		values = []psWord{{Word: psHole(from, from).Word, kind: over.each()}}
	}
	for i := range values {
		p.i, p.vars, p.item = from, p.vars[:vars], item
		read(&values[i])
	}
	p.vars, p.item, p.blocks = p.vars[:vars], item, blocks
}

// bind remembers the value of a variable up to the end of the block, if it is the only one in all of the text.
func (p *psParser) bind(name string, w psWord) {
	if p.dry || p.facts.byRef || p.facts.sets[name] != 1 || len(p.vars) >= maxVars {
		return
	}
	if p.facts.parts {
		w.kind = ""
	}
	if p.facts.parts || p.facts.assigns {
		w.list = nil
	}
	w.bare, w.Quoted = false, w.path() != ""
	if w.kind != "" || w.elements() != nil {
		p.vars = append(p.vars, psBinding{name, w})
	}
}
