package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
)

// A text is read twice where it depends on a cd: as if each cd could fail, and, only where that comes to a question,
// as if those worked that will. So denials and the catastrophic list always count both.

// readAgain returns the text in the reading that answers a question of step 2, 3b or 5: the one in which the cds work
// that will. A denial and a question about a catastrophe count in any reading, and so does every question where a
// deny rule could match some part; otherwise a question counts where each reading asks one, and is that of the last.
// text is nil where there is no such reading, or it was read so already; note names the cd that the question depends
// on.
func (c *Case) readAgain(step string, asked verdict.Asked) (text *bashsafety.Analysis, note string) {
	if c.Reread == nil || !c.changesFolder() || asked.Catastrophic() || c.couldBeDenied() {
		return nil, ""
	}
	if !c.settledCds {
		text = c.reread(c.enters)
	}
	if text == nil {
		note = c.nameCd(step)
	}
	return text, note
}

// couldBeDenied reports whether a deny rule could match a part of the call.
func (c *Case) couldBeDenied() bool {
	for list := range c.denyLists() {
		if u, _ := c.match(list.rules, false); u != nil {
			return true
		}
	}
	return false
}

// changesFolder reports whether a cd is in the text.
func (in *Input) changesFolder() bool {
	for i := range in.Script.Subcommands {
		if in.Script.Subcommands[i].Program == "cd" {
			return true
		}
	}
	return false
}

// reread is the text where some cds work, nil where none of them does.
func (c *Case) reread(works func(*bashsafety.Entering) bool) *bashsafety.Analysis {
	some := false
	text := c.Reread(func(e *bashsafety.Entering) bool {
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
func (c *Case) enters(e *bashsafety.Entering) bool {
	if !e.Settled || len(e.Dirs) == 0 || c.World.Blind() || c.World.AnyDisk {
		return false
	}
	if !fixedPlace(e.Dir.Text) && c.cdReplaced() {
		return false
	}
	return !slices.ContainsFunc(e.Dirs, func(dir string) bool { return !c.World.Enterable(dir) })
}

// fixedPlace reports whether neither CDPATH nor what takes the place of cd looks for a folder elsewhere.
func fixedPlace(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return first == "" || first == "." || first == ".."
}

// cdReplaced reports whether cd may look elsewhere, or be a function or an alias of the shell that the host starts.
func (c *Case) cdReplaced() bool {
	if c.World.Environ == nil || c.World.Variable("CDPATH") != "" {
		return true
	}
	h := c.Call.Host
	if h == nil || h.Snapshots == "" || h.Register == nil {
		return false
	}
	folders := []string{path.Join(c.Policy.Home.Given, path.Base(h.Register.Folder), h.Snapshots)}
	if dir := world.Folder(c.World, h.Register.Moved.To); dir != "" {
		folders = append(folders, path.Join(dir, h.Snapshots))
	}
	return slices.ContainsFunc(folders, c.World.ReplacesCd)
}

// nameCd says which cd a question of a step depends on: the cds are taken to work one after another, and it
// is the one with which nothing is asked any more.
func (c *Case) nameCd(step string) string {
	const most, longest = 4, 4 << 10 // cds that are tried, and the text
	var works []string
	for len(works) < most && len(c.Call.Command) < longest {
		name := ""
		text := c.reread(func(e *bashsafety.Entering) bool {
			word := Spell([]bashsafety.Word{*e.Dir})
			if c.enters(e) || slices.Contains(works, word) {
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
		again := c.readAs(text)
		if again.prepare(); !again.asksIn(step) {
			return "; that is so if " + say.Quoted("cd "+name) + " fails"
		}
		works = append(works, name)
	}
	return ""
}
