package rules

import "strings"

// A field pattern is the one of Tool(param:value), for deny and ask only: the
// name of a scalar of the tool's input, and a glob over its text.
func fieldPattern(pattern string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(pattern, ":")
	return strings.TrimSpace(name), strings.TrimSpace(value), ok
}

// matchField matches Tool(param:value) against the input. An absent field never
// matches. What the tool is about (its command, path or URL) is compared as it
// was sent, and as rules of the tool's own grammar read it: else "cd x && rm y",
// ./a/../.env or HTTPS://HOST/ would pass where the plain spelling is denied.
func (p *Policy) matchField(r *Rule, s *Subject) (all, some bool) {
	name, value, ok := fieldPattern(r.Pattern)
	if !ok || name == "command" && commandTool(s.Tool) && allStars(value) {
		return false, false // Bash(command:*) is about the program command
	}
	var g glob
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Name != name {
			continue
		}
		if g = compileGlob(value); g.match(f.text()) || f.text() == value {
			return true, true
		}
	}
	if name == "" || name != mainField(s.Tool) || value == "" {
		return false, false
	}
	switch {
	case name == "command":
		own := *r
		own.Pattern, own.Written = value, ""
		return p.matchCommand(&own, s.Command, s.Tool == "PowerShell")
	case s.Path != nil:
		g = compileGlob(FoldPath(value))
		all = g.match(FoldPath(s.Path.Given)) || g.match(FoldPath(s.Path.Real))
	case s.URL != nil:
		all = matchURLText(value, s.URL.Text, true)
		some = !s.URL.Sure
	case s.HasName:
		g = compileGlob(value)
		all = g.match(s.Name)
	case s.Tool == "Agent":
		g = compileGlob(value)
		some = g.match(anyAgent)
	}
	return all, all || some
}

// mainField is the field a tool is about, whatever name a host gives it.
func mainField(tool string) string {
	switch tool {
	case "Bash", "Monitor", "PowerShell":
		return "command"
	case "Read", "Edit", "Write", "MultiEdit":
		return "file_path"
	case "NotebookEdit", "NotebookRead":
		return "notebook_path"
	case "Grep", "Glob", "LS":
		return "path"
	case "WebFetch":
		return "url"
	case "Agent":
		return "subagent_type"
	case "Skill":
		return "skill"
	}
	return ""
}
