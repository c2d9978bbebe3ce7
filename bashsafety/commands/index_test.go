package commands

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/examples"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

// TestIndex keeps index.go in step with the tables.
func TestIndex(t *testing.T) {
	programs := map[string]family{}
	for f := range families {
		for i := range families[f].rows {
			for n := range strings.FieldsSeq(families[f].rows[i].Names) {
				if programs[n] != 0 {
					t.Errorf("%s is in two entries", n)
				}
				programs[n] = family(f)
				if e := (Entry{family: family(f), As: n}); e.command() != &families[f].rows[i] {
					t.Errorf("%s is found in another entry", n)
				}
			}
		}
	}
	losses := lossIndex(t)
	var families, tables []golden.Table
	for n, f := range programs {
		families = append(families, golden.Table{Key: fmt.Sprint(f), Names: []string{n}})
	}
	for n, bits := range losses {
		tables = append(tables, golden.Table{Key: fmt.Sprintf("%#x", bits), Names: []string{n}})
	}
	golden.Bits(t, "index.go", "commands", golden.Index{
		Head: `// indexed returns the family of a program, 0 for one that no table has. A walk over the tables would touch every
// page of them.
func indexed(name string) family {`, Tables: families, None: "0"},
		golden.Index{Head: `// lossesIndexed returns the tables of losses that name a program, a bit each.
func lossesIndexed(name string) uint32 {`, Tables: tables, None: "0"})
	for n := range union(programs, losses) {
		for _, near := range [...]string{"", " ", "\n", n + " ", n + "\n", " " + n, n[:len(n)-1], n + "0", "\n" + n, strings.ToUpper(n), n} {
			if f, of := indexed(near), lossesIndexed(near); f != programs[near] || of != losses[near] {
				t.Errorf("the index has %q as %d, %x", near, f, of)
			}
		}
	}
	if programs["alias"] != ofBuiltins || programs["codex"] != ofAgents {
		t.Errorf("builtins are family %d, agents %d", programs["alias"], programs["codex"])
	}
}

// union is the set of the names of both.
func union(programs map[string]family, losses map[string]uint32) map[string]bool {
	all := map[string]bool{}
	for n := range programs {
		all[n] = true
	}
	for n := range losses {
		all[n] = true
	}
	return all
}

// lossIndex is the tables of losses that name a program, a bit each.
func lossIndex(t *testing.T) map[string]uint32 {
	index := map[string]uint32{}
	add := func(of LossFamily, row *Loss, names string) {
		if len(row.Verbs) == 0 && row.fits == nil {
			t.Errorf("%s describes nothing", names)
		}
		for n := range strings.FieldsSeq(strings.ToLower(names)) {
			if !strings.Contains(n, "*") {
				index[n] |= 1 << of
			} else if LossesOf(n) != ^uint32(0) {
				t.Errorf("%s is found by no start of a name", n)
			}
		}
	}
	for of, rows := range lossFamilies {
		for i := range rows {
			add(LossFamily(of), &rows[i], rows[i].Names)
		}
	}
	for of, table := range forms {
		for _, form := range table {
			programs, _, _ := strings.Cut(form, " ")
			for n := range strings.SplitSeq(programs, "|") {
				index[n] |= 1 << of
			}
		}
	}
	for _, m := range All() {
		for i, rows := 0, m.Rare().Losses; i < len(rows); i++ {
			if rows[i].Of == inTable {
				t.Errorf("a loss of %s is of no family", m.Names)
			}
			add(rows[i].Of, &rows[i], cmp.Or(rows[i].Names, m.Names))
		}
	}
	return index
}

// TestForms parses every pattern of the tables: a misspelled one would fit nothing, and say nothing.
func TestForms(t *testing.T) {
	try := func(pattern, places string, loose bool) {
		if err := examples.Pattern(pattern, places, loose); err != nil {
			t.Errorf("%q: %v", pattern, err)
		}
	}
	rows := slices.Concat(lossFamilies[:]...)
	all := slices.Concat(forms[:]...)
	for _, m := range All() {
		rows = append(rows, m.Rare().Losses...)
		for _, c := range m.Rare().Credentials {
			if all = append(all, c.Words); !strings.Contains(" "+m.Names+" ", " "+strings.FieldsFunc(c.Words, notName)[0]+" ") {
				t.Errorf("%q is no form of %s", c.Words, m.Names)
			}
		}
	}
	for i := range rows {
		for _, pattern := range slices.Concat(rows[i].Verbs, rows[i].Spares) {
			try(pattern, "", false)
		}
	}
	eachRow(func(m, row *Command) {
		for _, f := range row.Forms {
			try(f.If, Places, row.Style&NoOptions != 0)
			for _, name := range optionsOf(f.If) {
				p := argParser{gs: []*Command{m, row}}
				if _, _, listed := p.find(name); !listed && row.Style&NoOptions == 0 {
					t.Errorf("%s: the option %s of %q is not listed", row.Names, name, f.If)
				}
			}
		}
	})
	for _, form := range all {
		_, pattern, _ := strings.Cut(form, " ")
		try(pattern, "", true)
	}
}

// eachRow calls a function with each program, and with each of its subcommands.
func eachRow(do func(program, row *Command)) {
	var each func(m, row *Command)
	each = func(m, row *Command) {
		do(m, row)
		for _, sub := range subsOf(row) {
			each(m, sub)
		}
	}
	for _, m := range All() {
		each(m, m)
	}
}

// optionsOf are the names of the options in a pattern.
func optionsOf(pattern string) []string {
	var names []string
	for token := range strings.FieldsSeq(pattern) {
		options, _, _ := strings.Cut(strings.TrimPrefix(token, "!"), "=")
		for name := range strings.SplitSeq(options, "|") {
			if strings.HasPrefix(name, "-") && name != "--" {
				names = append(names, strings.TrimLeft(name, "-"))
			}
		}
	}
	return names
}

func notName(c rune) bool { return c == ' ' || c == '|' }
