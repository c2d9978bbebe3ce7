package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// apply fills the description.
func (c *Invocation) apply() {
	c.Facts.Known = true
	if c.tells() {
		c.Facts.Proof = shell.Proven()
		return
	}
	c.Facts.closed = c.Sub.NoRiskyOptions
	c.Facts.valueAt = c.Values
	if c.mayRead() {
		c.Facts.Proof = shell.Proven()
	}
	if c.Sub.Local {
		c.Facts.LocalProof = shell.Proven()
	}
	if c.Sub.Rare().Project != nil {
		c.Facts.ProjectProof = shell.Proven()
	}
	for i := range c.Opts {
		c.applyOpt(&c.Opts[i])
	}
	if c.Cmd.Parser&ArgFiles != 0 {
		c.optionFile(len(c.Argv))
	}
	if c.Cmd.Parameters && c.mayRead() && len(c.Holes) == 0 {
		c.Unknown = nil
	}
	if len(c.Unknown) > 0 && !c.Sub.NoRiskyOptions {
		if c.Cmd.AllOptionsListed {
			c.Narrow("an unknown option could run or write something: " + c.Unknown[0])
		}
		c.Disprove("")
	}
	c.applyHoles()
	c.applyOperands()
	if c.Sub.RunsRest {
		c.runsFrom(0)
	}
	c.refine()
	if opts := c.Opts; slices.ContainsFunc(opts, isTwice) { // and for the other reading
		c.Opts = slices.DeleteFunc(slices.Clone(opts), isTwice)
		c.refine()
		c.Opts = opts
	}
	c.settings()
	if net := c.net(); net == FetchesURLs || net != 0 && c.Facts.Proof.Holds() {
		c.reaches()
	}
	c.silence()
	if c.Facts.Credential = c.credential(); c.Facts.Credential != nil {
		c.Disprove("prints a password, a key or a token")
	}
	c.misread()
	if !c.Sub.NoRiskyOptions && !c.Cmd.Parameters {
		c.applyNamed()
	}
	if len(c.Unknown) > 0 && !c.Sub.NoRiskyOptions { // whatever a more function found
		c.Disprove("")
	}
	c.disproveIf(c.Wrote || len(c.Facts.Narrow) > 0 || len(c.Facts.Doubts) > 0)
	c.Facts.OnlyLaunches = c.onlyLaunches()
	c.bound()
}

func isTwice(u Used) bool { return u.twice }

func (c *Invocation) refine() {
	if c.ofForms(c.Sub.Forms); c.Sub.refine != nil {
		c.Sub.refine(c)
	}
	if c.Sub == c.Cmd {
		return
	}
	if c.ofForms(c.Cmd.Forms); c.Cmd.refine != nil {
		c.Cmd.refine(c)
	}
}

// mayRead reports whether the literal says of such a call that it only reads.
func (c *Invocation) mayRead() bool {
	switch s := c.Sub; {
	case len(c.Operands) > 0 && (s.Bare || s.HasSubs() && !s.OwnOperands), s.KnownWords && !shell.AllKnown(c.Argv):
		return false
	case s.ReadOnly, s.ReadsSome, s.ReadsIfAsked && c.asked():
		return true
	default:
		return c.surely(Proves)
	}
}

func (c *Invocation) given(list string) bool {
	if list == "" {
		return false
	}
	return slices.ContainsFunc(c.Opts, func(u Used) bool { return c.means(&u) && shell.Listed(list, u.Name) })
}

// asked reports whether an option was given that only lists or checks.
func (c *Invocation) asked() bool {
	return slices.ContainsFunc(c.Opts, func(u Used) bool { return u.does == Asks })
}

// OnlyLaunches reports whether a launcher does nothing itself but read.
func (c *Invocation) onlyLaunches() bool {
	if !c.Sub.ReadOnly || len(c.Facts.Inner) == 0 || !c.Understood() || c.disputed() {
		return false
	}
	leaves := func(in Inner) bool {
		p := c.PlaceOf(&in)
		return in.Guess && p.Here() || p == Elsewhere || in.Kind == InnerStdin
	}
	more := func(e shell.Effect) bool { return e.Kind != shell.Read && e.Kind != shell.Looks }
	return !slices.ContainsFunc(c.Facts.Inner, leaves) && !slices.ContainsFunc(c.Facts.Effects, more)
}

// disputed reports whether anything speaks against the literal's proof.
func (c *Invocation) disputed() bool {
	return c.Facts.Proof.Why() != "" || c.Wrote || len(c.Facts.Narrow) > 0 || len(c.Facts.Doubts) > 0
}

// PlaceOf is where an inner command runs. In a Container it is a plain one: redirects of text there would not be seen.
func (c *Invocation) PlaceOf(in *Inner) Place {
	if !in.Here() && in.Kind == InnerArgv && c.Sub != nil && c.Sub.Contains {
		return Container
	}
	return in.Place
}

// tells reports whether the program is only asked about itself.
func (c *Invocation) tells() bool {
	return len(c.Argv) == 2 && c.Argv[1].Known && shell.Among(c.Cmd.InfoFlags, c.Argv[1].Text)
}

// TellsUsage reports whether the subcommand only prints how it is used.
func (c *Invocation) TellsUsage() bool {
	last := len(c.Argv) - 1
	return len(c.Subs) > 0 && last == c.From && c.Argv[last].Known && shell.Among(c.Cmd.Rare().EndsWith, c.Argv[last].Text)
}

// misread narrows a launcher with unknown options: one may take the word that was read as the
// command. Deny rules and checks see both readings. One that narrows and shows several already has done so.
func (c *Invocation) misread() {
	if len(c.Unknown) == 0 || c.Sub.NoRiskyOptions || len(c.Facts.Inner) > 1 && len(c.Facts.Narrow) > 0 {
		return
	}
	for i := range c.Facts.Inner {
		in := &c.Facts.Inner[i]
		if in.Covered {
			continue
		}
		c.Narrow("an unknown option precedes the command it runs: " + c.Unknown[0])
		c.keepOn()
		if in.Kind == InnerArgv && len(in.Argv) > 1 {
			c.within(Inner{Kind: InnerArgv, Via: in.Via, Argv: in.Argv[1:]})
		}
		return
	}
}

// keepOn makes a wrapper that would be taken off a launcher like any other.
func (c *Invocation) keepOn() {
	for i := range c.Facts.Inner {
		c.Facts.Inner[i].Strip = false
	}
}

// applyOpt says what one option means.
func (c *Invocation) applyOpt(u *Used) {
	switch u.does {
	case Executes, RunsName, RunsText, ObeysValue, SetsKey:
		c.runsValue(u)
	case Unsafe:
		if c.Cmd.Rare().Agent.inert(u) {
			return
		}
		c.Narrow(c.spell(u) + loadsCode)
		c.anyText(c.spell(u), &u.Value)
	case WritesValue:
		c.writeExtra(&u.Value)
	case Writes:
		c.write(&u.Value)
	case Reads:
		c.readValue(&u.Value)
	case ReadsNames:
		c.readValue(&u.Value)
		c.Facts.Code = true
	case UsesKey:
		before := len(c.Facts.Effects)
		c.readValue(&u.Value)
		for i := before; i < len(c.Facts.Effects); i++ {
			c.Facts.Effects[i].Key = true
		}
	case LoadsValue:
		c.loadValue(u)
	case ReadsPattern:
		c.readValue(&u.Value)
		c.NoPattern = true
	case GivesPattern:
		c.NoPattern = true
	case WritesInPlace:
		c.inPlace = true
	case Changes:
		c.Wrote = true
	case Recurses:
		c.Recursive = true
	case TargetDir:
		c.Target = &u.Value
	case WorkDir:
		c.Cwd = shell.Moved(c.Cwd, &u.Value)
	case Prints:
		c.prints = true
	case Asks:
		c.asks = true
	case Sends:
		c.network(&u.Value)
	}
}

// loadsCode ends the reason why an option narrows that may change what is run.
const loadsCode = " loads configuration or code, or disables a safety check"

// Why forms narrow, of several programs.
const (
	optionLoadsCode    = "an option loads code"
	optionsAfterDashes = "words after -- are still read as options"
)

// MayFindOption is why a pattern narrows: who looks at the disk knows better.
const MayFindOption = "the glob could match a file whose name is an option"

// Why words that are not known narrow.
const (
	mayBringAnOption = "an unquoted expansion could become an option"
	mayBeAnOption    = "a word only known at run time could be an option; put -- before it"
)

// laterHoles is applyHoles for words that no table parses, up to --, where refine looks for options among them.
func (c *Invocation) laterHoles(words []shell.Word) {
	for i := range words {
		switch w := &words[i]; {
		case w.Known && w.Text == "--":
			return
		case mayBeOption(w) && w.Single:
			c.Narrow(mayBeAnOption)
		case mayBeOption(w):
			c.Narrow(mayBringAnOption)
		}
	}
}

// applyHoles narrows when an unknown word could be an option that matters.
func (c *Invocation) applyHoles() {
	for _, h := range c.Holes {
		if c.Sub.NoRiskyOptions {
			return
		}
		switch w := &c.Argv[h]; {
		case w.Glob && !strings.Contains(w.Text, shell.HoleMark):
			c.Narrow(MayFindOption)
			continue
		case !w.Single:
			c.Narrow(mayBringAnOption)
			return
		}
		if c.Sub.risky() || c.Cmd.risky() {
			c.Narrow(mayBeAnOption)
			return
		}
		c.Disprove("")
	}
}
