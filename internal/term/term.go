// Package term answers what the command line asks of a terminal: is there one,
// how wide is it, is colour wanted, and does the user say yes.
package term

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// Is reports whether f is a terminal. A reader or writer that is no file is not.
func Is(f any) bool {
	file := fileOf(f)
	return file != nil && term.IsTerminal(int(file.Fd()))
}

// fileOf returns the file that f is, or that it says it writes to; nil for none.
func fileOf(f any) *os.File {
	if file, ok := f.(*os.File); ok {
		return file
	}
	if w, ok := f.(interface{ File() *os.File }); ok {
		return w.File()
	}
	return nil
}

// Colour reports whether text for f may have colours. NO_COLOR wins over FORCE_COLOR (no-color.org, force-color.org).
func Colour(f any, getenv func(string) string) bool {
	switch {
	case getenv("NO_COLOR") != "":
		return false
	case getenv("FORCE_COLOR") != "":
		return true
	case getenv("TERM") == "dumb":
		return false
	}
	return Is(f)
}

// Width returns the columns of f, 80 when they are not known.
func Width(f any) int {
	if file := fileOf(f); file != nil {
		if w, _, err := term.GetSize(int(file.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return 80
}

// ErrNoTerminal is returned by Ask and Confirm when the process has no controlling terminal.
var ErrNoTerminal = errors.New("no controlling terminal")

// A Key is an answer besides yes and no: it does something, and the question is asked again.
type Key struct {
	Letter, Does string // "d", "shows the diff"
	Do           func()
}

// Confirm asks a yes or no question on the controlling terminal: what an agent pipes in is no answer of the user. An
// empty line and the end of the input are no; anything else is asked again.
func Confirm(question string, keys ...Key) (yes bool, err error) {
	shown, letters := " [y/N] ", "y or n"
	for _, k := range keys {
		shown += "(" + k.Letter + " " + k.Does + ") "
		letters += " or " + k.Letter
	}
	err = Ask(question+shown, func(line string) (problem string) {
		line = strings.ToLower(line)
		for _, k := range keys {
			if line == k.Letter {
				k.Do()
				return Again
			}
		}
		switch line {
		case "y", "yes":
			yes = true
		case "", "n", "no":
		default:
			return "please type " + letters
		}
		return ""
	})
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return yes, err
}

// Again is a problem that has a question asked again without a word on why.
const Again = " "

// Ask shows a question on the controlling terminal and hands the line that is typed to take, until it has no problem
// with it. At the end of the input the error is io.EOF.
func Ask(question string, take func(line string) (problem string)) error {
	from, to := "/dev/tty", "/dev/tty"
	if runtime.GOOS == "windows" { // there that is a file, which anybody makes; and a console may be one that no person sees
		if from, to = "CONIN$", "CONOUT$"; !Is(os.Stdin) && !Is(os.Stdout) && !Is(os.Stderr) {
			return ErrNoTerminal
		}
	}
	keys, err := os.OpenFile(from, os.O_RDWR, 0)
	if err != nil {
		return ErrNoTerminal
	}
	defer keys.Close()
	tty := keys
	if to != from {
		if tty, err = os.OpenFile(to, os.O_RDWR, 0); err != nil {
			return ErrNoTerminal
		}
		defer tty.Close()
	}
	in := bufio.NewReader(keys)
	for {
		fmt.Fprint(tty, question)
		line, err := in.ReadString('\n')
		if err != nil && (err != io.EOF || line == "") {
			return err
		}
		problem := take(strings.TrimSpace(line))
		if problem == "" {
			return nil
		}
		if problem != Again {
			fmt.Fprintln(tty, problem)
		}
	}
}

// Fold breaks a line between words to fit columns, 0 for none, and indents what follows by hang. Colours take no room.
func Fold(line string, hang, columns int) string {
	if columns <= 0 || len(line) <= columns {
		return line
	}
	line = strings.TrimRight(line, " ")
	if hang > columns/2 {
		hang = min(indent(line)+4, columns/2)
	}
	var b strings.Builder
	col, rest := 0, line
	for first := true; rest != ""; first = false {
		blanks := indent(rest)
		end := len(rest)
		if i := strings.IndexByte(rest[blanks:], ' '); i >= 0 {
			end = blanks + i
		}
		word := rest[blanks:end]
		n := Columns(word)
		if !first && col+blanks > hang && col+blanks+n > columns && word != "" {
			b.WriteString("\n" + strings.Repeat(" ", hang))
			col = hang
		} else {
			b.WriteString(rest[:blanks])
			col += blanks
		}
		b.WriteString(word)
		col += n
		rest = rest[end:]
	}
	return b.String()
}

// Hang is where the text of a line begins: after the last gap of two blanks in the first half of the columns, else
// after a mark such as "- ", else near its start.
func Hang(line string, columns int) int {
	hang, col := indent(line), indent(line)
	switch rest := line[hang:]; {
	case len(rest) > 2 && rest[1] == ' ' && strings.IndexByte("-+!*>", rest[0]) >= 0:
		hang += 2
	case hang == 0:
		hang = 2
	}
	for rest := line[col:]; rest != ""; {
		i := strings.Index(rest, "  ")
		if i < 0 {
			break
		}
		gap := indent(rest[i:])
		col += Columns(rest[:i]) + gap
		if rest[i+gap:] == "" {
			break
		}
		if col > columns/2 {
			return max(hang, indent(line)+4)
		}
		hang, rest = col, rest[i+gap:]
	}
	return hang
}

// indent is the number of blanks a text begins with.
func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// Columns is the width of a text on a terminal: two for wide characters, none for combining marks and colours.
func Columns(s string) int {
	n := 0
	for s != "" {
		if strings.HasPrefix(s, "\x1b[") {
			if i := strings.IndexByte(s, 'm'); i > 0 {
				s = s[i+1:]
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s)
		n += columnsOf(r)
		s = s[size:]
	}
	return n
}

func columnsOf(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// A Progress is one line on a terminal that shows how far a long run is.
type Progress struct {
	w     io.Writer
	began time.Time
	next  time.Time // when the line is to be written again
	shown bool
}

// A line is shown after a second, and no more often than anyone can read.
const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// NewProgress returns one that writes to w from now on, nil where that is not a terminal.
func NewProgress(w io.Writer, getenv func(string) string, now time.Time) *Progress {
	if !Is(w) || getenv("TERM") == "dumb" {
		return nil
	}
	return &Progress{w: w, began: now, next: now.Add(progressAfter)}
}

// Show says how many lines are done. It does nothing on nil, or too soon.
func (p *Progress) Show(done int, now time.Time) {
	if p == nil || now.Before(p.next) {
		return
	}
	p.next, p.shown = now.Add(progressEvery), true
	rate := int(float64(done) / now.Sub(p.began).Seconds())
	fmt.Fprintf(p.w, "\r%s lines, %s a second\x1b[K", grouped(done), grouped(rate))
}

// Clear takes the line away.
func (p *Progress) Clear() {
	if p != nil && p.shown {
		io.WriteString(p.w, "\r\x1b[K")
	}
}

// grouped spells a number that is not negative with a comma before every three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
