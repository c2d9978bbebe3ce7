package lint

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

var operatorInPattern = Check{
	ID: "operator-in-pattern", Severity: Error,
	Title: "a Bash pattern that contains an operator",
	Why: "A shell text is split into the commands it would run before rules are matched, so no command contains &&, ||, ;, |, a redirect or $(...): " +
		"a deny of curl * | sh denies nothing, and an allow of cd x && npm * allows nothing. Only a rule without a wildcard in a .claude folder matches a whole text.",
	Fix: "write one rule for each command; use Read and Edit rules for redirects",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			op := r.operator()
			switch {
			case op == "" || r.List == rules.Allow && in.runs(r):
			case in.runs(r):
				report(r.finding("no command contains "+op+": a shell text is split there, so this rule matches only this exact text", "", nil))
			default:
				report(r.finding("no command contains "+op+": a shell text is split there, so this rule "+r.void(), "", nil))
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
		if op := wordOperator(word); op != "" {
			return op
		}
		if i == 0 && !strings.Contains(word, "(") { // no program is called so; an argument may be
			for _, op := range [...]string{"&&", "||", "|", ";"} {
				if strings.Contains(word, op) {
					return op
				}
			}
		}
	}
	return ""
}

// wordOperator returns the operator that a pattern's word is, starts or ends with, or "".
func wordOperator(word string) string {
	bare := strings.Trim(word, "*")
	redirect := strings.TrimLeft(bare, "&0123456789")
	switch {
	case bare == "":
	case strings.Trim(bare, "&|;<>") == "":
		return bare
	case strings.HasPrefix(bare, "|"), strings.HasPrefix(bare, "&&"), bare[0] == '<', strings.HasPrefix(redirect, ">"):
		return bare
	case len(bare) == len(word) && strings.IndexByte(";&|", bare[len(bare)-1]) >= 0:
		return bare[len(bare)-1:]
	case strings.Contains(word, "`"), strings.Contains(word, "$("):
		return "a $(...)"
	}
	return ""
}

// bareWords are the words of a pattern, without what is in quotes.
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
	Title: "a deny or ask rule that misses the command without arguments",
	Why: "The space before the * is part of the pattern: Bash(env *) matches env with arguments, not env alone. " +
		"In a .claude folder rules are read as Claude Code reads them, where it does.",
	Fix: "write name:*, which matches the command alone or with arguments",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			cmd, ok := strings.CutSuffix(r.Pattern, " *")
			if !ok || !r.shell() || !r.strict() || r.operator() != "" {
				continue
			}
			if strings.ContainsAny(cmd, "*?") || r.cut() != "" || in.held(r, "Bash", cmd) {
				continue
			}
			now := r.with(cmd + ":*")
			report(r.finding("this rule does not match "+cmd+" alone", now, r.edit(now, false)))
		}
	},
}

var onlyBare = Check{
	ID: "only-bare", Severity: Error,
	Title: "a deny or ask rule that matches only the command without arguments",
	Why: "A pattern without a wildcard is a whole command: Bash(curl) is curl without arguments, which is never run, and curl with an address is not denied. " +
		"We tried the command with an argument, and no rule of this list or a stricter one matches.",
	Fix: "write name:*, which matches the command alone or with arguments",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			words := strings.Fields(r.Pattern)
			if !r.shell() || !r.strict() || !wantsMore(words) {
				continue
			}
			if in.held(r, "Bash", r.Pattern+" x") || in.held(r, "Bash", r.Pattern+" x y") {
				continue
			}
			now := r.with(r.Pattern + ":*")
			report(r.finding("this rule matches "+r.Pattern+" alone, not with arguments", now, r.edit(now, false)))
		}
	},
}

// wantsMore reports whether words are a program, or verb, that does nothing without arguments.
func wantsMore(words []string) bool {
	if len(words) == 0 || len(words) > 2 {
		return false
	}
	for _, x := range [...]struct{ program, verbs string }{
		{"curl wget rm rmdir mv cp dd mkfs shred truncate chmod chown sudo doas ssh scp sftp rsync nc ncat kill pkill killall npx pip pip3 eval xargs", ""},
		{"git", "push reset rebase merge clean checkout restore"}, {"npm yarn pnpm", "publish install add"}, {"pip pip3 brew apt apt-get cargo gem", "install"},
		{"docker podman kubectl", "run exec rm delete push apply"}, {"terraform tofu pulumi", "apply destroy"},
	} {
		if !slices.Contains(strings.Fields(x.program), words[0]) {
			continue
		}
		if len(words) == 1 && x.verbs == "" || len(words) == 2 && slices.Contains(strings.Fields(x.verbs), words[1]) {
			return true
		}
	}
	return false
}

// programColon reports whether name:arg is a program and argument, not a drive, URL or prefix rule.
func programColon(name, arg string) bool {
	return len(name) > 1 && plainName(name) && arg != "*" && strings.IndexAny(arg, `/\`) != 0
}

var colonInside = Check{
	ID: "colon-inside", Severity: Warning,
	Title: "a :* or colon in the middle of a Bash pattern, or after a word cut short",
	Why: ":* means any arguments only at the very end. Anywhere else the colon is literal, and few commands contain one there. It begins a new word, as a space before the * does: " +
		"Bash(dd if=:*) is dd if= alone or with more words, which nobody runs, and not dd if=/dev/zero.",
	Fix: "write a space instead of the colon, or the * right after the word",
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
			now, why := "", "the colon in "+r.Pattern+" is literal, so this rule matches almost nothing"
			switch cut := r.cut(); {
			case cut != "":
				now, why = cut+"*", "the wildcard begins a new word, so this rule does not match "+cut+"x"
			case strings.Contains(stem, ":* "):
				now = strings.ReplaceAll(stem, ":* ", " * ") + r.Pattern[len(stem):]
			case colon && r.List == rules.Allow && programColon(name, arg):
				now = name + " " + r.Pattern[len(name)+1:]
			default:
				continue
			}
			if r.strict() && (!r.Claude && strings.HasPrefix(first, name+":*") || in.covered(r, r.with(now))) {
				continue // read as it is meant
			}
			report(r.finding(why, r.with(now), r.edit(r.with(now), !in.covers(r, r.with(now)))))
		}
	},
}

// cut is a pattern up to its last wildcard where that begins a new word, and the one before it is no whole one (dd if=:*).
func (r *Rule) cut() string {
	stem := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(r.Pattern, ":*"), " *"), " \t")
	words := strings.Fields(stem)
	texts := []string{"grep", "egrep", "fgrep", "rg", "ag", "ack", "echo", "printf"} // whose words may end in anything
	if !r.shell() || !strings.HasSuffix(r.Pattern, "*") || len(words) < 2 || slices.Contains(texts, words[0]) {
		return ""
	}
	if last := words[len(words)-1]; strings.Trim(last, "=@!<>+-") == "" || strings.TrimRight(last, "=@") == last {
		return ""
	}
	return stem
}

func plainName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
}

var notAGlob = Check{
	ID: "not-a-glob", Severity: Error,
	Title: "a pattern with unsupported syntax",
	Why:   "Patterns have *, ** and ? and nothing else: no {a,b}, no regular expressions, no ! for exceptions. Other characters are literal, so such a rule matches nothing.",
	Fix:   "write one rule for each alternative",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if !r.shell() && !r.paths() || r.operator() != "" {
				continue
			}
			if what := foreignText(r); what != "" && (r.List != rules.Allow || picks(r) || !in.runs(r)) {
				report(r.finding("patterns do not support "+what+", so this rule "+r.void(), "", nil))
			}
		}
	},
}

// foreignText names what a pattern takes from another language, "" for nothing.
func foreignText(r *Rule) string {
	text := strings.TrimSpace(r.Pattern)
	if r.shell() {
		text = strings.Join(bareWords(text), " ")
	}
	switch {
	case braceChoices(text):
		return "alternatives in braces"
	case regularExpression(r, text):
		return "regular expressions"
	case r.shell() && choices(text):
		return "alternatives in parentheses"
	case r.paths() && strings.HasPrefix(text, "!"):
		return "exceptions with !"
	}
	return ""
}

// regularExpression reports whether a pattern has signs that only a regular expression has.
func regularExpression(r *Rule, text string) bool {
	if strings.HasPrefix(text, "^") || strings.Contains(text, "(?") || strings.HasSuffix(text, "$") && !r.paths() {
		return true
	}
	return r.shell() && (strings.HasPrefix(text, ".*") || anyBlanks(r.Pattern))
}

// braceChoices reports whether the first braces of a text hold alternatives.
func braceChoices(text string) bool {
	_, rest, _ := strings.Cut(text, "{")
	inside, _, closed := strings.Cut(rest, "}")
	return closed && strings.Contains(inside, ",") && !strings.Contains(inside, " ")
}

// picks reports whether a pattern's word is nothing but alternatives (npm run
// {lint,test}), all of which a shell would hand over, as few commands mean.
func picks(r *Rule) bool {
	words := bareWords(r.Pattern)
	files := []string{"mkdir", "rmdir", "touch", "cp", "mv", "rm", "ls", "cat", "echo", "for"}
	return len(words) > 0 && !slices.Contains(files, words[0]) && slices.ContainsFunc(words, func(word string) bool {
		return strings.HasPrefix(word, "{") && strings.HasSuffix(word, "}") && strings.Contains(word, ",")
	})
}

// anyBlanks reports whether a pattern repeats \s outside quotes and without backslashed paths.
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

// choices reports whether a text holds (a|b), without the blanks that a pipeline has at its bar.
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
