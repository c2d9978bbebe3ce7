package bashsafety

import (
	"path"
	"strings"
)

// wrapMore takes the wrapper off: its command stands for itself.
func wrapMore(c *call) {
	if argv := c.rest(0); len(argv) > 0 {
		c.runs(inner{kind: innerArgv, via: programName(c.argv), argv: argv, strip: true})
		return
	}
	c.d.readOnly = true
}

// timeoutMore is timeout [options] DURATION COMMAND.
func timeoutMore(c *call) {
	if w := c.operand(0); w != nil && w.Known && (w.Text == "" || strings.IndexByte("0123456789.i", w.Text[0]) < 0) {
		c.narrow("the time is no number; old releases take the first word for the command")
		c.runs(inner{kind: innerArgv, via: "timeout", argv: c.rest(0)})
		return
	}
	if argv := c.rest(1); len(argv) > 0 {
		c.runs(inner{kind: innerArgv, via: "timeout", argv: argv, strip: true})
	}
}

// afterFirst runs what follows the first operand, or a shell.
func afterFirst(c *call) {
	switch argv := c.rest(1); {
	case len(argv) > 0:
		c.runs(inner{kind: innerArgv, via: programName(c.argv), argv: argv})
	case c.cmd.Names[0] == "chroot" && len(c.operands) > 0:
		c.runs(inner{kind: innerStdin, via: "chroot"})
	}
}

// scheduleMore is chrt and taskset: what follows a priority or mask, with -p a
// process that runs already. Of the words of chrt the first is the command when
// it is no number.
func scheduleMore(c *call) {
	if c.has("p", "pid") {
		return
	}
	if w := c.operand(0); w != nil && programName(c.argv) == "chrt" && w.Known && !number(w.Text) {
		c.runs(inner{kind: innerArgv, via: "chrt", argv: c.rest(0)})
		if argv := c.rest(1); len(argv) > 0 {
			c.remote(inner{kind: innerArgv, via: "chrt", argv: argv})
		}
		return
	}
	afterFirst(c)
}

// cargoWatchMore: -x is a command of cargo, -s shell text, the operands a
// command.
func cargoWatchMore(c *call) {
	for i := range c.opts {
		switch u := &c.opts[i]; u.name {
		case "x", "exec":
			text := u.value
			text.Text = "cargo " + text.Text
			c.runs(inner{kind: innerText, via: "cargo-watch -x", text: text})
		case "s", "shell":
			c.runs(inner{kind: innerText, via: "cargo-watch -s", text: u.value})
		}
	}
	launchMore(c)
}

// shellLauncherMore runs its operands, or a shell without any.
func shellLauncherMore(c *call) {
	if len(c.operands) == 0 {
		c.runs(inner{kind: innerStdin, via: programName(c.argv)})
		return
	}
	c.runs(inner{kind: innerArgv, via: programName(c.argv), argv: c.rest(0)})
}

// surroundMore is for launchers whose options are many and differ by release:
// the first word that is no option is taken for the command, and so is every
// later one that names a program of the tables, because what stands between may
// be a value, a user or a profile. No patterned rule covers the launcher.
func surroundMore(c *call) {
	c.narrow("what it runs depends on options that are not all known")
	for _, in := range c.candidates(0) {
		c.runs(in)
	}
}

// candidates returns, for every operand from the first on that may start a
// command, that command; behind -- only the one that follows. What comes after
// the first program of the tables is most likely an argument of it: deny rules
// and checks see that too.
func (c *call) candidates(first int) []inner {
	for n, i := range c.operands {
		if n >= first && c.argv[i].Known && c.argv[i].Text == "--" && n+1 < len(c.operands) {
			first = n + 1
			break
		}
	}
	var all []inner
	found := false
	for n := first; n < len(c.operands); n++ {
		i := c.operands[n]
		w := &c.argv[i]
		in := inner{kind: innerArgv, via: programName(c.argv), argv: c.argv[i:], remote: found}
		known := w.Known && tabled(w.Text)
		switch {
		case w.Known && strings.ContainsAny(w.Text, " \t\n"): // hyperfine 'make x' 'make y'
			in.kind, in.text = innerText, *w
		case n != first && !known:
			continue
		}
		found = found || known
		all = append(all, in)
	}
	return all
}

// tabled reports whether the tables know a program.
func tabled(word string) bool { return find(path.Base(word)).family >= 0 }

// verbMore is for tools of which one verb launches: uv run, lxc exec NAME. Deny
// rules and checks see the command; a rule that allows the verb is enough.
func verbMore(c *call) {
	switch c.literalOperand(0) {
	case "exec", "run", "x", "enter", "shell", "execute", "console":
		for _, in := range c.candidates(1) {
			c.remote(in)
		}
	}
}

// settingMore is for tools that do nothing but set variables and then launch:
// direnv exec DIR COMMAND, aws-vault exec NAME -- COMMAND, op run -- COMMAND.
func settingMore(c *call) {
	at := 0
	switch c.literalOperand(0) {
	case "exec":
		at = 2
	case "run":
		at = 1
	default:
		return
	}
	for n := range c.operands {
		if c.literalOperand(n) == "--" {
			at = n + 1
			break
		}
	}
	if argv := c.rest(at); len(argv) > 0 {
		c.runs(inner{kind: innerArgv, via: programName(c.argv), argv: argv})
	}
}

// optionTextMore runs the shell text that options hold.
func optionTextMore(c *call) {
	for i := range c.opts {
		if u := &c.opts[i]; u.given {
			switch u.name {
			case "x", "c", "s", "exec", "run", "command", "shell":
				c.runs(inner{kind: innerText, via: programName(c.argv) + " " + c.spell(u), text: u.value})
			}
		}
	}
}

// adbMore is adb shell: text that a device runs.
func adbMore(c *call) {
	if argv := c.rest(1); len(argv) > 0 && c.literalOperand(0) == "shell" {
		c.remote(inner{kind: innerText, via: "adb shell", text: joined(argv)})
	}
}

// machineMore finds the command for another machine: the text of -c and -C, or
// the words behind the verb and, where it takes one, the name of the machine.
func machineMore(c *call) {
	via := programName(c.argv)
	if o := c.option("c", "C", "command"); o != nil && o.given {
		c.remote(inner{kind: innerText, via: via, text: o.value})
		return
	}
	at := 0
	switch verb := c.literalOperand(0); {
	case c.dashdash > 0 && c.dashdash+1 < len(c.argv):
		c.remote(inner{kind: innerArgv, via: via, argv: c.argv[c.dashdash+1:]})
		return
	case via == "wsl" || via == "lima":
	case verb == "run" || verb == "ssh" && via != "vagrant":
		at = 1
	case verb == "exec" || verb == "shell":
		at = 2
	default:
		return
	}
	switch argv := c.rest(at); {
	case len(argv) == 1 && strings.ContainsAny(argv[0].Text, " \t\n"):
		c.remote(inner{kind: innerText, via: via, text: argv[0]})
	case len(argv) > 0:
		c.remote(inner{kind: innerArgv, via: via, argv: argv})
	}
}

// ipLaunches is ip [options] netns exec NAME COMMAND.
func ipLaunches(c *call) {
	for i := 1; i+3 < len(c.argv); i++ {
		if c.argv[i].Text == "netns" && c.argv[i+1].Text == "exec" {
			c.narrow("ip netns exec runs a command")
			c.runs(inner{kind: innerArgv, via: "ip", argv: c.argv[i+3:]})
			return
		}
	}
}

func atMore(c *call) {
	switch {
	case c.has("l", "r", "d", "c"):
		c.d.readOnly = c.has("l", "c") && !c.has("r", "d") && c.proven()
	case c.has("f"):
		c.touch(Execute, &c.option("f").value, false)
	default:
		c.runs(inner{kind: innerStdin, via: programName(c.argv)})
	}
}

func busyboxMore(c *call) {
	if c.asks {
		c.d.readOnly = true
		return
	}
	launchMore(c)
}

// sudoMore runs a command, a shell, or nothing when it only looks up.
func sudoMore(c *call) {
	if c.asks {
		return
	}
	user := "root"
	if o := c.option("u", "user"); o != nil {
		user = ""
		if o.value.Known {
			user = o.value.Text
		}
	}
	if c.has("k") && len(c.operands) == 0 {
		return
	}
	c.privilege(user)
	if c.has("e", "edit") {
		for _, i := range c.operands {
			c.write(&c.argv[i])
		}
		return
	}
	in := inner{kind: innerStdin, via: c.cmd.Names[0]}
	if o := c.option("D", "chdir"); o != nil {
		in.dir = &o.value
	}
	in.assigns, in.argv = leadingAssigns(c.rest(0))
	if len(in.argv) == 1 && c.has("s", "i", "shell", "login") && in.argv[0].Known && strings.ContainsAny(in.argv[0].Text, " \t\n;&|") {
		in.kind, in.text = innerText, in.argv[0] // sudo escapes blanks, other launchers named so do not
	} else if len(in.argv) > 0 {
		in.kind = innerArgv
	} else if !c.has("s", "i", "shell", "login") {
		return
	}
	c.runs(in)
}

// leadingAssigns splits NAME=value words off the front.
func leadingAssigns(argv []Word) ([]Assign, []Word) {
	var as []Assign
	for len(argv) > 0 {
		lit := literalPrefix(&argv[0])
		name, _, ok := strings.Cut(lit, "=")
		if !ok || name == "" || strings.Contains(name, "/") {
			break
		}
		as = append(as, Assign{Name: name, Value: suffix(&argv[0], len(name)+1)})
		argv = argv[1:]
	}
	return as, argv
}

// suMore is su [-] [user [shell arguments]], runuser -u user command, pkexec
// command, sg group command.
func suMore(c *call) {
	name, argv := programName(c.argv), c.rest(0)
	user, text := "root", c.option("c", "command", "session-command")
	direct := name == "pkexec"
	if o := c.option("u", "user"); o != nil {
		user, direct = o.value.Text, true
	}
	if !direct {
		for len(argv) > 0 && argv[0].Known && argv[0].Text == "-" {
			argv = argv[1:]
		}
		if len(argv) > 0 && !strings.HasPrefix(argv[0].Text, "-") {
			user, argv = argv[0].Text, argv[1:]
		}
	}
	c.privilege(strings.ReplaceAll(user, HoleMark, ""))
	if !direct && text == nil { // options may follow the user
		for i := range argv {
			if t := argv[i].Text; (t == "-c" || t == "--command") && i+1 < len(argv) {
				text = &used{value: argv[i+1]}
			} else if v, ok := strings.CutPrefix(t, "--command="); ok {
				text = &used{value: suffix(&argv[i], len(t)-len(v))}
			}
		}
	}
	switch {
	case text != nil:
		c.runs(inner{kind: innerText, via: name + " -c", text: text.value})
	case direct && len(argv) > 0:
		c.runs(inner{kind: innerArgv, via: name, argv: argv})
	case name == "sg" && len(argv) > 0:
		c.runs(inner{kind: innerText, via: "sg", text: joined(argv)})
	default:
		c.runs(inner{kind: innerStdin, via: name})
	}
}

// envMore is env [options] [NAME=value]... [command]; -S splits one word into
// several that stand in its place.
func envMore(c *call) {
	in := inner{kind: innerArgv, via: "env"}
	if o := c.option("C", "chdir"); o != nil {
		in.dir = &o.value
	}
	argv := c.rest(0)
	for o, n := c.option("S", "split-string"), 0; o != nil && n < maxStrip; n++ { // the string may hold options, -S too
		argv = append(envSplit(&o.value), argv...)
		a := call{argv: argv, sub: c.sub, cmd: c.cmd, args: parseArgs(argv, 0, c.cmd.Style, []*Command{c.cmd})}
		if dir := a.option("C", "chdir"); dir != nil {
			in.dir = &dir.value
		}
		c.unknown = append(c.unknown, a.unknown...)
		argv, o = a.rest(0), a.option("S", "split-string")
	}
	if len(argv) > 0 && argv[0].Known && argv[0].Text == "-" {
		argv = argv[1:]
	}
	if in.assigns, in.argv = leadingAssigns(argv); len(in.argv) > 0 {
		c.runs(in)
		return
	}
	c.disprove(printsEnvironment)
}

// envSplit splits as env -S does: blanks separate, quotes and backslashes
// protect, ${NAME} is unknown.
func envSplit(w *Word) []Word {
	if !w.Known {
		return []Word{hole("", w)}
	}
	var words []Word
	var b strings.Builder
	in, known, quote := false, true, byte(0)
	flush := func() {
		if in {
			v := literal(b.String(), w)
			v.Known = known
			words = append(words, v)
		}
		in, known = false, true
		b.Reset()
	}
	for s := w.Text; s != ""; s = s[1:] {
		c := s[0]
		switch {
		case quote == 0 && strings.IndexByte(" \t\n\v\f\r", c) >= 0:
			flush()
			continue
		case quote == 0 && c == '#' && !in:
			return words
		case c == '\\' && len(s) > 1 && quote != '\'':
			s = s[1:]
			switch s[0] {
			case '_':
				if quote == 0 {
					flush()
					continue
				}
				b.WriteByte(' ')
			case 'c':
				flush()
				return words
			case 'n', 't', 'r', 'v', 'f':
				b.WriteByte(' ')
			default:
				b.WriteByte(s[0])
			}
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != 0 && c == quote:
			quote = 0
		case c == '$' && quote != '\'':
			known = false
			b.WriteString(HoleMark)
			if i := strings.IndexByte(s, '}'); i >= 0 {
				s = s[i:]
			}
		default:
			b.WriteByte(c)
		}
		in = true
	}
	flush()
	return words
}

// entrMore runs its operands, with -s the first as shell text; /_ is a file.
func entrMore(c *call) {
	argv := c.rest(0)
	switch {
	case len(argv) == 0:
	case c.has("s"):
		c.runs(inner{kind: innerText, via: "entr -s", text: argv[0]})
	default:
		c.runs(inner{kind: innerArgv, via: "entr", argv: argv, more: true})
	}
}

// flockMore is flock [options] FILE COMMAND, or FILE -c TEXT, or a descriptor.
func flockMore(c *call) {
	argv := c.rest(0)
	if len(argv) == 0 {
		return
	}
	c.write(&argv[0])
	argv = argv[1:]
	switch o := c.option("c", "command"); {
	case o != nil:
		c.runs(inner{kind: innerText, via: "flock -c", text: o.value})
	case len(argv) > 1 && (argv[0].Text == "-c" || argv[0].Text == "--command"):
		c.runs(inner{kind: innerText, via: "flock -c", text: argv[1]})
	case len(argv) > 0:
		c.runs(inner{kind: innerArgv, via: "flock", argv: argv})
	}
}

// debugMore is gdb --args COMMAND and lldb -- COMMAND; else the first operand
// is the program that may be run.
func debugMore(c *call) {
	at := c.dashdash
	if o := c.option("args"); o != nil {
		at = o.at
	}
	if at > 0 {
		if argv := c.argv[at+1:]; len(argv) > 0 {
			c.runs(inner{kind: innerArgv, via: c.argv[0].Text, argv: argv})
		}
		return
	}
	if w := c.operand(0); w != nil {
		c.execute(w)
	}
}

// straceMore writes -o's file; a value that starts with | or ! is a command.
func straceMore(c *call) {
	if o := c.option("o", "output"); o != nil {
		if t := literalPrefix(&o.value); strings.HasPrefix(t, "|") || strings.HasPrefix(t, "!") {
			c.narrow("-o runs a command")
		} else if c.write(&o.value) {
			c.narrow("-o writes a file")
		}
	}
	launchMore(c)
}

// parallelMore runs the words before ::: with {} filled in. One word with
// blanks is shell text.
func parallelMore(c *call) {
	argv := c.rest(0)
	for i := range argv {
		if t := argv[i].Text; strings.HasPrefix(t, ":::") {
			for k := range argv[i+1:] { // what is filled in is a file for most commands
				c.touch(Read, &argv[i+1+k], false)
			}
			argv = argv[:i]
			break
		}
	}
	if len(argv) == 0 {
		c.doubt("piped-program", "parallel runs the lines it reads; name the command", &c.argv[0])
		c.d.readOnly = false
		return
	}
	for i := range argv {
		if strings.Contains(argv[i].Text, "{=") {
			c.narrow("{= =} is Perl that parallel runs")
		}
	}
	argv, placed := replaced(argv, "{")
	if len(argv) == 1 && strings.ContainsAny(argv[0].Text, " \t\n|;&$`<>") {
		c.runs(inner{kind: innerText, via: "parallel", text: argv[0]})
		return
	}
	c.runs(inner{kind: innerArgv, via: "parallel", argv: argv, more: !placed})
}

// replaced puts holes where words hold the mark; "{" stands for {}, {.}, {/}
// and the like.
func replaced(argv []Word, mark string) ([]Word, bool) {
	out, any := make([]Word, len(argv)), false
	for i, w := range argv {
		switch {
		case mark == "{":
			for {
				from := strings.IndexByte(w.Text, '{')
				if from < 0 {
					break
				}
				to := strings.IndexByte(w.Text[from:], '}')
				if to < 0 || strings.ContainsAny(w.Text[from:from+to], " ;") {
					break
				}
				w.Text = w.Text[:from] + HoleMark + w.Text[from+to+1:]
				w.Known, w.Single, w.Quoted, any = false, true, true, true
			}
		case mark != "" && strings.Contains(w.Text, mark):
			w.Text = strings.ReplaceAll(w.Text, mark, HoleMark)
			w.Known, w.Single, w.Quoted, any = false, true, true, true
		}
		out[i] = w
	}
	return out, any
}

// scriptMore is script [-c TEXT] [FILE], elsewhere script FILE COMMAND.
func scriptMore(c *call) {
	w := c.operand(0)
	if name := literal("typescript", &c.argv[0]); w == nil && !c.has("B", "I", "O", "log-in", "log-out", "log-io") {
		w = &name
	}
	if w != nil {
		c.write(w)
	}
	switch o := c.option("c", "command"); {
	case o != nil:
		c.runs(inner{kind: innerText, via: "script -c", text: o.value})
	case len(c.operands) > 1:
		c.runs(inner{kind: innerArgv, via: "script", argv: c.rest(1)})
	default:
		c.runs(inner{kind: innerStdin, via: "script"})
	}
}

// watchMore runs its operands as shell text, with -x as they stand.
func watchMore(c *call) {
	argv := c.rest(0)
	switch {
	case len(argv) == 0:
	case c.has("x", "exec"):
		c.runs(inner{kind: innerArgv, via: "watch", argv: argv})
	default:
		c.runs(inner{kind: innerText, via: "watch", text: joined(argv)})
	}
}

// xargsMore runs its operands with further words, or with the mark of -I
// replaced; without a command it prints them.
func xargsMore(c *call) {
	argv := c.rest(0)
	if len(argv) == 0 {
		return
	}
	in := inner{kind: innerArgv, via: "xargs", argv: argv, more: true}
	if o := c.option("I", "i", "replace", "J"); o != nil {
		mark := "{}"
		if o.given && o.value.Known && o.value.Text != "" {
			mark = o.value.Text
		}
		in.argv, _ = replaced(argv, mark)
		in.more = o.name == "J" // which puts all of them there
	}
	c.runs(in)
}
