package bashsafety

import (
	"path"
	"strings"
)

// archiveCommands are the programs that pack, unpack and compress.
var archiveCommands = []Command{
	{
		Names: []string{"7z", "7za", "7zz", "p7zip", "rar", "unrar"}, Title: "packs and unpacks archives", Style: NoOptions, more: sevenMore,
		Examples: []Example{{"7z x a.7z -oout", "read:a.7z write:out/**"}, {"7z l a.7z", "ro read:a.7z"}, {"unrar t -ilogx a.rar", "read:a.rar"}, {"7z a a.7z x", "write:a.7z read:x/**"}},
	},
	{
		Names: []string{"ar"}, Title: "keeps object archives", Style: NoOptions, more: arMore,
		Examples: []Example{
			{"ar t x.a", "ro read:x.a"},
			{"ar rcs x.a a.o b.o", "write:x.a read:a.o read:b.o"},
			{"ar @t x.a", "read:t narrow unknown:?"},
			{"ar -x x.a", "read:x.a write:./**"},
			{"ar x --output d x.a", "read:x.a write:d/**"},
			{"ar tO x.a --plugin p", "read:x.a narrow"}, {"ar t x.a --plug=p", "read:x.a narrow"}, {"ar t x.a @f", "read:f unknown:? narrow"},
		},
	},
	{
		Names: []string{"addr2line", "c++filt", "nm", "objdump", "readelf", "size"}, Title: "prints what is in object files",
		Style: NoOptions, ReadOnly: true, more: objectReads,
		Examples: []Example{
			{"nm -D a.so", "ro read:a.so"},
			{"objdump -d --section=.text a.o", "ro read:.text read:a.o"},
			{"nm --plugin ./x a.o", "read:x read:a.o narrow"},
			{"nm @x a.o", "read:x narrow unknown:? read:@x read:a.o"},
			{`size "$x"`, "narrow read:?"},
		},
	},
	{
		Names: []string{"strip", "objcopy", "ranlib"}, Title: "changes object files", Style: NoOptions, more: objectMore,
		Examples: []Example{{"strip -s a.out", "write:a.out"}, {"objcopy -O binary a.o b.bin", "write:a.o write:b.bin write:binary"}, {"strip -o b a", "write:b write:a"}, {"strip -Uo=b a", "write:=b write:a"}},
	},
	{
		Names: []string{
			"bzip2", "gzip", "xz", "lz4", "lzma", "pigz", "compress", "brotli", "bunzip2", "gunzip", "unxz", "unlzma", "uncompress", "lz4cat",
		},
		Title: "compresses and uncompresses files",
		Flags: "-0123456789aefhHLmnNqRsvVZ force keep-name name no-name quiet verbose fast best extreme no-sparse sparse rsyncable synchronous " +
			"help long-help version no-check single-stream small license no-adjust no-warn robot ignore-check info-memory",
		Values: "-bCFMpT format check memlimit memory memlimit-compress memlimit-decompress memlimit-mt-decompress threads block-size block-list " +
			"flush-timeout processes level lzma1 lzma2 x86 arm delta",
		Opts: []Opt{
			{"-c stdout to-stdout", NoArg, Prints}, {"-l list", NoArg, Asks}, {"-t test", NoArg, Asks}, {"-d decompress uncompress", NoArg, 0},
			{"-z compress", NoArg, 0}, {"-S suffix", HasArg, 0},
			{"-k keep", NoArg, 0}, {"-r recursive", NoArg, Recurses}, {"-o output", HasArg, OutputsValue}, {"-D", HasArg, ReadsValue},
			{"files files0", OptArg, 0},
		},
		more: compressMore,
		Examples: []Example{
			{"gzip a", "delete:a write:a.gz"},
			{"gzip -k a", "read:a write:a.gz"},
			{"gunzip a.gz", "delete:a.gz write:a"},
			{"gzip -dc a.gz", "ro read:a.gz"},
			{"gzip -rk d", "read:d/** write:d/** write:d.gz/**"},
			{"bunzip2 a.bz2", "delete:a.bz2 write:a write:a.bz2.out"},
			{"bzip2 --decompress -t a.bz2", "delete:a.bz2 write:a write:a.bz2.out"},
			{"xz -F lzma a", "delete:a write:a.lzma write:a.xz"},
			{"gunzip --for a.gz", "delete:a.gz write:a"},
			{"xz -t -z a", "delete:a write:a.xz"},
			{"xz -dz a.xz", "delete:a.xz write:a write:a.xz.xz"},
			{"gzip -S .g a", "delete:a write:a.g"},
			{"gzip --no-such -c a", "read:a"},
			{"gunzip t.tgz", "delete:t.tgz write:t.tar"},
			{"gunzip a", "delete:a delete:a* write:a"}, {"lz4 -l a", "read:a write:a.lz4"}, {"lz4 --list a", "ro read:a"},
		},
	},
	{
		Names: []string{"zstd", "unzstd", "zstdmt", "zstdcat"}, Title: "compresses and uncompresses files",
		Flags: "-0123456789CfhHqSvV force quiet verbose sparse no-sparse rsyncable help version ultra progress no-progress check no-check adapt " +
			"single-thread content-size no-content-size compress-literals no-compress-literals row-match-finder no-row-match-finder pass-through " +
			"no-pass-through asyncio no-asyncio no-dictID mmap-dict no-mmap-dict exclude-compressed",
		Values: "dictID maxdict priority format stream-size size-hint target-compressed-block-size memory memlimit memlimit-decompress block-size threads",
		// their numbers stand in the same word
		OptValues: "-TMBbei fast long auto-threads",
		Opts: []Opt{
			{"-c stdout", NoArg, Prints}, {"-l list", NoArg, Asks}, {"-t test", NoArg, Asks}, {"-d decompress uncompress", NoArg, 0}, {"-z compress", NoArg, 0},
			{"-k keep", NoArg, 0}, {"rm", NoArg, 0}, {"-r", NoArg, Recurses}, {"-o", HasArg, 0}, {"-D patch-from", HasArg, ReadsValue},
			{"filelist", HasArg, ReadsValue}, {"output-dir-flat output-dir-mirror", HasArg, 0}, {"trace", HasArg, WritesValue},
			{"train train-cover train-fastcover train-legacy", OptArg, 0},
		},
		more: zstdMore,
		Examples: []Example{
			{"zstd -d a.zst -o b", "read:a.zst write:b"},
			{"zstd a", "read:a write:a.zst"},
			{"zstd --rm a -o=b", "delete:a write:b"}, {"zstd -c -o=-", "write:-"}, {"zstd --format=gzip a", "read:a write:a*"},
			{"zstd -c --rm a", "delete:a"},
			{"zstdcat a.zst", "ro read:a.zst"},
			{"zstdcat -o b a.zst", "read:a.zst write:b"},
			{"zstd -T0 -19 a", "read:a write:a.zst"},
			{"zstd -r d", "read:d/** write:d/** write:d.zst/**"},
			{"zstd --output-dir-flat o a b", "read:a read:b write:o/**"},
			{"zstd --train a b", "read:a read:b write:dictionary"},
			{"zstd -lv a.zst", "ro read:a.zst"},
			{"zstd -t --trace=x a.zst", "read:a.zst narrow write:x"},
		},
	},
	{
		Names: []string{"cpio", "pax"}, Title: "packs and unpacks archives", Style: NoOptions, more: cpioMore,
		Examples: []Example{{"cpio -idm", "narrow write:./**"}, {"cpio -t", "ro"}, {"pax -t -wf out d", "narrow write:./**"}, {"cpio -t --rsh-command=id -F h:f", "narrow write:./**"}, {"cpio -D sub -i", "narrow write:sub/**"}},
	},
	{
		Names: []string{"tar", "bsdtar", "gtar"}, Full: true, Title: "packs and unpacks archives", Tells: "--version --help",
		Flags: "-ABdGhijJlmMnpRsSUvwyzZaoq catenate concatenate diff compare update verbose gzip bzip2 xz zstd lzma auto-compress keep-old-files " +
			"overwrite same-permissions preserve-permissions numeric-owner no-same-owner same-owner touch wildcards no-wildcards anchored " +
			"exclude-vcs exclude-vcs-ignores exclude-caches dereference totals one-file-system no-recursion recursion ignore-zeros " +
			"checkpoint-dot sparse verify interactive skip-old-files unlink-first recursive-unlink keep-directory-symlink no-overwrite-dir " +
			"show-transformed-names null no-null force-local utc full-time delay-directory-restore no-delay-directory-restore ignore-case " +
			"no-ignore-case acls selinux xattrs no-acls no-selinux no-xattrs seek no-seek clamp-mtime test-label check-device no-check-device incremental " +
			"ignore-failed-read exclude-backups exclude-caches-all no-unquote unquote no-verbatim-files-from verbatim-files-from no-anchored " +
			"no-wildcards-match-slash wildcards-match-slash keep-newer-files overwrite-dir ignore-command-error no-ignore-command-error " +
			"no-same-permissions preserve-order same-order multi-volume read-full-records old-archive portability posix lzip lzop no-auto-compress gunzip ungzip compress " +
			"uncompress hard-dereference check-links block-number show-defaults show-omitted-dirs show-snapshot-field-ranges show-stored-names " +
			"confirmation restrict help version usage",
		Values: "-bHKLNV exclude exclude-tag exclude-tag-all exclude-tag-under exclude-caches-under exclude-ignore exclude-ignore-recursive format transform xform strip-components owner group mode mtime newer newer-mtime " +
			"after-date label record-size blocking-factor starting-file tape-length sort suffix level sparse-version pax-option hole-detection warning owner-map group-map quoting-style quote-chars no-quote-chars " +
			"xattrs-include xattrs-exclude",
		OptValues: "checkpoint backup occurrence",
		Opts: []Opt{
			{"-f file", HasArg, 0},
			{"-C directory cd", HasArg, 0},
			{"-T files-from -X exclude-from add-file", HasArg, ReadsValue}, {"one-top-level", OptArg, 0},
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
			{"-W", NoArg, Unsafe}, // bsdtar: a long option stands in the next word
		},
		more: tarMore,
		Examples: []Example{
			{"tar -xzf node.tar.gz -C vendor", "read:node.tar.gz write:vendor/**"},
			{"tar xf a.tar --to-command='sh -c id'", "read:a.tar write:./** narrow tar --to-command>>'sh -c id'"},
			{"tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=id f", "read:f/** narrow tar --checkpoint-action>>'id'"},
			{"tar czf out.tgz src -C d x", "read:src/** read:d/x/** write:out.tgz"},
			{"tar --version", "ro"}, {"tar tf a.tar", "ro read:a.tar"}, {"tar -tf a -W use-compress-program=id", "narrow read:a"}, {"tar -cLf out d", "read:out/** read:d/**"}, {"tar cHf x - d", "read:d/**"},
			{"tar -cf - -T l", "read:l"}, {"tar cfT - l", "read:l"}, {"tar -cf - -T l --verbatim-files-from", "ro read:l"},
			{"tar xf a.tar --one-top-level=/x", "read:a.tar write:./** write:/x/**"},
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
		Flags:    "-abBCDfjKLMnoqsSTuUvVWXxz:/",
		Values:   "-PIO",
		Opts:     []Opt{{"-d", HasArg, 0}, {"-ltZ", NoArg, Asks}, {"-cp", NoArg, Prints}},
		more:     unzipMore,
		Examples: []Example{{"unzip a.zip -d out", "read:a.zip write:out/**"}, {"unzip -d x a.zip -dy", "read:a.zip write:x/** write:y/**"}, {"unzip -l a.zip", "ro read:a.zip"}, {"unzip -o a", "read:a write:./**"}, {"unzip -cT a.zip", "read:a.zip write:a.zip"}},
	},
	{
		Names: []string{"zip"}, Full: true,
		Title:  "packs archives",
		Flags:  "-0123456789AcdDeEfFgjJklLoqRSTuUvVwXyzm@ recurse-patterns quiet test junk-paths no-dir-entries symlinks update freshen",
		Values: "-nPstxiZ exclude include password suffixes split-size",
		Opts:   []Opt{{"-r recurse-paths", NoArg, Recurses}, {"unzip-command", HasArg, Executes}, {"-O output-file out", HasArg, 0}, {"-b temp-path", HasArg, OutputsValue}, {"move", NoArg, 0}},
		more:   zipMore,
		Examples: []Example{{"zip -r out.zip src", "write:out.zip read:src/**"}, {"zip x.zip f -T -TT 'id'", "narrow write:x.zip write:x.zip* write:f write:f.zip write:f* write:id write:id.zip write:id*"},
			{"zip -Rm x.zip a", "write:x.zip delete:./** delete:a"},
			{"zip -m a b", "write:a write:a.zip delete:b"}, {"zip -O o z.zip", "write:o write:o.zip write:z.zip"}},
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
		for i := range c.argv[1:] { // rar keeps a log
			w := &c.argv[i+1]
			if t := strings.ToLower(literalPrefix(w)); strings.HasPrefix(t, "-ilog") || strings.HasPrefix(t, "-log") || strings.HasPrefix(t, "@") || !w.Known && t == "" && !w.Single {
				c.disprove("may write a log, or read further switches from a file")
			}
		}
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
	name := programName(c.argv)
	// of the modes the last one counts, for some of the family; bzip2 reads its long options last
	mode := c.option("z", "compress", "d", "decompress", "uncompress")
	if strings.HasPrefix(name, "lz4") && c.has("l") && !c.has("t", "list", "test") { // -l is a format of lz4
		c.asks = false
	}
	c.asks = c.asks && (mode == nil || !strings.HasPrefix(name, "b") && c.option("l", "list", "t", "test").at > mode.at)
	if c.prints || c.asks || name == "lz4cat" && len(c.operands) < 2 {
		c.readOperands(c.operands)
		c.d.readOnly = c.proven() && !c.wrote
		return
	}
	byName := strings.HasPrefix(name, "un") || strings.HasPrefix(name, "gun") || strings.HasPrefix(name, "bun")
	unpack := byName || c.has("d", "decompress", "uncompress")
	pack := !unpack || c.has("z", "compress")
	keeps := c.has("k", "keep") || name == "lz4" || name == "lz4cat" || name == "brotli"
	for _, i := range c.operands {
		w := &c.argv[i]
		if keeps {
			c.read(w)
		} else {
			c.remove(w)
		}
		if c.recursive {
			c.write(w)
		}
		if unpack && strings.HasPrefix(name, "b") { // what it does not recognise
			out := *w
			out.Text += ".out"
			c.write(&out)
		}
		if unpack {
			c.unpacked(w, keeps)
		}
		if !pack {
			continue
		}
		packed := *w
		if packed.Text += compressExt(name); c.has("S", "suffix") {
			o := c.option("S", "suffix")
			packed.Text, packed.Known = w.Text+o.value.Text, w.Known && o.value.Known
		}
		if c.has("F", "format") && !c.has("S", "suffix") {
			packed.Text = w.Text + ".lzma"
			c.write(&packed)
			packed.Text = w.Text + ".xz"
		}
		c.write(&packed)
	}
	if strings.HasPrefix(name, "lz4") && len(c.operands) > 1 {
		c.write(&c.argv[c.operands[1]])
	}
	if c.has("files", "files0") {
		c.writeUnknown()
	}
}

// unpacked writes the name without what the packer put behind it. Without such
// an end gzip looks for a file that has one.
func (c *call) unpacked(w *Word, keeps bool) {
	plain := *w
	ext := [...]string{".gz", ".bz2", ".bz", ".xz", ".zst", ".lz4", ".lzma", ".Z", ".z", ".br"}
	for _, e := range ext {
		if plain.Text = strings.TrimSuffix(w.Text, e); plain.Text != w.Text {
			break
		}
	}
	tars := [...]string{".tgz", ".taz", ".tbz2", ".tbz", ".txz", ".tlz", ".tzst"}
	for _, e := range tars {
		if t, ok := strings.CutSuffix(w.Text, e); ok {
			plain.Text = t + ".tar"
		}
	}
	if o := c.option("S", "suffix"); o != nil {
		if plain.Text = strings.TrimSuffix(plain.Text, o.value.Text); !o.value.Known {
			plain.Known = false
			plain.Text += HoleMark
		}
	}
	if plain.Text == w.Text && w.Known {
		found := behind(w)
		if keeps {
			c.read(&found)
		} else {
			c.remove(&found)
		}
	}
	c.write(&plain)
}

// zstdMore: zstd keeps what it reads unless told otherwise, and an output file
// or directory replaces the names it would make.
func zstdMore(c *call) {
	name := programName(c.argv)
	mode := c.option("z", "compress", "d", "decompress", "uncompress")
	c.asks = c.asks && (mode == nil || c.option("l", "list", "t", "test").at > mode.at)
	for _, i := range c.operands {
		if w := &c.argv[i]; c.has("rm") && !c.asks {
			c.remove(w)
		} else {
			c.read(w)
		}
	}
	dir, out := c.option("output-dir-flat", "output-dir-mirror"), c.option("o")
	if o := c.option("D"); o != nil && strings.HasPrefix(o.value.Text, "=") {
		w := suffix(&o.value, 1)
		c.readValue(&w)
	}
	if o := c.option("trace"); o != nil && o.value.Text == "-" {
		c.writeFile(&o.value)
	}
	tree := c.recursive
	switch {
	case c.asks:
	case out != nil:
		w := out.value
		if c.recursive = false; strings.HasPrefix(w.Text, "=") {
			w = suffix(&w, 1)
			c.writeFile(&w)
		} else {
			c.write(&w)
		}
	case c.has("train", "train-cover", "train-fastcover", "train-legacy"):
		w := literal("dictionary", &c.argv[0])
		c.write(&w)
	case c.prints || name == "zstdcat":
	case dir != nil:
		c.recursive = true
		c.write(&dir.value)
	default:
		c.zstdWrites(strings.HasPrefix(name, "un"))
	}
	if c.recursive = tree; c.has("filelist") && !c.prints && !c.asks {
		c.writeUnknown()
	}
	c.d.readOnly = c.proven() && !c.wrote
}

func (c *call) zstdWrites(byName bool) {
	unpack := byName || c.has("d", "decompress", "uncompress")
	for _, i := range c.operands {
		w := &c.argv[i]
		if c.recursive {
			c.write(w)
		}
		if unpack {
			c.unpacked(w, !c.has("rm"))
		}
		if !unpack || c.has("z", "compress") {
			packed := *w
			packed.Text += ".zst"
			if o := c.option("format"); o != nil { // .gz of gzip, .zst of zstd
				packed = behind(w)
			}
			c.write(&packed)
		}
	}
}

func compressExt(name string) string {
	switch name {
	case "bzip2", "bunzip2":
		return ".bz2"
	case "xz", "unxz":
		return ".xz"
	case "lz4":
		return ".lz4"
	case "lzma", "unlzma":
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
		}
	}
	if programName(c.argv) == "cpio" && cpioLists(c.argv[1:]) {
		c.d.readOnly = true
		return
	}
	c.narrow("it writes the files an archive names")
	c.touch(Write, c.here(), true)
}

// cpioLists reports whether cpio lists its standard input and does nothing
// else; to pax -t means something else.
func cpioLists(words []Word) bool {
	lists := false
	for i := range words {
		if !words[i].Known {
			return false
		}
		switch words[i].Text {
		case "-t", "--list", "-it", "-tv", "-itv", "-ivt":
			lists = true
		case "-v", "-n", "-i", "--quiet", "--verbose", "--extract":
		default:
			return false
		}
	}
	return lists
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
	t.unclear()
}

// unclear takes the proof back where bsdtar reads other files than GNU tar, whose
// -H and -L have values, and where a list of files may hold options.
func (t *tarCall) unclear() {
	c := t.c
	if c.has("H", "L") && t.mode != 't' {
		c.disprove("gets -H or -L, which take a value in some releases only")
	}
	if c.has("T", "files-from") && !c.has("verbatim-files-from", "null") {
		c.disprove("reads a list of files, which may hold options that run commands")
	}
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
	case c.has("t", "list", "diff", "compare", "d", "test-label"):
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
			c.opts = append(c.opts, used{name: letters[i : i+1]})
			c.readValue(value())
		case 'g':
			if c.write(value()) {
				c.narrow("g writes a file")
			}
		case 'b', 'K', 'N', 'V':
			value()
		case 'H', 'L':
			c.opts = append(c.opts, used{name: letters[i : i+1]})
			value()
		case 'W':
			c.narrow("W names a long option")
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
		c.d.readOnly = c.proven() && !c.wrote && !c.has("remove-files") && len(c.d.inner) == 0
	case 'x':
		if t.archive != nil {
			c.read(t.archive)
		}
		c.d.readOnly = c.proven() && c.prints
		if c.prints {
			return
		}
		w := c.here()
		if c.has("P", "absolute-names", "absolute-paths") {
			*w = hole("", w)
		}
		c.cwd, c.recursive = dir, w.Known
		c.write(w)
		if o := c.option("one-top-level"); o != nil && o.given {
			c.write(&o.value)
		}
	case 't':
		if t.archive != nil {
			c.read(t.archive)
		}
		c.d.readOnly = c.proven()
	}
}

func unzipMore(c *call) {
	if w := c.operand(0); w != nil {
		c.read(w)
	}
	if w := c.operand(0); w != nil && c.has("T") { // the archive gets the time of its newest member
		c.zipped(w)
		c.wrote = true
	}
	if c.asks || c.prints {
		c.d.readOnly = c.proven()
		return
	}
	c.recursive = true
	if !c.has("d") {
		c.write(c.here())
	}
	for i := range c.opts { // of several the first one counts, for some releases the last
		if c.opts[i].name == "d" {
			c.write(&c.opts[i].value)
		}
	}
}

// zipped writes an archive; a name without an end gets one.
func (c *call) zipped(w *Word) {
	c.touch(Write, w, false)
	if base := path.Base(w.Text); !strings.Contains(base, ".") || base == ".." {
		named := *w
		named.Text = strings.TrimRight(w.Text, "/") + ".zip"
		c.touch(Write, &named, false)
	}
}

// arMore is ar KEY [MODIFIERS] ARCHIVE FILES; t and p print, x unpacks, all
// else changes the archive.
func arMore(c *call) {
	if c.responseFile() {
		return
	}
	var ops []*Word
	dir := c.here()
	for i := 1; i < len(c.argv); i++ {
		w := &c.argv[i]
		t := literalPrefix(w)
		switch {
		case strings.HasPrefix(t, "@"):
			c.narrow("the file may hold --plugin, which loads code")
		case abbreviates(t, "--plugin"):
			c.narrow("--plugin loads code")
			fallthrough
		case t == "--output" || t == "--target" || t == "--record-libdeps":
			if t == "--output" && i+1 < len(c.argv) {
				dir = &c.argv[i+1]
			}
			if !strings.Contains(t, "=") {
				i++
			}
		case strings.HasPrefix(t, "--output="):
			v := suffix(w, len("--output="))
			dir = &v
		case strings.HasPrefix(t, "--"), strings.HasPrefix(t, "-X") && len(ops) == 0:
		default:
			ops = append(ops, w)
		}
	}
	if len(ops) < 2 || !ops[0].Known {
		return
	}
	key := strings.TrimLeft(ops[0].Text, "-")
	at := 1
	if strings.ContainsAny(key, "abiN") { // a member or a count stands in front of the archive
		at = 2
	}
	if at >= len(ops) {
		return
	}
	switch {
	case strings.ContainsAny(key, "dmqrsM") || !strings.ContainsAny(key, "tpx"):
		c.write(ops[at])
		for _, w := range ops[at+1:] {
			c.read(w)
		}
	case strings.Contains(key, "x"):
		c.read(ops[at])
		c.recursive = true
		c.write(dir)
	default:
		c.read(ops[at])
		c.d.readOnly = true
	}
}

// responseFile reports a word @FILE, which stands for the words in that file:
// the GNU linker tools read options from there.
func (c *call) responseFile() (found bool) {
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		if lit := literalPrefix(w); !strings.HasPrefix(lit, "@") && (w.Known || lit != "") {
			continue
		}
		if found = strings.HasPrefix(w.Text, "@"); found {
			file := suffix(w, 1)
			c.read(&file)
			c.narrow(w.Text + " brings in options from a file")
			c.mayDoAnything(w)
			return true
		}
		c.narrow("an unknown word could bring in options from a file")
	}
	return false
}

// objectReads takes every word that could name a file for one that is read.
// None of these programs writes; a plugin is code.
func objectReads(c *call) {
	c.responseFile()
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		t := literalPrefix(w)
		switch {
		case strings.HasPrefix(t, "--pl"), !w.Known && (t == "" || strings.HasPrefix("--plugin", t)):
			c.narrow("--plugin loads code, and an unknown word could be that")
		}
		if k := strings.IndexByte(w.Text, '='); k > 0 && strings.HasPrefix(t, "-") {
			v := suffix(w, k+1)
			c.read(&v)
		} else if !strings.HasPrefix(t, "-") {
			c.read(w)
		}
	}
}

// objectMore takes every word that could name a file for one that is written:
// the programs write their input when no output is named.
func objectMore(c *call) {
	c.responseFile()
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		t := literalPrefix(w)
		switch {
		case strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") && strings.IndexByte(t, 'o') > 0 && w.Known: // -o, also in a cluster
			v := suffix(w, strings.IndexByte(t, 'o')+1)
			c.writeFile(&v)
		case strings.HasPrefix(t, "--"):
			if k := strings.LastIndexByte(w.Text, '='); k > 0 {
				v := suffix(w, k+1)
				c.write(&v)
			}
		case !strings.HasPrefix(t, "-") || w.Known && t == "-":
			if k := strings.LastIndexByte(w.Text, '='); k > 0 { // --dump-section .data=FILE
				v := suffix(w, k+1)
				w = &v
			}
			c.writeFile(w)
		}
	}
}

// zipMore writes the archive and reads the files; -TT names a program.
func zipMore(c *call) {
	odd := false
	for i := range c.argv[1:] {
		t := c.argv[i+1].Text
		if strings.HasPrefix(t, "-TT") {
			c.narrow("-TT runs a command")
		}
		// options of two letters, whose values were not taken for such
		odd = odd || strings.HasPrefix(t, "-TT") || strings.HasPrefix(t, "-lf") || strings.HasPrefix(t, "-tt") || strings.HasPrefix(t, "-log")
	}
	if o := c.option("O", "output-file", "out"); o != nil {
		c.zipped(&o.value)
		c.wrote = true
	}
	moves := c.has("m", "move")
	if kind := Read; c.has("R", "recurse-patterns") { // the operands are patterns for what lies below
		if moves {
			kind = Delete
		}
		c.touch(kind, c.here(), true)
	}
	if moves && c.has("@", "names-stdin") {
		c.writeUnknown()
	}
	for n, i := range c.operands {
		w := &c.argv[i]
		switch {
		case odd:
			named := behind(w)
			c.zipped(w)
			c.write(&named)
		case n == 0:
			if w.Text != "-" {
				c.zipped(w)
			}
			c.wrote = true
		case moves:
			c.remove(w)
		default:
			c.read(w)
		}
	}
}
