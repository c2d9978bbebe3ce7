package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// inertValue reports whether a variable that names a program, or only labels
// what is recorded, changes nothing by the value it is given: an editor that
// does nothing, a pager that prints.
func inertValue(a *shell.Assign) bool {
	switch a.Name {
	case "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
		"GIT_COMMITTER_DATE":
		return true
	case "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL":
		return a.Value.Known && (a.Value.Text == "true" || a.Value.Text == ":")
	case "GIT_PAGER", "PAGER", "MANPAGER":
		return a.Value.Known && (a.Value.Text == "cat" || a.Value.Text == "")
	case "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS":
		return a.Value.Known && shell.Number(a.Value.Text)
	}
	return false
}

// assignBlockers gives the reasons of the assignments in front of a command.
func assignBlockers(assigns []shell.Assign) []string {
	var out []string
	for i := range assigns {
		if !commands.Inert(assigns[i].Name) && !inertValue(&assigns[i]) {
			out = append(out, "the variable "+assigns[i].Name+" set for it may change what it does")
		}
	}
	return out
}

// prefixAssigns reads the assignments in front of a command. They reach the
// command, not the shell.
func (w *walker) prefixAssigns(list []*syntax.Assign, cmd *shell.Word, c *ctx, st *state) ([]shell.Assign, []string) {
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]shell.Assign, 0, len(list))
	seen := st.clone() // each sees those in front of it
	splits := splitsInput(cmd)
	for _, a := range list {
		name, value := a.Name.Value, w.assignValue(a, c, seen)
		out = append(out, shell.Assign{Name: name, Value: value})
		seen.bind(name, value.Text)
		w.holds(name, value)
		w.shellVar(name, splits, c.span(a))
		w.noteLiteral(value.Text)
		w.promptVar(name, value.Text, c.span(a))
		if special(cmd) {
			st.bind(name, shell.HoleMark) // the shell sees it while the builtin runs, and in POSIX mode later
			st.cdpath = st.cdpath || name == "CDPATH"
		}
	}
	if splits && len(out) == 1 && out[0].Name == "IFS" {
		return out, nil // it only splits what is read
	}
	return out, assignBlockers(out)
}

// splitsInput reports whether a command is a builtin that splits what it reads
// by the IFS in front of it.
func splitsInput(cmd *shell.Word) bool {
	return cmd.Known && (cmd.Text == "read" || cmd.Text == "mapfile" || cmd.Text == "readarray")
}

// special reports whether a command is a builtin that uses the assignments in
// front of it, or keeps them.
func special(cmd *shell.Word) bool {
	switch cmd.Text {
	case "eval", "command", "builtin", ".", "source", ":", "exec", "export", "readonly", "set", "shift", "times",
		"trap", "unset", "break", "continue", "exit", "return", "cd", "pushd", "popd":
		return cmd.Known
	}
	return false
}

// shellVar doubts the variables through which a shell runs text or splits
// words. A read with an IFS of its own only splits what it reads.
func (w *walker) shellVar(name string, read bool, span shell.Span) {
	switch {
	case name == "IFS" && !read:
		w.doubt(analysis.DoubtIFS, span, "")
	case commands.RunsCode(name), nullCommand(name), translates(name) && strings.Contains(w.s.Text, `$"`):
		w.doubt(analysis.DoubtShellVar, span, name)
	}
}

// translates reports whether bash finds the translation of $"..." by a variable,
// and expands it.
func translates(name string) bool { return name == "TEXTDOMAIN" || name == "TEXTDOMAINDIR" }

// zshArray doubts an array, or an element of one, that zsh ties to how it finds
// programs and functions. A plain variable of that name is everyday text.
func (w *walker) zshArray(a *syntax.Assign, span shell.Span) {
	if a.Array == nil && a.Index == nil {
		return
	}
	switch name := a.Name.Value; name {
	case "path", "fpath", "cdpath", "module_path", "functions", "aliases", "galiases", "saliases", "commands",
		"options":
		w.doubt(analysis.DoubtZsh, span, "the array "+name+" changes what later words run in zsh")
	default:
		if strings.HasSuffix(name, "_functions") {
			w.doubt(analysis.DoubtZsh, span, "zsh runs the functions in "+name)
		}
	}
}

// promptVar doubts a prompt that runs a command. Shells that no one types into
// never print it, but the shell may be one that does.
func (w *walker) promptVar(name, value string, span shell.Span) {
	switch name {
	case "PS0", "PS1", "PS2", "PS3", "MAILPATH", "PROMPT", "PROMPT2", "PROMPT3", "RPROMPT", "RPROMPT2", "RPS1",
		"RPS2", "SPROMPT", "prompt", "mailpath":
		if substitutes(value) {
			w.doubt(analysis.DoubtShellVar, span, name)
		}
	}
}

// holdsCommand reports whether programs run what a variable holds. Deny rules
// and checks see it; for allow the variable itself is in the way.
func holdsCommand(name string) bool {
	switch name {
	case "PAGER", "MANPAGER", "SYSTEMD_PAGER", "EDITOR", "VISUAL", "BROWSER", "LESSOPEN", "LESSCLOSE", "GIT_PAGER",
		"GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF",
		"GIT_PROXY_COMMAND", "SSH_ASKPASS", "SUDO_ASKPASS", "SUDO_EDITOR", "RSYNC_RSH", "RUSTC_WRAPPER",
		"KUBE_EDITOR", "GH_PAGER", "GH_EDITOR", "FZF_DEFAULT_COMMAND":
		return true
	}
	return false
}
