package lint

import (
	"slices"
	"strings"

	"permgate/decide"
	"permgate/rules"
)

var neverMatches = Check{
	ID: "never-matches", Severity: Warning,
	Title: "an allow that does not match the command it spells",
	Why: "A rule is compared with the commands of a shell text, word by word and without what is only known when it runs: for, do and done are no commands, and $FILE or $(date) " +
		"is covered by a wildcard only. Assignments in front are no part of a command; those that cannot change what runs need no rule, others cannot be allowed by a pattern. " +
		"A rule of a .claude folder without a wildcard matches its own text whole, whatever it is made of. The very text of the rule was put to the gate, and the rule did not match it.",
	Fix: "allow the command inside, with * for words that are not known",
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
			if r.List != rules.Allow || !r.shell() || r.operator() != "" || foreignText(r) != "" || in.counted(r) == nil {
				continue
			}
			first, _, _ := strings.Cut(strings.TrimSuffix(r.Pattern, ":*"), " ")
			name, _, _ := strings.Cut(r.Pattern, ":")
			switch {
			case in.runs(r):
			case reserved(first):
				report(r.finding(first+" is a word of the shell and no command, so this rule allows nothing", "", r.edit("", false)))
			case r.Claude && (assignment(first) || wrapped(r)): // Claude Code, which reads the file too, may know them as parts of the command
			case assignment(first) && !in.matches(r, "Bash", strings.NewReplacer(":*", " x", "*", "x", "?", "x").Replace(r.Pattern)):
				report(r.finding("the assignment "+first+" is no part of the command, so this rule allows nothing", "", nil))
			case wrapped(r) && !in.matches(r, "Bash", strings.NewReplacer(":*", " x", "*", "x", "?", "x").Replace(r.Pattern)):
				report(r.finding(first+" is taken off before a rule with a wildcard is looked at, so this rule allows nothing", "", nil))
			case !strings.ContainsAny(r.Pattern, "*?") && !strings.Contains(first, ":") && !mainField(r.Tool, name) && !otherField(r.Tool, name) && !in.matches(r, "Bash", in.own(r)):
				report(r.finding("this rule does not match the command "+r.Pattern, "", nil))
			}
		}
	},
}

// wrapped reports whether a pattern with a wildcard names a command behind one
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
	Title: "an allow of what is asked about whatever the rules say",
	Why: "What destroys a lot, touches the files of the gate and of other tools, or cannot be analysed is asked about in step 2; no rule can allow it. " +
		"A launcher such as sudo needs a rule for itself and one for what it runs. We tried commands this rule matches; none is allowed.",
	Fix: "take the rule out, or allow a narrower command; permgate explain COMMAND says what asks",
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
			if r.List != rules.Allow || r.operator() != "" || silent[r] || in.counted(r) == nil || foreignText(r) != "" || in.foreign(r.Pattern) {
				continue
			}
			if first, _, _ := strings.Cut(r.Pattern, " "); reserved(first) && !in.runs(r) {
				continue // see neverMatches
			}
			if cmd, why := in.alwaysAsked(r); why != "" {
				report(r.finding(cmd+" is asked about all the same: "+why, "", nil))
			}
		}
	},
}

// alwaysAsked tries calls a rule matches, and says why all of them are asked about
// in the same step; "" if one is not, or none was found.
func (in *Input) alwaysAsked(r *Rule) (call, why string) {
	tool, calls := "Bash", []string{in.own(r)}
	switch {
	case r.shell() && strings.ContainsAny(r.Pattern, "*?"):
		stem, tail := strings.CutSuffix(r.Pattern, ":*")
		if tail {
			calls = []string{stem, stem + " x", stem + " ./x y", stem + " --help"}
		} else {
			calls = nil
			for _, fill := range [...]string{"x", "./x", "x y", "--help"} {
				calls = append(calls, strings.NewReplacer("*", fill, "?", "x").Replace(r.Pattern))
			}
		}
	case r.shell():
	case r.paths() && (r.Tool == "Edit" || r.Tool == "Write"):
		tool, calls = r.Tool, []string{in.file(sample(r.Pattern))}
	default:
		return "", ""
	}
	wild := strings.ContainsAny(r.Pattern, "*?")
	p := *in.Policy
	if p.Gate.Destructive.Value == "" { // where it is not said: what most have, and what asks less
		p.Gate.Destructive.Value = "practical"
	}
	for _, text := range calls {
		c := in.caseOf(&p, tool, text)
		if c == nil {
			return "", ""
		}
		v := decide.Decide(c)
		if v.Decision.String() == "allow" || v.Rule != nil || v.Step == "3b" || v.Origin == "3b" || c.Script != nil && len(c.Script.Subcommands) == 0 {
			return "", "" // 3b is a matter of the folder that is worked in
		}
		if !in.matches(r, tool, text) || wild && v.Origin != "2" && v.Step != "2" {
			return "", ""
		}
		if call == "" {
			call, why = text, v.Reason
		}
	}
	return call, why
}
