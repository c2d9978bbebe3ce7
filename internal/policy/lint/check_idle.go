package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/rules"
)

var neverMatches = Check{
	ID: "never-matches", Severity: Warning,
	Title: "an allow rule that does not match its own text",
	Why: "A rule is compared with the commands in a shell text, word by word: for, do and done are not commands, and $FILE or $(date), only known at run time, " +
		"need a wildcard. Leading assignments are not part of a command; those that cannot change what runs need no rule, others cannot be allowed by a pattern. " +
		"A rule without a wildcard in a .claude folder matches its whole text. We tried the text of this rule, and the rule did not match it.",
	Fix: "allow the command inside, with * for unknown words",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if !in.tryable(r) || !r.shell() || in.runs(r) {
				continue
			}
			first, _, _ := strings.Cut(strings.TrimSuffix(r.Pattern, ":*"), " ")
			assigns, wraps := assignment(first), wrapped(r)
			filled := strings.NewReplacer(":*", " x", "*", "x", "?", "x").Replace(r.Pattern)
			switch {
			case reserved(first):
				text := first + " is a shell keyword, not a command, so this rule allows nothing"
				report(r.finding(text, "", r.edit("", false)))
			case r.Claude && (assigns || wraps):
				// Claude Code, which reads the file too, may know them as parts of the command
			case assigns && !in.matches(r, "Bash", filled):
				text := "the assignment " + first + " is not part of the command, so this rule allows nothing"
				report(r.finding(text, "", nil))
			case wraps && !in.matches(r, "Bash", filled):
				text := first + " is stripped before rules with a wildcard are matched, so this rule allows nothing"
				report(r.finding(text, "", nil))
			case r.literal(first) && !in.matches(r, "Bash", in.own(r)):
				report(r.finding("this rule does not match the command "+r.Pattern, "", nil))
			}
		}
	},
}

// tryable reports whether an allow rule is worth trying: it counts, and no other check reports it.
func (in *Input) tryable(r *Rule) bool {
	if r.List != rules.Allow || in.skips(r.Pos) {
		return false
	}
	return r.operator() == "" && foreignText(r) == "" && in.counted(r) != nil
}

// literal reports whether a pattern is one whole command.
func (r *Rule) literal(first string) bool {
	name, _, _ := strings.Cut(r.Pattern, ":")
	if strings.ContainsAny(r.Pattern, "*?") || strings.Contains(first, ":") {
		return false
	}
	return !mainField(r.Tool, name) && !otherField(r.Tool, name)
}

// wrapped reports whether a pattern with a wildcard names a command after a wrapper.
func wrapped(r *Rule) bool {
	words := strings.Fields(strings.TrimSuffix(r.Pattern, ":*"))
	return strings.ContainsAny(r.Pattern, "*?") && len(words) > 1 && words[1] != "*" &&
		slices.Contains([]string{"timeout", "time", "nice", "nohup", "stdbuf"}, words[0])
}

// assignment reports whether a word sets a variable.
func assignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && plainName(name) && !strings.ContainsAny(name, "-.")
}

// reserved reports whether a word starts or ends a construct of the shell.
func reserved(word string) bool {
	return slices.Contains([]string{
		"for", "do", "done", "while", "until", "if", "then", "else", "elif", "fi", "case", "esac", "function",
		"select", "in", "{", "}",
	}, word)
}

var alwaysAsked = Check{
	ID: "always-asked", Severity: Warning,
	Title: "an allow rule for something that is always asked about",
	Why: "Step 2 asks about anything that destroys a lot, touches files of permgate or other tools, or cannot be analysed; no rule can allow it. " +
		"A launcher such as sudo needs a rule for itself and one for what it runs. We tried commands this rule matches; none is allowed.",
	Fix: "remove the rule, or allow a narrower command; permgate explain COMMAND shows what asks",
	Run: func(in *Input, report func(Finding)) {
		for i := range in.Policy.Faults {
			if in.Policy.Faults[i].Closed {
				return // everything is asked about for now
			}
		}
		silent := map[*Rule]bool{}
		in.shadows(func(r, _ *Rule, _ *algebra.Shadow) { silent[r] = true })
		for _, r := range in.Rules {
			if !in.tryable(r) || silent[r] || in.foreign(r.Pattern) {
				continue
			}
			if first, _, _ := strings.Cut(r.Pattern, " "); reserved(first) && !in.runs(r) {
				continue // see neverMatches
			}
			if cmd, why := in.alwaysAsked(r); why != "" {
				report(r.finding(cmd+" is still asked about: "+why, "", nil))
			}
		}
	},
}

// alwaysAsked tries a rule's calls and says why one step asks about all of them, or "".
func (in *Input) alwaysAsked(r *Rule) (call, why string) {
	p := *in.Policy
	if p.Posture.Destructive.Value == "" { // where it is not said: what most have, and what asks less
		p.Posture.Destructive.Value = "practical"
	}
	tool, calls := in.samples(r)
	for _, text := range calls {
		c := in.caseOf(&p, tool, text)
		if c == nil {
			return "", ""
		}
		v := decide.Decide(c)
		if !asksInSpite(r, v.Input(), &v) || !in.matches(r, tool, text) {
			return "", ""
		}
		if call == "" {
			call, why = text, v.Reason()
		}
	}
	return call, why
}

// asksInSpite reports whether a rule's call is asked about for what it does, not by a rule or 3b.
func asksInSpite(r *Rule, c *decide.Input, v *decide.Verdict) bool {
	if v.Decision().String() == "allow" || v.Why().Rule != nil || v.Step() == "3b" || v.Origin() == "3b" {
		return false
	}
	if c.Script != nil && len(c.Script.Subcommands) == 0 {
		return false
	}
	return !strings.ContainsAny(r.Pattern, "*?") || v.Origin() == "2" || v.Step() == "2"
}

// samples are calls that a rule is likely to match, none where they cannot be made.
func (in *Input) samples(r *Rule) (tool string, calls []string) {
	stem, tail := strings.CutSuffix(r.Pattern, ":*")
	switch wild := strings.ContainsAny(r.Pattern, "*?"); {
	case r.paths() && (r.Tool == "Edit" || r.Tool == "Write"):
		return r.Tool, []string{in.file(sample(r.Pattern))}
	case !r.shell():
		return "", nil
	case !wild:
		return "Bash", []string{in.own(r)}
	case tail:
		return "Bash", []string{stem, stem + " x", stem + " ./x y"}
	}
	for _, fill := range [...]string{"x", "./x", "x y"} {
		calls = append(calls, strings.NewReplacer("*", fill, "?", "x").Replace(r.Pattern))
	}
	return "Bash", calls
}

var duplicateRule = Check{
	ID: "duplicate-rule", Severity: Warning,
	Title: "a duplicate rule",
	Why: "The second rule does nothing, and removing only the first changes nothing. Spellings with the same meaning count as duplicates, and so does a " +
		"rule already present in a file that is read wherever this one is.",
	Fix: "remove one of them",
	Run: func(in *Input, report func(Finding)) {
		in.shadows(func(r, by *Rule, s *algebra.Shadow) {
			switch s.Kind {
			case algebra.ShadowSame:
				report(r.finding(r.Text+" is "+s.How()+in.at(r, by, s), "", r.edit("", false)))
			case algebra.ShadowMeant:
				report(r.finding(r.Text+" is "+s.How()+in.at(r, by, s), "", nil))
			}
		})
	},
}

var shadowedRule = Check{
	ID: "shadowed-rule", Severity: Warning,
	Title: "a rule that a stricter list overrides completely",
	Why: "deny overrides ask, and ask overrides allow, in any order and file: a rule of a stricter list covers everything this rule matches. " +
		"A narrower allow is not an exception to a deny.",
	Fix: "remove it, or narrow the other rule: deny and ask have no exceptions",
	Run: func(in *Input, report func(Finding)) {
		in.shadows(func(r, by *Rule, s *algebra.Shadow) {
			if s.Kind == algebra.ShadowDenied || s.Kind == algebra.ShadowAsked {
				report(r.finding(r.Text+" has no effect: it is "+s.How()+in.at(r, by, s), "", nil))
			}
		})
	},
}

// Redundant returns the first rule of those texts that a wider rule makes redundant, and says how; "" for none.
func (in *Input) Redundant(texts []string) (how string) {
	in.shadows(func(r, _ *Rule, s *algebra.Shadow) {
		if how == "" && s.Kind == algebra.ShadowWider && slices.Contains(texts, r.Text) {
			how = r.Text + " is " + s.How()
		}
	})
	return how
}

// shadows calls f for every rule that has no effect wherever it is read.
func (in *Input) shadows(f func(r, by *Rule, s *algebra.Shadow)) {
	if in.shadow == nil {
		in.shadow = append(make([]algebra.Shadow, 0, 1), algebra.Shadows(in.Policy)...)
	}
	for i := range in.shadow {
		s := &in.shadow[i]
		if s.By == nil {
			continue
		}
		r, by := in.written(s.Rule), in.written(s.By)
		if !r.wellFormed() || !by.wellFormed() {
			continue
		}
		if s.Kind == algebra.ShadowSame && !follows(by, r) && follows(r, by) {
			r, by = by, r
		}
		if follows(by, r) && !slices.ContainsFunc(s.With, func(o *rules.Rule) bool { return !in.counts(o, r) }) {
			f(r, by, s)
		}
	}
}

// counts reports whether a good rule of the policy is in a file read wherever that of r is.
func (in *Input) counts(o *rules.Rule, r *Rule) bool {
	by := in.written(o)
	return by.wellFormed() && follows(by, r)
}

// wellFormed reports whether a rule is in a file and can be read.
func (r *Rule) wellFormed() bool { return r != nil && r.Err == nil }

// follows reports whether by's file is read wherever r's is: the user's counts in many projects.
func follows(by, r *Rule) bool {
	switch {
	case by.File == r.File:
		return true
	case by.Claude != r.Claude && by.Scope != rules.Managed:
		return false // read by different programs as well
	case r.Scope == rules.Local:
		return by.Scope == rules.Shared || by.Scope == rules.User || by.Scope == rules.Managed
	case r.Scope == rules.User:
		return by.Scope == rules.Managed
	}
	return false
}

// at names the places of by and of those that cover r with it, seen from r.
func (in *Input) at(r, by *Rule, s *algebra.Shadow) string {
	places := r.place(by)
	for _, other := range s.With {
		places += ", " + r.place(in.written(other))
	}
	return " (" + places + ")"
}

// place names the place of another rule, seen from r.
func (r *Rule) place(by *Rule) string {
	p := by.Pos
	if p.File = by.File.Name; by.File == r.File {
		return "line " + strconv.Itoa(p.Line)
	}
	return p.String()
}
