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
	full        bool // every form of a command is tried: modes and agents do not differ in how they read one
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
		s.full = agent == "" && (mode == "" || mode == "auto")
		call := p.call(&s, "WebSearch", "x")
		s.policy = gate.Policy(call, &s.flags, w)
		if a := s.policy.Agent; a != nil { // an agent makes no calls of tools that it has not got
			own := *a
			own.HasTools, own.Tools = false, nil
			s.policy.Agent = &own
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
	of := "`" + strings.ReplaceAll(cmp.Or(call.Command, call.Tool+" "+strings.TrimSpace(call.Input.Raw)), "\n", "; ") + "`"
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
			if why := p.refutesIn(&p.any[i], r, to, i == 0); why != "" {
				return why, false
			}
		}
	}
	for i := range p.here {
		if why := p.refutesIn(&p.here[i], r, to, i == 0); why != "" {
			return why, to == ""
		}
	}
	return "", false
}

func (p *Prover) refutesIn(s *setting, r *rules.Rule, to string, first bool) string {
	if r.Tool == "Bash" {
		return p.refutesCommand(s, r, to, first)
	}
	texts, host := []string{"a"}, "a.example"
	if r.Tool == "WebFetch" {
		if !r.Bare {
			host = strings.Replace(strings.TrimPrefix(r.Pattern, "domain:"), "*", "a.b", 1)
		}
		texts = []string{"https://" + host + "/", "http://" + host + ":8080/a?b=c#d", "https://" + strings.ToUpper(host) + "./"}
		if first {
			if why := p.unproven(r.Text, r.Tool, to); why != "" {
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
func (p *Prover) unproven(pattern, tool, to string) string {
	worlds := []gate.World{p.world}
	if to == "" {
		worlds = append(worlds, p.none)
	}
	for _, w := range worlds {
		job := prove.Job{Flags: &gate.Flags{Host: p.Host.Name}, World: w, Claim: prove.Always, Pattern: pattern, Tool: tool}
		switch r, err := job.Run(); {
		case err != nil:
			return "there is no proof: " + err.Error()
		case len(r.Findings) > 0:
			return "`" + r.Findings[0].Text + "` is not allowed: " + r.Findings[0].Why
		case r.Verdict != prove.Holds:
			return "there is no proof that permgate allows all that it covers"
		}
	}
	return ""
}

// refutesCommand is refutes for a command. One that more words may follow must be proven to only read, and no files,
// whatever they are: else some option may do what permgate asks about.
func (p *Prover) refutesCommand(s *setting, r *rules.Rule, to string, first bool) string {
	text, more, _ := command(r)
	commands := []string{text}
	if more {
		commands = append(commands, text+" $permgate_any", text+" ~/.ssh/id_rsa", text+" --output=/etc/passwd", text+" -o .git/config",
			text+" https://a.example/", text+" *")
	}
	for i, c := range commands {
		forms := p.Host.Same // the first is the command alone
		if i > 1 || !s.full {
			forms = forms[:1]
		}
		for _, form := range forms {
			if why := p.always(s, p.call(s, "Bash", strings.ReplaceAll(form, "{}", c))); why != "" {
				return why
			}
		}
		if s.full {
			if why := p.mixed(s, c); why != "" {
				return why
			}
		}
		if more && !p.try(s, p.call(s, "Bash", c)).onlyReads() {
			return "permgate does not know what " + text + " does with any words after it: name whole commands"
		}
	}
	if first && more {
		return p.unproven("Bash("+text+":*)", "Bash", to)
	}
	return ""
}

// onlyReads reports whether a text is proven to only read, and no files, whatever its unknown words are.
func (t trial) onlyReads() bool {
	more := func(s bashsafety.Subcommand) bool { return !s.ReadOnly || len(s.Effects) > 0 }
	return len(t.c.Script.Subcommands) > 0 && !slices.ContainsFunc(t.c.Script.Subcommands, more)
}

// mixed says what stops a command next to those that the program lets run by itself, "" for nothing: rules on these
// are added, and a text that is stopped without the command, too, does not matter.
func (p *Prover) mixed(s *setting, command string) string {
	own := *s.policy
	own.Allow = append(slices.Clone(own.Allow), p.own...)
	with := &setting{flags: s.flags, policy: &own}
	stopped := func(form, command string) (text, why string) {
		text = strings.ReplaceAll(form, "{}", command)
		if t := p.try(with, p.call(with, "Bash", text)); t.v.Decision() != hookio.Allow {
			why = t.v.Reason()
		}
		return text, why
	}
	forms := p.Host.Mixed
	if s.mode == "acceptEdits" {
		forms = slices.Concat(forms, p.Host.Writes)
	}
	for _, form := range forms {
		if text, why := stopped(form, command); why != "" {
			if _, anyway := stopped(form, "true"); anyway == "" {
				return "`" + text + "` is not allowed: " + why
			}
		}
	}
	return ""
}

// apart takes out rules on commands that permgate does not allow together: one may fetch what the other runs.
func (p *Prover) apart(list *[]Rule, out *Plan) {
	var with []string
	*list = slices.DeleteFunc(*list, func(r Rule) bool {
		if r.List != rules.Allow || r.From.Tool != "Bash" {
			return false
		}
		text, _, _ := command(r.From)
		s := &p.here[0]
		touches := func(s bashsafety.Subcommand) bool { return len(s.Effects) > 0 }
		if t := p.try(s, p.call(s, "Bash", text)); !slices.ContainsFunc(t.c.Script.Subcommands, touches) {
			return false
		}
		for _, other := range with {
			for _, both := range []string{other + " | " + text, text + " | " + other, other + "; " + text + "; " + other} {
				if why := p.always(s, p.call(s, "Bash", both)); why != "" {
					out.Losses = append(out.Losses, Loss{r.From, why})
					return true
				}
			}
		}
		with = append(with, text)
		return false
	})
}

// escapes reports whether permgate does not allow a command of a rule outside of the program's sandbox, here or, of a
// rule for every project, in another.
func (p *Prover) escapes(r *rules.Rule) bool {
	text, _, _ := command(r)
	out := func(s *setting) bool { return p.always(s, p.leaving(text, &s.flags)) != "" }
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
