package load

import "fmt"

func (p *jsonParser) open(c byte) {
	k, next := object, wantKey
	if c == '[' {
		k, next = array, wantValue
	}
	p.at++
	if len(p.stack) >= maxDepth {
		p.fail(p.at-1, "the file nests over 100 levels")
		p.over = 1
		return
	}
	p.add(k, p.at-1)
	p.stack = append(p.stack, int32(len(p.nodes)-1))
	p.want = next
}

// skip passes over what nests too deep to be kept.
func (p *jsonParser) skip(c byte) {
	switch c {
	case '{', '[':
		p.over++
	case '}', ']':
		if p.over--; p.over == 0 {
			p.after()
		}
	case '"':
		p.scanString()
		return
	}
	p.at++
}

// midMember reports whether the member that is being read has no value yet.
func (p *jsonParser) midMember(t *node) bool {
	return p.want == wantColon || t.kind == object && p.want == wantValue
}

func (p *jsonParser) close(c byte) {
	p.at++
	k := object
	if c == ']' {
		k = array
	}
	t := p.top()
	if p.err == "" && (t == nil || t.kind != k || p.midMember(t)) {
		p.fail(p.at-1, fmt.Sprintf("unexpected %q", c))
	}
	for i := len(p.stack) - 1; i >= 0; i-- {
		p.steps++
		if t := &p.nodes[p.stack[i]]; t.kind == k {
			t.end = p.at
			p.stack = p.stack[:i]
			break
		}
	}
	p.after()
}

func (p *jsonParser) colon() {
	p.at++
	if p.want != wantColon {
		p.fail(p.at-1, `unexpected ":"`)
		// ["a", "deny": [...]: the list before was not closed
		if t := p.top(); t != nil && t.kind == array && t.last != 0 {
			p.key, p.keyAt = p.nodes[t.last].str, p.nodes[t.last].at
			p.unlink(t)
			p.stack = p.stack[:len(p.stack)-1]
		}
	}
	p.want = wantValue
}

// unlink takes the last child from a list.
func (p *jsonParser) unlink(t *node) {
	last, before := t.last, int32(0)
	for c := t.first; c != last; c = p.nodes[c].next {
		before = c
		p.steps++
	}
	if t.last = before; before == 0 {
		t.first = 0
	} else {
		p.nodes[before].next = 0
	}
}

func (p *jsonParser) comma() {
	p.at++
	if p.want != wantComma {
		p.fail(p.at-1, `unexpected ","`)
	}
	p.key, p.want = "", wantValue
	if t := p.top(); t == nil {
		p.want = wantEnd
	} else if t.kind == object {
		p.want = wantKey
	}
}
