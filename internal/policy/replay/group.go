package replay

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
)

// Group names what was asked about: a shell text by the program and subcommand the
// reason speaks of, else by the first that does something.
func Group(tool string, in gjson.Result, cwd, reason string) string {
	var subs []bashsafety.Subcommand
	if text := in.Get("command"); text.Type == gjson.String && isShell(tool) {
		subs = bashsafety.Analyze(text.Str, bashsafety.Env{Cwd: cwd}).Subcommands
	}
	return (&grouper{}).group(tool, in.Get("url").Str, subs, reason)
}

func isShell(tool string) bool { return tool == "Bash" || tool == "Monitor" }

// A grouper names groups, and remembers which programs have subcommands.
type grouper struct{ verbs map[string]bool }

// maxVerbs bounds what a grouper remembers.
const maxVerbs = 1000

func (g *grouper) group(tool, link string, subs []bashsafety.Subcommand, reason string) string {
	switch {
	case tool == "WebFetch":
		if u, err := url.Parse(link); err == nil && u.Hostname() != "" {
			return "WebFetch " + hookio.Escape(clip(u.Hostname(), maxName))
		}
	case isShell(tool):
		if sub := asked(subs, reason); sub != nil {
			return hookio.Escape(clip(g.named(sub), maxName))
		}
	}
	return cmp.Or(hookio.Escape(clip(tool, maxName)), "a call that could not be read")
}

// asked returns the subcommand that a reason quotes, else the first but for cd.
func asked(subs []bashsafety.Subcommand, reason string) (first *bashsafety.Subcommand) {
	for i := range subs {
		sub := &subs[i]
		if sub.Program == "" || sub.Structural {
			continue
		}
		text := strings.Join(texts(sub.Argv), " ")
		if strings.Contains(reason, `"`+text+`"`) || strings.Contains(reason, "`"+text+"`") {
			return sub
		}
		if first == nil || first.Program == "cd" {
			first = sub
		}
	}
	return first
}

// named is the program of a subcommand, with its verb where it has such. What follows an
// option may be its value, and that a secret: it is no verb.
func (g *grouper) named(sub *bashsafety.Subcommand) string {
	argv := sub.Argv
	if len(sub.Alt) > 0 { // without options in front of the verb
		argv = sub.Alt[0]
	}
	if len(argv) < 2 || strings.HasPrefix(argv[1].Text, "-") || !g.hasVerbs(sub.Program) {
		return sub.Program
	}
	return sub.Program + " " + argv[1].Text
}

func (g *grouper) hasVerbs(program string) bool {
	has, known := g.verbs[program]
	if known {
		return has
	}
	has = slices.ContainsFunc(bashsafety.Commands(), func(c *bashsafety.Command) bool {
		return c.Named(program) && len(c.Subs)+len(c.Also) > 0
	})
	if g.verbs == nil || len(g.verbs) == maxVerbs {
		g.verbs = map[string]bool{}
	}
	g.verbs[strings.Clone(program)] = has
	return has
}

func texts(words []bashsafety.Word) []string {
	out := make([]string, len(words))
	for i := range words {
		out[i] = words[i].Text
	}
	return out
}
