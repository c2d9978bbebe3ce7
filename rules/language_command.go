package rules

import "strings"

// commandLanguage is what a rule matches among the commands of one tool.
func (p *Policy) commandLanguage(r *Rule, tool string) (l Language, why string) {
	powershell := r.kind(tool) == "PowerShell"
	if l, done := p.wholeTool(r, tool); done {
		return l, ""
	}
	home := p.Home.Given
	if powershell {
		home = ""
	}
	if !r.strict() {
		read := reading{pattern: strings.TrimSpace(r.Pattern), home: home, powershell: powershell, claude: r.Claude}
		g := read.narrow()
		l.Sure = append(l.Sure, &sureOf(newHoleMachine(&g, powershell)).Machine)
		return l, ""
	}
	readings := r.readings()
	for i := range readings {
		read := reading{pattern: strings.TrimSpace(readings[i].Pattern), home: home, powershell: powershell, claude: r.Claude}
		l.addWide(&read)
		name, value, ok := fieldPattern(readings[i].Pattern)
		switch {
		case !ok || name == "command" && allStars(value):
		case name != "command":
			l.addField(name, value)
		case value != "":
			g := compileGlob(value)
			l.Sure = append(l.Sure, &sureOf(newHoleMachine(&g, false)).Machine)
			read.pattern = value
			l.addWide(&read)
		}
	}
	return l, ""
}

// addWide adds what deny and ask match by a pattern.
func (l *Language) addWide(read *reading) {
	globs := read.wide()
	head := len(firstWord(read.pattern))
	if read.powershell {
		head = 0
	}
	for i := range globs {
		sure := sureOf(newHoleMachine(&globs[i], read.powershell))
		maybe := maybeOf(newHoleMachine(&globs[i], read.powershell), head)
		l.Sure = append(l.Sure, &sure.Machine, sure.withoutQuotes())
		l.Maybe = append(l.Maybe, &maybe.Machine, maybe.withoutQuotes())
	}
}

// addField adds what Tool(name:value) matches.
func (l *Language) addField(name, value string) {
	if !identifier(name) {
		return // no field has such a name
	}
	g := compileGlob(value)
	l.Fields = append(l.Fields, FieldLanguage{name, globMachine(&g, nil)})
}

// wholeTool is the language of a rule that matches all calls of a tool, or none.
func (p *Policy) wholeTool(r *Rule, tool string) (l Language, done bool) {
	switch {
	case mcpRule(r):
		l.All = matchMCP(r, tool)
		return l, true
	case !r.governs(tool):
		return l, true
	}
	l.All = r.Bare
	return l, r.Bare
}
