package replay

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
)

// Group names what was asked about: a shell text by the program and subcommand the
// reason speaks of, else by the first that does something.
func Group(tool string, in gjson.Result, cwd, reason string) string {
	switch {
	case tool == "WebFetch":
		if u, err := url.Parse(in.Get("url").Str); err == nil && u.Hostname() != "" {
			return "WebFetch " + hookio.Escape(u.Hostname())
		}
	case in.Get("command").Type == gjson.String && (tool == "Bash" || tool == "Monitor"):
		if g := commandGroup(in.Get("command").Str, cwd, reason); g != "" {
			return hookio.Escape(g)
		}
	}
	return cmp.Or(hookio.Escape(tool), "a call that could not be read")
}

func commandGroup(text, cwd, reason string) string {
	group := ""
	for _, sub := range bashsafety.Analyze(text, bashsafety.Env{Cwd: cwd}).Subcommands {
		if sub.Program == "" || sub.Structural {
			continue
		}
		words := texts(sub.Argv)
		g := programGroup(sub.Program, words[1:])
		if len(sub.Alt) > 0 { // without options in front of the subcommand
			g = programGroup(sub.Program, texts(sub.Alt[0])[1:])
		}
		if strings.Contains(reason, `"`+strings.Join(words, " ")+`"`) {
			return g
		}
		if group == "" || group == "cd" {
			group = g
		}
	}
	return group
}

func texts(words []bashsafety.Word) []string {
	out := make([]string, len(words))
	for i := range words {
		out[i] = words[i].Text
	}
	return out
}

// programGroup is the program, with its subcommand where it has such.
func programGroup(program string, args []string) string {
	for _, c := range bashsafety.Commands() {
		if !c.Named(program) || len(c.Subs)+len(c.Also) == 0 {
			continue
		}
		for _, a := range args {
			if !strings.HasPrefix(a, "-") {
				return program + " " + a
			}
		}
	}
	return program
}
