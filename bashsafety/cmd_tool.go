package bashsafety

import (
	"path"
	"strings"
)

// toolCommands are programs of many trades of which some option executes or
// writes something one would not expect.
var toolCommands = []Command{
	{
		// GNU mailutils heeds the ~ lines of a message that comes through a pipe, too.
		Names: []string{"mail", "mailx", "s-nail"}, Title: "sends and reads mail", Flags: "-BEFHNdeinpvVIt version help", Values: "-scbruTqM subject",
		Opts: []Opt{{"exec", HasArg, Executes}, {"-S~#X", NoArg, Unsafe}, {"-Aa attach", HasArg, ReadsValue}, {"-f file", OptArg, 0}},
		Stdin: &StdinProgram{
			Operands: NoLimit, Escape: "~",
			Narrows: []string{"mail a@b <<< '~!id'", "mail <<< '!id'", "mail -s x a@b <<'E'\nx\n~!id\nE", "cat x | mail a@b", "mailx < x", "mail a@b <<< \"$x\""},
			Passes:  []string{"echo done | mail -s x a@b", "mail -s x a@b <<'E'\na ~ b\nE", "mail"},
		},
		Examples: []Example{{"mail -s x a@b", ""}, {"mail --exec='!id'", "narrow mail --exec>>'!id'"}, {"mail -A .env a@b", "read:.env"}, {"mailx -S sendmail=x a@b", "narrow"}},
	},
	{
		Names: []string{"dos2unix", "unix2dos", "mac2unix"}, Title: "converts the ends of lines in place",
		Flags:  "-abfhklLqrRsSuvV7 ascii iso add-bom keep-bom no-add-eol force follow-symlink keepdate quiet remove-bom safe skip-symlink version help",
		Values: "-cD convmode display-enc", OptValues: "-i info", Opts: []Opt{{"-n newfile", NoArg, 0}}, Operands: Writes,
		Examples: []Example{{"dos2unix a b", "write:a write:b"}},
	},
	{
		Names: []string{"m4", "gm4"}, Title: "expands macros", more: opaqueUnlessAsked, Flags: "version help V", Operands: Reads,
		Examples: []Example{{"m4 a.m4", "narrow read:a.m4"}, {"m4 --version", ""}},
	},
	{
		Names: []string{"dc"}, Title: "calculates", Flags: "-Vh version help", Opts: []Opt{{"-f file", HasArg, Unsafe}, {"-e expression", HasArg, 0}}, more: dcMore,
		Examples: []Example{{"dc -e '2 3 + p'", ""}, {"dc -e '!id'", "narrow"}, {"dc", "narrow"}},
	},
	{
		Names: []string{"expect", "bpftrace", "dtrace", "stap", "sysdig", "scriptreplay"}, Title: "runs a script of its own language", Operands: Reads, Flags: "-Vv version help",
		more: opaqueUnlessAsked, Examples: []Example{{"expect -c x", "narrow read:x"}, {"bpftrace x.bt", "narrow read:x.bt"}, {"expect -v", ""}},
	},
	{
		Names: []string{"groff", "troff", "nroff", "grog", "pic", "gtroff"}, Title: "formats manuals", Flags: "-abcCeEgGiJjkNpRsStVz",
		Values: "-dfKmnorTwW", Opts: []Opt{{"-UlXZ", NoArg, Unsafe}, {"-FILMPDQ", HasArg, Unsafe}}, Operands: Reads,
		Examples: []Example{{"groff -Tutf8 -man x.1", "read:x.1"}, {"groff -U x", "narrow read:x"}, {"troff -M/tmp x", "narrow read:x"}},
	},
	{
		Names: []string{"age", "sops"}, Title: "encrypts files", Values: "-rRj recipient recipients-file", Flags: "-depa decrypt encrypt passphrase armor",
		Opts:     []Opt{{"-o output", HasArg, WritesValue}, {"-i identity", OptArg, 0}, {"in-place", NoArg, WritesInPlace}, {"config", HasArg, Unsafe}},
		Operands: Reads, more: sopsMore,
		Examples: []Example{{"sops -d a.yml", "read:a.yml"}, {"age -o out a", "write:out narrow read:a"}, {"sops exec-env a id", "read:exec-env read:a read:id narrow sops exec-env>>'id'"}},
	},
	{
		Names: []string{"sshfs"}, Title: "mounts a directory of another machine", Flags: "-46cDHqvnsxC", Values: "-pTtO",
		Opts: []Opt{{"-oFS", HasArg, Unsafe}, {"-if", HasArg, ReadsValue}}, Examples: []Example{{"sshfs -o ssh_command=id h: d", "narrow"}},
	},
	{
		Names: []string{"mlr"}, Title: "works on tables of records", more: mlrMore,
		Examples: []Example{{"mlr --icsv --ojson cat a", "read:a"}, {"mlr -I cat a", "narrow"}, {"mlr put 'system(\"id\")' a", "narrow"}},
	},
	{
		Names: []string{"msgfilter", "msgexec"}, Title: "runs a program over translations", Flags: "-hsFV", Values: "-iowD input output-file", Style: StopAtOperand, more: launchMore,
		Examples: []Example{{"msgfilter -i a.po rm x", "msgfilter>rm x"}},
	},
	{
		Names: []string{"msgfmt", "msgmerge", "xgettext", "msgcat", "msginit", "msgconv", "bison", "yacc", "flex", "lex", "gperf", "ragel", "re2c", "pod2man", "pod2text", "help2man"},
		Title: "generates files", Flags: "-vcChsdtlVWFkei check version help verbose", Values: "-DLjNpw",
		Opts:     []Opt{{"-o output output-file", HasArg, OutputsValue}, {"-U update", NoArg, WritesInPlace}, {"-S skel skeleton", HasArg, Unsafe}},
		Operands: Reads, Examples: []Example{{"msgfmt -o out a.po", "write:out read:a.po"}, {"bison --skeleton=./x a.y", "narrow read:a.y"}, {"msgmerge -U a b", "write:a write:b"}},
	},
	{
		Names: []string{"xmlstarlet", "xsltproc", "tidy"}, Title: "works on XML and HTML", Style: NoOptions, more: xmlMore,
		Examples: []Example{
			{"xmlstarlet ed -L -d /a f.xml", "write:f.xml"},
			{"xsltproc -o out x.xsl a.xml", "write:out narrow read:x.xsl read:a.xml"}, {"tidy -m a.html", "write:a.html"},
		},
	},
	{
		Names: []string{"clang-tidy"}, Title: "checks C", Style: SingleDash, Flags: "quiet list-checks version help use-color", Values: "checks warnings-as-errors header-filter system-headers line-filter",
		Opts:     []Opt{{"fix fix-errors fix-notes", NoArg, WritesInPlace}, {"load p config-file config vfsoverlay extra-arg extra-arg-before", HasArg, Unsafe}, {"export-fixes store-check-profile", HasArg, WritesValue}},
		Operands: Reads, Examples: []Example{{"clang-tidy a.c --", "read:a.c"}, {"clang-tidy -load ./x.so a.c", "narrow read:a.c"}, {"clang-tidy --fix a.c", "write:a.c"}},
	},
	{
		Names: []string{"clang-format", "indent", "uncrustify", "astyle"}, Silent: "i", InPlace: true, Title: "formats C", Style: SingleDash, Flags: "dry-run n verbose Werror q replace no-backup version help",
		Values: "l lines offset length assume-filename", Opts: []Opt{{"i", NoArg, WritesInPlace}, {"o output-file", HasArg, OutputsValue}, {"style c options files", HasArg, 0}},
		Operands: Reads, more: indentMore, Examples: []Example{{"clang-format a.c", "read:a.c"}, {"clang-format -i a.c", "write:a.c"}, {"indent a.c", "read:a.c write:a.c"}},
	},
	{
		Names: []string{"cppcheck"}, Title: "checks C", Flags: "-qfvDIUj force quiet inline-suppr version xml dump",
		Values:   "std language platform enable suppress template",
		Opts:     []Opt{{"addon addon-python library rule-file project exename clang", HasArg, Unsafe}, {"plist-output output-file checkers-report cppcheck-build-dir", HasArg, WritesValue}},
		Operands: Reads, Examples: []Example{{"cppcheck --enable=all src", "read:src"}, {"cppcheck --addon=./x.py a.c", "narrow read:a.c"}},
	},
	{
		Names: []string{"info", "pinfo"}, Title: "reads manuals", Flags: "-aHknvwOR all version help", Values: "-df file node index-search directory",
		Opts: []Opt{{"-o output dribble", HasArg, WritesValue}, {"init-file restore", HasArg, Unsafe}}, Examples: []Example{{"info ls", ""}, {"info --output=out ls", "write:out narrow"}},
	},
	{
		Names: []string{"delta", "wdiff", "dwdiff"}, Title: "shows differences", Flags: "-23insct version help side-by-side line-numbers statistics no-common",
		Values: "features syntax-theme width default-language", Opts: []Opt{{"pager", HasArg, Executes}, {"-a auto-pager", NoArg, Executes}, {"config", HasArg, Unsafe}},
		Operands: Reads, Examples: []Example{{"delta a b", "read:a read:b"}, {"delta --pager id a b", "narrow delta --pager>>'id' read:a read:b"}},
	},
	{
		Names: []string{"sd"}, Title: "replaces text in files", Flags: "-psF preview string-mode fixed-strings across", Values: "-nf max-replacements flags", more: sdMore,
		Examples: []Example{{"sd a b f", "write:f"}, {"sd -p a b f", "read:f"}},
	},
	{
		Names: []string{"tshark", "wireshark", "capinfos", "dumpcap", "editcap", "mergecap"}, Title: "works on captured packets", Flags: "-DLlnpqVxPISvh version help",
		Values: "-iYTeEfscaBdojuRyMA", Opts: []Opt{{"-X", HasArg, Unsafe}, {"-r", HasArg, ReadsValue}, {"-w", HasArg, OutputsValue}, {"export-objects export-tls-session-keys", HasArg, Unsafe}},
		more: capMore, Examples: []Example{{"tshark -r a.pcap -Y http", "read:a.pcap"}, {"tshark -X lua_script:x -r a", "narrow read:a"}, {"editcap a out", "read:a write:out"}},
	},
	{
		Names: []string{"lynx", "w3m", "links", "links2", "elinks"}, Title: "shows web pages as text", Style: SingleDash,
		Flags:    "dump source nolist head accept_all_cookies force_html no-home stdin listonly nomargins mime_header dump_source",
		Values:   "useragent term T I O cols codepage dump-width",
		Opts:     []Opt{{"cfg lss cmd_script cmd_log editor config config-dir eval o download-dir exec lookup crawl traversal localexec anonymous post_data session", OptArg, Unsafe}},
		Operands: URLs, Examples: []Example{{"lynx -dump https://x", "net:https://x"}, {"lynx -cfg=x https://y", "narrow net:https://y"}},
	},
	{
		Names: []string{"logrotate"}, Title: "rotates log files", Flags: "-dv debug verbose version usage", Opts: []Opt{{"-f force", NoArg, Unsafe}, {"-m mail", HasArg, Executes}, {"-ls state log", HasArg, WritesValue}},
		more: logrotateMore, Examples: []Example{{"logrotate -d c", ""}, {"logrotate c", "narrow"}},
	},
	{
		Names: []string{"run-parts"}, Title: "runs the programs of a directory", Flags: "-vd test list verbose report reverse exit-on-error", Values: "-a arg umask regex lsbsysinit",
		more: runPartsMore, Examples: []Example{{"run-parts --list d", ""}, {"run-parts d", "narrow exec:d"}},
	},
	{
		Names: []string{"gdbserver", "heaptrack", "uftrace", "trace-cmd", "systemd-cat", "logsave", "cgdb"}, Title: "runs a program under watch", Style: StopAtOperand, more: surroundMore,
		Examples: []Example{{"heaptrack rm x", "narrow heaptrack>rm x"}},
	},
	{
		Names: []string{"rsh", "rlogin", "rexec"}, Title: "runs commands on another machine", Values: "-l", Flags: "-dnx", Style: StopAtOperand, more: remoteRest,
		Examples: []Example{{"rsh h rm x", "rsh >>rm x"}},
	},
	{
		Names: []string{"xclip", "xsel", "wl-copy"}, Title: "copies to the clipboard", Style: SingleDash, Flags: "i o in out f filter r rmlastnl quiet",
		Values: "selection sel display d target t loops l", Operands: Reads, Examples: []Example{{"xclip -sel clip a", "read:a"}},
	},
	{
		Names: []string{"sponge"}, Title: "writes standard input to a file when it has ended", Flags: "-a", Operands: Writes,
		Examples: []Example{{"sponge a", "write:a"}},
	},
}

// opaqueUnlessAsked narrows everything but a question for version or help.
func opaqueUnlessAsked(c *call) {
	if c.has("version", "help", "V", "v") && len(c.operands) == 0 && len(c.unknown) == 0 {
		return
	}
	c.narrow("its arguments can run commands or write files")
}

// sopsMore: exec-env and exec-file run a command, edit starts an editor.
func sopsMore(c *call) {
	switch c.literalOperand(0) {
	case "exec-env", "exec-file", "edit", "publish":
		c.narrow("it runs a command")
		if w := c.operand(2); w != nil {
			c.scan(c.literalOperand(0), w.Text, w)
		}
	}
	if programName(c.argv) == "sops" && (c.has("i") || !c.has("d", "e", "decrypt", "encrypt")) {
		for _, i := range c.operands {
			if w := &c.argv[i]; strings.Contains(w.Text, ".") {
				c.write(w)
			}
		}
		c.narrow("it opens an editor or writes in place")
	}
}

// mlrMore looks for the options and verbs that run or write something.
func mlrMore(c *call) {
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		t := w.Text
		switch t {
		case "-I", "--prepipe", "--prepipex", "--prepipe-bz2", "--load", "--mload", "-s", "split", "tee", "case", "-f":
			if t != "-f" || i > 0 && (c.argv[i].Text == "put" || c.argv[i].Text == "filter") {
				c.narrow(t + " runs a command or writes a file")
			}
		}
		for _, f := range [...]string{"system", "exec", "|", ">", "tee ", "dump"} {
			if strings.Contains(t, f) && strings.ContainsAny(t, "( \"") {
				c.narrow("the expression can run a command or write a file")
				break
			}
		}
		if !w.Known && !w.Single {
			continue
		}
	}
	if n := len(c.argv); n > 2 && !strings.HasPrefix(c.argv[n-1].Text, "-") && len(c.d.narrow) == 0 {
		c.read(&c.argv[n-1])
	}
}

// xmlMore reads the options that write or load; their names differ by program.
func xmlMore(c *call) {
	name, inPlace := programName(c.argv), false
	var files []int
	for i := 1; i < len(c.argv); i++ {
		w := &c.argv[i]
		switch t := w.Text; {
		case t == "-o" || t == "--output" || t == "-f" && name == "tidy":
			if i++; i < len(c.argv) {
				c.write(&c.argv[i])
			}
		case strings.HasPrefix(t, "--output="), strings.HasPrefix(t, "-o") && name == "xsltproc":
			v := suffix(w, strings.IndexAny(t, "=o")+1)
			c.write(&v)
		case name == "xmlstarlet" && (t == "-L" || t == "--inplace"), name == "tidy" && (t == "-m" || t == "-modify" || t == "--write-back"):
			inPlace = true
		case t == "--shell", t == "--path", t == "--catalogs", t == "--load-trace", t == "--net", t == "--writesubtree", t == "--dtdvalid", t == "--schema" && !w.Known,
			t == "-config", t == "--config":
			c.narrow(t + " loads or runs something else")
		case name == "xmlstarlet" && i == 1:
			if t == "tr" || t == "transform" {
				c.narrow("a style sheet can write files")
			}
		case strings.HasPrefix(t, "-"), name == "xmlstarlet" && strings.HasPrefix(c.argv[i-1].Text, "-"), strings.HasPrefix(t, "//"):
		case c.argv[i-1].Text == "--xpath", c.argv[i-1].Text == "--xinclude":
		default:
			files = append(files, i)
		}
	}
	if name == "xsltproc" && len(files) > 0 {
		c.narrow("a style sheet can write files")
	}
	for _, i := range files {
		if inPlace {
			c.write(&c.argv[i])
		} else {
			c.read(&c.argv[i])
		}
	}
}

// indentMore: indent and astyle write in place by themselves.
func indentMore(c *call) {
	switch path.Base(c.argv[0].Text) {
	case "indent", "astyle":
		if !c.has("o", "output-file", "dry-run") {
			for _, i := range c.operands {
				c.write(&c.argv[i])
			}
		}
	case "uncrustify":
		if c.has("replace", "no-backup") {
			for _, i := range c.operands {
				c.write(&c.argv[i])
			}
		}
	}
	if o := c.option("style"); o != nil && strings.HasPrefix(o.value.Text, "file:") {
		c.narrow("-style=file: loads a configuration")
	}
}

// sdMore is sd [options] FIND REPLACE [FILE]...
func sdMore(c *call) {
	for n, i := range c.operands {
		switch {
		case n < 2:
		case c.has("p", "preview"):
			c.read(&c.argv[i])
		default:
			c.write(&c.argv[i])
		}
	}
}

// capMore: editcap's last operand is written.
func capMore(c *call) {
	ops := c.operands
	if programName(c.argv) == "editcap" && len(ops) > 1 {
		c.write(&c.argv[ops[1]])
		ops = ops[:1]
	}
	switch programName(c.argv) {
	case "capinfos", "editcap", "mergecap":
		c.readOperands(ops)
	}
}

func logrotateMore(c *call) {
	if len(c.operands) > 0 && !c.has("d", "debug") {
		c.narrow("its configuration names commands that are run")
	}
}

func runPartsMore(c *call) {
	if w := c.operand(0); w != nil && !c.has("test", "list") {
		c.touch(Execute, w, false)
		c.narrow("it runs every program of the directory")
	}
}

// dcMore: ! runs a command.
func dcMore(c *call) {
	given := c.has("V", "version", "h", "help")
	for i := range c.opts {
		if u := &c.opts[i]; u.name == "e" || u.name == "expression" {
			given = given || u.value.Known && !strings.Contains(u.value.Text, "!")
			if !u.value.Known || strings.Contains(u.value.Text, "!") {
				c.narrow("! runs a command")
			}
		}
	}
	if !given && len(c.d.narrow) == 0 || len(c.operands) > 0 {
		c.narrow("its program can run commands")
	}
}
