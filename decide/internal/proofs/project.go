package proofs

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// What counts as code of the project in mode auto, where the posture says that it
// is benign: "autoProjectCode".

func projectCode(p *rules.Policy) bool { return p.Posture.AutoProjectCode.Value == "true" }

// ownProgram reports whether a command word is a path in the workspace to a program
// that no table knows, and that is not seen to hand its words to another.
func ownProgram(c facts.Facts, sub *bashsafety.Subcommand) bool {
	stranger := sub.Program != "" && !sub.Known()
	if !stranger || !sub.Plain() || sub.When.Again || len(sub.PatternBlockers) > 0 {
		return false
	}
	return strings.Contains(sub.Argv[0].Text, "/") && hasInside(c, sub.Dirs, sub.Argv[0].Text) && !sub.HandsOver() &&
		!slices.ContainsFunc(sub.Effects, func(e bashsafety.Effect) bool { return !tame(e.Kind) })
}

// tame reports whether an effect of code of the project may be listed.
func tame(k bashsafety.EffectKind) bool {
	switch k {
	case bashsafety.Read, bashsafety.Looks, bashsafety.Write, bashsafety.Delete, bashsafety.Execute:
		return true
	}
	return false
}

// hasInside reports whether a path lies in the workspace, seen from each of the
// folders a command may run in.
func hasInside(c facts.Facts, dirs []string, name string) bool {
	for _, dir := range dirs {
		at := name
		if !strings.HasPrefix(at, "/") {
			at = dir + "/" + at
		}
		if !c.World().Inside(c.World().Path(path.Clean(at))) {
			return false
		}
	}
	return len(dirs) > 0
}

// innerOfProject reports whether a command that another one is told to run is
// code of the project like that one: python -m pytest.
func innerOfProject(c facts.Facts, i int) bool {
	outer := launcherOf(c.Script(), i)
	if outer == nil {
		return false
	}
	switch bound, _ := outer.Bound(); {
	case bound != bashsafety.RunsProject || !projectCode(c.Policy()):
		return false
	case outer.NamesTask():
		return true
	}
	sub := &c.Script().Subcommands[i]
	stray := func(e bashsafety.Effect) bool { return strayInner(c, e) }
	if !sub.OfProject() || len(sub.PatternBlockers) > 0 || slices.ContainsFunc(sub.Call.Facts.Effects, stray) {
		return false
	}
	return !outer.MayInstall() || installed(c, outer, path.Base(sub.Argv[0].Text))
}

// launcherOf is the command of the text that holds another one among its words.
func launcherOf(script *bashsafety.Analysis, i int) *bashsafety.Subcommand {
	sub := &script.Subcommands[i]
	for k := i - 1; k >= 0; k-- {
		outer := &script.Subcommands[k]
		if outer.Plain() && outer.Span == sub.Span && len(outer.Via) == len(sub.Via)-1 {
			return outer
		}
	}
	return nil
}

// strayInner reports whether an effect of such a command, which is in no list of
// the text, is not a benign one.
func strayInner(c facts.Facts, e bashsafety.Effect) bool {
	p := c.World().EffectPath(&e)
	if !tame(e.Kind) || !e.Known && !e.Glob || !c.World().Inside(p) {
		return true
	}
	reads := e.Kind == bashsafety.Read || e.Kind == bashsafety.Looks
	return !reads && (guard.SensitivePath(p.Given) != "" || guard.AutorunPath(p.Given) != nil)
}

// installed reports whether a program is among the tools installed for the project
// where a runner looks first, from each folder it may run in.
func installed(c facts.Facts, sub *bashsafety.Subcommand, name string) bool {
	if c.World().Blind() || len(sub.Dirs) == 0 {
		return false
	}
	for _, dir := range sub.Dirs {
		for c.World().Under(dir) && !c.World().Exists(path.Join(dir, "node_modules/.bin", name)) {
			dir = path.Dir(dir)
		}
		if !c.World().Under(dir) {
			return false
		}
	}
	return true
}

// published are words in the name of a task or program that say that it changes
// what lies elsewhere, or installs what comes from there.
const published = "deploy deployment publish release push upload install uninstall bootstrap provision ship destroy " +
	"promote rollout terraform apply migrate update upgrade login sync"

// notProject says why a command that runs code of the project may run, or reach,
// something else.
func notProject(c facts.Facts, i int, sub *bashsafety.Subcommand) string {
	dirs := sub.Places()
	if !hasInside(c, dirs, ".") {
		return "it runs outside the workspace, or in an unknown folder"
	}
	if !sub.ByName() && !hasInside(c, sub.Dirs, sub.Argv[0].Text) {
		return sub.Argv[0].Text + " may be any program with that name"
	}
	for k := range sub.Argv[1:] {
		if why := wordBeyond(c, sub, dirs, &sub.Argv[k+1]); why != "" {
			return why
		}
	}
	for _, name := range sub.Tasks() {
		if publishes(name) {
			return "the name " + say.Quoted(name) + " says that it does more than build and test"
		}
	}
	if k := freshFor(c, i); k >= 0 {
		return "the same command writes files first: " + say.Quoted(facts.Spell(c.Script().Subcommands[k].Argv))
	}
	return ""
}

func publishes(name string) bool {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) { // publishToMavenLocal
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	spelled := strings.ToLower(b.String() + " " + name)
	words := strings.FieldsFunc(spelled, func(r rune) bool { return r < 'a' || r > 'z' })
	publishing := strings.Fields(published)
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(publishing, word) })
}

// wordBeyond looks at a word of such a command: an address, a path outside, and
// shell text for a script to run are not the project's.
func wordBeyond(c facts.Facts, sub *bashsafety.Subcommand, dirs []string, w *bashsafety.Word) string {
	name, value, assigned := strings.Cut(w.Text, "=")
	switch {
	case !w.Known && !w.Glob:
		return "a word of it is only known at run time"
	case strings.Contains(w.Text, "://"), strings.HasPrefix(name, "data:"), strings.HasPrefix(value, "data:"):
		return "it is given an address"
	case sub.HandsText() && (strings.ContainsAny(w.Text, ";|&`$\n") || assigned && strings.ContainsAny(value, " \t")):
		return "it is given text that it may run"
	}
	if why := autorunValue(sub, name, value); why != "" {
		return why
	}
	for _, p := range [...]string{name, value} {
		if guard.SensitivePath(p) != "" {
			return "it is given " + say.Quoted(p) + ", a sensitive file"
		}
		if pathBeyond(c, sub, dirs, strings.TrimPrefix(p, "@")) {
			return "it is given " + say.Quoted(p) + ", outside the workspace"
		}
	}
	return ""
}

// readOptions are options whose value is a file that is read.
const readOptions = "config config-file project manifest-path file makefile justfile taskfile rcfile settings " +
	"ignore-path env-file require import tsconfig"

// buildFolders are the names of folders that files of Bazel have as well, in capitals.
const buildFolders = "build workspace"

// autorunValue looks at the value of an option, which may be a file that is written:
// --report=Makefile, or a format and the file it is for, text:Makefile.
func autorunValue(sub *bashsafety.Subcommand, name, value string) string {
	option := strings.TrimLeft(name, "-")
	if option != name && slices.Contains(strings.Fields(readOptions), option) {
		return ""
	}
	values := []string{value}
	for _, half := range [...]string{name, value} {
		if at := strings.LastIndexByte(half, ':'); at >= 0 && !sub.HandsText() {
			values = append(values, half[at+1:])
		}
	}
	for _, v := range values {
		if a := guard.AutorunPath(v); a != nil && !slices.Contains(strings.Fields(buildFolders), v) {
			return "it is given " + say.Quoted(v) + ", " + a.Why()
		}
	}
	return ""
}

// pathBeyond reports whether a word, read as a path, leaves the workspace.
func pathBeyond(c facts.Facts, sub *bashsafety.Subcommand, dirs []string, name string) bool {
	return strings.HasPrefix(name, "~") || !hasInside(c, dirs, name) && !writesThere(sub, name)
}

// writesThere reports whether a word is a file that the command writes, which is
// looked at as such, or none at all.
func writesThere(sub *bashsafety.Subcommand, name string) bool {
	return name == "/dev/null" || slices.ContainsFunc(sub.Effects, func(e bashsafety.Effect) bool {
		return e.Kind == bashsafety.Write && e.Known && e.Path == path.Clean(name)
	})
}

// freshFor finds a subcommand that may write what the subcommand i then runs, -1
// for none. What reads its output comes after it.
func freshFor(c facts.Facts, i int) int {
	s := c.Script()
	for k := range s.Subcommands {
		sub := &s.Subcommands[k]
		reads := k > i && slices.Contains(sub.From, i) && !sub.When.Again
		if k == i || reads || sub.Script != nil {
			continue
		}
		trap := slices.Contains(s.Subcommands[i].Via, "trap") // what it runs comes after all others
		if (trap || s.MayPrecede(k, i)) && writesCode(c, sub) {
			return k
		}
	}
	return -1
}

// writesCode reports whether a command may write what is then run. What a build
// writes is made of the project, a formatter leaves programs what they are, and a
// file that is deleted is not run.
func writesCode(c facts.Facts, sub *bashsafety.Subcommand) bool {
	bound, _ := sub.Bound()
	made := bound == bashsafety.RunsProject || bound == bashsafety.OnlyLocal && sub.Formats()
	for j := range sub.Effects {
		e := &sub.Effects[j]
		if e.Kind == bashsafety.Write && (e.Redirect || !made) && !putsTemp(c, sub, e) {
			return true
		}
	}
	return false
}

// putsTemp reports whether an effect writes a temporary file, and nothing in the workspace.
func putsTemp(c facts.Facts, sub *bashsafety.Subcommand, e *bashsafety.Effect) bool {
	for u := range c.Units() {
		if u.Sub() == sub && u.Effect() == e {
			return u.Hit().Given != "" && !c.World().Inside(u.Hit()) && c.WritesTemp(u)
		}
	}
	return false
}

// gitBeyond says how a git command that changes the repository goes beyond
// it: hooks and filters of the repository are code of the project.
func gitBeyond(c facts.Facts, i int, sub *bashsafety.Subcommand, e *bashsafety.Effect) string {
	p := c.World().EffectPath(e)
	if !namedInside(c, e) || c.OtherRepository(p) {
		return "it changes another repository"
	}
	why := c.GitActive(sub, p)
	if why == "" || !projectCode(c.Policy()) {
		return why
	}
	return notProject(c, i, sub)
}
