package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// applyOpt says what one option means.
func (c *Invocation) applyOpt(u *Used) {
	switch u.does {
	case Executes:
		c.Narrow(c.spell(u) + " runs a command")
		c.scan(c.spell(u), u.Value.Text, &u.Value)
	case Unsafe:
		if c.Cmd.Rare().Agent.inert(u) {
			return
		}
		c.Narrow(c.spell(u) + " loads configuration or code, or disables a safety check")
	case WritesValue:
		if c.write(&u.Value) {
			c.Narrow(c.spell(u) + writesFile)
		}
	case OutputsValue:
		c.write(&u.Value)
	case ReadsValue:
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

// writesFile ends the reason why an option narrows that names a file to write.
const writesFile = " writes a file"

// MayFindOption is why a pattern narrows: who looks at the disk knows better.
const MayFindOption = "the glob could match a file whose name is an option"

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
			c.Narrow("an unquoted expansion could become an option")
			return
		}
		if c.Sub.risky() || c.Cmd.risky() {
			c.Narrow("a word only known at run time could be an option; put -- before it")
			return
		}
		c.Disprove("")
	}
}
