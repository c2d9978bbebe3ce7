package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Variable is one by which a program runs something, or gets options.
type Variable struct {
	Names string // with * for any run of characters
	Does  Act    // Executes, RunsName, ObeysValue, LoadsValue, SetsKey; 0 where it holds options
	// Of is the program whose options or language it holds; a second word stands in front of each option.
	Of string
}

// Variables are those whose value is run here.
var Variables = [...]Variable{
	{"PAGER *_PAGER MANPAGER EDITOR *_EDITOR HGEDITOR CVSEDITOR VISUAL BROWSER *_BROWSER *_ASKPASS", Executes, ""},
	{"LESSOPEN LESSCLOSE GIT_EXTERNAL_DIFF GIT_SSH *_SSH *_SSH_COMMAND *_PROXY_COMMAND *_RSH *_PASSCOMMAND *_PASSWORD_COMMAND", Executes, ""},
	{"*_DEFAULT_COMMAND FZF_*_COMMAND *_CMD *_WRAPPER *_LAUNCHER *_RUNNER *_LINKER CC CXX CPP FC LD AR AS NM RANLIB STRIP", Executes, ""},
	{"HOSTCC HOSTCXX RUSTC RUSTDOC CONFIG_SHELL", Executes, ""},
	{"SHELL CMAKE_GENERATOR", RunsName, ""},
	{"TAR_OPTIONS", 0, "tar"}, {"LESS", 0, "less"}, {"FZF_DEFAULT_OPTS FZF_*_OPTS", 0, "fzf"}, {"MAKEFLAGS MFLAGS GNUMAKEFLAGS", 0, "make"},
	{"GREP_OPTIONS", 0, "grep"}, {"PERL5OPT", 0, "perl"}, {"RUBYOPT", 0, "ruby"}, {"NODE_OPTIONS", 0, "node"}, {"PYTEST_ADDOPTS", 0, "pytest"},
	{"ZIPOPT", 0, "zip"}, {"GZIP", 0, "gzip"}, {"XZ_OPT XZ_DEFAULTS", 0, "xz"}, {"ACK_OPTIONS", 0, "ack"}, {"MANOPT", 0, "man"}, {"BAT_OPTS", 0, "bat"},
	{"ANSIBLE_SSH_*ARGS", 0, "ssh"}, {"GOFLAGS", 0, "go build"}, {"MAVEN_ARGS MAVEN_OPTS", 0, "mvn"}, {"GIT_CONFIG_PARAMETERS", 0, "git -c"},
	{"npm_config_* NPM_CONFIG_*", 0, "npm --*"}, {"GIT_CONFIG_VALUE_*", SetsKey, "git"},
	{"VIMINIT EXINIT GVIMINIT", ObeysValue, "vim"}, {"PERL5DB", ObeysValue, "perl"}, {"MAKEFILES", LoadsValue, "make"},
	{"GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG", LoadsValue, "git"},
}

// variableOf finds a variable by its name.
func variableOf(name string) (*Variable, string) {
	for i := range Variables {
		for like := range strings.FieldsSeq(Variables[i].Names) {
			if head, _, _ := strings.Cut(like, "*"); like == name || LikeName(like, name) {
				return &Variables[i], name[len(head):]
			}
		}
	}
	return nil, ""
}

// Loads reports whether a call reads a file that a variable names, as its configuration or before its program.
func (c *Invocation) Loads(name string) bool {
	v, _ := variableOf(name)
	return shell.Among("BASH_ENV ENV", name) || v != nil && v.Does == LoadsValue && v.Of == TableName(ProgramName(c.Argv))
}

// RunsByVariable shows what the value of a variable runs that is set in front of a command, or before; other looks up
// a further one.
func (c *Invocation) RunsByVariable(name string, value *shell.Word, other func(string) string) {
	v, rest := variableOf(name)
	if v == nil || strings.TrimSpace(value.Text) == "" {
		return
	}
	switch {
	case v.Does == Executes:
		text := *value
		text.Text = strings.TrimLeft(value.Text, "|- ")
		c.within(Inner{Kind: InnerText, Via: name, Text: text})
	case !value.Known:
	case v.Does == ObeysValue, v.Does == LoadsValue:
		c.takeOver(name, func(o *Invocation) { o.Speaks("", value) }, shell.Literal(v.Of, value))
	case v.Does == SetsKey:
		key := other("GIT_CONFIG_KEY_" + strings.TrimPrefix(name, "GIT_CONFIG_VALUE_"))
		setting := shell.Literal(key+"="+value.Text, value)
		c.takeOver(name, nil, shell.Literal("git", value), shell.Literal("-c", value), setting)
	case v.Does == 0:
		c.runsByOptions(name, rest, v.Of, value)
	}
}

// runsByOptions reads a value as options: apart, and as one, since programs split in different ways.
func (c *Invocation) runsByOptions(name, rest, of string, value *shell.Word) {
	program, each, _ := strings.Cut(of, " ")
	argv := []shell.Word{shell.Literal(program, value)}
	switch each {
	case "--*": // the name is an option
		option := "--" + strings.ReplaceAll(strings.ToLower(rest), "_", "-") + "="
		c.takeOver(name, nil, argv[0], shell.Literal(option+value.Text, value))
		return
	case "-c":
		text := strings.ReplaceAll(value.Text, "'='", "=") // git writes 'core.pager'='less'
		for _, w := range splitWords(text, value) {
			argv = append(argv, shell.Literal(each, value), w)
		}
		c.takeOver(name, nil, argv...)
		return
	}
	if each != "" {
		argv = append(argv, shell.Literal(each, value))
	}
	c.takeOver(name, nil, append(slices.Clip(argv), *value)...)
	if words := splitWords(value.Text, value); len(words) != 1 || words[0].Text != value.Text {
		c.takeOver(name, nil, append(argv, words...)...)
	}
}

// takeOver adds what a call of another program would run and change, as a guess.
func (c *Invocation) takeOver(via string, more func(*Invocation), argv ...shell.Word) {
	o := Describe(argv, c.Cwd, c.Home)
	if more != nil {
		more(o)
	}
	for _, in := range o.Facts.Inner {
		if in.Via = via + " " + in.Via; !in.Strip && in.Here() {
			c.within(in)
		}
	}
	for _, e := range o.Facts.Effects {
		if e.Kind == shell.Write || e.Kind == shell.Execute {
			c.effect(e)
		}
	}
}
