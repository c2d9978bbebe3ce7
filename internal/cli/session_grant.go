package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/rules"
)

func grantSession(e *subcmd.Env, o *sessionOptions, grant func(*granting, string) error, operand string) int {
	s, code := o.find(e)
	if s == nil {
		return code
	}
	if grant == nil {
		return resetSession(e, o, s)
	}
	if why := s.void(e); why != "" {
		return e.Fail("permgate session show explains why", "no grant would count: %s", why)
	}
	g := &granting{session: s, e: e}
	if err := grant(g, operand); err != nil {
		return e.Fail("nothing granted", "%s", hookio.Escape(err.Error()))
	}
	had, until, err := s.read()
	if err != nil {
		return e.Fail("permgate session reset --session "+s.id+" removes the file", "%v", err)
	}
	fmt.Fprintln(e.Out, s.title(e))
	for _, n := range g.notes {
		e.Wrapped("  note: ", n)
	}
	if g.has(&had) {
		fmt.Fprintf(e.Out, "  %s: already granted, until %s\n", hookio.Escape(g.line), state.Minute(until))
		return subcmd.ExitOK
	}
	fmt.Fprintf(e.Out, "+ %s\n", hookio.Escape(g.line))
	if o.DryRun {
		return subcmd.ExitOK
	}
	if code := o.Confirmed(e, "grant this?"); code != subcmd.ExitOK {
		return code
	}
	now, err := s.store.Update(s.id, s.project, func(now *state.Session) error {
		if !g.has(now) {
			g.apply(now)
		}
		return nil
	})
	if err != nil {
		return e.FailFile(err)
	}
	e.Wrapped("", "granted until "+state.Minute(now.Since.Add(state.MaxAge))+", or until the session ends; deny rules, step 2 and writes outside the workspace still apply")
	return subcmd.ExitOK
}

// resetSession removes every grant, with --saved also the allow rules of the local settings.
func resetSession(e *subcmd.Env, o *sessionOptions, s *session) int {
	var saved []savedRules
	if o.saved {
		var err error
		if saved, err = s.savedRules(e); err != nil {
			return e.FailFile(err)
		}
	}
	granted := subcmd.Exists(state.File(s.store.Dir, s.id))
	fmt.Fprintln(e.Out, s.title(e))
	if !granted {
		fmt.Fprintln(e.Out, "  no grants")
	} else {
		had, _, err := s.read()
		for _, line := range lines(&had) {
			fmt.Fprintf(e.Out, "- %s\n", hookio.Escape(line))
		}
		if err != nil {
			e.Wrapped("- ", err.Error())
		}
	}
	asked := subcmd.Exists(state.YesFile(s.store.Dir, s.id))
	questions, _ := s.store.Questions(s.id, s.project)
	for i := range questions.Yes {
		fmt.Fprintf(e.Out, "- not asked again: %s\n", hookio.Escape(questions.Yes[i].String()))
	}
	for _, f := range saved {
		for _, rule := range f.rules {
			fmt.Fprintf(e.Out, "- allow %s   %s\n", hookio.Escape(rule), e.Path(f.name))
		}
	}
	if o.saved && len(saved) == 0 {
		fmt.Fprintln(e.Out, "  no allow rules in the local settings of the project")
	}
	if o.DryRun || !granted && !asked && len(saved) == 0 {
		return subcmd.ExitOK
	}
	if code := o.Confirmed(e, "remove these grants?"); code != subcmd.ExitOK {
		return code
	}
	if granted {
		if err := s.store.Forget(s.id); err != nil {
			return e.FailFile(err)
		}
	}
	if err := s.store.ForgetYes(s.id); err != nil {
		return e.FailFile(err)
	}
	if len(saved) > 0 {
		confirmed := subcmd.WriteOptions{Yes: true}
		if done, code := e.Write(&confirmed, func() ([]*subcmd.Change, error) { return s.withoutSaved(e, saved) }); !done {
			return code
		}
	}
	fmt.Fprintln(e.Out, "all grants removed")
	return subcmd.ExitOK
}

type savedRules struct {
	name  string
	rules []string
}

func (s *session) savedRules(e *subcmd.Env) (out []savedRules, err error) {
	for _, name := range e.SettingsFiles(s.policy, nil, rules.Local.String()) {
		if !subcmd.Exists(name) {
			continue
		}
		_, doc, err := e.OpenSettings(s.policy, rules.Local.String(), name)
		if err != nil {
			return nil, err
		}
		if texts := doc.Rules(rules.Allow.String()); len(texts) > 0 {
			out = append(out, savedRules{name, texts})
		}
	}
	return out, nil
}

func (s *session) withoutSaved(e *subcmd.Env, saved []savedRules) (changes []*subcmd.Change, err error) {
	for _, f := range saved {
		ch, doc, err := e.OpenSettings(s.policy, rules.Local.String(), f.name)
		if err != nil {
			return nil, err
		}
		for _, rule := range f.rules {
			if _, err := doc.RemoveRule(rules.Allow.String(), rule); err != nil {
				return nil, err
			}
		}
		ch.Text = doc.Bytes()
		changes = append(changes, ch)
	}
	return changes, nil
}

type granting struct {
	*session
	e     *subcmd.Env
	line  string // says what
	notes []string
	apply func(*state.Session)
	has   func(*state.Session) bool
}

// What the switches of a session grant.
const (
	allowAllLine   = "allow all: every tool, path and address"
	allowEditsLine = "allow all edits: Edit, Write, NotebookEdit"
	allowBashLine  = "allow all Bash"
)

func grantAll(line string, at func(*state.Session) *bool, notes ...string) func(*granting, string) error {
	return func(g *granting, _ string) error {
		g.line, g.notes = line, notes
		g.apply = func(s *state.Session) { *at(s) = true }
		g.has = func(s *state.Session) bool { return *at(s) }
		return nil
	}
}

func (g *granting) rule(text string) error {
	r, err := rules.ParseRule(text, rules.Allow, rules.Session, rules.Pos{}, false)
	if err != nil {
		return err
	}
	if !utf8.ValidString(text) {
		return errors.New("the rule is not valid UTF-8")
	}
	g.line = "allow " + text
	g.notes = wide(&r)
	g.apply = func(s *state.Session) { s.Allow = append(s.Allow, text) }
	g.has = func(s *state.Session) bool { return slices.Contains(s.Allow, text) }
	return nil
}

func (g *granting) dir(name string) error {
	p := g.policy
	clean, doubt := p.OS.Clean(name, p.OS.Canon(g.e.World.Cwd), p.Home.Given)
	native := p.OS.Native(clean)
	if doubt != "" {
		return fmt.Errorf("%s may be another folder than it seems: %s", name, doubt)
	}
	info, err := os.Stat(native)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", native)
	case !utf8.ValidString(clean):
		return errors.New("the name is not valid UTF-8")
	}
	at, why := g.store.Place(clean, p, g.e.World.PasswdHome, g.e.World.Getenv("HOME"))
	if why != "" {
		return fmt.Errorf("%s cannot be added: %s", native, why)
	}
	dirs := []string{at.Given}
	g.line = "directory " + p.OS.Native(at.Given)
	if at.Real != at.Given {
		dirs = append(dirs, at.Real)
		g.line += ", really " + p.OS.Native(at.Real)
	}
	if subcmd.Within(at.Given, p.Cwd) && subcmd.Within(at.Real, p.Cwd) || subcmd.Within(at.Given, p.Project) && subcmd.Within(at.Real, p.Project) {
		g.notes = append(g.notes, "it is already part of the workspace")
	}
	g.apply = func(s *state.Session) {
		for _, d := range dirs {
			if !slices.Contains(s.Dirs, d) {
				s.Dirs = append(s.Dirs, d)
			}
		}
	}
	g.has = func(s *state.Session) bool {
		return !slices.ContainsFunc(dirs, func(d string) bool { return !slices.Contains(s.Dirs, d) })
	}
	return nil
}

// wide says what the user should know about a rule before it is granted.
func wide(r *rules.Rule) (notes []string) {
	switch {
	case r.Tool != "Bash":
		return nil
	case r.Bare:
		return []string{"it is the same as allow-bash"}
	}
	stem := strings.TrimRight(r.Pattern, ":* ")
	if stem == r.Pattern {
		return nil
	}
	script := bashsafety.Analyze(stem, bashsafety.Env{Cwd: "/", Home: "/"})
	for i := range script.Subcommands {
		if why := script.Subcommands[i].Open(); why != "" {
			notes = append(notes, "the rule covers more than one program: "+why)
		}
	}
	return notes
}
