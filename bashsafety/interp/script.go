package interp

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
)

const (
	maxScripts = 64 // commands whose scripts are looked up
	maxChain   = 8  // scripts that run one another
)

// A pendingScript is looked at after the text, from which it takes no budget or knowledge.
type pendingScript struct {
	ref   commands.ScriptRef
	args  []shell.Word
	via   []string
	span  shell.Span
	st    *words.State
	chain int
	loops int
	guess bool // it may be that nothing runs
	// writes is how many commands before it write files.
	writes int
}

// runsScripts notes the scripts a command would run.
func (w *walker) runsScripts(found *commands.Invocation, span shell.Span, c *ctx, st *words.State) {
	if w.Env.Script == nil || found.Cmd == nil || !c.Here() {
		return
	}
	sc := found.ScriptsOf()
	lost := sc != nil && sc.Why == "" && len(sc.Cwd.Dirs) == 0 // the scripts of where it may be are guesses
	switch {
	case sc == nil:
		return
	case lost:
		sc.Why = "the directory it runs in is unknown"
	case len(w.scripts) >= maxScripts:
		sc.Why = "too many scripts"
		w.Doubt(analysis.DoubtTooMuch, span, "the text runs too many scripts")
	}
	if sc.Why != "" && w.muted == 0 {
		name := strings.TrimSpace(sc.Ref.Runner + " " + strings.Join(sc.Ref.Names, " "))
		w.s.Scripts = append(w.s.Scripts, analysis.ScriptText{Origin: analysis.Origin{Name: name}, Why: sc.Why})
	}
	dirs, from := sc.Cwd.Likely(), found.Cwd.Likely()
	if sc.Why != "" && !lost || len(dirs) != len(from) || len(w.scripts) >= maxScripts {
		return
	}
	for i, dir := range dirs {
		ref := sc.Ref
		ref.Dir, ref.Written = dir, w.overlay(len(w.s.Subcommands))
		if sc.File != nil {
			if ref.File = sc.File.Text; !strings.HasPrefix(ref.File, "/") {
				ref.File = shell.CleanPath(from[i] + "/" + ref.File)
			}
			if sc.BesideFile {
				ref.Dir = path.Dir(ref.File)
			}
		}
		child := st.Child()
		child.Cwd = shell.CwdState{Dirs: []string{dir}}
		guess := lost || w.muted > 0
		w.scripts = append(w.scripts, pendingScript{ref, sc.Args, c.via, span, child, w.chain + 1, w.loops, guess,
			w.writes()})
	}
}

// writes is how many commands so far write files: a script may be another one after them.
func (w *walker) writes() (n int) {
	file := func(e shell.Effect) bool { return e.Kind == shell.Write && e.Known }
	for i := range w.s.Subcommands {
		if slices.ContainsFunc(w.s.Subcommands[i].Effects, file) {
			n++
		}
	}
	return n
}

// expandScripts walks the scripts that were noted, and those they run, each in a shell of its own.
func (w *walker) expandScripts() {
	for i := 0; i < len(w.scripts); i++ {
		p := &w.scripts[i]
		if slices.ContainsFunc(w.scripts[:i], p.same) {
			w.s.Twice = true
			continue // seen before; also where a circle ends
		}
		if p.chain > maxChain {
			w.Doubt(analysis.DoubtTooMuch, p.span, "scripts run one another")
			continue
		}
		for _, t := range w.Env.Script(p.ref) {
			w.script(&t, w.scripts[i])
		}
	}
}

func (p *pendingScript) same(o pendingScript) bool {
	if o.guess && !p.guess || p.writes != o.writes || p.ref.Others != o.ref.Others {
		return false
	}
	if p.ref.Runner != o.ref.Runner || p.ref.Dir != o.ref.Dir || p.ref.File != o.ref.File {
		return false
	}
	return slices.Equal(p.ref.Names, o.ref.Names) && slices.Equal(p.ref.Vars, o.ref.Vars) &&
		slices.Equal(p.args, o.args)
}

func (w *walker) script(t *analysis.ScriptText, p pendingScript) {
	if !p.guess || t.Why == "" {
		w.s.Scripts = append(w.s.Scripts, *t)
	}
	if why := t.Origin.String() + ": " + t.Why; t.Why != "" {
		switch {
		case t.Written:
			w.unread(p.span, why)
		case t.Doubt && !p.guess:
			w.Doubt(analysis.DoubtScript, p.span, why)
		}
		return
	}
	text := expansions(t.Text)
	if t.Args {
		for i := range p.args {
			text += " " + shellWord(&p.args[i])
		}
	}
	if w.textLeft -= len(text); w.textLeft < 0 || w.full {
		w.Doubt(analysis.DoubtTooMuch, p.span, t.Origin.String())
		return
	}
	p.st.Cwd = shell.CwdState{}
	if strings.HasPrefix(t.Dir, "/") {
		p.st.Cwd.Dirs = []string{t.Dir}
	}
	source := t.Origin
	own := &walker{s: w.s, budget: w.budget, chain: p.chain, loops: p.loops, source: &source, runs: 1}
	own.Reader = words.Reader{Walk: own, Env: w.Env}
	via := append(slices.Clip(p.via), t.Name)
	c := &ctx{fr: &words.Frame{Src: text, Held: true, Holder: p.span}, via: via, posix: !t.Bash}
	if strings.Contains(t.Text, shell.HoleMark) { // what is unclear is the reader's own gap: a note, no doubt
		own.muted++
	}
	if t.Guess || p.guess {
		own.muted++
		c.Standing = commands.Guessed()
	}
	own.text(text, c, p.st.Clone())
	own.doubtReachableEvals()
	own.doubtFollowed()
	w.budget = own.budget
	w.scripts = append(w.scripts, own.scripts...)
}

// expansions writes unknown parts as expansions, inside any quotes.
func expansions(text string) string {
	if !strings.Contains(text, shell.HoleMark) {
		return text
	}
	var b strings.Builder
	last := 0
	for sc := (crosscheck.Scanner{Src: text}); sc.Next(); {
		if text[sc.Pos-1] != shell.HoleMark[0] {
			continue
		}
		before := text[last : sc.Pos-1]
		switch {
		case sc.Class == crosscheck.ScanSingle && sc.Dollar:
			b.WriteString(strings.TrimSuffix(before, `\`) + `'"${_}"$'`)
		case sc.Class == crosscheck.ScanSingle:
			b.WriteString(before + `'"${_}"'`)
		case sc.Class == crosscheck.ScanEscaped:
			b.WriteString(strings.TrimSuffix(before, `\`) + "${_}")
		default:
			b.WriteString(before + "${_}")
		}
		last = sc.Pos
	}
	b.WriteString(text[last:])
	return b.String()
}

// shellWord spells an argument so that a shell reads the same one.
func shellWord(a *shell.Word) string {
	if a.Glob {
		return "${_}"
	}
	parts := strings.Split(a.Text, shell.HoleMark)
	for i, part := range parts {
		if part != "" || len(parts) == 1 {
			parts[i] = "'" + strings.ReplaceAll(part, "'", `'\''`) + "'"
		}
	}
	if a.Single {
		return strings.Join(parts, `"${_}"`)
	}
	return strings.Join(parts, "${_}")
}
