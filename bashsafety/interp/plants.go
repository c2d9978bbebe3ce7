package interp

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// Plants reports whether what a command writes may be a symlink or hold one: it
// links, moves, copies a tree, unpacks an archive or checks out a repository.
func (s *Subcommand) Plants() bool {
	c := s.Call
	if c == nil {
		return true
	}
	switch c.Sub.Operands {
	case commands.Links, commands.Moves:
		return true
	case commands.Copies:
		return commands.ProgramName(c.Argv) != "cp" || copiesLinks(c)
	}
	unpacks := isIn(c, commands.ArchiveCommands) || isIn(c, commands.UnpackCommands)
	return unpacks || commands.TableName(commands.ProgramName(c.Argv)) == "git" || s.planter()
}

// copiesLinks reports whether cp may make a link, or copy one as it is.
func copiesLinks(c *commands.Invocation) bool {
	return c.Recursive || c.Symlinks() || c.HardLinks() ||
		c.Has("r", "recursive", "R", "a", "archive", "d", "P", "no-dereference")
}

// isIn reports whether the program is one of a table.
func isIn(c *commands.Invocation, table []commands.Command) bool {
	for i := range table {
		if c.Cmd == &table[i] {
			return true
		}
	}
	return false
}

// Planted lists the places below which a program plants whose table does not say
// what it writes: its words and the folder it runs in. ok is false where they are
// not known.
func (s *Subcommand) Planted() (places []string, ok bool) {
	if !s.planter() {
		return nil, true
	}
	places = append(places, s.Dirs...)
	for i := range s.Argv[1:] {
		w := &s.Argv[i+1]
		if !w.Known {
			return nil, false
		}
		if at := strings.IndexByte(w.Text, '/'); at == 0 || at > 0 && strings.HasPrefix(w.Text, "-") {
			places = append(places, path.Clean(w.Text[at:])) // --into=/x, -D/x
			continue
		}
		for _, dir := range s.Dirs {
			places = append(places, path.Join(dir, w.Text))
		}
	}
	return places, len(s.Dirs) > 0
}

// planter reports whether the program is one of planters.
func (s *Subcommand) planter() bool {
	if len(s.Argv) == 0 {
		return false
	}
	name, operands := commands.TableName(commands.ProgramName(s.Argv)), " "
	for i := range s.Argv[1:] {
		if w := &s.Argv[i+1]; !strings.HasPrefix(w.Text, "-") {
			operands += w.Text + " "
		}
	}
	for i := range planters {
		if p := &planters[i]; p.name == name && (p.subs == "" || p.has(operands)) {
			return true
		}
	}
	return false
}

// A planter is a program that copies trees, unpacks or mounts; subs are the words
// with which it does, "" for any.
type planter struct{ name, subs string }

func (p *planter) has(operands string) bool {
	for sub := range strings.SplitSeq(p.subs, ",") {
		if strings.Contains(operands, " "+sub+" ") {
			return true
		}
	}
	return false
}

// planters are programs whose tables do not say which files they make.
var planters = [...]planter{
	{"docker", "cp"}, {"podman", "cp"}, {"nerdctl", "cp"}, {"kubectl", "cp"}, {"oc", "cp,rsync"},
	{"gh", "repo clone,run download,release download"}, {"glab", "repo clone,job artifact"},
	{"svn", "checkout,co,export,update,up,switch,sw"}, {"hg", "clone,update,up,checkout,co"},
	{"jj", "git clone,new,edit"}, {"fossil", "open,clone,update"}, {"bzr", "branch,checkout,co"},
	{"rsync", ""}, {"patch", ""}, {"ditto", ""}, {"unsquashfs", ""}, {"pax", ""}, {"cpio", ""}, {"unrar", ""},
	{"unar", ""},
	{"dpkg", ""}, {"dpkg-deb", ""}, {"rclone", ""}, {"stow", ""}, {"mount", ""}, {"sshfs", ""}, {"bindfs", ""},
	{"lndir", ""}, {"gln", ""}, {"link", ""}, {"degit", ""}, {"tiged", ""},
}

// MakesSymlinks reports whether a command makes symlinks by its own words.
func (s *Subcommand) MakesSymlinks() bool { return s.Call != nil && s.Call.Symlinks() }

// Known reports whether a table describes the program.
func (s *Subcommand) Known() bool { return s.Call != nil && s.Call.Cmd != nil }
