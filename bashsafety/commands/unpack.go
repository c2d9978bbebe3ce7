package commands

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// debUnpacks are the options with which dpkg-deb unpacks.
const debUnpacks = "-x|-X|-R|-e|--extract|--vextract|--raw-extract|--control"

// unsquashes: unsquashfs is not only asked what there is.
const unsquashes = "!-s|--stat|-l|--ll|--lls|--ls|--lc|--cat"

// UnpackCommands are programs that unpack, and copy from elsewhere, of which the
// tables say no more than where.
var UnpackCommands = []Command{
	{
		Names: "unar", Title: "unpacks archives", Flags: "-fDrsq force-overwrite force-rename force-skip no-directory force-directory no-recursion quiet copy-time no-quarantine",
		Values: "-peEkt password encoding password-encoding indexes forks", Opts: []Opt{{"-o output-directory", HasArg, 0}}, refine: refineUnar,
	},
	{
		Names: "unsquashfs", Title: "unpacks file systems", Flags: "f force n no-progress q quiet i info", Style: SingleDash,
		Values: "p processors", Opts: []Opt{{"d dest", HasArg, 0}, {"s stat l ll lls ls lc cat", NoArg, Asks}},
		Forms: []Form{{"FILE", Reads, ""}, {unsquashes + "|-d|--dest >squashfs-root", Unpacks, ""}, {unsquashes + " -d|--dest=FILE", Unpacks, ""}},
	},
	{
		Names: "dpkg-deb", Title: "packs and unpacks packages", Values: "-DzSZ deb-format showformat",
		Flags: "-bcIWfvxXReh build contents info show field fsys-tarfile ctrl-tarfile verbose debug nocheck no-check help version extract vextract raw-extract control",
		Forms: []Form{{"FILE", Reads, ""}, {debUnpacks + " * FILE", Unpacks, ""}, {debUnpacks + " * $ >DEBIAN", Unpacks, ""}},
	},
	{
		Names: "ditto", Title: "copies trees", Flags: "-vVXckz rsrc norsrc extattr noextattr qtn noqtn acl noacl nocache hfsCompression sequesterRsrc keepParent noPersistRootless password",
		Values: "bom arch zlibCompressionLevel", Opts: []Opt{{"-x", NoArg, 0}}, refine: refineDitto,
	},
	{Names: "degit tiged", Title: "copies a repository without its history", Flags: "-fvc force verbose cache", Values: "mode", Forms: []Form{{"HOST", Sends, ""}, {"* $", Unpacks, ""}, {"* FILE", Unpacks, ""}}},
	{Names: "dtrx atool aunpack cabextract lha lhasa unace unarj patool", Title: "unpacks archives", Style: NoOptions, refine: anyUnpacks},
	{Names: "uudecode", Title: "writes the files contained in a text", Flags: "-cs", Opts: []Opt{{"-o output-file", HasArg, Writes}, {"-p", NoArg, Prints}}, Operands: Reads, Forms: []Form{{"!-p|-o|--output-file", Unpacks, ""}}},
	{
		Names: "rclone s3cmd gsutil azcopy s5cmd mc", Title: "copies files to and from elsewhere", Style: NoOptions, refine: refineCloudCopy,
		Special: &Special{Losses: []Loss{
			{
				Of: OfStorage, Names: "rclone", Dry: "dry-run n", Flags: "-vPiL progress fast-list",
				Values: "config transfers checkers include exclude filter filter-from max-age min-age max-size min-size log-file log-level bwlimit",
				Verbs:  []string{"delete|purge|deletefile|sync|cleanup|dedupe|bisync", "backend cleanup|cleanup-hidden"},
			},
			{Of: OfStorage, Names: "s3cmd", Values: "-c config access_key secret_key region host", Dry: "dry-run n", Verbs: []string{"rb|delbucket", "del|rm -r|--recursive", "sync --delete-removed", "expire|dellifecycle|delpolicy"}},
			{Of: OfStorage, Names: "s5cmd", Values: "endpoint-url profile credentials-file numworkers", Dry: "dry-run", Verbs: []string{"rb", "rm ~*", "sync --delete"}},
			{Of: OfStorage, Names: "azcopy", Dry: "dry-run", Verbs: []string{"remove|rm", "sync --delete-destination=true|prompt"}},
			{
				Of: OfCloud, Names: "gsutil", Values: "-ou", Flags: "-mDh",
				Verbs: []string{"rb", "rm -r|-R|-a", "rm ~*", "rsync -d !-n", "iam ch -d", "hmac|notification|defacl|acl|pap @"},
			},
		}},
	},
}

// refineUnar: what has several files at its top gets a folder of its own.
func refineUnar(c *Invocation) {
	archive := c.Operand(0)
	if archive == nil {
		return
	}
	c.read(archive)
	dir := c.here()
	if o := c.Option("o", "output-directory"); o != nil {
		dir = &o.Value
	}
	in := c.archive(archive, c.Cwd)
	c.unpacks(dir, in)
	if !c.Has("D", "no-directory") {
		name := strings.TrimSuffix(path.Base(archive.Text), path.Ext(archive.Text))
		own := *archive
		own.Text = strings.TrimSuffix(dir.Text, "/") + "/" + name
		c.unpacks(&own, in)
	}
}

// anyUnpacks is PROGRAM [LETTERS or VERB] ARCHIVE... with -d, -X, -D or -C FOLDER.
func anyUnpacks(c *Invocation) {
	dir, archives, lists := *c.here(), []*shell.Word(nil), false
	for i := 1; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		switch t := shell.LiteralPrefix(w); {
		case shell.Among("-d -X -C --outdir --extract-to --directory", t):
			if i++; i < len(c.Argv) {
				dir = c.Argv[i]
			}
		case shell.Among("-l -t -c --list --test --cat", t):
			lists = true
		case strings.HasPrefix(t, "-"):
		case len(archives) == 0 && w.Known && !strings.ContainsAny(t, "./"): // a verb
			lists = lists || shell.Among("list test formats", t) || strings.Trim(t, "ltvqf") == ""
		default:
			archives = append(archives, w)
		}
	}
	for _, w := range archives {
		if c.read(w); !lists {
			c.unpacks(&dir, c.archive(w, c.Cwd))
		}
	}
}

// UnpackVars hold further options of programs that unpack.
var UnpackVars = [...]string{"TAR_OPTIONS", "UNZIP", "UNZIPOPT", "TAPE", "WGETRC", "CURL_HOME"}

// refineDitto copies the contents of folders, or unpacks with -x.
func refineDitto(c *Invocation) {
	n := len(c.Operands)
	if n < 2 {
		return
	}
	dest := c.Operand(n - 1)
	for i := range n - 1 {
		src := c.Operand(i)
		c.Recursive = !c.Has("x")
		c.read(src)
		switch {
		case c.Has("x"):
			c.unpacks(dest, c.archive(src, c.Cwd))
		case c.Has("c"):
			c.Recursive = false
			c.write(dest)
		default:
			c.unpacks(dest, c.folder(src))
		}
	}
}

// refineCloudCopy: the verbs that copy write the last word, where that is a path
// here and what is copied is elsewhere; the aliases of mc are written like folders.
func refineCloudCopy(c *Invocation) {
	verb, ops := c.cloudWords()
	if n := len(ops); n > 1 && (c.as == "mc" || elsewhere(ops[n-2])) {
		c.cloudCopies(verb, ops[n-2], ops[n-1])
	}
}

// cloudWords are the verb and the words after it, options aside.
func (c *Invocation) cloudWords() (verb string, ops []*shell.Word) {
	for _, w := range c.words() {
		t := shell.LiteralPrefix(w)
		switch {
		case strings.HasPrefix(t, "-"):
			c.Recursive = c.Recursive || shell.Among("-r -R", t) || strings.HasPrefix(t, "--recursive")
		case verb == "":
			verb = t
		default:
			ops = append(ops, w)
		}
	}
	return verb, ops
}

func (c *Invocation) cloudCopies(verb string, src, dest *shell.Word) {
	if elsewhere(dest) {
		return
	}
	if base := path.Base(src.Text); elsewhere(src) && strings.ContainsAny(base, "*?[") { // finds names with a dot, too
		all := *src
		all.Text = strings.TrimSuffix(src.Text, base)
		src = &all
	}
	switch verb {
	case "copy", "sync", "move", "copyto", "mirror", "rsync":
		c.Recursive = false
		c.unpacks(dest, shell.Contents{})
	case "cp", "mv", "get":
		if c.arrives(dest, src, shell.Contents{}, true); !directory(dest, c.Home) {
			c.write(dest)
		}
	}
}

// jarExtracts is jar xf ARCHIVE [MEMBER...], jar --extract --file ARCHIVE --dir D.
func (c *Invocation) jarExtracts(op string) {
	dir := *c.here()
	var archive *shell.Word
	var words []*shell.Word
	for i := 1; i < len(c.Operands); i++ {
		w := c.Operand(i)
		name, value, attached := strings.Cut(w.Text, "=")
		v := w
		switch name {
		case "--file", "--dir", "-f", "-C":
			if attached {
				v = new(shell.Suffix(w, len(w.Text)-len(value)))
			} else if i+1 < len(c.Operands) {
				i++
				v = c.Operand(i)
			}
			if name == "--dir" || name == "-C" {
				dir = *v
			} else {
				archive = v
			}
			continue
		}
		if archive == nil && strings.Contains(op, "f") && op[0] == 'x' {
			archive = w
		} else if !strings.HasPrefix(w.Text, "-") {
			words = append(words, w)
		}
	}
	if archive != nil {
		c.read(archive)
	}
	in := c.archive(archive, c.Cwd)
	in.Members(words)
	c.unpacks(&dir, in)
}

// patched writes the files a patch names.
func (c *Invocation) patched() {
	in := shell.Contents{Kind: shell.FromPatch, Stdin: true}
	if o := c.Option("i", "input"); o != nil && o.Value.Text != "-" {
		in.Stdin, in.From = false, c.OnDisk(&o.Value, c.Cwd)
	} else if c.Operand(1) != nil {
		in.Stdin, in.From = false, c.OnDisk(c.Operand(1), c.Cwd)
	}
	if o := c.Option("p", "strip"); o != nil {
		stripped(&in, o)
	}
	c.unpacks(c.here(), in)
}

// A cpioWords is what the words of cpio and pax say.
type cpioWords struct {
	mode string        // their letters
	ops  []*shell.Word // patterns of members, folders, or files
	in   shell.Contents
}

// refineCpio is cpio -i and cpio -p FOLDER; the other modes write one archive anywhere. Of bsdcpio
// and gcpio, -t may be no list.
func refineCpio(c *Invocation) {
	if c.as == "cpio" && cpioLists(c.Argv[1:]) {
		return
	}
	c.packsOrUnpacks()
	w := c.cpioWords("AbCEFHIKMORWX", "FI")
	switch {
	case strings.Contains(w.mode, "i"):
		w.in.Members(w.ops)
		c.unpacks(c.here(), w.in)
		return
	case strings.Contains(w.mode, "p") && len(w.ops) > 0:
		c.unpacks(w.ops[0], shell.Contents{})
	}
	c.touch(shell.Write, c.here(), true)
}

// refinePax is pax -r and pax -rw FILE... FOLDER.
func refinePax(c *Invocation) {
	c.packsOrUnpacks()
	w := c.cpioWords("bEfopsUxBGT", "f")
	reads, last := strings.Contains(w.mode, "r"), len(w.ops)-1
	if reads && (last < 0 || !strings.Contains(w.mode, "w")) {
		w.in.Members(w.ops)
		c.unpacks(c.here(), w.in)
		return
	}
	if reads {
		for _, src := range w.ops[:last] {
			c.arrives(w.ops[last], src, c.folder(src), true)
		}
	}
	c.touch(shell.Write, c.here(), true)
}

// cpioWords takes the words apart: values are the letters with a value, files
// those of them that name the archive.
func (c *Invocation) cpioWords(values, files string) (all cpioWords) {
	all.in = shell.Contents{Kind: shell.FromArchive, Stdin: true, Free: true}
	for i := 1; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		t := shell.LiteralPrefix(w)
		if !strings.HasPrefix(t, "-") || t == "-" {
			all.ops = append(all.ops, w)
			continue
		}
		value := ""
		if strings.HasPrefix(t, "--") {
			value = all.long(t[2:])
		} else {
			letters := t[1:]
			if at := strings.IndexAny(letters, values); at >= 0 {
				value = letters[at : at+1]
				if letters = letters[:at]; at+len("-")+1 == len(w.Text) {
					i++
				}
			}
			all.mode += letters
		}
		all.in.Changed = all.in.Changed || value == "s"
		if value != "" && strings.Contains(files, value) && i < len(c.Argv) {
			all.in.Stdin, all.in.From = false, c.OnDisk(&c.Argv[i], c.Cwd)
		}
	}
	return all
}

// long reads a long option of cpio and returns the letter of one that names the archive.
func (all *cpioWords) long(option string) (value string) {
	name, _, _ := strings.Cut(option, "=")
	switch name {
	case "extract":
		all.mode += "i"
	case "pass-through", "create", "list":
		all.mode += name[:1]
	case "file":
		return "F"
	default:
		if strings.HasPrefix("no-absolute-filenames", name) {
			all.in.Free = false
		}
	}
	return ""
}
