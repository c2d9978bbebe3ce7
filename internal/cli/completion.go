package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/complete"
	"github.com/permgate--owner/permgate/rules"
)

func completionCommand() *Command {
	return &Command{
		Name:  "completion",
		Args:  "bash | zsh | fish",
		Short: "print the completion script of a shell",
		Long: `The script completes subcommands, verbs, options and their values, and operands.
It contains everything it offers and starts no program; print it again after an
update. permgate does not edit your shell's startup files: add the line yourself.`,
		Examples: []Example{
			{"source <(permgate completion bash)", "in ~/.bashrc"},
			{"source <(permgate completion zsh)", "in ~/.zshrc, after compinit"},
			{"permgate completion fish | source", "in ~/.config/fish/config.fish"},
			{"permgate completion zsh > ~/.zfunc/_permgate", "or once, into a directory in fpath"},
		},
		Operands: func() []*complete.Values {
			return []*complete.Values{{Name: "shell", Words: wordList(shellNames()...)}, nil}
		},
		Run: func(e *env, args []string) int {
			hint := "permgate completion " + strings.Join(shellNames(), "|")
			switch {
			case len(args) == 0:
				return e.fail(hint, "which shell?")
			case len(args) > 1:
				return e.fail(hint, "unexpected operand %q", hookio.Escape(args[1]))
			}
			for i := range complete.Shells {
				if s := &complete.Shells[i]; s.Name == args[0] {
					s.Write(e.machine(), described())
					return exitOK
				}
			}
			return e.fail(hint, "no script for %q", hookio.Escape(args[0]))
		},
	}
}

func shellNames() []string {
	var out []string
	for i := range complete.Shells {
		out = append(out, complete.Shells[i].Name)
	}
	return out
}

func wordList(texts ...string) []complete.Word {
	out := make([]complete.Word, len(texts))
	for i, t := range texts {
		out[i].Text = t
	}
	return out
}

// described is the whole program as the scripts describe it.
func described() *complete.Command {
	root := &complete.Command{Name: "permgate"}
	for _, c := range list() {
		root.Subs = append(root.Subs, describe(c))
	}
	return root
}

func describe(c *Command) complete.Command {
	out := complete.Command{Name: c.Name, Help: c.Short, Anywhere: c.Words == nil && len(c.Subs) == 0}
	if c.Operands != nil {
		out.Operands = c.Operands()
	}
	flagSet(c).VisitAll(func(f *pflag.Flag) {
		d := complete.Flag{Name: f.Name, Short: f.Shorthand, Help: f.Usage, Takes: f.NoOptDefVal == ""}
		if d.Takes {
			d.Values = flagValues(c, f)
		}
		out.Flags = append(out.Flags, d)
	})
	for _, sub := range c.Subs {
		out.Subs = append(out.Subs, describe(sub))
	}
	return out
}

// flagValues is what to offer as the value of an option, nil for nothing.
// Options of one name take the same everywhere but for --scope.
func flagValues(c *Command, f *pflag.Flag) *complete.Values {
	if f.Name == "scope" && (c.Name == "install" || c.Name == "upgrade" || c.Name == "uninstall") {
		return &complete.Values{Name: "install_scope", Words: wordList(hookio.ForUser, hookio.ForProject, hookio.ForManaged)}
	}
	if f.Name == "scope" && c.Name == "init" {
		return &complete.Values{Name: "init_scope", Words: wordList(rules.Shared.String(), rules.Local.String())}
	}
	switch f.Name {
	case "severity":
		return &complete.Values{Name: "severity", Words: wordList("note", "warning", "error")}
	case "host":
		switch c.Name {
		case "install", "upgrade", "uninstall", "doctor":
			return agentValues()
		}
		return hostValues()
	case "scope":
		return &complete.Values{Name: "scope",
			Words: wordList(rules.Local.String(), rules.Shared.String(), rules.User.String())}
	case "permission-mode":
		return modeValues()
	case "tool":
		return &complete.Values{Name: "tool", Words: wordList(rules.Tools[:]...)}
	case "kind":
		return &complete.Values{Name: "kind", Words: wordList(reportKindNames()...)}
	case "event":
		return &complete.Values{Name: "event", Words: wordList(string(hookio.PreToolUse), string(hookio.PermissionRequest))}
	case "decision":
		return &complete.Values{Name: "decision", Words: wordList("allow", "ask", "deny", "silence")}
	case "format":
		return &complete.Values{Name: "format", Words: wordList("text", "json", "markdown")}
	case "profile":
		return &complete.Values{Name: "profile", Words: wordList("starter", "strict")}
	case "cwd", "home", "state", "add-dir", "folder":
		return &complete.Values{Name: "dir", Shell: complete.Dirs}
	case "settings", "output", "policy", "against", "html", "labels":
		return fileValues()
	}
	return nil
}

// The operands of commands: each function is a value of Command.Operands.

func fileOperands() []*complete.Values { return []*complete.Values{fileValues()} }

func callOperands() []*complete.Values {
	return []*complete.Values{{Name: "program", Shell: complete.Programs}, fileValues()}
}

func dirOperands() []*complete.Values {
	return []*complete.Values{{Name: "dir", Shell: complete.Dirs}, nil}
}

func explainOperands() []*complete.Values { return []*complete.Values{checkValues(), fileValues()} }

func topicOperands() []*complete.Values { return []*complete.Values{topicValues(), nil} }

func listOperands() []*complete.Values {
	return []*complete.Values{{Name: "list", Words: wordList(rules.Allow.String(), rules.Ask.String(),
		rules.Deny.String())}, nil}
}

func fileValues() *complete.Values { return &complete.Values{Name: "file", Shell: complete.Files} }

func hostValues() *complete.Values {
	v := &complete.Values{Name: "host"}
	for _, h := range hookio.Hosts() {
		v.Words = append(v.Words, complete.Word{Text: h.Name, Help: h.Title})
	}
	return v
}

// agentValues are the programs a registration can be written for.
func agentValues() *complete.Values {
	v := &complete.Values{Name: "agent"}
	for _, h := range agents.Hosts() {
		v.Words = append(v.Words, complete.Word{Text: h.Name, Help: h.Title})
	}
	return v
}

func modeValues() *complete.Values {
	v := &complete.Values{Name: "mode"}
	for i := range rules.Modes {
		v.Words = append(v.Words, complete.Word{Text: rules.Modes[i].Name, Help: rules.Modes[i].Doc})
	}
	return v
}

// checkValues are what explain takes: a check's id, or a command line.
func checkValues() *complete.Values {
	v := &complete.Values{Name: "check", Shell: complete.Programs}
	for _, c := range bashsafety.Checks() {
		v.Words = append(v.Words, complete.Word{Text: c.ID, Help: c.Title})
	}
	return v
}

// topicValues are what help takes.
func topicValues() *complete.Values {
	v := &complete.Values{Name: "topic"}
	for _, c := range list() {
		v.Words = append(v.Words, complete.Word{Text: c.Name, Help: c.Short})
	}
	for _, t := range topics() {
		v.Words = append(v.Words, complete.Word{Text: t.name})
	}
	return v
}
