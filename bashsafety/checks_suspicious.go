package bashsafety

import "strings"

// suspiciousChecks find what hides what it does, or changes what guards you.
var suspiciousChecks = []Check{
	{
		ID:       "system-write",
		Title:    "changes a system file",
		Why:      "programs and logins of every user depend on it",
		Instead:  "`cp hosts.new build/hosts`, below the project",
		Severity: Suspicious,
		Fails: []string{
			"echo x 1<> /etc/hosts", "echo x >| /etc/cron.d/x", "cp a /usr/bin/a", "tee /boot/x", "echo x > /dev/../etc/passwd",
			"sudo install -m 755 a /usr/lib/a", "rm /etc/hosts", "sed -i s/a/b/ /etc/hosts", "mv a /etc/",
		},
		Passes: []string{"cat /etc/hosts", "echo x > build/etc/hosts", "grep x /usr/lib/y", "echo '> /etc/passwd'", "cp /etc/hosts build/"},
		Find:   func(s *Script) []Finding { return writing(s, systemPath) },
	},
	{
		ID:       "zsh-builtin",
		Title:    "uses a zsh builtin that bypasses the usual programs",
		Why:      "it opens files and sockets no rule can name",
		Instead:  "the usual program, such as `cat notes.txt`",
		Severity: Suspicious,
		Fails: []string{
			"zmodload zsh/system", "emulate -c 'id'", "syswrite -o 3 x", "ztcp example.com 443", "zf_rm x", "zpty a b", "builtin zmodload zsh/files",
			"sysopen -w x", "zftp open example.com", "zcompile x", "sched +1 id",
		},
		Passes: []string{"echo zmodload", "which ztcp", "ls zf_rm"},
		Find: func(s *Script) []Finding {
			return named(s, func(name string, _ []Word) bool {
				switch name {
				case "zmodload", "emulate", "sysopen", "sysread", "syswrite", "sysseek", "zpty", "ztcp", "zsocket", "zsystem", "zselect",
					"zftp", "zcompile", "sched":
					return true
				}
				return strings.HasPrefix(name, "zf_")
			})
		},
	},
	{
		ID:       "keystroke-injection",
		Title:    "types into another terminal",
		Why:      "what is typed there runs unchecked",
		Instead:  "`make test` here, where it is checked",
		Severity: Suspicious,
		Fails: []string{
			"tmux send-keys -t x 'make' Enter", "tmux send -t x y", "tmux -L s send-keys a", "screen -S x -X stuff 'id\\n'",
			"tmux new -d \\; send-keys id Enter", "tmux paste-buffer -t x", "xdotool type id", "zellij action write-chars id", "kitty @ send-text id",
		},
		Passes: []string{
			"tmux ls", "tmux new-session -d -s x", "echo tmux send-keys", "screen -ls", "tmux capture-pane -p -t x", "tmux kill-session -t send-keys",
		},
		Find: func(s *Script) []Finding { return named(s, types) },
	},
	{
		ID:       "permgate-policy",
		Title:    "changes permgate's own rules",
		Why:      "only the user may change what an agent may do",
		Instead:  "`permgate explain 'Bash(ls)'` and let the user change the rules",
		Severity: Suspicious,
		Fails: []string{
			"permgate allow 'Bash(*)'", "permgate trust", "permgate install --host x", "/usr/local/bin/permgate rules add x", `permgate "$x"`,
			"sudo permgate uninstall", "yes | permgate suggest --apply", "permgate --state x allow y",
			"permgate rules --host claude add allow x", "permgate rules --json add", "permgate lint --fix", "permgate lint x --fix=true", "permgate test --record x", `permgate lint "$x"`, "permgate test --re$x",
			"echo '{}' | permgate", "permgate --host=claude < x", "permgate --state x", "permgate hook", "permgate --hel*",
		},
		Passes: []string{
			"permgate check 'Bash(ls)'", "permgate explain x", "permgate rules", "permgate rules --host claude --json", "permgate lint", "permgate lint --json x", "permgate test", "permgate test -v x", "permgate log", "permgate replay x",
			"permgate doctor", "permgate help", "echo permgate allow", "permgate --version",
		},
		Find: func(s *Script) []Finding {
			return matching(s, "permgate", func(c *call, _ *Subcommand) bool { return changesPolicy(c) })
		},
	},
}

// systemPath reports the directories of the system, in the spellings of all
// file systems.
func systemPath(e *Effect) bool {
	p := strings.TrimPrefix(strings.ToLower(e.Path), "/private")
	for _, dir := range [...]string{"/etc", "/boot", "/usr/bin", "/usr/lib", "/usr/sbin", "/usr/lib64", "/bin", "/sbin", "/lib", "/lib64", "/system"} {
		if rest, ok := strings.CutPrefix(p, dir); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// named reports the subcommands whose program and words fit.
func named(s *Script, fits func(name string, argv []Word) bool) []Finding {
	var all []Finding
	for i := range s.Subcommands {
		if sub := &s.Subcommands[i]; len(sub.Argv) > 0 && !sub.Structural && fits(sub.Program, sub.Argv) {
			all = append(all, Finding{Sub: i, Span: sub.Span})
		}
	}
	return all
}

// types reports the programs that type into another terminal or window.
func types(name string, argv []Word) bool {
	switch name {
	case "tmux":
		return tmuxTypes(argv[1:])
	case "screen":
		x := false
		for i := range argv {
			switch t := argv[i].Text; {
			case strings.HasPrefix(t, "-") && strings.HasSuffix(t, "X"):
				x = true
			case x && (t == "stuff" || t == "paste" || t == "process" || t == "readreg" || t == "eval" || t == "exec"):
				return true
			}
		}
	case "xdotool", "ydotool", "wtype", "dotool":
		return len(argv) > 1
	case "zellij":
		return anyWord(argv, "write", "write-chars")
	case "kitty", "kitten", "wezterm":
		return anyWord(argv, "send-text", "send-key")
	}
	return false
}

// tmuxTypes looks at every command of a tmux command line; names may be
// abbreviated.
func tmuxTypes(argv []Word) bool {
	start := true
	for i := 0; i < len(argv); i++ {
		t := argv[i].Text
		switch {
		case start && strings.HasPrefix(t, "-"):
			if len(t) == 2 && strings.IndexByte("cfLST", t[1]) >= 0 {
				i++
			}
		case start:
			start = false
			if strings.HasPrefix("send-keys", t) && len(t) >= 4 || strings.HasPrefix("send-prefix", t) && len(t) > 5 || strings.HasPrefix("paste-buffer", t) && len(t) >= 2 || t == "pasteb" {
				return true
			}
		case strings.HasSuffix(t, ";"):
			start = true
		}
	}
	return false
}

// selectsCall reports whether the next word is the value of an option by which
// the listing of rules is told for which call.
func selectsCall(option string) bool {
	switch option {
	case "--host", "--cwd", "--home", "--agent", "--skill", "--permission-mode":
		return true
	}
	return false
}

// changesPolicy reports whether a call of the gate does more than look.
func changesPolicy(c *call) bool {
	for i := 1; i < len(c.argv); i++ {
		w := &c.argv[i]
		lit := literalPrefix(w)
		if w.Known && strings.HasPrefix(lit, "-") {
			continue
		}
		switch lit {
		case "check", "explain", "log", "replay", "doctor", "help":
			if w.Known {
				return false
			}
		case "lint", "test":
			for k := range c.argv[i+1:] {
				next := &c.argv[i+1+k]
				if lit := literalPrefix(next); !next.Known || strings.HasPrefix(lit, "--fix") || strings.HasPrefix(lit, "--record") {
					return true
				}
			}
			return !w.Known
		case "rules":
			for k := i + 1; k < len(c.argv); k++ {
				switch next := &c.argv[k]; {
				case !next.Known:
					return true
				case selectsCall(next.Text) && k+1 < len(c.argv) && c.argv[k+1].Known:
					k++
				case !strings.HasPrefix(next.Text, "-") && next.Text != "list":
					return true
				}
			}
			return !w.Known
		}
		// a word behind an option may be the option's value; a verb may follow
		if i > 1 && strings.HasPrefix(c.argv[i-1].Text, "--") && !strings.Contains(c.argv[i-1].Text, "=") && i+1 < len(c.argv) {
			continue
		}
		return true
	}
	for i := range c.argv[1:] {
		switch c.argv[1+i].Text {
		case "-h", "--help", "--version":
			return false
		}
	}
	return true // the hook, which writes the log and ends sessions
}
