package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"permgate/bashsafety"
	"permgate/hookio"
	"permgate/internal/complete"
	"permgate/internal/gate"
	"permgate/internal/state"
	"permgate/rules"
)

// sessionOptions are the options of permgate session.
type sessionOptions struct {
	gate.Flags // --state and --home only
	writeOptions
	session string
	json    bool
}

func (o *sessionOptions) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.session, "session", "", "the session: its `ID`, or the beginning of one that is logged; default: the newest of this project")
	fs.StringVar(&o.State, "state", "", "folder of the session state")
	fs.StringVar(&o.Home, "home", "", "home directory, for that folder")
}

func sessionCommand() *Command {
	var o sessionOptions
	show := func(fs *pflag.FlagSet) {
		o.register(fs)
		fs.BoolVar(&o.json, "json", false, "print JSON")
	}
	return &Command{
		Name:  "session",
		Args:  "[show | allow-edits | allow-bash | allow RULE | add-dir DIR | reset]",
		Short: "what a running session may do besides what the settings allow",
		Long: `Shows or changes what is granted for one running session, as the dialog of an agent
program would: "allow this for the session". Step 4 looks at it. Deny rules, what
step 2 asks about and writes outside the workspace stay as they are; plain ask rules
are silenced, as by every grant. It ends with the session, after 7 days, and when
the session works in another project.

Without --session it is the newest session of this project in the log. Where two of
them made a call within the last hour permgate does not guess.

What grants something needs a terminal to ask on, or --yes.`,
		Examples: []Example{
			{"permgate session", "what is granted"},
			{"permgate session allow-edits", "Edit, Write and NotebookEdit, in the workspace"},
			{"permgate session allow 'Bash(npm test:*)'", "a rule, for this session only"},
			{"permgate session allow WebFetch", "every call of one tool"},
			{"permgate session add-dir ../lib", "a further directory writes may go to"},
			{"permgate session reset --session 0c9e --yes", "take everything back"},
		},
		Flags: show,
		Run: func(e *env, args []string) int {
			if len(args) > 0 {
				return e.fail("permgate help session lists what there is", "no %s", quoteArg(args[0]))
			}
			return showSession(e, &o)
		},
		Subs: []*Command{
			{Name: "show", Short: "show what is granted, and until when", Flags: show,
				Run: func(e *env, args []string) int { return o.none(e, args, showSession) }},
			o.verb("allow-edits", "", "allow Edit, Write and NotebookEdit in the workspace", (*granting).edits),
			o.verb("allow-bash", "", "allow every Bash command", (*granting).bash),
			o.verb("allow", "RULE", "allow what a rule matches; the bare name of a tool allows all its calls", (*granting).rule),
			o.verb("add-dir", "DIR", "make a directory part of the workspace", (*granting).dir),
			o.verb("reset", "", "take everything back that was granted", nil),
		},
	}
}

// verb is a command that changes what is granted; without a grant it takes everything back.
func (o *sessionOptions) verb(name, args, short string, grant func(*granting, string) error) *Command {
	var operands func() []*complete.Values
	if args == "DIR" {
		operands = dirOperands
	}
	return &Command{
		Name: name, Args: args, Short: short, Operands: operands,
		Flags: func(fs *pflag.FlagSet) {
			fs.SetInterspersed(true) // neither a rule nor a folder starts with a dash
			o.writeOptions.register(fs)
			o.register(fs)
		},
		Run: func(e *env, operands []string) int {
			if args == "" {
				return o.none(e, operands, func(e *env, o *sessionOptions) int { return grantSession(e, o, grant, "") })
			}
			if len(operands) != 1 {
				return e.fail("quote it: "+e.cmd+" '"+args+"'", "takes one %s, not %d", args, len(operands))
			}
			return grantSession(e, o, grant, operands[0])
		},
	}
}

// none runs a command that takes no operand.
func (o *sessionOptions) none(e *env, operands []string, run func(*env, *sessionOptions) int) int {
	if len(operands) > 0 {
		return e.fail("permgate help session lists what there is", "takes no operand, and got %s", quoteArg(operands[0]))
	}
	return run(e, o)
}

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

// grantSession grants something, or takes everything back.
func grantSession(e *env, o *sessionOptions, grant func(*granting, string) error, operand string) int {
	s, code := o.find(e)
	if s == nil {
		return code
	}
	if grant == nil {
		return resetSession(e, o, s)
	}
	if why := s.void(e); why != "" {
		return e.fail("permgate session show says more", "nothing that is granted would count: %s", why)
	}
	g := &granting{session: s, e: e}
	if err := grant(g, operand); err != nil {
		return e.fail("nothing was granted", "%s", hookio.Escape(err.Error()))
	}
	had, until, err := s.read()
	if err != nil {
		return e.fail("permgate session reset --session "+s.id+" removes the file", "%v", err)
	}
	fmt.Fprintln(e.out, s.title(e))
	for _, n := range g.notes {
		e.wrapped("  note: ", n)
	}
	if g.has(&had) {
		fmt.Fprintf(e.out, "  %s: granted already, until %s\n", hookio.Escape(g.line), minute(until))
		return exitOK
	}
	fmt.Fprintf(e.out, "+ %s\n", hookio.Escape(g.line))
	if o.dryRun {
		return exitOK
	}
	if !o.yes {
		if code := e.confirm("grant this?"); code != exitOK {
			return code
		}
	}
	now, err := s.store.Update(s.id, s.project, func(now *state.Session) error {
		if !g.has(now) {
			g.apply(now)
		}
		return nil
	})
	if err != nil {
		return e.failFile(err)
	}
	e.wrapped("", "granted until "+minute(now.Since.Add(state.MaxAge))+", or until the session ends; deny rules, step 2 and writes outside the workspace stay as they are")
	return exitOK
}

// resetSession takes everything back.
func resetSession(e *env, o *sessionOptions, s *session) int {
	name := state.File(s.store.Dir, s.id)
	if !exists(name) {
		fmt.Fprintln(e.out, s.title(e))
		fmt.Fprintln(e.out, "  nothing is granted")
		return exitOK
	}
	fmt.Fprintln(e.out, s.title(e))
	had, _, err := s.read()
	for _, line := range lines(&had) {
		fmt.Fprintf(e.out, "- %s\n", hookio.Escape(line))
	}
	if err != nil {
		e.wrapped("- ", err.Error())
	}
	if o.dryRun {
		return exitOK
	}
	if !o.yes {
		if code := e.confirm("take this back?"); code != exitOK {
			return code
		}
	}
	if err := s.store.Forget(s.id); err != nil {
		return e.failFile(err)
	}
	fmt.Fprintln(e.out, "nothing is granted any more")
	return exitOK
}

// lines are the grants, one a line.
func lines(s *state.Session) (out []string) {
	if s.AllEdits {
		out = append(out, "allow all edits: Edit, Write, NotebookEdit")
	}
	if s.AllBash {
		out = append(out, "allow all Bash")
	}
	for _, r := range s.Allow {
		out = append(out, "allow "+r)
	}
	for _, d := range s.Dirs {
		out = append(out, "directory "+d)
	}
	return out
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

// programTitle is how the title calls a program.
func programTitle(host string) string {
	if h := hookio.Lookup(host); h != nil {
		return h.Title
	}
	return cmp.Or(hookio.Escape(host), "no program known")
}
