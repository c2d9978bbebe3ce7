package commands

import (
	"slices"
	"strings"
)

// Inert reports whether a variable in front of a command changes nothing about
// what the command runs, reads or writes.
func Inert(name string) bool {
	switch name {
	case "NODE_ENV", "CI", "LANG", "TZ", "NO_COLOR", "FORCE_COLOR", "GOOS", "GOARCH", "CGO_ENABLED",
		"RUST_BACKTRACE", "RUST_LOG", "PYTHONUNBUFFERED", "DEBUG", "TERM":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}

// Steers reports whether a variable that is set without being exported still
// reaches programs or the shell, because shells usually start with it.
func Steers(name string) bool {
	if slices.Contains(steering[:], name) {
		return true
	}
	for _, p := range steeringPrefixes {
		if strings.HasPrefix(name, p) {
			return !Inert(name)
		}
	}
	for _, s := range [...]string{"PAGER", "EDITOR", "_proxy", "_PROXY"} {
		if strings.HasSuffix(name, s) {
			return true
		}
	}
	return false
}

// steering are the variables of steers, steeringPrefixes what the names of further
// ones start with.
var (
	steering = [...]string{
		"PATH", "HOME", "IFS", "BASH_ENV", "ENV", "PS4", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "CDPATH", "SHELL",
		"ZDOTDIR", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "MAKEFLAGS", "MAKEFILES", "GOFLAGS", "TAR_OPTIONS",
		"RIPGREP_CONFIG_PATH", "VIMINIT", "EXINIT", "GLOBIGNORE", "FPATH", "TMPDIR", "BROWSER", "VISUAL",
		"PWD", "OLDPWD", "POSIXLY_CORRECT", "TMP", "TEMP", "HISTFILE", "EXECIGNORE", "BASH_COMPAT",
		"BASH_LOADABLES_PATH",
		"path", "fpath", "cdpath", "module_path", "MODULE_PATH", "manpath", "mailpath", "TMPPREFIX", // see tied
	}
	steeringPrefixes = [...]string{
		"LD_", "DYLD_", "GIT_", "XDG_", "LESS", "PYTHON", "PERL5", "RUBY", "RUSTC", "npm_config_",
		"NPM_CONFIG_", "CARGO_", "SSH_", "BASH_FUNC_", "DOCKER_", "KUBE", "AWS_",
	}
)
