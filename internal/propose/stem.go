package propose

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/rules"
)

// stems adds the wider rule there is to pick for a part, if works says that the
// call is decided as it should be with it.
func stems(c *decide.Case, p *Proposal, parts []decide.Part, into Into, works func(string) bool) {
	for i := range parts {
		if e, r := exact(c, &parts[i], into); r != nil || e.Rule != p.Rule {
			continue
		}
		stem, why := wider(&parts[i], p.Rule, into)
		switch {
		case why == "" && stem != "" && works(stem):
			p.Stem = stem
		case why == "" && stem != "":
			p.NoStem = stem + " would not cover the call"
			if cmd := parts[i].Subject.Command; cmd != nil && cmd.Narrow != "" {
				p.NoStem += ": " + cmd.Narrow
			}
		default:
			p.NoStem = why
		}
		return
	}
}

// wider is the stem of a rule, or why there is none.
func wider(part *decide.Part, rule string, into Into) (stem, why string) {
	s := part.Subject
	switch {
	case s.Command != nil && s.Tool == "Bash":
		n := part.Sub.Stem()
		if n == 0 {
			return "", "options or unknown words separate the words that say what it does"
		}
		if into.List == rules.Allow {
			if why := part.Sub.Open(); why != "" {
				return "", why
			}
		}
		words := make([]string, n)
		for i := range words {
			words[i] = part.Sub.Argv[i].Text
		}
		return "Bash(" + strings.Join(words, " ") + ":*)", ""
	case s.Path != nil && s.Glob == "":
		return folder(rule)
	case s.Tool == "Skill" && s.HasName:
		if ns, _, ok := strings.Cut(s.Name, ":"); ok && ns != "" {
			return "Skill(" + ns + ":*)", ""
		}
	}
	return "", ""
}

// folder is the rule for the folder a file is in and all below it, but never for
// all of a project, home, disk or folder of the system.
func folder(rule string) (stem, why string) {
	tool, pattern, _ := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
	rest := strings.TrimLeft(pattern, "~/")
	anchor := strings.TrimSuffix(pattern, rest)
	dir := path.Dir(rest)
	if dir == "." || anchor == "//" && !strings.Contains(dir, "/") {
		return "", "the file's folder is too broad for one rule"
	}
	return tool + "(" + anchor + dir + "/**)", ""
}

// Parent is the rule for the folder above that of a rule for a folder, or why there
// is none.
func Parent(rule string) (wider, why string) {
	at, ok := strings.CutSuffix(rule, "/**)")
	if !ok {
		return "", ""
	}
	return folder(at + ")")
}
