package shell

import (
	"path"
	"strings"
)

// A Contents says what a write puts below its Path where no words name it: an archive, a patch, a
// folder that is copied, another machine. Who knows a disk reads it there.
type Contents struct {
	Kind ContentsKind
	// From is the archive, patch or folder that holds the names, absolute and clean, "" for none.
	From string
	// Stdin is set when it comes in on standard input: Text where that is known, else From, else
	// the commands of Subcommand.From.
	Stdin bool
	Text  string
	// Strip is how many leading components every name loses.
	Strip int
	// Only are the names, as written, that alone are taken, with what is below them; nil is all.
	Only []string
	// Skip are patterns of names that are left out.
	Skip []string
	// Flat is set when names lose all folders; Free when / and .. lead out; Changed when names are
	// rewritten.
	Flat, Free, Changed bool
}

// A ContentsKind says where names come from. Zero: nothing can be looked at.
type ContentsKind uint8

const (
	FromElsewhere ContentsKind = iota // another machine, or a format that is not read
	FromArchive
	FromFolder
	FromPatch
)

// Members limits what is taken to the words that name it. An unknown word may be anything.
func (c *Contents) Members(words []*Word) {
	for _, w := range words {
		if !w.Known {
			c.Only = nil
			return
		}
		c.Only = append(c.Only, w.Text)
	}
}

// OpensFolder reports whether the last part of a path means, or may find, what is in a folder.
func OpensFolder(base string) bool {
	if base == "" || base == "." || base == ".." {
		return true
	}
	return base[0] == '.' && strings.ContainsAny(base, "*?[")
}

// ArchiveStem is the name of an archive without what archives are called.
func ArchiveStem(name string) string {
	name = path.Base(name)
	for _, end := range [...]string{".gz", ".bz2", ".xz", ".zst", ".lz", ".lzma", ".Z"} {
		name = strings.TrimSuffix(name, end)
	}
	for _, end := range [...]string{".tar", ".tgz", ".tbz2", ".tbz", ".txz", ".tzst", ".taz", ".tlz"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}
