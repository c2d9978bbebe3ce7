package oracle

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// caseOf is what the gate makes of a text in the cage.
func (g *gitFixture) caseOf(text string) *decide.Input {
	w := rules.Path{Given: "/w", Real: "/w"}
	policy := &rules.Policy{Mode: rules.Setting{Value: "default"}, Cwd: w, Project: w, Home: w, OS: rules.Linux}
	return &decide.Input{Input: facts.Input{
		Call:   &hookio.Call{Host: hookio.Lookup("generic"), Event: hookio.PreToolUse, Tool: "Bash", Command: text},
		Policy: policy,
		Script: bashsafety.Analyze(text, bashsafety.Env{Cwd: "/w", Home: "/w"}),
		World:  world.New(world.Facts{FS: cageDisk{root: g.cage.Root}, User: world.User{ID: g.cage.Uid, Home: "/w"}}, policy, ""),
	}}
}

// missedBy returns what a git command did that the analysis does not say: files it wrote, programs it ran, files
// whose content it printed. What the repository's own directory and its history hold is covered by the effect that
// the repository is changed.
func (g *gitFixture) missedBy(l *commandLine, tr *trace, printed string) (missed []string) {
	c := g.caseOf(l.text())
	s := c.Script
	if len(s.Doubts) > 0 {
		return nil
	}
	parts := c.Facts().Parts()
	proven := !slices.ContainsFunc(s.Subcommands, func(c bashsafety.Subcommand) bool { return !c.ReadOnly })
	narrow := runsSomething(s)
	for _, w := range tr.written {
		switch {
		case tr.run.TimedOut && !proven, temporary(w) && !proven, refreshes(w):
		case proven:
			missed = append(missed, "read-only, but wrote "+w)
		case narrow && others(tr), len(s.Findings) > 0, g.changes(s, w), g.tells(parts, w, true), g.inNew(s, parts, w), strings.HasPrefix(w, "/w/.gnupg"):
		default:
			missed = append(missed, "wrote "+w)
		}
	}
	for _, x := range tr.execs {
		switch base := path.Base(x); {
		case base == "git" || strings.HasPrefix(base, "git-") || slices.Contains(gitHelpers, base):
		case proven:
			missed = append(missed, "read-only, but ran "+x)
		case (strings.HasPrefix(base, "tool") || base == "touch") && !narrow:
			missed = append(missed, "ran "+x)
		}
	}
	for mark, name := range map[string]string{untrackedMark: ".env", trackedMark: ".secret"} {
		named := slices.ContainsFunc(l.argv, func(w string) bool { return strings.Contains(strings.ToLower(w), name) })
		elsewhere := slices.Contains(l.argv, "other") // a file of that name in another repository
		if named && !elsewhere && strings.Contains(printed, mark) && !g.tells(parts, "/w/"+name, false) {
			missed = append(missed, "printed "+name)
		}
	}
	return missed
}

// others reports whether a run executed more than git.
func others(tr *trace) bool {
	return slices.ContainsFunc(tr.execs, func(x string) bool { return !strings.HasPrefix(path.Base(x), "git") })
}

// gitHelpers are what the parts of git that are shell scripts run, and how it starts what serves a repository, here or
// on another machine.
var gitHelpers = []string{"sh", "basename", "sed", "gettext", "envsubst", "uname", "expr", "cat", "wc", "tr", "ssh"}

// inNew reports what is in a repository that the command makes where the analysis says that it writes.
func (g *gitFixture) inNew(s *bashsafety.Analysis, parts []facts.Part, w string) bool {
	makes := func(c bashsafety.Subcommand) bool {
		return slices.ContainsFunc(c.Argv, func(w bashsafety.Word) bool { return w.Text == "init" || w.Text == "clone" || w.Text == "worktree" })
	}
	if !slices.ContainsFunc(s.Subcommands, makes) {
		return false
	}
	for at := w; at != "/w" && at != "/"; at = path.Dir(at) {
		if g.tells(parts, at, true) {
			return true
		}
	}
	return false
}

// refreshes reports the index, which commands that only read bring up to date, and the examples of hooks.
func refreshes(w string) bool {
	return strings.HasSuffix(w, ".sample") || w == "/w/.git/index" || strings.HasPrefix(w, "/w/other/.git/index") || w == "/w/.git/index.lock" || strings.HasPrefix(w, "/w/.git/worktrees/wt/index")
}

// changes reports whether a path is covered by the effect that a repository is changed. A stash keeps what it takes away.
func (g *gitFixture) changes(s *bashsafety.Analysis, w string) bool {
	return slices.ContainsFunc(s.Subcommands, func(c bashsafety.Subcommand) bool {
		return slices.ContainsFunc(c.Effects, func(e bashsafety.Effect) bool {
			if e.Kind != bashsafety.GitChange {
				return false
			}
			for _, at := range [...]string{"/w", "/w/wt", e.Path} {
				rest, below := strings.CutPrefix(w, at)
				inside := strings.HasPrefix(rest, "/.git/") && !strings.HasPrefix(rest, "/.git/hooks/") || rest == "/.git" || rest == "" && at != "/w"
				if below && (inside || g.tracked["/w"+rest]) {
					return true
				}
			}
			return slices.ContainsFunc(c.Argv, func(a bashsafety.Word) bool {
				return a.Text == "stash" || a.Text == "push" && strings.HasPrefix(w, "/w/other/.git/")
			})
		})
	})
}

// tells reports whether a part of the call is a write, or a read, of a path.
func (g *gitFixture) tells(parts []facts.Part, w string, write bool) bool {
	return slices.ContainsFunc(parts, func(p facts.Part) bool {
		e := p.Effect
		if e == nil || write != (p.Subject.Tool == "Edit") || !write && p.Subject.Tool != "Read" {
			return false
		}
		if p.Subject.Path == nil {
			return true // it cannot be known
		}
		for _, at := range [...]string{p.Subject.Path.Given, p.Subject.Path.Real} {
			if at == w || strings.EqualFold(at, w) || (e.Recursive || e.Kind == bashsafety.Delete || !write) && rules.Within(w, at) || g.made[w] && rules.Within(at, w) {
				return true
			}
		}
		for at := w; e.Glob && at != "/w" && at != "/"; at = path.Dir(at) {
			if coverGlob(e.Path, []string{at}) || coverGlob(strings.ToLower(e.Path), []string{at}) {
				return true
			} else if !e.Recursive {
				break
			}
		}
		return false
	})
}
