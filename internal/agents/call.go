package agents

import (
	"path"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
)

// A hookCall is a handler's command that runs permgate's hook, taken apart.
type hookCall struct {
	program string
	options []string // those install does not write, --headless for example
	beside  bool     // its shell command runs other things too
	text    string   // as written
}

// parseCall returns what a handler runs, nil when it is not permgate's hook, in
// exec or shell form. Another program of that name is told by its arguments.
func parseCall(handler *hujson.Value) *hookCall {
	for _, key := range [...]string{"command", "bash", "powershell"} {
		command := edit.Text(edit.Member(handler, key))
		if command == "" {
			continue
		}
		c := &hookCall{text: command}
		words, rest := shellWords(command)
		words = unwrapped(words)
		if list := edit.Member(handler, "args"); list != nil {
			words, rest, c.text = []string{command}, "", minimal(list)
			for _, word := range edit.Elements(list) {
				words = append(words, edit.Text(&word))
			}
		}
		if len(words) < 2 || !isGate(words[0]) || words[1] != "hook" {
			continue
		}
		options, ok := moreOptions(words[2:])
		if !ok {
			continue
		}
		c.program, c.options = words[0], options
		c.beside = rest != "" && !blocks(rest)
		return c
	}
	return nil
}

// moreOptions returns the options of the hook among words that install does not
// write. ok is false when the hook has no such option, or takes no operand.
func moreOptions(words []string) (more []string, ok bool) {
	var f gate.Flags
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Register(fs)
	for len(words) > 0 {
		name, isOption := strings.CutPrefix(words[0], "--")
		name, _, joined := strings.Cut(name, "=")
		flag := fs.Lookup(name)
		n := 1
		if flag != nil && !joined && flag.NoOptDefVal == "" {
			n = 2
		}
		if !isOption || flag == nil || n > len(words) {
			return nil, false
		}
		if name != "host" && name != "event" {
			more = append(more, words[:n]...)
		}
		words = words[n:]
	}
	return more, true
}

// isGate reports whether a program is permgate, by its name.
func isGate(program string) bool {
	base := path.Base(strings.ReplaceAll(program, `\`, "/"))
	return base == "permgate" || base == "permgate.exe"
}

// shellWords returns the words a shell command starts with, and what follows
// from the first operator on, or from an expansion among the arguments.
func shellWords(command string) (words []string, rest string) {
	command = strings.TrimPrefix(command, "& ") // PowerShell's call operator
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
		case c == '\\' && i+1 < len(command) && !drive(b.String()):
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

// drive reports whether a word starts like a Windows path: backslashes are
// separators there.
func drive(word string) bool { return len(word) > 1 && word[1] == ':' }
