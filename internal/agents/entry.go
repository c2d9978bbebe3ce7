package agents

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/pflag"
	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
)

// Entry is the JSON to add for an event, where no program of the operator's is waited for.
func Entry(h *hookio.Host, exe string, ev *hookio.HookEvent) string {
	return entry(h, Place{}, exe, ev)
}

func entry(h *hookio.Host, p Place, exe string, ev *hookio.HookEvent) string {
	handler := object(members(h, p, exe, ev))
	if h.Register.Flat {
		return handler
	}
	group := []hookio.Member{{Name: "hooks", JSON: "[" + handler + "]"}}
	if m := matcher(h, ev); m != "" {
		group = slices.Insert(group, 0, hookio.Member{Name: "matcher", JSON: edit.Quote(m)})
	}
	return object(group)
}

// object is compact JSON.
func object(members []hookio.Member) string {
	var list []string
	for _, m := range members {
		list = append(list, edit.Quote(m.Name)+":"+m.JSON)
	}
	return "{" + strings.Join(list, ",") + "}"
}

// matcher is that of an event, "" where the key is left out.
func matcher(h *hookio.Host, ev *hookio.HookEvent) string {
	switch {
	case ev.NoTool:
		return ""
	case ev.Matcher != "":
		return ev.Matcher
	}
	return h.Register.Matcher
}

// members are those of a handler that make it ours in a place. The time-out is a default: a user's own number is left
// alone, see timely. options are further ones of the hook, which a user wrote.
func members(h *hookio.Host, p Place, exe string, ev *hookio.HookEvent, options ...string) []hookio.Member {
	r := h.Register
	out := append([]hookio.Member(nil), r.Fixed...)
	if m := matcher(h, ev); m != "" && r.Flat {
		out = append(out, hookio.Member{Name: "matcher", JSON: edit.Quote(m)})
	}
	if r.Exec {
		out = append(out, hookio.Member{Name: "command", JSON: edit.Quote(exe)},
			hookio.Member{Name: "args", JSON: args(h, ev, options...)})
	} else {
		out = append(out, hookio.Member{Name: commandKey(r, p.goos()), JSON: edit.Quote(command(p.goos(), h, exe, ev, options...))})
	}
	if p.goos() == "windows" {
		out = append(out, r.Windows...)
	}
	// far above the deadline of the hook itself, far below what a person would wait
	timeout := strconv.Itoa(max(10, 1+seconds(p.wait())))
	if r.Millis {
		timeout += "000"
	}
	out = append(out, hookio.Member{Name: r.Timeout, JSON: timeout})
	if ev.Gates && r.FailShut.Name != "" {
		out = append(out, r.FailShut)
	}
	if ev.Async && r.Async.Name != "" {
		out = append(out, r.Async)
	}
	return out
}

func args(h *hookio.Host, ev *hookio.HookEvent, options ...string) string {
	list := `["hook","--host","` + h.Name + `","--event","` + ev.Name + `"`
	for _, word := range options {
		list += "," + edit.Quote(word)
	}
	return list + "]"
}

func commandKey(r *hookio.Registration, goos string) string {
	for _, p := range r.Command {
		if p.From == goos || p.From == "" {
			return p.To
		}
	}
	return "command"
}

func command(goos string, h *hookio.Host, exe string, ev *hookio.HookEvent, options ...string) string {
	shell := shellOf(goos, h)
	call, blocks := hookCommand(shell, h, exe, ev, options...), ev.Gates && h.Register.OrExit2
	switch windows := goos == "windows"; {
	case ev.Gates && h.Register.OrDeny && !windows: // cmd would take the last quote of the JSON away
		return blockStart + oneThread + denyScript + blockEnd + call
	case blocks && shell == hookio.PowerShell:
		return call + orBlockPS
	case blocks && windows:
		return call + orBlockNT
	case blocks:
		return Blocking + call
	case h.Register.Sh && !windows:
		return oneThread + call
	}
	return call
}

// hookCommand is the hook as a shell is told it.
func hookCommand(shell hookio.Shell, h *hookio.Host, exe string, ev *hookio.HookEvent, options ...string) string {
	command := quoted(shell, exe) + " hook --host " + h.Name + " --event " + ev.Name
	if shell == hookio.PowerShell {
		command = "& " + command
	}
	for _, word := range options {
		if shell == hookio.Bash || strings.ContainsFunc(word, needsQuotesNT) {
			word = quoted(shell, word)
		}
		command += " " + word
	}
	return command
}

const noAnswer = "permgate did not answer: the call is blocked"

// What is around the hook where only exit 2 blocks, for a missing binary ends with 127. Several hosts ignore an exit 2
// without a word on standard error.
const (
	// Blocking comes before the words of the hook, which are arguments, and so quoted once. Codex runs hooks with the
	// user's shell, and fish ends a whole line at a program it does not find.
	Blocking  = blockStart + oneThread + blockScript + blockEnd
	orBlockNT = " || (echo " + noAnswer + " 1>&2 && exit 2)"                                            // cmd and sh read this alike
	orBlockPS = "; if ($LASTEXITCODE -ne 0) { [Console]::Error.WriteLine('" + noAnswer + "'); exit 2 }" // 5.1 has no ||

	blockStart  = `/bin/sh -c '`
	blockScript = `"$@" || { echo "` + noAnswer + `" >&2; exit 2; }`
	denyScript  = `"$@" || echo "{\"decision\":\"deny\",\"reason\":\"` + noAnswer + `\"}"`
	blockEnd    = `' permgate `

	// oneThread keeps Go's runtime to one working thread: a hook needs no more and is faster so.
	oneThread = "GOMAXPROCS=1 "
)

// Those of earlier versions: one around the hook, and two that came after it.
const (
	blockingThreads = blockStart + blockScript + blockEnd
	orBlockSh       = ` || /bin/sh -c 'echo "` + noAnswer + `" >&2; exit 2'`
	orExit2         = " || exit 2"
)

// unwrapped takes off what install puts before the words of the hook, or did in an earlier version.
func unwrapped(words []string) []string {
	const name = 3 // what /bin/sh calls the script, after the script itself
	switch {
	case len(words) > 0 && words[0]+" " == oneThread:
		return words[1:]
	case len(words) <= name+1 || !slices.Equal(words[:2], []string{"/bin/sh", "-c"}) || words[name] != "permgate":
		return words
	case words[2] != blockScript && words[2] != oneThread+blockScript && words[2] != oneThread+denyScript:
		return words
	}
	return words[name+1:]
}

// bare is the command of the hook without what install puts around it, or did.
func bare(text string) string {
	for _, start := range [...]string{Blocking, blockingThreads, blockStart + oneThread + denyScript + blockEnd, oneThread} {
		if rest, ok := strings.CutPrefix(text, start); ok {
			return rest
		}
	}
	for _, end := range [...]string{orBlockNT, orBlockPS, orBlockSh, orExit2} {
		if rest, ok := strings.CutSuffix(text, end); ok {
			return rest
		}
	}
	return text
}

// blocks reports whether what follows the hook is one of the above.
func blocks(rest string) bool {
	words := func(text string) string { return strings.Join(strings.Fields(text), "") }
	return slices.ContainsFunc([]string{orBlockNT, orBlockPS, orBlockSh, orExit2}, func(own string) bool {
		return words(own) == words(rest)
	})
}

// A hookCall is a handler's command that runs permgate's hook, taken apart.
type hookCall struct {
	program string
	options []string // those install does not write, --headless for example
	beside  bool     // its shell command runs other things too
	text    string   // as written
}

// parseCall returns what a handler (exec or shell form) runs, nil for another program's hook.
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

// moreOptions returns the options that install does not write; ok is false for what is no option of the hook.
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
