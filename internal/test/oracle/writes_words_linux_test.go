package oracle

// ddWords makes dd's operands.
func ddWords(m *lineMaker) []string {
	var out []string
	for range 1 + m.r.IntN(5) {
		out = append(out, m.pick("if="+m.value("E"), "of="+m.value("X"), "of="+m.value("N"), "bs=4", "count=2", "count=0", "seek=1",
			"skip=1", "conv=notrunc", "conv=excl", "conv=ucase,nocreat",
			"oflag=append", "status=none", "iflag=fullblock", "conv=fsync,notrunc", "ibs=1", "obs=3", "bs=1K", "of=", "if=/dev/zero",
			"conv=sparse", "oflag=direct,nofollow", "--", "of=/dev/null", "x", "of=-"))
	}
	return out
}

// findWords makes find's leading options, paths and expression.
func findWords(m *lineMaker) []string {
	var out []string
	if m.one(4) {
		out = append(out, m.pick("-L", "-P", "-H", "-O2", "-D", "-L"))
	}
	for range m.r.IntN(3) {
		out = append(out, m.value(m.pick("D", "D", "X")))
	}
	for range 1 + m.r.IntN(4) {
		switch m.r.IntN(6) {
		case 0:
			out = append(out, m.pick("-name", "-path", "-iname", "-regex", "-lname", "-wholename"), m.value("P"))
		case 1:
			out = append(out, m.pick("-type f", "-type d", "-empty", "-mindepth 1", "-maxdepth 1", "-size 0", "-newer a", "-links 1",
				"-perm 644", "-readable", "-depth", "-xdev", "-true", "-false", "-o", "!", "-prune", "-quit", "-daystart", "-nouser",
				"-follow", "-samefile a", "-mtime +1", "-newermt 2019-01-01", "-ignore_readdir_race"))
		case 2:
			out = append(out, m.pick("-delete", "-fprint", "-fls", "-fprint0", "-fprintf", "-delete", "-print", "-ls", "-print0"))
			switch out[len(out)-1] {
			case "-fprint", "-fls", "-fprint0":
				out = append(out, m.value("X"))
			case "-fprintf":
				out = append(out, m.value("X"), "%p\\n")
			}
		case 3:
			cmd := m.pick("rm {}", "touch {}x", "cat {}", "cp {} dir2", "true", "rm -r {}", "echo {} {}", "mv {} new", "touch made")
			out = append(out, m.pick("-exec", "-execdir", "-exec", "-ok"))
			out = append(out, fields(cmd)...)
			out = append(out, m.pick(";", ";", "+"))
			continue
		case 4:
			out = append(out, m.pick("(", ")", ",", "-a", "-not", "-printf", "-and"))
			if out[len(out)-1] == "-printf" {
				out = append(out, "%p %s\\n")
			}
		}
		if last := len(out) - 1; last >= 0 && len(out[last]) > 1 && out[last][0] == '-' {
			out = append(out[:last], fields(out[last])...)
		}
	}
	return out
}

// fields is strings.Fields for words the generator made.
func fields(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		k := i
		for k < len(s) && s[k] != ' ' {
			k++
		}
		if k > i {
			out = append(out, s[i:k])
		}
		i = k + 1
	}
	return out
}

// sedScript makes a script of one to three commands.
func sedScript(m *lineMaker) string {
	s := ""
	for n := 1 + m.r.IntN(3); n > 0; n-- {
		s += m.pick("", "", "1", "$", "/alpha/", "1,2", "2!", "/a/,/b/", "1~2", "0,/x/", "\\,a,", "/[/]/", "1,+1", "/a/I")
		s += m.pick("p", "d", "s/a/b/", "s/a/b/g", "s/alpha/x/w "+m.value("X"), "w "+m.value("X"), "W "+m.value("N"),
			"s,a,/,gw "+m.value("N"), "w"+m.value("N"), "e touch ran", "s/.*/touch ran/e", "e", "r a", "R b",
			"q", "Q1", "y/abc/def/", "n", "N;P;D", "h;G", "x", "l", "l 5", "=", "a\\\ntext", "a text", "i\\text", "c w out", "{p;d}",
			"{w "+m.value("N")+"\n}", "b", "t", ":x", "bx", "z", "F", "s/a/b/m;s/w/x/2p", "s/[/w x]/y/", "s|a|w x|", "s/a\\/w x/b/",
			"s/a/b\\\nw x/", "{s/a/b/w "+m.value("N")+"\n}", "w /dev/stdout", "w /dev/stderr", "s/a/b/w /dev/stdout", "}", "{", "#n w x",
			"s/a/b/3gw "+m.value("N"), "r "+m.value("E")+"\nw "+m.value("N"), "v 4.2", "s/x/y/pw "+m.value("N"),
			"s/a/b/ew"+m.value("N"))
		s += m.pick(";", "\n", "", " ; ", ";;", " # w c\n")
	}
	return s
}

func sedWords(m *lineMaker) []string {
	var out []string
	script := false
	for range m.r.IntN(4) {
		switch m.r.IntN(7) {
		case 0:
			out = append(out, m.pick("-i", "-i.bak", "--in-place", "--in-place=.orig", "-ibak/*", "-i*~", "-idir2/*", "-ni", "-Ei", "-si.x",
				"--in-pl=_*", "-i/w/sub/*"))
		case 1:
			out, script = append(out, m.pick("-e", "--expression", "-ne", "-se"), sedScript(m)), true
		case 2:
			out, script = append(out, m.pick("-e"+sedScript(m), "--expression="+sedScript(m), "--expr="+sedScript(m), "-f"+m.pick("p.sed",
				"a"), "--file=p.sed")), true
		case 3:
			out = append(out, m.pick("-n", "-E", "-r", "-s", "-z", "-u", "--posix", "--debug", "--quiet", "--sandbox", "--follow-symlinks",
				"-l5", "-l", "-b", "--null-data", "--line-length=3", "--separate"))
			if out[len(out)-1] == "-l" {
				out = append(out, "7")
			}
		case 4:
			out = append(out, m.pick("--zzz", "-x", "-nz"))
		}
	}
	if !script && !m.one(12) {
		out = append(out, sedScript(m))
	}
	for range m.r.IntN(3) {
		out = append(out, m.value(m.pick("E", "E", "X")))
	}
	if m.one(6) {
		out = append(out, m.pick("-i", "-n", "-i.b", "-s"))
	}
	return out
}

// awkProgram makes an awk program.
func awkProgram(m *lineMaker) string {
	name := func() string { return `"` + m.value(m.pick("N", "X")) + `"` }
	s := m.pick("", "", "BEGIN", "END", "NR==1", "/alpha/", "$1 > 2", "!x[$0]++", "/a/,/b/", "$1 ~ /a>b/", "NR>1 && $2 > 1", "(1 > 0)")
	s += "{ " + m.pick("print", "print $1", "print $1, $2", "print > "+name(), "print $1 >> "+name(), "printf \"%s\\n\", $1 > "+name(),
		"print $1 > $2", "print \"x\" > \"o\" NR", "print | \"cat\"", "print \"touch ran\" | \"sh\"", "system(\"touch ran\")",
		"\"date\" | getline d", "getline < \"a\"", "getline x < "+name(), "while ((getline l < \"b\") > 0) n++", "print ($1 > 2)",
		"print $1 > ("+name()+")", "x = $1 > 2; print x", "print > FILENAME \".o\"", "print \"a > b\"", "print /x>y/",
		"f = "+name()+"; print > f", "printf(\"%s\", $1) > "+name(), "print(1)(2) > "+name(), "if ($1 > 2) print", "close(\"a\")",
		"print $1 > \"/dev/stderr\"", "print > \"/dev/stdout\"", "print 1, 2 > "+name()+" \".x\"", "print; print > "+name(),
		"for (i in a) print i > "+name(), "next", "sub(/a/, \"b\"); print", "print -1 \" \" > "+name(), "x[1] > 2", "print a, b > c",
		"print $1 # > "+name(), "print length > "+name(), "printf \"a\" \"b\" > "+name(), "return_ = 1 > 2", "print (1)>"+name(),
		"print>"+name(), "print\\\n > "+name())
	s += m.pick(" }", "; print }", "\n}", ";}", " } END { print NR > \"end\" }", " }")
	return s
}

func awkWords(m *lineMaker) []string {
	var out []string
	for range m.r.IntN(3) {
		switch m.r.IntN(5) {
		case 0:
			out = append(out, m.pick("-F:", "-F"), m.pick(":", "x"))
		case 1:
			out = append(out, "-v", "x="+m.value("T"))
		case 2:
			out = append(out, m.pick("-vq=1", "-Wversion", "--", "-Wdump", "-Winteractive", "--posix", "-x", "-W", "-We", "-i", "--dump=x",
				"--version"))
		}
	}
	if m.one(8) {
		out = append(out, m.pick("-fp.awk", "-f"), "p.awk")
	} else {
		out = append(out, awkProgram(m))
	}
	for range m.r.IntN(3) {
		out = append(out, m.pick(m.value("E"), m.value("E"), m.value("X"), "y=2", "FS=,", "--", "-v"))
	}
	return out
}

func tarWords(m *lineMaker) []string {
	mode := m.pick("c", "x", "t", "r", "u", "d", "A", "x", "c", "x", "--delete", "--create", "--extract", "--get", "--list", "--append",
		"--update", "--diff", "--test-label", "--catenate")
	archive := m.value("A")
	if mode == "c" {
		archive = m.pick("new.tar", "dir2/n.tgz", "a", "-", "t.tar", "sub/new.tar", "/w/n.tar")
	}
	letters := m.pick("", "v", "z", "j", "J", "k", "p", "m", "O", "P", "U", "S", "h", "w", "W", "a", "B", "G", "l", "n", "o", "s", "R", "vz", "ik")
	var out []string
	switch {
	case len(mode) > 1:
		out = []string{mode, m.pick("-f", "--file"), archive}
		if letters != "" {
			out = append(out, "-"+letters)
		}
	case m.one(3):
		out = []string{mode + letters + "f", archive}
	case m.one(3):
		out = []string{mode + "f" + letters, archive}
	case m.one(6):
		out = []string{mode + letters}
	case m.one(5):
		out = []string{m.pick("f"+mode+letters, mode+"fC", mode+"Cf"), archive, m.value("D")}
	default:
		out = []string{"-" + mode + letters + "f", archive}
	}
	for range m.r.IntN(3) {
		switch m.r.IntN(6) {
		case 0:
			out = append(out, m.pick("-C", "--directory", "--cd"), m.value("D"))
		case 1:
			out = append(out, "--directory="+m.value("D"))
		case 2:
			out = append(out, m.pick("--remove-files", "--strip-components=1", "--transform=s/in/out/", "--xform=s,in,/w/sub/x,",
				"--exclude=two", "--overwrite", "--keep-old-files", "--backup", "--backup=numbered", "--suffix=.o", "--one-top-level",
				"--one-top-level=dir2", "--one-top-level=/w/new", "--checkpoint=1", "--checkpoint-action=exec=touch ran",
				"--checkpoint-action=echo", "--to-command=cat",
				"--use-compress-program=./tool", "--listed-incremental=snap", "-gsnap", "--index-file=idx", "-v", "--no-recursion",
				"--null", "--files-from=list", "--volno-file=vol", "--recursive-unlink", "--unlink-first", "--keep-newer-files",
				"--no-overwrite-dir", "--atime-preserve", "--atime-preserve=system", "--absolute-names", "--verify",
				"--warning=no-timestamp", "--totals", "--totals=USR1", "--clamp-mtime", "--mtime=2001-01-01", "--mode=600", "--owner=0",
				"--sort=name", "--multi-volume", "-L1", "--tape-length=1", "--info-script=./tool", "--exclude-vcs", "--wildcards",
				"--full-time", "--skip-old-files", "--add-file=a", "--exclude-backups", "--format=ustar", "--label=x", "--sparse", "-I",
				"--level=0", "--ignore-failed-read", "--pax-option=x"))
			if out[len(out)-1] == "-I" {
				out = append(out, m.pick("gzip", "./tool"))
			}
		case 3:
			out = append(out, m.helpWords()...)
		}
	}
	for range m.r.IntN(3) {
		out = append(out, m.pick(m.value("X"), m.value("E"), m.value("D"), "in", "in/one", "a"))
	}
	return out
}

// helpWords is one option of the help, known to the tables or not; it is left out when it is not.
func (m *lineMaker) helpWords() []string {
	if len(m.help) == 0 {
		return nil
	}
	h := m.help[m.r.IntN(len(m.help))]
	name := h.long
	if name == "" {
		name = h.short
	}
	if _, ok := find(m.known, name); !ok {
		return nil
	}
	return m.spell(name, h.arg, h.meta)
}

func cpioWords(m *lineMaker) []string {
	out := []string{m.pick("-o", "-i", "-p", "-t", "-it", "--create", "--extract", "--pass-through", "-idm", "-pd")}
	for range m.r.IntN(3) {
		out = append(out, m.pick("-d", "-u", "-v", "-m", "-F", "-O", "-I", "--file=new.cpio", "--make-directories", "-H", "-0", "-l",
			"--no-absolute-filenames", "-D"))
		switch out[len(out)-1] {
		case "-F", "-O", "-I":
			out = append(out, m.value("X"))
		case "-H":
			out = append(out, m.pick("newc", "ustar", "tar"))
		case "-D":
			out = append(out, m.value("D"))
		}
	}
	if m.one(2) {
		out = append(out, m.value("D"))
	}
	return out
}

func arWords(m *lineMaker) []string {
	out := []string{m.pick("", "-", "") + m.pick("r", "rc", "t", "x", "d", "p", "q", "m", "s", "tv", "rcs", "rvu", "xo", "qT", "rcD", "tO",
		"xN", "ra", "mb", "rS", "dv", "rcsT", "xv", "sU")}
	if m.one(4) {
		out = append(out, m.pick("--output=dir2", "--output", "--plugin=x", "--target=elf64-x86-64", "--thin", "--record-libdeps=x", "-X32_64"))
		if out[len(out)-1] == "--output" {
			out = append(out, "dir2")
		}
	}
	out = append(out, m.pick("l.a", "new.a", "a", "l.a"))
	for range m.r.IntN(3) {
		out = append(out, m.value("E"))
	}
	return out
}

func zipWords(m *lineMaker) []string {
	var out []string
	for range m.r.IntN(4) {
		out = append(out, m.pick("-r", "-m", "-j", "-q", "-u", "-f", "-d", "-9", "-T", "-D", "-y", "-o", "-A", "-F", "-FF", "-FS", "-x",
			"-i", "-b", "-O", "-P", "-e", "-g", "-@", "-l", "-n", "-s", "-lf", "--out", "--output-file=o2.zip", "--move", "--recurse-paths",
			"--test", "-TT", "--copy", "-U", "-sf", "-la", "--log-file-path=lg", "-X", "-v", "-t", "-tt", "-sp", "-rm", "-mT", "-R",
			"--delete", "--unzip-command", "-J", "-c", "-z", "-0", "-rj", "-b."))
		switch out[len(out)-1] {
		case "-O", "--out":
			out = append(out, m.value("N"))
		case "-lf":
			out = append(out, m.pick("lg", "sub/lg"))
		case "-b":
			out = append(out, m.value("D"))
		case "-P", "-n", "-x", "-i":
			out = append(out, m.value("P"))
		case "-s":
			out = append(out, "64k")
		case "-t", "-tt":
			out = append(out, "01012019")
		case "-TT", "--unzip-command":
			out = append(out, "./tool")
		}
	}
	out = append(out, m.pick("z.zip", "new.zip", "n", "z", "sub/n.zip", "-", "link"))
	for range m.r.IntN(4) {
		out = append(out, m.value(m.pick("X", "E", "D", "a")))
	}
	return out
}

func unzipWords(m *lineMaker) []string {
	var out []string
	for range m.r.IntN(3) {
		out = append(out, m.pick("-o", "-l", "-t", "-p", "-c", "-n", "-j", "-q", "-v", "-z", "-Z", "-Z1", "-f", "-u", "-a", "-B", "-C",
			"-L", "-K", "-X", "-:", "-d", "-x", "-P", "-T", "-D", "-ddir2", "-oq", "-b", "-qd", "-M", "-h", "-O", "-I", "-oj", "-s", "-V",
			"-W", "-^", "-TT"))
		switch out[len(out)-1] {
		case "-d", "-qd":
			out = append(out, m.value("D"))
		case "-P":
			out = append(out, "pw")
		case "-O", "-I":
			out = append(out, "latin1")
		}
	}
	out = append(out, m.pick("z.zip", "z", "./z.zip", "a", "new.zip", "/w/z.zip"))
	for range m.r.IntN(3) {
		out = append(out, m.pick("zin/one", "a", "-d", "*", "-x", "zin/*", "-ddir3"))
		if out[len(out)-1] == "-d" {
			out = append(out, m.value("D"))
		}
	}
	return out
}
