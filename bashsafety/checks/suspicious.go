package checks

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/code"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/remote"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// EscapedOption is the check whose finding the reasons of others name as well.
const EscapedOption = "escaped-option"

// suspiciousChecks find what hides what it does, or changes what guards you.
var suspiciousChecks = []analysis.Check{
	{
		ID:       "system-write",
		Title:    "changes a system file",
		Of:       "changes FILE, a system file",
		Why:      "every program and user of this machine may depend on it",
		Severity: analysis.Suspicious,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(writing(s, systemPath), remote.RunningAt(s, changesAccounts)...)
		},
	},
	{
		ID:       "container-host",
		Title:    "gives a container control of this machine",
		Why:      "root in that container is root on the machine",
		Whole:    true,
		Instead:  []analysis.Hint{{Swap: "--privileged=", Text: "`CALL`"}},
		Severity: analysis.Suspicious,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return slices.Concat(matching(s, "docker", getsHost), matching(s, "docker-compose", getsHost), matching(s, "kubectl", getsHost))
		},
	},
	{
		ID:       "zsh-builtin",
		Title:    "uses a zsh builtin that bypasses the usual programs",
		Why:      "it opens files and sockets that no rule can name",
		Instead:  []analysis.Hint{{Text: "the usual program"}},
		Severity: analysis.Suspicious,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return remote.Named(s, func(name string, _ []shell.Word) bool {
				switch name {
				case "zmodload", "emulate", "sysopen", "sysread", "syswrite", "sysseek", "zpty", "ztcp", "zsocket", "zsystem",
					"zselect", "zftp", "zcompile", "sched":
					return true
				}
				return strings.HasPrefix(name, "zf_")
			})
		},
	},
	{
		ID:       EscapedOption,
		Title:    "hides an option behind a backslash",
		Why:      "the shell drops the backslash, and a reader or a filter may miss the option",
		Instead:  []analysis.Hint{{Text: "the option without the backslash"}},
		Severity: analysis.Suspicious,
		Find:     escapedOptions,
	},
	{
		ID:       "keystroke-injection",
		Title:    "types into another terminal",
		Why:      "what is typed there runs unchecked",
		Instead:  []analysis.Hint{{Text: "running the command here, where it is checked"}},
		Severity: analysis.Suspicious,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Named(s, types) },
	},
	{
		ID:       "remote-shell",
		Title:    "gives another machine a shell here",
		Of:       "gives URL a shell on this machine",
		Why:      "what is run through it is not checked",
		Severity: analysis.Suspicious,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(remote.RunningAt(s, servesProgram), remote.ServesShell(s)...)
		},
	},
	{
		ID:    "permgate-policy",
		Title: "changes permgate's own rules, or stops it",
		Why:   "only the user may change what an agent may do",
		Says: []analysis.Said{
			{For: "permgate allow", Title: "lets agents do what NAME says, without asking you", Why: "no agent may decide that"},
		},
		Severity: analysis.Suspicious,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			changes := matching(s, "permgate", func(c *commands.Invocation, _ *analysis.Subcommand) bool { return analysis.ChangesPolicy(c) })
			return append(append(changes, killsGate(s)...), dropsGate(s)...)
		},
	},
	{
		ID:    "agent-unchecked",
		Title: "starts an agent with permissions of its own",
		Says: []analysis.Said{
			{For: "--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--yolo",
				Title: "starts an agent with its permission prompts switched off", Why: "it acts without asking you"},
		},
		Why:      "it may do things that you would be asked about",
		Instead:  []analysis.Hint{{Text: "it without the options that change what it may do"}},
		Severity: analysis.Suspicious,
		Find:     startsUnchecked,
	},
}

// escapedOptions reports options whose dash or first letter a backslash quotes; other words are
// data.
func escapedOptions(s *analysis.Analysis) []analysis.Finding {
	if !strings.Contains(s.Text, `\`) {
		return nil
	}
	return remote.RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
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

// escapesDash reports a backslash in front of a dash at the start, or of the letter after it.
func escapesDash(raw string) bool {
	rest := strings.TrimLeft(raw, "-")
	if len(raw)-len(rest) > 2 || len(rest) < 2 || rest[0] != '\\' {
		return false
	}
	letter := rest[1] >= 'a' && rest[1] <= 'z' || rest[1] >= 'A' && rest[1] <= 'Z'
	return rest[1] == '-' || letter && len(rest) < len(raw)
}

// systemPath reports the folders of the system, however they are spelled.
func systemPath(e *shell.Effect) bool {
	p := strings.TrimPrefix(strings.ToLower(e.Path), "/private")
	for _, dir := range [...]string{
		"/etc", "/boot", "/usr/bin", "/usr/lib", "/usr/sbin", "/usr/lib64", "/bin", "/sbin", "/lib", "/lib64", "/system",
	} {
		if rest, ok := strings.CutPrefix(p, dir); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return e.Recursive && p == "/usr"
}

// changesAccounts reports the programs that write the files of the accounts, except the forms that only show
// something.
func changesAccounts(_ int, sub *analysis.Subcommand) bool {
	const programs = "useradd adduser usermod groupadd addgroup groupmod gpasswd newusers passwd chsh chfn pw"
	if !shell.Among(programs, sub.Program) || !sub.Here() || len(sub.Argv) < 2 {
		return false
	}
	const shows = "-h --help -V --version -D --defaults -S --status --list-shells usershow groupshow usernext groupnext"
	lists := shell.Among(shows, sub.Argv[1].Text) || sub.Program == "chsh" && shell.Among("-l --list", sub.Argv[1].Text)
	return !lists || len(sub.Argv) > 3 // useradd -D -s SHELL writes the defaults
}

// getsHost reports whether a container gets the rights, the processes, the root or the engine of the machine.
func getsHost(c *commands.Invocation, _ *analysis.Subcommand) bool {
	return slices.ContainsFunc(c.Opts, func(u commands.Used) bool {
		switch u.Name {
		case "privileged", "use-api-socket":
			return !u.Given || u.Value.Text != "false"
		case "pid":
			return u.Value.Text == "host"
		case "v", "volume", "mount":
			return slices.ContainsFunc(c.Facts.Effects, func(e shell.Effect) bool {
				inValue := u.Value.Span.Contains(e.Span) && e.Kind == shell.Read
				return inValue && (shell.Among("/ /run /var/run", e.Path) ||
					shell.Among(engineSockets, path.Base(e.Path)))
			})
		}
		return false
	})
}

// engineSockets are the files by which programs that run containers are told what to do.
const engineSockets = "docker.sock podman.sock containerd.sock crio.sock buildkitd.sock"

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

// servesProgram reports what connects a program of this machine, or its terminal, with another machine.
func servesProgram(_ int, sub *analysis.Subcommand) bool {
	switch sub.Program {
	case "ttyd", "gotty", "wetty", "upterm", "tmate":
		return len(sub.Argv) != 2 || !shell.Among("--help -h --version -v -V", sub.Argv[1].Text)
	}
	if sub.Call == nil || len(sub.Call.Facts.Inner) == 0 {
		return false
	}
	return sub.Call.Cmd.Is("nc") || sub.Call.Cmd.Is("socat") && slices.ContainsFunc(sub.Argv[1:], connects)
}

// connects reports an address of socat that is a connection, or waits for one: socat(1), ADDRESS TYPES.
func connects(w shell.Word) bool {
	kind, _, _ := strings.Cut(strings.ToLower(w.Text), ":")
	return !w.Known || shell.StartsWithAny(kind, "tcp", "udp", "sctp", "dccp", "openssl", "ssl", "socks", "proxy", "vsock", "ip")
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
			if start = false; tmuxTypesBy(t) && !interrupts(argv[i:]) {
				return true
			}
		case strings.HasSuffix(t, ";"):
			start = true
		}
	}
	return false
}

// interrupts reports a send-keys of one key that stops what runs in a pane, and is no text.
func interrupts(argv []shell.Word) bool {
	args := argv[1:]
	if len(args) > 2 && args[0].Text == "-t" && args[1].Single {
		args = args[2:]
	}
	return strings.HasPrefix("send-keys", argv[0].Text) && len(args) == 1 && shell.Among("C-c Escape", args[0].Text)
}

// tmuxTypesBy reports the commands, or abbreviations, by which tmux types into a pane.
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

// sendChecks find what a text takes to or from the network unseen.
var sendChecks = []analysis.Check{{
	ID:       "secret-to-network",
	Title:    "sends a secret, or the environment, to another machine",
	Of:       "sends SECRET to URL",
	Why:      "keys and passwords that leave the machine have to be replaced",
	Severity: analysis.Suspicious,
	Find:     func(s *analysis.Analysis) []analysis.Finding { return append(sendsSecrets(s), codeSends(s)...) },
}, {
	ID:       "cloud-credentials",
	Title:    "asks the cloud for this machine's credentials",
	Of:       "asks URL for this machine's credentials",
	Why:      "who has them acts as this machine in the cloud",
	Severity: analysis.Suspicious,
	Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.RunningAt(s, fetchesCredentials) },
}, {
	ID:       "download-then-run",
	Title:    "downloads a file and runs it without review",
	Why:      "the server decides what runs on your machine",
	Instead:  []analysis.Hint{{Text: "only downloading it, and reading it before you run it"}},
	Severity: analysis.Suspicious,
	Loses:    commands.OfAddresses, Itself: true,
	Find: downloadThenRun,
}}

// source reports whether a subcommand itself reads a secret or prints the environment.
func (f *flow) source(i int) bool {
	sub := &f.s.Subcommands[i]
	if !sub.Here() || len(sub.Argv) == 0 && len(sub.Effects) == 0 {
		return false
	}
	if TellsVariables(sub) {
		return true
	}
	if shell.Listed(measures, sub.Program) {
		return false
	}
	if tellsSecret(sub) != nil || fetchesCredentials(i, sub) {
		return true
	}
	return sub.Program != "source" && sub.Program != "." && f.s.TakesSecret(sub)
}

// fetchesCredentials reports what asks the cloud for the credentials of this machine: a client, or a program text.
func fetchesCredentials(_ int, sub *analysis.Subcommand) bool {
	gives := func(url string) bool { return commands.CloudMetadata(hostOf(url)) }
	asks := func(e shell.Effect) bool { return e.Kind == shell.Network && gives(e.Path) }
	says := func(t *code.Text) bool { return t.Talks() && slices.ContainsFunc(t.Strings, gives) }
	return sub.Here() && (slices.ContainsFunc(sub.Effects, asks) || slices.ContainsFunc(sub.Programs, says))
}

// tellsSecret returns how a command prints a password, a key or a token; nil where it does not.
func tellsSecret(sub *analysis.Subcommand) *commands.Credential {
	if sub.Call == nil {
		return nil
	}
	return sub.Call.Facts.Credential
}

// TellsVariables reports whether a command prints all variables. One that is
// named is no more than the command that uses it would tell.
func TellsVariables(sub *analysis.Subcommand) bool {
	if len(sub.Argv) == 0 {
		return false
	}
	args := sub.Argv[1:]
	switch sub.Program {
	case "env", "printenv", "export", "declare", "typeset", "genv":
		return !sub.Launcher && onlyOptions(args)
	case "set":
		return len(args) == 0
	case "ps":
		return len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") && strings.Contains(args[0].Text, "e")
	}
	if sub.Call != nil && sub.Call.Facts.TellsEnvironment() ||
		slices.ContainsFunc(sub.Programs, func(t *code.Text) bool { return t.Does(code.Tells) }) {
		return true
	}
	return shell.Among("get-clipboard gcb", sub.As) || shell.Listed("get-childitem get-item get-content", sub.As) &&
		slices.ContainsFunc(args, allVariables)
}

// allVariables reports whether a word is the drive of the environment, as PowerShell has it: Env:, env:\*.
func allVariables(w shell.Word) bool {
	drive, rest, ok := strings.Cut(strings.ToLower(w.Text), ":")
	return ok && drive == "env" && strings.Trim(rest, `\/*`) == ""
}

// onlyOptions reports whether there are only options of env and their values.
func onlyOptions(args []shell.Word) bool {
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i].Text, "-") {
			return false
		}
		if shell.Among("-u --unset -C --chdir", args[i].Text) {
			i++
		}
	}
	return true
}

// killsGate reports what ends a running hook: by name, by pattern, or by a number that is looked
// up.
func killsGate(s *analysis.Analysis) []analysis.Finding {
	looked := false
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		looked = looked || s.LooksForGate(i) || sub.As == "get-process" && namesGate(sub)
	}
	return remote.RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		return looked && (sub.Program == "kill" || sub.As == "stop-process") || killsByName(sub)
	})
}

// killsByName reports whether a command ends the hook by its name or a pattern.
func killsByName(sub *analysis.Subcommand) bool {
	switch sub.Program {
	case "pkill":
		return analysis.FindsGate(sub)
	case "killall", "killall5", "skill":
		return analysis.NamesGate(sub) || sub.Call != nil && sub.HasWord("-r", "--regexp") && analysis.FindsGate(sub)
	case "fuser":
		return analysis.NamesGate(sub) && sub.HasWord("-k", "--kill")
	}
	return shell.Among("taskkill stop-process tskill", strings.ToLower(sub.As)) && namesGate(sub)
}

// namesGate reports whether a word of a command is permgate, or permgate.exe in any case.
func namesGate(sub *analysis.Subcommand) bool {
	return slices.ContainsFunc(sub.Argv[1:], func(w shell.Word) bool { return strings.Contains(strings.ToLower(w.Text), "permgate") })
}

// packageManagers are the programs that may take permgate away.
const packageManagers = "brew port apt apt-get aptitude dpkg dnf yum rpm zypper pacman apk snap flatpak npm pnpm " +
	"yarn bun volta cargo pip pip3 pipx uv nix-env mise asdf choco scoop winget"

// dropsGate reports what a package program takes away.
func dropsGate(s *analysis.Analysis) []analysis.Finding {
	return remote.RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		return sub.Tables&ofPackagers != 0 && shell.Listed(packageManagers, sub.Program) && sub.NamesPackage() &&
			sub.HasWord("remove", "rm",
				"uninstall", "unlink", "un", "purge", "erase", "del", "autoremove", "-e", "-r", "-R", "-P", "--erase",
				"--remove", "--purge", "--uninstall")
	})
}

// agentOf is the call of an agent, by its name or by a script of its package: node …/claude-code/cli.js.
func agentOf(sub *analysis.Subcommand) *commands.Invocation {
	c := sub.Call
	if c == nil || c.Cmd.Rare().Agent != nil || !c.Cmd.Is("node") || len(c.Operands) == 0 {
		return c
	}
	at := c.Operands[0]
	parts := strings.Split(sub.Argv[at].Text, "/")
	for i := 1; i < len(parts)-1; i++ { // a folder of any project may be called codex
		if strings.Contains(parts[i], "-") || strings.HasPrefix(parts[i-1], "@") {
			argv := append([]shell.Word{shell.Literal(parts[i], &sub.Argv[at])}, sub.Argv[at+1:]...)
			if call := commands.NewInvocation(argv, &shell.CwdState{}, ""); call.Cmd != nil && call.Cmd.Rare().Agent != nil {
				return call
			}
		}
	}
	return c
}

// startsUnchecked reports an agent that an option or a variable starts with other checks than its
// user's.
func startsUnchecked(s *analysis.Analysis) []analysis.Finding {
	return remote.RunningAt(s, func(at int, sub *analysis.Subcommand) bool {
		call := agentOf(sub)
		if call == nil || call.Cmd.Rare().Agent == nil || asksHelp(s, call) {
			return false
		}
		unchecks := call.Cmd.Rare().Agent.Unchecks
		return call.Unchecked() || slices.ContainsFunc(sub.SetBefore(), unchecks) ||
			slices.ContainsFunc(s.Subcommands[:at+1], func(other analysis.Subcommand) bool {
				here := other.Structural || other.Span == sub.Span
				assigned := here && slices.ContainsFunc(other.Assigns, func(a shell.Assign) bool { return unchecks(a.Name) })
				return assigned || shell.Among("export declare typeset readonly setenv", other.Program) &&
					slices.ContainsFunc(other.Argv[1:], func(w shell.Word) bool {
						name, _, _ := strings.Cut(w.Text, "=")
						return unchecks(name)
					})
			})
	})
}
