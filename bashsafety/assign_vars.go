package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// inert reports whether a variable in front of a command changes nothing about
// what the command runs, reads or writes.
func inert(name string) bool {
	switch name {
	case "NODE_ENV", "CI", "LANG", "TZ", "NO_COLOR", "FORCE_COLOR", "GOOS", "GOARCH", "CGO_ENABLED",
		"RUST_BACKTRACE", "RUST_LOG", "PYTHONUNBUFFERED", "DEBUG", "TERM":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}

// inertValue reports whether a variable that names a program, or only labels
// what is recorded, changes nothing by the value it is given: an editor that
// does nothing, a pager that prints.
func inertValue(a *Assign) bool {
	switch a.Name {
	case "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE":
		return true
	case "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL":
		return a.Value.Known && (a.Value.Text == "true" || a.Value.Text == ":")
	case "GIT_PAGER", "PAGER", "MANPAGER":
		return a.Value.Known && (a.Value.Text == "cat" || a.Value.Text == "")
	case "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS":
		return a.Value.Known && number(a.Value.Text)
	}
	return false
}

// steers reports whether a variable that is set without being exported still
// reaches programs or the shell, because shells usually start with it.
func steers(name string) bool {
	switch name {
	case "PATH", "HOME", "IFS", "BASH_ENV", "ENV", "PS4", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "CDPATH", "SHELL",
		"ZDOTDIR", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "MAKEFLAGS", "MAKEFILES", "GOFLAGS", "TAR_OPTIONS",
		"RIPGREP_CONFIG_PATH", "VIMINIT", "EXINIT", "GLOBIGNORE", "FPATH", "TMPDIR", "BROWSER", "VISUAL",
		"PWD", "OLDPWD", "POSIXLY_CORRECT", "TMP", "TEMP":
		return true
	}
	for _, p := range [...]string{"LD_", "DYLD_", "GIT_", "XDG_", "LESS", "PYTHON", "PERL5", "RUBY", "RUSTC", "npm_config_",
		"NPM_CONFIG_", "CARGO_", "SSH_", "BASH_FUNC_", "DOCKER_", "KUBE", "AWS_"} {
		if strings.HasPrefix(name, p) {
			return !inert(name)
		}
	}
	return strings.HasSuffix(name, "PAGER") || strings.HasSuffix(name, "EDITOR") || strings.HasSuffix(name, "_proxy") || strings.HasSuffix(name, "_PROXY")
}

// Steered reports whether a variable in front of the command is one by which
// programs, the dynamic linker or the shell find code, or know where they are.
func (s *Subcommand) Steered() bool {
	for i := range s.Assigns {
		if steers(s.Assigns[i].Name) {
			return true
		}
	}
	return false
}

// assignNarrow gives the reasons of the assignments in front of a command.
func assignNarrow(assigns []Assign) []string {
	var out []string
	for i := range assigns {
		if !inert(assigns[i].Name) && !inertValue(&assigns[i]) {
			out = append(out, "the variable "+assigns[i].Name+" in front may change what it does")
		}
	}
	return out
}

// prefixAssigns reads the assignments in front of a command. They reach the
// command, not the shell.
func (w *walker) prefixAssigns(list []*syntax.Assign, cmd *Word, c *ctx, st *state) ([]Assign, []string) {
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]Assign, 0, len(list))
	seen := st.clone() // each sees those in front of it
	for _, a := range list {
		name := a.Name.Value
		out = append(out, Assign{Name: name, Value: w.assignValue(a, c, seen)})
		seen.bind(name, out[len(out)-1].Value.Text)
		w.shellVar(name, cmd.Known && (cmd.Text == "read" || cmd.Text == "mapfile" || cmd.Text == "readarray"), c.span(a))
		w.hold(out[len(out)-1].Value.Text)
		w.promptVar(name, out[len(out)-1].Value.Text, c.span(a))
		if special(cmd) {
			st.bind(name, HoleMark) // the shell sees it while the builtin runs, and in POSIX mode later
			st.cdpath = st.cdpath || name == "CDPATH"
		}
	}
	if cmd.Known && (cmd.Text == "read" || cmd.Text == "mapfile" || cmd.Text == "readarray") && len(out) == 1 && out[0].Name == "IFS" {
		return out, nil // it only splits what is read
	}
	return out, assignNarrow(out)
}

// special reports whether a command is a builtin that uses the assignments in
// front of it, or keeps them.
func special(cmd *Word) bool {
	switch cmd.Text {
	case "eval", "command", "builtin", ".", "source", ":", "exec", "export", "readonly", "set", "shift", "times", "trap", "unset",
		"break", "continue", "exit", "return", "cd", "pushd", "popd":
		return cmd.Known
	}
	return false
}

// shellVar doubts the variables through which a shell runs text or splits
// words. A read with an IFS of its own only splits what it reads.
func (w *walker) shellVar(name string, read bool, span Span) {
	switch {
	case name == "IFS" && !read:
		w.doubt(dIFS, span, "")
	case runsCode(name), (name == "TEXTDOMAIN" || name == "TEXTDOMAINDIR") && strings.Contains(w.s.Text, `$"`):
		w.doubt(dShellVar, span, name) // bash expands the translation of $"..."
	}
}

// zshArray doubts an array, or an element of one, that zsh ties to how it finds
// programs and functions. A plain variable of that name is everyday text.
func (w *walker) zshArray(a *syntax.Assign, span Span) {
	if a.Array == nil && a.Index == nil {
		return
	}
	switch name := a.Name.Value; name {
	case "path", "fpath", "cdpath", "module_path", "functions", "aliases", "galiases", "saliases", "commands", "options":
		w.doubt(dZsh, span, "the array "+name+" changes what later words run in zsh")
	default:
		if strings.HasSuffix(name, "_functions") {
			w.doubt(dZsh, span, "zsh runs the functions in "+name)
		}
	}
}

// codeVars are the variables whose value the shell runs, or takes for the
// program behind a name.
var codeVars = [...]string{"PS4", "PROMPT_COMMAND", "BASH_ENV", "ENV", "BASH_CMDS", "BASH_ALIASES"}

// runsCode reports one of codeVars, or a function in the environment.
func runsCode(name string) bool {
	for _, v := range codeVars {
		if name == v {
			return true
		}
	}
	return strings.HasPrefix(name, "BASH_FUNC_")
}

// promptVar doubts a prompt that runs a command. Shells that talk to nobody
// never print it, but the shell may be one that does.
func (w *walker) promptVar(name, value string, span Span) {
	switch name {
	case "PS0", "PS1", "PS2", "PS3", "MAILPATH", "PROMPT", "RPROMPT":
		if strings.Contains(value, "$(") || strings.Contains(value, "`") {
			w.doubt(dShellVar, span, name)
		}
	}
}

// holdsCommand reports whether programs run what a variable holds. Deny rules
// and checks see it; for allow the variable itself is in the way.
func holdsCommand(name string) bool {
	switch name {
	case "PAGER", "MANPAGER", "SYSTEMD_PAGER", "EDITOR", "VISUAL", "BROWSER", "LESSOPEN", "LESSCLOSE", "GIT_PAGER", "GIT_EDITOR",
		"GIT_SEQUENCE_EDITOR", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "SSH_ASKPASS",
		"SUDO_ASKPASS", "SUDO_EDITOR", "RSYNC_RSH", "RUSTC_WRAPPER", "KUBE_EDITOR", "GH_PAGER", "GH_EDITOR", "FZF_DEFAULT_COMMAND":
		return true
	}
	return false
}

// steered narrows what follows when a variable was set that steers programs.
func (s *state) steered(name string) {
	if steers(name) {
		s.addNarrow(setBefore(name))
	}
}

func setBefore(name string) string {
	return "the variable " + name + " was set before and may change what it does"
}
