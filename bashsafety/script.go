package bashsafety

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// A ScriptRef names the scripts of a project that a command of a script runner
// asks for: npm run build, make test.
type ScriptRef struct {
	Runner string   // npm, pnpm, yarn, bun, make, just, task, mise
	Dir    string   // where the runner starts to look, absolute
	File   string   // the file an option names, absolute; "" to search for it
	Names  []string // the scripts as typed; none: the runner's default
	Vars   []string // NAME=value words of the command
}

// An Origin says where a command comes from that the text itself does not hold.
type Origin struct {
	Name string // "npm run build"
	File string // absolute
	Line int    // from 1; 0 when the file as a whole is meant
}

// String is the name, with the place behind it where one is known: npm run build (/p/package.json:7).
func (s *Origin) String() string {
	if s.File == "" {
		return s.Name
	}
	if s.Line == 0 {
		return s.Name + " (" + s.File + ")"
	}
	return s.Name + " (" + s.File + ":" + strconv.Itoa(s.Line) + ")"
}

// A ScriptText is one script a runner would hand to a shell, or why there is none to look at.
type ScriptText struct {
	Origin
	Text string // unknown parts are HoleMark
	Dir  string // where it runs, absolute
	Args bool   // the remaining words of the command are appended
	Bash bool   // bash runs it, not sh
	Why  string // why Text is not looked at, "" when it is
	// Doubt is set when the script is there and cannot be read, so that nothing
	// is known of what would run; otherwise Why is only a note.
	Doubt bool
}

const (
	maxScripts = 64 // commands whose scripts are looked up
	maxChain   = 8  // scripts that run one another
)

// A pending is a runner's command whose scripts are looked at when the text
// itself has been walked, so that they never take budget or knowledge from it.
type pending struct {
	ref   ScriptRef
	args  []Word
	via   []string
	span  Span
	st    *state
	chain int
	loops int
}

// runsScripts notes the scripts a command would run.
func (w *walker) runsScripts(found *call, span Span, c *ctx, st *state) {
	if w.env.Script == nil || c.remote || w.muted > 0 || found.cmd == nil {
		return
	}
	sc := found.scriptsOf()
	switch {
	case sc.ref.Runner == "":
		return
	case sc.why == "" && len(sc.cwd.dirs) == 0:
		sc.why = "the directory it runs in is not known"
	case len(w.scripts) >= maxScripts:
		sc.why = "too many scripts"
		w.doubt(dTooMuch, span, "the text runs too many scripts")
	}
	if sc.why != "" {
		w.s.Scripts = append(w.s.Scripts, ScriptText{Origin: Origin{Name: strings.TrimSpace(sc.ref.Runner + " " + strings.Join(sc.ref.Names, " "))}, Why: sc.why})
		return
	}
	for i, dir := range sc.cwd.dirs {
		ref := sc.ref
		ref.Dir = dir
		if sc.file != nil {
			if ref.File = sc.file.Text; !strings.HasPrefix(ref.File, "/") {
				ref.File = cleanPath(found.cwd.dirs[i] + "/" + ref.File)
			}
			if sc.besideFile {
				ref.Dir = path.Dir(ref.File)
			}
		}
		child := st.child()
		child.cwd = cwdState{dirs: []string{dir}}
		w.scripts = append(w.scripts, pending{ref, sc.args, c.via, span, child, w.chain + 1, w.loops})
	}
}

// expandScripts looks at the scripts that were noted, and at those they run in turn.
// Each is walked by itself: what it declares and changes stays in its own shell.
func (w *walker) expandScripts() {
	for i := 0; i < len(w.scripts); i++ {
		p := &w.scripts[i]
		if slices.ContainsFunc(w.scripts[:i], p.same) {
			w.s.twice = true
			continue // seen before; also where a circle ends
		}
		if p.chain > maxChain {
			w.doubt(dTooMuch, p.span, "scripts run one another")
			continue
		}
		for _, t := range w.env.Script(p.ref) {
			w.script(&t, w.scripts[i])
		}
	}
}

func (p *pending) same(o pending) bool {
	return p.ref.Runner == o.ref.Runner && p.ref.Dir == o.ref.Dir && p.ref.File == o.ref.File &&
		slices.Equal(p.ref.Names, o.ref.Names) && slices.Equal(p.ref.Vars, o.ref.Vars) && slices.Equal(p.args, o.args)
}

// script walks one script.
func (w *walker) script(t *ScriptText, p pending) {
	w.s.Scripts = append(w.s.Scripts, *t)
	if t.Why != "" {
		if t.Doubt {
			w.doubt(dScript, p.span, t.Origin.String()+": "+t.Why)
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
		w.doubt(dTooMuch, p.span, t.Origin.String())
		return
	}
	p.st.cwd = cwdState{}
	if strings.HasPrefix(t.Dir, "/") {
		p.st.cwd.dirs = []string{t.Dir}
	}
	source := t.Origin
	own := &walker{s: w.s, env: w.env, budget: w.budget, chain: p.chain, loops: p.loops, source: &source, runs: 1}
	via := append(slices.Clip(p.via), t.Name)
	own.text(text, &ctx{fr: &frame{src: text, held: true, span: p.span}, via: via, posix: !t.Bash}, p.st.clone())
	own.meet()
	w.budget = own.budget
	w.scripts = append(w.scripts, own.scripts...)
}

// expansions writes the unknown parts of a text as expansions, whatever quotes
// they stand in.
func expansions(text string) string {
	if !strings.Contains(text, HoleMark) {
		return text
	}
	var b strings.Builder
	last := 0
	for sc := (scanner{src: text}); sc.next(); {
		if text[sc.pos-1] != HoleMark[0] {
			continue
		}
		before := text[last : sc.pos-1]
		switch {
		case sc.class == scanSingle && sc.dollar:
			b.WriteString(strings.TrimSuffix(before, `\`) + `'"${_}"$'`)
		case sc.class == scanSingle:
			b.WriteString(before + `'"${_}"'`)
		case sc.class == scanEscaped:
			b.WriteString(strings.TrimSuffix(before, `\`) + "${_}")
		default:
			b.WriteString(before + "${_}")
		}
		last = sc.pos
	}
	b.WriteString(text[last:])
	return b.String()
}

// shellWord spells an argument so that a shell reads the same one.
func shellWord(a *Word) string {
	if a.Glob {
		return "${_}"
	}
	parts := strings.Split(a.Text, HoleMark)
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
