package bashsafety

import "strings"

// codeCommands are the interpreters of other languages, and editors. Whoever
// allows one allows any program; what is looked for is shell text inside.
var codeCommands = []Command{
	{
		Names: []string{"node", "nodejs", "tsx", "ts-node"}, Title: "runs JavaScript", Style: StopAtOperand,
		Flags: "-chivA check interactive version help no-warnings trace-warnings enable-source-maps experimental-strip-types inspect inspect-brk " +
			"test watch allow-all allow-read allow-net allow-write allow-env allow-run quiet unstable no-check",
		Values: "input-type conditions title max-old-space-size -C loader experimental-loader config",
		Opts:   []Opt{{"-ep eval print", HasArg, 0}, {"-r require import", HasArg, 0}, {"env-file", HasArg, ReadsValue}}, Operands: Words, more: codeMore, Tells: "-v --version -h --help",
		Examples: []Example{
			{"node --version", "ro"}, {"node -v x.js", "exec:x.js read:x.js"}, {"node --check x.js", "ro read:x.js"}, {"node -c x.js", "ro read:x.js"},
			{"node -r ./y --check x.js", "read:x.js"}, {"tsx --check x.ts", "exec:x.ts read:x.ts"},
			{"node x.js", "exec:x.js read:x.js"},
			{"node", "node>-"},
			{"node -", "node>-"},
			{`node -e "console.log('rm -rf /')"`, ""},
			{`node -e "require('child_process').execSync('rm -rf x')"`, "node -e>>'rm -rf x'"},
			{`node -e "cp.spawn('rm',['-rf','x'])"`, "node -e>>rm -rf x"},
			{`node -pe "cp.execSync('rm -rf x')"`, "node -pe>>'rm -rf x'"},
			{"node -p process.version", ""},
			{`node -e "fs.rmSync('/usr', {recursive: true})"`, "node -e>>rm -rf /usr"}, {`node -e "fs.rmSync('/usr')"`, ""},
			{`node -e "fs.rmSync(os.homedir(), {recursive: true})"`, "node -e>>rm -rf /home/u"}, {`node -e "rm('/x', {recursive: true})"`, ""},
		},
	},
	{
		Names: []string{"perl", "ruby", "lua", "php", "osascript", "Rscript", "tclsh", "guile", "julia", "swift", "groovy", "elixir"},
		Title: "runs a script",
		Style: StopAtOperand,
		Flags: "-acfhlnpqsStTuUvwWxX0123456789", Values: "-mMCFIdzBr", OptValues: "-iD", Opts: []Opt{{"-eE eval", HasArg, 0}}, more: codeMore,
		Examples: []Example{
			{`perl -e 'system("rm -rf x")'`, "perl -e>>'rm -rf x'"},
			{"perl -pi -e s/a/b/ f", "write:f"}, {"perl -i.bak -pe s/a/b/ f g", "write:f write:g"},
			{"ruby x.rb", "exec:x.rb read:x.rb"},
			{"php -r 'echo 1;'", ""},
			{"ruby -e '`rm -rf x`'", "ruby -e>>'rm -rf x'"},
			{"perl -e 'print qq{rm -rf /}'", ""},
			{"php -r 'shell_exec(\"rm -rf x\");'", "php -r>>'rm -rf x'"},
			{"perl -e 'exec qw(rm -rf x)'", "perl -e>>rm -rf x"}, {"perl -MFile::Path -e 'rmtree(q{x}); rmtree(\"/\")'", "perl -e>>rm -rf /"},
			{"ruby -rfileutils -e 'FileUtils.rm_rf \"/etc\"'", "ruby -e>>rm -rf /etc"},
			{"lua -e 'os.execute(\"rm -rf x\")'", "lua -e>>'rm -rf x'"},
			{"osascript -e 'do shell script \"rm -rf x\"'", "osascript -e>>'rm -rf x'"},
			{"perl -ne 'print if /x/' f", "read:f"},
		},
	},
	{
		Names:  []string{"python", "pypy"},
		Title:  "runs Python",
		Style:  StopAtOperand,
		Flags:  "-bBdEhiIOPqRsSuvVx",
		Values: "-WX check-hash-based-pycs",
		Opts:   []Opt{{"-c", HasArg, 0}, {"-m", HasArg, 0}},
		more:   codeMore, Tells: "--version -V -VV -h --help --help-all --help-env --help-xoptions",
		Examples: []Example{
			{"python3 --version", "ro"}, {"python -V", "ro"}, {"python --version x.py", "exec:x.py read:x.py"},
			{"python3 -m pip list", "python3 -m>>pip list"}, {"python3 -m json.tool a.json", "read:a.json"},
			{"python3 -Im json.tool a.json", "ro read:a.json"}, {"python3 -m json.tool -I", ""}, {"python3 -I -X importtime -m json.tool a", "read:a"},
			{"python3 -m json.tool a .envrc", "read:a write:.envrc"},
			{"python3 -m venv .venv", "write:.venv/** python3 -m>>venv .venv"}, {"python3 -mzipfile -e a.zip /etc", "write:/etc/** python3 -m>>zipfile -e a.zip /etc"},
			{"python3 -m pytest -c x", "python3 -m>>pytest -c x"},
			{`python3 -c "import os; os.system('rm -rf /')"`, "python3 -c>>'rm -rf /'"},
			{"python3 x.py --a", "exec:x.py read:x.py"},
			{"python3 -m pytest", "python3 -m>>pytest"},
			{"python3", "python3>-"},
			{"python3 -", "python3>-"},
			{`python3 -c "print('rm -rf /')"`, ""},
			{`python3.12 -c "import subprocess; subprocess.run(['rm', '-rf', 'x'])"`, "python3.12 -c>>rm -rf x"},
			{`python -c "subprocess.check_output('git push -f', shell=True)"`, "python -c>>'git push -f'"},
			{`python3 -c "import shutil; shutil.rmtree('x')"`, ""},
			{`python3 -c "import shutil; shutil.rmtree('/')"`, "python3 -c>>rm -rf /"},
			{`python3 -c "shutil.rmtree(os.path.expanduser('~'))"`, "python3 -c>>rm -rf /home/u"},
			{`python3 -c "shutil.rmtree('/' + d)"`, ""}, {`python3 -c "shutil.rmtree(f'/{d}')"`, ""}, {`python3 -c "shutil.rmtree('~')"`, ""},
			{`python3 -c "shutil.rmtree('/tmp/x')"`, ""}, {`python3 -c "shutil.rmtree(Path.home() / 'x')"`, ""},
		},
	},
	{
		Names:  []string{"ex", "nvim", "rview", "vi", "view", "vim", "vimdiff"},
		Title:  "edits files",
		Flags:  "-bdDeEfgHILmMnNRrvVxXyYZAh headless clean noplugin not-a-term help version",
		Values: "-TtqWUp",
		Opts: []Opt{
			{"-cSu cmd startuptime remote-expr remote-send servername listen", HasArg, Unsafe}, {"-w", HasArg, WritesValue},
			{"-il", HasArg, Unsafe}, {"-s", OptArg, 0},
		},
		more: editorMore,
		Stdin: &StdinProgram{ // not from a terminal it is read like keys typed
			Unless: "-h version help", DashIsData: true, Operands: NoLimit,
			Narrows: []string{"vim f <<< ':!id'", "echo ':!id' | vi f", "vim f < x"}, Passes: []string{"vim f", "git diff | vim -", "view - < x"},
		},
		Examples: []Example{
			{"vim -es -c ':!touch p' f", "write:f narrow vim !>>'touch p'"},
			{"vim f", "write:f"},
			{"vim +q f", "narrow write:f"},
			{"nvim --headless +x", "narrow"},
			{"vim -s x f", "narrow write:x write:f"},
			{"nvim -l x.lua", "narrow"},
		},
	},
	{
		Names: []string{"emacs", "emacsclient", "mg", "jed"}, Title: "edits files", Style: SingleDash,
		Flags: "nw no-window-system Q quick q no-init-file nl daemon fg-daemon version help n no-wait c create-frame r batch",
		Opts: []Opt{
			{"l load eval e execute f funcall script x u user L directory insert", HasArg, Unsafe},
			{"a alternate-editor", HasArg, Executes},
		},
		more: editorMore,
		Examples: []Example{
			{"emacs f", "write:f"}, {"emacs --eval '(shell-command \"rm x\")'", "narrow"}, {"emacs -Q -batch -l x.el", "narrow"},
			{"emacsclient -e '(x)'", "narrow"},
		},
	},
	{
		Names:    []string{"ed", "nano", "pico", "micro", "hx", "code", "subl", "joe", "kak", "ne"},
		Title:    "edits files",
		Flags:    "-bdDEgHiILmMnNRrvVxXyYZAhSw",
		Values:   "-TtqU",
		Opts:     []Opt{{"-s", OptArg, 0}, {"-e", HasArg, Unsafe}, {"-c config command eval speller", HasArg, Unsafe}},
		more:     editorMore,
		Examples: []Example{{"ed f", "narrow write:f"}, {"nano f", "write:f"}, {"nano -s ./x f", "narrow write:x write:f"}},
	},
	{
		Names: []string{"man"}, Full: true,
		Title: "shows manual pages",
		Flags: "-aDdfhiIkKtVwWZ7c all apropos whatis where where-cat path location debug default regex wildcard names-only no-subpages " +
			"no-hyphenation no-justification global-apropos ignore-case match-case help version usage ascii catman",
		Values:    "-eELMmprRSsPx manpath locale sections extension systems preprocessor encoding prompt recode",
		OptValues: "-TX troff-device warnings",
		Opts: []Opt{
			{"pager", HasArg, Executes}, {"-H html gxditview", OptArg, Executes}, {"-BC config-file", HasArg, Unsafe}, {"-l local-file", NoArg, 0}, {"-u update", NoArg, Changes},
		},
		ReadOnly: true,
		more:     manMore,
		Examples: []Example{
			{"man ls", "ro"},
			{"man --html='touch p' ls", "narrow man --html>>'touch p'"},
			{"man -P ./x ls", "narrow man -P>>'./x'"},
			{"man -Hx ls", "narrow man -H>>'x'"},
		},
	},
}

// codeMore finds inline code, a script, or a program on standard input.
func codeMore(c *call) {
	name, inline := programName(c.argv), false
	for i := range c.opts {
		u := &c.opts[i]
		if u.name == "m" && u.given && c.cmd.Names[0] == "python" && !inline { // what follows belongs to the module
			pythonModule(c, u)
			return
		}
		switch u.name {
		case "c", "e", "E", "p", "eval", "print", "r":
			if !u.given || u.name == "r" && !strings.HasPrefix(name, "php") {
				continue
			}
			inline = true
			if w := c.operand(0); u.name == "p" && u.value.Text == "e" && w != nil { // node -pe CODE
				c.inlineCode(name+" -pe", w)
				continue
			}
			c.inlineCode(name+" -"+strings.TrimLeft(u.name, "-"), &u.value)
		case "m":
			inline = true
		}
	}
	if inline || c.cmd.Names[0] == "bun" {
		c.filtered(name)
		return
	}
	w := c.operand(0)
	switch {
	case w == nil && (c.has("v", "V", "version", "h", "help") || len(c.unknown) > 0):
	case w == nil || w.Known && w.Text == "-" || standardInput(w):
		c.runs(inner{kind: innerStdin, via: name})
	case c.has("check", "c") && strings.HasPrefix(name, "node"): // nothing but the syntax
		c.read(w)
		c.d.readOnly = len(c.opts) == 1 && c.proven()
	default:
		c.execute(w)
	}
}

// filtered reads, with -i writes, the files that perl and ruby run their code
// over with -n and -p.
func (c *call) filtered(name string) {
	switch tableName(name) {
	case "perl", "ruby":
		if c.has("n", "p", "i") {
			c.inPlace = c.has("i")
			c.readOperands(c.operands)
		}
	}
}

// foreignCode finds the same in a program on standard input.
func foreignCode(argv []Word, text *Word, home string) []inner {
	c := call{argv: argv, home: home}
	if text.Known {
		c.inlineCode(programName(argv), text)
	}
	return c.d.inner
}

// inlineCode finds the strings that code hands to a shell or runs as a program.
func (c *call) inlineCode(via string, code *Word) {
	s := code.Text
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '`' && (strings.HasPrefix(via, "ruby") || strings.HasPrefix(via, "perl") || strings.HasPrefix(via, "php")):
			if end := strings.IndexByte(s[i+1:], '`'); end >= 0 {
				c.codeText(via, s[i+1:i+1+end], code)
				i += end + 1
			}
		case i > 0 && awkNameByte(s[i-1]):
		case strings.HasPrefix(s[i:], "shell script ") && strings.HasPrefix(via, "osascript"):
			c.codeCall(via, s[i+len("shell script "):], code)
		default:
			if n := runnerName(s[i:]); n > 0 {
				c.codeCall(via, s[i+n:], code)
				i += n - 1
			} else if n := removerName(s[i:], i > 0 && s[i-1] == '.'); n > 0 {
				c.codeRemoves(via, s[i+n:], code)
				i += n - 1
			}
		}
	}
}

// runnerName returns the length of the name at the start of s when it is one of
// the functions that start programs.
func runnerName(s string) int {
	n := 0
	for n < len(s) && awkNameByte(s[n]) {
		n++
	}
	switch s[:n] {
	case "system", "popen", "Popen", "run", "call", "check_call", "check_output", "getoutput", "getstatusoutput", "exec", "execSync", "execFile",
		"execFileSync", "spawn", "spawnSync", "shell_exec", "passthru", "proc_open", "execl", "execlp", "execv", "execvp", "qx", "Command", "sh", "doShellScript", "execute":
		return n
	}
	return 0
}

// codeCall reads the literal arguments after a function name: a string is shell
// text, strings in a row or in brackets are an argv.
func (c *call) codeCall(via, s string, at *Word) {
	s = strings.TrimLeft(s, " \t\n(")
	list := strings.HasPrefix(s, "[")
	s = strings.TrimLeft(s, "[ \t\n")
	var words []Word
	if q, ok := strings.CutPrefix(s, "qw"); ok && len(q) > 1 { // perl's list of words
		text, _, _ := strings.Cut(q[1:], closing(q[:1]))
		for f := range strings.FieldsSeq(text) {
			words = append(words, literal(f, at))
		}
		list = true
	}
	for {
		text, rest, ok := codeString(s)
		if !ok {
			break
		}
		words = append(words, literal(text, at))
		s = strings.TrimLeft(rest, " \t\n")
		if !strings.HasPrefix(s, ",") {
			break
		}
		s = strings.TrimLeft(s[1:], " \t\n")
		if t, ok := strings.CutPrefix(strings.TrimLeft(s, "{ \t\n"), "args:"); ok { // Deno.Command("x", {args: [...]})
			s = strings.TrimLeft(t, " \t\n")
		}
		if strings.HasPrefix(s, "[") {
			list = true
			s = strings.TrimLeft(s, "[ \t\n")
		}
	}
	switch {
	case len(words) == 0:
	case len(words) == 1 && !list:
		c.codeText(via, words[0].Text, at)
	default:
		c.remote(inner{kind: innerArgv, via: via, argv: words})
	}
}

// closing is the bracket that ends what another opens, or the same character.
func closing(open string) string {
	switch open {
	case "(":
		return ")"
	case "[":
		return "]"
	case "{":
		return "}"
	case "<":
		return ">"
	}
	return open
}

func (c *call) codeText(via, text string, at *Word) {
	if strings.TrimSpace(text) != "" {
		c.remote(inner{kind: innerText, via: via, text: literal(text, at)})
	}
}

// codeString reads one quoted string.
func codeString(s string) (text, rest string, ok bool) {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "r"), "f")
	if s == "" || strings.IndexByte("'\"`", s[0]) < 0 {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == s[0]:
			return b.String(), s[i+1:], true
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}

// editorMore: +commands run at start; ed and ex read commands.
func editorMore(c *call) {
	for i := range c.opts {
		if _, text, ok := strings.Cut(c.opts[i].value.Text, "!"); ok {
			c.scan("!", text, &c.opts[i].value)
		}
	}
	switch name := programName(c.argv); {
	case name == "ed" || name == "ex" || c.has("e") && c.cmd.Names[0] == "ex":
		c.narrow("it reads commands that can run others")
	case c.has("s"):
		c.narrow("-s names a script, or a program")
	}
	for _, i := range c.operands {
		w := &c.argv[i]
		if strings.HasPrefix(w.Text, "+") {
			c.narrow("+ runs a command of the editor")
			continue
		}
		c.write(w)
	}
}

func manMore(c *call) {
	if o := c.option("P"); o != nil {
		c.narrow("-P runs a command")
		c.scan("-P", o.value.Text, &o.value)
	}
	if c.has("l", "local-file") {
		for _, i := range c.operands {
			c.read(&c.argv[i])
		}
	}
}
