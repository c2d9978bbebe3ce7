package cli

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/explain"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/internal/term"
	"github.com/permgate--owner/permgate/rules"
)

type allowOptions struct {
	subcmd.CallOptions
	subcmd.WriteOptions
	last      subcmd.LastOptions
	deny, ask bool
	scope     string
	grant     bool // for one session, in no settings file
	once      bool // and for one call of it
	length    string
	timed     time.Duration // what length says; zero for none
	stem      bool
	pick      string
}

func allowCommand() *subcmd.Command {
	var o allowOptions
	return &subcmd.Command{
		Name:     "allow",
		Args:     "COMMAND | WORD... | --tool NAME OPERAND | - | --last [N]",
		Operands: "program file",
		Words:    subcmd.CommandWords,
		Short:    "write the rule that allows a call, or stops it",
		Long: `Takes the same forms as check, or with --last a call the hook decided, as in
explain. It proposes the rules the call lacks: the exact text of each command no
rule allows yet, the exact path, the host, the tool. Each rule was tried: with them
the call is allowed. If no rule can allow the call, permgate says what blocks it.
With "destructive": "practical" it also proposes the exact rule for a destructive
command where that works, and says what you will no longer be asked about.

A stem, such as Bash(npm test:*) for every npm test, is written only if you pick it:
on the terminal, with --stem or with --pick. No stem is offered for shells,
interpreters and programs that run others. Below each rule you see which other
logged calls it would allow.

The rules go into the project's settings.local.json unless --scope names another
file; with --for-session they are granted for one session only, with --for and --once
for a time or one call of it. The change is shown first, with the calls of the log that
it would decide otherwise, and needs a terminal to confirm on, or --yes. Without --host
the call is decided for the program the hook is registered with, as in check.`,
		Examples: []subcmd.Example{
			{"permgate allow 'npm test'", "the exact command"},
			{"permgate allow --last", "what the hook asked about last"},
			{"permgate allow --stem --yes npm test", "npm test with any arguments, without asking"},
			{"permgate allow --last --for-session", "the same, until the session ends"},
			{"permgate allow --last --for 2h", "for two hours of that session"},
			{"permgate allow --last --once", "for one call of that session"},
			{"permgate allow --deny 'git push --force'", "a rule that denies it"},
			{"permgate allow --tool WebFetch https://go.dev/doc", "a host, or the origin if urls.allow of permgate.json is set"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.deny, "deny", false, "propose a deny rule instead")
			fs.BoolVar(&o.ask, "ask", false, "propose an ask rule instead")
			fs.StringVar(&o.scope, "scope", rules.Local.String(), "settings file to write to: local, shared or user")
			fs.BoolVar(&o.grant, "for-session", false,
				"grant it for one session instead: that of --last, of --session, or the newest here")
			fs.StringVar(&o.length, "for", "", "grant it for one session, and for a `time` such as 90m or 2h")
			fs.BoolVar(&o.once, "once", false, "grant it for one session, and for one call: the next one that needs it")
			fs.BoolVar(&o.stem, "stem", false, "take the stem rule if there is one")
			fs.StringVar(&o.pick, "pick", "", "take the rules with these `numbers`, separated by commas")
			o.WriteOptions.Register(fs)
			o.last.Register(fs, "", "with --last or --for-session: this session, its id or the start of it")
			o.CallOptions.Register(fs)
		},
		Run: func(e *subcmd.Env, args []string) int {
			if why := o.granting(); why != "" {
				return e.Fail("permgate help allow", "%s", why)
			}
			switch {
			case o.deny && o.ask, o.stem && o.pick != "":
				return e.Fail("permgate help allow", "use only one of --deny and --ask, and only one of --stem and --pick")
			case o.last.N != "":
			case o.last.Session != "" && !o.grant:
				return e.Fail("permgate allow --last --session ID", "--session goes with --last or --for-session")
			}
			o.Imply(e)
			return allow(e, &o, args)
		},
	}
}

// granting reads the options about a session, and says what is wrong with them.
func (o *allowOptions) granting() (why string) {
	o.grant = o.grant || o.once || o.length != ""
	if o.grant && o.list() != rules.Allow {
		return "a session has only grants, no deny or ask rules"
	}
	if o.length == "" {
		return ""
	}
	length, err := time.ParseDuration(o.length)
	if err != nil || length < time.Second || length > state.MaxAge {
		return "--for takes a time of 1s to 168h, such as 90m, not " + subcmd.QuoteArg(o.length)
	}
	o.timed = length
	return ""
}

func (o *allowOptions) list() rules.List {
	switch {
	case o.deny:
		return rules.Deny
	case o.ask:
		return rules.Ask
	}
	return rules.Allow
}

func allow(e *subcmd.Env, o *allowOptions, args []string) int {
	call, flags, code := o.last.Subject(e, &o.CallOptions, args, "allow", "no rule can be proposed for that call")
	if call == nil {
		return code
	}
	var s *session
	if o.grant {
		if s, code = o.grantee(e, call); s == nil {
			return code
		}
	}
	v := decide.Decide(gate.Case(call, flags, e.World))
	a, err := newAllowing(e, o, v.Input(), v, flags)
	if err != nil {
		return e.Fail("--scope local|shared|user", "%v", err)
	}
	if s != nil {
		a.session, a.file = s, state.File(s.store.Dir, s.id)
		a.into = propose.Into{List: rules.Allow, Scope: rules.Session}
	}
	proposals, refusal, code := a.proposals()
	switch {
	case code != subcmd.ExitOK:
		return code
	case refusal != nil:
		if refusal.Done {
			fmt.Fprintf(e.Out, "nothing to do for %s\n", hookio.Escape(gate.Heading(call)))
			e.Wrapped("  ", e.Short(hookio.Escape(refusal.Why)))
			return subcmd.ExitOK
		}
		// redacted one by one: a name such as credentials would take the reason for its value
		name, _ := redact.Text(hookio.Escape(gate.Heading(call)))
		why, _ := redact.Text(e.Short(hookio.Escape(refusal.Why)))
		return e.Fail(refusal.Instead, "no rule is proposed for %s: %s", name, strings.TrimPrefix(why, name+": "))
	}
	return a.run(proposals)
}

// A choice is one rule to pick, by its number.
type choice struct {
	n      int
	of     int // index of the proposal
	rule   string
	stem   bool
	note   string
	others []string // logged calls it would decide otherwise, by their titles
}

// number lists the exact rules, each followed by its stem; none for a stem that lets any program run.
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
			note = strings.TrimPrefix(note+"; no wider rule: "+p.NoStem, "; ")
		}
		out = append(out, choice{n: len(out) + 1, of: i, rule: p.Rule, note: note})
		if p.Stem != "" {
			out = append(out, choice{n: len(out) + 1, of: i, rule: p.Stem, stem: true, note: warning})
		}
	}
	return out
}

// exploit returns a call that a rule allows besides what it is meant for.
func (a *allowing) exploit(rule string) (call, does string, runs bool) {
	r, err := rules.ParseRule(rule, a.into.List, a.into.Scope, rules.Pos{File: a.file}, a.into.Claude)
	if err != nil {
		return "", "", false
	}
	return lint.New(a.World, *a.flags, a.c.Call.Host).Exploit(&r)
}

func (a *allowing) show(choices []choice, together []string) {
	printVerdict(a.Env, a.v)
	if a.o.last.N == "" {
		a.SayImplied(a.o.Implied.Of(a.c.Call))
	}
	where := a.listName() + " in " + a.Path(a.file)
	if a.session != nil {
		where = a.session.title(a.Env)
	}
	fmt.Fprintf(a.Out, "\nrules for %s\n", where)
	for i := range choices {
		ch := &choices[i]
		word := "this call only"
		if ch.stem {
			word = "any arguments"
		}
		fmt.Fprintf(a.Out, "  %d  %s\n", ch.n, hookio.Escape(ch.rule))
		if ch.note != "" {
			word += "; " + ch.note
		}
		a.Wrapped("     ", word+"; "+a.besides(ch.others))
	}
	if len(together) > 0 {
		a.Wrapped("  ", "all exact rules together: "+a.besides(together))
	}
	if a.v.ObserveOnly() {
		a.Wrapped("", "observe mode: the rule counts once enforce is true")
	}
}

func (a *allowing) besides(others []string) string {
	verb := map[rules.List]string{rules.Allow: "allows", rules.Ask: "changes", rules.Deny: "denies"}[a.into.List]
	if len(others) == 0 {
		return verb + " no other call in the log"
	}
	text, more := strings.Join(others[:min(len(others), 3)], "; "), ""
	if len(others) > 3 {
		more = "; ..."
	}
	return fmt.Sprintf("%s %s in the log: %s%s", verb, subcmd.Plural(len(others), "other call", "other calls"),
		hookio.Escape(text), more)
}

// choose returns the rules of --pick or --stem, those typed on the terminal, or the exact ones.
func (a *allowing) choose(choices []choice) (picked []string, code int) {
	parts := len(defaults(choices, false))
	stems := len(choices) - parts
	several := parts > 1 && a.into.List != rules.Allow
	switch {
	case a.o.pick != "":
		picked, problem := take(choices, a.o.pick)
		if problem != "" {
			return nil, a.Fail(numbers(choices), "%s", problem)
		}
		return picked, subcmd.ExitOK
	case a.o.stem && stems == 0:
		return nil, a.Fail("without --stem the exact rule is written", "there is no stem to pick: %s", choices[0].note)
	case a.o.stem:
		return defaults(choices, true), subcmd.ExitOK
	case stems == 0 && !several:
		return defaults(choices, false), subcmd.ExitOK
	case (a.o.Yes || a.o.DryRun) && several:
		return nil, a.Fail("--pick 1 takes the first",
			"the call has %d parts, and any of their rules would %s it: choose one", parts, a.into.List)
	case a.o.Yes, a.o.DryRun:
		return defaults(choices, false), subcmd.ExitOK
	}
	return a.askWhich(choices, several)
}

func (a *allowing) askWhich(choices []choice, several bool) (picked []string, code int) {
	usual, answers := "", "numbers, n for none"
	if !several {
		var n []string
		for i := range choices {
			if !choices[i].stem {
				n = append(n, strconv.Itoa(choices[i].n))
			}
		}
		usual = strings.Join(n, ",")
		answers += ", return for " + usual
	}
	none := false
	err := term.Ask("which? ["+answers+"] ", func(line string) (problem string) {
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
	if none {
		err = io.EOF
	}
	return picked, a.Answered(err, "run it in a terminal, or add --yes; --pick and --stem choose other rules, "+
		"--dry-run only shows the change", "confirm on")
}

func numbers(choices []choice) string {
	return fmt.Sprintf("rules are numbered 1 to %d", len(choices))
}

// take reads the numbers of rules, or says what is wrong with them.
func take(choices []choice, text string) (picked []string, problem string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > len(choices) {
			return nil, "there is no rule " + subcmd.QuoteArg(word)
		}
		picked = append(picked, choices[n-1].rule)
	}
	if len(picked) == 0 {
		return nil, "not a number in " + subcmd.QuoteArg(text)
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

func (a *allowing) object(choices []choice) *subcmd.Object {
	o := subcmd.NewObject("now", explain.Fill(&subcmd.Object{}, a.v), "list", a.listName(), "file", a.file)
	o.List("rules", len(choices), func(i int, o *subcmd.Object) {
		ch := &choices[i]
		o.Add("number", ch.n, "rule", ch.rule, "stem", ch.stem, "note", subcmd.Opt(ch.note),
			"other_calls", len(ch.others))
	})
	return o
}
