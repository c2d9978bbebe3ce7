package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// Contents is what ends up in a folder with a write of subcommand at.
func (g *Guard) Contents(at int, in *bashsafety.Contents) *world.Listing {
	if had := g.listings[in]; had != nil {
		return had
	}
	l := &world.Listing{}
	from, why := g.contentsFrom(at, in)
	switch {
	case in.Kind == bashsafety.FromPatch && in.Stdin && g.history(at):
		// what the repository holds is no more than a checkout
	case why != "":
		l.Why = why
	case in.Kind == bashsafety.FromPatch:
		g.World.ListPatch(l, in, from)
	case in.Kind == bashsafety.FromFolder:
		g.World.ListFolder(l, from)
	default:
		g.World.ListArchive(l, from)
	}
	if l.Why == "" && in.Changed {
		l.Why = "its names are changed while unpacking"
	}
	if g.listings == nil {
		g.listings = map[*bashsafety.Contents]*world.Listing{}
	}
	g.listings[in] = l
	return l
}

// contentsFrom finds the file or folder that holds the names.
func (g *Guard) contentsFrom(at int, in *bashsafety.Contents) (from, why string) {
	from = in.From
	if in.Stdin && in.Text == "" && from == "" {
		from = g.piped(at)
	}
	switch {
	case in.Text != "" && in.Kind == bashsafety.FromPatch:
		return "", ""
	case in.Kind == bashsafety.FromElsewhere:
		return "", "it is not a local file"
	case from == "":
		return "", unnamed(in)
	case g.World.Blind():
		return "", "no file system is available"
	case g.PutAt(g.World.Path(from), g.Script.Puts(at)):
		return "", "the same command may write " + g.World.OS.Native(from) + " first"
	}
	return from, ""
}

// unnamed says why no file is known to hold the names.
func unnamed(in *bashsafety.Contents) string {
	if in.Stdin {
		return "it comes from another command"
	}
	return "the file is only known at run time"
}

// piped is the one file that the commands in front of a pipe print, as it is or
// uncompressed, "" without one.
func (g *Guard) piped(at int) string {
	subs := g.Script.Subcommands
	if len(subs[at].From) != 1 {
		return ""
	}
	sub := &subs[subs[at].From[0]]
	switch sub.Program {
	case "cat", "zcat", "gzcat", "bzcat", "gzip", "gunzip", "pigz", "bzip2", "bunzip2", "pv":
	default:
		return ""
	}
	if !sub.ReadOnly || len(sub.Effects) != 1 || !sub.Effects[0].Known || sub.Effects[0].Kind != bashsafety.Read {
		return ""
	}
	return sub.Effects[0].Path
}

// history reports whether what comes in through a pipe is what the repository
// itself holds.
func (g *Guard) history(at int) bool {
	subs := g.Script.Subcommands
	for _, i := range subs[at].From {
		if !subs[i].PrintsHistory() || len(ReadPaths(&subs[i])) > 0 {
			return false
		}
	}
	return len(subs[at].From) > 0
}

// ReadPaths are the files a command names to read.
func ReadPaths(sub *bashsafety.Subcommand) (paths []string) {
	for i := range sub.Effects {
		if e := &sub.Effects[i]; e.Kind == bashsafety.Read && e.Known {
			paths = append(paths, e.Path)
		}
	}
	return paths
}

// What one call may look at to tell what patches write.
const (
	maxPatch   = 1 << 20
	maxPatches = 64
)

// PatchPaths lists the files that a patch writes, absolute and not cleaned.
func (g *Guard) PatchPaths(at int, p *bashsafety.Patching) (paths []string, ok bool) {
	if p.Dir == "" || strings.Contains(p.Under, bashsafety.HoleMark) {
		return nil, false
	}
	if g.patches++; g.patches > maxPatches {
		return nil, false
	}
	texts, paths, ok := g.patchTexts(at, p)
	for _, text := range texts {
		patch, clear := bashsafety.ReadPatch(text)
		paths, ok = append(paths, g.patched(p, &patch)...), ok && clear
	}
	return paths, ok
}

// patchTexts returns the patches that are applied, and of those that are known
// to hold what the repository holds the files they are limited to.
func (g *Guard) patchTexts(at int, p *bashsafety.Patching) (texts, limits []string, ok bool) {
	switch {
	case p.File != nil && p.File.Glob:
		if p.File.Expands == nil || !g.Script.Expands(at) {
			return nil, nil, false
		}
		names, _, ok := g.Finds(p.File.Expands)
		for _, name := range names {
			text, fine := g.patchFile(name)
			texts, ok = append(texts, text), ok && fine
		}
		return texts, nil, ok
	case p.File != nil:
		return g.patchIn(at, p)
	case p.Known:
		return []string{p.Text}, nil, true
	case len(p.From) == 0:
		return nil, nil, false
	}
	for _, i := range p.From {
		sub := &g.Script.Subcommands[i]
		switch {
		case sub.PrintsHistory() && asPrinted(p):
			limits = append(limits, ReadPaths(sub)...)
		case sub.HandsOn() && sub.Script == nil:
			for j := range sub.Effects {
				e := &sub.Effects[j]
				if e.Kind != bashsafety.Read {
					continue
				}
				one := *p
				one.File, one.From = e, nil
				more, limited, fine := g.patchIn(i, &one)
				if !fine {
					return nil, nil, false
				}
				texts, limits = append(texts, more...), append(limits, limited...)
			}
		default:
			return nil, nil, false
		}
	}
	return texts, limits, true
}

// patchIn reads the file of a patch, unless the text may write it first. What
// commands of git write there of their own repository is known, too.
func (g *Guard) patchIn(at int, p *bashsafety.Patching) (texts, limits []string, ok bool) {
	if !p.File.Known {
		return nil, nil, false
	}
	file := g.World.EffectPath(p.File)
	made := false
	for i := range g.Script.Subcommands {
		sub := &g.Script.Subcommands[i]
		for j := range sub.Effects {
			switch one := sub.Effects[j : j+1]; {
			case !g.mayChange(file, one, i, at):
			case asPrinted(p) && sub.PrintsHistory() && g.redirectsTo(file, &one[0]):
				made, limits = true, append(limits, ReadPaths(sub)...)
			default:
				return nil, nil, false
			}
		}
	}
	if made {
		return nil, limits, true
	}
	text, ok := g.patchFile(file.Real)
	return []string{text}, nil, ok
}

// mayChange reports whether the one effect, of subcommand i, may change a file that
// subcommand at reads.
func (g *Guard) mayChange(file rules.Path, one []bashsafety.Effect, i, at int) bool {
	switch e := &one[0]; {
	case e.Kind != bashsafety.Write && e.Kind != bashsafety.Delete && e.Kind != bashsafety.Unknown:
		return false
	case e.Patch != nil:
		return i < at && g.patchWrites(i, e.Patch, file)
	case e.Kind == bashsafety.Delete && i > at:
		return false
	}
	return g.PutAt(file, one)
}

func (g *Guard) redirectsTo(file rules.Path, e *bashsafety.Effect) bool {
	return e.Redirect && e.Known && e.Patch == nil && g.World.EffectPath(e).Real == file.Real
}

// asPrinted reports whether a patch is applied where git printed it for: with the
// usual prefix, at the top.
func asPrinted(p *bashsafety.Patching) bool { return !p.Given && p.Under == "" }

func (g *Guard) patchWrites(at int, p *bashsafety.Patching, file rules.Path) bool {
	paths, ok := g.PatchPaths(at, p)
	for _, name := range paths {
		ok = ok && world.FoldPath(g.World.Path(path.Clean(name)).Real) != world.FoldPath(file.Real)
	}
	return !ok
}

func (g *Guard) patchFile(name string) (string, bool) {
	if g.World.Blind() {
		return "", false
	}
	data, err := g.World.Read(name, maxPatch)
	return string(data), err == nil
}

// patched is where the names of a patch lead: below the top of the repository
// and, in a patch without headers of git's, below the folder it is applied in.
// How much of such names is dropped is then guessed as well.
func (g *Guard) patched(p *bashsafety.Patching, patch *bashsafety.Patch) (paths []string) {
	top := p.Dir
	if !g.World.Blind() {
		if root := g.Repos.RootOf(g.World.Follow(p.Dir)); root != "" {
			top = root
		}
	}
	bases, least, most := []string{top}, p.Strip, p.Strip
	if patch.Plain {
		if top != p.Dir {
			bases = append(bases, p.Dir)
		}
		if !p.Given {
			least, most = 0, 1+strings.Count(strings.TrimPrefix(p.Dir, top), "/")
		}
	}
	for _, n := range patch.Names {
		for strip := least; strip <= most; strip++ {
			name := n.Strip(strip)
			if name == "" {
				continue
			}
			for _, base := range bases {
				at := base + "/" + p.Under + "/" + name
				if paths = append(paths, at); n.Link != "" {
					paths = append(paths, g.World.OS.Join(path.Dir(path.Clean(at)), n.Link))
				}
			}
		}
	}
	return paths
}

// AtTop is an effect below the top of the work tree.
func (g *Guard) AtTop(e *bashsafety.Effect) *bashsafety.Effect {
	one := *e
	one.Top = ""
	if g.World.Blind() {
		return &one
	}
	root := g.Repos.RootOf(g.World.Follow(e.Top))
	if rest, below := strings.CutPrefix(e.Path, strings.TrimSuffix(e.Top, "/")+"/"); below && root != "" {
		one.Path = strings.TrimSuffix(root, "/") + "/" + rest
	}
	return &one
}

// Finds lists the paths that a pattern finds, and what they are copied from.
func (g *Guard) Finds(x *bashsafety.Expansion) (names, from []string, ok bool) {
	names, ok = g.World.Expand(x.Pattern)
	if x.Into != "" {
		from = slices.Clone(names)
		for i := range names {
			names[i] = path.Join(x.Into, path.Base(names[i]))
		}
	}
	return names, from, ok
}
