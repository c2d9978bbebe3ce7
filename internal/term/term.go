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
	if w, ok := f.(interface{ File() *os.File }); ok {
		return w.File()
	}
	file, _ := f.(*os.File)
	return file
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

// Confirm asks a yes or no question on the controlling terminal, never on
// standard input: what an agent pipes in is not an answer of the user. Anything
// but y or yes is no.
func Confirm(question string) (bool, error) {
	line, err := Ask(question + " [y/N] ")
	if err != nil {
		return false, err
	}
	switch strings.ToLower(line) {
	case "y", "yes":
		return true, nil
	}
	return false, nil
}

// Ask shows a question on the controlling terminal and returns the line that is
// typed there, without the blanks around it.
func Ask(question string) (string, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return "", ErrNoTerminal
	}
	defer tty.Close()
	fmt.Fprint(tty, question)
	line, err := bufio.NewReader(tty).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", err
	}
	return strings.TrimSpace(line), nil
}
