package lint

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/rules"
)

var neverMatches = Check{
	ID: "never-matches", Severity: Warning,
	Title: "an allow rule that does not match its own text",
	Why: "A rule is compared with the commands in a shell text, word by word: for, do and done are not commands, and $FILE or $(date), only known at run time, " +
		"need a wildcard. Leading assignments are not part of a command; those that cannot change what runs need no rule, others cannot be allowed by a pattern. " +
		"A rule without a wildcard in a .claude folder matches its whole text. We tried the text of this rule, and the rule did not match it.",
	Fix: "allow the command inside, with * for unknown words",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(echo $FOO)"]}}`, At: `"Bash(echo $FOO)"`, File: ".gen/settings.json"},
		{Text: `{"permissions": {"allow": ["Bash(done)"]}}`, At: `"Bash(done)"`, Fixed: `{"permissions": {"allow": []}}`},
		{Text: `{"permissions": {"allow": ["Bash(GOOS=linux go build:*)"]}}`, At: `"Bash(GOOS=linux go build:*)"`, File: ".gen/settings.json"},
		{Text: `{"permissions": {"allow": ["Bash(timeout 60 npm test:*)"]}}`, At: `"Bash(timeout 60 npm test:*)"`, File: ".gen/settings.json"},
		{Text: `{"permissions": {"allow": ["Bash(for f in:*)"]}}`, At: `"Bash(for f in:*)"`, Fixed: `{"permissions": {"allow": []}}`},
		{Text: `{"permissions": {"allow": ["Bash(git commit -m \"$(cat msg)\")"]}}`, At: `"Bash(git commit -m \"$(cat msg)\")"`, File: ".gen/settings.json"},
		{Text: `{"permissions": {"allow": ["Bash(then echo x)"]}}`, At: `"Bash(then echo x)"`, Fixed: `{"permissions": {"allow": []}}`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Bash(ls $HOME/notes)", "Bash(go test ./...)", "Bash(timeout 60 npm test)", "Bash(git log --format='%h')", "Bash(./run.sh:*)"]}}`},
		{Text: `{"permissions": {"allow": ["Bash(echo $FOO)", "Bash(FOO=1 make)", "Bash(FOO=1 make:*)", "Bash(timeout 60 npm test:*)", "Bash(git commit -m \"$(cat msg)\")", "Bash(for i in 1 2; do echo $i; done)", ` +
			`"Bash(python3 -c \"print\\(1\\)\")", "Bash(export A=1)", "Bash(node -e ':*)", ` +
			`"Bash(find . \\( -name a -o -name b \\))"]}}`},
	},
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

// tryable reports whether it makes sense to try calls of an allow rule: it
// counts, and has no text that another check reports.
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

// wrapped reports whether a pattern with a wildcard names a command after one
// of the wrappers that are taken off.
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
	switch word {
	case "for", "do", "done", "while", "until", "if", "then", "else", "elif", "fi", "case", "esac", "function", "select", "in", "{", "}":
		return true
	}
	return false
}

var alwaysAsked = Check{
	ID: "always-asked", Severity: Warning,
	Title: "an allow rule for something that is always asked about",
	Why: "Step 2 asks about anything that destroys a lot, touches files of permgate or other tools, or cannot be analysed; no rule can allow it. " +
		"A launcher such as sudo needs a rule for itself and one for what it runs. We tried commands this rule matches; none is allowed.",
	Fix: "remove the rule, or allow a narrower command; permgate explain COMMAND shows what asks",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(rm -rf:*)"]}}`, At: `"Bash(rm -rf:*)"`},
		{Text: `{"permissions": {"allow": ["Bash(git push --force)"]}}`, At: `"Bash(git push --force)"`},
		{Text: `{"permissions": {"allow": ["Bash(sudo npm test)"]}}`, At: `"Bash(sudo npm test)"`, File: ".gen/settings.json"},
		{Text: `{"permissions": {"allow": ["Edit(./.git/**)"]}}`, At: `"Edit(./.git/**)"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Bash(git push origin:*)", "Bash(rm build.log)", "Bash(npm test)", "Bash(sudo npm test)", "Edit(**)"]}}`},
		{Text: `{"permissions": {"allow": ["Bash(tee /opt/x/out.txt)", "Bash(source /Users/ken/x/.venv/bin/activate)", "Bash(del C:\\x\\y)"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for i := range in.Policy.Faults {
			if in.Policy.Faults[i].Closed {
				return // everything is asked about for now
			}
		}
		silent := map[*Rule]bool{}
		in.shadows(func(r, _ *Rule, _ *decide.Shadow) { silent[r] = true })
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

// alwaysAsked tries calls a rule matches, and says why all of them are asked about
// in the same step; "" if one is not, or none was found.
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
		if !asksInSpite(r, c, &v) || !in.matches(r, tool, text) {
			return "", ""
		}
		if call == "" {
			call, why = text, v.Reason
		}
	}
	return call, why
}

// asksInSpite reports whether a call of a rule is asked about for what it does,
// not for a rule or for the folder that is worked in (step 3b).
func asksInSpite(r *Rule, c *decide.Case, v *decide.Verdict) bool {
	if v.Decision.String() == "allow" || v.Rule != nil || v.Step == "3b" || v.Origin == "3b" {
		return false
	}
	if c.Script != nil && len(c.Script.Subcommands) == 0 {
		return false
	}
	return !strings.ContainsAny(r.Pattern, "*?") || v.Origin == "2" || v.Step == "2"
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
