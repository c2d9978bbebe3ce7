package commands

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// packs, packFlags, packValues and packOpts are shared by the programs that
// replace a file by its other form.
const (
	packs     = "compresses and uncompresses files"
	packFlags = "-0123456789aefhHLmnNqRsvVZ force keep-name name no-name quiet verbose fast best extreme no-sparse " +
		"sparse rsyncable synchronous help long-help version no-check single-stream small license no-adjust " +
		"no-warn robot ignore-check info-memory"
	packValues = "-bCFMpT format check memlimit memory memlimit-compress memlimit-decompress " +
		"memlimit-mt-decompress threads block-size block-list flush-timeout processes level lzma1 lzma2 x86 arm " +
		"delta"
)

var packOpts = []Opt{
	{"-c stdout to-stdout", NoArg, Prints}, {"-l list", NoArg, Asks}, {"-t test", NoArg, Asks}, {"-d decompress uncompress", NoArg, 0},
	{"-z compress", NoArg, 0}, {"-S suffix", HasArg, 0}, {"-k keep", NoArg, 0}, {"-r recursive", NoArg, Recurses},
	{"-o output", HasArg, Writes}, {"-D", HasArg, Reads}, {"files files0", OptArg, 0},
}

// ArchiveCommands are the programs that pack, unpack and compress.
var ArchiveCommands = []Command{
	{
		Names: "7z 7za 7zz 7zr p7zip rar unrar", Title: "packs and unpacks archives", Style: NoOptions, ReadsSome: true,
		refine: refineSeven,
	},
	{Names: "ar", Title: "manages object archives", Style: NoOptions, ReadsSome: true, refine: refineAr},
	{
		Names: "addr2line c++filt nm objdump readelf size", Title: "prints the contents of object files",
		Style: NoOptions, ReadOnly: true, refine: objectReads,
	},
	{Names: "strip objcopy ranlib", Title: "changes object files", Style: NoOptions, refine: refineObject},
	{
		Names: "gzip pigz gunzip bzip2 xz", Local: true, InfoFlags: "--help --version", Title: packs, Flags: packFlags, Forms: []Form{{"-S|--suffix", Unbinds, mayDoMore}},
		Values: packValues, Opts: packOpts, ReadsSome: true, refine: refinePacker,
	},
	{
		Names: "bunzip2 unxz lzma unlzma compress uncompress brotli lz4 lz4cat", InfoFlags: "--help --version", Title: packs, Flags: packFlags,
		Values: packValues, Opts: packOpts, ReadsSome: true, refine: refinePacker,
	},
	{
		Names: "zstd zstdmt unzstd zstdcat", InfoFlags: "--help --version", Title: packs, ReadsSome: true, refine: refineZstd,
		Flags: "-0123456789CfhHqSvV force quiet verbose sparse no-sparse rsyncable help version ultra progress " +
			"no-progress check no-check adapt single-thread content-size no-content-size compress-literals " +
			"no-compress-literals row-match-finder no-row-match-finder pass-through no-pass-through asyncio no-asyncio " +
			"no-dictID mmap-dict no-mmap-dict exclude-compressed",
		Values: "dictID maxdict priority format stream-size size-hint target-compressed-block-size memory " +
			"memlimit memlimit-decompress block-size threads",
		OptValues: "-TMBbei fast long auto-threads", // their numbers are in the same word
		Opts: []Opt{
			{"-c stdout", NoArg, Prints}, {"-l list", NoArg, Asks}, {"-t test", NoArg, Asks}, {"-d decompress uncompress", NoArg, 0}, {"-z compress", NoArg, 0},
			{"-k keep", NoArg, 0}, {"rm", NoArg, 0}, {"-r", NoArg, Recurses}, {"-o", HasArg, 0}, {"-D patch-from", HasArg, Reads},
			{"filelist", HasArg, Reads}, {"output-dir-flat output-dir-mirror", HasArg, 0}, {"trace", HasArg, WritesValue},
			{"train train-cover train-fastcover train-legacy", OptArg, 0},
		},
	},
	{Names: "cpio bsdcpio gcpio", Title: "packs and unpacks archives", Style: NoOptions, ReadsSome: true, refine: refineCpio},
	{Names: "pax", Title: "packs and unpacks archives", Style: NoOptions, refine: refinePax},
	{
		Names: "tar bsdtar gtar gnutar", Local: true, AllOptionsListed: true, ReadsSome: true, Title: "packs and unpacks archives", InfoFlags: "--version --help",
		Flags: "-ABdGhijJlmMnpRsSUvwyzZaoq catenate concatenate diff compare update verbose gzip bzip2 xz zstd lzma auto-compress " +
			"keep-old-files overwrite same-permissions preserve-permissions numeric-owner no-same-owner same-owner touch wildcards " +
			"no-wildcards anchored exclude-vcs exclude-vcs-ignores exclude-caches dereference totals one-file-system no-recursion " +
			"recursion ignore-zeros checkpoint-dot sparse verify interactive skip-old-files unlink-first recursive-unlink " +
			"keep-directory-symlink no-overwrite-dir show-transformed-names null no-null force-local utc full-time " +
			"delay-directory-restore no-delay-directory-restore ignore-case no-ignore-case acls selinux xattrs no-acls no-selinux " +
			"no-xattrs seek no-seek clamp-mtime test-label check-device no-check-device incremental ignore-failed-read exclude-backups " +
			"exclude-caches-all exclude-caches-under no-unquote unquote no-verbatim-files-from verbatim-files-from no-anchored no-wildcards-match-slash " +
			"wildcards-match-slash keep-newer-files overwrite-dir ignore-command-error no-ignore-command-error no-same-permissions " +
			"preserve-order same-order multi-volume read-full-records old-archive portability posix lzip lzop no-auto-compress gunzip " +
			"ungzip compress uncompress hard-dereference check-links block-number show-defaults show-omitted-dirs " +
			"show-snapshot-field-ranges show-stored-names confirmation restrict help version usage",
		Values: "-bHKLNV exclude exclude-tag exclude-tag-all exclude-tag-under exclude-ignore " +
			"exclude-ignore-recursive format transform xform strip-components owner group mode mtime newer newer-mtime after-date label " +
			"record-size blocking-factor starting-file tape-length sort suffix level sparse-version pax-option hole-detection warning " +
			"owner-map group-map quoting-style quote-chars no-quote-chars xattrs-include xattrs-exclude",
		OptValues: "checkpoint backup occurrence",
		Opts: []Opt{
			{"-f file", HasArg, 0}, {"-C directory cd", HasArg, 0}, {"-T files-from", HasArg, ReadsNames},
			{"-X exclude-from add-file", HasArg, Reads}, {"one-top-level", OptArg, 0}, {"-c create", NoArg, 0},
			{"-x extract get", NoArg, 0}, {"-t list", NoArg, 0}, {"-r append", NoArg, 0}, {"-u", NoArg, 0}, {"delete", NoArg, 0},
			{"-O to-stdout", NoArg, Prints}, {"-P absolute-names absolute-paths", NoArg, 0}, {"remove-files", NoArg, 0}, {"-k", NoArg, 0},
			{"-I use-compress-program to-command -F info-script new-volume-script rsh-command rmt-command", HasArg, Executes},
			{"checkpoint-action", HasArg, 0}, {"-g listed-incremental index-file volno-file", HasArg, WritesValue}, {"-W", NoArg, Unsafe}, // bsdtar: a long option is in the next word
		},
		refine: refineTar,
	},
	{
		Names: "unzip bsdunzip", Local: true, InfoFlags: "--help --version", Title: "unpacks archives",
		Flags: "-abBCDfjKLMnoqsSTuUVWXx:/", Values: "-PIO", Opts: []Opt{{"-d", HasArg, 0}, {"-hlvztZ", NoArg, Asks}, {"-cp", NoArg, Prints}},
		Forms: []Form{{"-h|-l|-v|-z|-t|-Z|-c|-p", Proves, ""}}, refine: refineUnzip,
	},
	{
		Names: "zip", Local: true, InfoFlags: "--help --version", AllOptionsListed: true, Title: "packs archives",
		Flags:  "-0123456789AcdDeEfFgjJklLoqRSTuUvVwXyzm@ recurse-patterns quiet test junk-paths no-dir-entries symlinks update freshen",
		Values: "-nPstxiZ exclude include password suffixes split-size",
		Opts:   []Opt{{"-r recurse-paths", NoArg, Recurses}, {"unzip-command", HasArg, Executes}, {"-O output-file out", HasArg, 0}, {"-b temp-path", HasArg, Writes}, {"move", NoArg, 0}},
		Forms:  []Form{{"-T|--test", Unbinds, mayDoMore}}, refine: refineZip,
	},
}

// refineSeven: unlike 7z, rar deletes with -df, and takes a folder as its last word.
func refineSeven(c *Invocation) {
	s := sevenCall{Invocation: c, dir: *c.here(), rar: shell.Among("rar unrar", c.as)}
	for _, w := range c.words() {
		s.word(w)
	}
	if n := len(s.ops); s.rar && n > 2 && strings.HasSuffix(s.ops[n-1].Text, "/") {
		s.dir = *s.ops[n-1]
	}
	s.effects()
}

// word reads one word after the program.
func (s *sevenCall) word(w *shell.Word) {
	switch t := shell.LiteralPrefix(w); {
	case s.rar && strings.HasPrefix(t, "-op"):
		s.dir = shell.Suffix(w, len("-op"))
	case s.rar && strings.HasPrefix(t, "-df"):
		s.moves = true
	case strings.HasPrefix(t, "-o") && t != "-o+" && t != "-o-" && t != "-or":
		s.dir = shell.Suffix(w, len("-o"))
	case strings.HasPrefix(t, "-spf"):
		s.free = true
	case t == "-sdel":
		s.moves = true
	case !strings.HasPrefix(t, "-"):
		s.ops = append(s.ops, w)
	}
}

func (s *sevenCall) effects() {
	if len(s.ops) < 2 {
		s.Disprove("")
		return
	}
	archive := s.ops[1]
	switch verb := s.ops[0].Text; verb {
	case "l", "t", "i", "lb", "lt", "v":
		s.read(archive)
		s.logs()
	case "x", "e":
		s.Disprove("")
		s.read(archive)
		in := s.archive(archive, s.Cwd)
		in.Flat, in.Free = verb == "e", s.free
		s.unpacks(&s.dir, in)
	default:
		s.Disprove("")
		s.write(archive)
		s.Recursive = true
		for _, w := range s.ops[2:] {
			if s.read(w); s.moves {
				s.touch(shell.Delete, w, true)
			}
		}
	}
}

// logs takes the proof from what writes a log, as rar can.
func (s *sevenCall) logs() {
	for _, w := range s.words() {
		t := strings.ToLower(shell.LiteralPrefix(w))
		mayBeSwitches := t == "" && !w.Known && !w.Single
		if mayBeSwitches || strings.HasPrefix(t, "-ilog") || strings.HasPrefix(t, "-log") || strings.HasPrefix(t, "@") {
			s.Disprove("may write a log, or read further switches from a file")
		}
	}
}

// A packer is what tells the programs apart that replace a file by its other form.
type packer struct {
	names   string
	ext     string // the end of what it packs
	unpacks bool   // it unpacks without an option that says so
	keeps   bool   // it leaves what it reads where it is
	renames bool   // it unpacks under the name the file had
	// anyMode: bzip2 reads its long options last, so that the order of the modes says nothing.
	// What it does not recognise it unpacks to a file.out.
	anyMode bool
	lz4     bool // -l is a format, and the second operand is what it writes
	cat     bool // one operand is printed
}

var packers = [...]packer{
	{names: "gzip pigz", ext: ".gz"},
	{names: "gunzip", ext: ".gz", unpacks: true},
	{names: "bzip2", ext: ".bz2", anyMode: true},
	{names: "bunzip2", ext: ".bz2", anyMode: true, unpacks: true},
	{names: "xz", ext: ".xz"},
	{names: "unxz", ext: ".xz", unpacks: true},
	{names: "lzma", ext: ".lzma"},
	{names: "unlzma", ext: ".lzma", unpacks: true},
	{names: "compress", ext: ".Z"},
	{names: "uncompress", ext: ".gz", unpacks: true, renames: true},
	{names: "brotli", ext: ".br", anyMode: true, keeps: true},
	{names: "lz4", ext: ".lz4", lz4: true, keeps: true},
	{names: "lz4cat", ext: ".gz", lz4: true, keeps: true, cat: true},
}

func refinePacker(c *Invocation) {
	name := TableName(ProgramName(c.Argv))
	for _, p := range packers {
		if shell.Among(p.names, name) {
			p.refine(c)
		}
	}
}

// refine replaces each operand by its other form.
func (p packer) refine(c *Invocation) {
	if c.prints || p.asks(c) {
		c.readOperands(c.Operands)
		return
	}
	c.Disprove("")
	p.unpacks = p.unpacks || c.Has("d", "decompress", "uncompress")
	p.keeps = p.keeps || c.Has("k", "keep")
	for _, i := range c.Operands {
		p.replaces(c, &c.Argv[i])
	}
	if w := c.Operand(1); w != nil && p.lz4 {
		c.write(w)
	}
	if c.Has("files", "files0") {
		c.writeUnknown()
	}
}

// asks reports whether the files are printed, listed or tested: the last mode counts.
func (p *packer) asks(c *Invocation) bool {
	if p.cat && len(c.Operands) < 2 {
		return true
	}
	if !c.asks || p.lz4 && c.Has("l") && !c.Has("t", "list", "test") {
		return false
	}
	mode := c.Option("z", "compress", "d", "decompress", "uncompress")
	return mode == nil || !p.anyMode && c.Option("l", "list", "t", "test").at > mode.at
}

// replaces says what happens to one operand.
func (p *packer) replaces(c *Invocation, w *shell.Word) {
	if p.keeps {
		c.read(w)
	} else {
		c.remove(w)
	}
	if c.Recursive {
		c.write(w)
	}
	if p.unpacks {
		p.unpack(c, w)
	}
	if !p.unpacks || c.Has("z", "compress") {
		p.pack(c, w)
	}
}

func (p *packer) unpack(c *Invocation, w *shell.Word) {
	if p.anyMode {
		out := *w
		out.Text += ".out"
		c.write(&out)
	}
	c.unpacked(w, p.keeps)
	if p.renames || c.Has("N", "name") {
		folder := *w
		folder.Text = path.Dir(w.Text)
		from := len(c.Facts.Effects)
		c.touch(shell.Write, &folder, false)
		c.holding(from, shell.Contents{Kind: shell.FromArchive, From: c.OnDisk(w, c.Cwd), Flat: true})
	}
}

func (p *packer) pack(c *Invocation, w *shell.Word) {
	packed := *w
	packed.Text += p.ext
	if o := c.Option("S", "suffix"); o != nil {
		packed.Text, packed.Known = w.Text+o.Value.Text, w.Known && o.Value.Known
	} else if c.Has("F", "format") {
		packed.Text = w.Text + ".lzma"
		c.write(&packed)
		packed.Text = w.Text + ".xz"
	}
	c.write(&packed)
}

// refineZstd: zstd keeps what it reads unless told otherwise, and an output file or directory
// replaces the names it would make.
func refineZstd(c *Invocation) {
	mode := c.Option("z", "compress", "d", "decompress", "uncompress")
	c.asks = c.asks && (mode == nil || c.Option("l", "list", "t", "test").at > mode.at)
	if c.zstdReads(); c.asks {
		return
	}
	c.zstdWrites()
	if c.Has("filelist") && !c.prints {
		c.writeUnknown()
	}
}

// zstdReads says what is read, and removed after it, and where a trace is written.
func (c *Invocation) zstdReads() {
	for _, w := range c.operands() {
		if c.Has("rm") && !c.asks {
			c.remove(w)
		} else {
			c.read(w)
		}
	}
	if o := c.Option("D"); o != nil && strings.HasPrefix(o.Value.Text, "=") {
		c.readValue(new(shell.Suffix(&o.Value, 1)))
	}
	if o := c.Option("trace"); o != nil && o.Value.Text == "-" {
		c.writeFile(&o.Value)
	}
}

// zstdWrites says where the output goes.
func (c *Invocation) zstdWrites() {
	tree := c.Recursive
	defer func() { c.Recursive = tree }()
	dir, out := c.Option("output-dir-flat", "output-dir-mirror"), c.Option("o")
	switch {
	case out != nil:
		w := out.Value
		if c.Recursive = false; strings.HasPrefix(w.Text, "=") {
			w = shell.Suffix(&w, 1)
			c.writeFile(&w)
		} else {
			c.write(&w)
		}
	case c.Has("train", "train-cover", "train-fastcover", "train-legacy"):
		c.write(new(shell.Literal("dictionary", &c.Argv[0])))
	case c.prints, c.as == "zstdcat":
	case dir != nil:
		c.Recursive = true
		c.write(&dir.Value)
	default:
		c.zstdReplaces()
	}
}

// unpacked writes the name without what the packer put after it. Without such
// an end gzip looks for a file that has one.
func (c *Invocation) unpacked(w *shell.Word, keeps bool) {
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
	if o := c.Option("S", "suffix"); o != nil {
		if plain.Text = strings.TrimSuffix(plain.Text, o.Value.Text); !o.Value.Known {
			plain.Known = false
			plain.Text += shell.HoleMark
		}
	}
	if plain.Text == w.Text && w.Known {
		found := shell.NamesStartingWith(w)
		if keeps {
			c.read(&found)
		} else {
			c.remove(&found)
		}
	}
	c.write(&plain)
}

func (c *Invocation) zstdReplaces() {
	unpack := c.as == "unzstd" || c.Has("d", "decompress", "uncompress")
	for _, w := range c.operands() {
		if c.Recursive {
			c.write(w)
		}
		if unpack {
			c.unpacked(w, !c.Has("rm"))
		}
		if !unpack || c.Has("z", "compress") {
			packed := *w
			packed.Text += ".zst"
			if o := c.Option("format"); o != nil { // .gz of gzip, .zst of zstd
				packed = shell.NamesStartingWith(w)
			}
			c.write(&packed)
		}
	}
}

// packsOrUnpacks reads the options that cpio and pax have in common.
func (c *Invocation) packsOrUnpacks() {
	for i := range c.Argv[1:] {
		switch t := c.Argv[i+1].Text; {
		case (t == "-D" || t == "--directory") && i+2 < len(c.Argv):
			c.Cwd = shell.Moved(c.Cwd, &c.Argv[i+2])
		case strings.HasPrefix(t, "--directory="):
			c.Cwd = shell.Moved(c.Cwd, new(shell.Suffix(&c.Argv[i+1], len("--directory="))))
		case strings.Contains(t, "rsh-command"), strings.Contains(t, "to-command"):
			c.Narrow(t + " runs a command")
		}
	}
	c.Narrow("it writes the files an archive names")
}

// cpioLists reports whether cpio lists its standard input and does nothing else.
func cpioLists(words []shell.Word) bool {
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

// refineTar reads the old and the new spelling: "xzf a" is "-xzf a" with the
// values of all letters after it.
func refineTar(c *Invocation) {
	t := tarCall{c: c, mode: tarMode(c)}
	t.base, t.dir = c.Cwd, *c.here()
	tarCheckpoints(c)
	if len(c.Argv) > 1 && c.Argv[1].Known && !strings.HasPrefix(c.Argv[1].Text, "-") {
		t.old()
	} else {
		if o := c.Option("f", "file"); o != nil {
			t.archive = &o.Value
		}
		t.operands(c.Operands)
	}
	t.effects()
	t.unclear()
}

// unclear takes the proof back where bsdtar reads other files than GNU tar, whose
// -H and -L have values, and where a list of files may hold options.
func (t *tarCall) unclear() {
	c := t.c
	if c.Has("H", "L") && t.mode != 't' {
		c.Disprove("gets -H or -L, which take a value only in some versions")
	}
	if c.Has("T", "files-from") && !c.Has("verbatim-files-from", "null") {
		c.Disprove("reads a list of files, which may hold options that run commands")
	}
}

// tarCheckpoints: of the checkpoint actions, exec runs a command.
func tarCheckpoints(c *Invocation) {
	for u := range c.options() {
		if u.Name != "checkpoint-action" {
			continue
		}
		if action, text, ok := strings.Cut(u.Value.Text, "="); action == "exec" || !u.Value.Known {
			c.Narrow("--checkpoint-action runs a command")
			if ok {
				c.scan("--checkpoint-action", text, &u.Value)
			}
		}
	}
}

type tarCall struct {
	c       *Invocation
	mode    byte // c, x, t, r
	archive *shell.Word
	dir     shell.Word
	base    *shell.CwdState
	members []tarMember
}

// A tarMember is a word that names what to take, and the folder it is unpacked in.
type tarMember struct {
	word *shell.Word
	dir  *shell.CwdState
}

func tarMode(c *Invocation) byte {
	switch {
	case c.Has("c", "create"):
		return 'c'
	case c.Has("x", "extract", "get"):
		return 'x'
	case c.Has("t", "list", "diff", "compare", "d", "test-label"):
		return 't'
	case c.Has("r", "append", "u", "update", "A", "catenate", "concatenate", "delete"):
		return 'r'
	}
	return 0
}

// old reads the letters of the first word: the values of f, C and the like follow in turn.
func (t *tarCall) old() {
	c := t.c
	letters, next := c.Argv[1].Text, 2
	value := func() *shell.Word {
		if next < len(c.Argv) {
			next++
			return &c.Argv[next-1]
		}
		return &shell.Word{}
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
			c.Narrow(letters[i:i+1] + " runs a command")
		case 'T', 'X':
			c.readValue(value())
		case 'g':
			c.writeExtra(value())
		case 'b', 'K', 'N', 'V', 'H', 'L':
			value()
		case 'W':
			c.Narrow("W names a long option")
		case 'O':
			c.prints = true
		}
		if strings.IndexByte("TXHLPis", letters[i]) >= 0 {
			c.Opts = append(c.Opts, Used{Name: letters[i : i+1]})
		}
	}
	t.operands(slices.DeleteFunc(slices.Clone(c.Operands), func(at int) bool { return at < next }))
}

func (t *tarCall) setDir(w *shell.Word) {
	t.c.Cwd = shell.Moved(t.c.Cwd, w)
}

// operands reads what is packed or taken, each from the -C in front of it.
func (t *tarCall) operands(ops []int) {
	c := t.c
	k := 0
	change := func(before int) {
		for ; k < len(c.Opts) && c.Opts[k].at < before; k++ {
			if n := c.Opts[k].Name; n == "C" || n == "directory" || n == "cd" {
				t.setDir(&c.Opts[k].Value)
			}
		}
	}
	for _, i := range ops {
		change(i)
		if t.mode == 'c' || t.mode == 'r' {
			kind := shell.Read
			if c.Has("remove-files") {
				kind = shell.Delete
			}
			c.touch(kind, &c.Argv[i], true)
		}
		t.members = append(t.members, tarMember{&c.Argv[i], c.Cwd})
	}
	change(len(c.Argv))
}

func (t *tarCall) effects() {
	c := t.c
	dir := c.Cwd
	c.Cwd = t.base
	if t.archive != nil && !isPath(t.archive) {
		defer c.Disprove("may read an archive on another host: the file it reads is unknown")
	}
	if t.archive != nil && strings.Contains(t.archive.Text, ":") && t.mode != 0 {
		c.Narrow("an archive on another host is read through a remote shell")
	}
	switch t.mode {
	case 'c', 'r':
		if t.archive != nil {
			c.write(t.archive)
		}
		c.disproveIf(c.Has("remove-files"))
	case 'x', 't':
		if t.archive != nil {
			c.read(t.archive)
		}
		if t.mode == 'x' && !c.prints {
			c.Disprove("")
			t.extracts(dir)
		}
	default:
		c.Disprove("")
	}
}

// extracts writes what is unpacked into dir, or where -C in front of it says.
func (t *tarCall) extracts(dir *shell.CwdState) {
	c := t.c
	in := c.archive(t.archive, t.base)
	in.Free = c.Has("P", "absolute-names", "absolute-paths")
	in.Changed = c.Has("transform", "xform", "s", "i", "ignore-zeros") // -s of bsdtar; -i reads on after the end
	if strings.Contains(in.From, ":") {
		in.From = ""
	}
	if o := c.Option("strip-components"); o != nil {
		stripped(&in, o)
	}
	for u := range c.options() {
		if u.Name == "exclude" && u.Value.Known {
			in.Skip = append(in.Skip, u.Value.Text)
		}
	}
	if in.Free {
		c.write(new(shell.Hole("", c.here())))
	}
	if o := c.Option("one-top-level"); o != nil {
		top := o.Value
		if !o.Given {
			top = shell.Literal(shell.ArchiveStem(in.From), &c.Argv[0])
		}
		c.Cwd, c.Recursive = dir, true
		c.write(c.here())
		c.unpacks(&top, in)
		return
	}
	if len(t.members) == 0 || c.Has("T", "files-from") {
		c.Cwd = dir
		c.unpacks(c.here(), in)
		return
	}
	for at := 0; at < len(t.members); {
		one, words := in, []*shell.Word(nil)
		for c.Cwd = t.members[at].dir; at < len(t.members) && t.members[at].dir == c.Cwd; at++ {
			words = append(words, t.members[at].word)
		}
		one.Members(words)
		c.unpacks(c.here(), one)
	}
}

func refineUnzip(c *Invocation) {
	readsFirst(c)
	if w := c.Operand(0); w != nil && c.Has("T") { // the archive gets the time of its newest member
		c.zipped(w)
		c.Wrote = true
	}
	if (c.asks || c.prints) && c.leadingOption("hlvztZcp") {
		return
	}
	in := c.archive(c.Operand(0), c.Cwd)
	in.Flat, in.Free = c.Has("j"), c.Has(":")
	if len(c.Operands) > 1 && !c.Has("x") {
		var words []*shell.Word
		for _, i := range c.Operands[1:] {
			words = append(words, &c.Argv[i])
		}
		in.Members(words)
	}
	if !c.Has("d") {
		c.unpacks(c.here(), in)
	}
	for i := range c.Opts { // of several the first one counts, for some releases the last
		if c.Opts[i].Name == "d" {
			c.unpacks(&c.Opts[i].Value, in)
		}
	}
}

// leadingOption reports whether an option of one of these letters precedes the archive, after which
// unzip reads members, and no dash among the letters takes it back: -z-z extracts.
func (c *Invocation) leadingOption(letters string) bool {
	return c.Understood() && slices.ContainsFunc(c.Opts, func(u Used) bool {
		return strings.Contains(letters, u.Name) && (len(c.Operands) == 0 || u.at < c.Operands[0])
	})
}

// zipped writes an archive; a name without an end gets one.
func (c *Invocation) zipped(w *shell.Word) {
	c.touch(shell.Write, w, false)
	if base := path.Base(w.Text); !strings.Contains(base, ".") || base == ".." {
		named := *w
		named.Text = strings.TrimRight(w.Text, "/") + ".zip"
		c.touch(shell.Write, &named, false)
	}
}

// refineAr is ar KEY [MODIFIERS] ARCHIVE FILES: t and p print, x unpacks, the others write.
func refineAr(c *Invocation) {
	if c.responseFile() {
		return
	}
	ops, dir := c.arWords()
	if len(ops) < 2 || !ops[0].Known {
		c.Disprove("")
		return
	}
	key := strings.TrimLeft(ops[0].Text, "-")
	at := 1
	if strings.ContainsAny(key, "abiN") { // a member or a count precedes the archive
		at = 2
	}
	if at >= len(ops) {
		c.Disprove("")
		return
	}
	switch {
	case strings.ContainsAny(key, "dmqrsM") || !strings.ContainsAny(key, "tpx"):
		c.Disprove("")
		c.write(ops[at])
		for _, w := range ops[at+1:] {
			c.read(w)
		}
	case strings.Contains(key, "x"):
		c.Disprove("")
		c.read(ops[at])
		in := c.archive(ops[at], c.Cwd)
		in.Flat = true
		in.Members(ops[at+1:])
		c.unpacks(dir, in)
	default:
		c.read(ops[at])
	}
}

// arWords are the operands of ar and the folder it unpacks in.
func (c *Invocation) arWords() (ops []*shell.Word, dir *shell.Word) {
	dir = c.here()
	for i := 1; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		t := shell.LiteralPrefix(w)
		switch {
		case strings.HasPrefix(t, "@"):
			c.Narrow("the file may hold --plugin, which loads code")
		case abbreviates(t, "--plugin"):
			c.Narrow("--plugin loads code")
			if !strings.Contains(t, "=") {
				i++
			}
		case t == "--output" || t == "--target" || t == "--record-libdeps":
			if i++; t == "--output" && i < len(c.Argv) {
				dir = &c.Argv[i]
			}
		case strings.HasPrefix(t, "--output="):
			dir = new(shell.Suffix(w, len("--output=")))
		case strings.HasPrefix(t, "--"), strings.HasPrefix(t, "-X") && len(ops) == 0:
		default:
			ops = append(ops, w)
		}
	}
	return ops, dir
}

// responseFile reports a word @FILE, which means the words in that file:
// the GNU linker tools read options from there.
func (c *Invocation) responseFile() (found bool) {
	for _, w := range c.words() {
		if lit := shell.LiteralPrefix(w); !strings.HasPrefix(lit, "@") && (w.Known || lit != "") {
			continue
		}
		if found = strings.HasPrefix(w.Text, "@"); found {
			c.read(new(shell.Suffix(w, 1)))
			c.Narrow(w.Text + " brings in options from a file")
			c.mayDoAnything(w)
			return true
		}
		c.Narrow("a word only known at run time could bring in options from a file")
	}
	return false
}

// objectReads takes every word that could name a file for one that is read.
// None of these programs writes; a plugin is code.
func objectReads(c *Invocation) {
	c.responseFile()
	for _, w := range c.words() {
		t := shell.LiteralPrefix(w)
		switch {
		case strings.HasPrefix(t, "--pl"), !w.Known && (t == "" || strings.HasPrefix("--plugin", t)):
			c.Narrow("--plugin loads code, and an unknown word could be that")
		}
		if k := strings.IndexByte(w.Text, '='); k > 0 && strings.HasPrefix(t, "-") {
			c.read(new(shell.Suffix(w, k+1)))
		} else if !strings.HasPrefix(t, "-") {
			c.read(w)
		}
	}
}

// refineObject takes every word that could name a file for one that is written:
// the programs write their input when no output is named.
func refineObject(c *Invocation) {
	c.responseFile()
	for _, w := range c.words() {
		t := shell.LiteralPrefix(w)
		switch {
		case strings.HasPrefix(t, "--"):
			if k := strings.LastIndexByte(w.Text, '='); k > 0 {
				c.write(new(shell.Suffix(w, k+1)))
			}
		case w.Known && strings.HasPrefix(t, "-") && strings.IndexByte(t, 'o') > 0: // -o, also in a cluster
			c.writeFile(new(shell.Suffix(w, strings.IndexByte(t, 'o')+1)))
		case !strings.HasPrefix(t, "-") || w.Known && t == "-":
			if k := strings.LastIndexByte(w.Text, '='); k > 0 { // --dump-section .data=FILE
				w = new(shell.Suffix(w, k+1))
			}
			c.writeFile(w)
		}
	}
}

// refineZip writes the archive and reads the files; -TT names a program.
func refineZip(c *Invocation) {
	c.Facts.Code = c.Has("@", "i", "include")
	odd := c.zipOdd()
	if o := c.Option("O", "output-file", "out"); o != nil {
		c.zipped(&o.Value)
		c.Wrote = true
	}
	moves := c.Has("m", "move")
	if kind := shell.Read; c.Has("R", "recurse-patterns") { // the operands are patterns for what is below
		if moves {
			kind = shell.Delete
		}
		c.touch(kind, c.here(), true)
	}
	if moves && c.Has("@", "names-stdin") {
		c.writeUnknown()
	}
	for n, w := range c.operands() {
		switch {
		case odd:
			named := shell.NamesStartingWith(w)
			c.zipped(w)
			c.write(&named)
		case n == 0:
			if w.Text != "-" {
				c.zipped(w)
			}
			c.Wrote = true
		case moves:
			c.remove(w)
		default:
			c.read(w)
		}
	}
}

// zipOdd reports an option of two letters, whose value was not taken for one.
func (c *Invocation) zipOdd() (odd bool) {
	for i := range c.Argv[1:] {
		t := c.Argv[i+1].Text
		if command, ok := strings.CutPrefix(t, "-TT"); ok {
			at := &c.Argv[i+1]
			if c.Narrow("-TT runs a command"); command == "" && i+2 < len(c.Argv) {
				at = &c.Argv[i+2]
				command = at.Text
			}
			c.scan("-TT", strings.TrimPrefix(command, "="), at)
		}
		for _, o := range [...]string{"-TT", "-lf", "-tt", "-log"} {
			odd = odd || strings.HasPrefix(t, o)
		}
	}
	return odd
}

// A sevenCall is COMMAND ARCHIVE FILES with switches anywhere, as 7z and rar have it.
type sevenCall struct {
	*Invocation
	rar   bool
	ops   []*shell.Word
	dir   shell.Word // where it unpacks
	free  bool       // names are kept as they are, absolute ones too
	moves bool       // what is packed is deleted
}
