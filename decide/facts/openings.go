package facts

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
)

// An Opening is a place of a text that may touch a file that is not known.
type Opening struct {
	U      *Unit // the read or write of a path that is not known, nil for program text
	Sub    *bashsafety.Subcommand
	Writes bool
}

// concerned reports whether a rule that speaks of reads or writes is about an
// opening: program text may do either.
func (o *Opening) concerned(ofReads, ofWrites bool) bool {
	if o.Writes {
		return ofWrites
	}
	return ofReads || ofWrites && o.U == nil
}

// MayBe reports whether an opening may be what a mention names, or lie in it. A
// path ends in its last literal part, and begins with its first where no .. can
// follow.
func (c *reading) MayBe(o *Opening, m *Mention) bool {
	if m.Glob != "" || o.mayBeAny() {
		return true
	}
	e := o.U.effect
	head, tail := knownEnds(e)
	inside := false
	if !c.World().Blind() && c.World().Directory(m.Path.Given) {
		if inside = goesInto(e, m.Path.Given); !inside && !e.Recursive {
			return false // it shows nothing of a folder
		}
	}
	for _, name := range [...]string{m.Path.Given, m.Path.Real} {
		name = world.FoldPath(name)
		if e.Below != "" && !strings.HasPrefix(name, world.FoldPath(head)) {
			continue
		}
		if inside || strings.HasSuffix(name, world.FoldPath(tail)) {
			return true
		}
	}
	return false
}

// goesInto reports whether a path may name something in a folder.
func goesInto(e *bashsafety.Effect, folder string) bool {
	head, tail := knownEnds(e)
	return e.Glob || strings.Contains(tail, "/") || strings.HasPrefix(world.FoldPath(head), world.FoldPath(folder)+"/")
}

// mayBeAny reports whether nothing is known of the path of an opening.
func (o *Opening) mayBeAny() bool {
	return o.U == nil || o.U.effect.Path == "" || o.U.effect.Path == bashsafety.HoleMark
}

// knownEnds are the literal parts that a path begins and ends with.
func knownEnds(e *bashsafety.Effect) (head, tail string) {
	head, tail = e.Path, e.Path
	if i := strings.Index(head, bashsafety.HoleMark); i >= 0 {
		head, tail = head[:i], tail[strings.LastIndex(tail, bashsafety.HoleMark)+1:]
	}
	if rest, ok := strings.CutPrefix(tail, "/cwd/"); ok && head == "/proc/" {
		head, tail = "/", "/"+rest // the folder a process is in
	}
	if e.Glob {
		tail = tail[strings.LastIndexAny(tail, "*?[]")+1:]
	}
	return head, tail
}

// Openings lists the places of the text that may touch a file that is not known: none of a text that may be no command.
func (c *reading) Openings() []Opening {
	if c.Script() == nil || c.Call().Guessed != "" {
		return nil
	}
	var open []Opening
	for u := range c.Units() {
		if u.sub != nil && u.sub.Script == nil && mayBeAnyFile(u.effect) {
			open = append(open, Opening{u, u.sub, u.write})
		}
	}
	for i := range c.Script().Subcommands {
		if s := &c.Script().Subcommands[i]; s.Code && s.Script == nil {
			open = append(open, Opening{Sub: s})
		}
	}
	return open
}

// mayBeAnyFile reports whether an effect shows or changes what a file holds that is
// only known when it runs.
func mayBeAnyFile(e *bashsafety.Effect) bool {
	if e == nil || e.Known || e.Temp {
		return false
	}
	if e.Glob && !strings.Contains(e.Path, bashsafety.HoleMark) {
		return false // the pattern says which
	}
	switch e.Kind {
	case bashsafety.Read, bashsafety.Source:
		return !e.Silent && !e.Key && !strings.HasPrefix(e.Path, "/dev/fd/")
	case bashsafety.Write, bashsafety.Delete:
		return true
	}
	return false
}
