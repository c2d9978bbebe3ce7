package differ

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/test/spec"
)

// A call is a tool call that has the facts of a case, and the texts of rules that match it.
type call struct {
	id      string // what makes it unlike the other calls of its tree
	tool    string
	input   map[string]any
	file    string // that it writes or reads; "" for none
	agent   string
	session string

	command string // of a shell text: without redirects
	pattern string // that covers the command
	could   string // that may match it
}

// call makes the call of a case.
func (t *tree) call(d *drawn, n int) *call {
	c := &call{id: fmt.Sprintf("k%04d", n), session: "s"}
	c.agent = fmt.Sprintf("a%d-%d-%d", d.Caller, d.Definition, d.Tree/13%2)
	switch d.Tool {
	case spec.Read, spec.Edit:
		c.file = t.file(d, c.id)
		c.tool = "Read"
		if d.Tool == spec.Edit {
			c.tool = [...]string{"Edit", "Write"}[d.Variant%2]
		}
		c.input = map[string]any{"file_path": c.file}
	case spec.TaskList, spec.Question, spec.PlanExit:
		c.tool = map[spec.Tool]string{spec.TaskList: "TaskList", spec.Question: "AskUserQuestion", spec.PlanExit: "ExitPlanMode"}[d.Tool]
		c.input = map[string]any{"k": c.id}
	case spec.Other:
		c.tool, c.input = "Frobnicate", map[string]any{"name": c.id}
	default:
		t.shell(d, c)
	}
	return c
}

// file is where the file of a call lies.
func (t *tree) file(d *drawn, id string) string {
	in := map[spec.Place]string{
		spec.Inside: t.project + "/" + id, spec.Outside: "/srv/permgate-differ/" + id, spec.Temporary: "/tmp/permgate-differ/" + id,
	}[d.Place]
	if d.Place == spec.HostOwn {
		if d.Tool == spec.Bash || d.Variant%3 == 0 {
			return t.scratch + "/" + id + "/f"
		}
		return t.transcripts + "/memory/" + id + ".md"
	}
	if d.Finding == spec.Sensitive {
		in += "/.husky"
	}
	return in + "/f"
}

// shell makes the text of a command.
func (t *tree) shell(d *drawn, c *call) {
	switch has := forms(d); {
	case d.Tool == spec.BashRead:
		c.command = "ls " + c.id
	case d.Finding == spec.Destructive:
		c.command = "rm -rf " + t.project + "/" + c.id
		t.texts[t.project+"/"+c.id+"/x"] = "x" // what is not there is no loss
	case d.Finding == spec.Catastrophic:
		c.command = "rm -rf /" + c.id
	case d.Finding == spec.Doubt:
		c.command, c.pattern = "make "+c.id+" !(x)", "make "+c.id+"*"
	case d.Finding == spec.Sensitive, d.Place == spec.Outside:
		c.file = t.file(d, c.id)
		c.command = "mkfifo " + c.file
	case has[spec.HeldBack]:
		c.command, c.pattern = "git -c color.ui=x log "+c.id, "git * "+c.id
	case has[spec.Could]:
		c.command, c.pattern, c.could = `make "t$T" `+c.id, "make * "+c.id, "make tx "+c.id
	case d.Place == spec.Inside:
		c.command = "make " + c.id
	default:
		c.file = t.file(d, c.id)
		c.command = "mkfifo " + c.file // which it is there to write: a redirect needs a rule of its own
	}
	if c.pattern == "" {
		c.pattern = c.command + "*"
	}
	c.tool, c.input = "Bash", map[string]any{"command": c.command}
}

// forms are the forms of the rules of a case.
func forms(d *drawn) map[spec.Form]bool {
	has := map[spec.Form]bool{}
	for _, r := range d.Rules {
		has[r.Form] = true
	}
	return has
}

// foreign reports whether a rule may be one that only the host reads.
func foreign(r spec.Rule) bool {
	return r.List == spec.Allows && r.Scope == spec.Shared && !r.Recorded
}

// realisable reports whether a rule can be written for a case, next to those it has.
func realisable(d *drawn, r spec.Rule) bool {
	has := forms(d)
	plain := d.Tool == spec.Bash && d.Place == spec.Inside && d.Finding == spec.Clean
	shell := d.Tool == spec.Bash || d.Tool == spec.BashRead
	filed := d.Tool == spec.Edit || d.Tool == spec.Read
	writes := d.Tool == spec.Bash && (d.Place != spec.Inside || d.Finding == spec.Sensitive)
	for _, o := range d.Rules {
		if sameText(r, o) {
			return false
		}
		if o.List == spec.Allows && o.Form == spec.Matches && r.Form == spec.HeldBack && !o.Wide {
			return false
		}
	}
	switch {
	case d.Host == spec.Full && (r.Form == spec.Could && slices.ContainsFunc(d.Rules, foreign) || has[spec.Could] && foreign(r)):
		return false // Claude Code asks about a text with a variable, whatever its rules say: see hosttest
	case r.Form == spec.Could:
		return plain && !has[spec.HeldBack] && !has[spec.Exact]
	case r.Form == spec.HeldBack:
		return plain && !has[spec.Could]
	case r.Form == spec.Exact:
		return shell && d.Finding != spec.Doubt && !has[spec.Could]
	case r.Form == spec.Anchored:
		return filed || writes
	case r.List == spec.Opens:
		return (filed || writes) && d.Place != spec.Inside && d.Place != spec.HostOwn
	case r.List == spec.Allows && r.Scope == spec.Session:
		return d.Tool == spec.Edit || shell
	case r.List == spec.Allows && filed:
		return d.Place == spec.Inside
	case r.List == spec.Allows && has[spec.HeldBack]:
		return false
	}
	return r.List != spec.Allows || shell || d.Tool == spec.Other
}

// rule is the text of a rule that matches a call.
func (t *tree) rule(d *drawn, c *call, i int) string {
	r := d.Rules[i]
	name := c.tool
	if d.Tool == spec.Edit {
		name = "Edit"
	}
	switch {
	case r.Wide:
		return name
	case r.List == spec.Opens:
		return strings.TrimSuffix(strings.TrimSuffix(c.file, "/f"), "/.husky")
	case r.Form == spec.Anchored:
		if d.Tool != spec.Read {
			name = "Edit"
		}
		if in, ok := strings.CutPrefix(c.file, t.home+"/"); ok && d.Variant%5 < 2 {
			return name + "(~/" + in + ")"
		}
		return name + "(/" + c.file + ")"
	case d.Tool == spec.Other:
		return "Frobnicate(" + c.id + ")"
	case c.command == "" && c.file == "":
		return c.tool + "(k:" + c.id + ")"
	case c.command == "":
		return name + "(" + t.anchor(d, c) + ")"
	case r.Form == spec.Exact:
		return "Bash(" + c.command + ")"
	case r.Form == spec.Could:
		return "Bash(" + c.could + ")"
	}
	return "Bash(" + c.pattern + ")"
}

// anchor is the path of a file as a rule may write it.
func (t *tree) anchor(d *drawn, c *call) string {
	if in, ok := strings.CutPrefix(c.file, t.project+"/"); ok {
		return [...]string{"/", "./"}[d.Variant/7%2] + in
	}
	return "/" + c.file
}
