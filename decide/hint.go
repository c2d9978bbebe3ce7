package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
)

// A hint is what a check's literal offers instead of what it found. TestHints
// holds that steps 1 and 2 accept the commands of every literal as long as there
// are no rules, so only two things can make one useless: the name that a command
// deletes, put into it, and the rules of the user. Neither is put to the policy
// here: a name has to be plain, and a rule has only to begin like the command.

// hint returns what to try instead, with the name of what the command deletes
// where the literal has room for one; "" where a rule may refuse it.
func (in *Input) hint(check *bashsafety.Check, target string) string {
	if name := check.Names[1]; name != "" && in.harmless(target) {
		if hint := strings.ReplaceAll(check.Instead, name, target); !in.mayRefuse(hint) {
			return hint
		}
	}
	if in.mayRefuse(check.Instead) {
		return ""
	}
	return check.Instead
}

// harmless reports whether deleting one file below a name is not asked about by
// step 2: tables alone say so, and outside the project, where the gate keeps its
// own files in a hidden folder, no part of the name is hidden.
func (in *Input) harmless(name string) bool {
	if name == "" || guard.SensitivePath(name) != "" || in.Policy.OS.SystemDir(name) {
		return false
	}
	return name[0] != '/' || !strings.Contains(name, "/.")
}

// mayRefuse reports whether a deny rule begins like one of the commands that a
// hint names in backquotes.
func (in *Input) mayRefuse(hint string) bool {
	quotes := strings.Split(hint, "`")
	for _, list := range in.strictLists() {
		for i := range list.rules {
			r := &list.rules[i]
			if r.List != rules.Deny || r.Tool != in.Call.Tool || r.Bare {
				continue // a rule for every call of the tool has denied this one
			}
			for j := 1; j < len(quotes); j += 2 {
				if strings.HasPrefix(quotes[j], literalStart(r.Pattern)) {
					return true
				}
			}
		}
	}
	return false
}

// literalStart is what every command that a pattern matches begins with.
func literalStart(pattern string) string {
	start, _, _ := strings.Cut(strings.TrimSuffix(pattern, ":*"), "*")
	return strings.TrimRight(start, " ")
}

// target names what a command deletes, as the user would: the one path it is
// given, if that is plain enough to be part of a sentence and of a command.
func (in *Input) target(sub *bashsafety.Subcommand) string {
	name := ""
	for i := range sub.Effects {
		e := &sub.Effects[i]
		if e.Kind != bashsafety.Delete {
			continue
		}
		if name != "" || !e.Known || e.Glob {
			return ""
		}
		name = strings.TrimPrefix(e.Path, in.Policy.Cwd.Given+"/")
	}
	if !plainName(name) {
		return ""
	}
	return name
}

// plainName reports whether a path reads the same in a sentence, in a command and
// on a terminal, and holds no secret.
func plainName(name string) bool {
	const longest = 60
	if len(name) > longest || strings.HasPrefix(name, "-") || strings.ContainsAny(name, "`~*?[{") {
		return false
	}
	shown, _ := redact.Text(name)
	return shown == name && hookio.Escape(name) == name && rules.Quote(name) == name
}
