package facts

import (
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// With "rememberYes" a person is not asked the same twice in a session: what they said yes to in the
// host's own dialog is kept in the session state (internal/gate/state), and takes back the same question
// about the same target. It grants nothing: the other steps answer as if there had been no such question.

// The kinds of targets.
const (
	YesWrite   = "write"
	YesFolder  = "write below" // a folder was shown
	YesDelete  = "delete"
	YesRead    = "read"       // a file, or the names in a folder
	YesSearch  = "read below" // what is in the files of a folder
	YesContent = "edit"
	YesGit     = "git"
)

// A Yes is a question that the person said yes to.
type Yes struct {
	say.Target
	At time.Time
}

// String names the question as messages do.
func (y *Yes) String() string {
	if strings.HasPrefix(y.Kind, YesGit+" ") {
		return y.Kind + " in " + say.Quoted(rules.NativeOS().Native(y.Given))
	}
	return y.Kind + " " + say.Quoted(rules.NativeOS().Native(y.Given))
}

// Answered reports whether the person said yes to a question about a target, or twice to one about another file of its
// folder; of prose once. A yes to the content of a file was one to writing it, too, wherever it lies.
func (c *matcher) Answered(q say.Target) bool {
	if q == (say.Target{}) || !c.Remembers() || c.in.Answered == nil {
		return false
	}
	if !c.askedYes {
		c.yes, c.askedYes = c.in.Answered(), true
	}
	var near []Yes // to other files of the folder
	for _, y := range c.yes {
		prose, same := y.Kind == YesContent, y.Target
		if same.Folder = q.Folder; prose && q.Kind == YesWrite {
			same.Kind = YesWrite
		}
		switch {
		case same == q:
			near, prose = nil, true
		case y.Folder == "" || y.Folder != q.Folder || same.Kind != q.Kind:
			continue
		}
		if near = append(near, y); prose || y.At != near[0].At {
			c.usedYes = append(c.usedYes, near...)
			return true
		}
	}
	return false
}

// Remembers reports whether a yes to a question of this call counts later. A subagent under "strict" inherits none.
func (c *scene) Remembers() bool {
	ofServer := c.Call().OfServer() && c.Call().Guessed == "" // the program shows a question about such a tool
	known := !c.Call().Alias || ofServer
	return c.Policy().Posture.RememberYes.On() && !c.Strict() && known && c.Call().Malformed == ""
}

// YesNotes says what the person said yes to, where that took a question back.
func (c *matcher) YesNotes() (notes string) {
	for i := range c.usedYes {
		if y := c.usedYes[i]; !slices.Contains(c.usedYes[:i], y) {
			notes += "; you said yes to " + y.String() + " at " + y.At.Local().Format("15:04")
		}
	}
	return notes
}
