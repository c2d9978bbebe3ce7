package prove

import (
	"path"
	"strings"
)

// parts are groups of the rules that can match the same texts as one that loosens: those
// of commands by the program, since most rules are about one. A part without a program
// has all rules.
func (g *group) parts() []*group {
	var out []*group
	at := map[string]*group{}
	for i := range g.rules {
		if r := &g.rules[i]; r.loosens() {
			program := ""
			if kindOf(g.tool()) == commands {
				program = r.program()
			}
			if at[program] == nil {
				at[program] = g.part(program)
				out = append(out, at[program])
			}
		}
	}
	if all := at[""]; all != nil {
		return []*group{all} // it has every rule
	}
	return out
}

// part is a group with the rules that may be about a program; all of them for "".
func (g *group) part(program string) *group {
	own := *g
	own.about, own.rules = program, nil
	for i := range g.rules {
		r := g.rules[i]
		if of := r.program(); program == "" || of == "" || of == program {
			own.rules = append(own.rules, r)
		}
	}
	return &own
}

// loosened are the rules of a part that are looked at in it: by their number.
func (g *group) loosened() (out []int) {
	for i := range g.rules {
		if r := &g.rules[i]; r.loosens() && (g.about == "" || r.program() == g.about) {
			out = append(out, i)
		}
	}
	return out
}

// program is the base name of the program that a pattern of commands names, as deny and
// ask rules compare it; "" where it may match several.
func (e *entry) program() string {
	r := e.any()
	word, _, _ := strings.Cut(strings.TrimSpace(r.Pattern), " ")
	word, _, _ = strings.Cut(word, ":")
	if r.Bare || r.Written != "" || word == "" || word == "command" { // command:x is about x
		return ""
	}
	for i := 0; i < len(word); i++ {
		if b := word[i]; b >= 0x80 || !strings.ContainsRune(plainBytes, rune(b)) {
			return ""
		}
	}
	return strings.TrimSuffix(strings.ToLower(path.Base(word)), ".exe")
}

// plainBytes are the characters of names that every reading of a pattern takes for
// themselves.
const plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./"
