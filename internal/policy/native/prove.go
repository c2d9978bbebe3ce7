package native

import (
	"bytes"
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/prove"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A Prover says which allow rules a program may hold. Such a rule takes effect before the hook, or without it. So each
// call that it covers must be allowed by permgate in every mode, to every agent, in every session and on every disk:
// calls are decided on a disk that is not there, and a decision that asks it anything is no proof.
type Prover struct {
	Host      *Host
	Sandboxed bool   // the program runs commands in a sandbox of its own
	NoLocal   string // why the project has no file for rules, "" where it has

	hook   *hookio.Host
	world  gate.World
	none   gate.World    // the same without what a project says
	policy *rules.Policy // of a call made here
	here   []setting     // that a call of the project is made in
	any    []setting     // the same in a project that says nothing
	own    []rules.Rule  // on the program's own commands
}

// A setting is who makes a call.
type setting struct {
	flags       gate.Flags
	mode, agent string
	policy      *rules.Policy
	index       *rules.Index // of its allow rules
	full        bool         // every form of a command is tried: modes and agents do not differ in how they read one
	places      string       // a restriction about files or addresses, which commands may be given
}

// New prepares the proofs for calls made here.
func New(h *Host, w gate.World) *Prover {
	p := &Prover{Host: h, hook: hookio.Lookup(h.Name), world: w}
	p.world.AnyDisk = true
	p.world.Getenv = func(name string) string {
		if name == "TMPDIR" { // a look at it would be one at the disk; without it less counts as temporary
			return ""
		}
		return w.Getenv(name)
	}
	p.none = p.world
	p.none.StandIns = &load.StandIns{Whole: true}
	for _, text := range h.Own {
		r, err := rules.ParseRule("Bash("+text+")", rules.Allow, rules.User, rules.Pos{File: h.Name}, false)
		if err == nil {
			p.own = append(p.own, r)
		}
	}
	p.here, p.any = p.settings(p.world, true), p.settings(p.none, false)
	p.policy = p.here[0].policy
	return p
}

// Policy is that of a call made here.
func (p *Prover) Policy() *rules.Policy { return p.policy }

func (p *Prover) settings(w gate.World, project bool) (out []setting) {
	add := func(mode, agent string) {
		s := setting{flags: gate.Flags{Host: p.Host.Name}, mode: mode, agent: agent}
		call := p.call(&s, "WebSearch", "x")
		s.policy = gate.Policy(call, &s.flags, w).AsIndexed(rules.Long)
		if a := s.policy.Agent; a != nil { // an agent makes no calls of tools that it has not got
			own := *a
			own.HasTools, own.Tools = false, nil
			s.policy.Agent = &own
		}
		s.index = s.policy.Index(s.policy.Allow)
		s.full = agent == "" && (mode == "" || mode == "auto") // which has lists of its own
		for _, o := range slices.Concat(s.policy.Ask, s.policy.Deny) {
			if o.URL != nil || slices.Contains([]string{"Read", "Edit", "WebFetch", "*"}, rules.KindOf(o.Tool)) {
				s.places = o.Text
			}
		}
		out = append(out, s)
	}
	add("", "")
	for _, m := range p.hook.Modes {
		add(m.From, "")
	}
	add("", "general-purpose")
	base := out[0].policy
	dirs := []string{base.Home.Given}
	if project {
		dirs = append(dirs, base.Project.Given)
	}
	for _, dir := range dirs {
		for _, root := range load.Roots {
			names, _ := w.Files.ReadDir(path.Join(dir, root, "agents")) // none, or it says nothing
			for _, name := range names {
				add("", strings.TrimSuffix(name, ".md"))
			}
		}
	}
	return out
}

// about is a setting with the allow rules alone that may cover calls of a tool, or what its commands run: what is
// allowed without the others is allowed with them, and each decision looks at few.
func (s *setting) about(tool, text string) *setting {
	own, policy, taken := *s, *s.policy, map[int32]bool{}
	own.policy, policy.Allow = &policy, nil
	add := func(tool, pattern string) {
		for _, at := range s.index.Covering(&rules.Rule{Tool: tool, Pattern: pattern, List: rules.Allow}) {
			if !taken[at] && len(policy.Allow) < rules.Long/2 {
				taken[at] = true
				policy.Allow = append(policy.Allow, s.policy.Allow[at])
			}
		}
	}
	for rest := text; rest != ""; _, rest, _ = strings.Cut(rest, " ") {
		add(tool, rest)
	}
	add("Sandbox", "escape")
	return &own
}

// call is one that the program sends.
func (p *Prover) call(s *setting, tool, text string) *hookio.Call {
	call, err := gate.Call(tool, text)
	if err != nil {
		return nil
	}
	call.Host, call.Named, call.Mode = p.hook, true, s.mode
	if s.agent != "" {
		call.AgentID, call.AgentType = "a", s.agent
	}
	return call
}

// nowhere is a folder of session state that holds nothing.
const nowhere = "/nowhere/permgate"

// A tripwire is a disk that holds nothing, and notes what it is asked about.
type tripwire struct {
	load.Files
	asked bool
}

func (t *tripwire) ask(name string) error {
	t.asked = t.asked || !rules.Within(name, nowhere)
	return fs.ErrNotExist
}

// ReadFile finds nothing, as the rest does; Tracked and Unindexed know no index.
func (t *tripwire) ReadFile(name string, _ int64) ([]byte, error) { return nil, t.ask(name) }
func (t *tripwire) ReadDir(name string) ([]string, error)         { return nil, t.ask(name) }
func (t *tripwire) Lstat(name string) (fs.FileInfo, error)        { return nil, t.ask(name) }
func (t *tripwire) Stat(name string) (fs.FileInfo, error)         { return nil, t.ask(name) }
func (t *tripwire) Readlink(name string) (string, error)          { return "", t.ask(name) }
func (t *tripwire) Tracked(name string) bool                      { return t.ask(name) == nil }
func (t *tripwire) Unindexed(name string) bool                    { return t.ask(name) != nil }

type trial struct {
	c     *decide.Input
	v     decide.Verdict
	asked bool // something of the disk
}

func (p *Prover) try(s *setting, call *hookio.Call) trial {
	wire := &tripwire{Files: p.world.Files}
	w, flags := p.world, s.flags
	w.Files, flags.State = wire, nowhere
	c := gate.CaseUnder(s.policy, call, &flags, w)
	c.Grants, c.Answered, c.Repositories = facts.Grants{}, nil, nil
	v := decide.Decide(c)
	return trial{v.Input(), v, wire.asked}
}

// always says why a call is not allowed whatever the disk holds, "" where it is.
func (p *Prover) always(s *setting, call *hookio.Call) string {
	if call == nil {
		return "there is no such call"
	}
	t := p.try(s, call)
	text := cmp.Or(call.Command, call.Tool+" "+strings.TrimSpace(call.Input.Raw))
	of := "`" + strings.ReplaceAll(text, "\n", "; ") + "`"
	if s.agent != "" {
		of += " of a subagent (" + s.agent + ")"
	} else if s.mode != "" {
		of += " in mode " + s.mode
	}
	switch {
	case t.v.Decision() != hookio.Allow || t.v.Step() != "6" && t.v.Step() != "3":
		return of + " is not allowed: " + t.v.Reason()
	case t.asked:
		return of + " is allowed only after a look at the disk, which may hold something else the next time"
	case t.c.Script != nil && (len(t.c.Script.Findings) > 0 || len(t.c.Script.Doubts) > 0):
		return of + " is allowed by an exception that the program does not know"
	}
	return ""
}

// refutes says why a program may not hold an allow rule, "" where it may, and whether it is this project that says so
// of a rule for all of them.
func (p *Prover) refutes(r *rules.Rule, to string) (why string, here bool) {
	if to == "" {
		for i := range p.any {
			if why := p.refutesIn(&p.any[i], r, i == 0); why != "" {
				return why, false
			}
		}
	}
	for i := range p.here {
		if s := &p.here[i]; to == "" && s.agent == "" && s.policy.Hash() == p.any[i].policy.Hash() {
			continue // the project says nothing
		}
		if why := p.refutesIn(&p.here[i], r, i == 0); why != "" {
			return why, to == ""
		}
	}
	return "", false
}

func (p *Prover) refutesIn(s *setting, r *rules.Rule, first bool) string {
	if r.Tool == "Bash" {
		text, _, _ := command(r)
		return p.refutesCommand(s.about("Bash", text), r, first)
	}
	s = s.about(r.Tool, r.Pattern)
	texts, host := []string{"a"}, "a.example"
	if r.Tool == "WebFetch" {
		if !r.Bare {
			host = strings.Replace(strings.TrimPrefix(r.Pattern, "domain:"), "*", "a.b", 1)
		}
		upper := "https://" + strings.ToUpper(host) + "./"
		texts = []string{"https://" + host + "/", "http://" + host + ":8080/a?b=c#d", upper}
		if first {
			if why := p.unproven(s, r, r.Text); why != "" {
				return why
			}
		}
	}
	for _, text := range texts {
		if why := p.always(s, p.call(s, r.Tool, text)); why != "" {
			return why
		}
	}
	return ""
}

// unproven says why prove has no proof that all calls of a pattern are allowed, "" where it has one.
func (p *Prover) unproven(s *setting, r *rules.Rule, pattern string) string {
	policy := *s.policy
	policy.Deny, policy.Ask = near(policy.Deny, r), near(policy.Ask, r)
	job := prove.Job{Flags: &s.flags, World: p.world, Policy: &policy, Claim: prove.Always, Pattern: pattern, Tool: r.Tool}
	switch report, err := job.Run(); {
	case err != nil:
		return "there is no proof: " + err.Error()
	case len(report.Findings) > 0:
		return "`" + report.Findings[0].Text + "` is not allowed: " + report.Findings[0].Why
	case report.Verdict != prove.Holds:
		return "there is no proof that permgate allows all that it covers"
	}
	return ""
}

// near are the restrictions that may be about the calls that an allow rule covers.
func near(list []rules.Rule, r *rules.Rule) (out []rules.Rule) {
	program := prove.Program(r)
	for i := range list {
		o := &list[i]
		of := prove.Program(o)
		other := r.Tool == "Bash" && of != "" && program != "" && of != program
		if (o.Governs(r.Tool) || o.URL != nil) && !other && !distinct(o.Pattern, r.Pattern) {
			out = append(out, *o)
		}
	}
	return out
}

// distinct reports whether no host is one that both of two patterns are about.
func distinct(a, b string) bool {
	bare := func(pattern string) (host string, ok bool) {
		host, ok = strings.CutPrefix(strings.ToLower(pattern), "domain:")
		host = "." + strings.TrimPrefix(host, "*.")
		return host, ok && Plain(host)
	}
	a, known := bare(a)
	b, also := bare(b)
	return known && also && !strings.HasSuffix(a, b) && !strings.HasSuffix(b, a)
}

// refutesCommand is refutes for a command. One that more words may follow must be proven to only read, and no files,
// whatever they are: else some option may do what permgate asks about. A word in front of those that are not known
// may be what a program takes first, as jq does its filter, and only what comes after it a file.
func (p *Prover) refutesCommand(s *setting, r *rules.Rule, first bool) string {
	text, more, _ := command(r)
	commands := []string{text}
	if more {
		if s.places != "" {
			return "its words may name what " + s.places + " is about: name whole commands"
		}
		for _, words := range [...]string{"$permgate_any", "a $permgate_any", "a b $permgate_any", "~/.ssh/id_rsa",
			"--output=/etc/passwd", "-o .git/config", "https://a.example/", "*"} {
			commands = append(commands, text+" "+words)
		}
	}
	for i, c := range commands {
		forms, all := p.Host.Same, p.Host.AllSame
		if i > 1 || !s.full {
			forms, all = forms[:1], forms[0] // the command alone
		}
		why := each(forms, all, func(form string) string {
			return p.always(s, p.call(s, "Bash", strings.ReplaceAll(form, "{}", c)))
		})
		if why != "" {
			return why
		}
		if why := p.mixed(s, c, i == 0 && s.mode == "acceptEdits"); why != "" {
			return why
		}
		if more && !p.try(s, p.call(s, "Bash", c)).onlyReads() {
			return "permgate does not know what " + text + " does with any words after it: name whole commands"
		}
	}
	if first && more {
		return p.unproven(s, r, "Bash("+text+":*)")
	}
	return ""
}

// each says what is wrong with one of some forms, "" for nothing. Mostly nothing is wrong with all in one text.
func each(forms []string, all string, wrong func(form string) string) (why string) {
	if wrong(all) == "" {
		return ""
	}
	for i := 0; i < len(forms) && why == ""; i++ {
		why = wrong(forms[i])
	}
	return why
}

// onlyReads reports whether a text is proven to only read, and no files, whatever its unknown words are.
func (t trial) onlyReads() bool {
	more := func(s bashsafety.Subcommand) bool { return !s.ReadOnly || len(s.Effects) > 0 }
	return len(t.c.Script.Subcommands) > 0 && !slices.ContainsFunc(t.c.Script.Subcommands, more)
}

// mixed says what stops a command next to those that the program lets run by itself, "" for nothing: rules on these
// are added, and a text that is stopped without the command, too, does not matter.
func (p *Prover) mixed(s *setting, command string, writes bool) string {
	forms, all := p.Host.Mixed, p.Host.AllMixed
	switch {
	case writes:
		forms, all = p.Host.Writes, strings.Join(p.Host.Writes, "; ")
	case !s.full:
		return ""
	}
	own := *s.policy
	own.Allow = slices.Concat(own.Allow, p.own)
	with := &setting{flags: s.flags, mode: s.mode, policy: &own}
	stopped := func(form, command string) string {
		text := strings.ReplaceAll(form, "{}", command)
		if t := p.try(with, p.call(with, "Bash", text)); t.v.Decision() != hookio.Allow {
			return "`" + text + "` is not allowed: " + t.v.Reason()
		}
		return ""
	}
	return each(forms, all, func(form string) string {
		why := stopped(form, command)
		if why != "" && form != all && stopped(form, "true") != "" {
			return ""
		}
		return why
	})
}

// apart takes out rules on commands that permgate does not allow together: one may fetch what the other runs.
func (p *Prover) apart(list *[]Rule, out *Plan) {
	var those []*rules.Rule
	touches := func(s bashsafety.Subcommand) bool { return len(s.Effects) > 0 }
	for _, r := range *list {
		if r.List != rules.Allow || r.From.Tool != "Bash" {
			continue
		}
		text, _, _ := command(r.From)
		s := p.here[0].about("Bash", text)
		if t := p.try(s, p.call(s, "Bash", text)); slices.ContainsFunc(t.c.Script.Subcommands, touches) {
			those = append(those, r.From)
		}
	}
	t := &together{p: p, why: map[*rules.Rule]string{}}
	t.kept(those)
	*list = slices.DeleteFunc(*list, func(r Rule) bool {
		if t.why[r.From] != "" {
			out.Losses = append(out.Losses, Loss{r.From, t.why[r.From]})
		}
		return t.why[r.From] != ""
	})
}

// A together finds rules that permgate does not allow with those before them: of two at a time, but many are tried
// in one text, and where it is allowed so is every two of them.
type together struct {
	p   *Prover
	why map[*rules.Rule]string
}

// kept are the rules that are allowed with all that are kept before them.
func (t *together) kept(list []*rules.Rule) []*rules.Rule {
	if len(list) < 2 {
		return list
	}
	first := t.kept(list[:len(list)/2])
	return slices.Concat(first, t.kept(t.with(first, list[len(list)/2:])))
}

// with are the rules of a list that are allowed with each of others.
func (t *together) with(others, list []*rules.Rule) []*rules.Rule {
	const most = 120 // a text may have 500 commands
	if len(others) == 0 || len(list) == 0 {
		return list
	}
	if len(others) <= most && len(list) <= 2*most {
		why := t.wrong(others, list)
		if why == "" {
			return list
		} else if len(others)+len(list) == 2 {
			t.why[list[0]] = why
			return nil
		}
	}
	if half := len(list) / 2; len(list) > len(others) {
		return slices.Concat(t.with(others, list[:half]), t.with(others, list[half:]))
	}
	half := len(others) / 2
	return t.with(others[half:], t.with(others[:half], list))
}

// wrong says why texts of commands of two lists are not allowed, "" where they are.
func (t *together) wrong(others, list []*rules.Rule) (why string) {
	s := t.p.here[0]
	policy, texts := *s.policy, []string(nil)
	s.policy, policy.Allow = &policy, nil
	for _, r := range slices.Concat(others, list, others) {
		text, _, _ := command(r)
		texts, policy.Allow = append(texts, text), append(policy.Allow, *r)
	}
	for _, sign := range [...]string{"; ", " | "} {
		why = cmp.Or(why, t.p.always(&s, t.p.call(&s, "Bash", strings.Join(texts, sign))))
	}
	return why
}

// escapes reports whether permgate does not allow a command of a rule outside of the program's sandbox, here or, of a
// rule for every project, in another.
func (p *Prover) escapes(r *rules.Rule) bool {
	text, _, _ := command(r)
	out := func(s *setting) bool { return p.always(s.about("Bash", text), p.leaving(text, &s.flags)) != "" }
	everywhere := r.Scope == rules.User || r.Scope == rules.Managed
	return r.Tool == "Bash" && (out(&p.here[0]) || everywhere && out(&p.any[0]))
}

// leaving is a command that asks to leave the program's sandbox.
func (p *Prover) leaving(text string, f *gate.Flags) *hookio.Call {
	input := append(bytes.TrimSuffix(gate.TextInput("Bash", text), []byte("}")), ","+p.Host.Escape+"}"...)
	payload := append([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":`), append(input, '}')...)
	call, err := gate.Canonical(payload, f)
	if err != nil {
		return nil
	}
	return call
}
