package edit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// A room is the place a new child gets.
type room struct {
	lead   hujson.Extra // goes before it
	after  hujson.Extra // goes after it; non-nil keeps a trailing comma
	indent string       // indentation of the line it starts on
	flat   bool         // it is written on one line
}

// makeRoom readies the end of a container for one more child, written as the last one is.
func (d *Doc) makeRoom(container *hujson.Value) room {
	outer := d.indentAt(container)
	children, closing := slots(container)
	comment, rest := firstLine(*closing)
	r := room{indent: outer + d.unit}
	if len(children) == 0 {
		if d.flat && blank(comment) {
			return room{indent: outer, flat: true}
		}
		if blank(comment) {
			comment = nil
		}
		r.lead = join(comment, d.eol, r.indent)
		if blank(rest) {
			rest = join(nil, d.eol, outer)
		}
		*closing = rest
		return r
	}
	last := children[len(children)-1]
	if *last.after != nil {
		r.after = hujson.Extra{}
	}
	indent, multi := lastIndent(*last.before)
	switch {
	case multi:
		r.indent = indent
		r.lead = join(comment, d.eol, indent)
		*closing = rest
	case len(rest) > 0 && bytes.Contains(comment, []byte("//")):
		r.lead = join(comment, d.eol, r.indent)
		*closing = rest
	default:
		r.indent, r.flat = outer, true
		gap := " "
		if d.colon == "" && (len(children) == 1 || len(children) > 1 && len(*last.before) == 0) {
			gap = ""
		}
		if blank(comment) { // [ "a" ]
			r.lead = hujson.Extra(gap)
			break
		}
		r.lead = join(comment, "", gap)
		*closing = rest
	}
	return r
}

// closeUp moves the comments around child i to its neighbours, before it is taken out.
func (d *Doc) closeUp(container *hujson.Value, i int) {
	children, closing := slots(container)
	s := children[i]
	kept := comments(*s.before)
	if !blank(*s.after) {
		kept = append(kept, *s.after...)
	}
	switch last := len(children) - 1; {
	case i < last:
		next := children[i+1].before
		if i == 0 && len(kept) == 0 && blank(*next) {
			*next = *s.before
		} else {
			*next = d.glue(kept, *next)
		}
	case i == 0:
		*closing = d.glue(kept, *closing)
		if blank(*closing) {
			*closing = nil
		}
	case *s.after != nil: // a trailing comma goes to the child before
		if prev := children[i-1].after; *prev == nil {
			*prev = hujson.Extra{}
		}
		*closing = d.glue(kept, *closing)
	default:
		prev := children[i-1].after
		*closing = d.glue(append(append(hujson.Extra{}, *prev...), kept...), *closing)
		*prev = nil
	}
}

// glue puts comments before other whitespace; a line comment needs its line end.
func (d *Doc) glue(a, b hujson.Extra) hujson.Extra {
	if endsInLineComment(a) && !bytes.HasPrefix(b, []byte("\n")) && !bytes.HasPrefix(b, []byte("\r\n")) {
		indent, _ := lastIndent(b)
		return join(a, d.eol+indent, strings.TrimLeft(string(b), " \t"))
	}
	return join(a, "", string(b))
}

// layout indents a new value for its place. Arrays of scalars stay on one line.
func (d *Doc) layout(v *hujson.Value, indent string, flat bool) {
	inner := indent + d.unit
	lead := func(i int, flat bool) hujson.Extra {
		switch {
		case !flat:
			return join(nil, d.eol, inner)
		case i > 0:
			return hujson.Extra(d.colon)
		}
		return nil
	}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			m := &c.Members[i]
			m.Name.BeforeExtra, m.Value.BeforeExtra = lead(i, flat), hujson.Extra(d.colon)
			d.layout(&m.Value, inner, flat)
		}
		if !flat && len(c.Members) > 0 {
			c.AfterExtra = join(nil, d.eol, indent)
		}
	case *hujson.Array:
		flat := flat || scalars(c)
		for i := range c.Elements {
			c.Elements[i].BeforeExtra = lead(i, flat)
			d.layout(&c.Elements[i], inner, flat)
		}
		if !flat && len(c.Elements) > 0 {
			c.AfterExtra = join(nil, d.eol, indent)
		}
	}
}

func scalars(a *hujson.Array) bool {
	return !slices.ContainsFunc(a.Elements, func(v hujson.Value) bool {
		_, ok := v.Value.(hujson.Literal)
		return !ok
	})
}

func (d *Doc) indentAt(v *hujson.Value) string {
	d.Root.UpdateOffsets()
	text := d.Root.Pack()
	return indentOf(text[bytes.LastIndexByte(text[:v.StartOffset], '\n')+1:])
}

func indentOf(line []byte) string { return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]) }

// lastIndent returns the indentation after the last line end in e, and whether there is one.
func lastIndent(e hujson.Extra) (string, bool) {
	i := bytes.LastIndexByte(e, '\n')
	if i < 0 {
		return "", false
	}
	return indentOf(e[i+1:]), true
}

// firstLine splits e before its first line end outside a comment.
func firstLine(e hujson.Extra) (head, rest hujson.Extra) {
	cut := len(e)
scan:
	for i := 0; i < len(e); i++ {
		switch {
		case e[i] == '\n':
			cut = i
			break scan
		case e[i] == '/' && e[i+1] == '*':
			i += 2 + bytes.Index(e[i+2:], []byte("*/")) + 1
		case e[i] == '/': // a line comment
			i += bytes.IndexByte(e[i:], '\n') - 1
		}
	}
	if cut > 0 && cut < len(e) && e[cut-1] == '\r' {
		cut--
	}
	return e[:cut:cut], e[cut:]
}

// comments returns e without its last line end and indentation, nil when no comment is left.
func comments(e hujson.Extra) hujson.Extra {
	e = bytes.TrimRight(e, " \t")
	e = bytes.TrimSuffix(e, []byte("\n"))
	e = bytes.TrimSuffix(e, []byte("\r"))
	if blank(e) && bytes.IndexByte(e, '\n') >= 0 {
		return nil
	}
	return e[:len(e):len(e)]
}

func endsInLineComment(e hujson.Extra) bool {
	return bytes.Contains(e[bytes.LastIndexByte(e, '\n')+1:], []byte("//"))
}

func blank(e hujson.Extra) bool { return len(bytes.TrimSpace(e)) == 0 }

func join(head hujson.Extra, eol, tail string) hujson.Extra {
	out := make(hujson.Extra, 0, len(head)+len(eol)+len(tail))
	return append(append(append(out, head...), eol...), tail...)
}
