package subcmd

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
	"github.com/permgate--owner/permgate/internal/explain"
	"github.com/permgate--owner/permgate/internal/term"
	"github.com/permgate--owner/permgate/rules"
)

// An Output is standard output, lines for people broken where a terminal ends. It remembers the first write that
// failed: what was not printed was not answered.
type Output struct {
	w       io.Writer
	columns int    // 0 where nothing is broken
	line    []byte // a line that has not ended yet
	err     error
	Left    bool // a reader that goes away has seen what it wanted, as that of a list
}

// columnsOf is how wide lines for people may be: $COLUMNS or the terminal; 0, no breaks, for scripts and pipes.
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
func (o *Output) Write(p []byte) (int, error) {
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

// Machine is where text goes that is not prose: JSON, scripts, diffs.
func (e *Env) Machine() io.Writer {
	if o, ok := e.Out.(*Output); ok {
		return asIs{o}
	}
	return e.Out
}

type asIs struct{ o *Output }

func (a asIs) Write(p []byte) (int, error) {
	a.o.flush()
	return a.o.write(p)
}

func (o *Output) flush() {
	if len(o.line) > 0 {
		o.write(o.line)
		o.line = nil
	}
}

func (o *Output) write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil && o.err == nil && !(o.Left && closedPipe(err)) {
		o.err = err
	}
	return n, err
}

// File is the file that is written to, nil for none.
func (o *Output) File() *os.File {
	f, _ := o.w.(*os.File)
	return f
}

// Needed says that the output is all a subcommand is for: then a closed standard output is a failure too.
func (e *Env) Needed() {
	if o, ok := e.Out.(*Output); ok && o.err == nil && term.Closed(o) {
		o.err = os.ErrClosed
	}
}

func closedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) || errors.Is(err, io.ErrClosedPipe)
}

// Wrapped prints text with an indentation, broken between words where a terminal ends.
func (e *Env) Wrapped(indent, text string) {
	e.Columns(indent, len(indent), text)
}

// Width is the columns a line may take; 0 where nothing needs breaking.
func (e *Env) Width() int {
	if o, ok := e.Out.(*Output); ok {
		return o.columns
	}
	return 0
}

// Prose prints paragraphs, filled again where the terminal is narrower.
func (e *Env) Prose(text string) {
	wide := 0
	for line := range strings.Lines(text) {
		wide = max(wide, term.Columns(strings.TrimSuffix(line, "\n")))
	}
	if width := e.Width(); width == 0 || wide <= width {
		fmt.Fprint(e.Out, text)
		return
	}
	var paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			fmt.Fprintln(e.Out, term.Fold(strings.Join(paragraph, " "), 0, e.Width()))
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
		fmt.Fprintln(e.Out, line)
	}
	end()
}

// Wrap is a line that begins with first, folded at columns.
func Wrap(first, text string, columns int) string {
	return term.Fold(first+text, len(first), columns) + "\n"
}

// Backticks are more in a row than any text has, and at least that many.
func Backticks(text string, least int) string {
	run := 0
	for _, c := range text {
		if run++; c != '`' {
			run = 0
		}
		least = max(least, run+1)
	}
	return strings.Repeat("`", least)
}

// Heading prints the heading of a part.
func (e *Env) Heading(text string) { fmt.Fprintf(e.Out, "\n%s\n", text) }

// Columns prints text after a line that already takes col columns.
func (e *Env) Columns(line string, col int, text string) {
	fmt.Fprintln(e.Out, term.Fold(line+hookio.Escape(text), col, e.Width()))
}

// Table prints rows in columns, the last not padded. A cell that is too wide does not widen its column; a row of one
// cell is a line.
func (e *Env) Table(indent string, rows [][]string) {
	const most = 48
	var wide []int
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			if n := term.Columns(cell); n <= most {
				wide[i] = max(wide[i], n)
			}
		}
	}
	for _, row := range rows {
		var b strings.Builder
		b.WriteString(indent)
		for i, cell := range row[:len(row)-1] {
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", max(wide[i]-term.Columns(cell), 0)+2))
		}
		last := row[len(row)-1]
		hang := term.Columns(b.String()) + len(last) - len(strings.TrimLeft(last, " "))
		fmt.Fprintln(e.Out, strings.TrimRight(term.Fold(b.String()+last, hang, e.Width()), " "))
	}
}

// Names of package explain for objects of any kind.
type (
	Object = explain.Object
	Opt    = explain.Opt
)

// NewObject is an object with these keys and values, as Add takes them.
func NewObject(pairs ...any) *Object { return explain.NewObject(pairs...) }

// PrintObject prints an object on one line, and returns the exit code.
func (e *Env) PrintObject(o *Object) int {
	e.Machine().Write(append(o.End(), '\n'))
	return ExitOK
}

// PrintJSON prints a report on one line, and returns the exit code.
func (e *Env) PrintJSON(report any) int {
	text, err := json.Marshal(report)
	if err != nil {
		return e.Fail("", "%v", err)
	}
	e.Machine().Write(append(text, '\n'))
	return ExitOK
}

// Place names a place in a file as the user would: below the working directory, or with ~ below home.
func (e *Env) Place(p rules.Pos) string {
	if p.Line == 0 {
		return e.Path(p.File)
	}
	return fmt.Sprintf("%s:%d", e.Path(p.File), p.Line)
}

// Path names a file in the same way, fit to print. What is below the working directory or the home has slashes on
// every system, as in rules and in a diff.
func (e *Env) Path(name string) string {
	for _, dir := range [...]struct{ path, short string }{
		{e.World.Cwd, ""}, {e.World.Getenv("HOME"), "~/"}, {e.World.PasswdHome, "~/"},
	} {
		if dir.path == "" || dir.path == "/" {
			continue
		}
		if rest, ok := e.Below(name, dir.path); ok {
			return hookio.Escape(dir.short + rest)
		}
	}
	return hookio.Escape(e.World.OS.Native(name))
}

// Below is what leads from a folder to a file in it, with slashes. It takes either spelling of each.
func (e *Env) Below(name, dir string) (rest string, ok bool) {
	os := e.World.OS
	return strings.CutPrefix(os.Slashes(os.Canon(name)), strings.TrimSuffix(os.Slashes(os.Canon(dir)), "/")+"/")
}

// Abs is a file as the user named it, from the root on.
func (e *Env) Abs(name string) string {
	if name = e.World.OS.Native(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.World.Cwd, name)
}

// Fault is one line about what is wrong with a settings file, fit to print.
func (e *Env) Fault(f *rules.Fault) string {
	return hookio.Escape(e.Path(f.Pos.String()) + ": " + f.Msg)
}

// Short writes the paths in a reason as Path does. The host gets them in full.
func (e *Env) Short(reason string) string {
	for _, dir := range [...]struct{ path, short string }{
		{e.World.Cwd, ""}, {e.World.Getenv("HOME"), "~/"},
	} {
		if len(dir.path) < 2 {
			continue
		}
		longs := []string{strings.TrimSuffix(dir.path, "/") + "/"}
		if e.World.OS == rules.Windows {
			longs = append(longs, strings.TrimSuffix(dir.path, `\`)+`\`, e.World.OS.Canon(dir.path)+"/")
		}
		for _, long := range longs {
			for _, before := range [...]string{"(", "`", "\"", " "} {
				reason = e.shorten(reason, before+long, before+dir.short)
			}
		}
	}
	return reason
}

// shorten replaces the beginning of paths, and has slashes in what is left of each.
func (e *Env) shorten(text, long, short string) string {
	parts := strings.Split(text, long)
	for i := 1; i < len(parts) && e.World.OS == rules.Windows; i++ {
		end := strings.IndexAny(parts[i]+" ", " `\"():,")
		parts[i] = e.World.OS.Slashes(parts[i][:end]) + parts[i][end:]
	}
	return strings.Join(parts, short)
}

// Plural spells a number of things.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// Cut shortens s to n columns.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return string(r[:n-3]) + "..."
}

// Pad fills a word with blanks up to n columns.
func Pad(s string, n int) string {
	return s + strings.Repeat(" ", max(n-utf8.RuneCountInString(s), 0))
}

// LogWidth is the columns of a line of the log where the output is no terminal.
const LogWidth = 160

// TopOf is how many rules and prompts --stats names.
const TopOf = 10
