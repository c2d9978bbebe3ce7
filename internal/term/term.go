// Package term answers what the command line asks of a terminal: is there one,
// how wide is it, is colour wanted, and does the user say yes.
package term

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Is reports whether f is a terminal. A reader or writer that is no file is none.
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

// Colour reports whether text for f may hold colours. NO_COLOR wins over
// FORCE_COLOR (https://no-color.org, https://force-color.org).
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

// A Key is an answer to a question besides yes and no: it does something, and
// the question is asked again.
type Key struct {
	Letter, Does string // "d", "shows the diff"
	Do           func()
}

// Confirm asks a yes or no question on the controlling terminal, never on
// standard input: what an agent pipes in is not an answer of the user. An empty
// line and the end of the input are no; anything else is asked about again.
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

// Ask shows a question on the controlling terminal and hands the line that is
// typed there, without the blanks around it, to take. What that returns is
// printed and the question asked again, until it is "". At the end of the input
// the error is io.EOF.
func Ask(question string, take func(line string) (problem string)) error {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return ErrNoTerminal
	}
	defer tty.Close()
	in := bufio.NewReader(tty)
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
