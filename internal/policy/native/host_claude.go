package native

import (
	"slices"
	"strings"
	"unicode"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

var claude = Host{
	Name: "claude",
	Source: "code.claude.com/docs permissions and permission-modes, 2026-09; 2.1.330 was run with these rules and calls " +
		"on 2026-11-28, 2.1.332 with restrictions on 2026-12-01",
	InSettings: true,
	Same: []string{
		"{}", "timeout 5 {}", "timeout -s KILL 5 {}", "time {}", "nice {}", "nice -n 5 {}", "nohup {}", "stdbuf -oL {}",
		"NODE_ENV=x {}", "LANG=x {}", "NO_COLOR=1 {}", "RUST_LOG=x {}", "CI=1 {}",
		"{} && {}", "{} || {}", "{} | {}", "{} |& {}", "{}; {}", "{}\n{}", "! {}", "{} # x", "for i in 1 2; do {}; done",
		"{} > /dev/null", "{} 2>&1", "{} < /dev/null", "x=1; {}",
	},
	AllSame: "timeout 5 {} && timeout -s KILL 5 {} || time {}; nice {} | nice -n 5 {} |& nohup {}\nstdbuf -oL {}; NODE_ENV=x {}; " +
		"LANG=x NO_COLOR=1 RUST_LOG=x CI=1 {}; ! {}; for i in 1 2; do {}; done; {} > /dev/null; {} 2>&1; {} < /dev/null; x=1; {} # x",
	Own: []string{"cat:*", "echo:*", "grep:*", "cd:*", "true", "xargs:*", "[ *", "git log:*"},
	Mixed: []string{
		"cat .env | {}", "cat README.md | {}", "{} < README.md", "{} < .env", "echo $HOME | {}", "grep -r x . | {}", "{} | cat",
		"cd sub && {}", "if true; then {}; fi", "until {}; do true; done", "[ -f x ] && {}", "{} | xargs echo", "git log | {}",
	},
	AllMixed: "cat .env | cat README.md | echo $HOME | grep -r x . | git log | {} | cat | xargs echo; {} < README.md; {} < .env; " +
		"[ -f x ] && if true; then {}; fi; until {}; do true; done; cd sub && {}",
	Writes: []string{"{} > out.txt", "{} >> run.sh"},
	Escape: `"dangerouslyDisableSandbox":true`,
	Guard:  "Bash(dangerouslyDisableSandbox:true)",
	Ignored: func(r *rules.Rule) string {
		const auto = "auto mode ignores it: "
		text, more, _ := command(r)
		program, _, _ := strings.Cut(text, " ")
		switch {
		case r.Bare && rules.CommandTool(r.Tool):
			return auto + "it is about every command"
		case r.Tool == "Agent":
			return auto + "it starts agents"
		case more && runsCode(program[strings.LastIndexByte(program, '/')+1:]):
			return auto + program + " runs any code it is given"
		}
		return ""
	},
	Say: sayClaude,
}

// runsCode reports whether auto mode takes a wildcard after a program for a rule on every command.
func runsCode(program string) bool {
	return slices.Contains(strings.Fields("python pypy node deno bun tsx ts-node perl ruby php lua Rscript bash sh zsh dash ksh fish eval exec "+
		"env sudo doas su xargs ssh npx pnpx bunx uvx npm pnpm yarn pwsh powershell awk osascript docker kubectl"),
		strings.TrimRight(program, "0123456789."))
}

func sayClaude(r *rules.Rule, project string) (text, why string) {
	allow, field := r.List == rules.Allow, ""
	if name, _, ok := grammar.FieldPattern(r.Pattern); ok && !allow {
		field = name
	}
	switch {
	case r.URL != nil:
		return "", "claude has rules on hosts, not on addresses"
	case strings.HasPrefix(r.Tool, "mcp__") && allow:
		return "", "its arguments may name files with keys, which permgate asks about"
	case r.Bare && allow && r.Tool != "WebSearch" && r.Tool != "WebFetch":
	case r.Tool == "MCP" && !allow:
		return "mcp__" + strings.TrimPrefix(strings.TrimSpace(r.Pattern), "mcp__"), otherThan(r.Pattern, "*_-")
	case r.Bare, strings.HasPrefix(r.Tool, "mcp__") && r.Pattern == "" && !allow:
		return r.Tool, otherThan(r.Tool, "*_-")
	case r.Tool == "WebFetch" && field == "domain", r.Tool == "WebFetch" && allow:
		host, ok := strings.CutPrefix(r.Pattern, "domain:")
		if name := strings.TrimPrefix(host, "*."); !ok || !Plain(name) || strings.ContainsAny(name, "/: %@") {
			return "", "claude reads such a host in a way of its own"
		}
		return "WebFetch(domain:" + host + ")", ""
	case field != "" && field == rules.MainField(r.Tool):
		return "", "claude ignores a rule on the field " + field
	case rules.CommandTool(r.Tool) && !allow && r.Tool != "Monitor":
		plain := strings.NewReplacer(":*", "?", "*", "x", "'", "", `"`, "") // it takes :* for a wildcard at the end alone
		_, _, why = command(&rules.Rule{Pattern: plain.Replace(strings.TrimSuffix(r.Pattern, ":*"))})
		return r.Tool + "(" + r.Pattern + ")", why
	case r.Tool == "Bash":
		stem, more, why := command(r)
		if more {
			stem += ":*"
		}
		return "Bash(" + stem + ")", why
	case allow && (r.Tool == "Read" || r.Tool == "Edit"):
		return "", "claude takes a name for the folder of that name as well, and files with keys may be below it"
	case r.Tool == "Read", r.Tool == "Edit":
		p, why := located(r, project)
		return r.Tool + "(" + p + ")", why
	case !allow && (r.Tool == "Agent" || r.Tool == "Skill"):
		return r.Tool + "(" + r.Pattern + ")", otherThan(r.Pattern, " -_:")
	}
	return "", "permgate cannot write such a rule for claude"
}

// otherThan says why a text has signs that a program may read in another way, "" where it has but letters, digits and
// some signs.
func otherThan(text, signs string) string {
	strange := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(signs, r)
	}
	if text == "" || strings.ContainsFunc(text, strange) || strings.TrimSpace(text) != text {
		return "it has signs that are read in other ways there"
	}
	return ""
}
