package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/auto"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/explain"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

func autoCommand() *subcmd.Command {
	var o subcmd.CallOptions
	return &subcmd.Command{
		Name:  "auto",
		Args:  "[eval FILE]",
		Short: "list what mode auto denies, asks about and allows here; try it on labelled calls",
		Long: `Lists the three lists of mode auto, autoMode.hard_deny, soft_deny and allow: the
built-in entries, whether they are in force in this folder and why, your own rules
and the administrator's with their places, and what is written but does not count.

"$defaults" in a list puts the built-in entries into it. A list that is not set has
them as well, except next to a program with a classifier of its own where silence
lets that program decide (onUnmatched "defer"). A list without "$defaults" replaces
them; [] is no entry at all.`,
		Examples: []subcmd.Example{
			{"permgate auto", "the lists in force here"},
			{"permgate auto --host claude --json", "for one program, as JSON"},
			{"permgate auto eval calls.jsonl", "how well mode auto answers labelled calls"},
		},
		Flags: func(fs *pflag.FlagSet) { registerAuto(fs, &o, "print JSON") },
		Run: func(e *subcmd.Env, args []string) int {
			if len(args) > 0 {
				return e.Fail("permgate auto, or permgate auto eval FILE", "unexpected operand %q", hookio.Escape(args[0]))
			}
			c, err := autoCase(e, &o)
			if err != nil {
				return e.Fail("permgate help hosts lists the programs", "%v", err)
			}
			if o.JSON {
				return e.PrintObject(autoObject(c))
			}
			printAuto(e, c)
			e.SayImplied(o.Implied.Of(c.Call))
			return subcmd.ExitOK
		},
		Subs: []*subcmd.Command{autoEvalCommand()},
	}
}

// registerAuto adds --json and the options that bear on the policy, except those of the mode.
func registerAuto(fs *pflag.FlagSet, o *subcmd.CallOptions, json string) {
	fs.BoolVar(&o.JSON, "json", false, json)
	subcmd.RegisterOnly(fs, &o.Flags, "add-dir", "agent", "allowedTools", "cwd", "disallowedTools", "home", "host",
		"settings", "skill", "tools")
}

// autoCase is a call about nothing, in mode auto.
func autoCase(e *subcmd.Env, o *subcmd.CallOptions) (*decide.Input, error) {
	o.Imply(e)
	o.Mode = "auto"
	flags := o.Flags
	if o.Implied != nil && o.Implied.Host != nil {
		flags.Host = o.Implied.Host.Name
	}
	return emptyCase(e, &flags)
}

type autoList struct {
	name    string
	in      bool // the built-in entries are in force
	why     string
	entries []*auto.Default
	rules   []rules.Rule
	dropped []*rules.Dropped
}

func autoLists(c *decide.Input) []autoList {
	p := c.Policy
	own := [...][]rules.Rule{p.Auto.HardDeny, p.Auto.SoftDeny, p.Auto.Allow}
	out := make([]autoList, len(own))
	for i := range out {
		l := &out[i]
		l.name, l.rules = rules.AutoKeys[i].Name, own[i]
		l.in, l.why = auto.InForce(c.Facts(), i)
		for j := range auto.Defaults {
			if d := &auto.Defaults[j]; d.List == i {
				l.entries = append(l.entries, d)
			}
		}
		for j := range p.Dropped {
			if d := &p.Dropped[j]; d.Auto == l.name {
				l.dropped = append(l.dropped, d)
			}
		}
	}
	return out
}

// In the order of rules.AutoKeys.
var answers = [...]string{"denies", "asks about", "allows"}

func printAuto(e *subcmd.Env, c *decide.Input) {
	if why := autoLocked(c.Policy); why != "" {
		e.Wrapped("", "mode auto is off: "+e.Short(why)+"; hard_deny and soft_deny still apply to sessions that ask for it")
	}
	for i, l := range autoLists(c) {
		state := "in force"
		if !l.in {
			state = "not in force"
		}
		if i > 0 || autoLocked(c.Policy) != "" {
			fmt.Fprintln(e.Out)
		}
		fmt.Fprintf(e.Out, "autoMode.%s: what mode auto %s\n", l.name, answers[i])
		e.Wrapped("  ", fmt.Sprintf("built in (version %d), %s: %s", auto.Version, state, e.Short(l.why)))
		var rows [][]string
		for _, d := range l.entries {
			rows = append(rows, []string{d.ID, d.Doc})
		}
		e.Table("    ", rows)
		if rows = nil; len(l.rules) > 0 {
			fmt.Fprintln(e.Out, "  rules")
		}
		for j := range l.rules {
			rows = append(rows, []string{hookio.Escape(l.rules[j].Text), l.rules[j].Scope.String(), e.Place(l.rules[j].Pos)})
		}
		e.Table("    ", rows)
		if len(l.dropped) > 0 {
			fmt.Fprintln(e.Out, "  written, but does not count")
		}
		for _, d := range l.dropped {
			e.Wrapped("    ", hookio.Escape(d.Text)+"   "+e.Place(d.Pos)+": "+e.Short(d.Why))
		}
	}
	for i := range c.Policy.Faults {
		e.Wrapped("", "fault: "+e.Fault(&c.Policy.Faults[i]))
	}
}

// autoLocked says what takes mode auto away, "" where nothing does.
func autoLocked(p *rules.Policy) string {
	if !p.LockAuto.On() {
		return ""
	}
	return "locked by " + p.LockAuto.Pos.String()
}

func autoObject(c *decide.Input) *subcmd.Object {
	lock := c.Policy.LockAuto.Pos.String()
	o := subcmd.NewObject("version", auto.Version, "locked_by", subcmd.Opt(lock))
	lists := autoLists(c)
	o.List("lists", len(lists), func(i int, o *subcmd.Object) {
		l := &lists[i]
		o.Add("list", l.name, "built_in", l.in, "why", l.why)
		o.List("entries", len(l.entries), func(j int, o *subcmd.Object) {
			d := l.entries[j]
			o.Add("id", d.ID, "does", d.Does, "doc", d.Doc, "hits", d.Hits, "passes", d.Passes)
		})
		o.List("rules", len(l.rules), func(j int, o *subcmd.Object) { explain.FillRule(o, &l.rules[j]) })
		o.List("dropped", len(l.dropped), func(j int, o *subcmd.Object) {
			d := l.dropped[j]
			o.Add("rule", d.Text, "at", d.Pos, "why", d.Why)
		})
	})
	return o
}

const maxEvalLine = 16 << 20

func autoEvalCommand() *subcmd.Command {
	var o subcmd.CallOptions
	return &subcmd.Command{
		Name:     "eval",
		Args:     "FILE",
		Operands: "file",
		Short:    "decide labelled calls in mode auto, and compare",
		Long: `FILE holds one call a line, as a hook gets it (tool_name, tool_input, perhaps cwd),
with the answer it should get in the key "expect": allow, ask, deny, not-allow or
not-deny. Or it is a table with tabs between the columns, whose first line names them:
tool, input (the JSON object), expect. In both, "settings" may hold {"allow": [...], "ask": [...],
"deny": [...]}, rules that count for this call alone. With - it is standard input.

Each call is decided by the function that answers the hook, in mode auto whatever the
line says, with the settings of this folder. The answer that counts is permgate's own,
also where the program would decide by itself. Nothing is executed and nothing is
logged, unless --classify has your classifier judge what the hook would ask it.

Printed are how often each label got each answer, and the calls answered laxer than
their label. The exit code is 0 if all answers are right, 1 if not, 3 on errors.`,
		Examples: []subcmd.Example{
			{"permgate auto eval calls.jsonl", ""},
			{"permgate auto eval --json calls.jsonl | jq .wrong", "also the calls that were answered too strictly"},
			{"permgate auto eval --classify calls.jsonl", "how well your classifier judges"},
		},
		Flags: func(fs *pflag.FlagSet) {
			registerAuto(fs, &o, "print one JSON object, with every wrong answer")
			o.RegisterClassify(fs)
		},
		Run: func(e *subcmd.Env, args []string) int { return evalAuto(e, &o, args) },
	}
}

type labelled struct {
	line         int
	id, expect   string
	payload      []byte
	settings     string
	call         *hookio.Call
	verdict      decide.Verdict
	right, laxer bool
}

// expected are the labels, in the order they are printed.
var expected = [...]string{"allow", "ask", "deny", "not-allow", "not-deny"}

// gotten are the answers in the order of strictness.
var gotten = [...]hookio.Decision{hookio.Allow, hookio.Ask, hookio.Deny}

func evalAuto(e *subcmd.Env, o *subcmd.CallOptions, args []string) int {
	if len(args) != 1 {
		return e.Fail("permgate auto eval calls.jsonl", "eval takes one file of labelled calls")
	}
	o.Imply(e)
	o.Mode = "auto"
	rows, err := readLabelled(e, args[0])
	if err != nil {
		return e.Fail("permgate help auto eval describes the file", "%v", err)
	}
	batch := gate.NewBatch(&o.Flags, e.World, subcmd.BatchRoom)
	for i := range rows {
		if err := rows[i].decide(e, o, batch); err != nil {
			return e.Fail("permgate help auto eval describes the file", "%s:%d: %v", e.Path(args[0]), rows[i].line, err)
		}
	}
	if o.JSON {
		e.PrintObject(evalObject(rows))
	} else {
		printEval(e, rows, args[0])
		e.SayImplied(o.Implied)
	}
	wrong := func(r labelled) bool { return !r.right }
	if slices.ContainsFunc(rows, wrong) {
		return subcmd.ExitFindings
	}
	return subcmd.ExitOK
}

func readLabelled(e *subcmd.Env, name string) ([]labelled, error) {
	in := e.In
	if name != "-" {
		f, err := os.Open(e.Abs(name))
		if err != nil {
			return nil, errors.New(e.Short(err.Error()))
		}
		defer f.Close()
		in = f
	}
	lines := bufio.NewScanner(io.Reader(in))
	lines.Buffer(nil, maxEvalLine)
	var rows []labelled
	var columns []string
	for n := 1; lines.Scan(); n++ {
		line := bytes.Clone(bytes.TrimPrefix(lines.Bytes(), bom))
		switch trimmed := bytes.Trim(line, jsonBlanks); {
		case len(trimmed) == 0:
		case columns == nil && trimmed[0] != '{' && len(rows) == 0:
			columns = strings.Split(string(line), "\t")
			for _, want := range [...]string{"tool", "input", "expect"} {
				if !slices.Contains(columns, want) {
					return nil, fmt.Errorf("%s:%d: neither a JSON object nor a table with the column %s", e.Path(name), n, want)
				}
			}
		default:
			row, err := labelledRow(line, columns)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", e.Path(name), n, err)
			}
			row.line = n
			rows = append(rows, row)
		}
	}
	switch err := lines.Err(); {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", e.Path(name), err)
	case len(rows) == 0:
		return nil, fmt.Errorf("%s: no calls", e.Path(name))
	}
	return rows, nil
}

// labelledRow reads one line: of a table where columns are given.
func labelledRow(line []byte, columns []string) (r labelled, err error) {
	if columns == nil {
		if !gjson.ValidBytes(line) {
			return r, errors.New("not one JSON value")
		}
		doc := gjson.ParseBytes(line)
		r.payload, r.id = line, doc.Get("id").String()
		r.expect, r.settings = doc.Get("expect").String(), doc.Get("settings").Raw
	} else {
		cells := strings.Split(strings.TrimSuffix(string(line), "\r"), "\t")
		cell := func(name string) string {
			if i := slices.Index(columns, name); i >= 0 && i < len(cells) {
				return cells[i]
			}
			return ""
		}
		r.id, r.expect, r.settings = cell("id"), cell("expect"), cell("settings")
		if !gjson.Valid(cell("input")) {
			return r, errors.New("the input is not JSON")
		}
		r.payload = subcmd.NewObject("hook_event_name", string(hookio.PreToolUse), "tool_name", cell("tool"),
			"tool_input", []byte(cell("input"))).End()
	}
	if !slices.Contains(expected[:], r.expect) {
		return r, fmt.Errorf("the label %q is none of %s", r.expect, strings.Join(expected[:], ", "))
	}
	if r.settings != "" && !gjson.Valid(r.settings) {
		return r, errors.New("the settings are not JSON")
	}
	return r, nil
}

func (r *labelled) decide(e *subcmd.Env, o *subcmd.CallOptions, batch *gate.Batch) (err error) {
	if r.call, err = o.Read(bytes.NewReader(r.payload)); err != nil {
		return err
	}
	o.Implied.Bind(r.call)
	c := batch.Case(r.call)
	if gjson.Get(r.settings, "@keys.#").Int() > 0 {
		policy := gate.Policy(r.call, &o.Flags, e.World)
		if err := r.addRules(policy); err != nil {
			return err
		}
		c = gate.CaseUnder(policy, r.call, &o.Flags, e.World)
	}
	r.verdict = o.Verdict(c)
	got := r.verdict.Decision()
	want := slices.Index(expected[:], r.expect)
	switch r.expect {
	case "not-allow":
		r.right, r.laxer = got != hookio.Allow, got == hookio.Allow
	case "not-deny":
		r.right = got != hookio.Deny
	default:
		r.right, r.laxer = got == gotten[want], got < gotten[want]
	}
	return nil
}

// addRules adds the rules of a line to a policy, as the user's.
func (r *labelled) addRules(p *rules.Policy) error {
	for i, list := range [...]rules.List{rules.Deny, rules.Ask, rules.Allow} {
		to := [...]*[]rules.Rule{&p.Deny, &p.Ask, &p.Allow}[i]
		for _, text := range gjson.Get(r.settings, list.String()).Array() {
			rule, err := rules.ParseRule(text.String(), list, rules.User, rules.Pos{File: "settings", Line: r.line}, false)
			if err != nil {
				return err
			}
			*to = append(*to, rule)
		}
	}
	return nil
}

func evalCounts(rows []labelled) (counts [len(expected)][len(gotten)]int, right, laxer int) {
	for i := range rows {
		r := &rows[i]
		counts[slices.Index(expected[:], r.expect)][max(slices.Index(gotten[:], r.verdict.Decision()), 0)]++
		if r.right {
			right++
		}
		if r.laxer {
			laxer++
		}
	}
	return counts, right, laxer
}

func printEval(e *subcmd.Env, rows []labelled, name string) {
	counts, right, laxer := evalCounts(rows)
	fmt.Fprintf(e.Out, "%-10s  %7s  %7s  %7s\n", "expected", "allow", "ask", "deny")
	for i, label := range expected {
		if c := counts[i]; c[0]+c[1]+c[2] > 0 {
			fmt.Fprintf(e.Out, "%-10s  %7d  %7d  %7d\n", label, c[0], c[1], c[2])
		}
	}
	fmt.Fprintf(e.Out, "right: %d of %d (%.1f %%), laxer: %d, stricter: %d\n", right, len(rows),
		100*float64(right)/float64(len(rows)), laxer, len(rows)-right-laxer)
	if laxer > 0 {
		e.Heading("laxer than the label")
	}
	for i := range rows {
		if r := &rows[i]; r.laxer {
			e.Wrapped("  ", fmt.Sprintf("%s:%d: %s, not %s: %s", e.Path(name), r.line, r.verdict.Decision(), r.expect, gate.Title(r.call)))
			e.Wrapped("      ", e.Short(r.verdict.Reason()))
		}
	}
}

func evalObject(rows []labelled) *subcmd.Object {
	counts, right, laxer := evalCounts(rows)
	table := &subcmd.Object{}
	for i, label := range expected {
		table.Add(label, subcmd.NewObject("allow", counts[i][0], "ask", counts[i][1], "deny", counts[i][2]))
	}
	o := subcmd.NewObject("calls", len(rows), "right", right, "laxer", laxer, "expected", table)
	wrong := slices.DeleteFunc(slices.Clone(rows), func(r labelled) bool { return r.right })
	o.List("wrong", len(wrong), func(i int, o *subcmd.Object) {
		r := &wrong[i]
		o.Add("line", r.line, "id", subcmd.Opt(r.id), "expect", r.expect, "got", r.verdict.Decision(), "laxer", r.laxer,
			"step", r.verdict.Step(), "code", string(r.verdict.Code()), "call", hookio.Escape(gate.Title(r.call)),
			"reason", r.verdict.Reason())
	})
	return o
}
