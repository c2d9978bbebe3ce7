package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/internal/term"
	"github.com/permgate--owner/permgate/rules"
)

// A choice is one rule to pick, by its number.
type choice struct {
	n      int
	of     int // index of the proposal
	rule   string
	stem   bool
	note   string
	others []string // logged calls it would decide otherwise, by their titles
}

// number lists what there is to pick: each exact rule, its stem behind it. A
// stem that lets any program run is none to pick.
func (a *allowing) number(proposals []propose.Proposal) []choice {
	var out []choice
	for i := range proposals {
		p := &proposals[i]
		warning := ""
		if p.Stem != "" && a.into.List == rules.Allow {
			call, does, runs := a.exploit(p.Stem)
			switch {
			case runs:
				p.NoStem = fmt.Sprintf("%s would also allow a call that %s: %s", p.Stem, does, call)
				p.Stem = ""
			case call != "" && call != gate.Title(a.c.Call):
				warning = fmt.Sprintf("also allows a call that %s: %s", does, call)
			}
		}
		note := p.Note
		if p.NoStem != "" {
			note = strings.TrimPrefix(note+"; no stem: "+p.NoStem, "; ")
		}
		out = append(out, choice{n: len(out) + 1, of: i, rule: p.Rule, note: note})
		if p.Stem != "" {
			out = append(out, choice{n: len(out) + 1, of: i, rule: p.Stem, stem: true, note: warning})
		}
	}
	return out
}

// exploit returns a call that a rule lets through beside what it is for.
func (a *allowing) exploit(rule string) (call, does string, runs bool) {
	r, err := rules.ParseRule(rule, a.into.List, a.into.Scope, rules.Pos{File: a.file}, a.into.Claude)
	if err != nil {
		return "", "", false
	}
	return lint.New(a.world, *a.flags, a.c.Call.Host).Exploit(&r)
}

// show prints what is proposed.
func (a *allowing) show(choices []choice, together []string) {
	printVerdict(a.env, a.c, a.v)
	if a.o.last.n == "" {
		a.sayImplied(a.o.implied.of(a.c.Call))
	}
	where := a.listName() + " in " + a.path(a.file)
	if a.session != nil {
		where = a.session.title(a.env)
	}
	fmt.Fprintf(a.out, "\nrules for %s\n", where)
	for i := range choices {
		ch := &choices[i]
		word := "exactly this"
		if ch.stem {
			word = "stem: any arguments"
		}
		fmt.Fprintf(a.out, "  %d  %s\n", ch.n, hookio.Escape(ch.rule))
		if ch.note != "" {
			word += "; " + ch.note
		}
		a.wrapped("     ", word+"; "+a.besides(ch.others))
	}
	if len(together) > 0 {
		a.wrapped("  ", "all exact rules together: "+a.besides(together))
	}
	if a.v.ObserveOnly(a.c) {
		a.wrapped("", "observe mode: the rule counts once enforce is true")
	}
}

// besides says what rules change among the calls of the log.
func (a *allowing) besides(others []string) string {
	verb := map[rules.List]string{rules.Allow: "allows", rules.Ask: "changes", rules.Deny: "denies"}[a.into.List]
	if len(others) == 0 {
		return verb + " no other call in the log"
	}
	n := min(len(others), 3)
	text := fmt.Sprintf("%s %s in the log: %s", verb, plural(len(others), "other call", "other calls"),
		hookio.Escape(strings.Join(others[:n], "; ")))
	if n < len(others) {
		text += "; ..."
	}
	return text
}

// choose returns the rules to write: by --pick or --stem, by what is typed on
// the terminal, else the exact ones.
func (a *allowing) choose(choices []choice) (picked []string, code int) {
	stems, parts := 0, 0
	for i := range choices {
		if choices[i].stem {
			stems++
		} else {
			parts++
		}
	}
	several := parts > 1 && a.into.List != rules.Allow
	switch {
	case a.o.pick != "":
		picked, problem := take(choices, a.o.pick)
		if problem != "" {
			return nil, a.fail(numbers(choices), "%s", problem)
		}
		return picked, exitOK
	case a.o.stem && stems == 0:
		return nil, a.fail("without --stem the exact rule is written", "there is no stem to pick: %s", choices[0].note)
	case a.o.stem:
		return defaults(choices, true), exitOK
	case stems == 0 && !several:
		return defaults(choices, false), exitOK
	case (a.o.yes || a.o.dryRun) && several:
		return nil, a.fail("--pick 1 takes the first",
			"the call has %d parts, and any of their rules would %s it: choose one", parts, a.into.List)
	case a.o.yes, a.o.dryRun:
		return defaults(choices, false), exitOK
	}
	return a.askWhich(choices, several)
}

// askWhich asks on the terminal.
func (a *allowing) askWhich(choices []choice, several bool) (picked []string, code int) {
	usual, hint := "", "numbers, n for none"
	if !several {
		var n []string
		for i := range choices {
			if !choices[i].stem {
				n = append(n, strconv.Itoa(choices[i].n))
			}
		}
		usual = strings.Join(n, ",")
		hint = "numbers, n for none, return for " + usual
	}
	none := false
	err := term.Ask("which? ["+hint+"] ", func(line string) (problem string) {
		switch low := strings.ToLower(cmp.Or(line, usual)); low {
		case "", "n", "no", "none":
			none = true
		default:
			if picked, problem = take(choices, low); problem != "" {
				problem += ": " + numbers(choices)
			}
		}
		return problem
	})
	switch {
	case errors.Is(err, term.ErrNoTerminal):
		return nil, a.fail("run it in a terminal, or add --yes; --pick and --stem choose other rules, --dry-run only shows the change",
			"allow changes what is asked about, and there is no terminal to confirm on")
	case none, errors.Is(err, io.EOF):
		return nil, a.fail("", "nothing was changed")
	case err != nil:
		return nil, a.fail("", "%v", err)
	}
	return picked, exitOK
}

func numbers(choices []choice) string {
	return fmt.Sprintf("rules are numbered 1 to %d", len(choices))
}

// take reads the numbers of rules, or says what is wrong with them.
func take(choices []choice, text string) (picked []string, problem string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > len(choices) {
			return nil, "there is no rule " + quoteArg(word)
		}
		picked = append(picked, choices[n-1].rule)
	}
	if len(picked) == 0 {
		return nil, "not a number in " + quoteArg(text)
	}
	return picked, ""
}

// defaults takes the exact rule of every part, or its stem where there is one.
func defaults(choices []choice, stem bool) []string {
	var out []string
	for i := range choices {
		hasStem := i+1 < len(choices) && choices[i+1].of == choices[i].of
		if choices[i].stem == stem || stem && !hasStem {
			out = append(out, choices[i].rule)
		}
	}
	return out
}

// object is what is proposed as JSON.
func (a *allowing) object(choices []choice) *object {
	o := &object{}
	o.raw("now", result(a.c, a.v).end())
	o.str("list", a.listName())
	o.str("file", a.file)
	var list []byte
	for i := range choices {
		ch := &choices[i]
		var r object
		r.num("number", ch.n)
		r.str("rule", ch.rule)
		r.boolean("stem", ch.stem)
		r.opt("note", ch.note)
		r.num("other_calls", len(ch.others))
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, r.end()...)
	}
	o.raw("rules", []byte("["+string(list)+"]"))
	return o
}
