// Package loss looks at what a removal would take, for the question about it.
package loss

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// A Loss is what a removal would take, as far as it was looked at and as the disk is now. It is only
// said: nothing is decided by it.
type Loss struct {
	Targets int   // what the command names
	Files   int   // all but folders
	Folders int   // those named and those in them
	Bytes   int64 // of Files
	Lost    int   // of Files: git does not track them, or they have changed
	Unsure  int   // of Files: git may have them
	AtLeast bool  // there may be more: of everything but Unsure

	there   []string // the paths that there is something at
	foreign bool     // some of it is not in the project's repository, or is a repository
	ignored bool     // git ignores one of there
	settled bool     // nothing in the text can have changed it
}

// A look is one at the disk, which counts into a Loss.
type look struct {
	*Loss
	world *world.World
	repos *repo.Repos
}

// maxLoss bounds how many files and folders are looked at for one question, maxListed the size of a folder
// that is listed: one with many names is large itself.
const (
	maxLoss   = 2000
	maxListed = 256 << 10
)

// Of looks at what a subcommand deletes, nil where nothing of that is known or the disk is any.
func Of(script *bashsafety.Analysis, sub int, w *world.World, repos *repo.Repos) *Loss {
	if w.Blind() || w.AnyDisk || script.Subcommands[sub].PlainRemoval && w.OS != rules.Windows {
		return nil
	}
	l := look{&Loss{settled: script.OnlyReads(sub)}, w, repos}
	effects := script.Subcommands[sub].Effects
	for i := range effects {
		switch e := &effects[i]; {
		case e.Kind != bashsafety.Delete:
		case !e.Known || e.Glob || e.Temp:
			l.AtLeast = true
		default:
			l.Targets++
			given := w.EffectPath(e).Given
			l.add(path.Join(w.Path(path.Dir(given)).Real, path.Base(given)))
		}
	}
	if l.Targets == 0 {
		return nil
	}
	return l.Loss
}

// add is survey; the first path of a removal is looked at once a call.
func (l look) add(at string) {
	if l.Targets > 1 { // what may be counted of it hangs on those before
		l.survey(at)
		return
	}
	first := *l.world.Kept("loss\x00"+l.world.Project.Real+"\x00"+at, func() any {
		first := look{&Loss{}, l.world, l.repos}
		first.survey(at)
		return first.Loss
	}).(*Loss)
	first.Targets, first.settled, first.there = l.Targets, l.settled, slices.Clip(first.there)
	first.AtLeast = first.AtLeast || l.AtLeast
	*l.Loss = first
}

// survey counts what is at and below one path; no symlink is followed.
func (l look) survey(at string) {
	info, err := l.world.Lstat(at)
	if err != nil {
		l.AtLeast = l.AtLeast || !world.Absent(err)
		return
	}
	l.there = append(l.there, at)
	tree := l.repos.TreeOf(at)
	l.foreign = l.foreign || tree.Root == "" || tree.Root != l.repos.RootOf(l.world.Project.Real)
	l.ignored = l.ignored || l.repos.Ignores(tree, at)
	type item struct {
		name string
		info fs.FileInfo
	}
	for todo := []item{{at, info}}; len(todo) > 0; {
		last := len(todo) - 1
		next := todo[last]
		todo = todo[:last]
		if l.count(tree, next.name, next.info); l.Files+l.Folders >= maxLoss {
			l.AtLeast = true
			return
		}
		for _, name := range l.listed(next.name, next.info, info) {
			name = strings.TrimSuffix(next.name, "/") + "/" + name
			if info, err := l.world.Lstat(name); err == nil {
				todo = append(todo, item{name, info})
			} else {
				l.AtLeast = true
			}
		}
	}
}

// count adds one file or folder.
func (l *Loss) count(tree *repo.Tree, name string, info fs.FileInfo) {
	l.foreign = l.foreign || path.Base(name) == ".git"
	if info.IsDir() {
		l.Folders++
		return
	}
	l.Files++
	l.Bytes += info.Size()
	switch tree.Has(name, info) {
	case repo.Differs:
		l.Lost++
	case repo.NotKnown:
		l.Unsure++
	}
}

// listed are the names in a folder; none in a mounted or a very large one.
func (l look) listed(dir string, info, top fs.FileInfo) []string {
	if !info.IsDir() {
		return nil
	}
	if !l.world.SameDevice(info, top) || info.Size() > maxListed {
		l.AtLeast = true
		return nil
	}
	names, err := l.world.Names(dir)
	left := maxLoss - l.Files - l.Folders
	l.AtLeast = l.AtLeast || err != nil || len(names) > left
	return names[:min(len(names), left)]
}

// Gone reports whether there is nothing to delete.
func (l *Loss) Gone() bool { return len(l.there) == 0 && !l.AtLeast }

// WhyGone says why what is not there is asked about all the same, "" where the posture alone does.
func (l *Loss) WhyGone() string {
	if l.settled {
		return ""
	}
	return "another part of the command may put something there first"
}

// What says after "deletes" what there is.
func (l *Loss) What(target string) string {
	all := cmp.Or(target, "what it names")
	if l.Targets > 1 {
		all = "everything in " + strconv.Itoa(l.Targets) + " places"
	} else if l.Folders > 0 {
		all += " and everything in it"
	}
	switch {
	case l.Gone() && l.Targets > 1:
		return strconv.Itoa(l.Targets) + " names, none of which exists now"
	case l.Gone():
		return cmp.Or(target, "what it names") + ", which does not exist now"
	case l.Files == 0 && l.Folders == 1 && !l.AtLeast:
		return cmp.Or(target, "what it names") + ", an empty folder"
	case l.Files == 0 && !l.AtLeast:
		return all + ": only empty folders"
	case l.settled:
		return all + ": " + l.String()
	}
	return all + ", now " + l.String()
}

// String says how much there is and what git has of it: "3 files, 2 KiB, 1 of which git cannot bring back".
func (l *Loss) String() string {
	var b strings.Builder
	if l.AtLeast {
		b.WriteString("at least ")
	}
	fmt.Fprintf(&b, "%s, %s", counted(l.Files, "file"), size(l.Bytes))
	switch {
	case l.Files == 0:
	case l.Files == 1 && l.Lost == 1:
		b.WriteString(", which git cannot bring back")
	case l.Lost == l.Files && l.AtLeast:
		b.WriteString(", none of those seen in git")
	case l.Lost == l.Files:
		b.WriteString(", none of which git can bring back")
	case l.Lost > 0 && l.Unsure > 0:
		fmt.Fprintf(&b, ", at least %d of which git cannot bring back", l.Lost)
	case l.Lost > 0:
		fmt.Fprintf(&b, ", %d of which git cannot bring back", l.Lost)
	case l.Unsure > 0 || l.AtLeast:
		b.WriteString(", some of which git may not have")
	case l.Files == 1:
		b.WriteString(", tracked by git and unchanged")
	default:
		b.WriteString(", all of them tracked by git and unchanged")
	}
	return b.String()
}

// Detail is all that is known, for explain.
func (l *Loss) Detail() string {
	least := ""
	if l.AtLeast {
		least = "at least "
	}
	return least + counted(l.Files, "file") + " in " + counted(l.Folders, "folder") + ", " + size(l.Bytes) +
		fmt.Sprintf("; git cannot bring back %d, and perhaps %d more", l.Lost, l.Unsure)
}

func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// size is a number of bytes as people read it, rounded down.
func size(bytes int64) string {
	unit := -1
	for bytes >= 1024 && unit < 3 {
		bytes /= 1024
		unit++
	}
	if unit < 0 {
		return counted(int(bytes), "byte")
	}
	return fmt.Sprintf("%d %ciB", bytes, "KMGT"[unit])
}

// Is reports whether there is what a hint needs.
func (l *Loss) Is(p bashsafety.Presence, w *world.World) bool {
	switch {
	case p == bashsafety.Anything:
		return true
	case l == nil || len(l.there) == 0 || len(l.there) != l.Targets:
		return false
	}
	alone := len(l.there) == 1 && !l.AtLeast
	switch p {
	case bashsafety.OneFile:
		return alone && l.Folders == 0 && w.OneLink(l.there[0])
	case bashsafety.EmptyFolder:
		return alone && l.Folders == 1 && l.Files == 0
	case bashsafety.InGit:
		return !l.foreign && !l.AtLeast && l.Files > 0 && l.Lost+l.Unsure == 0
	case bashsafety.NewToGit:
		return !l.foreign && !l.ignored && l.Lost > 0
	case bashsafety.Movable:
		return l.Free(w) != ""
	}
	return false
}

// Free is where something can be moved and kept, "" where that is not known or every name is taken.
func (l *Loss) Free(w *world.World) string {
	if l == nil || len(l.there) != 1 || w.OS == rules.Windows {
		return ""
	}
	name := path.Join("/tmp", path.Base(l.there[0]))
	for try := 2; w.Exists(name); try++ {
		if try > 9 {
			return ""
		}
		name = path.Join("/tmp", path.Base(l.there[0])+"-"+strconv.Itoa(try))
	}
	return name
}
