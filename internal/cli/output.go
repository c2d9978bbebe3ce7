package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/term"
	"github.com/permgate--owner/permgate/rules"
)

// An output is standard output. Lines for people are broken where a terminal
// ends. It remembers the first write that failed: what was not printed was not
// answered, even if the subcommand thinks it did.
type output struct {
	w       io.Writer
	columns int    // 0 where nothing is broken
	line    []byte // a line that has not ended yet
	err     error
	left    bool // a reader that goes away has seen what it wanted, as that of a list
}

// columnsOf is how wide lines for people may be: $COLUMNS, or the width of the
// terminal; 0, which breaks nothing, for scripts and pipes.
func columnsOf(w io.Writer, getenv func(string) string) int {
	const least = 20
	if getenv != nil {
		if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
			return max(n, least)
		}
	}
	if term.Is(w) {
		return max(term.Width(w), least)
	}
	return 0
}

// Write prints text for people.
func (o *output) Write(p []byte) (int, error) {
	if o.columns == 0 {
		return o.write(p)
	}
	o.line = append(o.line, p...)
	end := bytes.LastIndexByte(o.line, '\n') + 1
	text := o.line[:end]
	var folded []byte
	for line := range bytes.Lines(text) {
		s := string(line[:len(line)-1])
		folded = append(append(folded, term.Fold(s, term.Hang(s, o.columns), o.columns)...), '\n')
	}
	o.line = append([]byte(nil), o.line[end:]...)
	if _, err := o.write(folded); err != nil {
		return 0, err
	}
	return len(p), nil
}

// machine is where text goes that is not prose: JSON, scripts, diffs.
func (e *env) machine() io.Writer {
	if o, ok := e.out.(*output); ok {
		return asIs{o}
	}
	return e.out
}

type asIs struct{ o *output }

func (a asIs) Write(p []byte) (int, error) {
	a.o.flush()
	return a.o.write(p)
}

// flush prints a line that was not ended.
func (o *output) flush() {
	if len(o.line) > 0 {
		o.write(o.line)
		o.line = nil
	}
}

func (o *output) write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil && o.err == nil && !(o.left && closedPipe(err)) {
		o.err = err
	}
	return n, err
}

// File is the file that is written to, nil for none: whether it is a terminal
// depends on it.
func (o *output) File() *os.File {
	f, _ := o.w.(*os.File)
	return f
}

// needed says that what is printed is all a subcommand is for, the exit code being
// no answer: then a standard output that was closed is a failure too.
func (e *env) needed() {
	if o, ok := e.out.(*output); ok && o.err == nil && term.Closed(o) {
		o.err = os.ErrClosed
	}
}

func closedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) || errors.Is(err, io.ErrClosedPipe)
}

// wrapped prints text with an indentation, broken between words where a
// terminal ends.
func (e *env) wrapped(indent, text string) {
	e.columns(indent, len(indent), text)
}

// width is the columns a line may take; 0 where nothing needs breaking.
func (e *env) width() int {
	if o, ok := e.out.(*output); ok {
		return o.columns
	}
	return 0
}

// prose prints paragraphs; their lines are filled again where the terminal is
// narrower than they are written.
func (e *env) prose(text string) {
	wide := 0
	for line := range strings.Lines(text) {
		wide = max(wide, term.Columns(strings.TrimSuffix(line, "\n")))
	}
	if width := e.width(); width == 0 || wide <= width {
		fmt.Fprint(e.out, text)
		return
	}
	var paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			fmt.Fprintln(e.out, term.Fold(strings.Join(paragraph, " "), 0, e.width()))
		}
		paragraph = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && line[0] != ' ' && !strings.Contains(line, "  ") { // neither a list nor a table
			paragraph = append(paragraph, line)
			continue
		}
		end()
		fmt.Fprintln(e.out, line)
	}
	end()
}

// wrap is a line that begins with first, folded at columns.
func wrap(first, text string, columns int) string {
	return term.Fold(first+text, len(first), columns) + "\n"
}

// backticks are more in a row than any text has, and at least that many.
func backticks(text string, least int) string {
	run := 0
	for _, c := range text {
		if run++; c != '`' {
			run = 0
		}
		least = max(least, run+1)
	}
	return strings.Repeat("`", least)
}

// heading prints the heading of a part.
func (e *env) heading(text string) { fmt.Fprintf(e.out, "\n%s\n", text) }

// columns prints text after a line that already takes col columns.
func (e *env) columns(line string, col int, text string) {
	fmt.Fprintln(e.out, term.Fold(line+hookio.Escape(text), col, e.width()))
}

// pairs prints names and values in two columns.
func (e *env) pairs(list [][2]string) {
	wide := 0
	for _, l := range list {
		wide = max(wide, len(l[0]))
	}
	for _, l := range list {
		e.columns(fmt.Sprintf("%-*s  ", wide, l[0]), wide+2, l[1])
	}
}

// table prints rows in columns; the last one is not padded. A cell that is too
// wide does not widen its column.
func (e *env) table(indent string, rows [][]string) {
	const most = 48
	var wide []int
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			if n := len([]rune(cell)); n <= most {
				wide[i] = max(wide[i], n)
			}
		}
	}
	for _, row := range rows {
		var b strings.Builder
		b.WriteString(indent)
		for i, cell := range row[:len(row)-1] {
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", max(wide[i]-len([]rune(cell)), 0)+2))
		}
		b.WriteString(row[len(row)-1])
		fmt.Fprintln(e.out, strings.TrimRight(b.String(), " "))
	}
}

// An object writes one JSON object on one line, keys in the order they come.
type object struct{ b []byte }

func (o *object) key(k string) {
	if len(o.b) == 0 {
		o.b = append(o.b, '{')
	} else {
		o.b = append(o.b, ',')
	}
	o.b = append(hookio.AppendJSON(o.b, k), ':')
}

// str writes a text.
func (o *object) str(k, v string)     { o.key(k); o.b = hookio.AppendJSON(o.b, v) }

// num writes a number.
func (o *object) num(k string, v int) { o.key(k); o.b = strconv.AppendInt(o.b, int64(v), 10) }

// boolean writes a truth value.
func (o *object) boolean(k string, v bool) { o.key(k); o.b = strconv.AppendBool(o.b, v) }

// raw writes JSON.
func (o *object) raw(k string, v []byte)   { o.key(k); o.b = append(o.b, v...) }

// opt writes a string that is not empty.
func (o *object) opt(k, v string) {
	if v != "" {
		o.str(k, v)
	}
}

// strs writes a list of texts.
func (o *object) strs(k string, v []string) {
	o.key(k)
	o.b = append(o.b, '[')
	for i, s := range v {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = hookio.AppendJSON(o.b, s)
	}
	o.b = append(o.b, ']')
}

// An opt is a text that is left out where it is empty.
type opt string

// add writes keys and their values in turn, a value being a text, a number, a truth value,
// a list of texts, JSON, or what has a text.
func (o *object) add(pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		key := pairs[i].(string)
		switch v := pairs[i+1].(type) {
		case string:
			o.str(key, v)
		case opt:
			o.opt(key, string(v))
		case int:
			o.num(key, v)
		case bool:
			o.boolean(key, v)
		case []string:
			o.strs(key, v)
		case []byte:
			o.raw(key, v)
		default:
			o.str(key, fmt.Sprint(v))
		}
	}
}

// list writes n objects.
func (o *object) list(k string, n int, fill func(i int, o *object)) {
	o.key(k)
	o.b = append(o.b, '[')
	for i := range n {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		var el object
		fill(i, &el)
		o.b = append(o.b, el.end()...)
	}
	o.b = append(o.b, ']')
}

// end is the whole object.
func (o *object) end() []byte {
	if len(o.b) == 0 {
		return []byte("{}")
	}
	return append(o.b, '}')
}

// printJSON prints a report on one line, and returns the exit code.
func (e *env) printJSON(report any) int {
	text, err := json.Marshal(report)
	if err != nil {
		return e.fail("", "%v", err)
	}
	e.machine().Write(append(text, '\n'))
	return exitOK
}

// place names a place in a file as the user would: relative below the working
// directory, with ~ below home.
func (e *env) place(p rules.Pos) string {
	if p.Line == 0 {
		return e.path(p.File)
	}
	return fmt.Sprintf("%s:%d", e.path(p.File), p.Line)
}

// path names a file in the same way, fit to print.
func (e *env) path(name string) string {
	for _, dir := range [...]struct{ path, short string }{
		{e.world.Cwd, ""}, {e.world.Getenv("HOME"), "~/"}, {e.world.PasswdHome, "~/"},
	} {
		if dir.path == "" || dir.path == "/" {
			continue
		}
		if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(dir.path, "/")+"/"); ok {
			return hookio.Escape(dir.short + rest)
		}
	}
	return hookio.Escape(name)
}

// abs is a file as the user named it, from the root on.
func (e *env) abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.world.Cwd, name)
}

// fault is one line about what is wrong with a settings file, fit to print.
func (e *env) fault(f *rules.Fault) string {
	return hookio.Escape(e.path(f.Pos.String()) + ": " + f.Msg)
}

// short writes the paths in a reason as path does. The reason itself, which
// goes to the host, always has them in full.
func (e *env) short(reason string) string {
	for _, dir := range [...]struct{ path, short string }{
		{e.world.Cwd, ""}, {e.world.Getenv("HOME"), "~/"},
	} {
		if len(dir.path) < 2 {
			continue
		}
		long := strings.TrimSuffix(dir.path, "/") + "/"
		for _, before := range [...]string{"(", "`", "\"", " "} {
			reason = strings.ReplaceAll(reason, before+long, before+dir.short)
		}
	}
	return reason
}

// plural spells a number of things.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// cut shortens s to n columns.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return string(r[:n-3]) + "..."
}

// pad fills a word with blanks up to n columns.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(n-utf8.RuneCountInString(s), 0))
}

// logWidth is the columns of a line of the log where the output is no terminal.
const logWidth = 160

// topOf is how many rules and prompts --stats names.
const topOf = 10
