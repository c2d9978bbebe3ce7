package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/term"
)

func doctorCommand() *Command {
	var host string
	var json bool
	return &Command{
		Name:  "doctor",
		Args:  "[--host NAME]",
		Short: "check the binary, the registrations, the settings and the log",
		Long: `Prints one line per check: ok, warn or fail, what was found, where, and the command
that fixes it. Each registered hook is run once, as its host would run it, with a
harmless call, and its answer is compared with permgate's own. Only commands install
could have written are run, with or without --headless, and only if they start this
binary. A registered program is asked for its --version, unless it is found in the
project, and its release is compared with the last one permgate was tested with.

Exit code: 0 if everything is ok, 1 otherwise, 3 if doctor itself failed.`,
		Examples: []Example{
			{"permgate doctor", ""},
			{"permgate doctor --host codex --json", "one JSON object for every line"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&host, "host", "", "only this agent program: "+agents.Names(", "))
			fs.BoolVar(&json, "json", false, "print one JSON object for every line")
		},
		Run: func(e *env, args []string) int { return doctor(e, host, json, args) },
	}
}

// A level says how bad a finding is.
type level uint8

const (
	fine level = iota
	warn
	fail
)

// String returns the word the line starts with.
func (l level) String() string { return [...]string{"ok", "warn", "fail"}[l] }

// A finding is one line of doctor.
type finding struct {
	level
	topic string // "binary", "claude", "settings", "log"
	text  string
	fix   string // what to type or to do, "" when there is nothing to do
}

// A checkup collects findings.
type checkup struct {
	*env
	dirs     *agents.Dirs
	exe      string // the path install would register
	findings []finding
	callers  []string // hosts the log holds calls of, once it was read
	unread   bool     // the log cannot tell
	asks     map[uint64]*repeatedAsk
}

func (c *checkup) add(l level, topic, fix, format string, args ...any) {
	c.findings = append(c.findings, finding{l, topic, hookio.Escape(fmt.Sprintf(format, args...)), hookio.Escape(fix)})
}

func doctor(e *env, name string, json bool, args []string) int {
	if len(args) > 0 {
		return e.fail("permgate help doctor", "unexpected operand %q", args[0])
	}
	hosts := agents.Hosts()
	if name != "" {
		h := agents.Lookup(name)
		if h == nil {
			return e.fail("permgate doctor --host "+agents.Names("|"), "%s: permgate cannot register with this program", name)
		}
		hosts = []*hookio.Host{h}
	}
	dirs, err := e.dirs()
	if err != nil {
		return e.fail("", "%v", err)
	}
	c := &checkup{env: e, dirs: dirs}
	c.readCallers(hosts[0])
	c.binary()
	c.hosts(hosts, name != "")
	c.settings(hosts)
	if c.state() {
		c.log(hosts[0])
	}
	return c.print(json)
}

// print writes the findings and returns the exit code.
func (c *checkup) print(json bool) int {
	code := exitOK
	for _, f := range c.findings {
		if f.level != fine {
			code = exitAsk
		}
		if json {
			var o object
			o.str("level", f.level.String())
			o.str("topic", f.topic)
			o.str("text", f.text)
			o.opt("fix", f.fix)
			c.machine().Write(append(o.end(), '\n'))
			continue
		}
		fix := ""
		if f.fix != "" {
			fix = "; fix: " + f.fix
		}
		fmt.Fprintf(c.out, "%s%s%s: %s%s\n", c.mark(f.level), strings.Repeat(" ", 6-len(f.level.String())),
			f.topic, f.text, fix)
	}
	return code
}

// mark is the word of a level, in its colour where colours are wanted.
func (c *checkup) mark(l level) string {
	if !term.Colour(c.out, c.world.Getenv) {
		return l.String()
	}
	return [...]string{"\x1b[32m", "\x1b[33m", "\x1b[31m"}[l] + l.String() + "\x1b[0m"
}
