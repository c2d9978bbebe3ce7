package decide

import (
	"slices"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
)

// A text is read twice where it depends on a cd: as if each cd could fail, and, only where that comes to a question,
// as if those worked that will. So denials and the catastrophic list always count both.

// readAgain returns the text in the reading that answers a question of step 2, 3b or 5: the one in which the cds work
// that will. A denial and a question about a catastrophe count in any reading, and so does every question where a
// deny rule could match some part; otherwise a question counts where each reading asks one, and is that of the last.
// text is nil where there is no such reading, or it was read so already; note names the cd that the question depends
// on.
func readAgain(in *Input, c facts.Facts, step string, asked verdict.Asked) (text *bashsafety.Analysis, note string) {
	if !c.Rereads() || !c.ChangesFolder() || asked.Catastrophic() || couldBeDenied(c) {
		return nil, ""
	}
	if !in.settledCds {
		text = c.Reread(c.Enters)
	}
	if text == nil {
		note = nameCd(c, step)
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
func nameCd(c facts.Facts, step string) string {
	const most, longest = 4, 4 << 10 // cds that are tried, and the text
	var works []string
	for len(works) < most && len(c.Call().Command) < longest {
		name := ""
		text := c.Reread(func(e *bashsafety.Entering) bool {
			word := facts.Spell([]bashsafety.Word{*e.Dir})
			if c.Enters(e) || slices.Contains(works, word) {
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
		if !asksIn(c.ReadAs(text), step) {
			return "; that is so if " + say.Quoted("cd "+name) + " fails"
		}
		works = append(works, name)
	}
	return ""
}
