package commands

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// levels are the rows of the program and subcommands that a form names, the most special one last.
func levels(form string) (rows []*Command, ok bool) {
	for word := range strings.FieldsSeq(form) {
		var next *Command
		if len(rows) == 0 {
			e := Find(word)
			next = e.command()
		} else {
			next = rows[len(rows)-1].sub(word)
		}
		if next == nil {
			return nil, false
		}
		rows = append(rows, next)
	}
	if len(rows) > 1 && rows[0].Style&ProgramOptionsFirst != 0 {
		rows = rows[1:]
	}
	return rows, true
}

// TestSameOptions: a line of same.txt is of a row, by the first name of its program, and every name of an option is
// listed there, those of one meaning with the same kind of value.
func TestSameOptions(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	for line := range strings.Lines(sameOptions) {
		if line < last {
			t.Errorf("%q is not sorted", line)
		}
		if last = line; strings.HasPrefix(line, "#") {
			continue
		}
		form, list, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if sameOptionsOf(form+": ") != list {
			t.Errorf("%s is not found", form)
		}
		rows, ok := levels(form)
		if program, _, _ := strings.Cut(form, " "); !ok || seen[form] || !slices.ContainsFunc(All(), func(c *Command) bool { return c.Is(program) }) {
			t.Errorf("%s: no row, or not by its first name, or twice", form)
			continue
		}
		if seen[form] = true; len(rows) == 1 && rows[0].HasSubs() && rows[0].Style&ProgramOptionsFirst != 0 {
			t.Errorf("%s: its options end at the subcommand", form)
		}
		names := map[string]bool{}
		for group := range strings.FieldsSeq(list) {
			same := strings.Split(group, "=")
			p := argParser{gs: rows}
			_, want, _ := p.find(same[0])
			for _, name := range same {
				if _, arg, ok := p.find(name); !ok || arg != want || names[name] || len(same) < 2 {
					t.Errorf("%s: %s: %s is not listed, or twice, or takes another value", form, group, name)
				}
				names[name] = true
			}
		}
	}
	if len(seen) < 600 {
		t.Errorf("only %d lines", len(seen))
	}
}

// A spelt is an option of a call as it may be written: words that stay together.
type spelt struct {
	words  []string
	letter string // that may be joined with others, "" for none
	joins  bool   // letters may be joined in front
}

// spellAs writes an option under one of its names.
func spellAs(rnd *rand.Rand, single bool, name string, arg Arg, value string) spelt {
	switch long := len(name) > 1; {
	case single && arg == NoArg:
		return spelt{words: []string{"-" + name}}
	case single:
		return spelt{words: []string{"-" + name + "=" + value}}
	case arg == NoArg && long:
		return spelt{words: []string{"--" + name}}
	case arg == NoArg:
		return spelt{letter: name}
	case arg == OptArg && long, long && rnd.IntN(2) == 0:
		return spelt{words: []string{"--" + name + "=" + value}}
	case long:
		return spelt{words: []string{"--" + name, value}}
	case arg == OptArg, rnd.IntN(2) == 0:
		return spelt{words: []string{"-" + name + value}, joins: true}
	}
	return spelt{words: []string{"-" + name, value}, joins: true}
}

// written joins options with operands, in any order: letters together or apart.
func written(rnd *rand.Rand, form string, options []spelt, operands []string, permutes bool) string {
	var parts [][]string
	for i := 0; i < len(options); i++ {
		words := options[i].words
		if letters := options[i].letter; letters != "" {
			for i+1 < len(options) && options[i+1].letter != "" && rnd.IntN(2) == 0 {
				i++
				letters += options[i].letter
			}
			words = []string{"-" + letters}
			if i+1 < len(options) && options[i+1].joins && rnd.IntN(2) == 0 {
				i++
				words = append([]string{words[0] + options[i].words[0][1:]}, options[i].words[1:]...)
			}
		}
		parts = append(parts, words)
	}
	for _, o := range operands {
		at := len(parts)
		if permutes {
			at = rnd.IntN(at + 1)
		}
		parts = slices.Insert(parts, at, []string{o})
	}
	return form + " " + strings.Join(slices.Concat(parts...), " ")
}

// TestMeaning: options that the tables know, in another order, place, spelling and joining, under another name, say what
// a rule says; without one of them a call does not.
func TestMeaning(t *testing.T) {
	rnd := rand.New(rand.NewPCG(52, 4))
	rounds, tried, renamed := testenv.Count(t, 2, 20, 100), 0, 0
	eachForm(func(form string, root *Command, rows []*Command) {
		style := root.Style&(SingleDash|ShortEquals|DashValues) | rows[len(rows)-1].Style
		all := listedBy(rows)
		if style&NoOptions != 0 || len(all) < 4 || root.Rare().rewrite != nil {
			return
		}
		for range rounds {
			rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			var rule, call, without []spelt
			var used []string
			n := 1 + rnd.IntN(min(3, len(all)-1))
			for i, name := range all[:min(n+2, len(all))] {
				_, arg, _ := (&argParser{gs: rows}).find(name)
				c := NewInvocation(split(form), nil, "")
				names := c.namesOf(name)
				if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(used, name) }) {
					continue
				}
				used = append(used, names...)
				other := names[rnd.IntN(len(names))]
				if _, its, ok := (&argParser{gs: rows}).find(other); !ok || its != arg {
					other = name // a subcommand has another option of that name
				}
				value := string(rune('u'+i)) + "w/x"
				if o := spellAs(rnd, style&SingleDash != 0, other, arg, value); i < n {
					rule, call = append(rule, spellAs(rnd, style&SingleDash != 0, name, arg, value)), append(call, o)
					if without = append(without, o); i == 0 {
						without = nil
					}
					if other != name {
						renamed++
					}
				} else {
					call, without = append(call, o), append(without, o)
				}
			}
			rnd.Shuffle(len(call), func(i, j int) { call[i], call[j] = call[j], call[i] })
			operands := []string{"Zq", "Yq"}[:rnd.IntN(3)]
			if rows[len(rows)-1].HasSubs() {
				operands = nil
			}
			permutes := style&StopAtOperand == 0
			text := written(rnd, form, rule, nil, permutes)
			m := MeaningOf(strings.Fields(text), rnd.IntN(2) == 0 && len(rule[len(rule)-1].words) < 2)
			if m == nil {
				t.Errorf("%s says nothing", text)
				return
			}
			says := written(rnd, form, call, operands, permutes)
			if all, _ := m.Of(NewInvocation(split(says), nil, "")); !all {
				t.Errorf("%s: %s does not say it", text, says)
			}
			less := written(rnd, form, without, operands, permutes)
			if _, some := m.Of(NewInvocation(split(less), nil, "")); some {
				t.Errorf("%s: %s says it", text, less)
			}
			if tried++; t.Failed() {
				return
			}
		}
	})
	if tried < 500*rounds || renamed < 100*rounds {
		t.Errorf("only %d calls, %d options by another name", tried, renamed)
	}
}

// listedBy are the names of the options that rows list.
func listedBy(rows []*Command) (names []string) {
	for _, c := range rows {
		lists := []string{c.Flags, c.Values, c.OptValues}
		for i := range c.Opts {
			lists = append(lists, c.Opts[i].Names)
		}
		for name := range strings.FieldsSeq(strings.Join(lists, " ")) {
			if name[0] == '-' {
				names = append(names, strings.Split(name[1:], "")...)
			} else {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// eachForm calls do with every program and subcommand, and the rows whose options it takes.
func eachForm(do func(form string, root *Command, rows []*Command)) {
	var walk func(form string, root, c *Command)
	walk = func(form string, root, c *Command) {
		if rows, ok := levels(form); ok && rows[len(rows)-1] == c {
			do(form, root, rows)
		}
		for _, list := range [...][]Command{c.Subs, c.Also} {
			for i := range list {
				if name := list[i].Name(); !strings.Contains(name, "*") {
					walk(form+" "+name, root, &list[i])
				}
			}
		}
	}
	for _, c := range All() {
		walk(c.Name(), c, c)
	}
}

// TestMeaningOfNothing: words that name no option that is understood say nothing but what is written.
func TestMeaningOfNothing(t *testing.T) {
	for _, text := range []string{"", "rm", "rm x", "nosuch -f", "rm --nosuch", "rm -f --nosuch", "git nosuch -f", "git push", "echo -n", "rm -- -f", "git push --forc"} {
		if m := MeaningOf(strings.Fields(text), false); m != nil {
			t.Errorf("%q says %+v", text, m)
		}
	}
	var m *Meaning
	if all, some := m.Of(NewInvocation([]shell.Word{{Text: "rm", Known: true}}, nil, "")); all || some {
		t.Error("nothing says something")
	}
}
