package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

func makesFileSystem(name string) bool {
	return shell.Among("mkfs mke2fs mkswap mkdosfs newfs wipefs blkdiscard", TableName(name))
}

// ChangesDisk reports whether a program that makes file systems or removes their
// signatures does it: without one to remove, wipefs lists, and the makers of
// ext file systems have a trial run.
func ChangesDisk(argv []shell.Word) bool {
	name := ProgramName(argv)
	if !makesFileSystem(name) {
		return false
	}
	switch {
	case TableName(name) == "wipefs":
		return wordsHave(argv[1:], "ao", "--all", "--offset") && !wordsHave(argv[1:], "n", "--no-act")
	case strings.HasPrefix(name, "mkfs.ext"), name == "mke2fs", name == "mkfs" && makesExt(argv):
		return !wordsHave(argv[1:], "n")
	case name == "mkfs.xfs":
		return !wordsHave(argv[1:], "N")
	}
	return true
}

// makesExt reports whether mkfs is told to make an ext file system, as it does by itself.
func makesExt(argv []shell.Word) bool {
	for i := range argv[1:] {
		if argv[i].Text == "-t" || argv[i].Text == "--type" {
			return strings.HasPrefix(argv[i+1].Text, "ext")
		}
	}
	return true
}

// wordsHave reports whether one of the letters is among the short options, or
// one of the long ones is there.
func wordsHave(argv []shell.Word, letters string, long ...string) bool {
	for i := range argv {
		t := argv[i].Text
		if len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.ContainsAny(t[1:], letters) {
			return true
		}
		for _, l := range long {
			if t == l || strings.HasPrefix(t, l+"=") {
				return true
			}
		}
	}
	return false
}

// ListsDisk reports whether a program that partitions only shows what there is.
func ListsDisk(argv []shell.Word) bool {
	switch name := TableName(ProgramName(argv)); name {
	case "fdisk", "sfdisk", "gdisk", "cfdisk":
		return wordsHave(argv[1:], "lx", "--list", "--list-details", "--dump", "--json") ||
			name == "sfdisk" && wordsHave(argv[1:], "dJ")
	case "sgdisk":
		return len(argv) > 1 && !slices.ContainsFunc(argv[1:], sgdiskChanges)
	case "parted":
		return partedLists(argv[1:])
	}
	return false
}

func sgdiskChanges(w shell.Word) bool {
	t := w.Text
	looks := strings.HasPrefix(t, "-i") || shell.Among("-p --print -v --verify -O --info", t)
	return strings.HasPrefix(t, "-") && !looks
}

func partedLists(args []shell.Word) bool {
	shows := false
	for i := range args {
		switch t := args[i].Text; {
		case strings.HasPrefix(t, "-"), strings.HasPrefix(t, "/dev/"):
		case shell.Among("print p unit", t):
			shows = true
		case !shows, !shell.Among("all free list devices number s S B MB MiB GB GiB KB KiB TB TiB compact", t):
			return false
		}
	}
	return shows
}
