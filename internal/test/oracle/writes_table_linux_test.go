package oracle

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// A tableOption is an option as the tables list it.
type tableOption struct {
	name string
	arg  commands.Arg
	does commands.Act
}

// tableOf returns the entry for a program, or nil if none.
func tableOf(name string) *bashsafety.Command {
	for _, c := range bashsafety.Commands() {
		if c.Named(name) {
			return c
		}
	}
	return nil
}

// optionsOf lists the options of an entry one by one.
func optionsOf(c *bashsafety.Command) []tableOption {
	var out []tableOption
	add := func(list string, arg commands.Arg, does commands.Act) {
		for f := range strings.FieldsSeq(list) {
			if letters, ok := strings.CutPrefix(f, "-"); ok {
				for _, l := range letters {
					out = append(out, tableOption{string(l), arg, does})
				}
				continue
			}
			out = append(out, tableOption{f, arg, does})
		}
	}
	add(c.Flags, commands.NoArg, 0)
	add(c.Values, commands.HasArg, 0)
	add(c.OptValues, commands.OptArg, 0)
	for _, o := range c.Opts {
		add(o.Names, o.Arg, o.Does)
	}
	return out
}

// find returns the option of that name.
func find(options []tableOption, name string) (tableOption, bool) {
	i := slices.IndexFunc(options, func(o tableOption) bool { return o.name == name })
	if i < 0 {
		return tableOption{}, false
	}
	return options[i], true
}

// TestTableKnowsHelp compares the option grammars of the tables with what the programs of this machine
// say of themselves. Another arity than the program's shifts the operands, which is a fault; an option that
// the table lacks is only listed, as it makes the command unproven.
func TestTableKnowsHelp(t *testing.T) {
	bin := BuildCage(t)
	ProveCage(t, bin)
	c := StartCage(t, bin)
	programs, options, lacking, excused := 0, 0, 0, map[string]bool{}
	for _, p := range helpful {
		help := helpOf(t, c, p)
		table := tableOf(p)
		if table == nil || len(help) == 0 {
			t.Logf("%s: table %v, %d options in its help", p, table != nil, len(help))
			continue
		}
		programs++
		known := optionsOf(table)
		var missing []string
		for _, h := range help {
			for _, name := range []string{h.short, h.long} {
				if name == "" {
					continue
				}
				options++
				switch o, ok := find(known, name); {
				case !ok:
					missing = append(missing, name+[...]string{"", " VALUE", "[VALUE]"}[h.arg])
				case o.arg == h.arg || len(name) > 1 && o.arg != commands.HasArg && h.arg != commands.HasArg:
				case slices.Contains(misread, p+" "+name):
					excused[p+" "+name] = true
				default:
					t.Errorf("%s: %s takes %s (%s), the table says %s", p, name, arities[h.arg], h.meta, arities[o.arg])
				}
			}
		}
		if lacking += len(missing); len(missing) > 0 {
			t.Logf("%s: the table lacks %s", p, strings.Join(missing, ", "))
		}
	}
	for _, m := range misread {
		if p, _, _ := strings.Cut(m, " "); !excused[m] && len(helpOf(t, c, p)) > 0 {
			t.Logf("%s: agrees here, but is listed as misread", m)
		}
	}
	t.Logf("%d programs, %d options in their help, %d not in the tables", programs, options, lacking)
}

var arities = [...]string{"no value", "a value", "a value only if attached"}

// misread lists where the help does not say what the program does, or the table follows another program of
// that name; each has been looked at.
var misread = []string{
	"ls p", "dir p", "vdir p", "ptx O", "ptx T", // the letter stands for the word with the value shown
	"sort C",           // the same of --check=silent
	"stat f", "stat t", // BSD's take a format
	"column n", // a flag of BSD's
	// a single blank before the description
	"gzip synchronous", "gunzip synchronous", "zcat synchronous", "tar verbatim-files-from", "tar ignore-command-error",
	"tar exclude-caches-under",
	"strings include-all-whitespace", "strings w",
	// # stands for digits in the same word
	"zstd T", "zstd B", "zstd M", "zstd b", "zstd e", "zstd i",
	"zip x",                    // takes words up to the next option
	"file P", "file parameter", // -P name=value, on the next line
	// the value may be attached, what the line of the letter does not say
	"xargs max-lines", "xargs e", "xargs i", "hexdump L", "hd L",
	"strings U", "ul t", "ul T", // three names for one value
	"whereis B", "whereis M", "whereis S", // words up to -f
}

// helpOf runs a program with --help in the cage; nil when it is not installed.
func helpOf(t testing.TB, c *Cage, p string) []helpOption {
	t.Helper()
	r, err := c.Run("/dev/null", p, "--help")
	if err != nil {
		t.Fatal(err)
	}
	if r.Status == 127 {
		return nil
	}
	return parseHelp(c.Output(1 << 17))
}

// helpful are the programs with a --help that can be read.
var helpful = strings.Fields(`cp mv ln install rm rmdir mkdir mkfifo mknod touch truncate tee split csplit sort uniq shuf cut paste join
	comm tr head tail cat tac nl od fold fmt expand unexpand wc cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum
	base64 base32 basenc ls dir vdir stat du df readlink realpath mktemp chmod chown chgrp shred sync tsort ptx pr factor seq numfmt
	link unlink basename dirname pathchk dircolors nproc id who groups uname date tty env nohup timeout nice stdbuf
	grep egrep fgrep sed gzip gunzip bzip2 xz unxz lzma zstd tar cpio ar zip diff cmp diff3 sdiff patch file xxd hexdump hd column rev look col
	colrm jq iconv strings nm objdump strip objcopy size readelf xargs getopt more logger script flock tree zcat bzcat xzcat
	colcrt ul lsblk findmnt namei uuidgen whereis cal renice taskset setsid lscpu mawk gawk addr2line c++filt ranlib`)
