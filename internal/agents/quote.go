package agents

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
)

// shellOf is the shell that runs a host's hooks on a system, and of which the words of the command are quoted.
func shellOf(goos string, h *hookio.Host) hookio.Shell {
	if goos != "windows" {
		return hookio.Bash
	}
	return h.Register.OnWindows.Shell
}

// quoted returns word so that the shell reads it as one word, see quotable.
func quoted(shell hookio.Shell, word string) string {
	switch shell {
	case hookio.Bash:
		return shellQuote(word)
	case hookio.PowerShell:
		return psQuote(word)
	case hookio.NoQuotes:
		return word
	}
	return `"` + word + `"` // cmd and sh read this alike; a file name holds no quote
}

// quotable returns an error for a word that the shell of a host's hooks on a system cannot be told as it is.
func quotable(goos string, h *hookio.Host, word string) error {
	shell := shellOf(goos, h)
	if goos != "windows" || h.Register.Exec || shell == hookio.Bash || shell == hookio.PowerShell {
		return nil
	}
	switch {
	case !drive(word):
		return fmt.Errorf("%s: a path in the hooks of %s has to begin with a drive: keep it on one", word, h.Title)
	case shell == hookio.NoQuotes && strings.ContainsFunc(word[2:], needsQuotesNT):
		return fmt.Errorf("%s: %s reads no quotes in its hooks: keep it in a folder whose path has no blanks and signs",
			word, h.Title)
	case shell != hookio.NoQuotes && strings.ContainsAny(word, "%$`"):
		return fmt.Errorf("%s: what runs the hooks of %s may read %% $ and ` even between quotes: "+
			"keep it in a folder without them", word, h.Title)
	}
	return nil
}

// needsQuotesNT reports whether a character in a path may mean something to cmd or to another shell of Windows.
func needsQuotesNT(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`\._-+`, r)
}

// needsQuotes reports whether a character may mean something to a shell.
func needsQuotes(r rune) bool {
	letter := r|0x20 >= 'a' && r|0x20 <= 'z'
	return !letter && !strings.ContainsRune("0123456789/._-+@%:,=", r)
}

// shellQuote returns word so that a POSIX shell reads it as one word.
func shellQuote(word string) string {
	if word != "" && !strings.ContainsFunc(word, needsQuotes) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// psQuote returns word as PowerShell's text without expansion, where each of its single quotes is there twice.
func psQuote(word string) string {
	b := []byte{'\''}
	for _, r := range word {
		if singleQuote(r) {
			b = utf8.AppendRune(b, r)
		}
		b = utf8.AppendRune(b, r)
	}
	return string(append(b, '\''))
}

// singleQuote reports whether PowerShell takes a character for a single quote.
func singleQuote(r rune) bool { return r == '\'' || r >= '\u2018' && r <= '\u201b' }

// psUnquote is psQuote the other way round; rest is what follows.
func psUnquote(text string) (word, rest string) {
	var b []byte
	for i := 1; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if i += n; singleQuote(r) {
			next, m := utf8.DecodeRuneInString(text[i:])
			if !singleQuote(next) {
				return string(b), text[i:]
			}
			i += m
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b), ""
}

// shellWords returns the words a shell command starts with, and the rest from an operator or expansion on.
func shellWords(command string) (words []string, rest string) {
	command, ps := strings.CutPrefix(command, "& ") // PowerShell's call operator
	if ps && strings.HasPrefix(command, "'") {
		words = []string{""}
		words[0], command = psUnquote(command)
	}
	var b strings.Builder
	quote, inWord := byte(0), false
	end := func() {
		if inWord {
			words = append(words, b.String())
		}
		b.Reset()
		inWord = false
	}
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'' || quote == '"' && (c != '\\' || drive(b.String())):
			b.WriteByte(c)
		case c == '\\' && i+1 < len(command) && (!drive(b.String()) || command[i+1] == '\''):
			i++
			b.WriteByte(command[i])
			inWord = true
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t':
			end()
		case strings.IndexByte("|&;<>()\n", c) >= 0, (c == '$' || c == '`') && len(words) > 1:
			end()
			return words, command[i:]
		default:
			b.WriteByte(c)
			inWord = true
		}
	}
	end()
	return words, ""
}

// drive reports whether a word starts like a Windows path, which has backslashes as separators.
func drive(word string) bool { return len(word) > 1 && word[1] == ':' }
