package oracle

import "strings"

// A program is one that is run in the cage.
type program struct {
	name     string
	operands []string          // forms of operands: words of kinds, see lineMaker.value
	values   map[string]string // kinds of the values of options the help says too little about
	stdin    []string          // further files for standard input
	runs     []string          // programs it runs as a part of itself
	avoid    string            // options not tried: they wait
	bare     bool              // words makes the options as well
	words    func(m *lineMaker) []string
}

var (
	reading = []string{"E", "E E", "F", "", "-", "F F", "E F E"}
)

// writers are the programs the write oracle runs.
var writers = []program{
	{name: "cp", operands: []string{"E N", "E D", "F X", "E E D", "D N", "D D", "X X", "E E", "sub dir2", "a b", "link new"}},
	{name: "mv", operands: []string{"E N", "E D", "F X", "E E D", "D N", "D D", "X X", "E E", "sub dir2", "a b"}},
	{name: "ln", operands: []string{"E N", "E D", "F X", "E E D", "X X", "E E", "sub/s", "../w/a", "a b"}},
	{name: "link", operands: []string{"E N", "X X", "E E"}},
	{name: "install", operands: []string{"E N", "E D", "F X", "E E D", "X X", "E E", "N", "N N", "new/x/y"}, values: map[string]string{"o": "64999", "owner": "64999", "g": "64999", "group": "64999", "strip-program": "./tool"}, runs: []string{"strip"}},
	{name: "rm", operands: []string{"E", "F", "D", "X X", "E N E", "sub dir2", "dir3", "link"}, values: map[string]string{"interactive": "never once always"}},
	{name: "unlink", operands: []string{"E", "X", "X X"}},
	{name: "rmdir", operands: []string{"dir3", "D", "D D", "sub/deep", "X", "d e", "new/.."}},
	{name: "mkdir", operands: []string{"N", "N N", "new/x/y", "dirlink/q/r", "X", "dir3/../n"}, values: map[string]string{"m": "M 700", "mode": "M"}},
	{name: "mkfifo", operands: []string{"N", "N N", "X"}},
	{name: "mknod", operands: []string{"N p", "X p", "N c 1 3"}},
	{name: "touch", operands: []string{"E", "N", "X X", "D", "F"}, values: map[string]string{"d": "2001-01-01 @0", "date": "2001-01-01 yesterday", "t": "200101010101", "time": "atime modify"}},
	{name: "truncate", operands: []string{"E", "N", "X X", "D", "E N"}, values: map[string]string{"s": "0 10 +3 -1 %4 >20", "size": "0 10 1K"}},
	{name: "tee", operands: []string{"N", "E", "X X", "", "N -", "-"}},
	{name: "shred", operands: []string{"E", "E E", "X", "N"}, values: map[string]string{"n": "1 0 2", "iterations": "1", "s": "10 1K", "remove": "unlink wipe wipesync", "random-source": "a /dev/zero"}},
	{name: "dd", bare: true, words: ddWords},
	{name: "split", operands: []string{"E", "E N", "E out", "- out", "", "E sub/out", "E dir2/", "F"}, values: map[string]string{"l": "1 2 3", "lines": "2", "b": "5 10", "bytes": "7", "C": "10", "n": "2 l/2 r/3", "number": "3 2/3 l/1/2", "filter": "cat touch", "a": "1 2 3", "t": ":", "additional-suffix": ".txt x", "numeric-suffixes": "1 0"}},
	{name: "csplit", operands: []string{"E 2", "E 2 4", "c.txt /two/", "c.txt /t/ {*}", "- 3", "a %gamma%", "F 1"}, values: map[string]string{"f": "out sub/o dir2/p", "prefix": "out dir2/", "b": "%03d.txt %d", "suffix-format": "%02x", "n": "1 3"}},
	{name: "sort", operands: reading, values: map[string]string{"S": "1K 1M", "T": "dir2 /tmp", "o": "X N -", "output": "X N -", "files0-from": "list0 a", "compress-program": "gzip ./tool", "k": "1 2n 1,2"}},
	{name: "uniq", operands: []string{"E", "E N", "F X", "- N", "", "E E", "X X X"}},
	{name: "shuf", operands: append([]string{"-e a b c"}, reading...), values: map[string]string{"o": "X N -", "output": "X N -", "i": "1-5", "input-range": "2-9", "random-source": "a"}},
	{name: "cut", operands: reading, values: map[string]string{"f": "1 2-", "b": "1-3", "c": "2", "d": ": x"}},
	{name: "paste", operands: reading},
	{name: "join", operands: []string{"a b", "E E", "F F", "- E", "E -"}},
	{name: "comm", operands: []string{"a b", "E E", "F F", "- E"}},
	{name: "tr", operands: []string{"a b", "a-z A-Z", "a", "P T", "X X X"}},
	{name: "head", operands: reading}, {name: "tail", operands: reading, avoid: "f F follow", values: map[string]string{"pid": "1", "s": "1"}},
	{name: "cat", operands: reading}, {name: "tac", operands: reading}, {name: "nl", operands: reading}, {name: "od", operands: reading, values: map[string]string{"t": "x1 c", "A": "x n"}},
	{name: "fold", operands: reading}, {name: "fmt", operands: reading}, {name: "expand", operands: reading}, {name: "unexpand", operands: reading},
	{name: "wc", operands: reading, values: map[string]string{"files0-from": "list0 a"}}, {name: "cksum", operands: reading, values: map[string]string{"a": "md5 sha256 crc", "algorithm": "sha1 bsd"}},
	{name: "sum", operands: reading}, {name: "md5sum", operands: append([]string{"sums"}, reading...)}, {name: "sha1sum", operands: reading}, {name: "sha256sum", operands: append([]string{"sums"}, reading...)}, {name: "b2sum", operands: reading},
	{name: "base64", operands: append([]string{"b64"}, reading...)}, {name: "base32", operands: reading}, {name: "basenc", operands: reading},
	{name: "ls", operands: []string{"", "X", "D", "X X"}}, {name: "dir", operands: []string{"", "X", "D"}}, {name: "vdir", operands: []string{"", "X", "D"}},
	{name: "stat", operands: []string{"X", "X X", "D"}}, {name: "du", operands: []string{"", "D", "X X"}, values: map[string]string{"files0-from": "list0"}}, {name: "df", operands: []string{"", "D", "X"}},
	{name: "readlink", operands: []string{"X", "link", "X X"}}, {name: "realpath", operands: []string{"X", "X X", "D"}},
	{name: "mktemp", operands: []string{"", "x.XXX", "sub/x.XXXX", "/w/XXXXXX", "dir2/a.XXXXs"}, values: map[string]string{"p": "sub dir2 /w", "tmpdir": "sub /w/dir2 .", "suffix": ".txt x"}},
	{name: "chmod", operands: []string{"M E", "M D", "M X X", "E", "M,M E", "u+x D", "-w E", "-rwx E"}, values: map[string]string{"reference": "E"}},
	{name: "chown", operands: []string{"O E", "O D", "O X X", "E"}, values: map[string]string{"reference": "E", "from": "O"}},
	{name: "chgrp", operands: []string{"64999 E", "64999 D", "64999 X X", "E"}, values: map[string]string{"reference": "E"}},
	{name: "sync", operands: []string{"", "E", "D", "X X"}}, {name: "tsort", operands: []string{"pairs", "E", "", "X"}},
	{name: "ptx", operands: []string{"E", "E N", "E E", "", "F X"}, values: map[string]string{"o": "list", "i": "list", "b": "a", "W": "P"}},
	{name: "pr", operands: reading}, {name: "factor", operands: []string{"12", "# #", ""}}, {name: "seq", operands: []string{"3", "1 4", "1 2 9", "X"}}, {name: "numfmt", operands: []string{"1000", "1K", ""}},
	{name: "printf", operands: []string{"T", "%s\\n T", "X X", "%d 3", "P P P"}}, {name: "echo", operands: []string{"T", "X X", "> a", "P", "X P T"}}, {name: "test", operands: []string{"-f X", "X = X", "X -nt X", "X", "# -lt #", "! -e X", "-w X -a -d X"}}, {name: "expr", operands: []string{"# + #", "X : P", "length T", "# * #", "X = X", "substr T # #"}},
	{name: "basename", operands: []string{"X", "X .txt", "X X"}}, {name: "dirname", operands: []string{"X", "X X"}}, {name: "pathchk", operands: []string{"X", "X X"}}, {name: "nproc", operands: []string{"", "X"}, values: map[string]string{"ignore": "# T X"}},
	{name: "dircolors", operands: []string{"", "E", "X"}},
	{name: "find", bare: true, words: findWords}, {name: "grep", operands: []string{"P E", "P E E", "P D", "P", "P X", "-e P E", "E"}, values: map[string]string{"f": "E", "file": "list"}},
	{name: "egrep", operands: []string{"P E", "P E E", "P X"}, runs: []string{"grep"}}, {name: "fgrep", operands: []string{"P E", "P E E", "P X"}, runs: []string{"grep"}}, {name: "zgrep", operands: []string{"P Z", "P E"}, runs: zscripts},
	{name: "sed", bare: true, words: sedWords}, {name: "awk", bare: true, words: awkWords}, {name: "mawk", bare: true, words: awkWords}, {name: "gawk", bare: true, words: awkWords},
	{name: "gzip", operands: []string{"Z", "E", "Z Z", "D", "X", ""}, values: map[string]string{"S": ".bak x .gz"}}, {name: "gunzip", operands: []string{"Z", "Z Z", "m.gz", "D", "m"}, runs: zscripts},
	{name: "bzip2", operands: []string{"Z", "E", "Z Z", "m.bz2", "X", ""}}, {name: "bunzip2", operands: []string{"Z", "m.bz2", "Z Z", "b"}}, {name: "xz", operands: []string{"Z", "E", "Z Z", "m.xz", "X", ""}, values: map[string]string{"S": ".bak x", "files": "list", "files0": "list0", "format": "xz lzma alone raw", "F": "lzma", "T": "1"}},
	{name: "unxz", operands: []string{"Z", "m.xz", "m.lzma", "Z Z"}}, {name: "lzma", operands: []string{"Z", "E", "m.lzma"}, values: map[string]string{"S": ".bak"}}, {name: "zstd", operands: []string{"Z", "E", "Z Z", "m.zst", "X", "D", ""}, values: map[string]string{"o": "X N", "D": "E", "T": "1", "output-dir-flat": "D", "output-dir-mirror": "D", "filelist": "list"}},
	{name: "unzstd", operands: []string{"m.zst", "Z", "Z Z"}, values: map[string]string{"o": "X N"}}, {name: "zcat", operands: []string{"Z", "Z Z"}, runs: zscripts}, {name: "bzcat", operands: []string{"Z", "m.bz2"}}, {name: "xzcat", operands: []string{"Z", "m.xz"}},
	{name: "tar", bare: true, words: tarWords, stdin: []string{"t.tar", "t.tgz"}, runs: []string{"sh", "gzip", "bzip2", "xz", "zstd", "lzma", "compress", "lzip", "lzop"}},
	{name: "cpio", bare: true, words: cpioWords, stdin: []string{"list", "list0"}}, {name: "ar", bare: true, words: arWords}, {name: "zip", bare: true, words: zipWords, runs: []string{"sh", "unzip"}}, {name: "unzip", bare: true, words: unzipWords},
	{name: "diff", operands: []string{"a b", "E E", "D D", "E D", "X X", "- E"}, runs: []string{"pr"}}, {name: "cmp", operands: []string{"a b", "E E", "E E # #", "X X", "E"}}, {name: "diff3", operands: []string{"a b c.txt", "E E E", "X X X"}, values: map[string]string{"diff-program": "diff ./tool"}, runs: []string{"diff"}},
	{name: "sdiff", operands: []string{"a b", "E E", "E D"}, values: map[string]string{"o": "N", "output": "N X", "diff-program": "diff ./tool"}, runs: []string{"diff"}},
	{name: "patch", runs: []string{"ed"}, operands: []string{"", "a", "a Q", "E Q", "a x.diff", "X", "new Q"}, stdin: []string{"x.diff", "two.diff", "bad.diff", "x.diff"}, values: map[string]string{"i": "Q", "input": "Q", "o": "N X -", "output": "N", "r": "N - sub/r", "reject-file": "N", "d": "D", "directory": "D", "p": "0 1", "strip": "0", "B": "pre/ old dir2/", "Y": "b. dir2/", "z": ".b", "D": "X", "F": "0 3", "V": "t numbered never", "prefix": "dir2/"}},
	{name: "file", operands: reading, values: map[string]string{"m": "E", "f": "list", "magic-file": "E", "e": "soft", "P": "bytes=10"}},
	{name: "xxd", operands: []string{"E", "E N", "hex N", "-r hex", "-r hex N", "-r -p E X", "- N", "X X", "E E"}}, {name: "hexdump", operands: reading}, {name: "hd", operands: reading}, {name: "column", operands: reading}, {name: "rev", operands: reading},
	{name: "look", operands: []string{"P E", "P", "T X"}}, {name: "col", operands: []string{"", "X"}}, {name: "colrm", operands: []string{"2", "1 3", ""}}, {name: "colcrt", operands: reading}, {name: "ul", operands: reading},
	{name: "jq", operands: []string{". j.json", ".a j.json", ".c E", ".", "T X X", ".a.b[] j.json j.json"}, values: map[string]string{"f": "E", "arg": "x", "slurpfile": "x", "indent": "2", "L": "D"}}, {name: "iconv", operands: reading, values: map[string]string{"f": "latin1 utf8", "t": "utf8 utf16", "o": "N X", "from-code": "latin1", "to-code": "utf8", "output": "N"}},
	{name: "strings", operands: []string{"G", "E", "G X"}}, {name: "nm", operands: []string{"G", "G G"}}, {name: "objdump", operands: []string{"-d G", "-x G", "G"}}, {name: "size", operands: []string{"G", "G X"}}, {name: "readelf", operands: []string{"-a G", "-h G", "G G"}},
	{name: "strip", operands: []string{"G", "o.o", "G G"}, values: map[string]string{"o": "N X"}}, {name: "objcopy", operands: []string{"o.o", "o.o N", "G X", "l.a N"}, values: map[string]string{"dump-section": ".data=dumped", "add-section": "n=a", "split-dwo": "N", "set-section-flags": ".data=alloc", "update-section": ".data=b"}}, {name: "ranlib", operands: []string{"l.a", "G"}},
	{name: "getopt", operands: []string{"ab: -a -b x", "-o ab -- -a", "X X"}}, {name: "namei", operands: []string{"X", "X X"}}, {name: "more", operands: reading, values: map[string]string{"n": "5"}},
	{name: "xargs", operands: []string{"rm", "touch N", "echo", "", "cat", "mv -t dir2", "-I{} cp {} dir2"}, stdin: []string{"list", "list", "list0"}, runs: []string{"echo", "rm", "touch", "cat", "mv", "cp"}, values: map[string]string{"a": "list E", "arg-file": "list", "d": "x", "I": "{}", "P": "1", "E": "b"}},
	{name: "env", operands: []string{"", "A=1", "touch N", "-i touch N", "A=1 rm E", "-u X cat E", "cp E N"}, runs: []string{"touch", "rm", "cat", "cp"}, values: map[string]string{"C": "D", "chdir": "D", "u": "X", "S": "touch"}}, {name: "nohup", operands: []string{"touch N", "cat E", "rm E"}, runs: []string{"touch", "cat", "rm"}}, {name: "timeout", operands: []string{"1 touch N", "2 rm E", "1 cat E"}, runs: []string{"touch", "cat", "rm"}, values: map[string]string{"k": "1", "s": "TERM"}}, {name: "nice", operands: []string{"touch N", "rm E", "-n 5 cp E N"}, runs: []string{"touch", "cp", "rm"}},
	{name: "tree", operands: []string{"", "D", "D D"}, values: map[string]string{"o": "N"}}, {name: "script", operands: []string{"", "N", "E"}, values: map[string]string{"c": "true", "command": "true", "O": "N", "log-out": "N", "I": "N", "T": "N", "B": "N"}, runs: []string{"sh", "bash", "true"}},
	{name: "flock", operands: []string{"N true", "E touch N", "N -c true", "D true"}, runs: []string{"true", "touch", "sh"}},
}

var zscripts = strings.Fields("sh bash dash gzip zcat grep sed cat egrep fgrep rm zgrep mktemp expr")
