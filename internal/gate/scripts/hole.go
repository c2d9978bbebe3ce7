package scripts

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

const (
	hole     = bashsafety.HoleMark
	maxHoles = 100
	// separators end a command, or start one inside
	separators = ";&|(`{\n"
)

// commandOpen reports whether an unknown part of a text stands where a command
// does. Such a text is not looked at: all of it could be anything.
func commandOpen(text string) bool {
	if strings.Count(text, hole) > maxHoles {
		return true
	}
	for i := 0; ; {
		k := strings.IndexByte(text[i:], hole[0])
		if k < 0 {
			return false
		}
		if startsCommand(text[:i+k]) {
			return true
		}
		i += k + 1
	}
}

// startsCommand reports whether a command starts behind a text: nothing, or
// assignments and words of the shell's grammar, since the last separator.
func startsCommand(before string) bool {
	if i := strings.LastIndexAny(before, separators); i >= 0 {
		if before[i] == '{' && i > 0 && before[i-1] == '$' {
			return false
		}
		before = before[i+1:]
	}
	fields := strings.Fields(before)
	if n := len(fields); n > 0 && !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "\t") {
		last := fields[n-1]
		if strings.Contains(last, "=") { // X=…
			return false
		}
		fields = fields[:n-1]
	}
	for _, w := range fields {
		switch w {
		case "!", "if", "then", "else", "elif", "while", "until", "do", "time", "exec", "env", "sudo":
		default:
			const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
			if i := strings.IndexByte(w, '='); i <= 0 || strings.Trim(w[:i], letters) != "" {
				return false
			}
		}
	}
	return true
}

// settle turns a text with holes into a script, or a note where it is not plain.
func (f *file) settle(name string, line int, text string) bashsafety.ScriptText {
	if commandOpen(text) {
		return f.skip(name, line, "a command name in it comes from "+f.runner)
	}
	return f.text(name, line, text)
}

// fillTemplates replaces each {{...}} of a text by what value makes of the
// inside, and one that does not end, with all behind it, by a hole.
func fillTemplates(text string, value func(inside string) string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{{")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		inside, after, ok := strings.Cut(rest, "}}")
		if !ok {
			return out.String() + hole
		}
		out.WriteString(value(inside))
		text = after
	}
}
