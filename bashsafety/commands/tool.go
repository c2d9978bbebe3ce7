package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// What age and sops have in common.
const (
	cipherFlags  = "-depa decrypt encrypt passphrase armor"
	cipherValues = "-rRj recipient recipients-file"
)

var cipherOpts = []Opt{
	{"-o output", HasArg, WritesValue}, {"-i identity", OptArg, 0}, {"in-place", NoArg, WritesInPlace}, {"config", HasArg, Unsafe},
}

// What the formatters of C have in common.
const (
	indentFlags  = "dry-run n verbose Werror q replace no-backup version help"
	indentValues = "l lines offset length assume-filename"
)

var indentOpts = []Opt{{"i", NoArg, WritesInPlace}, {"o output-file", HasArg, Writes}, {"style c options", HasArg, 0}, {"files", HasArg, Unsafe}}

// What the programs of Wireshark have in common.
const (
	captureFlags  = "-DLlnpqVxPISvh version help"
	captureValues = "-iYTeEfscaBdojuRyMA"
)

var captureOpts = []Opt{
	{"-X", HasArg, Unsafe}, {"-r", HasArg, Reads}, {"-w", HasArg, Writes}, {"export-objects export-tls-session-keys", HasArg, Unsafe},
}

const (
	ownProgram = "its program can run commands or write files"
	runsOwn    = "runs a script of its own language"
)

// toolCommands are programs of many trades of which some option executes or
// writes something one would not expect.
var toolCommands = []Command{
	{
		// GNU mailutils heeds the ~ lines of a message that comes through a pipe, too.
		Names: "mail mailx s-nail", Title: "sends and reads mail", Flags: "-BEFHNdeinpvVIt version help", Values: "-scbruTqM subject",
		Opts:    []Opt{{"exec", HasArg, Executes}, {"-S~#X", NoArg, Unsafe}, {"-Aa attach", HasArg, Reads}, {"-f file", OptArg, 0}},
		Special: &Special{Stdin: &StdinProgram{Operands: NoLimit, Escape: "~"}},
	},
	{
		Names: "dos2unix unix2dos mac2unix", Local: true, Title: "converts line endings in place",
		Flags:  "-abfhklLqrRsSuvV7 ascii iso add-bom keep-bom no-add-eol force follow-symlink keepdate quiet remove-bom safe skip-symlink version help",
		Values: "-cD convmode display-enc", OptValues: "-i info", Opts: []Opt{{"-n newfile", NoArg, 0}}, Operands: Writes,
	},
	{
		Names: "m4 gm4", Title: "expands macros", Forms: []Form{{"!--version|--help|-V", Narrows, ownProgram}, {"--version|--help|-V *", Narrows, ownProgram}}, refine: refineCodeOptions, Flags: "version help V", Opts: []Opt{{"-D define", HasArg, 0}}, Operands: Reads,
		Special: &Special{Stdin: &StdinProgram{Unless: "version help", Operands: NoLimit}},
	},
	{
		Names: "dc", Title: "calculates", Flags: "-Vh version help", Opts: []Opt{{"-f file", HasArg, Unsafe}, {"-e expression", HasArg, 0}},
		Forms: []Form{
			{"-e|--expression=TEXT:*!*", ObeysValue, "! runs a command"}, {"!-V|-h|--version|--help|-e|--expression", Narrows, ownProgram}, {"-V|-h|--version|--help|-e|--expression *", Narrows, ownProgram},
		},
		Special: &Special{Stdin: &StdinProgram{Unless: "-Vh version help", Operands: NoLimit}},
	},
	{
		Names: "expect", Title: runsOwn, Operands: Reads, Flags: "-Vv version help", Opts: []Opt{{"-c", HasArg, 0}}, refine: refineCodeOptions,
		Forms:   []Form{{"!--version|--help|-V|-v", Narrows, ownProgram}, {"--version|--help|-V|-v *", Narrows, ownProgram}},
		Special: &Special{Stdin: &StdinProgram{Unless: "version help v", Operands: NoLimit}},
	},
	{
		Names: "bpftrace dtrace stap sysdig scriptreplay", Title: runsOwn, Operands: Reads, Flags: "-Vv version help", Opts: []Opt{{"-c", HasArg, 0}}, refine: refineCodeOptions,
		Forms: []Form{{"!--version|--help|-V", Narrows, ownProgram}, {"--version|--help|-V *", Narrows, ownProgram}},
	},
	{
		Names: "groff troff nroff grog pic gtroff", Title: "formats manuals", Flags: "-abcCeEgGiJjkNpRsStVz",
		Values: "-dfKmnorTwW", Opts: []Opt{{"-UlXZ", NoArg, Unsafe}, {"-FILMPDQ", HasArg, Unsafe}}, Operands: Reads,
	},
	{Names: "age", Title: "encrypts files", Values: cipherValues, Flags: cipherFlags, Opts: cipherOpts, Operands: Reads,
		Forms:   []Form{{"exec-env|exec-file|edit|publish", Narrows, "it runs a command"}, {"exec-env|exec-file|edit|publish * TEXT", MayRunText, ""}},
		Special: &Special{Credentials: []Credential{{"age -d|--decrypt", "*"}}}},
	{Names: "sops", Title: "encrypts files", Values: cipherValues, Flags: cipherFlags, Opts: cipherOpts, Operands: Reads, Forms: []Form{{"edit|publish", Narrows, "it runs a command"}}, refine: refineSops,
		Special: &Special{Credentials: []Credential{{"sops -d|--decrypt", "*"}, {"sops decrypt", "*"}}, Environments: []Environment{{Skip: 1, Shell: true, Command: Command{Names: "exec-env exec-file", Flags: "background no-fifo pristine same-process", Values: "user filename"}}}}},
	{
		Names: "sshfs", Title: "mounts a directory of another machine", Flags: "-46cDHqvnsxC", Values: "-pTtO",
		Opts: []Opt{{"-oFS", HasArg, Unsafe}, {"-if", HasArg, Reads}},
	},
	{Names: "mlr", Title: "processes tabular data", refine: refineMlr},
	{Names: "msgfilter msgexec", Title: "runs a program over translations", Flags: "-hsFV", Values: "-iowD input output-file", Style: StopAtOperand, RunsRest: true},
	{
		Names: "msgfmt msgmerge xgettext msgcat msginit msgconv bison yacc flex lex gperf ragel re2c pod2man pod2text " +
			"help2man",
		Title: "generates files", Flags: "-vcChsdtlVWFkei check version help verbose", Values: "-DLjNpw",
		Opts:     []Opt{{"-o output output-file", HasArg, Writes}, {"-U update", NoArg, WritesInPlace}, {"-S skel skeleton", HasArg, Unsafe}},
		Operands: Reads,
	},
	{Names: "xmlstarlet", Title: "processes XML and HTML", Style: NoOptions, refine: refineXmlstarlet},
	{
		Names: "xsltproc", Title: "makes other texts of XML by a style sheet", Style: SingleDash, Operands: Reads,
		Flags: "version V verbose v timing repeat debug novalid nodtdattr noout html nonet nowrite nomkdir xinclude xincludestyle profile dumpextensions huge",
		Opts:  []Opt{{"o output", HasArg, Writes}, {"path writesubtree catalogs load-trace net dtdvalid shell config", NoArg, Unsafe}},
		Forms: []Form{{"*", Narrows, "a style sheet can write files"}},
	},
	{
		Names: "tidy", Title: "checks and cleans HTML", Style: SingleDash, Operands: Reads, Flags: "indent i quiet q errors e upper u clean c bare b utf8 ashtml asxml asxhtml help h version v xml",
		Opts:  []Opt{{"m modify write-back", NoArg, WritesInPlace}, {"o output output-file f file", HasArg, Writes}, {"config", NoArg, Unsafe}},
		Forms: []Form{{"-- FILE...", Writes, optionsAfterDashes}},
	},
	{
		Names: "clang-tidy", Parser: ArgFiles, Title: "checks C", Style: SingleDash, Flags: "quiet list-checks version help use-color", Values: "checks warnings-as-errors header-filter system-headers line-filter",
		Opts:     []Opt{{"fix fix-errors fix-notes", NoArg, WritesInPlace}, {"load p config-file config vfsoverlay extra-arg extra-arg-before", HasArg, Unsafe}, {"export-fixes store-check-profile", HasArg, WritesValue}},
		Operands: Reads,
	},
	{
		Names: "clang-format", Parser: ArgFiles, Local: true, InPlace: true, Title: "formats C", Style: SingleDash, Flags: indentFlags, Values: indentValues,
		Opts: indentOpts, Operands: Reads, Forms: []Form{{"-i", Hides, ""}, {"--style=file:*", Narrows, "-style=file: loads a configuration"}},
	},
	{
		Names: "indent astyle", InPlace: true, Title: "formats C in place", Style: SingleDash, Flags: indentFlags, Values: indentValues,
		Opts: indentOpts, Operands: Reads, Forms: []Form{{"-i", Hides, ""}, {"!-o|--output-file|--dry-run FILE...", Writes, ""}, {"--style=file:*", Narrows, "-style=file: loads a configuration"}},
	},
	{
		Names: "uncrustify", InPlace: true, Title: "formats C", Style: SingleDash, Flags: indentFlags, Values: indentValues,
		Opts: indentOpts, Operands: Reads, Forms: []Form{{"-i", Hides, ""}, {"--replace|--no-backup FILE...", Writes, ""}, {"--style=file:*", Narrows, "-style=file: loads a configuration"}},
	},
	{
		Names: "cppcheck", Title: "checks C", Flags: "-qfvDIUj force quiet inline-suppr version xml dump",
		Values:   "std language platform enable suppress template",
		Opts:     []Opt{{"addon addon-python library rule-file project exename clang", HasArg, Unsafe}, {"plist-output output-file checkers-report cppcheck-build-dir", HasArg, WritesValue}},
		Operands: Reads,
	},
	{
		Names: "info pinfo", Title: "reads manuals", Flags: "-aHknvwOR all version help", Values: "-df file node index-search directory",
		Opts: []Opt{{"-o output dribble", HasArg, WritesValue}, {"init-file restore", HasArg, Unsafe}},
	},
	{
		Names: "delta wdiff dwdiff", Title: "shows differences", Flags: "-23insct version help side-by-side line-numbers statistics no-common",
		Values: "features syntax-theme width default-language", Opts: []Opt{{"pager", HasArg, Executes}, {"-a auto-pager", NoArg, Executes}, {"config", HasArg, Unsafe}},
		Operands: Reads,
	},
	{Names: "sd", Local: true, Title: "replaces text in files", Flags: "-psF preview string-mode fixed-strings across", Values: "-nf max-replacements flags", Forms: []Form{{"-p|--preview * * FILE...", Reads, ""}, {"!-p|--preview * * FILE...", Writes, ""}}},
	{Names: "tshark wireshark dumpcap", Title: "records and shows packets", Flags: captureFlags, Values: captureValues, Opts: captureOpts},
	{
		Names: "capinfos mergecap", Title: "processes captured packets", Flags: captureFlags, Values: captureValues, Opts: captureOpts,
		Operands: Reads,
	},
	{Names: "editcap", Title: "changes captured packets", Flags: captureFlags, Values: captureValues, Opts: captureOpts, Forms: []Form{{"FILE", Reads, ""}, {"* FILE", Writes, ""}}},
	{
		Names: "lynx w3m links links2 elinks", Title: "shows web pages as text", Style: SingleDash,
		Flags:    "dump source nolist head accept_all_cookies force_html no-home stdin listonly nomargins mime_header dump_source",
		Values:   "useragent term T I O cols codepage dump-width",
		Opts:     []Opt{{"cfg lss cmd_script cmd_log editor config config-dir eval o download-dir exec lookup crawl traversal localexec anonymous post_data session", OptArg, Unsafe}},
		Operands: Sends, Forms: []Form{{"FILE...:^*://*", Reads, ""}},
	},
	{
		Names: "logrotate", Title: "rotates log files", Flags: "-dv debug verbose version usage", Opts: []Opt{{"-f force", NoArg, Unsafe}, {"-m mail", HasArg, Executes}, {"-ls state log", HasArg, WritesValue}},
		Forms: []Form{{"!-d|--debug *", Narrows, "its configuration names commands to run"}},
	},
	{
		Names: "run-parts", Title: "runs the programs of a directory", Flags: "-vd test list verbose report reverse exit-on-error", Values: "-a arg umask regex lsbsysinit",
		Forms: []Form{{"!--test|--list FILE", Executes, "it runs every program of the directory"}},
	},
	{Names: "gdbserver heaptrack uftrace trace-cmd systemd-cat logsave cgdb", Title: "runs a program under watch", Style: StopAtOperand, refine: refineUnknownLauncher},
	{Names: "rsh rlogin rexec", Title: "runs commands on another machine", Values: "-l", Flags: "-dnx", Style: StopAtOperand, Forms: []Form{{"* COMMAND...", RunsThere, ""}}},
	{
		Names: "xclip xsel wl-copy", Title: "copies to the clipboard", Style: SingleDash, Flags: "i o in out f filter r rmlastnl quiet",
		Values: "selection sel display d target t loops l", Operands: Reads,
	},
	{Names: "parecord parec arecord pw-record maim fallocate gitleaks ab", Title: "writes the file that it is given", Forms: []Form{
		{"=parecord|parec|arecord|pw-record|maim|fallocate FILE", Writes, ""}},
		Opts: []Opt{{"-reg report-path", HasArg, Writes}, {"-lonf length offset", HasArg, 0}},
	},
	{Names: "mmv", Title: "moves files by patterns", Flags: "-hdpgtvnkiafrxmcol", Operands: Moves},
	{Names: "mcopy", Title: "copies files to and from a disk image", Flags: "-abmnopQstv", Values: "-iD", Operands: Copies},
	{Names: "sponge", Local: true, Title: "writes standard input to a file when it has ended", Flags: "-a", Operands: Writes},
	{
		// Each is a shell of its own, or what it is given is run.
		Names: "asterisk msfconsole bconsole tdbtool guestfish virt-customize virt-builder crash csvtool dosbox cdist psftp procmail run-mailcap runscript xdg-user-dir bashbug perlbug efax agetty exim salt-call knife fail2ban-client xorriso vigr vipw",
		Title: "obeys a language of its own", Operands: Reads, Forms: []Form{{"", ObeysWords, ownLanguage}},
	},
	{
		Names: "sshuttle restic borg duplicity rdiff-backup fzf hg svn svnadmin cvs darcs fossil bzr",
		Title: "starts another program that an option names", Operands: Reads,
		Forms:  []Form{{"export * FILE", Writes, ""}, {"archive FILE", Writes, ""}, {"cat|export|archive|diff -o=FILE", Writes, ""}},
		Values: "exclude iexclude",
		Opts:   []Opt{{"-e rsh remote-path remote-schema gpg-binary ssh-options ssh ssh-cmd remotecmd diff-cmd diff3-cmd editor-cmd password-command", HasArg, Executes}, {"preview", HasArg, Executes}, {"bind", HasArg, ObeysValue}, {"config config-option", HasArg, SetsKey}, {"with-shell config-dir extension", HasArg, Unsafe}, {"listen listen-unsafe", OptArg, Unsafe}, {"-o option", HasArg, 0}, {"target", HasArg, Writes}},
		refine: refineKeyed, Special: &Special{Language: finderActions},
	},
	{
		Names: "yt-dlp youtube-dl", Title: "downloads films", Operands: Sends, Opts: []Opt{{"exec exec-before-download downloader external-downloader netrc-cmd ffmpeg-location", HasArg, Executes}, {"plugin-dirs config-locations config-location", HasArg, Unsafe}, {"use-postprocessor ppa postprocessor-args downloader-args external-downloader-args alias", HasArg, Unsafe}, {"-oP output paths cookies cache-dir download-archive write-pages", HasArg, Writes}, {"print-to-file", HasArg, Unsafe}},
	},
	{
		Names: "virsh puppet debugfs smbclient minicom scanmem rtorrent mutt neomutt needrestart neofetch fastfetch nginx openvpn dnsmasq sqlmap cupsfilter ranger gimp zathura pygmentize enscript dvips sphinx-autobuild",
		Title: "has an option that names commands, or a configuration that does", Operands: Reads, Opts: []Opt{{"-bcefxDFIMRS config address up down route-up ipchange tls-verify client-connect execute batch filter source ascii command-text tamper", HasArg, Unsafe}, {"os-shell os-pwn", NoArg, Unsafe}, {"-giO", HasArg, 0}, {"-CloLwW log log-append log-facility logdest status writepid", HasArg, WritesValue}},
		refine: refineKeyed,
	},
	{
		Names: "scrot rsyslogd", Title: "writes files, and one of it runs what an option names", Operands: Writes, Opts: []Opt{{"-e exec", HasArg, Executes}, {"-Fi file", HasArg, Writes}, {"-f", HasArg, LoadsValue}},
	},
	{Names: "doxygen", Title: "generates documentation", Flags: "-sdvVhm", Opts: []Opt{{"-gewful", NoArg, WritesInPlace}}, Operands: Reads},
	{Names: "exiftool", Title: "prints and changes what pictures say of themselves", Style: NoOptions, refine: refineExiftool},
	{
		Names: "hashcat clamscan varnishncsa nasm yasm jarsigner keytool update-alternatives zic tic john siege msmtp snmpwalk snmptrapd step",
		Title: "writes files that options name", Operands: Reads, Opts: []Opt{{"-olwZdT outfile debug-file potfile-path copy move install slave signedjar file keystore destkeystore session pot phonout", HasArg, WritesValue}, {"-@ providerpath providerclass external", HasArg, Unsafe}},
	},
	{
		Names: "a2ping afconvert avifenc cjxl d2 djxl dropbearconvert flips gdal_contour gdal_translate gdalbuildvrt gdaldem gdalwarp grim gst-transcoder-1.0 guetzli " +
			"mp4decrypt ocrmypdf opusenc pdfattach pdfcrop pdfposter pdfseparate pdftocairo pdftohtml pngcrush sam2p sbcast spa-resample stegsnow svg2png " +
			"systemd-creds tesseract virt-sparsify weasyprint xcursorgen xdelta xdelta3 zipalign zopflipng",
		Title: "makes a file of others", Operands: Reads, Forms: []Form{{"* ** FILE $", Writes, ""}, {"=grim FILE", Writes, ""}},
	},
	{Names: "mksquashfs lwp-download", Title: "makes a file of another", Operands: ReadThenWrite, Opts: []Opt{{"-p", HasArg, Unsafe}}},
	{
		Names: "cowsay cowthink facter bbot autoconf autoheader autoreconf cpan ldconfig", Title: "runs code that an option names", Operands: Reads, Opts: []Opt{{"-fcyBI custom-dir external-dir module-dirs prepend-include include", HasArg, LoadsValue}},
	},
	{
		Names: "chromium chromium-browser google-chrome google-chrome-stable", Title: "shows web pages", Operands: Sends, Opts: []Opt{{"print-to-pdf screenshot user-data-dir disk-cache-dir log-net-log", OptArg, Writes}, {"load-extension", OptArg, Unsafe}},
	},
}

// finderActions shows the commands in the actions of fzf: start:execute(TEXT), with any bracket, or : to the end.
func finderActions(c *Invocation, text *shell.Word) {
	for rest := text.Text; ; {
		at := len(rest)
		for _, action := range [...]string{"execute", "become", "reload", "transform", "preview", "bg-", "search"} {
			if i := strings.Index(rest, action); i >= 0 && i < at {
				at = i
			}
		}
		if at == len(rest) {
			return
		}
		rest = strings.TrimLeft(rest[at:], "abcdefghijklmnopqrstuvwxyz-")
		if rest == "" {
			return
		}
		command := rest[1:]
		if end := strings.LastIndex(command, shell.Closing(rest[:1])); rest[0] != ':' && end >= 0 {
			command = command[:end]
		}
		c.scan("action", command, text)
	}
}

// refineKeyed: the value of -o and its kin is KEY=VALUE, of which some keys run something.
func refineKeyed(c *Invocation) {
	for u := range c.options() {
		keyed := u.does == 0 && u.Given && shell.Among("o option g i O", u.Name)
		if key, _, _ := strings.Cut(u.Value.Text, "="); keyed && (!u.Value.Known || actOfName(key) != 0 || shell.ContainsAny(key, "Command", "execute", "load_module", "import")) {
			c.Narrow(c.spell(u) + " sets what is run")
			c.setting(c.spell(u), &u.Value)
		}
		if text, ok := strings.CutPrefix(u.Value.Text, "!"); ok { // smbclient -c '!COMMAND'
			c.scan(c.spell(u), text, &u.Value)
		}
	}
}

// refineExiftool: conditions, formats and copied tags may hold Perl.
func refineExiftool(c *Invocation) {
	for i := 1; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		option := strings.TrimRight(strings.ToLower(shell.LiteralPrefix(w)), "0123456789+!")
		switch {
		case shell.Among("-if -p -printformat -config -use -@ -execute -userparam -api", option), strings.Contains(w.Text, "${"):
			c.Narrow(w.Text + " may run code")
			c.anyText("", w)
			if i+1 < len(c.Argv) {
				c.codeIn(option, &c.Argv[i+1])
			}
		case shell.Among("-o -out -w -textout -tagout", option) && i+1 < len(c.Argv):
			c.write(&c.Argv[i+1])
		}
		if !strings.HasPrefix(option, "-") {
			c.read(w)
		}
	}
}

// refineSops: exec-env and exec-file run a command; without -d or -e the files are opened in an editor.
func refineSops(c *Invocation) {
	if c.environment() {
		return
	}
	if c.Has("d", "e", "decrypt", "encrypt") && !c.Has("i") {
		return
	}
	for _, w := range c.operands() {
		if strings.Contains(w.Text, ".") {
			c.write(w)
		}
	}
	c.Narrow("it opens an editor or writes in place")
}

// mlrRisky are options and verbs that run or write something.
const mlrRisky = "-I --prepipe --prepipex --prepipe-bz2 --load --mload -s split tee case"

// refineMlr looks for the options and verbs that run or write something.
func refineMlr(c *Invocation) {
	for i := range c.Argv[1:] {
		t := c.Argv[i+1].Text
		ofExpression := i > 0 && shell.Among("put filter", c.Argv[i].Text)
		if t == "-f" && ofExpression || shell.Among(mlrRisky, t) {
			c.Narrow(t + " runs a command or writes a file")
		}
		if mlrRuns(t) {
			c.Narrow("the expression can run a command or write a file")
		}
	}
	last := &c.Argv[len(c.Argv)-1]
	if len(c.Argv) > 2 && len(c.Facts.Narrow) == 0 && !strings.HasPrefix(last.Text, "-") {
		c.read(last)
	}
}

// mlrRuns reports whether an expression holds what runs a command or writes.
func mlrRuns(expression string) bool {
	return strings.ContainsAny(expression, "( \"") &&
		shell.ContainsAny(expression, "system", "exec", "|", ">", "tee ", "dump")
}

// xmlUnsafe are options that load or run something else.
const xmlUnsafe = "--shell --path --catalogs --load-trace --net --writesubtree --dtdvalid -config --config"

// refineXmlstarlet reads or changes the files: each option may take a value.
func refineXmlstarlet(c *Invocation) {
	if len(c.Argv) > 1 && shell.Among("tr transform", c.Argv[1].Text) {
		c.Narrow("a style sheet can write files")
	}
	files := []int(nil)
	for i := 2; i < len(c.Argv); i++ {
		w, before := &c.Argv[i], c.Argv[i-1].Text
		switch t := w.Text; {
		case shell.Among("-o --output", t):
			if i++; i < len(c.Argv) {
				c.write(&c.Argv[i])
			}
		case strings.HasPrefix(t, "--output="):
			c.write(new(shell.Suffix(w, len("--output="))))
		case shell.Among("-L --inplace", t):
			c.inPlace = true
		case shell.Among(xmlUnsafe, t), t == "--schema" && !w.Known:
			c.Narrow(t + " loads or runs something else")
		case shell.StartsWithAny(t, "-", "//"), strings.HasPrefix(before, "-"):
		default:
			files = append(files, i)
		}
	}
	c.readOperands(files)
}

func (c *Invocation) writesOperands() {
	for _, i := range c.Operands {
		c.write(&c.Argv[i])
	}
}
