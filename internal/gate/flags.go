// Package gate makes a Case of a call, flags and the world, for hook and
// subcommands alike: a dry run sees what the hook saw.
package gate

import (
	"strings"

	"github.com/spf13/pflag"
)

// Flags are the options the hook, check and explain share.
type Flags struct {
	Host, Event       string
	Cwd, Home, State  string
	Agent, Skill      string
	Mode              string
	Headless          bool
	AllowBypass       bool
	Settings, AddDirs []string
	Allowed, Denied   []string
	Tools             []string
}

// Register adds the shared options to fs.
func (f *Flags) Register(fs *pflag.FlagSet) {
	fs.StringVar(&f.Host, "host", "", "calling agent program, see permgate help hosts")
	fs.StringVar(&f.Event, "event", "", "hook event, if the payload does not name it")
	fs.StringVar(&f.Cwd, "cwd", "", "working directory of the call")
	fs.StringVar(&f.Home, "home", "", "home directory; counts as trusted")
	fs.StringVar(&f.State, "state", "", "folder of the session state")
	fs.StringVar(&f.Agent, "agent", "", "decide as this subagent")
	fs.StringVar(&f.Skill, "skill", "", "restrict to the allowed-tools of this skill")
	fs.StringVar(&f.Mode, "permission-mode", "", "mode to decide in")
	fs.BoolVar(&f.Headless, "headless", false, "no prompt is possible: ask becomes deny")
	fs.BoolVar(&f.AllowBypass, "allow-dangerously-skip-permissions", false,
		"let --permission-mode bypassPermissions count")
	fs.Var((*list)(&f.Settings), "settings", "additional settings file; may be repeated")
	fs.Var((*list)(&f.AddDirs), "add-dir", "additional directory writes may go to, relative to the cwd")
	fs.Var((*list)(&f.Allowed), "allowedTools", "allow rules, separated by commas or spaces")
	fs.Var((*list)(&f.Denied), "disallowedTools", "deny rules, separated by commas or spaces")
	fs.Var((*list)(&f.Tools), "tools", "the only tools there are: names or rules, separated like those; all others are denied")
}

// Plain reads args of only --host, --event and --home, as registered hooks have, like the
// table of all options, which takes 2 % of a call.
func (f *Flags) Plain(args []string) bool {
	plain := Flags{}
	for ; len(args) > 1; args = args[2:] {
		switch args[0] {
		case "--host":
			plain.Host = args[1]
		case "--event":
			plain.Event = args[1]
		case "--home":
			plain.Home = args[1]
		default:
			return false
		}
	}
	if len(args) > 0 {
		return false
	}
	*f = plain
	return true
}

// A list is an option that may be repeated. pflag's own starts up more slowly, for its help text.
type list []string

func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

func (l *list) String() string { return strings.Join(*l, ", ") }

func (l *list) Type() string { return "stringArray" }
