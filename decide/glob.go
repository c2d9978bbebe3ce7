package decide

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// What one call may look at to expand patterns, and how many names it may find.
// Beyond that what a pattern stands for is not known.
const (
	maxGlobDirs    = 256
	maxGlobEntries = 8192
	maxGlobFound   = 512
)

// globbing is what the patterns of a call have cost so far.
type globbing struct{ dirs, entries, found int }

// expand lists what a pattern of the shell finds: absolute paths as the shell
// spells them, not cleaned. ok is false where that cannot be known: there is no
// disk, the pattern is beyond what is understood here, or the budget is spent.
func (c *Case) expand(pattern string) (found []string, ok bool) {
	plain := len(pattern) > 1 && pattern[0] == '/' && !strings.Contains(pattern, "(")
	if c.World.FS == nil || c.World.OS == rules.Windows || !plain {
		return nil, false
	}
	at := []string{""}
	segs := strings.Split(pattern[1:], "/")
	for i, seg := range segs {
		var next []string
		for _, dir := range at {
			if next, ok = c.globSegment(next, dir, seg, i == len(segs)-1); !ok {
				return nil, false
			}
		}
		if at = next; len(at) == 0 {
			return nil, true
		}
	}
	if c.globs.found += len(at); c.globs.found > maxGlobFound {
		return nil, false
	}
	return at, true
}

// globSegment adds what one component of a pattern finds in dir.
func (c *Case) globSegment(out []string, dir, seg string, last bool) ([]string, bool) {
	toks, wild, ok := globTokens(seg)
	switch {
	case !ok:
		return nil, false
	case seg == "**":
		return c.globDeep(out, dir, last, true)
	case !wild:
		text := globText(toks)
		if last {
			if c.globs.entries++; !c.there(dir, text) {
				return out, true
			}
		}
		return append(out, dir+"/"+text), c.globs.entries <= maxGlobEntries
	}
	names, ok := c.globNames(dir)
	if !ok {
		return nil, false
	}
	if !last && seg[0] == '.' { // bash before 5.2 finds them
		names = append(names[:len(names):len(names)], ".", "..")
	}
	for _, name := range names {
		if globMatch(toks, name) {
			out = append(out, dir+"/"+name)
		}
	}
	return out, len(out) <= maxGlobEntries
}

// globDeep adds what ** finds: one component in bash, and any number of them in
// zsh and where globstar is set. Links are not followed further down.
func (c *Case) globDeep(out []string, dir string, last, first bool) ([]string, bool) {
	if first && !last {
		out = append(out, dir)
	}
	names, ok := c.globNames(dir)
	for _, name := range names {
		at := dir + "/" + name
		if !ok || name[0] == '.' {
			continue
		}
		info, err := c.World.FS.Lstat(path.Join(load.Follow(c.World.FS, dir+"/"), name))
		if err != nil {
			continue
		}
		link := info.Mode()&fs.ModeSymlink != 0
		if last || info.IsDir() || first && link {
			out = append(out, at)
		}
		if info.IsDir() && !link {
			out, ok = c.globDeep(out, at, last, false)
		}
	}
	return out, ok
}

// globNames reads a directory; one that is not there, or may not be read, has no
// names for the shell either.
func (c *Case) globNames(dir string) (names []string, ok bool) {
	if c.globs.dirs++; c.globs.dirs > maxGlobDirs {
		return nil, false
	}
	names, err := c.World.FS.ReadDir(load.Follow(c.World.FS, dir+"/"))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		return nil, true
	case err != nil:
		return nil, false
	}
	c.globs.entries += len(names)
	return names, c.globs.entries <= maxGlobEntries
}

// there reports whether a directory has a name in it; "", . and .. are the
// directory itself and the one above, which any directory has.
func (c *Case) there(dir, name string) bool {
	if name == "" || name == "." || name == ".." {
		return c.directory(dir)
	}
	_, err := c.World.FS.Lstat(path.Join(load.Follow(c.World.FS, dir+"/"), name))
	return err == nil
}

// directory reports whether a path leads to a directory.
func (c *Case) directory(name string) bool {
	info, err := c.World.FS.Lstat(load.Follow(c.World.FS, name+"/"))
	return err == nil && info.IsDir()
}
