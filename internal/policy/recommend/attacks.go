package recommend

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/lint"
)

// Attacks lists the calls that no rule we propose may allow: what the checks of
// commands report, what lint tries on wide rules, and reading or writing what is
// secret or runs later.
func Attacks() []lint.Attack {
	list := append(lint.Attacks(),
		lint.Attack{Tool: "Bash", Arg: "rm notes.txt", From: "removes whatever file is named"},
		lint.Attack{Tool: "Bash", Arg: "git stash push .claude/settings.json", From: "takes settings back"})
	for _, c := range bashsafety.Checks() {
		for _, text := range c.Fails {
			list = append(list, lint.Attack{Tool: "Bash", Arg: text, From: "check " + c.ID})
		}
	}
	for i := range decide.Secrets {
		name := "~/" + named(decide.Secrets[i].Path, decide.Secrets[i].Dir)
		list = append(list, lint.Attack{Tool: "Read", Arg: name, From: "secret " + decide.Secrets[i].Path},
			lint.Attack{Tool: "Bash", Arg: "cat " + name, From: "secret " + decide.Secrets[i].Path})
	}
	for i := range decide.Sensitives {
		for _, name := range decide.Sensitives[i].Files() {
			list = append(list, lint.Attack{Tool: "Write", Arg: name, From: "sensitive " + name})
		}
	}
	return list
}

// named is a file that an entry of a table of paths is about.
func named(path string, dir bool) string {
	if path = strings.NewReplacer("*", "x", "?", "x").Replace(path); dir {
		path += "/x"
	}
	return path
}

// attacks are the calls of Attacks that are not allowed as things are, as groups.
func (s *Calls) attacks() (out []*group) {
	f := *s.flags
	f.Mode = "default"
	b := gate.NewBatch(&f, s.world, batchRoom)
	home := s.world.Getenv("HOME")
	for _, a := range Attacks() {
		if rest, ok := strings.CutPrefix(a.Arg, "~/"); ok && a.Tool != "Bash" {
			a.Arg = home + "/" + rest
		}
		call, err := gate.Call(a.Tool, a.Arg)
		if err != nil {
			continue
		}
		if h := hookio.Lookup(f.Host); h != nil {
			call.Host, call.Named = h, true
		}
		g := &group{Case: b.Case(call)}
		if g.v = decide.Decide(g.Case); g.v.Decision != hookio.Allow {
			out = append(out, g)
		}
	}
	return out
}
