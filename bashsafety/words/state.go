package words

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// maxBindings bounds the assignments that are remembered; beyond it every
// variable is unknown.
const maxBindings = 512

// A Binding is one assignment to a shell variable. Bindings form a list, newest
// first, that is never changed, so that each branch of a text can have its own
// at no cost.
type Binding struct {
	Name    string       // "" is all names: nothing older counts
	Text    string       // the value, unknown parts as HoleMark
	List    []shell.Word // the elements of an array
	IsArray bool
	Word    bool           // the value is one word, free of blanks and globs, though unknown
	Temp    bool           // the value is a Word.Temp
	Alone   bool           // the value is a Word.Alone
	Down    bool           // the value is a Word.Down
	NoSlash bool           // the value is a Word.NoSlash
	Tokens  bool           // the value is a Word.Tokens, and no word of it starts with -
	Sure    bool           // the text assigned it, whatever else may have since
	Listing *shell.Listing // of which the value is a name, or all names where it is Fed
	next    *Binding
	size    int
}

// A State is what is known of the shell at a point of the text.
type State struct {
	Vars      *Binding
	Args      []shell.Word // of the function that is walked for a call, nil is unknown
	Open      bool         // the function that is walked is not called yet
	Cwd       shell.CwdState
	Blockers  []string // reasons that hold for every later command
	Aliases   []string
	Errexit   bool      // set -e: a failing command ends the text
	IFS       bool      // IFS was touched: it is not known how words split
	Fed       bool      // exec gave the shell another standard input
	CDPath    bool      // CDPATH was touched
	Nullglob  bool      // shopt -s nullglob: a pattern that finds nothing is no argument
	Allexport bool      // set -a: every assignment reaches programs
	Ever      *[]string // every reason of narrow in the text
}

// Clone returns a copy for a subshell or a branch.
func (s *State) Clone() *State {
	c := *s
	c.Blockers, c.Aliases = slices.Clip(c.Blockers), slices.Clip(c.Aliases)
	return &c
}

// WithoutErrexit switches set -e off where the shell tests whether a command fails; the
// answer switches it on again.
func (s *State) WithoutErrexit() func() {
	was := s.Errexit
	s.Errexit = false
	return func() { s.Errexit = s.Errexit || was }
}

// Child is the state a new shell process starts with: variables that were not
// exported are gone, and which ones were is not tracked.
func (s *State) Child() *State {
	c := &State{Cwd: s.Cwd, Blockers: slices.Clip(s.Blockers), Vars: s.Vars, Fed: s.Fed, Ever: s.Ever}
	c.Fresh()
	return c
}

// Bound returns the newest binding of a variable that the text assigned, or nil if
// it assigned none.
func (s *State) Bound(name string) *Binding {
	for b := s.Vars; b != nil && b.Name != ""; b = b.next {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// param returns the value of a variable that the text assigned, or of an argument of the function.
func (s *State) param(name string) (string, bool) {
	at, err := strconv.Atoi(name)
	n := Steady(s.Args)
	switch {
	case s.Args == nil || err != nil || at < 1:
		return s.Lookup(name)
	case at <= n:
		return s.Args[at-1].Text, true
	}
	return "", n == len(s.Args)
}

// Steady is how many words of a list certainly have their places: what is not known may be several words, or none.
func Steady(list []shell.Word) int {
	if i := slices.IndexFunc(list, func(a shell.Word) bool { return !a.Known && !a.Single }); i >= 0 {
		return i
	}
	return len(list)
}

// Lookup returns the value of a variable that the text assigned.
func (s *State) Lookup(name string) (string, bool) {
	b := s.Bound(name)
	switch {
	case b == nil:
		return "", false
	case b.IsArray:
		return shell.HoleMark, true
	}
	return b.Text, true
}

// lookupList returns the elements of an array that the text assigned.
func (s *State) lookupList(name string) ([]shell.Word, bool) {
	if b := s.Bound(name); b != nil {
		return b.List, b.IsArray
	}
	return nil, false
}

// Bind binds what may have been assigned: that another assignment was sure stays.
func (s *State) Bind(name, text string) {
	old := s.Bound(name)
	s.Push(Binding{Name: name, Text: text, Sure: old != nil && old.Sure})
}

// Push binds a variable. What the shell sets itself is not what it was given.
func (s *State) Push(b Binding) {
	if Volatile(b.Name) {
		b = Binding{Name: b.Name, Text: shell.HoleMark, Sure: b.Sure}
	}
	if s.Vars != nil {
		b.size = s.Vars.size
	}
	if b.size++; b.size > maxBindings {
		s.Forget()
		return
	}
	b.next = s.Vars
	s.Vars = &b
}

// Volatile names the variables that the shell itself sets: they do not hold
// what they were given.
func Volatile(name string) bool {
	switch name {
	case "_", "BASHPID", "BASHOPTS", "COLUMNS", "COPROC", "COPROC_PID", "DIRSTACK", "EPOCHREALTIME", "EPOCHSECONDS",
		"EUID", "FUNCNAME", "GROUPS", "HISTCMD", "LINENO", "LINES", "MAPFILE", "OLDPWD", "OPTARG", "OPTIND",
		"PIPESTATUS", "PPID", "PWD", "RANDOM", "READLINE_LINE", "REPLY", "SECONDS", "SHELLOPTS", "SHLVL", "SRANDOM",
		"UID":
		return true
	}
	return strings.HasPrefix(name, "BASH_") || strings.HasPrefix(name, "COMP_")
}

// ReadOnlyVar names the variables of bash that cannot be assigned.
func ReadOnlyVar(name string) bool {
	switch name {
	case "UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO":
		return true
	}
	return false
}

// Forget makes every variable unknown. Nothing tells what ran from changing
// where temporary files go.
func (s *State) Forget() {
	s.Fresh()
	s.Bind("TMPDIR", shell.HoleMark)
}

// Fresh makes every variable unknown that the text may have set; those that name a place
// have the values the text began with unless it set them.
func (s *State) Fresh() {
	old := s.Vars
	s.Vars = &Binding{size: 1}
	for ; old != nil && old.Name != ""; old = old.next {
		if place(old.Name) && s.Bound(old.Name) == nil {
			s.Bind(old.Name, shell.HoleMark)
		}
	}
}

// place reports whether a variable says where files are, and has a value before a text assigns one.
func place(name string) bool { return shell.Among("HOME TMPDIR "+shell.WindowsVariables, name) }

// AnyName makes unknown what a change of a variable leaves unknown whose name is
// not known: HOME is one that the text need not have set.
func (s *State) AnyName() {
	s.Forget()
	for name := range strings.FieldsSeq("HOME " + shell.WindowsVariables) {
		s.Bind(name, shell.HoleMark)
	}
}

// Join merges the state of a branch that may or may not have run; since is the
// list of bindings both started from.
func (s *State) Join(branch *State, since *Binding) {
	s.ForgetSince(branch.Vars, since)
	s.Cwd = s.Cwd.Or(branch.Cwd)
	for _, n := range branch.Blockers {
		s.AddBlocker(n)
	}
	for _, a := range branch.Aliases {
		if !slices.Contains(s.Aliases, a) {
			s.Aliases = append(s.Aliases, a)
		}
	}
	s.IFS = s.IFS || branch.IFS
	s.Fed = s.Fed || branch.Fed
	s.CDPath = s.CDPath || branch.CDPath
	s.Nullglob = s.Nullglob || branch.Nullglob
	s.Allexport = s.Allexport || branch.Allexport
	s.Errexit = s.Errexit && branch.Errexit
}

// AddBlocker adds a reason for every later command; a few are enough.
func (s *State) AddBlocker(why string) {
	if len(s.Blockers) < 8 && !slices.Contains(s.Blockers, why) {
		s.Blockers = append(s.Blockers, why)
		if s.Ever != nil && len(*s.Ever) < 32 && !slices.Contains(*s.Ever, why) {
			*s.Ever = append(*s.Ever, why)
		}
	}
}

// ForgetSince makes unknown what vars binds and since does not.
func (s *State) ForgetSince(vars, since *Binding) {
	var names []string
	for b := vars; b != nil && b != since; b = b.next {
		if b.Name == "" {
			s.Forget()
			return
		}
		if !slices.Contains(names, b.Name) {
			names = append(names, b.Name)
		}
	}
	before := State{Vars: since}
	for _, n := range names {
		old := before.Bound(n)
		s.Push(Binding{Name: n, Text: shell.HoleMark, Sure: old != nil && old.Sure})
	}
}

// Home is the home directory at this point of the text, "" when not known.
func (r *Reader) Home(st *State) string {
	home, ok := st.Lookup("HOME")
	if !ok {
		return r.Env.Home
	}
	if strings.Contains(home, shell.HoleMark) || len(home) > shell.MaxPath {
		return ""
	}
	return home
}

// pwd is the value of $PWD and ~+ when it is known, else "".
func (s *State) pwd() string {
	if _, set := s.Lookup("PWD"); len(s.Cwd.Dirs) == 1 && !set {
		return s.Cwd.Dirs[0]
	}
	return ""
}

// SetOption follows one word of set; before is the one in front of it.
func (s *State) SetOption(word, before string) {
	switch {
	case strings.HasPrefix(word, "-"):
		s.Errexit = s.Errexit || strings.Contains(word, "e")
		s.Allexport = s.Allexport || strings.Contains(word, "a")
	case strings.HasPrefix(word, "+"):
		s.Errexit = s.Errexit && !strings.Contains(word, "e")
	case word == "errexit":
		s.Errexit = strings.HasPrefix(before, "-")
	case word == "allexport":
		s.Allexport = true
	}
}

// SawEffects takes over what the words of a command assigned while they were
// expanded.
func (s *State) SawEffects(pre *State, since *Binding) {
	s.ForgetSince(pre.Vars, since)
	for _, why := range pre.Blockers {
		s.AddBlocker(why)
	}
}

// Between follows what a trap may do between any two commands of the shell.
func (s *State) Between(run *State) {
	for _, why := range run.Blockers {
		s.AddBlocker(why)
	}
	s.IFS, s.CDPath, s.Fed = s.IFS || run.IFS, s.CDPath || run.CDPath, s.Fed || run.Fed
	s.Nullglob, s.Allexport = s.Nullglob || run.Nullglob, s.Allexport || run.Allexport
	s.Aliases = append(s.Aliases, run.Aliases...)
}

// KeepSure remembers which variables another state surely assigned, not their values.
func (st *State) KeepSure(other *State) {
	for b := other.Vars; b != nil && b.Name != ""; b = b.next {
		if now := st.Bound(b.Name); b.Sure && (now == nil || !now.Sure) {
			st.Push(Binding{Name: b.Name, Text: shell.HoleMark, Sure: true})
		}
	}
}

// Places follows the variables in front of a launcher that say where files lie:
// what it runs sees them.
func (s *State) Places(assigns []shell.Assign) {
	for i := range assigns {
		if a := &assigns[i]; place(a.Name) {
			s.Bind(a.Name, a.Value.Text)
		}
	}
}
