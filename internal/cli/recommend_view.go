package cli

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/internal/policy/recommend"
	"github.com/permgate--owner/permgate/rules"
)

// read says what the proposals are made from.
func (r *recommending) read(rep *recommend.Report) {
	when := ""
	if !rep.First.IsZero() {
		when = ", " + rep.First.Local().Format("2006-01-02") + " to " + rep.Last.Local().Format("2006-01-02")
	}
	fmt.Fprintf(r.out, "%s in %s%s: %s\n", plural(rep.Decided, "call", "calls"), plural(rep.Sessions, "session", "sessions"),
		when, plural(rep.Prompts, "prompt", "prompts"))
	for _, why := range slices.Sorted(maps.Keys(rep.Skipped)) {
		fmt.Fprintf(r.out, "  %5d  skipped: %s\n", rep.Skipped[why], hookio.Escape(why))
	}
	for _, step := range slices.Sorted(maps.Keys(rep.Settled)) {
		fmt.Fprintf(r.out, "  %5d  %s\n", rep.Settled[step], settledBy(step))
	}
}

// settledBy says why no rule is proposed for what a step asks about.
func settledBy(step string) string {
	name := "asked about by step " + step + " (" + decide.StepName(step) + ")"
	if step == "5" {
		return name + ": an ask rule or an address list wants that"
	}
	return name + ": no allow rule is proposed for that"
}

// all prints every proposal, and what was left out.
func (r *recommending) all(rep *recommend.Report) {
	if len(rep.Rules) == 0 {
		fmt.Fprintf(r.out, "\nno rule to propose\n")
	} else {
		fmt.Fprintf(r.out, "\nrules for allow in %s, %s spared by %s; lint finds nothing in them\n", r.path(r.file),
			plural(rep.Spared, "prompt", "prompts"), plural(len(rep.Rules), "rule", "rules"))
	}
	for i, p := range rep.Rules {
		r.one(i+1, p)
	}
	if len(rep.Rejected) > 0 {
		r.heading("not proposed")
	}
	for _, x := range rep.Rejected {
		fmt.Fprintf(r.out, "  %s\n", hookio.Escape(x.Rule))
		r.wrapped("     ", fmt.Sprintf("would spare %s: %s", plural(x.Asks, "prompt", "prompts"), excerpt(x.Why)))
	}
}

// tighter prints what could be narrower.
func (r *recommending) tighter(rep *recommend.Report) {
	if len(rep.Unused) > 0 {
		r.heading(fmt.Sprintf("matched no call for %s", plural(r.o.unused, "day", "days")))
	}
	for _, u := range rep.Unused {
		r.oneUnused(u)
	}
	if len(rep.Wide) > 0 {
		r.heading("wider than their use")
	}
	for _, w := range rep.Wide {
		r.oneWide(w)
	}
}

func (r *recommending) oneUnused(u recommend.Unused) {
	fmt.Fprintf(r.out, "  %s  %s\n", hookio.Escape(u.Rule), r.place(u.At))
	what := "no recorded call needs it"
	if u.Costs > 0 {
		what = fmt.Sprintf("needed for %s: %s", plural(u.Costs, "older call", "older calls"), excerpts(u.Calls))
	}
	r.wrapped("     ", what+"; "+r.removal(u.Rule))
}

func (r *recommending) oneWide(w recommend.Wide) {
	fmt.Fprintf(r.out, "  %s  %s\n", hookio.Escape(w.Rule), r.place(w.At))
	r.wrapped("     ", fmt.Sprintf("needed for %s; these do for all of them: %s", plural(w.Calls, "call", "calls"),
		hookio.Escape(strings.Join(w.Narrower, ", "))))
}

// removal is the command that removes a rule.
func (r *recommending) removal(rule string) string {
	return "permgate rules remove allow " + quoteArg(rule) + " --scope " + r.o.scope
}

// kindWords say how wide a kind of rule is.
var kindWords = [...][2]string{
	{recommend.Exact, "exactly this"}, {recommend.Domain, "every address of that host"}, {recommend.Stem, "stem: any arguments"},
	{recommend.Folder, "every file in that folder"}, {recommend.Tool, "every call of that tool"},
}

// one prints a proposal.
func (r *recommending) one(n int, p *recommend.Proposal) {
	fmt.Fprintf(r.out, "%3d  %s\n", n, hookio.Escape(p.Rule))
	word := ""
	for _, k := range kindWords {
		if k[0] == p.Kind {
			word = k[1]
		}
	}
	r.wrapped("     ", fmt.Sprintf("%s; asked %s in %s; spares %s, %d so far", word, plural(p.Asked, "time", "times"),
		plural(p.Sessions, "session", "sessions"), plural(p.Spared, "prompt", "prompts"), p.Total))
	if p.Kind != recommend.Exact {
		r.wrapped("     ", "for "+excerpts(p.Calls))
	}
	for _, kind := range slices.Sorted(maps.Keys(p.Others)) {
		r.wrapped("     ", fmt.Sprintf("also matches %s", othersOf(kind, p.Others[kind])))
	}
	if len(p.Examples) > 0 {
		r.wrapped("     ", "such as "+excerpts(p.Examples))
	}
}

// othersOf says how calls are answered that a rule matches and spares no prompt for.
func othersOf(kind string, n int) string {
	count := plural(n, "call", "calls")
	switch kind {
	case "allow":
		return count + " allowed without it"
	case "deny":
		return count + " still denied"
	}
	return count + " still asked about"
}

// excerpts lists examples.
func excerpts(list []string) string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = excerpt(text)
	}
	return strings.Join(out, "; ")
}

// excerptWidth is how much of a call is shown in a list.
const excerptWidth = 80

// excerpt is the beginning of a text, fit to print.
func excerpt(text string) string {
	text = hookio.Escape(text)
	if r := []rune(text); len(r) > excerptWidth {
		return string(r[:excerptWidth-3]) + "..."
	}
	return text
}

// A wanted is what is to be written.
type wanted struct {
	picked []*recommend.Proposal
	more   []string // rules in the place of wider ones
	gone   []string // rules that go
}

func (w *wanted) none() bool { return len(w.picked)+len(w.more)+len(w.gone) == 0 }

// added are the rules that are added.
func (w *wanted) added() []string {
	out := slices.Clone(w.more)
	for _, p := range w.picked {
		out = append(out, p.Rule)
	}
	return out
}

// write changes the settings file, and adds a test of each proposal to the policy tests.
func (r *recommending) write(w *wanted) int {
	tests := ""
	done, code := r.env.write(&r.o.writeOptions, func() ([]*change, error) {
		ch, err := r.settings(w)
		if err != nil {
			return nil, err
		}
		more, err := r.tests(ch, w.picked)
		if more != nil {
			tests = more.name
		}
		return []*change{ch, more}, err
	})
	if !done {
		return code
	}
	for _, l := range [...]struct {
		what  string
		texts []string
	}{{"added to", w.added()}, {"removed from", w.gone}} {
		if len(l.texts) > 0 {
			fmt.Fprintf(r.out, "%s allow in %s: %s\n", l.what, r.path(r.file), hookio.Escape(strings.Join(l.texts, ", ")))
		}
	}
	if tests != "" {
		fmt.Fprintf(r.out, "with a test of each in %s\n", r.path(tests))
	}
	return exitOK
}

// settings is the change of the settings file.
func (r *recommending) settings(w *wanted) (*change, error) {
	ch, doc, err := r.openSettings(r.p, r.o.scope, r.file)
	if err != nil {
		return nil, err
	}
	allow := rules.Allow.String()
	for _, text := range w.gone {
		if _, err := doc.RemoveRule(allow, text); err != nil {
			return nil, err
		}
	}
	texts := w.added()
	for _, text := range texts {
		if _, err := doc.AddRule(allow, text); err != nil {
			return nil, err
		}
	}
	ch.text = doc.Bytes()
	ch.readable(r.o.scope)
	if why := r.void(ch, texts); why != "" {
		return nil, fmt.Errorf("the rules would do nothing in %s: %s", r.path(r.file), why)
	}
	return ch, nil
}

// void says why rules of the file do not count, "" where they do.
func (r *recommending) void(ch *change, texts []string) string {
	p := gate.Policy(callOf(r.host), r.flags(), r.worldWith(ch))
	for _, d := range p.Dropped {
		if d.Pos.File == r.world.OS.Canon(r.file) && slices.Contains(texts, d.Text) {
			a := &allowing{env: r.env, c: decide.New(decide.Input{Call: callOf(r.host), Policy: p}, nil), flags: r.flags(), file: r.file}
			return a.uncounted()
		}
	}
	return ""
}

// tests adds a line for each rule that a test can be written for; nil when there is none.
func (r *recommending) tests(ch *change, picked []*recommend.Proposal) (*change, error) {
	name, scope, err := r.testFile()
	if err != nil {
		return nil, err
	}
	out, err := r.openText(r.p, scope.String(), name)
	if err != nil {
		return nil, err
	}
	w := r.worldWith(ch)
	text := string(out.old)
	for _, p := range picked {
		t := r.test(w, p)
		if t == nil {
			continue
		}
		if text, _, _, err = policytest.Append(r.path(name), text, t); err != nil {
			return nil, err
		}
	}
	if text == string(out.old) {
		return nil, nil
	}
	out.text = []byte(text)
	out.readable(scope.String())
	return out, nil
}

// testFile is where tests of the rules belong: with those of one person for rules
// that are one person's own.
func (r *recommending) testFile() (name string, scope rules.Scope, err error) {
	scope = scopeNamed(r.o.scope)
	if scope == rules.Local {
		return filepath.Join(filepath.Dir(r.file), policytest.LocalFileName), scope, nil
	}
	name, err = (&testOptions{user: scope == rules.User}).recordFile(r.env, r.p)
	return name, scope, err
}

// test is a test of a rule: the first of the calls it is for that is allowed with it
// and that a line can express; nil for none.
func (r *recommending) test(w gate.World, p *recommend.Proposal) *policytest.Test {
	runner := policytest.Runner{World: w, Dir: r.p.Project.Given}
	f := r.flags()
	f.Mode = r.o.mode
	for _, call := range p.For() {
		c := gate.Case(call, f, w)
		v := decide.Decide(c)
		if v.Decision != hookio.Allow {
			continue
		}
		t, err := runner.Record(c, v, policytest.Context{Mode: r.o.mode})
		if err != nil {
			continue
		}
		line, err := t.Line()
		if _, secret := redact.Text(line); err == nil && !secret {
			return t
		}
	}
	return nil
}
