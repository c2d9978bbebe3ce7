package analysis

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// Removes returns what a subcommand deletes, and reports whether that is all it does: a plain
// removal by the text or a script of the project, of known targets, patterns of files, names
// that a command of the text lists, or what mktemp made. One by sudo or a shell of its own is not plain, nor one
// by find or xargs of other words, or one with a variable in front; in a trap or a function one of what mktemp made.
func (a *Analysis) Removes(i int) (targets []shell.Effect, ok bool) {
	sub := &a.Subcommands[i]
	if by := a.Lister(i); !a.direct(sub) && (by < 0 || !a.direct(&a.Subcommands[by]) || !a.Subcommands[by].plain()) {
		return nil, false
	}
	if sub.As == "find" {
		l := sub.Call.Deletes()
		return []shell.Effect{{Kind: shell.Delete, Path: shell.HoleMark, List: l}}, l != nil && sub.plain()
	}
	if sub.PlainRemoval && len(sub.PatternBlockers) == 0 {
		if slices.ContainsFunc(sub.Effects, unclearRemoval) {
			return nil, false
		}
	} else if !sub.plain() || slices.ContainsFunc(sub.Argv[1:], unclearTarget) {
		return nil, false
	}
	for _, e := range sub.Effects {
		if e.Kind == shell.Delete {
			targets = append(targets, e)
		}
	}
	return targets, len(targets) > 0
}

// unclearRemoval reports an effect other than the deletion of files that are named.
func unclearRemoval(e shell.Effect) bool { return e.Kind != shell.Delete || !e.Known && !e.Glob }

// plain reports a program of the system that runs here as it is written.
func (s *Subcommand) plain() bool {
	if s.Call == nil || s.Call.Folded || !commands.SystemProgram(s.Argv[0].Text) {
		return false
	}
	return s.Plain() && len(s.Assigns) == 0 && (!s.Hidden || s.unsteered())
}

// unsteered reports whether nothing but variables that change no removal were set before.
func (s *Subcommand) unsteered() bool {
	steers := func(name string) bool { return commands.Steers(name) && !shell.Among("TMP TEMP TMPDIR", name) }
	set := s.SetBefore()
	return len(set) == len(s.PatternBlockers) && !slices.ContainsFunc(set, steers)
}

// unclearTarget reports whether rm may do something else with a word. A file that a pattern finds
// may be called like an option: none of rm's does more.
func unclearTarget(w shell.Word) bool {
	switch {
	case w.Text == shell.HoleMark && w.Temp && w.Quoted && w.Single: // what mktemp made, and that alone
		return false
	case w.List != nil:
		return false
	case !w.Known && !w.Glob, strings.Contains(w.Text, shell.HoleMark):
		return true
	case w.Glob && strings.HasSuffix(w.Text, "/"): // some rm follow a symlink that is spelled like this
		return true
	}
	return shell.NotFile(shell.CleanPath(w.Text)) // it has no effect in the tables
}

// Lister returns what runs a subcommand on names that it finds or is fed, -1 for any other.
func (a *Analysis) Lister(i int) int {
	sub := &a.Subcommands[i]
	if len(sub.Via) != 1 || !shell.Among("find xargs", sub.Via[0]) {
		return -1
	}
	for i--; i >= 0 && !(a.Subcommands[i].Launcher && a.Subcommands[i].Span.Contains(sub.Span)); i-- {
	}
	changes := func(e shell.Effect) bool { return e.Kind != shell.Read && e.Kind != shell.Looks }
	if i >= 0 && slices.ContainsFunc(a.Subcommands[i].Effects, changes) {
		return -1
	}
	return i
}

// direct reports whether only the text and scripts of the project run a subcommand, or a trap or a function of the
// text runs one on what mktemp made.
func (a *Analysis) direct(sub *Subcommand) bool {
	made := sub.Script == nil && !slices.ContainsFunc(sub.Effects, func(e shell.Effect) bool { return !e.Temp })
	for _, via := range sub.Via {
		later := made && (via == "trap" || strings.HasPrefix(via, "function "))
		if !later && !slices.ContainsFunc(a.Scripts, func(t ScriptText) bool { return t.Name == via }) {
			return false
		}
	}
	return made || sub.Script != nil || len(sub.Via) == 0
}

// Absolute reports whether operands and values of options are all absolute paths, and there are
// some.
func (s *Subcommand) Absolute() bool {
	c := s.Call
	if c == nil || c.Folded || len(c.Operands) == 0 || !commands.SystemProgram(s.Argv[0].Text) {
		return false
	}
	return !slices.ContainsFunc(c.Operands, func(o int) bool { return !absolute(&c.Argv[o]) }) &&
		!slices.ContainsFunc(c.Opts, func(o commands.Used) bool { return o.Given && !absolute(&o.Value) })
}

func absolute(w *shell.Word) bool { return w.Known && strings.HasPrefix(w.Text, "/") }

// Puts returns what may have been put anywhere before a subcommand: what others write, what git
// changes, what is not understood.
func (a *Analysis) Puts(i int) []shell.Effect {
	var all []shell.Effect
	for _, k := range a.before(i) {
		if shell.Among(mounters, a.Subcommands[k].As) {
			all = append(all, shell.Effect{Kind: shell.Unknown})
		}
		for _, e := range a.Subcommands[k].Effects {
			switch e.Kind {
			case shell.Write, shell.GitChange, shell.Unknown:
				all = append(all, e)
			}
		}
	}
	return all
}

// OnlyMakes reports whether nothing that may run before a subcommand may move, link or mount anything to where only the
// run of the text will tell, as in what mktemp makes: what is made, copied, cloned or unpacked there is no loss.
func (a *Analysis) OnlyMakes(i int) bool {
	return !slices.ContainsFunc(a.before(i), func(k int) bool {
		s := &a.Subcommands[k]
		return shell.Among(mounters, s.As) || !s.makes() && slices.ContainsFunc(s.Effects, func(e shell.Effect) bool {
			switch e.Kind {
			case shell.Write, shell.GitChange:
				return !e.Known && !e.Glob && !e.Redirect
			case shell.Execute: // a script of the text, which may know the folder
				return !e.Known && !a.Spells(&e)
			}
			return e.Kind == shell.Unknown || e.Kind == shell.Delete && !s.Does(shell.Write) // moved anywhere
		})
	})
}

const mounters = "mount sshfs bindfs rclone s3fs gcsfuse encfs mergerfs"

// makes reports whether what a command puts anywhere is made by it, copied, cloned or unpacked.
func (s *Subcommand) makes() bool {
	switch {
	case shell.Among("rm rmdir unlink", s.As): // nothing
		return true
	case !s.Known(), s.Does(shell.Delete), s.Does(shell.Unknown), s.MakesSymlinks(), s.Call.HardLinks():
		return false
	case s.As == "git":
		return slices.Equal(s.Call.Subs, []string{"clone"}) && !s.Call.Has("separate-git-dir")
	}
	const makers = "cat cargo cp curl dd go install jq mkdir mktemp npm openssl pip pip3 sed sort split tar tee touch " +
		"uv unzip wget"
	return shell.Among(makers, s.As)
}

// OnlyReads reports whether all that may run before only reads: the disk is as it was.
func (a *Analysis) OnlyReads(i int) bool {
	return !slices.ContainsFunc(a.before(i), func(k int) bool { return a.Subcommands[k].Unproven() != "" })
}

// Sourced reports whether a file may have been sourced before: it may have changed the folder.
func (a *Analysis) Sourced(sub *Subcommand) bool {
	for i := range a.Subcommands {
		if &a.Subcommands[i] != sub {
			continue
		}
		return slices.ContainsFunc(a.before(i), func(k int) bool { return a.Subcommands[k].Does(shell.Source) })
	}
	return false
}

// before lists the subcommands that may run before another. What runs it on the names it lists does nothing else.
func (a *Analysis) before(i int) (all []int) {
	by := a.Lister(i)
	for k := range a.Subcommands {
		if k != i && k != by && a.MayPrecede(k, i) {
			all = append(all, k)
		}
	}
	return all
}

// MayPrecede reports whether k may run before i. The list is in order, except for loops, jobs,
// pipes, what is substituted in a word or redirect, and scripts, which come last.
func (a *Analysis) MayPrecede(k, i int) bool {
	first, then := &a.Subcommands[k], &a.Subcommands[i]
	late := then.When.Again || slices.Contains(then.Via, "trap")
	if k < i || late || first.Script != then.Script || slices.Contains(first.From, i) {
		return true
	}
	inWord := len(first.Via) > len(then.Via) && then.Span.Contains(first.Span)
	return inWord || k-i <= first.When.Ahead || then.Script != nil && a.Twice
}

// Expands reports whether patterns find, when the text runs, what is on the disk now: all that may
// run before or meanwhile is proven to only read, and nothing touches how the shell reads patterns.
func (a *Analysis) Expands(at int) bool {
	return len(a.Doubts) == 0 && a.Lingers == "" && !a.TouchesGlobs() && a.MayFill(at) == nil
}

// MayFill returns the first subcommand that may change what the patterns of another find.
func (a *Analysis) MayFill(at int) *Subcommand {
	for i := range a.Subcommands {
		if s := &a.Subcommands[i]; a.mayRunFirst(i, at) && !s.hands(&a.Subcommands[at]) && s.Unproven() != "" {
			return s
		}
	}
	return nil
}

// hands reports whether the words of another command are words of this one, and so expanded before either runs.
func (s *Subcommand) hands(in *Subcommand) bool {
	n := len(in.Argv)
	own := func(w shell.Word) bool { return w.Span == in.Argv[0].Span }
	return n > 1 && in.Argv[0].Span != in.Argv[n-1].Span && slices.ContainsFunc(s.Argv, own)
}

// mayRunFirst reports whether a subcommand may run before another; with loops or jobs every one
// may.
func (a *Analysis) mayRunFirst(i, at int) bool {
	return !a.Straight || i < at || i > at && a.Subcommands[i].besides(at)
}

// besides reports whether a later subcommand may run before an earlier one, or at the same time.
func (s *Subcommand) besides(earlier int) bool {
	return slices.Contains(s.From, earlier) ||
		slices.ContainsFunc(s.Via, func(via string) bool { return shell.Among("$() <() >() coproc", via) })
}

// SoughtNames are the patterns by which find tests names. plain is false where such a test may be turned around, or
// where another one may find what it leaves out.
func (s *Subcommand) SoughtNames() (patterns []shell.Word, plain bool) {
	plain = true
	for i := range s.Argv {
		switch s.Argv[i].Text {
		case "!", "-not", "-o", "-or", ",":
			plain = false
		case "-name", "-iname":
			if i+1 == len(s.Argv) {
				return patterns, false
			}
			patterns = append(patterns, s.Argv[i+1])
		}
	}
	return patterns, plain
}

// TouchesGlobs reports whether a text may change how patterns are expanded.
func (a *Analysis) TouchesGlobs() bool {
	for i := range a.Subcommands {
		sub := &a.Subcommands[i]
		says := func(w shell.Word) bool { return namesGlobs(w.Text) }
		sets := func(a shell.Assign) bool { return namesGlobs(a.Name) }
		if sub.switchesGlobs() || slices.ContainsFunc(sub.Argv, says) || slices.ContainsFunc(sub.Assigns, sets) {
			return true
		}
	}
	return namesGlobs(a.Text)
}

// namesGlobs reports whether a text speaks of what switches patterns.
func namesGlobs(text string) bool {
	return shell.ContainsAny(text, "GLOBIGNORE", "BASHOPTS", "SHELLOPTS", "shopt", "setopt", "emulate", "noglob",
		"dotglob", "nullglob", "failglob", "extglob", "globstar", "nocaseglob")
}

// switchesGlobs reports a set, or a shell, with options that may be about patterns.
func (s *Subcommand) switchesGlobs() bool {
	if s.Program != "set" && !commands.IsShell(commands.TableName(s.Program)) || len(s.Argv) == 0 {
		return false
	}
	if s.Program == "fish" {
		return true
	}
	for i := 1; i < len(s.Argv); i++ {
		w := &s.Argv[i]
		switch {
		case !w.Known:
			return !w.Single || shell.LiteralPrefix(w) == ""
		case w.Text == "--", !shell.StartsWithAny(w.Text, "-", "+"):
			return false // operands
		case strings.Trim(w.Text[1:], "ceiluvxo") != "":
			return true
		case !strings.Contains(w.Text, "o"):
			continue
		}
		const harmless = "errexit nounset pipefail xtrace verbose errtrace" // they are not about patterns
		if i++; i >= len(s.Argv) || !shell.Among(harmless, s.Argv[i].Text) {
			return true
		}
	}
	return false
}

// Plants reports whether what a command writes may be a symlink or hold one.
func (s *Subcommand) Plants() bool {
	c := s.Call
	if c == nil {
		return false
	}
	switch c.Sub.Operands {
	case commands.Links, commands.Moves:
		return true
	case commands.Copies:
		return commands.ProgramName(c.Argv) != "cp" || copiesLinks(c)
	}
	unpacks := isIn(c, commands.ArchiveCommands) || isIn(c, commands.UnpackCommands)
	return unpacks || commands.TableName(commands.ProgramName(c.Argv)) == "git" || s.planter()
}

// copiesLinks reports whether cp may make a link, or copy one as it is.
func copiesLinks(c *commands.Invocation) bool {
	return c.Recursive || c.Symlinks() || c.HardLinks() ||
		c.Has("r", "recursive", "R", "a", "archive", "d", "P", "no-dereference")
}

func isIn(c *commands.Invocation, table []commands.Command) bool {
	for i := range table {
		if c.Cmd == &table[i] {
			return true
		}
	}
	return false
}

// Planted lists the places below which a planter writes: its words and its folder. ok is false
// where they are not known.
func (s *Subcommand) Planted() (places []string, ok bool) {
	if !s.planter() {
		return nil, true
	}
	places = append(places, s.Dirs...)
	for i := range s.Argv[1:] {
		w := &s.Argv[i+1]
		if !w.Known {
			return nil, false
		}
		if at := strings.IndexByte(w.Text, '/'); at == 0 || at > 0 && strings.HasPrefix(w.Text, "-") {
			places = append(places, path.Clean(w.Text[at:])) // --into=/x, -D/x
			continue
		}
		for _, dir := range s.Dirs {
			places = append(places, path.Join(dir, w.Text))
		}
	}
	return places, len(s.Dirs) > 0
}

func (s *Subcommand) planter() bool {
	if len(s.Argv) == 0 {
		return false
	}
	name, operands := commands.TableName(commands.ProgramName(s.Argv)), " "
	for i := range s.Argv[1:] {
		if w := &s.Argv[i+1]; !strings.HasPrefix(w.Text, "-") {
			operands += w.Text + " "
		}
	}
	if shell.Among("rsync patch ditto unsquashfs pax cpio unrar unar dpkg dpkg-deb rclone stow mount sshfs bindfs lndir "+
		"gln link degit tiged", name) {
		return true
	}
	for _, p := range planters {
		if p.name == name {
			return slices.ContainsFunc(strings.Split(p.subs, ","), func(sub string) bool {
				return strings.Contains(operands, " "+sub+" ")
			})
		}
	}
	return false
}

// planters are programs that copy trees, unpack or mount; their tables do not say which files they
// make.
var planters = [...]struct{ name, subs string }{
	{"docker", "cp"}, {"podman", "cp"}, {"nerdctl", "cp"}, {"kubectl", "cp"}, {"oc", "cp,rsync"},
	{"gh", "repo clone,run download,release download"}, {"glab", "repo clone,job artifact"},
	{"svn", "checkout,co,export,update,up,switch,sw"}, {"hg", "clone,update,up,checkout,co"},
	{"jj", "git clone,new,edit"}, {"fossil", "open,clone,update"}, {"bzr", "branch,checkout,co"},
}

// MakesSymlinks reports whether a command makes symlinks by its own words.
func (s *Subcommand) MakesSymlinks() bool { return s.Call != nil && s.Call.Symlinks() }

// Known reports whether a table describes the program.
func (s *Subcommand) Known() bool { return s.Call != nil && s.Call.Cmd != nil }

// Way is the way back of git's that a subcommand is, where only the text or a script of the project runs it as it is
// written, in one folder.
func (a *Analysis) Way(i int) (w commands.Way, ok bool) {
	sub := &a.Subcommands[i]
	if !a.direct(sub) || !sub.plain() || len(sub.Dirs) != 1 {
		return w, false
	}
	w, ok, _ = sub.Call.Way()
	return w, ok
}
