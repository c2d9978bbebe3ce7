package lint

import (
	"slices"
	"strings"

	"permgate/rules"
)

var operatorInPattern = Check{
	ID: "operator-in-pattern", Severity: Error,
	Title: "a Bash pattern that reaches over an operator",
	Why: "A shell text is cut into the commands it would run before rules are looked at, so that &&, ||, ;, |, a redirect or a $(...) stands in none of them: " +
		"a deny of curl * | sh denies nothing, and an allow of cd x && npm * allows nothing. Only a rule of a .claude folder without a wildcard is its whole text.",
	Fix: "write one rule for each command; what a redirect reads or writes is a matter of Read and Edit rules",
	Fails: []Example{
		{Text: `{"permissions": {"deny": ["Bash(curl * | sh)"]}}`, At: `"Bash(curl * | sh)"`},
		{Text: `{"permissions": {"allow": ["Bash(cd web && npm test)"]}}`, At: `"Bash(cd web && npm test)"`, File: ".gen/settings.json"},
		{Text: `{"permissions": {"allow": ["Bash(cd web && npm *)"]}}`, At: `"Bash(cd web && npm *)"`},
		{Text: `{"permissions": {"deny": ["Bash(*;*)"]}}`, At: `"Bash(*;*)"`},
		{Text: `{"permissions": {"deny": ["Bash(curl|wget)"]}}`, At: `"Bash(curl|wget)"`},
		{Text: `{"permissions": {"deny": ["Bash(curl*|*sh)"]}}`, At: `"Bash(curl*|*sh)"`},
		{Text: `{"permissions": {"allow": ["Bash(go test ./... 2>&1)"]}}`, At: `"Bash(go test ./... 2>&1)"`, File: ".gen/settings.json"},
		{Text: `{"permissions": {"ask": ["Bash(echo * > *)"]}}`, At: `"Bash(echo * > *)"`},
		{Text: `{"permissions": {"allow": ["Bash(kill $(cat pid))"]}}`, At: `"Bash(kill $(cat pid))"`, File: ".gen/settings.json"},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Bash(grep 'a|b' *)", "Bash(rg c|d *)", "Bash(find . -name '*.tmp' -exec grep x {} ;)"], "deny": ["Bash(curl http://h/?a=1&b=2)", "Bash(git log --format='%h > %s')"]}}`},
		{Text: `{"permissions": {"allow": ["Bash(cd web && npm test)", "Bash(go test ./... 2>&1 | tail -5)", "Bash(kill $\\(cat pid\\))"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			op := r.operator()
			switch {
			case op == "" || r.List == rules.Allow && in.runs(r):
			case in.runs(r):
				report(r.finding("no command holds "+op+": a shell text is cut there, so this rule is about this very text alone", "", nil))
			default:
				report(r.finding("no command holds "+op+": a shell text is cut there, so this rule "+r.void(), "", nil))
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
	for i, word := range bareWords(r.Pattern) {
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
		for _, op := range [...]string{"&&", "||", "|", ";"} { // no program is called so; an argument may be
			if i == 0 && strings.Contains(bare, op) && !strings.Contains(bare, "(") {
				return op
			}
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

var onlyBare = Check{
	ID: "only-bare", Severity: Error,
	Title: "a deny or ask that binds a command without arguments alone",
	Why: "A pattern without wildcard is a whole command: Bash(curl) is curl with nothing behind it, which nobody runs, and curl with an address is not denied. " +
		"The command with a word behind it was put to the gate, and no rule of the list or a stricter one speaks of it.",
	Fix: "write name:*, which is the command alone or with arguments",
	Fails: []Example{
		{Text: `{"permissions": {"deny": ["Bash(curl)"]}}`, At: `"Bash(curl)"`, Fixed: `{"permissions": {"deny": ["Bash(curl:*)"]}}`},
		{Text: `{"permissions": {"ask": ["Bash(git push)"]}}`, At: `"Bash(git push)"`, Fixed: `{"permissions": {"ask": ["Bash(git push:*)"]}}`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"deny": ["Bash(env)", "Bash(reboot)", "Bash(git push origin main)"], "ask": ["Bash(curl:*)", "Bash(npm publish)", "Bash(npm publish *)"], "allow": ["Bash(git pull)"]}}`, File: ".gen/settings.json"},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			words := strings.Fields(r.Pattern)
			if !r.shell() || !r.strict() || len(words) == 0 || !wantsMore(words) || in.held("Bash", r.Pattern+" x", r.List) || in.held("Bash", r.Pattern+" x y", r.List) {
				continue
			}
			now := r.with(r.Pattern + ":*")
			report(r.finding("this rule matches "+r.Pattern+" alone, and not with arguments", now, r.edit(now, false)))
		}
	},
}

// wantsMore reports whether words are a program that does nothing without
// arguments, or one with a verb that most often has some.
func wantsMore(words []string) bool {
	verb := ""
	switch len(words) {
	case 1:
	case 2:
		verb = words[1]
	default:
		return false
	}
	for _, x := range [...]struct{ program, verbs string }{
		{"curl wget rm rmdir mv cp dd mkfs shred truncate chmod chown sudo doas ssh scp sftp rsync nc ncat kill pkill killall npx pip pip3 eval xargs", ""},
		{"git", "push reset rebase merge clean checkout restore"}, {"npm yarn pnpm", "publish install add"}, {"pip pip3 brew apt apt-get cargo gem", "install"},
		{"docker podman kubectl", "run exec rm delete push apply"}, {"terraform tofu pulumi", "apply destroy"},
	} {
		if slices.Contains(strings.Fields(x.program), words[0]) && (verb == "" && x.verbs == "" || verb != "" && slices.Contains(strings.Fields(x.verbs), verb)) {
			return true
		}
	}
	return false
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
		{Text: `{"permissions": {"deny": ["Bash(rm\\s+-rf)"]}}`, At: `"Bash(rm\\s+-rf)"`},
		{Text: `{"permissions": {"allow": ["Bash(^git (status|log)$)"]}}`, At: `"Bash(^git (status|log)$)"`},
		{Text: `{"permissions": {"deny": ["Bash(.*sudo.*)"]}}`, At: `"Bash(.*sudo.*)"`},
		{Text: `{"permissions": {"allow": ["Edit(!./gen/**)"]}}`, At: `"Edit(!./gen/**)"`},
	},
	Passes: []Example{
		{Text: `{"permissions": {"allow": ["Edit(./app/[slug]/page.tsx)", "Bash(awk '{print $1,$2}' *)", "Bash(find . -name x -exec grep y {} +)", "Bash(grep:*)"], "deny": ["Read(./a{1}/**)"]}}`},
		{Text: `{"permissions": {"allow": ["Bash(mkdir -p src/{a,b})", "Bash(dir C:\\src\\site *)", "Bash(powershell -Command \"Get-Item C:\\\\src | % {$_.a,$_.b}\")", ` +
			`"Bash(powershell -c \"\\(Get-Item src | Select a\\).Name\" *)", "Bash(Get-Content x | ? {$_ -match '^a\\s+$'})"]}}`},
	},
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if !r.shell() && !r.paths() || r.operator() != "" {
				continue
			}
			if what := foreignText(r); what != "" && (r.List != rules.Allow || picks(r) || !in.runs(r)) {
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
	case strings.HasPrefix(text, "^"), strings.HasPrefix(text, ".*") && r.shell(), strings.HasSuffix(text, "$") && !r.paths(), r.shell() && anyBlanks(r.Pattern), strings.Contains(text, "(?"):
		return "regular expressions"
	case r.shell() && choices(text):
		return "alternatives in parentheses"
	case r.paths() && strings.HasPrefix(text, "!"):
		return "exceptions with !"
	}
	return ""
}

// picks reports whether a word of a pattern is nothing but alternatives, as in
// npm run {lint,test}: a shell would hand over all of them, which only commands
// on files mean.
func picks(r *Rule) bool {
	words := bareWords(r.Pattern)
	files := []string{"mkdir", "rmdir", "touch", "cp", "mv", "rm", "ls", "cat", "echo", "for"}
	return len(words) > 0 && !slices.Contains(files, words[0]) && slices.ContainsFunc(words, func(word string) bool {
		return strings.HasPrefix(word, "{") && strings.HasSuffix(word, "}") && strings.Contains(word, ",")
	})
}

// anyBlanks reports whether a pattern holds \s with a repetition behind it,
// outside quotes, and no path with backslashes.
func anyBlanks(pattern string) bool {
	quote := rune(0)
	for i, c := range pattern {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.HasPrefix(pattern[i:], `\s`) && i+2 < len(pattern) && strings.IndexByte("+*?{", pattern[i+2]) >= 0:
			return !drivePath(pattern)
		}
	}
	return false
}

// choices reports whether a text holds (a|b): a pipeline in parentheses has
// blanks around its bar.
func choices(text string) bool {
	for {
		_, rest, ok := strings.Cut(text, "(")
		if !ok {
			return false
		}
		inside, _, _ := strings.Cut(rest, ")")
		if a, b, bar := strings.Cut(inside, "|"); bar && !strings.HasSuffix(a, " ") && !strings.HasPrefix(b, " ") {
			return true
		}
		text = rest
	}
}
