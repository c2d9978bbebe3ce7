package oracle

import (
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// A trace is what a run did to the files of the cage.
type trace struct {
	written []string // absolute paths: changed, or opened for writing
	execs   []string // programs run besides the first
	read    []string // opened for reading, only when asked for
	run     Run
}

// traceOf joins what the calls say with what the file system shows.
func (f *fixture) traceOf(r Run, changes []string, now map[string]state) trace {
	tr := trace{run: r}
	for _, c := range changes {
		tr.written = append(tr.written, "/"+c)
	}
	first := true // the program itself
	for _, c := range r.Calls {
		p := c.Path
		if !strings.HasPrefix(p, "/") {
			p = path.Join(c.Dir, p)
		}
		if c.Op == "read" {
			tr.read = append(tr.read, path.Clean(p))
			continue
		}
		if c.Op == "exec" {
			if !first {
				tr.execs = append(tr.execs, p)
			}
			first = false
			continue
		}
		p = path.Clean(p)
		name := f.resolve(p)[1:]
		_, before := f.was[name]
		_, after := now[name]
		if (before || after) && !slices.Contains(tr.written, "/"+name) && !(c.Op == "open" && f.was[name].isDir()) && !(c.Op == "mkdir" && before) {
			tr.written = append(tr.written, p)
		}
	}
	clear(f.made)
	for _, w := range tr.written {
		if s, ok := now[w[1:]]; ok && s.isDir() && !f.was[w[1:]].isDir() {
			f.made[w] = true
		}
	}
	sort.Strings(tr.written)
	tr.written = slices.Compact(tr.written)
	return tr
}

func (s state) isDir() bool { return s.mode&0o170000 == 0o040000 }

// missedBy returns what the trace holds that the analysis of the text does not.
func (f *fixture) missedBy(l *commandLine, p *program, tr *trace) (missed []string) {
	s := bashsafety.Analyze(l.text(), bashsafety.Env{Cwd: "/w", Home: "/w"})
	if len(s.Doubts) > 0 {
		return nil
	}
	proven := len(s.Subcommands) > 0 && !slices.ContainsFunc(s.Subcommands, func(c bashsafety.Subcommand) bool { return !c.ReadOnly })
	for _, w := range tr.written {
		if tr.run.TimedOut && !proven {
			break // what a program that was killed leaves behind is no one's wish
		}
		if temporary(w) && !proven {
			continue
		}
		if proven {
			missed = append(missed, "read-only, but wrote "+w)
		} else if !l.strange && !l.scripted() && !(len(tr.execs) > 0 && runsSomething(s)) && !slices.ContainsFunc(s.Subcommands,
			func(c bashsafety.Subcommand) bool { return f.covered(&c, w) }) {
			missed = append(missed, "wrote "+w)
		}
	}
	for _, x := range tr.execs {
		if slices.Contains(p.runs, path.Base(x)) {
			continue
		}
		if proven && !runsSomething(s) {
			missed = append(missed, "read-only, but ran "+x)
		} else if !l.strange && !runsSomething(s) {
			missed = append(missed, "ran "+x)
		}
	}
	return missed
}

// unseenReads returns files of the fixture that were read and are in no effect.
func (f *fixture) unseenReads(l *commandLine, tr *trace) (unseen []string) {
	s := bashsafety.Analyze(l.text(), bashsafety.Env{Cwd: "/w", Home: "/w"})
	if l.strange || len(s.Doubts) > 0 || len(tr.execs) > 0 {
		return nil
	}
	for _, p := range tr.read {
		p = f.resolve(p)
		if s, ok := f.was[p[1:]]; !ok || s.isDir() || p == "/w/"+l.stdin {
			continue
		}
		if !slices.ContainsFunc(s.Subcommands, func(c bashsafety.Subcommand) bool { return f.touches(&c, p, true) }) {
			unseen = append(unseen, p)
		}
	}
	return unseen
}

// scripted reports whether a script of another file runs: what that writes is not in the text.
func (l *commandLine) scripted() bool {
	return slices.ContainsFunc(l.argv, func(w string) bool { return strings.Contains(w, "p.awk") || strings.Contains(w, "p.sed") })
}

// temporary reports a new file in the directory for them: no one's yet.
func temporary(p string) bool { return strings.HasPrefix(p, "/tmp/") }

// runsSomething reports whether the analysis says that another program runs.
func runsSomething(s *bashsafety.Analysis) bool {
	return slices.ContainsFunc(s.Subcommands, func(c bashsafety.Subcommand) bool {
		return len(c.Via) > 0 || len(c.Outer) > 0 || c.Launcher || len(c.PatternBlockers) > 0 || slices.ContainsFunc(c.Effects,
			func(e bashsafety.Effect) bool { return e.Kind == bashsafety.Execute })
	})
}

// covered reports whether a write or deletion of the subcommand names the path, links followed or not.
func (f *fixture) covered(c *bashsafety.Subcommand, w string) bool { return f.touches(c, w, false) }

// touches is covered, by a read as well when reads count.
func (f *fixture) touches(c *bashsafety.Subcommand, w string, reads bool) bool {
	return slices.ContainsFunc(c.Effects, func(e bashsafety.Effect) bool {
		if e.Kind == bashsafety.Unknown {
			return true // a program text that is not understood; nothing is proven of it
		}
		if e.Kind != bashsafety.Write && e.Kind != bashsafety.Delete && !(reads && e.Kind == bashsafety.Read) {
			return false
		}
		p := strings.ReplaceAll(e.Path, "/./", "/")
		switch {
		case e.Glob:
			dir, base := path.Split(p)
			for q := w; q != "/"; q = path.Dir(q) {
				if coverGlob(p, []string{q}) || coverGlob(f.resolve(path.Clean(dir))+"/"+base, []string{q}) {
					return true
				}
				if !e.Recursive {
					return false
				}
			}
			return false
		case !e.Known:
			return p == "" || coverHoles(p, w) || f.openCovers(p, w)
		}
		if e.Raw != "" {
			p = e.Raw
		}
		for _, q := range []string{e.Path, f.resolve(p), path.Join(f.resolve(path.Dir(p)), path.Base(p))} {
			// a deletion is one of the whole tree, as it is for the rules
			if q == w || (e.Recursive || e.Kind == bashsafety.Delete) && strings.HasPrefix(w, strings.TrimSuffix(q, "/")+"/") {
				return true
			}
			if f.made[w] && strings.HasPrefix(q, w+"/") {
				return true // a directory made on the way to what is named
			}
		}
		return false
	})
}

// openCovers is coverHoles with the links of the known directory in front followed.
func (f *fixture) openCovers(p, w string) bool {
	dir, _, _ := strings.Cut(p, bashsafety.HoleMark)
	i := strings.LastIndexByte(dir, '/')
	return i > 0 && coverHoles(f.resolve(p[:i])+p[i:], w)
}
