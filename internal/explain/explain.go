// Package explain says what is known of a decision as one JSON object: what permgate check and explain print with
// --json, and what the pages of explain --html and docs/try show.
package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

// Fill writes a verdict into an object, which it returns; docs/architecture.md names the keys.
func Fill(o *Object, v decide.Verdict) *Object {
	c := v.Input()
	o.Texts("answer", Answer(v), "decision", v.Decision().String(), "step", v.Step())
	if v.Origin() != v.Step() {
		o.Add("origin", Opt(v.Origin()))
	}
	o.Texts("reason", v.Reason(), "tool", c.Call.OwnTool(), "call", hookio.Escape(gate.Title(c.Call)))
	o.Add("part", Opt(hookio.Escape(v.Why().Part)))
	if v.Why().Rule != nil {
		o.Add("rule", FillRule(&Object{}, v.Why().Rule))
	}
	if v.Why().Check != nil {
		o.Add("check", v.Why().Check.ID)
	}
	if l := v.Why().Loss; l != nil {
		o.Add("loss", NewObject("targets", l.Targets, "files", l.Files, "folders", l.Folders, "bytes", int(l.Bytes),
			"lost", l.Lost, "unsure", l.Unsure, "at_least", l.AtLeast))
	}
	o.Texts("code", string(v.Code()), "mode", c.Policy.Mode.Value, "host", c.Call.Host.Name)
	o.Add("silence", Opt(v.Silence()))
	if c.Policy.Posture.Enforce.Value == "false" {
		o.Add("observed", v.ObserveOnly())
		if v.ObserveOnly() {
			o.Add("would_answer", log.Told(c.Call, v.HostAnswer()))
		}
	}
	return o
}

// Answer is what the host gets: a decision, or "silence".
func Answer(v decide.Verdict) string {
	return log.Told(v.Input().Call, v.Answer())
}

// FillRule writes a rule into an object, which it returns.
func FillRule(o *Object, r *rules.Rule) *Object {
	o.Add("text", r.Text, "list", r.List, "scope", r.Scope, "file", Opt(rules.Pos{File: r.Pos.File}.String()))
	if r.Pos.Line > 0 {
		o.Add("line", r.Pos.Line, "col", r.Pos.Col)
	}
	o.Add("note", Opt(r.Note))
	return o
}

// Silence says who decides where the host gets no answer, and why; "" where it gets one, and in observe mode.
func Silence(v decide.Verdict) string {
	why := v.Silence()
	if why == "" || v.ObserveOnly() {
		return ""
	}
	return v.Input().Call.Host.Title + " decides: " + why
}

// HostDenies reports whether the program takes an ask for a deny, for it has no one to ask.
func HostDenies(v decide.Verdict) bool {
	call := v.Input().Call
	return v.Answer().Decision == hookio.Ask && hookio.Told(call, v.Answer()) == hookio.Deny
}

// HostStep says in a few words what step 9 made of the decision.
func HostStep(v decide.Verdict) string {
	if v.ObserveOnly() {
		return "observe mode: nothing is answered"
	}
	if why := Silence(v); why != "" {
		return why
	}
	if a := v.Answer(); a.Decision != v.Decision() {
		return a.Reason
	}
	if HostDenies(v) {
		return v.Input().Call.Host.Title + " cannot ask here"
	}
	return "the program is told so"
}

// Silenced names the plain ask rules that bypass or a grant went past, each with its place as place writes it.
func Silenced(v decide.Verdict, place func(rules.Pos) string) []string {
	by := map[string]string{"3": "mode bypassPermissions (step 3)", "4": "the session grant (step 4)"}[v.Origin()]
	if by == "" {
		return nil
	}
	var notes []string
	for _, h := range v.Facts().Hits() {
		if h.Rule.List == rules.Ask && h.Rule.Scope != rules.Managed {
			notes = append(notes, fmt.Sprintf("%s silenced the ask rule %s (%s); only managed ask rules override it", by, h.Rule.Text, place(h.Rule.Pos)))
		}
	}
	return notes
}

// Parts are decide's without repetitions: a write counts as Edit and as Write, a sourced file is read too.
func Parts(v decide.Verdict) []facts.Part {
	var out []facts.Part
next:
	for _, p := range v.Facts().Parts() {
		for i := len(out) - 1; i >= 0 && out[i].Sub == p.Sub && p.Effect != nil; i-- {
			if out[i].Effect == nil || out[i].Label != p.Label {
				continue
			}
			for _, h := range p.Hits {
				if !slices.ContainsFunc(out[i].Hits, func(had rules.Hit) bool { return had.Rule == h.Rule }) {
					out[i].Hits = append(out[i].Hits, h)
				}
			}
			continue next
		}
		out = append(out, p)
	}
	return out
}

// Visible lists the tools to show to a subagent.
func Visible(c *decide.Input) []string {
	tools := []string{"Read", "Glob", "Grep", "LSP", "WebFetch", "WebSearch", "TaskCreate", "TaskGet",
		"TaskList", "TaskUpdate",
		"AskUserQuestion", "CronList", "Edit", "Write", "NotebookEdit", "Bash", "Monitor", "PowerShell", "Agent", "Skill"}
	if a := c.Policy.Agent; a != nil { // MCP and other tools only its lists know
		for _, r := range slices.Concat(a.Allow, a.Tools) {
			if r.Tool != "" && !slices.Contains(tools, r.Tool) {
				tools = append(tools, r.Tool)
			}
		}
	}
	shown := slices.DeleteFunc(tools, func(t string) bool { return !facts.Visible(c.Policy, t) })
	if len(shown) == 0 {
		return []string{"none"}
	}
	return shown
}

// Of is all that is known of a decision; docs/architecture.md names the keys. place names a place in a file.
func Of(v decide.Verdict, place func(rules.Pos) string) *Object {
	c, o := v.Input(), Fill(&Object{}, v)
	fillSteps(o, v)
	fillParts(o, v)
	if c.Script != nil {
		fillScript(o, v)
	}
	p := c.Policy
	o.Add("mode_from", Opt(p.Mode.Pos.String()), "mode_notes", p.ModeNotes)
	FillUnused(o, p)
	o.Add("silenced", Silenced(v, place))
	if c.AsAgent {
		o.Add("tools", Visible(c))
	}
	return o
}

// fillSteps adds the steps in their order, those that were not reached, and step 9.
func fillSteps(o *Object, v decide.Verdict) {
	o.List("steps", len(v.Trace()), func(i int, o *Object) {
		t := v.Trace()[i]
		fillStep(o, decide.StepOf(t.Step))
		o.Add("decision", t.Decision, "reason", Opt(t.Reason))
	})
	rest := NotReached(v)
	o.List("not_reached", len(rest), func(i int, o *Object) { fillStep(o, rest[i]) })
	host := &decide.HostSteps[0]
	o.Add("host_step", NewObject("step", host.Num, "name", host.Name, "about", "what the program is told of the answer",
		"answer", Answer(v), "reason", HostStep(v)))
}

func fillStep(o *Object, s decide.Step) { o.Add("step", s.Num, "name", s.Name, "about", s.Doc) }

// NotReached are the steps below the one that answered, which were not asked.
func NotReached(v decide.Verdict) (out []decide.Step) {
	trace := v.Trace()
	for i, s := range decide.Steps {
		if len(trace) > 0 && (i >= len(trace) || trace[i].Step != s.Num) {
			out = append(out, s)
		}
	}
	return out
}

// fillParts adds the parts of the call, each with the number of the one it belongs to.
func fillParts(o *Object, v decide.Verdict) {
	all := Parts(v)
	o.List("parts", len(all), func(i int, o *Object) {
		p := &all[i]
		o.Add("part", hookio.Escape(p.Label), "needs_allow", p.NeedsAllow)
		if of := belongsTo(all, i); of >= 0 {
			o.Add("of", of)
		}
		o.List("rules", len(p.Hits), func(j int, o *Object) {
			FillRule(o, p.Hits[j].Rule).Add("sure", p.Hits[j].Sure, "by_meaning", v.Facts().ByMeaning(p.Hits[j], *p.Subject))
		})
		if p.Sub == nil || p.Effect != nil {
			return
		}
		deeds := Deeds(p.Sub)
		o.Add("via", p.Sub.Via, "narrow", p.Sub.PatternBlockers, "read_only", p.Sub.Unproven() == "",
			"not_read_only", Opt(hookio.Escape(p.Sub.Unproven())))
		o.List("deeds", len(deeds), func(j int, o *Object) {
			o.Add("does", deeds[j].Does, "to", Opt(hookio.Escape(deeds[j].To)))
		})
	})
}

// belongsTo is the part whose command has the effect, or runs the command, that is part i; -1 for none.
func belongsTo(all []facts.Part, i int) int {
	p := &all[i]
	for j := i - 1; j >= 0 && p.Sub != nil; j-- {
		q := &all[j]
		switch {
		case q.Sub == nil || q.Effect != nil:
		case q.Sub == p.Sub, p.Effect == nil && runs(q.Sub, p.Sub):
			return j
		}
	}
	return -1
}

// runs reports whether one command is written within the words of another, which launches it.
func runs(outer, inner *bashsafety.Subcommand) bool {
	return len(outer.Via) < len(inner.Via) && outer.Span.Start <= inner.Span.Start && inner.Span.End <= outer.Span.End
}

// A Deed is what a command does besides reading and writing files, which are parts of the call.
type Deed struct{ Does, To string }

// Deeds lists them.
func Deeds(sub *bashsafety.Subcommand) (out []Deed) {
	does := map[bashsafety.EffectKind]string{
		bashsafety.Execute: "runs", bashsafety.Source: "sources", bashsafety.Network: "talks to",
		bashsafety.Privilege: "becomes another user", bashsafety.GitChange: "changes the git repository of",
		bashsafety.GitRead: "reads the git repository of",
	}
	for i := range sub.Effects {
		f := &sub.Effects[i]
		if f.Kind == bashsafety.Unknown {
			out = append(out, Deed{Does: "may do anything"})
		} else if what := does[f.Kind]; what != "" {
			out = append(out, Deed{what, strings.ReplaceAll(f.Path, bashsafety.HoleMark, "…")})
		}
	}
	return out
}

// FillUnused adds the grants that do not count and what cannot be read.
func FillUnused(o *Object, p *rules.Policy) {
	o.List("dropped", len(p.Dropped), func(i int, o *Object) {
		o.Add("rule", p.Dropped[i].Text, "at", p.Dropped[i].Pos, "why", p.Dropped[i].Why)
	})
	o.List("faults", len(p.Faults), func(i int, o *Object) {
		o.Add("at", p.Faults[i].Pos, "message", p.Faults[i].Msg, "closed", p.Faults[i].Closed)
	})
}

func fillScript(o *Object, v decide.Verdict) {
	s := v.Input().Script
	o.Add("not_read_only", Opt(hookio.Escape(v.Unproven())))
	o.List("findings", len(s.Findings), func(i int, o *Object) {
		o.Add("check", s.Findings[i].Check.ID, "severity", s.Findings[i].Check.Severity)
	})
	o.List("doubts", len(s.Doubts), func(i int, o *Object) {
		o.Add("id", s.Doubts[i].ID, "message", s.Doubts[i].Msg)
	})
	if len(s.Scripts) == 0 {
		return
	}
	o.List("scripts", len(s.Scripts), func(i int, o *Object) {
		t := &s.Scripts[i]
		o.Add("name", hookio.Escape(t.Name), "file", Opt(hookio.Escape(t.File)), "line", t.Line,
			"text", Opt(hookio.Escape(strings.ReplaceAll(t.Text, bashsafety.HoleMark, "…"))),
			"why", Opt(hookio.Escape(t.Why)))
	})
}

// An Object writes one JSON object on one line, keys in the order they come.
type Object struct{ B []byte }

func (o *Object) key(k string) {
	if len(o.B) == 0 {
		o.B = append(o.B, '{')
	} else {
		o.B = append(o.B, ',')
	}
	o.B = append(hookio.AppendJSON(o.B, k), ':')
}

// NewObject is an object with these keys and values, as Add takes them.
func NewObject(pairs ...any) *Object {
	o := &Object{}
	o.Add(pairs...)
	return o
}

// An Opt is a text that is left out where it is empty.
type Opt string

// Add writes keys and their values in turn: texts, numbers, truth values, lists of texts, JSON, objects, or Stringers.
func (o *Object) Add(pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == Opt("") {
			continue
		}
		o.key(pairs[i].(string))
		switch v := pairs[i+1].(type) {
		case string:
			o.B = hookio.AppendJSON(o.B, v)
		case int:
			o.B = strconv.AppendInt(o.B, int64(v), 10)
		case bool:
			o.B = strconv.AppendBool(o.B, v)
		case []string:
			o.array(len(v), func(i int) { o.B = hookio.AppendJSON(o.B, v[i]) })
		case []byte:
			o.B = append(o.B, v...)
		case *Object:
			o.B = append(o.B, v.End()...)
		case Opt:
			o.B = hookio.AppendJSON(o.B, string(v))
		case fmt.Stringer:
			o.B = hookio.AppendJSON(o.B, v.String())
		default:
			o.B = hookio.AppendJSON(o.B, fmt.Sprint(v))
		}
	}
}

// Texts writes keys and their texts in turn.
func (o *Object) Texts(pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		o.key(pairs[i])
		o.B = hookio.AppendJSON(o.B, pairs[i+1])
	}
}

// List writes n objects.
func (o *Object) List(k string, n int, fill func(i int, o *Object)) {
	o.key(k)
	o.array(n, func(i int) {
		var el Object
		fill(i, &el)
		o.B = append(o.B, el.End()...)
	})
}

func (o *Object) array(n int, write func(i int)) {
	o.B = append(o.B, '[')
	for i := range n {
		if i > 0 {
			o.B = append(o.B, ',')
		}
		write(i)
	}
	o.B = append(o.B, ']')
}

// End is the whole object.
func (o *Object) End() []byte {
	if len(o.B) == 0 {
		return []byte("{}")
	}
	return append(o.B, '}')
}
