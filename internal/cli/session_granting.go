package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"permgate/bashsafety"
	"permgate/internal/state"
	"permgate/rules"
)

// A granting is one thing that is to be granted.
type granting struct {
	*session
	e     *env
	line  string // says what
	notes []string
	apply func(*state.Session)
	has   func(*state.Session) bool
}

func (g *granting) edits(string) error {
	g.line = "allow all edits: Edit, Write, NotebookEdit"
	g.apply = func(s *state.Session) { s.AllEdits = true }
	g.has = func(s *state.Session) bool { return s.AllEdits }
	return nil
}

func (g *granting) bash(string) error {
	g.line = "allow all Bash"
	g.apply = func(s *state.Session) { s.AllBash = true }
	g.has = func(s *state.Session) bool { return s.AllBash }
	return nil
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
	clean, doubt := p.OS.Clean(name, g.e.world.Cwd, p.Home.Given)
	if doubt != "" {
		return errors.New(doubt)
	}
	info, err := os.Stat(clean)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", clean)
	case !utf8.ValidString(clean):
		return errors.New("the name is not valid UTF-8")
	}
	at, why := g.store.Place(clean, p, g.e.world.PasswdHome, g.e.world.Getenv("HOME"))
	if why != "" {
		return fmt.Errorf("%s cannot be added: %s", clean, why)
	}
	dirs := []string{at.Given}
	g.line = "directory " + at.Given
	if at.Real != at.Given {
		dirs = append(dirs, at.Real)
		g.line += ", really " + at.Real
	}
	if within(at.Given, p.Cwd) && within(at.Real, p.Cwd) || within(at.Given, p.Project) && within(at.Real, p.Project) {
		g.notes = append(g.notes, "it is part of the workspace already")
	}
	g.apply = func(s *state.Session) {
		for _, d := range dirs {
			if !slices.Contains(s.Dirs, d) {
				s.Dirs = append(s.Dirs, d)
			}
		}
	}
	g.has = func(s *state.Session) bool {
		for _, d := range dirs {
			if !slices.Contains(s.Dirs, d) {
				return false
			}
		}
		return true
	}
	return nil
}

// wide says what somebody should know about a rule before it is granted.
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
			notes = append(notes, "the rule reaches further than one program: "+why)
		}
	}
	return notes
}
