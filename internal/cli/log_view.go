package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/rules"
)

// columns of a line of the log where the output is no terminal.
const logWidth = 160

// A logView prints calls of the log. Every text from the log is escaped on its way.
type logView struct {
	e     *env
	w     *bufio.Writer
	paint func(hookio.Decision, string) string
	width int
}

func newLogView(e *env, w *bufio.Writer) *logView {
	v := &logView{e: e, w: w, paint: e.paint(), width: logWidth}
	if width := e.width(); width > 0 {
		v.width = max(width, 60)
	}
	return v
}

// end flushes the output; that it could not be written is for Main to say.
func (v *logView) end() int {
	v.w.Flush()
	return exitOK
}

// call prints one call on a line, and the reason below unless it was allowed.
func (v *logView) call(c *loggedCall) {
	word, colour := c.answer()
	head := stamp(&c.Record) + "  " + pad(cmp.Or(hookio.Escape(c.Host), "-"), 8) + "  "
	tail := "  (" + v.source(c) + ")"
	if b := c.became(); b != "" {
		tail += "  " + b
	}
	room := max(v.width-len(head)-9-utf8.RuneCountInString(tail), 40)
	title := cut(cmp.Or(loggedTitle(&c.Record), "-"), room)
	fmt.Fprintf(v.w, "%s%s  %s%s\n", head, v.paint(colour, pad(word, 7)), title, tail)
	if c.Decision != "allow" && c.Reason != "" && !c.quiet() {
		v.w.WriteString("    " + cut(v.e.short(hookio.Escape(c.Reason)), 2*v.width) + "\n")
	}
}

// outcome prints what became of a call that was printed before.
func (v *logView) outcome(c *loggedCall) {
	head := stamp(c.outcome) + "  " + pad(cmp.Or(hookio.Escape(c.Host), "-"), 8) + "  "
	title := cut(loggedTitle(&c.Record), max(v.width-len(head)-9, 40))
	fmt.Fprintf(v.w, "%s%s  %s\n", head, v.paint(hookio.Pass, pad(c.became(), 7)), title)
}

// quiet reports whether nothing of ours spoke about a call. Earlier versions
// logged a reason all the same.
func (c *loggedCall) quiet() bool {
	nothingSpoke := c.Fault == "" && c.Rule == "" && c.Check == ""
	return nothingSpoke && c.Answered == log.Silence && !c.Observed
}

// dialog prints that the program asks its user about a call that was printed before.
func (v *logView) dialog(c *loggedCall) {
	head := stamp(c.dialog) + "  " + pad(cmp.Or(hookio.Escape(c.Host), "-"), 8) + "  "
	title := cut(loggedTitle(&c.Record), max(v.width-len(head)-9, 40))
	fmt.Fprintf(v.w, "%s%s  %s\n", head, v.paint(hookio.Ask, pad("dialog", 7)), title)
}

func stamp(r *log.Record) string { return r.Time.Local().Format("2006-01-02 15:04:05") }

// answer is what the program was told, in parentheses where it was told nothing
// because permgate only observed.
func (c *loggedCall) answer() (word string, colour hookio.Decision) {
	switch {
	case c.Fault != "":
		return "fault", hookio.Deny
	case c.Observed:
		return "(" + hookio.Escape(c.answered()) + ")", decision(c.answered())
	}
	return hookio.Escape(c.Answered), decision(c.Answered)
}

// answered is what the program was told, or would have been.
func (c *loggedCall) answered() string {
	if c.Observed {
		return cmp.Or(c.Would, c.Decision)
	}
	return c.Answered
}

func decision(word string) hookio.Decision {
	for _, d := range [...]hookio.Decision{hookio.Allow, hookio.Ask, hookio.Deny} {
		if d.String() == word {
			return d
		}
	}
	return hookio.Pass
}

// source names what decided, and the decision where the program was told another.
func (v *logView) source(c *loggedCall) string {
	if c.Fault != "" {
		return hookio.Escape(c.Fault + ", told " + cmp.Or(c.Answered, "deny"))
	}
	s := "step " + c.Step
	if c.Origin != "" && c.Origin != c.Step {
		s += " after " + c.Origin
	}
	if c.answered() != c.Decision {
		s = c.Decision + ", " + s
	}
	if c.hostAsked() || c.OfDialog() {
		s = "dialog, " + s
	}
	switch {
	case c.Rule != "":
		s += ": " + v.e.place(parsePlace(c.RulePlace)) + "  " + c.Rule
	case c.Check != "":
		s += ": check " + c.Check
	case c.Step == "7" || c.Origin == "7" && c.AutoBy != "":
		s += ": mode " + c.Mode + judged(&c.Record)
	case decide.StepName(c.Step) != "":
		s += ": " + decide.StepName(c.Step)
	}
	return hookio.Escape(s)
}

// judged is what mode auto made of a call, and who said so.
func judged(r *log.Record) string {
	switch r.AutoBy {
	case decide.ByOperator:
		return fmt.Sprintf(", your classifier: %s, %v", r.Auto, r.AutoTook)
	case decide.ByCache:
		return ", your classifier: " + r.Auto + " (as before)"
	}
	return ""
}

// parsePlace reads file:line:col; the file may hold colons.
func parsePlace(s string) rules.Pos {
	p := rules.Pos{File: s}
	rest, col, ok := cutLast(s)
	file, line, ok2 := cutLast(rest)
	if ok && ok2 {
		p = rules.Pos{File: file, Line: line, Col: col}
	}
	return p
}

func cutLast(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}

// loggedTitle names a logged call on one line, as title does a call.
func loggedTitle(r *log.Record) string {
	in := gjson.Parse(r.Input)
	tool := r.RawTool
	if tool == "" {
		tool = r.Tool
	}
	for _, key := range [...]string{"command", gate.Primary(r.Tool), "file_path", "path", "paths", "pattern",
		"url", "query", "name"} {
		f := in.Get(gjson.Escape(key))
		switch {
		case f.Type == gjson.String && f.Str != "" && key == "command" && r.Tool != "Edit":
			return hookio.Escape(f.Str)
		case f.Type == gjson.String && f.Str != "":
			return hookio.Escape(tool + " " + f.Str)
		case f.IsArray():
			var parts []string
			for _, el := range f.Array() {
				parts = append(parts, el.String())
			}
			return hookio.Escape(tool + " " + strings.Join(parts, " "))
		}
	}
	return hookio.Escape(tool)
}

// pad fills a word with blanks up to n columns.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(n-utf8.RuneCountInString(s), 0))
}

// cut shortens s to n columns.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return string(r[:n-3]) + "..."
}

// lines prints the stored lines of the chosen calls, and, where no call is
// asked for, those that are about none.
func (v *logView) lines(b *logIndex, chosen []*loggedCall, o *logOptions) {
	want := make(map[*loggedCall]bool, len(chosen))
	for _, c := range chosen {
		want[c] = true
	}
	for i := range b.lines {
		l := &b.lines[i]
		wanted := want[l.call]
		if l.call == nil {
			wanted = o.last == 0 && o.filter.takesLine(&l.rec)
		}
		if wanted {
			v.w.WriteString(l.text + "\n")
		}
	}
}
