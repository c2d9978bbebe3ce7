// Package words is what reasons say of a rule and of a finding, and which hint goes with it. It decides nothing.
package words

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/loss"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// SeverityLabel are seed 0's for what a check finds.
func SeverityLabel(c *bashsafety.Check) string {
	if c.Severity >= bashsafety.Destructive {
		return "destructive command"
	}
	return "suspicious command"
}

// ByRule is what a rule says: its words, its place, the part it met.
func ByRule(what string, rule *rules.Rule, u *facts.Unit) verdict.Reason {
	r := verdict.Reason{Rule: rule, Text: what}
	if pos := rule.Pos.String(); pos != "" {
		r.Text += " (" + pos + ")"
	}
	if u != nil {
		r.Part = u.Text()
		r.Text += " matches " + u.Named() + facts.Origin(u.Sub())
	}
	if rule.Note != "" {
		r.Text += "; the rule is malformed and " + rule.Note
	}
	return r
}

// DeniedByRule is the denial of a rule.
func DeniedByRule(what string, rule *rules.Rule, u *facts.Unit) verdict.Denial {
	r := ByRule(what, rule, u)
	r.Managed = rule.Scope == rules.Managed
	return verdict.Deny(r)
}

// A hint is what a check offers instead of what it found. It is about the call at hand, its names come
// from there, and the commands in it are put to steps 1 to 3b and 5 as if they were the call: one that would be
// stopped is not offered.

// hint returns the first hint of a check that is about a subcommand and accepted, "" for none. toAgent: it is for an
// agent alone.
func hint(c facts.Facts, f *bashsafety.Finding, l *loss.Loss) (text string, toAgent bool) {
	if c.Tried() {
		return "", false // what is tried out is told to no one
	}
	var sub *bashsafety.Subcommand
	if f.Sub >= 0 {
		sub = &c.Script().Subcommands[f.Sub]
	}
	for i := range f.Check.Instead {
		h := &f.Check.Instead[i]
		if h.For != "" && (sub == nil || !begins(sub, h.For)) || !l.Is(h.When, c.World()) {
			continue
		}
		if text, ok := filled(c, h, sub, l); ok && c.Acceptable(text) {
			return text, h.ToAgent
		}
	}
	return "", false
}

// begins reports whether a subcommand begins with words.
func begins(sub *bashsafety.Subcommand, text string) bool {
	words := strings.Fields(text)
	if len(sub.Argv) < len(words) || sub.Program != words[0] && sub.As != words[0] {
		return false
	}
	for i, word := range words[1:] {
		if w := &sub.Argv[i+1]; !w.Known || w.Text != word {
			return false
		}
	}
	return true
}

// filled puts the words of the call into a hint; ok is false where they are not plain.
func filled(c facts.Facts, h *bashsafety.Hint, sub *bashsafety.Subcommand, l *loss.Loss) (text string, ok bool) {
	text = h.Text
	if before, after, free := strings.Cut(text, "FREE"); free {
		text = before + l.Free(c.World()) + after
	}
	if strings.Contains(text, "NAME") {
		names := targets(c, sub)
		if names == "" {
			return "", false
		}
		text = strings.ReplaceAll(text, "NAME", names)
	}
	if strings.Contains(text, "CALL") {
		call := swapped(h, sub)
		if call == "" {
			return "", false
		}
		text = strings.Replace(text, "CALL", call, 1)
	}
	return text, true
}

// swapped is the command with the words of a hint in place of others, "" where it has none of them or is
// not plain.
func swapped(h *bashsafety.Hint, sub *bashsafety.Subcommand) string {
	const longest = 120
	var words []string
	found := h.Swap == ""
	for i := range sub.Argv {
		w := sub.Argv[i].Text
		if !sub.Argv[i].Known {
			return ""
		}
		for pair := range strings.FieldsSeq(h.Swap) {
			if old, becomes := cutLast(pair); old == w {
				w, found = becomes, found || becomes != "" || strings.HasSuffix(pair, "=")
				break
			}
		}
		if w != "" {
			words = append(words, grammar.Quote(w))
		}
	}
	if h.Add != "" {
		words = append(words, h.Add)
	}
	call := strings.Join(words, " ")
	shown, _ := redact.Text(call)
	plain := shown == call && hookio.Escape(call) == call && !strings.Contains(call, "`")
	if !found || !plain || len(call) > longest {
		return ""
	}
	return call
}

// cutLast splits a pair of Swap: the old word may hold a = itself.
func cutLast(pair string) (old, becomes string) {
	i := strings.LastIndexByte(pair, '=')
	if i < 0 {
		return pair, ""
	}
	return pair[:i], pair[i+1:]
}

// maxTold bounds how many names a hint has.
const maxTold = 4

// targets names all that a command deletes, "" where that is too much or not plain.
func targets(c facts.Facts, sub *bashsafety.Subcommand) string {
	var names []string
	for i := range sub.Effects {
		e := &sub.Effects[i]
		if e.Kind != bashsafety.Delete {
			continue
		}
		name := strings.TrimPrefix(e.Path, c.Policy().Cwd.Given+"/")
		if !e.Known || e.Glob || !plainName(name) || len(names) == maxTold {
			return ""
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// target names what a command deletes, as the user would: the one path it is
// given, if that is plain enough to be part of a sentence and of a command.
func target(c facts.Facts, sub *bashsafety.Subcommand) string {
	name := targets(c, sub)
	if strings.Contains(name, " ") {
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
	return shown == name && hookio.Escape(name) == name && grammar.Quote(name) == name && path.Clean(name) == name
}
