package load

import (
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// readFlags reads the files of --settings. The operator named them, so one
// that is missing is a fault.
func (l *loader) readFlags() {
	for _, name := range l.w.Settings {
		path := l.absolute(name, l.w.Cwd)
		at := place{path: path, scope: rules.Flag}
		if strings.Contains(path, "/.claude/") {
			at.root = ".claude"
		}
		if !l.exists(path) {
			l.unusable(at, "--settings names a file that does not exist")
			continue
		}
		l.read(at)
	}
}

// flagRules reads --allowedTools, --disallowedTools, --tools and --add-dir.
func (l *loader) flagRules() {
	only := ""
	if l.p.ManagedOnly.On() {
		only = "allowManagedPermissionRulesOnly is set at " + l.p.ManagedOnly.Pos.String()
	}
	for _, v := range l.w.Allowed {
		for _, text := range splitFlag(v) {
			for _, r := range l.rule(nil, text, rules.Allow, rules.Flag, rules.Pos{File: "--allowedTools"}, false) {
				l.allow(r, only)
			}
		}
	}
	for _, v := range l.w.Denied {
		for _, text := range splitFlag(v) {
			l.p.Deny = l.rule(l.p.Deny, text, rules.Deny, rules.Flag, rules.Pos{File: "--disallowedTools"}, false)
		}
	}
	l.p.HasTools = len(l.w.Tools) > 0
	for _, v := range l.w.Tools {
		for _, text := range splitFlag(v) {
			l.p.Tools = l.rule(l.p.Tools, text, rules.Allow, rules.Flag, rules.Pos{File: "--tools"}, false)
		}
	}
	for _, d := range l.w.AddDirs {
		l.dir(rules.Setting{Value: d, Scope: rules.Flag, Pos: rules.Pos{File: "--add-dir"}}, l.p.Cwd.Given, only)
	}
}

// splitFlag splits the value of --allowedTools, --disallowedTools or --tools into rule
// texts: at commas and blanks outside parentheses. A parenthesis that is never
// closed takes the rest along.
func splitFlag(text string) []string {
	var out []string
	depth, start := 0, -1
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth == 0 && strings.IndexByte(", \t\n\r", c) >= 0:
			if start >= 0 {
				out = append(out, text[start:i])
			}
			start = -1
			continue
		}
		if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		out = append(out, text[start:])
	}
	return out
}
