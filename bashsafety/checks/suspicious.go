package checks

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// EscapedOption is the check whose finding the reasons of others name as well.
const EscapedOption = "escaped-option"

// suspiciousChecks find what hides what it does, or changes what guards you.
var suspiciousChecks = []interp.Check{
	{
		ID:       "system-write",
		Title:    "changes a system file",
		Why:      "programs and logins of every user depend on it",
		Instead:  "`cp hosts.new build/hosts`, inside the project",
		Severity: interp.Suspicious,
		Fails: []string{
			"echo x 1<> /etc/hosts", "echo x >| /etc/cron.d/x", "cp a /usr/bin/a", "tee /boot/x", "echo x > /dev/../etc/passwd",
			"sudo install -m 755 a /usr/lib/a", "rm /etc/hosts", "sed -i s/a/b/ /etc/hosts", "mv a /etc/",
		},
		Passes: []string{"cat /etc/hosts", "echo x > build/etc/hosts", "grep x /usr/lib/y", "echo '> /etc/passwd'", "cp /etc/hosts build/"},
		Find:   func(s *interp.Analysis) []interp.Finding { return writing(s, systemPath) },
	},
	{
		ID:       "zsh-builtin",
		Title:    "uses a zsh builtin that bypasses the usual programs",
		Why:      "it opens files and sockets that no rule can name",
		Instead:  "the usual program, such as `cat notes.txt`",
		Severity: interp.Suspicious,
		Fails: []string{
			"zmodload zsh/system", "emulate -c 'id'", "syswrite -o 3 x", "ztcp example.com 443", "zf_rm x", "zpty a b", "builtin zmodload zsh/files",
			"sysopen -w x", "zftp open example.com", "zcompile x", "sched +1 id",
		},
		Passes: []string{"echo zmodload", "which ztcp", "ls zf_rm"},
		Find: func(s *interp.Analysis) []interp.Finding {
			return remote.Named(s, func(name string, _ []shell.Word) bool {
				return strings.HasPrefix(name, "zf_") || shell.Listed("zmodload emulate sysopen sysread syswrite sysseek zpty "+
					"ztcp zsocket zsystem zselect zftp zcompile sched", name)
			})
		},
	},
	{
		ID:       EscapedOption,
		Title:    "hides an option behind a backslash",
		Why:      "the shell drops the backslash, and a reader or a filter may miss the option",
		Instead:  "`ls -l`, with the option spelled out",
		Severity: interp.Suspicious,
		Fails:    []string{`ls \-l`, `ls -\l`, `rm \-rf x`, `git push -\-force`, `git push --\force`, `sort x \--output=y`, `true; sudo rm -\r build`},
		Passes: []string{
			`ls -l`, `\ls -l`, `echo \-n x`, `printf -- \-x`, `grep -e \-foo x`, `grep -- \-foo x`, `awk -F\| 1 x`, `cut -d\  -f1 x`, `grep '\-l' x`, `find . -name \*.go`, `tar -C\ x`,
		},
		Find: escapedOptions,
	},
	{
		ID:       "keystroke-injection",
		Title:    "types into another terminal",
		Why:      "what is typed there runs unchecked",
		Instead:  "`make test` here, where it is checked",
		Severity: interp.Suspicious,
		Fails: []string{
			"tmux send-keys -t x 'make' Enter", "tmux send -t x y", "tmux -L s send-keys a", "screen -S x -X stuff 'id\\n'",
			"tmux new -d \\; send-keys id Enter", "tmux paste-buffer -t x", "xdotool type id", "zellij action write-chars id", "kitty @ send-text id",
		},
		Passes: []string{
			"tmux ls", "tmux new-session -d -s x", "echo tmux send-keys", "screen -ls", "tmux capture-pane -p -t x", "tmux kill-session -t send-keys",
		},
		Find: func(s *interp.Analysis) []interp.Finding { return remote.Named(s, types) },
	},
	{
		ID:       "permgate-policy",
		Title:    "changes permgate's own rules, or stops it",
		Why:      "only the user may change what an agent may do",
		Instead:  "`permgate explain 'Bash(ls)'`, then let the user change the rules",
		Severity: interp.Suspicious,
		Fails: []string{
			"permgate allow 'Bash(*)'", "permgate trust", "permgate install --host x", "/usr/local/bin/permgate rules add x", `permgate "$x"`,
			"sudo permgate uninstall", "yes | permgate suggest --apply", "permgate --state x allow y",
			"permgate rules --host claude add allow x", "permgate rules --json add", "permgate lint --fix", "permgate lint x --fix=true", "permgate test --record x", `permgate lint "$x"`, "permgate test --re$x",
			"permgate report --last -o x", "permgate report --output=x ls", "permgate report -ox ls", "permgate report --$x",
			"permgate replay --html x.html", "permgate replay --html=x y", "permgate replay \"$x\"",
			"permgate recommend", "permgate recommend --scope --dry-run", "permgate recommend --wide --yes --json", "permgate recommend --dry-run --yes", "permgate recommend --json=false",
			"permgate bench --hook ./x --host claude", "permgate bench --host claude --json --hook=x", "permgate bench",
			"pkill -9 permgate", "killall permgate", "kill $(pgrep permgate)", "ps aux | grep [p]ermgate | awk '{print $2}' | xargs kill", "pkill -f 'perm.*te'",
			"brew uninstall permgate", "npm rm -g @x/permgate@1",
			"echo '{}' | permgate", "permgate --host=claude < x", "permgate --state x", "permgate hook", "permgate --hel*",
		},
		Passes: []string{
			"permgate check 'Bash(ls)'", "permgate explain x", "permgate rules", "permgate rules --host claude --json", "permgate lint", "permgate lint --json x", "permgate test", "permgate test -v x", "permgate log",
			"permgate replay x", "permgate replay --host claude --since 7d --json", "permgate recommend --dry-run", "permgate recommend --since 7d --json x", "permgate recommend --wide --json",
			"permgate report --last", "permgate report --kind false-prompt 'git log'",
			"permgate prove --against HEAD --json", `permgate prove --never "$x"`, "permgate doctor", "permgate auto --json", "permgate auto eval x", "permgate help", "permgate help bench", "echo permgate allow", "permgate --version", "permgate version --json", "permgate schema", "pgrep permgate", "pkill -f permgate-docs", "pkill -f vite",
			"ps aux | grep permgate", "brew install permgate",
		},
		Find: func(s *interp.Analysis) []interp.Finding {
			changes := matching(s, "permgate", func(c *commands.Invocation, _ *interp.Subcommand) bool { return interp.ChangesPolicy(c) })
			return append(append(changes, killsGate(s)...), dropsGate(s)...)
		},
	},
	{
		ID:       "agent-unchecked",
		Title:    "starts an agent with other checks than yours",
		Why:      "what that agent does would not be asked about",
		Instead:  "`claude -p 'fix the test'`, with the settings you have",
		Severity: interp.Suspicious,
		Fails: []string{
			"claude -p x --dangerously-skip-permissions", `claude --settings '{"disableAllHooks":true}' -p x`, "claude --setting-sources project -p x", "CLAUDE_CONFIG_DIR=./x claude -p y",
			"export CLAUDE_CONFIG_DIR=x; claude -p y", "HOME=x claude", "claude 'x' --allowedTools Bash", "claude --frob x", "claude mcp add x y", "claude -p $x", "sudo -u a claude --bare",
			"codex exec -c approval_policy=never x", "npx -y @openai/codex@latest --yolo", "codex -s danger-full-access x", "codex -a never", "CODEX_HOME=x codex", "gemini -yp x", "gemini --approval-mode=yolo", "qwen -y", "copilot --allow-all-tools",
			"cursor-agent -fp x", "droid exec --auto low x", "amp --dangerously-allow-all", "OPENCODE_CONFIG=x opencode run y", "aider --yes-always", "GOOSE_MODE=auto goose run -t x", "crush -y", "gen --bare",
		},
		Passes: []string{
			"claude -p x", "claude --setting-sources user,project -p x", "claude -p 'why --dangerously-skip-permissions?' --model x", "claude --permission-mode plan -p x", "claude mcp list", `claude -p "$x"`,
			"echo claude --bare", "claude --help", "codex exec -m o3 -s read-only x", "codex -c model_reasoning_effort=high x", "gemini -p x", "copilot -p x", "cursor-agent -p x", "droid exec x", "amp -x y",
			"opencode run x", "aider -m x a.py", "goose run -t x", "git log --yolo", "CI=1 claude -p x",
		},
		Find: startsUnchecked,
	},
}

// escapedOptions reports the options whose dashes or first letter a backslash quotes. Operands
// behind --, values of options and what is printed are data.
func escapedOptions(s *interp.Analysis) []interp.Finding {
	if !strings.Contains(s.Text, `\`) {
		return nil
	}
	return remote.RunningAt(s, func(_ int, sub *interp.Subcommand) bool {
		if sub.Structural || len(sub.Argv) == 0 || shell.Listed("echo printf", sub.Program) {
			return false
		}
		for i := 1; i < len(sub.Argv); i++ {
			w := &sub.Argv[i]
			if w.Text == "--" {
				return false
			}
			value := sub.Call != nil && slices.Contains(sub.Call.Values, i)
			if strings.HasPrefix(w.Text, "-") && !value && escapesDash(s.Text[w.Span.Start:w.Span.End]) {
				return true
			}
		}
		return false
	})
}

// escapesDash reports whether a backslash stands before a dash a word begins with, or right
// behind the dashes before a letter.
func escapesDash(raw string) bool {
	rest := strings.TrimLeft(raw, "-")
	if len(raw)-len(rest) > 2 || len(rest) < 2 || rest[0] != '\\' {
		return false
	}
	letter := rest[1] >= 'a' && rest[1] <= 'z' || rest[1] >= 'A' && rest[1] <= 'Z'
	return rest[1] == '-' || letter && len(rest) < len(raw)
}

// systemPath reports the directories of the system, in the spellings of all
// file systems.
func systemPath(e *shell.Effect) bool {
	p := strings.TrimPrefix(strings.ToLower(e.Path), "/private")
	for _, dir := range [...]string{
		"/etc", "/boot", "/usr/bin", "/usr/lib", "/usr/sbin", "/usr/lib64", "/bin", "/sbin", "/lib", "/lib64", "/system",
	} {
		if rest, ok := strings.CutPrefix(p, dir); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// types reports the programs that type into another terminal or window.
func types(name string, argv []shell.Word) bool {
	switch name {
	case "tmux":
		return tmuxTypes(argv[1:])
	case "screen":
		return screenTypes(argv)
	case "xdotool", "ydotool", "wtype", "dotool":
		return len(argv) > 1
	case "zellij":
		return remote.AnyWord(argv, "write", "write-chars")
	case "kitty", "kitten", "wezterm":
		return remote.AnyWord(argv, "send-text", "send-key")
	}
	return false
}

// screenTypes looks for a command after screen -X.
func screenTypes(argv []shell.Word) bool {
	x := false
	for i := range argv {
		t := argv[i].Text
		if x && shell.Among("stuff paste process readreg eval exec", t) {
			return true
		}
		x = x || strings.HasPrefix(t, "-") && strings.HasSuffix(t, "X")
	}
	return false
}

// tmuxTypes looks at every command of a tmux command line.
func tmuxTypes(argv []shell.Word) bool {
	start := true
	for i := 0; i < len(argv); i++ {
		t := argv[i].Text
		switch {
		case start && strings.HasPrefix(t, "-"):
			if len(t) == 2 && strings.IndexByte("cfLST", t[1]) >= 0 {
				i++
			}
		case start:
			if start = false; tmuxTypesBy(t) {
				return true
			}
		case strings.HasSuffix(t, ";"):
			start = true
		}
	}
	return false
}

// tmuxTypesBy reports whether a name, which may be abbreviated, is that of a
// command by which tmux types into a pane.
func tmuxTypesBy(name string) bool {
	for _, c := range [...]struct {
		name     string
		shortest int
	}{{"send-keys", 4}, {"send-prefix", 6}, {"paste-buffer", 2}, {"pasteb", 6}} {
		if len(name) >= c.shortest && strings.HasPrefix(c.name, name) {
			return true
		}
	}
	return false
}
