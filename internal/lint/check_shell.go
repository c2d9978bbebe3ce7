package lint

import (
	"strings"

	"permgate/decide"
	"permgate/rules"
)

var operatorInPattern = Check{
	ID: "operator-in-pattern", Severity: Error,
	Title: "a Bash pattern that reaches over an operator",
	Why: "A shell text is cut into the commands it would run before rules are looked at, so that &&, ||, ;, |, a redirect or a $(...) stands in none of them: " +
		"a deny of curl * | sh denies nothing, and an allow of cd x && npm test allows nothing.",
	Fix: "write one rule for each command; what a redirect reads or writes is a matter of Read and Edit rules",
	Fails: []Example{
		{Text: `{"permissions": {"deny": ["Bash(curl * | sh)"]}}`, At: `"Bash(curl * | sh)"`},
		{Text: `{"permissions": {"allow": ["Bash(cd web && npm test)"]}}`, At: `"Bash(cd web && npm test)"`},
		{Text: `{"permissions": {"deny": ["Bash(*;*)"]}}`, At: `"Bash(*;*)"`},
		{Text: `{"permissions": {"allow": ["Bash(go test ./... 2>&1)"]}}`, At: `"Bash(go test ./... 2>&1)"`},
		{Text: `{"permissions": {"ask": ["Bash(echo * > *)"]}}`, At: `"Bash(echo * > *)"`},
		{Text: `{"permissions": {"allow": ["Bash(kill $(cat pid))"]}}`, At: `"Bash(kill $(cat pid))"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Bash(grep 'a|b' *)", "Bash(find . -name '*.tmp' -exec grep x {} ;)"], "deny": ["Bash(curl http://h/?a=1&b=2)", "Bash(git log --format='%h > %s')"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if op := r.operator(); op != "" {
				text := "no command holds " + op + ": a shell text is cut there, so this rule "
				report(r.finding(text+r.void(), "", nil))
			}
		}
	},
}

// void says what comes of a rule that matches nothing.
func (r *Rule) void() string {
	switch r.List {
	case rules.Deny:
		return "denies nothing"
	case rules.Ask:
		return "asks about nothing"
	}
	return "allows nothing"
}

// operator returns the first operator of the shell in a pattern, "" for none.
func (r *Rule) operator() string {
	if !r.shell() || strings.Contains(r.Pattern, " -exec") || strings.Contains(r.Pattern, " -ok") {
		return "" // ends in a ; of its own
	}
	for _, word := range bareWords(r.Pattern) {
		bare := strings.Trim(word, "*")
		switch {
		case bare == "":
		case strings.Trim(bare, "&|;<>") == "":
			return bare
		case strings.HasPrefix(bare, "|"), strings.HasPrefix(bare, "&&"), strings.HasPrefix(strings.TrimLeft(bare, "&0123456789"), ">"), bare[0] == '<':
			return bare
		case len(bare) == len(word) && (strings.HasSuffix(bare, ";") || strings.HasSuffix(bare, "&") || strings.HasSuffix(bare, "|")):
			return bare[len(bare)-1:]
		case strings.Contains(word, "`") || strings.Contains(word, "$("):
			return "a $(...)"
		}
	}
	return ""
}

// bareWords are the words of a pattern, without what stands in quotes.
func bareWords(pattern string) []string {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
			b.WriteByte('q')
		case quote != 0:
			if c == quote {
				quote = 0
			} else if c == '\\' && quote == '"' {
				i++
			}
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteByte('q')
		default:
			b.WriteByte(c)
		}
	}
	return strings.Fields(b.String())
}

var bareCommand = Check{
	ID: "bare-command", Severity: Error,
	Title: "a deny or ask that misses the command without arguments",
	Why: "The blank before the * is part of the pattern: Bash(env *) matches env with something behind it, not env alone. " +
		"Rules of a .claude folder are read as Claude Code reads them, where it does.",
	Fix: "write name:*, which is the command alone or with arguments",
	Fails: []Example{
		{Text: `{"permissions": {"deny": ["Bash(env *)"]}}`, At: `"Bash(env *)"`, File: ".gen/settings.json", Fixed: `{"permissions": {"deny": ["Bash(env:*)"]}}`},
		{Text: `{"permissions": {"ask": ["Bash(git push *)"]}}`, At: `"Bash(git push *)"`, File: ".gen/settings.json", Fixed: `{"permissions": {"ask": ["Bash(git push:*)"]}}`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"deny": ["Bash(env *)", "Bash(curl:*)"]}}`},
		{Text: `{"permissions": {"deny": ["Bash(env *)", "Bash(env)"], "allow": ["Bash(make *)"]}}`, File: ".gen/settings.json"},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			cmd, ok := strings.CutSuffix(r.Pattern, " *")
			if !r.shell() || !r.strict() || !ok || strings.ContainsAny(cmd, "*?") || r.operator() != "" || in.held("Bash", cmd, r.List) {
				continue
			}
			now := r.with(cmd + ":*")
			report(r.finding("this rule does not match "+cmd+" alone", now, r.edit(now, false)))
		}
	},
}

var colonInside = Check{
	ID: "colon-inside", Severity: Warning,
	Title: "a :* or a colon in the middle of a Bash pattern",
	Why:   "Only at the very end does :* stand for any arguments. Anywhere else the colon is itself, and hardly a command has one there.",
	Fix:   "write a blank instead of the colon",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(git:status)"]}}`, At: `"Bash(git:status)"`},
		{Text: `{"permissions": {"allow": ["Bash(git commit:* -m)"]}}`, At: `"Bash(git commit:* -m)"`},
		{Text: `{"permissions": {"deny": ["Bash(git push:* --force)"]}}`, At: `"Bash(git push:* --force)"`, Fixed: `{"permissions": {"deny": ["Bash(git push:* --force)", "Bash(git push * --force)"]}}`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Bash(npm run test:unit)", "Bash(git show HEAD:*)", "Bash(docker run alpine:3 ls)"], "deny": ["Bash(rm:*)"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if !r.shell() || r.operator() != "" {
				continue
			}
			first, _, _ := strings.Cut(r.Pattern, " ")
			name, arg, colon := strings.Cut(first, ":")
			if mainField(r.Tool, name) || otherField(r.Tool, name) {
				continue
			}
			stem := strings.TrimSuffix(r.Pattern, ":*")
			var now string
			switch {
			case strings.Contains(stem, ":* "):
				now = strings.ReplaceAll(stem, ":* ", " * ") + r.Pattern[len(stem):]
			case colon && len(name) > 1 && arg != "*" && !strings.HasPrefix(arg, "/") && !strings.HasPrefix(arg, `\`) && r.List == rules.Allow && plainName(name):
				now = name + " " + r.Pattern[len(name)+1:]
			default:
				continue
			}
			if r.strict() && (!r.Claude && strings.HasPrefix(first, name+":*") || in.covered(r, r.with(now))) {
				continue // read as it is meant
			}
			report(r.finding("the colon in "+r.Pattern+" stands for itself, so this rule matches hardly anything", r.with(now), r.edit(r.with(now), true)))
		}
	},
}

func plainName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
}

var notAGlob = Check{
	ID: "not-a-glob", Severity: Error,
	Title: "a pattern in another language",
	Why:   "There are *, ** and ? and nothing else: no {a,b}, no regular expressions, no ! for exceptions. Other characters stand for themselves, so such a rule matches nothing there is.",
	Fix:   "write one rule for each alternative",
	Fails: []Example{
		{Text: `{"permissions": {"deny": ["Read(**/*.{pem,key})"]}}`, At: `"Read(**/*.{pem,key})"`},
		{Text: `{"permissions": {"allow": ["Bash(npm run {test,lint})"]}}`, At: `"Bash(npm run {test,lint})"`},
		{Text: `{"permissions": {"allow": ["Bash(^git (status|log)$)"]}}`, At: `"Bash(^git (status|log)$)"`},
		{Text: `{"permissions": {"deny": ["Bash(.*sudo.*)"]}}`, At: `"Bash(.*sudo.*)"`},
		{Text: `{"permissions": {"allow": ["Edit(!./gen/**)"]}}`, At: `"Edit(!./gen/**)"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Edit(./app/[slug]/page.tsx)", "Bash(awk '{print $1,$2}' *)", "Bash(find . -name x -exec grep y {} +)", "Bash(grep:*)"], "deny": ["Read(./a{1}/**)"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if !r.shell() && !r.paths() || r.operator() != "" {
				continue
			}
			if what := foreignText(r); what != "" {
				report(r.finding("patterns know no "+what+", so this rule "+r.void(), "", nil))
			}
		}
	},
}

// foreignText names what a pattern takes from another language, "" for nothing.
func foreignText(r *Rule) string {
	text := r.Pattern
	if r.shell() {
		text = strings.Join(bareWords(text), " ")
	}
	open := strings.IndexByte(text, '{')
	end := open + strings.IndexByte(text[max(open, 0):], '}')
	switch {
	case open >= 0 && end > open && strings.Contains(text[open:end], ",") && !strings.Contains(text[open:end], " "):
		return "alternatives in braces"
	case strings.HasPrefix(text, "^"), strings.HasPrefix(text, ".*") && r.shell(), strings.HasSuffix(text, "$") && !r.paths(), strings.Contains(r.Pattern, `\s`) && r.shell(), strings.Contains(text, "(?"):
		return "regular expressions"
	case r.shell() && strings.Contains(text, "(") && strings.Contains(text, "|"):
		return "alternatives in parentheses"
	case r.paths() && strings.HasPrefix(text, "!"):
		return "exceptions with !"
	}
	return ""
}

var alwaysAsked = Check{
	ID: "always-asked", Severity: Warning,
	Title: "an allow of what is asked about whatever the rules say",
	Why: "What destroys a lot, touches the files of the gate and of other tools, or cannot be analysed is asked about in step 2; no rule can allow it. " +
		"A launcher such as sudo needs a rule for itself and one for what it runs. Commands that the rule matches were put to the gate: none of them is allowed.",
	Fix: "take the rule out, or allow a narrower command; permgate explain COMMAND says what asks",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(rm -rf:*)"]}}`, At: `"Bash(rm -rf:*)"`},
		{Text: `{"permissions": {"allow": ["Bash(git push --force)"]}}`, At: `"Bash(git push --force)"`},
		{Text: `{"permissions": {"allow": ["Bash(sudo npm test)"]}}`, At: `"Bash(sudo npm test)"`},
		{Text: `{"permissions": {"allow": ["Edit(./.git/**)"]}}`, At: `"Edit(./.git/**)"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Bash(git push origin:*)", "Bash(rm build.log)", "Bash(npm test)", "Bash(sudo npm test)", "Edit(**)"]}}`},
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
			if r.List != rules.Allow || r.operator() != "" || silent[r] || in.counted(r) == nil || foreignText(r) != "" {
				continue
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
	tool, calls := "Bash", []string{r.Pattern}
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
	for _, text := range calls {
		c, v, err := in.Decide(tool, text)
		if err != nil || v.Decision.String() == "allow" || v.Rule != nil || c.Script != nil && len(c.Script.Subcommands) == 0 {
			return "", ""
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

var neverMatches = Check{
	ID: "never-matches", Severity: Warning,
	Title: "an allow that does not match the command it spells",
	Why: "A rule is compared with the commands of a shell text, word by word and without what is only known when it runs: for, do and done are no commands, and $FILE or $(date) " +
		"is covered by a wildcard only. Assignments in front are no part of a command; those that cannot change what runs need no rule, others cannot be allowed by a pattern. The very text of the rule was put to the gate, and the rule did not match it.",
	Fix: "allow the command inside, with * for words that are not known",
	Fails: []Example{
		{Text: `{"permissions": {"allow": ["Bash(echo $FOO)"]}}`, At: `"Bash(echo $FOO)"`},
		{Text: `{"permissions": {"allow": ["Bash(done)"]}}`, At: `"Bash(done)"`, Fixed: `{"permissions": {"allow": []}}`},
		{Text: `{"permissions": {"allow": ["Bash(GOOS=linux go build:*)"]}}`, At: `"Bash(GOOS=linux go build:*)"`},
		{Text: `{"permissions": {"allow": ["Bash(for f in:*)"]}}`, At: `"Bash(for f in:*)"`, Fixed: `{"permissions": {"allow": []}}`},
		{Text: `{"permissions": {"allow": ["Bash(git commit -m \"$(cat msg)\")"]}}`, At: `"Bash(git commit -m \"$(cat msg)\")"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Bash(ls $HOME/notes)", "Bash(go test ./...)", "Bash(timeout 60 npm test)", "Bash(git log --format='%h')", "Bash(./run.sh:*)"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if r.List != rules.Allow || !r.shell() || r.operator() != "" || foreignText(r) != "" || in.counted(r) == nil {
				continue
			}
			first, _, _ := strings.Cut(strings.TrimSuffix(r.Pattern, ":*"), " ")
			name, _, _ := strings.Cut(r.Pattern, ":")
			switch {
			case reserved(first):
				report(r.finding(first+" is a word of the shell and no command, so this rule allows nothing", "", r.edit("", false)))
			case assignment(first) && !in.matches(r, "Bash", strings.NewReplacer(":*", " x", "*", "x", "?", "x").Replace(r.Pattern)):
				report(r.finding("the assignment "+first+" is no part of the command, so this rule allows nothing", "", nil))
			case !strings.ContainsAny(r.Pattern, "*?") && !strings.Contains(first, ":") && !mainField(r.Tool, name) && !otherField(r.Tool, name) && !in.matches(r, "Bash", r.Pattern):
				report(r.finding("this rule does not match the command "+r.Pattern, "", nil))
			}
		}
	},
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
