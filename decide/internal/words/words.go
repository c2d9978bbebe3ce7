// Package words is what reasons say of a rule and of a finding, and which hint goes with it. It decides nothing.
package words

import (
	"path"
	"slices"
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

// ByRule is what a rule of a list says of the part of the call that it matches for certain.
func ByRule(c facts.Facts, list string, rule *rules.Rule, u *facts.Unit) verdict.Reason {
	r := verdict.Reason{Rule: rule, Part: u.Text(), What: c.Doer(u.Sub()), Text: "matches", Target: Named(list, rule), Mark: list}
	if u.Effect() != nil || u.Hit().Given != "" {
		r.Text, r.Target, r.Why = u.Does(), u.Quoted(), "which "+Speaks(list, rule)
	} else if u.Sub() == nil {
		r.What = u.Quoted()
	} else if c.ByMeaning(rules.Hit{Rule: rule, Sure: true}, u.Subject()) {
		r.Text = "matches by meaning"
	}
	if pos := rule.Pos.String(); pos != "" {
		r.Mark += ", " + pos
	}
	if rule.Note != "" {
		r.Note("; the rule is malformed and " + rule.Note)
	}
	return r
}

// Named is a rule of a list, and whose it is.
func Named(list string, r *rules.Rule) string {
	switch r.Scope {
	case rules.Managed:
		return "the managed " + list + " " + r.Text
	case rules.Shared:
		return "the project's " + list + " " + r.Text
	}
	return "your " + list + " " + r.Text
}

// Speaks is what a rule of a list does to what it matches.
func Speaks(list string, r *rules.Rule) string {
	rule := Named(strings.TrimPrefix(strings.TrimPrefix(list, "ask "), "deny "), r)
	if r.List == rules.Ask {
		return rule + " asks about"
	}
	return rule + " denies"
}

// Allows is what a rule says that allows.
func Allows(list string, rule *rules.Rule, more string) verdict.Reason {
	text := list + ": " + rule.Text
	if pos := rule.Pos.String(); pos != "" {
		text += " (" + pos + ")"
	}
	return verdict.Reason{Rule: rule, Text: text + more}
}

// BlockedBy is the denial of a rule of an agent or a skill.
func BlockedBy(c facts.Facts, list string, rule *rules.Rule, u *facts.Unit) verdict.Denial {
	r := ByRule(c, list, rule, u)
	r.Mark, r.Managed = "blocked by "+r.Mark, rule.Scope == rules.Managed
	return verdict.Deny(r)
}

// A hint is what a check offers instead of what it found. It is about the call at hand, its names come
// from there, and the commands in it are put to steps 1 to 3b and 5 as if they were the call: one that would be
// stopped is not offered.

// way adds the first hint of a check that is about a subcommand and accepted. One that only looks at what else there is
// says nothing of the call.
func way(c facts.Facts, f *bashsafety.Finding, l *loss.Loss, r *verdict.Reason) {
	if r.Of != nil && movedAway(c, r.Of) {
		return // the same words would be about something else
	}
	for i := 0; i < len(f.Check.Instead) && !c.Tried(); i++ { // what is tried out is told to no one
		h := &f.Check.Instead[i]
		if h.For != "" && (r.Of == nil || !begins(r.Of, h.For)) || !l.Is(h.When, c.World()) {
			continue
		}
		text, ok := filled(c, h, r.Of, l)
		if onlyLooks := text == h.Text && strings.Contains(text, verdict.Looks); ok && !onlyLooks && c.Acceptable(text) {
			r.Way = "Try " + text
			return
		}
	}
}

// movedAway reports whether a command runs elsewhere than a hint would: in another folder, as another user, on another
// machine.
func movedAway(c facts.Facts, sub *bashsafety.Subcommand) bool {
	for _, dir := range sub.Dirs {
		if dir != c.Script().Env.Cwd {
			return true
		}
	}
	return !sub.Here() || sub.Does(bashsafety.Privilege) || slices.ContainsFunc(sub.Via, func(via string) bool {
		return strings.HasPrefix(via, "sudo") || strings.HasPrefix(via, "doas") || strings.HasPrefix(via, "ssh")
	})
}

// begins reports whether a subcommand begins with words, and has the options among them.
func begins(sub *bashsafety.Subcommand, text string) bool {
	_, ok := after(sub, text)
	return ok
}

// after returns how many words of one of the spellings, see bashsafety.Said, a subcommand begins with; ok is false if
// it does not, or has not the options.
func after(sub *bashsafety.Subcommand, spellings string) (n int, ok bool) {
	for text := range strings.SplitSeq(spellings, "|") {
		if n, ok = spelled(sub, text); ok {
			return n, true
		}
	}
	return 0, false
}

// spelled is after for one spelling.
func spelled(sub *bashsafety.Subcommand, text string) (n int, ok bool) {
	for word := range strings.FieldsSeq(text) {
		switch {
		case word == "--" && n < len(sub.Argv) && sub.Argv[n].Text != word:
			return 0, false
		case n == 0 && (sub.Program == word || sub.As == word) && len(sub.Argv) > 0:
		case word[0] == '-' && word != "--":
			said := slices.ContainsFunc(sub.Argv, func(w bashsafety.Word) bool { return w.Text == word })
			if !said && (sub.Call == nil || !sub.Call.Has(strings.TrimLeft(word, "-"))) {
				return 0, false
			}
			continue
		case n == 0 || n >= len(sub.Argv) || !sub.Argv[n].Known || sub.Argv[n].Text != word:
			return 0, false
		}
		n++
	}
	return n, true
}

// filled puts the words of the call into a hint; ok is false where they are not plain.
func filled(c facts.Facts, h *bashsafety.Hint, sub *bashsafety.Subcommand, l *loss.Loss) (text string, ok bool) {
	text = h.Text
	if before, after, free := strings.Cut(text, "FREE"); free {
		text = before + l.Free(c.World()) + after
	}
	if strings.Contains(text, "NAME") {
		names := targets(c, sub)
		if n, ok := after(sub, h.For); ok && len(names) == 0 && n+1 == len(sub.Argv) && plainName(sub.Argv[n].Text) {
			names = []string{sub.Argv[n].Text}
		}
		if len(names) == 0 {
			return "", false
		}
		text = strings.ReplaceAll(text, "NAME", strings.Join(names, " "))
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

// targets names all that a command deletes, as the user would; none where that is too much or not plain.
func targets(c facts.Facts, sub *bashsafety.Subcommand) (names []string) {
	for i := range sub.Effects {
		e := &sub.Effects[i]
		if e.Kind != bashsafety.Delete {
			continue
		}
		name := strings.TrimPrefix(e.Path, c.Policy().Cwd.Given+"/")
		if !e.Known || e.Glob || !plainName(name) || len(names) == maxTold {
			return nil
		}
		names = append(names, name)
	}
	return names
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
