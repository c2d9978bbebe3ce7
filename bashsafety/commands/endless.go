package commands

import (
	"slices"
	"strings"
	"unicode"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// Which calls may print without an end, or so much that it fills a disk.

// mostDigits is how many digits the numbers of seq may have in all.
const mostDigits = 8

func follows(c *Invocation) bool { return c.Has("f", "F", "follow", "retry") }

func repeats(c *Invocation) bool { return c.Has("r", "repeat") }

// countsFar reports whether seq is told more than a few small numbers; those of jot
// mean something else.
func countsFar(c *Invocation) bool {
	digits := 0
	for i := range c.Argv[1:] {
		w := &c.Argv[i+1]
		if !w.Known || numbersNot(w.Text) && !shell.Among("-s -f --separator --format", c.Argv[i].Text) {
			return true
		}
		digits += len(w.Text) - len(strings.Map(dropDigit, w.Text))
	}
	return digits > mostDigits || ProgramName(c.Argv) == "jot"
}

func dropDigit(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}

// numbersNot reports whether a word is neither an option nor a number of plain digits.
func numbersNot(text string) bool {
	rest := strings.Trim(text, "+-.0123456789")
	return rest != "" && (text[0] != '-' || strings.HasPrefix(rest, "inf") || strings.HasPrefix(rest, "e"))
}

// padsFar reports whether printf is told to pad to a width that is large or unknown.
func padsFar(c *Invocation) bool {
	for i := range c.Argv[1:] {
		for k, part := range strings.Split(c.Argv[i+1].Text, "%") {
			spec := part[:len(part)-len(strings.TrimLeft(part, "-+ #'.*0123456789"))]
			if k > 0 && (len(spec) > mostDigits || strings.Contains(spec, "*")) {
				return true
			}
		}
	}
	return false
}

// loopsAwk reports whether a word has a loop of awk other than one over the keys of an
// array, or a function, which may call itself.
func loopsAwk(c *Invocation) bool {
	for i := range c.Argv[1:] {
		text := c.Argv[i+1].Text
		if slices.ContainsFunc(strings.Split(text, "for")[1:], counted) {
			return true
		}
		for word := range strings.FieldsFuncSeq(text, noLetter) {
			if shell.Among("while do function func", word) {
				return true
			}
		}
	}
	return false
}

func noLetter(r rune) bool { return r != '_' && !unicode.IsLetter(r) }

// counted reports whether what follows the word for is not the head of a loop over keys.
func counted(text string) bool {
	head, _, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), ")")
	return strings.HasPrefix(head, "(") && (strings.Contains(head, ";") || !strings.Contains(head, " in "))
}

// loopsSed reports whether a word has a label that a program of sed can go back to.
// The usual way to join all lines ends with the last one.
func loopsSed(c *Invocation) bool {
	for i := range c.Argv[1:] {
		text := strings.TrimPrefix(c.Argv[i+1].Text, ":a;N;$!ba;")
		for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(";{}\n", r) }) {
			if part = strings.TrimLeft(part, " \t"); strings.HasPrefix(strings.TrimPrefix(part, "-e"), ":") {
				return true
			}
		}
	}
	return false
}
