package rules

import "strings"

// matchCommand matches a Bash or PowerShell rule against one subcommand.
func (p *Policy) matchCommand(r *Rule, c *Command, powershell bool) (all, some bool) {
	if c == nil {
		return false, false // no pattern speaks about a text without any subcommand
	}
	pattern := strings.TrimSpace(r.Pattern)
	if !powershell && c.differs(firstWord(pattern), r.strict()) {
		return false, false
	}
	home := p.Home.Given
	if powershell {
		home = ""
	}
	read := reading{pattern: pattern, home: home, powershell: powershell, claude: r.Claude}
	if !r.strict() {
		all = read.allows(c)
		return all, all
	}
	texts := make([]Text, 0, len(c.Allow)+len(c.Exact)+len(c.Deny))
	texts = append(append(append(texts, c.Allow...), c.Exact...), c.Deny...)
	globs := read.wide()
	for _, t := range texts {
		forms := [2]Text{t}
		n := 1
		if plain, changed := t.unquote(); changed {
			forms[1], n = plain, 2
		}
		for _, f := range forms[:n] {
			if powershell {
				f = foldTexts(f)
			}
			for i := range globs {
				a, s := globs[i].covers(f)
				if a {
					return true, true
				}
				some = some || s
			}
		}
	}
	return false, some
}

// firstWord returns what the text of every command that the rule matches
// starts with, as far as that is plain to see.
func firstWord(pattern string) string {
	n := 0
	for n < len(pattern) && (alnum(rune(pattern[n])) || strings.IndexByte("_-./", pattern[n]) >= 0) {
		n++
	}
	if n < len(pattern) && strings.IndexByte(" *?:", pattern[n]) < 0 {
		return ""
	}
	word, _, _ := strings.Cut(pattern[n:], " ") // what comes before is plain
	if word != "" && strings.ContainsAny(word, "'\"\\$`;&|<>(){}~#\t\n\r") || !ascii(word) {
		return ""
	}
	return pattern[:n]
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// differs reports whether no text of the command can start with prefix. It
// only saves work: most rules are about another program.
func (c *Command) differs(prefix string, strict bool) bool {
	if prefix == "" {
		return false
	}
	for _, list := range [...][]Text{c.Allow, c.Exact, c.Deny} {
		for _, t := range list {
			if len(t) > 0 && t.mayStart(prefix, strict) {
				return false
			}
		}
	}
	return true
}

// mayStart reports whether a text that is not empty may start with prefix.
func (t Text) mayStart(prefix string, strict bool) bool {
	if t[0].Hole != NoHole {
		return true
	}
	head := t[0].Lit[:min(len(t[0].Lit), len(prefix))]
	if strict && strings.ContainsAny(head, `'\`) {
		return true
	}
	return head == prefix || len(t) > 1 && strings.HasPrefix(prefix, head)
}
