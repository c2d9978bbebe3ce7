package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
)

// A text with a cd is decided as if each cd could fail. If that asks, it is decided again, as if those cds work that
// are proven to. So denials and the catastrophic list always count both readings.

// readAgain returns the text in the reading that answers a question of step 2, 3b or 5: the one in which the cds work
// that will. A denial and a question about a catastrophe count in any reading, and so does every question where a
// deny rule could match some part; otherwise a question counts where each reading asks one, and is that of the last.
// text is nil where there is no such reading, or it was read so already; note names the cd that the question depends
// on.
func readAgain(in *Input, c facts.Facts, step string, asked verdict.Asked) (text *bashsafety.Analysis, note string) {
	if in.Reread == nil || !changesFolder(c) || asked.Catastrophic() || couldBeDenied(c) {
		return nil, ""
	}
	if !in.settledCds {
		text = in.reread(func(e *bashsafety.Entering) bool { return enters(c, e) })
	}
	if text == nil {
		note = nameCd(in, c, step)
	}
	return text, note
}

// couldBeDenied reports whether a deny rule could match a part of the call.
func couldBeDenied(c facts.Facts) bool {
	for list := range c.DenyLists() {
		if u, _ := c.Match(list.Rules, false); u != nil {
			return true
		}
	}
	return false
}

// nameCd says which cd a question of a step depends on: the cds are taken to work one after another, and it
// is the one with which nothing is asked any more.
func nameCd(in *Input, c facts.Facts, step string) string {
	const most, longest = 4, 4 << 10 // cds that are tried, and the text
	var works []string
	for len(works) < most && len(c.Call().Command) < longest {
		name := ""
		text := in.reread(func(e *bashsafety.Entering) bool {
			word := facts.Spell([]bashsafety.Word{*e.Dir})
			if enters(c, e) || slices.Contains(works, word) {
				return true
			}
			if name == "" {
				name = word
			}
			return word == name
		})
		if name == "" || text == nil {
			return ""
		}
		if !asksIn(in.readAs(c, text).Facts(), step) {
			return "; that is so if " + say.Quoted("cd "+name) + " fails"
		}
		works = append(works, name)
	}
	return ""
}

// changesFolder reports whether a cd is in the text.
func changesFolder(c facts.Facts) bool {
	for i := range c.Script().Subcommands {
		if c.Script().Subcommands[i].Program == "cd" {
			return true
		}
	}
	return false
}

// reread is the text where some cds work, nil where none of them does.
func (in *Input) reread(works func(*bashsafety.Entering) bool) *bashsafety.Analysis {
	some := false
	text := in.Reread(func(e *bashsafety.Entering) bool {
		yes := works(e)
		some = some || yes
		return yes
	})
	if !some {
		return nil
	}
	return text
}

// enters reports whether a cd works: nothing in the text can change that, and all that it may mean are folders that
// this user can enter now.
func enters(c facts.Facts, e *bashsafety.Entering) bool {
	if !e.Settled || len(e.Dirs) == 0 || c.World().Blind() || c.World().AnyDisk {
		return false
	}
	if !fixedPlace(e.Dir.Text) && cdReplaced(c) {
		return false
	}
	return !slices.ContainsFunc(e.Dirs, func(dir string) bool { return !c.World().Enterable(dir) })
}

// fixedPlace reports whether neither CDPATH nor what takes the place of cd looks for a folder elsewhere.
func fixedPlace(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return first == "" || first == "." || first == ".."
}

// cdReplaced reports whether cd may look elsewhere, or be a function or an alias of the shell that the host starts.
func cdReplaced(c facts.Facts) bool {
	if c.World().Environ == nil || c.World().Variable("CDPATH") != "" {
		return true
	}
	h := c.Call().Host
	if h == nil || h.Snapshots == "" || h.Register == nil {
		return false
	}
	folders := []string{path.Join(c.Policy().Home.Given, path.Base(h.Register.Folder), h.Snapshots)}
	if dir := world.Folder(c.World(), h.Register.Moved.To); dir != "" {
		folders = append(folders, path.Join(dir, h.Snapshots))
	}
	return slices.ContainsFunc(folders, c.World().ReplacesCd)
}
