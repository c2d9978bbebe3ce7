package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// coreCommands are the programs that list, copy, move and remove files.
var coreCommands = []Command{
	{
		Names: "basename", Title: "prints the last component of a path", Flags: "-az multiple zero help version",
		Values: "-s suffix", ReadOnly: true, NoRiskyOptions: true,
	},
	{ // learn.microsoft.com windows-server/administration/windows-commands: attrib, robocopy, xcopy (2023-02)
		Names: "attrib", Title: "shows and changes attributes of files on Windows", Style: NoOptions, refine: refineAttrib,
	},
	{Names: "robocopy xcopy", Title: "copies folders on Windows", Style: NoOptions, refine: refineRobocopy},
	{
		Names: "cat", Files: true, Title: "prints files",
		Flags:    "-AbeEnsStTuvl show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version",
		Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "chgrp chown", InfoFlags: "--help --version", Title: "changes owner and group",
		Flags:  "-cfvhHLPn changes silent quiet verbose dereference no-dereference no-preserve-root preserve-root help version",
		Values: "from", Opts: []Opt{{"-R recursive", NoArg, Recurses}, {"reference", HasArg, ReadsPattern}}, Operands: ModeWrites,
	},
	{
		Names: "chmod", Local: true, InfoFlags: "--help --version", Forms: []Form{{"", Hides, ""}}, Title: "changes the mode of files",
		// a mode may start with a dash: chmod -x file
		Flags:    "-cfvhHLPa changes silent quiet verbose no-preserve-root preserve-root help version",
		Opts:     []Opt{{"-R recursive", NoArg, Recurses}, {"reference", HasArg, ReadsPattern}, {"-rwxXstugoN", NoArg, GivesPattern}},
		Operands: ModeWrites,
	},
	{
		Names:  "cksum b2sum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum sum",
		Title:  "prints checksums",
		Flags:  "-bctwqrspUz0 binary check tag text zero ignore-missing quiet status strict warn sysv debug raw untagged base64 help version",
		Values: "-al algorithm length", Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "cp", Local: true, InfoFlags: "--help --version", Title: "copies files",
		Flags: "-bdfiHlLnpPsTuvxXcZ force interactive no-clobber no-dereference dereference link symbolic-link strip-trailing-slashes " +
			"no-target-directory parents one-file-system verbose attributes-only copy-contents remove-destination debug help version",
		Values: "-S suffix sparse no-preserve", OptValues: "backup reflink preserve context update", Forms: []Form{{"-b|-S|--backup|--suffix", Unbinds, mayDoMore}},
		Opts: []Opt{{"-t target-directory", HasArg, TargetDir}, {"-aRr archive recursive", NoArg, Recurses}}, Operands: Copies,
	},
	{Names: "dd", InfoFlags: "--help --version", Title: "copies blocks", Style: NoOptions, ReadsSome: true, refine: refineDd},
	{
		Names: "df", Title: "prints free space",
		Flags:  "-ahHiklmPTv all human-readable si inodes local portability print-type no-sync sync total help version",
		Values: "-BtxF block-size type exclude-type", OptValues: "output", ReadOnly: true, NoRiskyOptions: true,
	},
	{Names: "dirname", Title: "prints the directory of a path", Flags: "-z zero help version", ReadOnly: true, NoRiskyOptions: true},
	{
		Names: "du", Forms: []Form{{"", Hides, ""}}, Title: "prints disk usage",
		Flags: "-0abcDhHklLmnPsSxgrA null all apparent-size bytes total dereference-args human-readable inodes count-links dereference " +
			"no-dereference separate-dirs si summarize one-file-system help version",
		Values: "-BdtI block-size max-depth threshold exclude time-style", OptValues: "time",
		Opts: []Opt{{"-X exclude-from", HasArg, Reads}, {"files0-from", HasArg, ReadsNames}}, Operands: ReadsTree, ReadOnly: true,
		NoRiskyOptions: true,
	},
	{
		Names: "lsd", Forms: []Form{{"", Hides, ""}}, Title: "lists directories",
		Flags: "-aAF1lRhdigZLtSXGvrUNV classify almost-all all long oneline recursive human-readable tree directory-only total-size timesort " +
			"sizesort extensionsort gitsort versionsort no-sort reverse group-directories-first classic no-symlink inode git dereference " +
			"context header literal ignore-config system-protected help version",
		Values: "-I color icon icon-theme config-file depth permission size date sort group-dirs blocks ignore-glob hyperlink " +
			"truncate-owner-after truncate-owner-marker",
		Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "eza exa", Forms: []Form{{"", Hides, ""}}, Title: "lists directories",
		Flags: "-1lRTaAdFghHimnNoSbBuUxXGZ@ long oneline tree grid recurse all almost-all git header icons classify group links inode " +
			"no-permissions no-time no-user git-ignore group-directories-first total-size",
		Values: "-LItsw level ignore-glob time sort width time-style", OptValues: "color colour hyperlink", Operands: Reads, ReadOnly: true,
		NoRiskyOptions: true,
	},
	{
		Names: "fd fdfind", Forms: []Form{{"", Hides, ""}}, AllOptionsListed: true, Title: "finds files by name",
		Flags: "-HIuUsigFaLl0p1qhV hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob regex fixed-strings " +
			"absolute-path list-details follow full-path print0 prune strip-cwd-prefix one-file-system quiet show-errors no-hidden " +
			"ignore no-follow relative-path help version",
		Values: "-dtEeSojc max-depth min-depth exact-depth exclude extension size type owner threads color changed-within " +
			"changed-before max-results path-separator max-buffer-time batch-size format changed-after and",
		OptValues: "hyperlink gen-completions",
		Opts: []Opt{
			{"ignore-file", HasArg, Reads}, {"-C base-directory", HasArg, WorkDir}, {"-xX exec exec-batch", NoArg, 0},
			{"search-path", HasArg, Reads},
		},
		ReadOnly: true, refine: refineFd,
	},
	{
		Names: "file", Forms: []Form{{"!-f|--files-from", Hides, ""}, {"-C|--compile >*.mgc", Writes, ""}}, Title: "tells the type of files",
		Flags: "-bcdEhiIkLlNnrsSvzZ0 brief mime mime-type mime-encoding keep-going dereference no-dereference no-buffer raw " +
			"special-files uncompress uncompress-noreport no-pad print0 list extension apple debug checking-printout no-sandbox help " +
			"version",
		Values: "-eFP exclude separator parameter exclude-quiet",
		Opts: []Opt{
			{"-C compile", NoArg, Unsafe}, {"-f files-from -mM magic-file", HasArg, Reads}, {"-p preserve-date", NoArg, WritesInPlace},
		},
		Operands: Reads, ReadOnly: true, // into the working directory
	},
	{Names: "find gfind", Forms: []Form{{"", Hides, ""}}, AllOptionsListed: true, Title: "finds files", Style: NoOptions, ReadOnly: true, refine: refineFind},
	{
		Names: "install", Local: true, Title: "copies files and sets attributes",
		Flags:  "-bcCDpsTvdZ compare directory preserve-timestamps strip no-target-directory verbose debug preserve-context help version",
		Values: "-gmoS group mode owner suffix", OptValues: "backup context",
		Opts: []Opt{{"-t target-directory", HasArg, TargetDir}, {"strip-program", HasArg, Executes}}, Operands: Copies,
		Forms: []Form{{"-s|-b|-S|--strip|--backup|--suffix", Unbinds, mayDoMore}}, refine: refineInstall,
	},
	{
		Names: "link ln", Local: true, InfoFlags: "--help --version", Title: "creates links",
		Flags: "-bdfiLnPrsTvwFh directory force interactive logical no-dereference physical relative symbolic no-target-directory " +
			"verbose help version",
		Values: "-S suffix", OptValues: "backup", Opts: []Opt{{"-t target-directory", HasArg, TargetDir}}, Operands: Links,
		Forms: []Form{{"-b|-S|--backup|--suffix", Unbinds, mayDoMore}},
	},
	{
		Names: "ls dir gls vdir", Forms: []Form{{"", Hides, ""}}, Title: "lists directories",
		Flags: "-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1@eOPW all almost-all author escape ignore-backups directory dired full-time " +
			"group-directories-first no-group human-readable si dereference-command-line dereference inode kibibytes numeric-uid-gid " +
			"literal hide-control-chars show-control-chars quote-name reverse recursive size zero context help version file-type " +
			"dereference-command-line-symlink-to-dir",
		Values:    "-ITw ignore hide block-size format indicator-style quoting-style sort time time-style tabsize width",
		OptValues: "color classify hyperlink", Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "mkdir", Local: true, InfoFlags: "--help --version", Title: "creates directories", Flags: "-pvZ parents verbose help version", Values: "-m mode", OptValues: "context",
		Operands: Writes,
	},
	{
		Names: "mkfifo mknod", Title: "creates pipes and devices", Flags: "-Z help version", Values: "-m mode", OptValues: "context",
		Operands: Writes,
	},
	{
		Names: "mktemp", Local: true, InfoFlags: "--help --version", Title: "creates a temporary file",
		Flags: "-dqut directory dry-run quiet help version", OptValues: "", Values: "-p suffix", Opts: []Opt{{"tmpdir", OptArg, 0}},
		refine: refineMktemp,
	},
	{
		Names: "mv gmv", Local: true, InfoFlags: "--help --version", Title: "moves files",
		Flags:  "-bfinTuvZ force interactive no-clobber strip-trailing-slashes no-target-directory verbose debug no-copy exchange help version",
		Values: "-S suffix", OptValues: "backup update context", Opts: []Opt{{"-t target-directory", HasArg, TargetDir}}, Operands: Moves,
		Forms: []Form{{"-b|-S|--backup|--suffix", Unbinds, mayDoMore}},
	},
	{
		Names: "readlink realpath grealpath greadlink", Title: "resolves paths",
		Flags: "-efmnqsvzLP canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero strip " +
			"no-symlinks logical physical help version",
		Values: "relative-to relative-base", ReadOnly: true, NoRiskyOptions: true,
	},
	{
		Names: "rm grm unlink", Local: true, InfoFlags: "--help --version", Forms: []Form{{"", Hides, ""}}, Title: "deletes files",
		Flags: "-dfiIvPWx force one-file-system no-preserve-root dir verbose help version", OptValues: "interactive preserve-root",
		Opts: []Opt{{"-rR recursive", NoArg, Recurses}}, Operands: Deletes,
	},
	{
		Names: "rmdir", Local: true, InfoFlags: "--help --version", Forms: []Form{{"", Hides, ""}}, Title: "deletes empty directories", Flags: "-pv ignore-fail-on-non-empty parents verbose help version",
		Operands: Deletes,
	},
	{
		Names: "shred srm", InfoFlags: "--help --version", Title: "overwrites files",
		Flags: "-fuvxz force verbose exact zero help version", Values: "-ns iterations size", OptValues: "remove",
		Opts: []Opt{{"random-source", HasArg, Reads}}, Operands: Deletes,
	},
	{
		Names: "stat gstat", Title: "prints file status", Flags: "-FLlnqrsxZ dereference file-system terse help version",
		Values: "-cft format printf cached", ReadOnly: true, NoRiskyOptions: true, Special: &Special{Integers: statNumber},
	},
	{
		Names: "tee", Local: true, InfoFlags: "--help --version", Title: "copies standard input to files",
		Flags: "-aipu append ignore-interrupts help version", OptValues: "output-error", Operands: Writes,
	},
	{
		Names: "touch", Local: true, InfoFlags: "--help --version", Forms: []Form{{"", Hides, ""}}, Title: "changes file times",
		Flags: "-acfhm no-create no-dereference help version", Values: "-dtA date time", Opts: []Opt{{"-r reference", HasArg, Reads}},
		Operands: Writes,
	},
	{
		Names: "tree", Forms: []Form{{"", Hides, ""}, {"--hintro|--houtro|--infofile", Disproves, "prints the file an option names"}, {toDash, WritesValue, ""}}, Title: "lists a tree",
		Flags: "-adflxqNQpugsDFivthUrcCAJXSn du si prune noreport fromfile filesfirst dirsfirst matchdirs ignore-case gitignore inodes " +
			"device metafirst compress nolinks opt-toggle help version",
		Values:   "-LPIHT filelimit charset timefmt sort",
		Opts:     []Opt{{"-o output", HasArg, WritesValue}, {"-R", NoArg, Unsafe}, {"hintro houtro infofile gitfile", HasArg, Reads}},
		Operands: ReadsTree, ReadOnly: true, refine: refineTree,
	},
	{
		Names: "truncate gtruncate", Local: true, InfoFlags: "--help --version", Title: "sets the size of files",
		Flags: "-co no-create io-blocks help version", Values: "-s size", Opts: []Opt{{"-r reference", HasArg, Reads}},
		Operands: Writes,
	},
}

// refineTree: the values of letters in a cluster are the next words in turn, so
// that -Lo 2 FILE is -L 2 -o FILE.
func refineTree(c *Invocation) {
	for i := range c.Argv[1:] {
		t := shell.LiteralPrefix(&c.Argv[i+1])
		if t == "--" {
			return
		}
		if len(t) > 2 && t[0] == '-' && t[1] != '-' && strings.ContainsAny(t[2:], "oR") {
			c.Narrow("-o among several letters writes a file")
			return
		}
	}
}

// refineDd reads dd's key=value operands.
func refineDd(c *Invocation) {
	for _, w := range c.words() {
		key, _, ok := strings.Cut(w.Text, "=")
		if !ok {
			if !w.Known {
				c.Narrow("a word only known at run time could name the file written")
			}
			continue
		}
		v := shell.Suffix(w, len(key)+1)
		switch key {
		case "if":
			c.read(&v)
		case "of":
			c.writeFile(&v)
		}
	}
}

// refineInstall: the operands of -d are folders to make. coreutils 9.1 puts the backup of what is
// replaced in a directory into the working directory.
func refineInstall(c *Invocation) {
	if c.Has("b", "backup", "S", "suffix") {
		here := c.here()
		for _, i := range c.Operands {
			c.written(new(shell.Beneath(here, &c.Argv[i])))
		}
	}
	if c.Has("d", "directory") {
		from := len(c.Facts.Effects)
		for _, i := range c.Operands {
			c.writeFile(&c.Argv[i])
		}
		if c.Has("m", "mode", "o", "owner", "g", "group") && !c.keepsOwner() {
			c.itself(from)
		}
	}
}

// refineMktemp: in the file's name other characters take the place of the last run of X.
func refineMktemp(c *Invocation) {
	if c.Has("u", "dry-run") {
		return
	}
	dir := c.Option("p", "tmpdir")
	w := c.Operand(0)
	if w != nil && w.Known {
		name := *w
		if o := c.Option("suffix"); o != nil && o.Given {
			if name.Text += o.Value.Text; !o.Value.Known {
				name.Text, name.Known = w.Text+shell.HoleMark, false
			}
		}
		if name.Known {
			name = template(&name)
		}
		w = &name
	}
	switch {
	case dir != nil && dir.Given:
		at := dir.Value
		name := shell.Hole("tmp.", &at)
		if w != nil {
			name = *w
		}
		name = shell.Within(&at, &name)
		c.write(&name)
	case w != nil && dir == nil && !c.Has("t"):
		c.write(w)
	}
}

// AnyLetter is what mktemp makes of an X.
const AnyLetter = "[0-9A-Za-z]"

// template is the pattern for what a name with X in it may become.
func template(w *shell.Word) shell.Word {
	end := strings.LastIndexByte(w.Text, 'X') + 1
	start := len(strings.TrimRight(w.Text[:end], "X"))
	if end-start < 2 {
		return *w
	}
	name := *w
	name.Text = shell.EscapeGlob(w.Text[:start]) + strings.Repeat(AnyLetter, end-start) + shell.EscapeGlob(w.Text[end:])
	name.Known, name.Glob = false, true
	return name
}
