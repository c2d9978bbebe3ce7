package gitindex

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// Files is what is asked of the disk, as load.Files answers it.
type Files interface {
	ReadFile(path string, max int64) ([]byte, error)
	Lstat(path string) (fs.FileInfo, error)
	Owner(fs.FileInfo) (uid int, ok bool)
	OthersWrite(fs.FileInfo) bool
}

// Git finds repositories for one user.
type Git struct {
	Files
	OS     rules.OS
	UID    int
	Follow func(name string) string // where the kernel goes for a path
}

// A Place is a repository as git finds it from a folder.
type Place struct {
	Root   string // the work tree, or the bare repository itself; "" without one
	Dir    string // what belongs to this work tree: HEAD, index, config.worktree; "" where that is not known
	Common string // what all work trees of the repository share: config, hooks
	Bare   bool
	Linked bool   // Dir names another folder as Common
	Why    string // why it is not known whether git would take it
}

// maxLine bounds a file of git's that is read as text.
const maxLine = 64 << 10

// Around finds the repository that git would use in a folder. It walks up as git does; symlinks in dir were followed
// before. A file system border or GIT_CEILING_DIRECTORIES may end git's own search sooner, which finds less.
func (g *Git) Around(dir string) Place {
	for d := dir; path.IsAbs(d); d = path.Dir(d) {
		if p, ok := g.At(d); ok {
			return p
		}
		if g.bare(d) {
			return Place{Root: d, Dir: d, Common: d, Bare: true}
		}
		if d == path.Dir(d) {
			break
		}
	}
	return Place{}
}

// bare reports whether git might take a folder for a repository without a work tree. A file commondir may say where its
// objects are.
func (g *Git) bare(d string) bool {
	return g.exists(under(d, "HEAD")) && (g.exists(under(d, "objects")) || g.exists(under(d, "refs")) || g.exists(under(d, "commondir")))
}

func (g *Git) exists(name string) bool {
	_, err := g.Lstat(name)
	return err == nil
}

// under is path.Join of a clean folder and one name in it.
func under(dir, name string) string {
	if dir == "/" {
		return dir + name
	}
	return dir + "/" + name
}

// At is what .git in one folder says; ok is false without one.
func (g *Git) At(root string) (p Place, ok bool) {
	at := under(root, ".git")
	p.Root = root
	switch info, err := g.Lstat(at); {
	case err != nil && Absent(err):
		return Place{}, false
	case err != nil:
		p.Why = "its .git cannot be read"
	case info.IsDir():
		p.Dir = at
	case info.Mode().IsRegular():
		line, ok := g.Line(at)
		target, found := strings.CutPrefix(line, "gitdir: ")
		if !ok || !found || target == "" {
			p.Why = "its .git cannot be understood"
			break
		}
		p.Dir = g.Path(root, target)
	default:
		p.Why = "its .git is neither a directory nor a file"
		if real := g.Follow(at); real != at && g.exists(real) {
			p.Dir = real
		}
	}
	p.Common = p.Dir
	if common := under(p.Dir, "commondir"); p.Why == "" && g.exists(common) {
		p.Linked = true
		if line, ok := g.Line(common); ok && line != "" {
			p.Common = g.Path(p.Dir, line)
		} else {
			p.Why = "its commondir cannot be understood"
		}
	}
	return p, true
}

// Line reads a file that holds one line.
func (g *Git) Line(name string) (string, bool) {
	data, err := g.ReadFile(name, maxLine)
	line := strings.TrimRight(string(data), "\r\n")
	return line, err == nil && !strings.ContainsAny(line, "\n\r\x00")
}

// Path is where a path in a file of git leads.
func (g *Git) Path(base, name string) string { return g.OS.Canon(g.Follow(g.OS.Join(base, name))) }

// Unknown says why a linked work tree is not one that its repository knows, "" if it does and for any other place.
func (g *Git) Unknown(p *Place) string {
	if !p.Linked {
		return ""
	}
	if path.Dir(p.Dir) != under(p.Common, "worktrees") {
		return "its git directory does not belong to the repository it names"
	}
	back, ok := g.Line(under(p.Dir, "gitdir"))
	if !ok || g.Path(p.Dir, back) != g.Path(p.Root, ".git") {
		return "the repository it names does not know this work tree"
	}
	return ""
}

// Mine reports whether a work tree and its repository are the user's own and name each other, where they are two.
func (g *Git) Mine(p *Place) bool {
	if p.Dir == "" || p.Bare || p.Why != "" || g.Unknown(p) != "" {
		return false
	}
	names := []string{p.Root, under(p.Root, ".git"), p.Dir, p.Common}
	if p.Linked {
		names = append(names, path.Dir(p.Dir), under(p.Dir, "gitdir"), under(p.Dir, "commondir"))
	}
	for _, name := range names {
		if g.Foreign(name, true) != "" {
			return false
		}
	}
	return true
}

// Foreign says why a file or folder is not the user's or root's alone, "" where it is, or is not there and need not be.
func (g *Git) Foreign(name string, must bool) string {
	info, err := g.Lstat(name)
	if err != nil {
		if !must && Absent(err) {
			return ""
		}
		return name + " cannot be read"
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return name + " is a symlink or a special file"
	}
	if uid, ok := g.Owner(info); !ok || uid != g.UID && uid != 0 {
		return name + " is not the user's own"
	}
	if g.OthersWrite(info) {
		return name + " can be written by others"
	}
	return ""
}

// Absent reports whether an error of the file system says that there is no such file.
func Absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || strings.HasSuffix(err.Error(), "not a directory")
}

// Main is the main checkout of a linked work tree, both the user's own: the folder whose own .git is the repository.
// It is "" if it does not exist, or if the configuration may name another folder for that.
func (g *Git) Main(p *Place) string {
	if !p.Linked || !g.Mine(p) || path.Base(p.Common) != ".git" || g.Foreign(path.Dir(p.Common), true) != "" {
		return ""
	}
	for _, name := range [...]string{"config", "config.worktree"} {
		data, err := g.ReadFile(under(p.Common, name), maxLine)
		if err != nil && !Absent(err) || namesWorktree(string(data)) {
			return ""
		}
	}
	return path.Dir(p.Common)
}

// namesWorktree reports whether a line of git configuration may set core.worktree.
func namesWorktree(config string) bool {
	for line := range strings.Lines(strings.ToLower(config)) {
		key, _, _ := strings.Cut(line, "=")
		if strings.HasSuffix(strings.TrimSpace(key), "worktree") {
			return true
		}
	}
	return false
}
