package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// coreCommands are the programs that list, copy, move and remove files.
var coreCommands = []Command{
	{
		Names: "basename", Title: "prints the last component of a path", Flags: "-az multiple zero help version",
		Values: "-s suffix", ReadOnly: true, NoRiskyOptions: true, Examples: []Example{{"basename /a/b.go .go", "ro"}},
	},
	{
		Names: "cat", Files: true, Title: "prints files",
		Flags:    "-AbeEnsStTuvl show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version",
		Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
		Examples: []Example{
			{"cat -n a /etc/x", "ro read:a read:/etc/x"}, {"cat .env *.go", "ro read:.env read:*.go"}, {"cat -", "ro"},
			{`cat "$x"`, "ro read:?"},
		},
	},
	{
		Names: "chgrp chown", InfoFlags: "--help --version", Title: "changes owner and group",
		Flags:  "-cfvhHLPn changes silent quiet verbose dereference no-dereference no-preserve-root preserve-root help version",
		Values: "from", Opts: []Opt{{"-R recursive", NoArg, Recurses}, {"reference", HasArg, ReadsPattern}}, Operands: ModeWrites,
		Examples: []Example{{"chown -R me:me src", "write:src/**"}, {"chown --reference=a b", "read:a write:b"}},
	},
	{
		Names: "chmod", Local: true, InfoFlags: "--help --version", Silent: &Silence{With: "*"}, Title: "changes the mode of files",
		// a mode may start with a dash: chmod -x file
		Flags:    "-cfvhHLPaN changes silent quiet verbose no-preserve-root preserve-root help version",
		Opts:     []Opt{{"-R recursive", NoArg, Recurses}, {"reference", HasArg, ReadsPattern}, {"-rwxXstugo", NoArg, GivesPattern}},
		Operands: ModeWrites,
		Examples: []Example{{"chmod +x a b", "write:a write:b"}, {"chmod -x a", "write:a"}, {"chmod -R u+w d", "write:d/**"}},
	},
	{
		Names:  "cksum b2sum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum sum",
		Title:  "prints checksums",
		Flags:  "-bctwqrspUz0 binary check tag text zero ignore-missing quiet status strict warn sysv debug raw untagged base64 help version",
		Values: "-al algorithm length", Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
		Examples: []Example{{"sha256sum -c sums", "ro read:sums"}, {"shasum -a 256 f", "ro read:f"}},
	},
	{
		Names: "cp", Local: true, InfoFlags: "--help --version", Title: "copies files",
		Flags: "-bdfiHlLnpPsTuvxXcZ force interactive no-clobber no-dereference dereference link symbolic-link strip-trailing-slashes " +
			"no-target-directory parents one-file-system verbose attributes-only copy-contents remove-destination debug help version",
		Values: "-S suffix sparse no-preserve", OptValues: "backup reflink preserve context update",
		Opts: []Opt{{"-t target-directory", HasArg, TargetDir}, {"-aRr archive recursive", NoArg, Recurses}}, Operands: Copies,
		Examples: []Example{
			{"cp a b", "read:a write:b write:b/a"}, {"cp -T a b", "read:a write:b"}, {"cp -al /a b", "read:/a/** write:/a/** write:b/** write:b/a/**"}, {"cp -s a b", "read:a write:b write:b/a"},
			{"cp -r src/ out", "read:src/** write:out/** write:out/src/**"},
			{"cp x/.bashrc ~", "read:x/.bashrc write:/home/u write:/home/u/.bashrc"},
			{"cp -t .git/hooks pre-commit", "read:pre-commit write:.git/hooks write:.git/hooks/pre-commit"},
			{`cp "$x" out/`, "read:? write:out write:out/?"}, {"cp -b a b", "read:a write:b write:b* write:b/a write:b/a*"},
			{"cp -S .x --backup=t a d/", "read:a write:d write:d/a write:d/a*"}, {"cp --parents x/a d", "read:x/a write:d/** write:d/a"},
			{"cp a b --target-dir=d", "read:a read:b write:d write:d/a write:d/b"},
		},
	},
	{
		Names: "dd", InfoFlags: "--help --version", Title: "copies blocks", Style: NoOptions, ReadsSome: true, refine: refineDd,
		Examples: []Example{{"dd if=a of=b bs=1M", "read:a write:b"}, {"dd if=a count=1", "ro read:a"}, {"dd of=-", "write:-"}, {"dd if=a of=/dev/null", "ro read:a"}},
	},
	{
		Names: "df", Title: "prints free space",
		Flags:  "-ahHiklmPTv all human-readable si inodes local portability print-type no-sync sync total help version",
		Values: "-BtxF block-size type exclude-type", OptValues: "output", ReadOnly: true, NoRiskyOptions: true,
		Examples: []Example{{"df -h .", "ro"}},
	},
	{
		Names: "dirname", Title: "prints the directory of a path", Flags: "-z zero help version", ReadOnly: true, NoRiskyOptions: true,
		Examples: []Example{{"dirname a/b", "ro"}},
	},
	{
		Names: "du", Silent: &Silence{With: "*"}, Title: "prints disk usage",
		Flags: "-0abcDhHklLmnPsSxgrA null all apparent-size bytes total dereference-args human-readable inodes count-links dereference " +
			"no-dereference separate-dirs si summarize one-file-system help version",
		Values: "-BdtI block-size max-depth threshold exclude time-style", OptValues: "time",
		Opts: []Opt{{"-X exclude-from", HasArg, ReadsValue}, {"files0-from", HasArg, ReadsNames}}, Operands: ReadsTree, ReadOnly: true,
		NoRiskyOptions: true, Examples: []Example{{"du -sh src", "ro read:src/**"}, {"du -h --max-depth=1", "ro read:./**"}},
	},
	{
		Names: "lsd", Silent: &Silence{With: "*"}, Title: "lists directories",
		Flags: "-aAF1lRhdigZLtSXGvrUNV classify almost-all all long oneline recursive human-readable tree directory-only total-size timesort " +
			"sizesort extensionsort gitsort versionsort no-sort reverse group-directories-first classic no-symlink inode git dereference " +
			"context header literal ignore-config system-protected help version",
		Values: "-I color icon icon-theme config-file depth permission size date sort group-dirs blocks ignore-glob hyperlink " +
			"truncate-owner-after truncate-owner-marker",
		Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
		Examples: []Example{{"lsd -t .env", "ro read:.env"}, {"lsd -L d", "ro read:d"}, {"lsd --tree --depth 2 src", "ro read:src"}},
	},
	{
		Names: "eza exa", Silent: &Silence{With: "*"}, Title: "lists directories",
		Flags: "-1lRTaAdFghHimnNoSbBuUxXGZ@ long oneline tree grid recurse all almost-all git header icons classify group links inode " +
			"no-permissions no-time no-user git-ignore group-directories-first total-size",
		Values: "-LItsw level ignore-glob time sort width time-style", OptValues: "color colour hyperlink", Operands: Reads, ReadOnly: true,
		NoRiskyOptions: true, Examples: []Example{{"eza -la src", "ro read:src"}},
	},
	{
		Names: "fd fdfind", Silent: &Silence{With: "*"}, AllOptionsListed: true, Title: "finds files by name",
		Flags: "-HIuUsigFaLl0p1qhV hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob regex fixed-strings " +
			"absolute-path list-details follow full-path print0 prune strip-cwd-prefix one-file-system quiet show-errors no-hidden " +
			"ignore no-follow relative-path help version",
		Values: "-dtEeSojc max-depth min-depth exact-depth exclude extension size type owner threads color changed-within " +
			"changed-before max-results path-separator max-buffer-time batch-size format changed-after and",
		OptValues: "hyperlink gen-completions",
		Opts: []Opt{
			{"ignore-file", HasArg, ReadsValue}, {"-C base-directory", HasArg, WorkDir}, {"-xX exec exec-batch", NoArg, 0},
			{"search-path", HasArg, ReadsValue},
		},
		ReadOnly: true, refine: refineFd,
		Examples: []Example{{"fd -e go main src", "ro read:src/** look:src/**/*main* look:src/**/*.go"}, {"fd x -x rm {}", "read:./** look:**/*x* fd>rm ?"}, {`fd -H '^\.env$'`, "ro read:./** look:**/.env"}, {"fd --hyperlink -x rm", "read:./** fd>rm ..."}, {"fd --exec=rm", "narrow read:./**"}, {"fd -xash", "narrow read:./**"}, {"fd -H", "ro read:./**"}},
	},
	{
		Names: "file", Silent: &Silence{With: "*", Unless: "f files-from"}, Title: "tells the type of files",
		Flags: "-bcdEhiIkLlNnrsSvzZ0 brief mime mime-type mime-encoding keep-going dereference no-dereference no-buffer raw " +
			"special-files uncompress uncompress-noreport no-pad print0 list extension apple debug checking-printout no-sandbox help " +
			"version",
		Values: "-eFP exclude separator parameter exclude-quiet",
		Opts: []Opt{
			{"-C compile", NoArg, Unsafe}, {"-f files-from -mM magic-file", HasArg, ReadsValue}, {"-p preserve-date", NoArg, WritesInPlace},
		},
		Operands: Reads, ReadOnly: true, refine: refineFile,
		Examples: []Example{{"file -b a", "ro read:a"}, {"file -C -m x", "narrow read:x write:*.mgc"}, {"file -p a", "write:a"}},
	},
	{
		Names: "find gfind", Silent: &Silence{With: "*"}, AllOptionsListed: true, Title: "finds files", Style: NoOptions, ReadOnly: true, refine: refineFind,
		Examples: []Example{
			{"find . -name '*.go' -type f", "ro read:./** look:**/*.go"}, {"find src lib -newer x", "ro read:src/** read:lib/** read:x"},
			{"find . -delete", "delete:./** narrow"}, {`find . -exec rm {} \;`, "read:./** find>rm ./?"},
			{`find . -name x -exec grep a {} +`, "read:./** look:**/x find>grep a ./? ./?"},
			{"find . -fprintf /x f", "write:/x narrow read:./**"}, {`find . "$x"`, "narrow read:./**"}, {"find", "ro read:./**"},
			{"find -L . ( -name a -o -name b ) -print", "ro read:./** look:**/a look:**/b"},
			{"find . ! -name a -name b", "ro read:./** look:**/b"}, {"find . -name a -prune -o -name b", "ro read:./** look:**/b"},
			{`find . ! ( -name a ) -regex ./x[.]y -iregex '.*\.pem'`, "ro read:./** look:**/*.pem"},
		},
	},
	{
		Names: "install", Local: true, Title: "copies files and sets attributes",
		Flags:  "-bcCDpsTvdZ compare directory preserve-timestamps strip no-target-directory verbose debug preserve-context help version",
		Values: "-gmoS group mode owner suffix", OptValues: "backup context",
		Opts: []Opt{{"-t target-directory", HasArg, TargetDir}, {"strip-program", HasArg, Executes}}, Operands: Copies,
		refine: refineInstall,
		Examples: []Example{
			{"install -m 755 a /usr/bin/a", "read:a write:/usr/bin/a write:/usr/bin/a/a"},
			{"install -b x/a d/", "read:x/a write:d write:d/a write:d/a* write:a* write:d*"},
			{"install -d x y", "read:x write:y write:y/x write:x write:y"},
		},
	},
	{
		Names: "link ln", Local: true, InfoFlags: "--help --version", Title: "creates links",
		Flags: "-bdfiLnPrsTvwFh directory force interactive logical no-dereference physical relative symbolic no-target-directory " +
			"verbose help version",
		Values: "-S suffix", OptValues: "backup", Opts: []Opt{{"-t target-directory", HasArg, TargetDir}}, Operands: Links,
		Examples: []Example{
			{"ln -sb a b", "read:a write:b write:b* write:b/a write:b/a*"},
			{"ln -sf /tmp/x .git/hooks/pre-commit", "read:/tmp/x write:.git/hooks/pre-commit write:.git/hooks/pre-commit/x"},
			{"ln -s /tmp/.envrc", "read:/tmp/.envrc write:. write:.envrc"}, {"ln /a b", "read:/a write:/a write:b write:b/a"}, {"ln -P a -t d", "read:a write:a write:d write:d/a"}, {"link a b", "read:a write:a write:b write:b/a"},
		},
	},
	{
		Names: "ls dir gls vdir", Silent: &Silence{With: "*"}, Title: "lists directories",
		Flags: "-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1@eOPW all almost-all author escape ignore-backups directory dired full-time " +
			"group-directories-first no-group human-readable si dereference-command-line dereference inode kibibytes numeric-uid-gid " +
			"literal hide-control-chars show-control-chars quote-name reverse recursive size zero context help version file-type " +
			"dereference-command-line-symlink-to-dir",
		Values:    "-ITw ignore hide block-size format indicator-style quoting-style sort time time-style tabsize width",
		OptValues: "color classify hyperlink", Operands: Reads, ReadOnly: true, NoRiskyOptions: true,
		Examples: []Example{{"ls -la .git/hooks", "ro read:.git/hooks"}, {"ls --col=auto", "ro"}, {"ls $x", "ro read:?"}},
	},
	{
		Names: "mkdir", Local: true, InfoFlags: "--help --version", Title: "creates directories", Flags: "-pvZ parents verbose help version", Values: "-m mode", OptValues: "context",
		Operands: Writes, Examples: []Example{{"mkdir -p a/b .git", "write:a/b write:.git"}},
	},
	{
		Names: "mkfifo mknod", Title: "creates pipes and devices", Flags: "-Z help version", Values: "-m mode", OptValues: "context",
		Operands: Writes, Examples: []Example{{"mkfifo p", "write:p"}},
	},
	{
		Names: "mktemp", Local: true, InfoFlags: "--help --version", Title: "creates a temporary file",
		Flags: "-dqut directory dry-run quiet help version", OptValues: "", Values: "-p suffix", Opts: []Opt{{"tmpdir", OptArg, 0}},
		refine: refineMktemp, Examples: []Example{{"mktemp", ""}, {"mktemp -d /tmp/x.XXXX", "write:/tmp/x.????"}, {"mktemp .env.XXX", "write:.env.???"}, {"mktemp a.XXXs --suffix .go", "write:a.???s.go"}, {"mktemp -p .git/hooks", "write:.git/hooks/tmp.?"}, {"mktemp -p d x.XX", "write:d/x.??"}, {"mktemp -p d e/x.XX", "write:d/e/x.??"}},
	},
	{
		Names: "mv gmv", Local: true, InfoFlags: "--help --version", Title: "moves files",
		Flags:  "-bfinTuvZ force interactive no-clobber strip-trailing-slashes no-target-directory verbose debug no-copy exchange help version",
		Values: "-S suffix", OptValues: "backup update context", Opts: []Opt{{"-t target-directory", HasArg, TargetDir}}, Operands: Moves,
		Examples: []Example{
			{"mv t .gen/settings.json", "delete:t write:.gen/settings.json/** write:.gen/settings.json/t/**"},
			{"mv -t d a", "delete:a write:d write:d/a/**"}, {"mv a d/", "delete:a write:d write:d/a/**"},
			{"mv -T a b", "delete:a write:b/**"}, {"mv --backup=t a d/", "delete:a write:d write:d/a/** write:d/a*/**"},
		},
	},
	{
		Names: "readlink realpath grealpath greadlink", Title: "resolves paths",
		Flags: "-efmnqsvzLP canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero strip " +
			"no-symlinks logical physical help version",
		Values: "relative-to relative-base", ReadOnly: true, NoRiskyOptions: true, Examples: []Example{{"realpath -m x", "ro"}},
	},
	{
		Names: "rm grm unlink", Local: true, InfoFlags: "--help --version", Silent: &Silence{With: "*"}, Title: "deletes files",
		Flags: "-dfiIvPWx force one-file-system no-preserve-root dir verbose help version", OptValues: "interactive preserve-root",
		Opts: []Opt{{"-rR recursive", NoArg, Recurses}}, Operands: Deletes,
		Examples: []Example{
			{"rm notes.tmp", "delete:notes.tmp"}, {"rm x -rf", "delete:x/**"}, {"rm --recurs d", "delete:d/**"}, {"rm -- -r", "delete:-r"},
			{"rm $x", "narrow delete:?"}, {"rm --help", "ro"},
		},
	},
	{
		Names: "rmdir", Local: true, InfoFlags: "--help --version", Silent: &Silence{With: "*"}, Title: "deletes empty directories", Flags: "-pv ignore-fail-on-non-empty parents verbose help version",
		Operands: Deletes, Examples: []Example{{"rmdir empty", "delete:empty"}},
	},
	{
		Names: "shred srm", InfoFlags: "--help --version", Title: "overwrites files",
		Flags: "-fuvxz force verbose exact zero help version", Values: "-ns iterations size", OptValues: "remove",
		Opts: []Opt{{"random-source", HasArg, ReadsValue}}, Operands: Deletes, Examples: []Example{{"shred -u key", "delete:key"}},
	},
	{
		Names: "stat gstat", Title: "prints file status", Flags: "-FLlnqrsxZ dereference file-system terse help version",
		Values: "-cft format printf cached", ReadOnly: true, NoRiskyOptions: true, Special: &Special{Integers: statNumber}, Examples: []Example{{"stat -c %s f", "ro"}},
	},
	{
		Names: "tee", Local: true, InfoFlags: "--help --version", Title: "copies standard input to files",
		Flags: "-aipu append ignore-interrupts help version", OptValues: "output-error", Operands: Writes,
		Examples: []Example{{"tee -a ~/.zshrc", "write:/home/u/.zshrc"}, {"tee /dev/null", ""}, {"tee -", "write:-"}},
	},
	{
		Names: "touch", Local: true, InfoFlags: "--help --version", Silent: &Silence{With: "*"}, Title: "changes file times",
		Flags: "-acfhm no-create no-dereference help version", Values: "-dtA date time", Opts: []Opt{{"-r reference", HasArg, ReadsValue}},
		Operands: Writes, Examples: []Example{{"touch -r a b", "read:a write:b"}},
	},
	{
		Names: "tree", Silent: &Silence{With: "*"}, Title: "lists a tree",
		Flags: "-adflxqNQpugsDFivthUrcCAJXSn du si prune noreport fromfile filesfirst dirsfirst matchdirs ignore-case gitignore inodes " +
			"device metafirst compress nolinks opt-toggle help version",
		Values:   "-LPIHT filelimit charset timefmt sort",
		Opts:     []Opt{{"-o output", HasArg, WritesValue}, {"-R", NoArg, Unsafe}, {"hintro houtro infofile gitfile", HasArg, ReadsValue}},
		Operands: ReadsTree, ReadOnly: true, refine: refineTree,
		Examples: []Example{{"tree -H . --hintro=.env", "read:.env read:./**"}, {"tree --gitfile x", "ro read:x read:./**"}, {"tree -L 2 src", "ro read:src/**"}, {"tree -aLo 2 x", "narrow read:2/** read:x/**"}, {"tree -o .envrc", "write:.envrc narrow read:./**"}},
	},
	{
		Names: "truncate gtruncate", Local: true, InfoFlags: "--help --version", Title: "sets the size of files",
		Flags: "-co no-create io-blocks help version", Values: "-s size", Opts: []Opt{{"-r reference", HasArg, ReadsValue}},
		Operands: Writes, Examples: []Example{{"truncate -s 0 a.log", "write:a.log"}},
	},
}

// refineFile: -C writes what it compiles into the working directory.
func refineFile(c *Invocation) {
	if c.Has("C", "compile") {
		w := shell.Literal("*.mgc", &c.Argv[0])
		w.Known, w.Glob = false, true
		c.write(&w)
	}
}

// refineTree: the values of letters in a cluster are the next words in turn, so
// that -Lo 2 FILE is -L 2 -o FILE.
func refineTree(c *Invocation) {
	refineSort(c)
	if c.Has("hintro", "houtro", "infofile") {
		c.Disprove("prints the file an option names")
	}
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
	for i := range c.Argv[1:] {
		w := &c.Argv[i+1]
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

// refineInstall is install -d, whose operands are all directories to make.
// Of what it replaces in a directory, install of coreutils 9.1 puts the backup
// into the working directory.
func refineInstall(c *Invocation) {
	if c.Has("b", "backup", "S", "suffix") {
		here := c.here()
		for _, i := range c.Operands {
			w := shell.Beneath(here, &c.Argv[i])
			old := shell.NamesStartingWith(&w)
			c.write(&old)
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

// refineMktemp: the file is called like the template, other characters for the
// last run of X.
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
