package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A psCall is a cmdlet with its words given to its parameters.
type psCall struct {
	p     *psParser
	cmd   *cmdlet
	c     *psCommand
	given []psGiven
	all   []shell.Effect
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

// bind gives the words to the parameters. A word after a parameter that is not
// listed may be its value or not: it is both.
func (b *psCall) bind() {
	words := b.c.words[1:]
	var loose []psWord
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !w.bare || len(w.Text) < 2 || w.Text[0] != '-' || !psNameStart(w.Text[1]) {
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
		case name != "" && (shell.Listed(b.cmd.flags, name) || shell.Listed(psSwitch, name)):
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
		if shell.Listed(names, b.given[i].name) {
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
