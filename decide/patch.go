package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// What one call may look at to tell what patches write.
const (
	maxPatch   = 1 << 20
	maxPatches = 64
)

// patchUnits are the files that a patch writes. Where the patch cannot be read
// they are one file that is not known.
func (c *Case) patchUnits(at int, e *bashsafety.Effect) {
	sub := &c.Script.Subcommands[at]
	names, ok := c.patchPaths(at, e.Patch)
	if !ok {
		c.fileUnits(sub, e, found{})
		return
	}
	for _, name := range names {
		one := bashsafety.Effect{Kind: bashsafety.Write, Path: path.Clean(name), Known: true, Span: e.Span}
		if strings.Contains(name, "/..") {
			one.Raw = name
		}
		c.fileUnits(sub, &one, found{})
	}
}

// patchPaths lists the files that a patch writes, absolute and not cleaned.
func (c *Case) patchPaths(at int, p *bashsafety.Patching) (paths []string, ok bool) {
	if p.Dir == "" || strings.Contains(p.Under, bashsafety.HoleMark) {
		return nil, false
	}
	if c.patches++; c.patches > maxPatches {
		return nil, false
	}
	texts, paths, ok := c.patchTexts(at, p)
	for _, text := range texts {
		patch, clear := bashsafety.ReadPatch(text)
		paths, ok = append(paths, c.patched(p, &patch)...), ok && clear
	}
	return paths, ok
}

// patchTexts returns the patches that are applied, and of those that are known
// to hold what the repository holds the files they are limited to.
func (c *Case) patchTexts(at int, p *bashsafety.Patching) (texts, limits []string, ok bool) {
	switch {
	case p.File != nil && p.File.Glob:
		if p.File.Expands == nil || !c.Script.Expands(at) {
			return nil, nil, false
		}
		names, _, ok := c.finds(p.File.Expands)
		for _, name := range names {
			text, fine := c.patchFile(name)
			texts, ok = append(texts, text), ok && fine
		}
		return texts, nil, ok
	case p.File != nil:
		return c.patchIn(at, p)
	case p.Known:
		return []string{p.Text}, nil, true
	case len(p.From) == 0:
		return nil, nil, false
	}
	for _, i := range p.From {
		sub := &c.Script.Subcommands[i]
		switch {
		case sub.PrintsHistory() && asPrinted(p):
			limits = append(limits, guard.ReadPaths(sub)...)
		case sub.HandsOn() && sub.Script == nil:
			for j := range sub.Effects {
				e := &sub.Effects[j]
				if e.Kind != bashsafety.Read {
					continue
				}
				one := *p
				one.File, one.From = e, nil
				more, limited, fine := c.patchIn(i, &one)
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
func (c *Case) patchIn(at int, p *bashsafety.Patching) (texts, limits []string, ok bool) {
	if !p.File.Known {
		return nil, nil, false
	}
	file := c.World.EffectPath(p.File)
	made := false
	for i := range c.Script.Subcommands {
		sub := &c.Script.Subcommands[i]
		for j := range sub.Effects {
			switch one := sub.Effects[j : j+1]; {
			case !c.mayChange(file, one, i, at):
			case asPrinted(p) && sub.PrintsHistory() && c.redirectsTo(file, &one[0]):
				made, limits = true, append(limits, guard.ReadPaths(sub)...)
			default:
				return nil, nil, false
			}
		}
	}
	if made {
		return nil, limits, true
	}
	text, ok := c.patchFile(file.Real)
	return []string{text}, nil, ok
}

// mayChange reports whether the one effect, of subcommand i, may change a file that
// subcommand at reads.
func (c *Case) mayChange(file rules.Path, one []bashsafety.Effect, i, at int) bool {
	switch e := &one[0]; {
	case e.Kind != bashsafety.Write && e.Kind != bashsafety.Delete && e.Kind != bashsafety.Unknown:
		return false
	case e.Patch != nil:
		return i < at && c.patchWrites(i, e.Patch, file)
	case e.Kind == bashsafety.Delete && i > at:
		return false
	}
	return c.guard.PutAt(file, one)
}

// redirectsTo reports whether an effect is the redirect that writes a file.
func (c *Case) redirectsTo(file rules.Path, e *bashsafety.Effect) bool {
	return e.Redirect && e.Known && e.Patch == nil && c.World.EffectPath(e).Real == file.Real
}

// asPrinted reports whether a patch is applied where git printed it for: with the
// usual prefix, at the top.
func asPrinted(p *bashsafety.Patching) bool { return !p.Given && p.Under == "" }

// patchWrites reports whether a patch may change a file.
func (c *Case) patchWrites(at int, p *bashsafety.Patching, file rules.Path) bool {
	paths, ok := c.patchPaths(at, p)
	for _, name := range paths {
		ok = ok && world.FoldPath(c.World.Path(path.Clean(name)).Real) != world.FoldPath(file.Real)
	}
	return !ok
}

// patchFile reads a patch.
func (c *Case) patchFile(name string) (string, bool) {
	if c.World.Blind() {
		return "", false
	}
	data, err := c.World.Read(name, maxPatch)
	return string(data), err == nil
}
