package bashsafety

import (
	"path"
	"strings"
)

// builtinCommands are the builtins of the shell, and the small programs that
// neither read nor write files.
var builtinCommands = []Command{
	{
		Names: []string{".", "source"}, Title: "runs a file in this shell", Style: NoOptions, more: sourceMore,
		Examples: []Example{{"source .env", "source:.env read:.env"}, {". ./env.sh x", "source:env.sh read:env.sh"}, {`. "$x"`, "source:? read:?"}, {". /dev/stdin", ".>-"}},
	},
	{
		Names: []string{":", "false", "true"}, Title: "does nothing", Style: NoOptions, ReadOnly: true, Closed: true,
		Examples: []Example{{": $x", "ro"}, {"true", "ro"}},
	},
	{
		Names: []string{"alias"}, Title: "lists or makes aliases", Flags: "-p", ReadOnly: true, more: aliasMore,
		Examples: []Example{{"alias", "ro"}, {"alias ls='rm -rf'", "doubt:alias"}},
	},
	{
		Names: []string{
			"bg", "break", "continue", "dirs", "disown", "exit", "fg", "logout", "return", "shift", "suspend", "times", "ulimit", "umask",
			"unalias", "wait",
		},
		Title: "controls the shell", Style: NoOptions, ReadOnly: true, Closed: true,
		Examples: []Example{{"exit 1", "ro"}, {"wait $pid", "ro"}},
	},
	{
		Names: []string{"bind"}, Title: "binds keys", Flags: "-lpPsSvVX", Values: "-mqru", Opts: []Opt{{"-xf", HasArg, Unsafe}}, more: bindMore,
		Examples: []Example{{"bind -x '\"a\": id'", "narrow bind -x>' id'"}, {"bind -p", ""}, {"bind '\"a\": \"id\\n\"'", "doubt:hidden-eval"}},
	},
	{
		Names: []string{"builtin"}, Title: "runs a builtin", Style: StopAtOperand, more: launchMore,
		Examples: []Example{{"builtin cd x", "builtin>cd x"}},
	},
	{
		Names: []string{"cd", "chdir"}, Title: "changes the directory", Flags: "-LPe@q", ReadOnly: true, Closed: true, more: cdMore,
		Examples: []Example{{"cd src", "ro"}, {"cd -- -x", "ro"}},
	},
	{
		Names:    []string{"command"},
		Title:    "runs a program, not a function",
		Flags:    "-p",
		Opts:     []Opt{{"-vV", NoArg, Asks}},
		Style:    StopAtOperand,
		ReadOnly: true,
		more:     commandMore,
		Examples: []Example{{"command -v rg", "ro"}, {"command git add -A", "command>git add -A"}, {"command -p rm x", "command>rm x"}},
	},
	{
		Names: []string{"compgen", "complete", "compopt"}, Title: "makes completions", Flags: "-abcdefgjkprsuvDEI", Values: "-oAGXPS",
		Opts: []Opt{{"-C", HasArg, 0}, {"-FW", HasArg, 0}}, more: completeMore,
		Examples: []Example{
			{"compgen -C 'touch x' a", `compgen -C>'touch x "${_}" "${_}" "${_}"'`}, {"compgen -W '$(id)'", "doubt:hidden-eval"}, {"compgen -c", ""},
			{"compgen -W '<(id)'", "doubt:hidden-eval"}, {"compgen -W 'a b' -- a", ""},
		},
	},
	{
		Names: []string{"declare", "export", "local", "readonly", "typeset"}, Title: "declares variables", Style: NoOptions, ReadOnly: true, more: declareMore,
		Examples: []Example{{"export A=1", "ro"}, {"declare -p A", "ro"}, {"declare -p", ""}, {"export", ""}, {"declare -f", "ro"}},
	},
	{
		Names: []string{"echo"}, Title: "prints its operands", Style: NoOptions, ReadOnly: true, Closed: true,
		Examples: []Example{{`echo "rm -rf /"`, "ro"}, {"echo -n $x", "ro"}},
	},
	{
		Names:    []string{"enable"},
		Title:    "turns builtins on and off",
		Flags:    "-ads",
		ReadOnly: true,
		Opts:     []Opt{{"-f", HasArg, Unsafe}, {"-n", NoArg, Unsafe}},
		more:     enableMore,
		Examples: []Example{
			{"enable -f ./x.so ls", "doubt:shadowed-builtin narrow"}, {"enable", "ro"}, {"enable test", "ro"}, {"enable x", "doubt:shadowed-builtin"},
		},
	},
	{
		Names: []string{"eval"}, Title: "runs its operands as shell text", Style: NoOptions, more: evalMore,
		Examples: []Example{{"eval 'ls -l' x", "eval>'ls -l x'"}, {"eval -- id", "eval>'id'"}, {`eval "$x"`, "eval>?"}, {"eval", ""}},
	},
	{
		Names: []string{"exec"}, Title: "replaces the shell by a program", Flags: "-cl", Values: "-a", Style: StopAtOperand, more: launchMore,
		Examples: []Example{{"exec -a ls curl x", "exec>curl x"}, {"exec", ""}},
	},
	{
		Names:    []string{"fc", "history"},
		Title:    "lists and repeats history",
		Flags:    "-lnr",
		Opts:     []Opt{{"-e", HasArg, Unsafe}, {"-sp", NoArg, Executes}, {"-awcd", NoArg, Unsafe}},
		ReadOnly: true,
		more:     historyMore,
		Examples: []Example{
			{"history", "ro"}, {"history 5", "ro"}, {"fc -l", "ro"}, {"fc -ln 1", "ro"}, {"fc -s", "narrow doubt:unknown-program-text"},
			{"fc 3", "doubt:unknown-program-text"}, {"history -w f", "narrow write:f"}, {"history -a", "narrow write:?"},
		},
	},
	{
		Names: []string{"getopts"}, Title: "parses options", Style: NoOptions, ReadOnly: true,
		Examples: []Example{{"getopts ab: o", "ro"}},
	},
	{
		Names:    []string{"hash"},
		Title:    "remembers where programs are",
		Flags:    "-rdlt",
		Opts:     []Opt{{"-p", HasArg, Unsafe}},
		ReadOnly: true,
		more:     enableMore,
		Examples: []Example{{"hash -r", "ro"}, {"hash -p /tmp/evil ls", "doubt:shadowed-builtin narrow"}},
	},
	{
		Names: []string{"jobs"}, Title: "lists jobs", Flags: "-lnprs", Style: StopAtOperand, ReadOnly: true, Opts: []Opt{{"-x", NoArg, 0}}, more: jobsMore,
		Examples: []Example{{"jobs -l", "ro"}, {"jobs -x rm %1", "jobs>rm %1"}},
	},
	{
		Names: []string{"let"}, Title: "calculates", Style: NoOptions, ReadOnly: true,
		Examples: []Example{{"let a=1+2", "ro"}},
	},
	{
		Names:    []string{"mapfile", "readarray"},
		Title:    "reads lines into an array",
		Flags:    "-t",
		Values:   "-dnOsuc",
		Opts:     []Opt{{"-C", HasArg, 0}},
		ReadOnly: true,
		more:     mapfileMore,
		Examples: []Example{
			{"mapfile -t a", "ro"},
			{"mapfile -C 'touch p' -c 1", `mapfile -C>'touch p "${_}" "${_}"'`},
			{"mapfile -C 'touch p #'", `mapfile -C>'touch p # "${_}" "${_}"' doubt:hidden-eval`},
		},
	},
	{
		Names: []string{"popd", "pushd"}, Title: "changes the directory and remembers it", Flags: "-n", ReadOnly: true, more: cdMore,
		Examples: []Example{{"pushd x", "ro"}, {"popd", "ro"}},
	},
	{
		Names:    []string{"printf"},
		Title:    "prints its operands by a format",
		Style:    StopAtOperand,
		Opts:     []Opt{{"-v", HasArg, 0}},
		ReadOnly: true,
		Examples: []Example{{`printf '%s\n' 'chmod 777 is bad'`, "ro"}, {"printf -v x y", "ro"}},
	},
	{
		Names: []string{"pwd"}, Title: "prints the directory", Flags: "-LPW", ReadOnly: true, Closed: true,
		Examples: []Example{{"pwd -P", "ro"}},
	},
	{
		Names: []string{"read", "unset"}, Title: "sets or unsets variables", Style: NoOptions, ReadOnly: true,
		Examples: []Example{{"read -r a b", "ro"}, {"read -p '[$x]' v", "ro"}},
	},
	{
		Names:    []string{"set", "shopt", "setopt", "unsetopt"},
		Title:    "sets options of the shell",
		Style:    NoOptions,
		ReadOnly: true,
		Closed:   true,
		more:     shoptMore,
		Examples: []Example{{"set -euo pipefail", "ro"}, {"set", ""}, {"shopt -s expand_aliases", "doubt:alias"}},
	},
	{
		Names: []string{"test", "["}, Title: "tests files and strings", Style: NoOptions, ReadOnly: true, Closed: true,
		Examples: []Example{{"test -f go.mod", "ro"}, {"[ -f go.mod ]", "ro"}, {"[ a = '[$(x)]' ]", "ro"}},
	},
	{
		Names: []string{"trap"}, Title: "runs shell text on a signal", Flags: "-lpP", Style: StopAtOperand, ReadOnly: true, more: trapMore,
		Examples: []Example{{"trap 'rm x' EXIT", "trap>'rm x'"}, {"trap - INT", "ro"}, {"trap -p", "ro"}, {"trap INT", "ro"}},
	},
	{
		Names:    []string{"type", "whence", "where", "whereis", "which"},
		Title:    "says what a name would run",
		Flags:    "-afptPvwsmSMBubl all skip-alias skip-functions read-alias read-functions tty-only show-dot show-tilde help version",
		ReadOnly: true,
		Closed:   true,
		Examples: []Example{{"which -a rm", "ro"}, {"type -t x", "ro"}},
	},
}

// sourceMore is source FILE [ARG].
func sourceMore(c *call) {
	w := c.operand(0)
	if w != nil && w.Known && w.Text == "--" {
		w = c.operand(1)
	}
	if w == nil {
		return
	}
	if standardInput(w) {
		c.runs(inner{kind: innerStdin, via: programName(c.argv)})
		return
	}
	if descriptor(w, c.cwd) {
		c.doubt("piped-program", "the program comes from a pipe and cannot be seen; save it to a file and look at it first", w)
	}
	c.touch(Source, w, false)
	c.touch(Read, w, false)
}

// standardInput reports whether a word names the standard input as a file.
func standardInput(w *Word) bool {
	switch w.Text {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return w.Known
	}
	return false
}

// descriptor reports whether a word names what a descriptor is open on, as
// <(cmd) does.
func descriptor(w *Word, cwd *cwdState) bool {
	lit := literalPrefix(w)
	for _, dir := range append([]string{""}, cwd.dirs...) {
		if p := path.Clean(dir + "/" + lit); strings.HasPrefix(p, "/dev/") || strings.HasPrefix(p, "/proc/") {
			return dir != "" || strings.HasPrefix(lit, "/")
		}
	}
	return len(cwd.dirs) == 0 && (path.Base(lit) == "stdin" || path.Base(path.Dir(lit)) == "fd")
}

func aliasMore(c *call) {
	for _, i := range c.operands {
		if w := &c.argv[i]; !w.Known || strings.Contains(w.Text, "=") {
			c.doubt("alias", "an alias changes what later words run; write the command out", w)
			return
		}
	}
}

// launchMore runs the operands as a command.
func launchMore(c *call) {
	if argv := c.rest(0); len(argv) > 0 {
		c.runs(inner{kind: innerArgv, via: programName(c.argv), argv: argv})
	}
}

func commandMore(c *call) {
	if !c.asks {
		launchMore(c)
	}
}

// jobsMore: -x runs its operands.
func jobsMore(c *call) {
	if c.has("x") {
		launchMore(c)
	}
}

// cdMore sets the new directory.
func cdMore(c *call) {
	w := hole("", &c.argv[0])
	switch op := c.operand(0); {
	case programName(c.argv) == "popd" || c.has("n"):
	case op == nil:
		if c.cmd.Names[0] == "cd" && c.home != "" {
			w = literal(c.home, &c.argv[0])
		}
	case op.Known && (op.Text == "-" || strings.HasPrefix(op.Text, "+")):
	case !op.Known && !op.Glob && !op.Single && op.Text == HoleMark: // cd $x: may be empty
	default:
		w = *op
	}
	c.d.chdir = &w
}

// completeMore runs -C's text; -F names a function, -W's words are expanded.
func completeMore(c *call) {
	for i := range c.opts {
		switch u := &c.opts[i]; u.name {
		case "C":
			c.callback("compgen -C", u.value, 3)
		case "W", "F":
			if !u.value.Known || expands(u.value.Text) || strings.Contains(u.value.Text, "[") {
				c.hiddenEval(&u.value)
			}
		}
	}
}

// bindMore: -x runs what stands behind the keys; an operand types for the user.
func bindMore(c *call) {
	for i := range c.opts {
		if u := &c.opts[i]; u.name == "x" {
			text := u.value
			if _, behind, ok := strings.Cut(text.Text, ":"); ok {
				text.Text = behind
			}
			c.runs(inner{kind: innerText, via: "bind -x", text: text})
		}
	}
	for _, i := range c.operands {
		c.hiddenEval(&c.argv[i])
	}
}

func (c *call) hiddenEval(w *Word) {
	c.doubt("hidden-eval", "the shell evaluates this word a second time; use a plain name", w)
}

func enableMore(c *call) {
	for i := range c.opts {
		if c.opts[i].does == Unsafe {
			c.doubt("shadowed-builtin", "this changes what a later word runs; write the command out", &c.argv[c.opts[i].at])
		}
	}
	if programName(c.argv) == "hash" { // zsh: hash NAME=PATH
		for _, i := range c.operands {
			if w := &c.argv[i]; !w.Known || strings.Contains(w.Text, "=") {
				c.doubt("shadowed-builtin", "this changes what a later word runs; write the command out", w)
			}
		}
	}
	if programName(c.argv) != "enable" || len(c.d.doubts) > 0 {
		return
	}
	for _, i := range c.operands {
		if w := &c.argv[i]; !w.Known || !shellBuiltin(w.Text) {
			c.doubt("shadowed-builtin", "bash loads code of that name; leave it out", w)
		}
	}
}

// shellBuiltin names the builtins of bash 5.2.
func shellBuiltin(name string) bool {
	switch name {
	case ".", ":", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete", "compopt",
		"continue", "declare", "dirs", "disown", "echo", "enable", "eval", "exec", "exit", "export", "false", "fc", "fg", "getopts",
		"hash", "help", "history", "jobs", "kill", "let", "local", "logout", "mapfile", "popd", "printf", "pushd", "pwd", "read",
		"readarray", "readonly", "return", "set", "shift", "shopt", "source", "suspend", "test", "times", "trap", "true", "type",
		"typeset", "ulimit", "umask", "unalias", "unset", "wait":
		return true
	}
	return false
}

// declareMore: without a name the variables are listed with their values.
func declareMore(c *call) {
	for i := range c.argv[1:] {
		if t := literalPrefix(&c.argv[i+1]); !strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "+") || strings.ContainsAny(t, "fF") {
			return
		}
	}
	c.disprove(printsEnvironment)
}

// evalMore joins the operands as eval does.
func evalMore(c *call) {
	ops := c.operands
	if len(ops) > 0 && c.argv[ops[0]].Known && c.argv[ops[0]].Text == "--" {
		ops = ops[1:]
	}
	if len(ops) == 0 {
		return
	}
	var words []Word
	for _, i := range ops {
		words = append(words, c.argv[i])
	}
	c.runs(inner{kind: innerText, via: "eval", text: joined(words)})
}

// joined is words joined by blanks into one text, a hole when one is not known.
func joined(words []Word) Word {
	w := Word{Known: true, Single: true, Quoted: true, Span: words[0].Span}
	texts := make([]string, len(words))
	for i := range words {
		texts[i] = words[i].Text
		w.Known = w.Known && words[i].Known
		w.Span.End = max(w.Span.End, words[i].Span.End)
	}
	w.Text = strings.Join(texts, " ")
	if !w.Known && !strings.Contains(w.Text, HoleMark) {
		w.Text += HoleMark
	}
	return w
}

func mapfileMore(c *call) {
	if o := c.option("C"); o != nil {
		c.callback("mapfile -C", o.value, 2)
		if strings.Contains(o.value.Text, "#") || strings.Contains(o.value.Text, "<<") {
			c.hiddenEval(&o.value) // the line that is appended holds a newline, which ends a comment
		}
	}
}

// callback runs text that the shell appends n unknown, quoted words to.
func (c *call) callback(via string, text Word, n int) {
	text.Text += strings.Repeat(` "${_}"`, n)
	c.runs(inner{kind: innerText, via: via, text: text})
}

// historyMore: fc runs commands again unless it lists them.
func historyMore(c *call) {
	if programName(c.argv) == "fc" {
		if !c.has("l") {
			c.doubt("unknown-program-text", "the program text comes from the history; write the command out", &c.argv[0])
		}
		return
	}
	if c.has("a", "w") {
		w := c.operand(0)
		if w == nil { // $HISTFILE
			h := hole("", &c.argv[0])
			w = &h
		}
		c.write(w)
	}
}

// shoptMore doubts the options that change how later words are read.
func shoptMore(c *call) {
	name := c.cmd.Names[0]
	if len(c.argv) > 0 {
		name = programName(c.argv)
	}
	if name == "set" && len(c.argv) == 1 {
		c.disprove(printsEnvironment)
	}
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		switch t := w.Text; {
		case name == "set" && (t == "--" || t == "-"):
			return
		case rereads(t):
			id := "shell-option"
			if t == "expand_aliases" {
				id = "alias"
			}
			c.doubt(id, t+" changes how later words are read; leave it as it is", w)
		case name == "set" && letters(t, '-', "kH"), name == "set" && letters(t, '+', "B"):
			c.doubt("shell-option", t+" changes how later words are read; leave it as it is", w)
		case !w.Known && (name != "set" || strings.HasPrefix(c.argv[i].Text, "-") && strings.HasSuffix(c.argv[i].Text, "o")):
			c.doubt("shell-option", "an unknown option may change how later words are read; write it out", w)
		}
	}
}

// letters reports whether a cluster of options behind the sign holds one of them.
func letters(cluster string, sign byte, any string) bool {
	return len(cluster) > 1 && cluster[0] == sign && cluster[1] != sign && strings.ContainsAny(cluster, any)
}

// rereads names the options under which a shell reads the text that follows in
// another way.
func rereads(option string) bool {
	switch option {
	case "expand_aliases", "extglob", "globsubst", "GLOB_SUBST", "lastpipe", "keyword", "histexpand", "braceexpand", "nocaseglob", "failglob", "posix":
		return true
	}
	return false
}

// trapMore runs the first of at least two operands; - and "" reset.
func trapMore(c *call) {
	if w := c.operand(0); w != nil && len(c.operands) > 1 && !(w.Known && (w.Text == "-" || w.Text == "")) {
		c.runs(inner{kind: innerText, via: "trap", text: *w})
	}
}
