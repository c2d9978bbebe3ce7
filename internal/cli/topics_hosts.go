package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
)

// printHosts prints every host in the order of the names: what becomes of an
// ask, where install registers the hook, and what a user has to know.
func printHosts(e *env) {
	hosts := hookio.Hosts()
	slices.SortFunc(hosts, func(a, b *hookio.Host) int { return strings.Compare(a.Name, b.Name) })
	e.prose(hostsHead)
	for _, h := range hosts {
		file := "by hand"
		if h.Register != nil {
			file = agents.Usual(h)
		}
		if h.Driven.Version == "" && len(h.Reader) > 0 {
			file += ", experimental"
		}
		fmt.Fprintf(e.out, "  %-9s%-24s%-20s%s\n", h.Name, h.Title, askWords(h), file)
	}
	e.prose(hostsNotes)
	for _, h := range agents.Hosts() {
		for i, n := range h.Register.Notes {
			name := ""
			if i == 0 {
				name = h.Name
			}
			fmt.Fprint(e.out, wrap(fmt.Sprintf("  %-9s- ", name), n, 88))
		}
	}
	fmt.Fprint(e.out, "\nBy hand, in the list of each event; here the first event of two programs:\n")
	for _, name := range [...]string{"claude", "gen"} {
		h := agents.Lookup(name)
		ev := &h.Register.Events[0]
		fmt.Fprintf(e.out, "\n  %s, hooks.%s:\n  %s\n", h.Title, ev.Name, agents.Entry(h, "/usr/local/bin/permgate", ev))
	}
	fmt.Fprint(e.out, "\npermgate install --host NAME --dry-run prints all of it; docs/hosts.md has it for every program.\n")
}

// askWords say what an ask about a shell command becomes.
func askWords(h *hookio.Host) string {
	switch h.AskIs(&hookio.Call{Host: h, Event: hookio.PreToolUse, RawEvent: firstEvent(h), Tool: "Bash"}) {
	case hookio.AskPrompts:
		return "a prompt"
	case hookio.AskSilent:
		return "its own prompt"
	}
	return "a deny"
}

// firstEvent is the event a shell command comes with where install registers the hook.
func firstEvent(h *hookio.Host) string {
	if h.Register == nil {
		return ""
	}
	return h.Register.Events[0].Name
}

const hostsHead = `Supported programs, how an ask about a shell command appears there, and where install
registers the hook:

`

const hostsNotes = `
a prompt        the program asks, showing permgate's reason
its own prompt  permgate is silent, and the program asks by its own rules
a deny          the program cannot ask for a hook; the reason says so
experimental    permgate was never run with it: install wants --experimental

Notes on each program and its versions:

`
