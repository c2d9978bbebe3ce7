package interp

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
)

// inside follows the commands that the subcommand at runs.
func (w *walker) inside(at int, d *commands.Facts, c *ctx, st *words.State) outcome {
	var o outcome
	for i := range d.Inner {
		in := &d.Inner[i]
		if in.Strip {
			continue
		}
		if w.depth++; w.depth > shell.MaxNesting {
			w.depth--
			w.Doubt(analysis.DoubtTooDeep, w.s.Subcommands[at].Span, "")
			return o
		}
		before := len(w.s.Subcommands)
		o = w.follow(at, in, c, st)
		w.depth--
		if len(w.s.Subcommands) > before && in.NeedsRule() {
			if in.At > 0 {
				w.s.Subcommands[before].By, w.s.Subcommands[before].At = at+1, in.At
				w.s.Subcommands[before].Alike = in.Alike
			}
			w.s.Subcommands[at].Launcher = true
			w.s.Subcommands[at].ReadOnly = w.s.Subcommands[at].ReadOnly && d.OnlyLaunches
		}
	}
	return o
}

// follow walks one command that another one runs.
func (w *walker) follow(at int, in *commands.Inner, c *ctx, st *words.State) outcome {
	sub := &w.s.Subcommands[at]
	n := c.through(in.Via)
	n.blockers = slices.Concat(c.blockers, assignBlockers(sub.Assigns))
	n.Place, n.Covered, n.Guess = placed(c.Place, sub, in), c.Covered || in.Covered, c.Guess || in.Guess
	if !in.Here() { // on another machine, or in another container
		n.Box = in.Box
	}
	if in.Kind != commands.InnerArgv && commands.IsShell(commands.TableName(sub.Program)) {
		n.posix = commands.PosixShell(commands.TableName(sub.Program))
	}
	run := st
	if !here(sub) {
		run = st.Clone()
		if in.Kind != commands.InnerArgv {
			run = st.Child()
		}
	}
	if sub.Program == "trap" { // it runs with the variables, and in the directory, that the shell has by then
		w.tangled = true
		run = run.Clone()
		run.Bind("TMPDIR", shell.HoleMark)
		w.keepTemps(run, st)
		if w.moves || changesDir(in.Text.Text) { // its own cd has run the next time
			run.Cwd = run.Cwd.Lost()
		}
	}
	if in.Box != nil {
		run = run.Clone()
		run.Cwd = in.Box.Cwd()
	}
	if in.Dir != nil {
		run = run.Clone()
		run.Cwd = *shell.Moved(&run.Cwd, in.Dir)
	}
	if run != st {
		run.Places(sub.Assigns)
	}
	for i := range in.Assigns {
		a := &in.Assigns[i]
		run.Bind(a.Name, a.Value.Text)
		w.noteLiteral(a.Value.Text)
		if a.Name != "ENV" && commands.RunsCode(a.Name) {
			w.shellVar(a.Name, false, sub.Span)
		}
	}
	if in.Guess {
		w.muted++
		defer func() { w.muted-- }()
	}
	switch in.Kind {
	case commands.InnerArgv:
		if len(in.Argv) == 0 {
			return outcome{}
		}
		argv := in.Argv
		if !w.Spend(len(argv) * words.Size) {
			return outcome{}
		}
		if in.More {
			argv = append(slices.Clip(argv), w.appended(sub, c, st)...)
		}
		argv = w.fedNames(argv, sub, c, st)
		inv := pending{argv: argv, assigns: in.Assigns, blockers: assignBlockers(in.Assigns), span: sub.Span}
		if sub.Program != "command" || run != st {
			return w.run(&inv, n, run)
		}
		branch := st.Clone()
		o := w.run(&inv, n, branch)
		st.Join(branch, st.Vars) // zsh runs a program of that name, which changes nothing
		o.never = false
		return o
	case commands.InnerText:
		n.blockers = append(n.blockers, assignBlockers(in.Assigns)...)
		before, dirs := run.Vars, run.Cwd.Dirs
		o := w.program(&in.Text, sub.Span, n, run)
		if laterHere(sub) {
			st.Between(run)
			moved := !slices.Equal(run.Cwd.Dirs, dirs)
			if moved || run.Vars != before {
				w.opaque = true
				st.AnyName()
			}
			if moved || changesDir(in.Text.Text) {
				st.Cwd = st.Cwd.Lost()
			}
		}
		return o
	case commands.InnerPowerShell:
		w.powerShell(&in.Text, sub.Span, n, run)
	case commands.InnerCmd:
		w.cmd(in.Argv, sub.Span, n, run)
	case commands.InnerStdin:
		w.stdinProgram(at, n, run)
	}
	return outcome{}
}

// placed is where a command runs that another one runs at a place: the farther of the two, but in containers.
func placed(at commands.Place, sub *analysis.Subcommand, in *commands.Inner) commands.Place {
	switch p := sub.Call.PlaceOf(in); {
	case p == commands.Container && !at.Here() && !at.Contained(),
		p.Here() && at.Inside() && in.Kind == commands.InnerText && commands.IsShell(sub.Program):
		return commands.ContainerShell
	case p.Here() && at.Contained() && in.Kind == commands.InnerArgv:
		return commands.ContainerLaunch
	default:
		return max(p, min(at, commands.Elsewhere))
	}
}

// inheritFromPackage takes over what the options of a packaged program load, run or write; unknown
// words are the launcher's.
func inheritFromPackage(c *commands.Invocation) {
	for i := range c.Facts.Inner {
		in := &c.Facts.Inner[i]
		if in.Itself {
			inherit(&c.Facts, in, &commands.Describe(in.Argv, c.Cwd, c.Home).Facts)
		}
		if !in.Narrows || !in.Argv[0].Known {
			continue
		}
		seen := slices.DeleteFunc(slices.Clone(in.Argv), func(w shell.Word) bool {
			return !w.Single && shell.NothingKnown(&w)
		})
		d := &commands.Describe(seen, c.Cwd, c.Home).Facts
		if !d.Known {
			continue
		}
		c.Facts.Narrow = append(c.Facts.Narrow, d.Narrow...)
		for _, e := range d.Effects {
			writes := e.Kind == shell.Write && e.Known && !e.InPlace
			if writes || e.Loads || e.Contents != nil {
				c.Facts.Effects = append(c.Facts.Effects, e)
			}
		}
	}
}

// inherit takes over all that is known of an inner command but its proofs.
func inherit(f *commands.Facts, in *commands.Inner, d *commands.Facts) {
	f.Effects = append(f.Effects, d.Effects...)
	f.Narrow = append(f.Narrow, d.Narrow...)
	f.Doubts = append(f.Doubts, d.Doubts...)
	f.Code = f.Code || d.Code
	if slices.ContainsFunc(d.Inner, func(in commands.Inner) bool { return in.NeedsRule() }) {
		in.Standing = commands.Standing{}
	}
}

// changesDir reports whether a text speaks of changing the directory.
func changesDir(text string) bool {
	return shell.ContainsAny(text, "cd", "pushd", "popd")
}

// laterHere reports whether a builtin runs its text in this shell later, between any two commands.
func laterHere(sub *analysis.Subcommand) bool {
	switch sub.Program {
	case "mapfile", "readarray":
		return true
	case "trap":
		for _, i := range sub.Call.Operands[1:] {
			if a := &sub.Argv[i]; !a.Known || a.Text != "EXIT" && a.Text != "0" {
				return true
			}
		}
	}
	return false
}

// here names the builtins whose inner command runs in the running shell.
func here(sub *analysis.Subcommand) bool {
	return shell.Among("eval command builtin", sub.Program) && isBuiltin(sub)
}

// isBuiltin reports whether a command word may name a builtin: none has a path.
func isBuiltin(sub *analysis.Subcommand) bool { return !strings.Contains(sub.Argv[0].Text, "/") }

// maxFollowed bounds the effects that links add; more are unknown.
const maxFollowed = 200

// maxLinked is how many links in a row Linux follows.
const maxLinked = 40

// followOwnSymlinks adds what is done through a symlink of the text itself, which the disk does not
// show yet. The order does not count: there are loops and functions.
func (w *walker) followOwnSymlinks() {
	added := 0
	for range maxLinked { // a link may lead to a link
		before := added
		for i := range w.s.Subcommands {
			c := w.s.Subcommands[i].Call
			if c == nil || !w.s.Subcommands[i].Here() {
				continue
			}
			for k := range c.Links {
				for n := range c.Links[k].Names {
					added += w.throughLink(i, c.Links[k].Names[n].Path, c.Links[k].Target, maxFollowed-added)
				}
			}
		}
		if added == before || added > maxFollowed {
			return
		}
	}
}

// throughLink adds the effects through a link, but the maker's, at most room, and counts them.
func (w *walker) throughLink(maker int, name string, target *shell.Word, room int) (added int) {
	for i := range w.s.Subcommands {
		s := &w.s.Subcommands[i]
		if i == maker {
			continue
		}
		for _, e := range slices.Clone(s.Effects) {
			for _, at := range [...]string{e.Path, e.Raw} {
				rest, ok := usesLink(s, &e, at, name)
				if !ok {
					continue
				}
				e := e
				e.Known = e.Known && target.Known
				if e.Path, e.Raw = shell.CleanPath(linkTarget(name, target)+rest), ""; added >= room {
					e.Path, e.Known = shell.HoleMark, false
				}
				if slices.Contains(s.Effects, e) {
					continue
				}
				s.Effects = append(s.Effects, e)
				s.ReadOnly = s.ReadOnly && e.Kind == shell.Read
				if added++; added > room {
					return added
				}
			}
		}
	}
	return added
}

// usesLink reports whether an effect goes through a link, and what is below that.
func usesLink(s *analysis.Subcommand, e *shell.Effect, at, name string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(at, name)
	if !ok || name == "" || e.Kind == shell.Network {
		return "", false
	}
	if rest != "" {
		return rest, rest[0] == '/'
	}
	makesLinks := s.Call != nil && len(s.Call.Links) > 0
	return "", e.Kind != shell.Delete && !makesLinks // else the link itself goes, or becomes another one
}

// linkTarget is the path a symlink leads to, which is relative to the folder the link is in.
func linkTarget(name string, target *shell.Word) string {
	if to := target.Text; strings.HasPrefix(to, "/") || strings.HasPrefix(to, shell.HoleMark) {
		return to
	}
	return path.Dir(name) + "/" + target.Text
}

// fedNames says which names those are that a launcher gets on its standard input and puts among words.
func (w *walker) fedNames(argv []shell.Word, sub *analysis.Subcommand, c *ctx, st *words.State) []shell.Word {
	fed := func(word shell.Word) bool { return word.List != nil && word.List.Fed }
	if !slices.ContainsFunc(argv, fed) {
		return argv
	}
	argv = slices.Clone(argv)
	for i := range argv {
		if fed(argv[i]) {
			argv[i].List = w.listed(sub, c, st)
		}
	}
	return argv
}

// listed is what xargs is fed by a command that lists files, nil where that is not known.
func (w *walker) listed(sub *analysis.Subcommand, c *ctx, st *words.State) *shell.Listing {
	const plain = "0 null r no-run-if-empty t verbose n max-args P max-procs I i replace"
	odd := func(o commands.Used) bool { return !shell.Among(plain, o.Name) || o.Given && !o.Value.Known }
	if c.stdin.kind != stdinPipe || sub.Call == nil || commands.TableName(sub.Program) != "xargs" {
		return nil
	}
	if slices.ContainsFunc(sub.Call.Opts, odd) || sub.Call.Has("I", "i", "replace") && sub.Call.Has("n", "max-args") {
		return nil
	}
	l := w.Listed(c.stdin.front, c.fr, c.stdin.state)
	if l == nil || l.Null != sub.Call.Has("0", "null") {
		return nil
	}
	l.Split = l.Split || !l.Null
	return l
}

// appended are the words a launcher adds: known for a plain xargs that is fed literal text.
func (w *walker) appended(sub *analysis.Subcommand, c *ctx, st *words.State) []shell.Word {
	unknown := []shell.Word{{Text: shell.HoleMark, Span: sub.Span, List: w.listed(sub, c, st)}}
	changes := func(o commands.Used) bool { return !shell.Among("r no-run-if-empty t verbose", o.Name) }
	if sub.Call == nil || commands.TableName(sub.Program) != "xargs" {
		return unknown
	}
	if sub.Call.ParsesEach() {
		unknown[0].Single = true
		return unknown
	}
	if slices.ContainsFunc(sub.Call.Opts, changes) {
		return unknown
	}
	text, ok := w.fedText(sub.Call, c, st)
	if !ok || !text.Known || strings.ContainsAny(text.Text, "'\"\\\x00") {
		return unknown
	}
	fields := strings.Fields(text.Text)
	if len(fields) == 0 || len(fields) > commands.MaxFed || !w.Spend(len(fields)*words.Size) {
		return unknown
	}
	list := make([]shell.Word, len(fields))
	for i := range fields {
		list[i] = shell.Literal(fields[i], &shell.Word{Span: sub.Span})
	}
	return list
}
