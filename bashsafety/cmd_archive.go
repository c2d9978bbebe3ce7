package bashsafety

import "strings"

// archiveCommands are the programs that pack, unpack and compress.
var archiveCommands = []Command{
	{
		Names: []string{"7z", "7za", "7zz", "p7zip", "rar", "unrar"}, Title: "packs and unpacks archives", Style: NoOptions, more: sevenMore,
		Examples: []Example{{"7z x a.7z -oout", "read:a.7z write:out/**"}, {"7z l a.7z", "ro read:a.7z"}, {"7z a a.7z x", "write:a.7z read:x/**"}},
	},
	{
		Names: []string{"ar"}, Title: "keeps object archives", Style: NoOptions, more: arMore,
		Examples: []Example{{"ar t x.a", "read:x.a"}, {"ar rcs x.a b.o", "write:x.a read:b.o"}, {"ar x x.a", "read:x.a write:./**"}},
	},
	{
		Names: []string{
			"bzip2", "gzip", "xz", "zstd", "lz4", "lzma", "pigz", "compress", "brotli", "bunzip2", "gunzip", "unxz", "unzstd", "unlzma", "uncompress",
		},
		Title: "compresses and uncompresses files",
		Flags: "-0123456789aefhHLmnNqRsvVz force keep-name name no-name quiet verbose fast best extreme sparse no-sparse rsyncable synchronous " +
			"help version ultra no-progress no-check rm adapt single-thread",
		Values: "-bCFMpST suffix format check memlimit threads block-size processes long level",
		Opts: []Opt{
			{"-c stdout to-stdout", NoArg, Prints}, {"-l list", NoArg, Asks}, {"-t test", NoArg, Asks}, {"-d decompress uncompress", NoArg, 0},
			{"-k keep", NoArg, 0}, {"-r recursive", NoArg, Recurses}, {"-o output output-dir-flat", HasArg, OutputsValue}, {"-D", HasArg, ReadsValue},
			{"files files0", OptArg, 0},
		},
		more: compressMore,
		Examples: []Example{
			{"gzip a", "delete:a write:a.gz"},
			{"gzip -k a", "read:a write:a.gz"},
			{"gunzip a.gz", "delete:a.gz write:a"},
			{"gzip -dc a.gz", "ro read:a.gz"},
			{"zstd -d a.zst -o b", "read:a.zst write:b write:a"},
		},
	},
	{
		Names: []string{"cpio", "pax"}, Title: "packs and unpacks archives", Style: NoOptions, more: cpioMore,
		Examples: []Example{{"cpio -idm", "narrow write:./**"}, {"cpio -t", "ro"}, {"cpio -D sub -i", "narrow write:sub/**"}},
	},
	{
		Names: []string{"tar", "bsdtar", "gtar"}, Full: true, Title: "packs and unpacks archives",
		Flags: "-ABdGhijJlmnpRSUvwWyzZ aqu catenate concatenate diff compare update verbose gzip bzip2 xz zstd lzma auto-compress keep-old-files " +
			"overwrite same-permissions preserve-permissions numeric-owner no-same-owner same-owner touch wildcards no-wildcards anchored " +
			"exclude-vcs exclude-vcs-ignores exclude-caches dereference totals one-file-system no-recursion recursion ignore-zeros " +
			"checkpoint-dot sparse verify interactive skip-old-files unlink-first recursive-unlink keep-directory-symlink no-overwrite-dir " +
			"show-transformed-names null no-null force-local utc full-time delay-directory-restore no-delay-directory-restore ignore-case " +
			"no-ignore-case acls selinux xattrs no-acls no-xattrs seek help version usage",
		Values: "-bHKLNsV exclude exclude-tag exclude-ignore format transform xform strip-components owner group mode mtime newer newer-mtime " +
			"after-date label record-size blocking-factor starting-file tape-length sort suffix clamp-mtime owner-map group-map quoting-style " +
			"xattrs-include xattrs-exclude",
		OptValues: "checkpoint backup warning occurrence hole-detection",
		Opts: []Opt{
			{"-f file", HasArg, 0},
			{"-C directory cd", HasArg, 0},
			{"-T files-from -X exclude-from", HasArg, ReadsValue},
			{"-c create", NoArg, 0},
			{"-x extract get", NoArg, 0},
			{"-t list", NoArg, 0},
			{"-r append", NoArg, 0},
			{"-u", NoArg, 0},
			{"delete", NoArg, 0},
			{"-O to-stdout", NoArg, Prints}, {"-P absolute-names absolute-paths", NoArg, 0}, {"remove-files", NoArg, 0}, {"-k", NoArg, 0},
			{"-I use-compress-program to-command -F info-script new-volume-script rsh-command rmt-command", HasArg, Executes},
			{"checkpoint-action", HasArg, 0},
			{"-g listed-incremental index-file volno-file", HasArg, WritesValue},
		},
		more: tarMore,
		Examples: []Example{
			{"tar -xzf node.tar.gz -C vendor", "read:node.tar.gz write:vendor/**"},
			{"tar xf a.tar --to-command='sh -c id'", "read:a.tar write:./** narrow tar --to-command>>'sh -c id'"},
			{"tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=id f", "read:f/** narrow tar --checkpoint-action>>'id'"},
			{"tar czf out.tgz src -C d x", "read:src/** read:d/x/** write:out.tgz"},
			{"tar tf a.tar", "ro read:a.tar"},
			{"tar -cvf - .", "ro read:./**"},
			{"tar -xOf a.tar x", "ro read:a.tar"},
			{"tar -xPf a.tar", "read:a.tar write:?"},
			{"tar -I ./x -xf a", "read:a write:./** narrow tar -I>>'./x'"},
			{"tar --use-compress=./x -xf a", "read:a write:./** narrow tar --use-compress-program>>'./x'"},
			{"tar xzfC a.tgz d", "read:a.tgz write:d/**"},
		},
	},
	{
		Names:    []string{"unzip"},
		Title:    "unpacks archives",
		Flags:    "-abBCDfjKLMnoqsSTuUvVWXz:/",
		Values:   "-xPIO",
		Opts:     []Opt{{"-d", HasArg, 0}, {"-ltZ", NoArg, Asks}, {"-cp", NoArg, Prints}},
		more:     unzipMore,
		Examples: []Example{{"unzip a.zip -d out", "read:a.zip write:out/**"}, {"unzip -l a.zip", "ro read:a.zip"}, {"unzip -o a", "read:a write:./**"}},
	},
	{
		Names: []string{"zip"}, Full: true,
		Title:    "packs archives",
		Flags:    "-0123456789AcdDeEfFgjJklLoqRSTuUvVwXyzm@ recurse-patterns quiet test junk-paths no-dir-entries symlinks update freshen",
		Values:   "-nPstxiZ exclude include password suffixes split-size",
		Opts:     []Opt{{"-r recurse-paths", NoArg, Recurses}, {"unzip-command", HasArg, Executes}, {"-bO temp-path output-file out", HasArg, OutputsValue}},
		more:     zipMore,
		Examples: []Example{{"zip -r out.zip src", "write:out.zip read:src/**"}, {"zip x.zip f -T -TT 'id'", "narrow write:x.zip read:f read:id"}},
	},
}

// sevenMore is 7z COMMAND ARCHIVE FILES with switches anywhere.
func sevenMore(c *call) {
	var ops []*Word
	dir := *c.here()
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		if t := literalPrefix(w); strings.HasPrefix(t, "-o") {
			dir = suffix(w, 2)
		} else if !strings.HasPrefix(t, "-") {
			ops = append(ops, w)
		}
	}
	if len(ops) < 2 {
		return
	}
	switch ops[0].Text {
	case "l", "t", "i", "lb", "lt", "v":
		c.read(ops[1])
		c.d.readOnly = true
	case "x", "e":
		c.read(ops[1])
		c.recursive = true
		c.write(&dir)
	default:
		c.write(ops[1])
		c.recursive = true
		for _, w := range ops[2:] {
			c.read(w)
		}
	}
}

// compressMore replaces each operand by its other form.
func compressMore(c *call) {
	if c.prints || c.asks {
		c.readOperands(c.operands)
		c.d.readOnly = !c.wrote
		return
	}
	name := programName(c.argv)
	unpack := strings.HasPrefix(name, "un") || strings.HasPrefix(name, "gun") || strings.HasPrefix(name, "bun") || c.has("d", "decompress", "uncompress")
	keeps := c.has("k", "keep") || strings.Contains(name, "zst") || name == "lz4" || name == "brotli"
	ext := [...]string{".gz", ".bz2", ".xz", ".zst", ".lz4", ".lzma", ".Z", ".br"}
	for _, i := range c.operands {
		w := &c.argv[i]
		if keeps {
			c.read(w)
		} else {
			c.remove(w)
		}
		other := *w
		if unpack {
			for _, e := range ext {
				other.Text = strings.TrimSuffix(other.Text, e)
			}
		} else {
			other.Text += compressExt(name)
		}
		c.write(&other)
	}
}

func compressExt(name string) string {
	switch name {
	case "bzip2":
		return ".bz2"
	case "xz":
		return ".xz"
	case "zstd":
		return ".zst"
	case "lz4":
		return ".lz4"
	case "lzma":
		return ".lzma"
	case "compress":
		return ".Z"
	case "brotli":
		return ".br"
	}
	return ".gz"
}

// cpioMore: -t lists, -o packs, -i and -p write below the working directory.
func cpioMore(c *call) {
	for i := range c.argv[1:] {
		switch t := c.argv[i+1].Text; {
		case (t == "-D" || t == "--directory") && i+2 < len(c.argv):
			c.cwd = moved(c.cwd, &c.argv[i+2])
		case strings.HasPrefix(t, "--directory="):
			dir := suffix(&c.argv[i+1], len("--directory="))
			c.cwd = moved(c.cwd, &dir)
		case strings.Contains(t, "rsh-command"), strings.Contains(t, "to-command"):
			c.narrow(t + " runs a command")
		case t == "-t" || t == "--list" || t == "-it":
			c.d.readOnly = true
			return
		}
	}
	c.narrow("it writes the files an archive names")
	c.touch(Write, c.here(), true)
}

// arMore is ar OPERATION ARCHIVE FILE...
func arMore(c *call) {
	op, archive := c.literalOperand(0), c.operand(1)
	if archive == nil {
		return
	}
	switch op = strings.TrimPrefix(op, "-"); {
	case strings.ContainsAny(op, "tp"):
		c.read(archive)
	case strings.Contains(op, "x"):
		c.read(archive)
		c.touch(Write, c.here(), true)
	default:
		c.write(archive)
		c.readOperands(c.operands[2:])
	}
}

// tarMore reads the old and the new spelling: "xzf a" is "-xzf a" with the
// values of all letters behind it.
func tarMore(c *call) {
	t := tarCall{c: c, mode: tarMode(c)}
	t.base, t.dir = c.cwd, *c.here()
	tarCheckpoints(c)
	if len(c.argv) > 1 && c.argv[1].Known && !strings.HasPrefix(c.argv[1].Text, "-") {
		t.old()
	} else {
		for i := range c.opts {
			switch u := &c.opts[i]; u.name {
			case "f", "file":
				t.archive = &u.value
			}
		}
		t.members(c.operands)
	}
	t.effects()
}

// tarCheckpoints: of the checkpoint actions, exec runs a command.
func tarCheckpoints(c *call) {
	for i := range c.opts {
		u := &c.opts[i]
		if u.name != "checkpoint-action" {
			continue
		}
		if action, text, ok := strings.Cut(u.value.Text, "="); action == "exec" || !u.value.Known {
			c.narrow("--checkpoint-action runs a command")
			if ok {
				c.scan("--checkpoint-action", text, &u.value)
			}
		}
	}
}

type tarCall struct {
	c       *call
	mode    byte // c, x, t, r
	archive *Word
	dir     Word
	base    *cwdState
}

func tarMode(c *call) byte {
	switch {
	case c.has("c", "create"):
		return 'c'
	case c.has("x", "extract", "get"):
		return 'x'
	case c.has("t", "list", "diff", "compare", "d"):
		return 't'
	case c.has("r", "append", "u", "update", "A", "catenate", "concatenate", "delete"):
		return 'r'
	}
	return 0
}

// old reads the letters of the first word; f and C and their like take the
// following words in turn.
func (t *tarCall) old() {
	c := t.c
	letters, next := c.argv[1].Text, 2
	value := func() *Word {
		if next < len(c.argv) {
			next++
			return &c.argv[next-1]
		}
		return &Word{}
	}
	for i := range len(letters) {
		switch letters[i] {
		case 'c', 'x', 't', 'r':
			t.mode = letters[i]
		case 'u', 'A':
			t.mode = 'r'
		case 'd':
			t.mode = 't'
		case 'f':
			t.archive = value()
		case 'C':
			t.setDir(value())
		case 'I', 'F':
			value()
			c.narrow(letters[i:i+1] + " runs a command")
		case 'T', 'X':
			c.readValue(value())
		case 'g':
			if c.write(value()) {
				c.narrow("g writes a file")
			}
		case 'b', 'H', 'K', 'L', 'N', 'V':
			value()
		case 'O':
			c.prints = true
		case 'P':
			c.opts = append(c.opts, used{name: "P"})
		}
	}
	var ops []int
	for _, i := range c.operands {
		if i >= next {
			ops = append(ops, i)
		}
	}
	t.members(ops)
}

func (t *tarCall) setDir(w *Word) {
	t.c.cwd = moved(t.c.cwd, w)
}

// members reads what is packed, each from the -C in front of it.
func (t *tarCall) members(ops []int) {
	c := t.c
	k := 0
	change := func(before int) {
		for ; k < len(c.opts) && c.opts[k].at < before; k++ {
			if n := c.opts[k].name; n == "C" || n == "directory" || n == "cd" {
				t.setDir(&c.opts[k].value)
			}
		}
	}
	for _, i := range ops {
		change(i)
		if t.mode == 'c' || t.mode == 'r' {
			kind := Read
			if c.has("remove-files") {
				kind = Delete
			}
			c.touch(kind, &c.argv[i], true)
		}
	}
	change(len(c.argv))
}

func (t *tarCall) effects() {
	c := t.c
	dir := c.cwd
	c.cwd = t.base
	if t.archive != nil && strings.Contains(t.archive.Text, ":") && t.mode != 0 {
		c.narrow("an archive on another host is read through a remote shell")
	}
	switch t.mode {
	case 'c', 'r':
		if t.archive != nil {
			c.write(t.archive)
		}
		c.d.readOnly = !c.wrote && !c.has("remove-files") && len(c.d.inner) == 0
	case 'x':
		if t.archive != nil {
			c.read(t.archive)
		}
		c.d.readOnly = c.prints
		if c.prints {
			return
		}
		w := c.here()
		if c.has("P", "absolute-names", "absolute-paths") {
			*w = hole("", w)
		}
		c.cwd, c.recursive = dir, w.Known
		c.write(w)
	case 't':
		if t.archive != nil {
			c.read(t.archive)
		}
		c.d.readOnly = true
	}
}

func unzipMore(c *call) {
	if w := c.operand(0); w != nil {
		c.read(w)
	}
	if c.asks || c.prints {
		c.d.readOnly = true
		return
	}
	dir := c.here()
	if o := c.option("d"); o != nil {
		dir = &o.value
	}
	c.recursive = true
	c.write(dir)
}

// zipMore writes the archive and reads the files; -TT names a program.
func zipMore(c *call) {
	for i := range c.argv[1:] {
		if t := c.argv[i+1].Text; t == "-TT" || strings.HasPrefix(t, "-TT") {
			c.narrow("-TT runs a command")
		}
	}
	for n, i := range c.operands {
		w := &c.argv[i]
		switch {
		case n == 0:
			if w.Text != "-" {
				c.touch(Write, w, false)
				c.wrote = true
			}
		case c.has("m"):
			c.remove(w)
		default:
			c.read(w)
		}
	}
}
