package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// maxBindings bounds the assignments that are remembered; beyond it every
// variable is unknown.
const maxBindings = 512

// A binding is one assignment to a shell variable. Bindings form a list, newest
// first, that is never changed, so that each branch of a text can have its own
// at no cost.
type binding struct {
	name    string       // "" is all names: nothing older counts
	text    string       // the value, unknown parts as HoleMark
	list    []shell.Word // the elements of an array
	isArray bool
	word    bool // the value is one word, free of blanks and globs, though unknown
	temp    bool // the value is a Word.Temp
	down    bool // the value is a Word.Down
	tokens  bool // the value is a Word.Tokens, and no word of it starts with -
	sure    bool // the text assigned it, whatever else may have since
	next    *binding
	size    int
}

// A state is what is known of the shell at a point of the text.
type state struct {
	vars      *binding
	cwd       shell.CwdState
	blockers  []string // reasons that hold for every later command
	aliases   []string
	errexit   bool      // set -e: a failing command ends the text
	ifs       bool      // IFS was touched: it is not known how words split
	fed       bool      // exec gave the shell another standard input
	cdpath    bool      // CDPATH was touched
	nullglob  bool      // shopt -s nullglob: a pattern that finds nothing is no argument
	allexport bool      // set -a: every assignment reaches programs
	ever      *[]string // every reason of narrow in the text
}

// clone returns a copy for a subshell or a branch.
func (s *state) clone() *state {
	c := *s
	c.blockers, c.aliases = slices.Clip(c.blockers), slices.Clip(c.aliases)
	return &c
}

// withoutErrexit switches set -e off where the shell tests whether a command fails; the
// answer switches it on again.
func (s *state) withoutErrexit() func() {
	was := s.errexit
	s.errexit = false
	return func() { s.errexit = s.errexit || was }
}

// child is the state a new shell process starts with: variables that were not
// exported are gone, and which ones were is not tracked.
func (s *state) child() *state {
	c := &state{cwd: s.cwd, blockers: slices.Clip(s.blockers), vars: s.vars, fed: s.fed, ever: s.ever}
	c.fresh()
	return c
}

// bound returns the newest binding of a variable that the text assigned, nil when
// there is none.
func (s *state) bound(name string) *binding {
	for b := s.vars; b != nil && b.name != ""; b = b.next {
		if b.name == name {
			return b
		}
	}
	return nil
}

// lookup returns the value of a variable that the text assigned.
func (s *state) lookup(name string) (string, bool) {
	b := s.bound(name)
	switch {
	case b == nil:
		return "", false
	case b.isArray:
		return shell.HoleMark, true
	}
	return b.text, true
}

// oneWord reports whether the unknown value of a variable cannot split.
func (s *state) oneWord(name string) bool {
	b := s.bound(name)
	return b != nil && b.word
}

// isTemp reports whether a variable holds what mktemp made, or a path below it.
func (s *state) isTemp(name string) bool {
	b := s.bound(name)
	return b != nil && b.temp
}

// isDown reports whether the unknown parts of a variable are names or paths
// without "..".
func (s *state) isDown(name string) bool {
	b := s.bound(name)
	return b != nil && b.down
}

// lookupList returns the elements of an array that the text assigned.
func (s *state) lookupList(name string) ([]shell.Word, bool) {
	if b := s.bound(name); b != nil {
		return b.list, b.isArray
	}
	return nil, false
}

// bind binds what may have been assigned: that another assignment was sure stays.
func (s *state) bind(name, text string) {
	old := s.bound(name)
	s.push(binding{name: name, text: text, sure: old != nil && old.sure})
}

// push binds a variable. What the shell sets itself is not what it was given.
func (s *state) push(b binding) {
	if volatile(b.name) {
		b = binding{name: b.name, text: shell.HoleMark, sure: b.sure}
	}
	if s.vars != nil {
		b.size = s.vars.size
	}
	if b.size++; b.size > maxBindings {
		s.forget()
		return
	}
	b.next = s.vars
	s.vars = &b
}

// volatile names the variables that the shell itself sets: they do not hold
// what they were given.
func volatile(name string) bool {
	switch name {
	case "_", "BASHPID", "BASHOPTS", "COLUMNS", "COPROC", "COPROC_PID", "DIRSTACK", "EPOCHREALTIME", "EPOCHSECONDS",
		"EUID", "FUNCNAME", "GROUPS", "HISTCMD", "LINENO", "LINES", "MAPFILE", "OLDPWD", "OPTARG", "OPTIND",
		"PIPESTATUS", "PPID", "PWD", "RANDOM", "READLINE_LINE", "REPLY", "SECONDS", "SHELLOPTS", "SHLVL", "SRANDOM",
		"UID":
		return true
	}
	return strings.HasPrefix(name, "BASH_") || strings.HasPrefix(name, "COMP_")
}

// readOnlyVar names the variables of bash that cannot be assigned.
func readOnlyVar(name string) bool {
	switch name {
	case "UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO":
		return true
	}
	return false
}

// forget makes every variable unknown. Nothing tells what ran from changing
// where temporary files go.
func (s *state) forget() {
	s.fresh()
	s.bind("TMPDIR", shell.HoleMark)
}

// fresh makes every variable unknown that the text may have set; HOME and TMPDIR
// have the values the text began with unless it set them.
func (s *state) fresh() {
	_, home := s.lookup("HOME")
	_, temp := s.lookup("TMPDIR")
	s.vars = &binding{size: 1}
	if home {
		s.bind("HOME", shell.HoleMark)
	}
	if temp {
		s.bind("TMPDIR", shell.HoleMark)
	}
}

// anyName makes unknown what a change of a variable leaves unknown whose name is
// not known: HOME is one that the text need not have set.
func (s *state) anyName() {
	s.forget()
	s.bind("HOME", shell.HoleMark)
}

// join merges the state of a branch that may or may not have run; since is the
// list of bindings both started from.
func (s *state) join(branch *state, since *binding) {
	s.forgetSince(branch.vars, since)
	s.cwd = s.cwd.Or(branch.cwd)
	for _, n := range branch.blockers {
		s.addBlocker(n)
	}
	for _, a := range branch.aliases {
		if !slices.Contains(s.aliases, a) {
			s.aliases = append(s.aliases, a)
		}
	}
	s.ifs = s.ifs || branch.ifs
	s.fed = s.fed || branch.fed
	s.cdpath = s.cdpath || branch.cdpath
	s.nullglob = s.nullglob || branch.nullglob
	s.allexport = s.allexport || branch.allexport
	s.errexit = s.errexit && branch.errexit
}

// addBlocker adds a reason for every later command; a few are enough.
func (s *state) addBlocker(why string) {
	if len(s.blockers) < 8 && !slices.Contains(s.blockers, why) {
		s.blockers = append(s.blockers, why)
		if s.ever != nil && len(*s.ever) < 32 && !slices.Contains(*s.ever, why) {
			*s.ever = append(*s.ever, why)
		}
	}
}

// forgetSince makes unknown what vars binds and since does not.
func (s *state) forgetSince(vars, since *binding) {
	var names []string
	for b := vars; b != nil && b != since; b = b.next {
		if b.name == "" {
			s.forget()
			return
		}
		if !slices.Contains(names, b.name) {
			names = append(names, b.name)
		}
	}
	before := state{vars: since}
	for _, n := range names {
		old := before.bound(n)
		s.push(binding{name: n, text: shell.HoleMark, sure: old != nil && old.sure})
	}
}

// home is the home directory at this point of the text, "" when not known.
func (r *reader) home(st *state) string {
	home, ok := st.lookup("HOME")
	if !ok {
		return r.env.Home
	}
	if strings.Contains(home, shell.HoleMark) || len(home) > shell.MaxPath {
		return ""
	}
	return home
}

// pwd is the value of $PWD and ~+ when it is known, else "".
func (s *state) pwd() string {
	if _, set := s.lookup("PWD"); len(s.cwd.Dirs) == 1 && !set {
		return s.cwd.Dirs[0]
	}
	return ""
}

// setOption follows one word of set; before is the one in front of it.
func (s *state) setOption(word, before string) {
	switch {
	case strings.HasPrefix(word, "-"):
		s.errexit = s.errexit || strings.Contains(word, "e")
		s.allexport = s.allexport || strings.Contains(word, "a")
	case strings.HasPrefix(word, "+"):
		s.errexit = s.errexit && !strings.Contains(word, "e")
	case word == "errexit":
		s.errexit = strings.HasPrefix(before, "-")
	case word == "allexport":
		s.allexport = true
	}
}

// sawEffects takes over what the words of a command assigned while they were
// expanded.
func (s *state) sawEffects(pre *state, since *binding) {
	s.forgetSince(pre.vars, since)
	for _, why := range pre.blockers {
		s.addBlocker(why)
	}
}

// between follows what a trap may do between any two commands of the shell.
func (s *state) between(run *state) {
	for _, why := range run.blockers {
		s.addBlocker(why)
	}
	s.ifs, s.cdpath, s.fed = s.ifs || run.ifs, s.cdpath || run.cdpath, s.fed || run.fed
	s.nullglob, s.allexport = s.nullglob || run.nullglob, s.allexport || run.allexport
	s.aliases = append(s.aliases, run.aliases...)
}

// keepSure remembers which variables another state surely assigned, not their values.
func (st *state) keepSure(other *state) {
	for b := other.vars; b != nil && b.name != ""; b = b.next {
		if now := st.bound(b.name); b.sure && (now == nil || !now.sure) {
			st.push(binding{name: b.name, text: shell.HoleMark, sure: true})
		}
	}
}

// places follows the variables in front of a launcher that say where files lie:
// what it runs sees them.
func (s *state) places(assigns []shell.Assign) {
	for i := range assigns {
		switch a := &assigns[i]; a.Name {
		case "HOME", "TMPDIR":
			s.bind(a.Name, a.Value.Text)
		}
	}
}
