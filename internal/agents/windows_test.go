package agents

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
)

// windowsPaths are programs in folders that Windows allows, with a part of every sign that means something to cmd, PowerShell or a
// shell of Unix.
var windowsPaths = [...]string{
	`C:\bin\permgate.exe`,
	`C:\Program Files\permgate.exe`,
	`C:\Program Files (x86)\permgate.exe`,
	`C:\a  b\permgate.exe`,
	`C:\R&D\permgate.exe`,
	`C:\R&D (new)\permgate.exe`,
	`C:\it's\permgate.exe`,
	`C:\O’Brien\permgate.exe`,
	`C:\‘a’ ‚b‛\permgate.exe`,
	`C:\“q” „r\permgate.exe`,
	`C:\100%\permgate.exe`,
	`C:\%PATH%\permgate.exe`,
	`C:\a^b\permgate.exe`,
	`C:\a^&b\permgate.exe`,
	`C:\a!b!\permgate.exe`,
	`C:\$HOME\permgate.exe`,
	`C:\a$(b)\permgate.exe`,
	"C:\\a`b\\permgate.exe",
	`C:\a,b;c=d\permgate.exe`,
	`C:\@a #b~\permgate.exe`,
	`C:\{a} [b]\permgate.exe`,
	`C:\Zoë Müller\permgate.exe`,
	`C:\用户\permgate.exe`,
	`\\server\share\permgate.exe`,
	`\\server\my share$\permgate.exe`,
}

// words are read by a model of the shell: the program and its arguments, and what is run after it.
type model func(text string) (words []string, rest string)

// models of the shells that run hooks on Windows, each after its documentation.
var models = map[hookio.Shell]model{hookio.PowerShell: powershellModel, hookio.NoQuotes: blanksModel, hookio.Bash: bashModel}

// powershellModel is about_Quoting_Rules, about_Operators and about_Special_Characters of learn.microsoft.com/powershell
// (2026-11), and of PowerShell's language specification 2.3.5.2: a single quote is any of five signs, two of them in a row are
// one of the text, and nothing else means anything between them; & runs the command that a text names.
func powershellModel(text string) (words []string, rest string) {
	quote := func(r rune) bool { return strings.ContainsRune("'\u2018\u2019\u201a\u201b", r) }
	text, ok := strings.CutPrefix(text, "& ")
	if !ok {
		return nil, text
	}
	runes := []rune(text)
	for i := 0; i < len(runes); {
		var b strings.Builder
		switch r := runes[i]; {
		case r == ' ':
			i++
			continue
		case r == ';':
			return words, string(runes[i:])
		case quote(r):
			for i++; i < len(runes); i++ {
				if quote(runes[i]) {
					if i++; i == len(runes) || !quote(runes[i]) {
						break
					}
				}
				b.WriteRune(runes[i])
			}
		case strings.ContainsRune("\"`$@#(){}|&<>,", r):
			return nil, text // it means something
		default:
			for ; i < len(runes) && !strings.ContainsRune(" ;'\"`$@#(){}|&<>,", runes[i]); i++ {
				b.WriteRune(runes[i])
			}
		}
		words = append(words, b.String())
	}
	return words, ""
}

// blanksModel takes a text for words between blanks, and knows no quotes.
func blanksModel(text string) ([]string, string) {
	if strings.ContainsAny(text, "\"'&|<>()^%") {
		return nil, text // another such program hands it to cmd
	}
	return strings.Fields(text), ""
}

// bashModel is the quoting of POSIX (2.2.2): between single quotes nothing means anything.
func bashModel(text string) (words []string, rest string) {
	for text != "" {
		word := ""
		for text != "" && text[0] != ' ' {
			switch {
			case text[0] == '\'':
				quoted, after, _ := strings.Cut(text[1:], "'")
				word, text = word+quoted, after
			case strings.HasPrefix(text, `\'`):
				word, text = word+"'", text[2:]
			case strings.ContainsRune("\\\"`$&|;<>()*?[]#~{}!", rune(text[0])):
				return words, text
			default:
				_, n := utf8.DecodeRuneInString(text)
				word, text = word+text[:n], text[n:]
			}
		}
		words, text = append(words, word), strings.TrimLeft(text, " ")
	}
	return words, ""
}

// TestWindowsQuoting: the shell that runs the hooks of a host on Windows reads the program and its arguments as they are, or
// install refuses the path and says what to do. What it writes is recognised.
func TestWindowsQuoting(t *testing.T) {
	for _, h := range Hosts() {
		refused := 0
		for _, exe := range windowsPaths {
			err := quotable("windows", h, exe)
			if err != nil {
				refused++
				if !strings.HasPrefix(err.Error(), exe+": ") || !strings.Contains(err.Error(), h.Title) {
					t.Errorf("%s: %v", h.Name, err)
				}
				continue
			}
			if h.Register.Exec {
				continue
			}
			for i := range h.Register.Events {
				ev := &h.Register.Events[i]
				text := command("windows", h, exe, ev)
				want := []string{exe, "hook", "--host", h.Name, "--event", ev.Name}
				if read := models[h.Register.OnWindows.Shell]; read != nil {
					if words, rest := read(text); !equal(words, want) || !strings.HasPrefix(text, strings.TrimSuffix(text, rest)) {
						t.Errorf("%s: %s is read as %q, %q", h.Name, text, words, rest)
					}
				}
				if words, _ := shellWords(text); !equal(words, want) {
					t.Errorf("%s: %s is not recognised: %q", h.Name, text, words)
				}
			}
		}
		if refused == len(windowsPaths) || h.Register.Exec && refused > 0 {
			t.Errorf("%s: %d of %d paths refused", h.Name, refused, len(windowsPaths))
		}
		if (h.Register.OnWindows.Source == "") != (h.Register.OnWindows.Shell == 0) {
			t.Errorf("%s: a shell needs a source", h.Name)
		}
		t.Logf("%s: %d of %d paths refused", h.Name, refused, len(windowsPaths))
	}
}

func equal(got, want []string) bool { return strings.Join(got, "\x00") == strings.Join(want, "\x00") }

// TestWindows checks the whole text of each kind.
func TestWindows(t *testing.T) {
	const exe = `C:\Program Files\it's\permgate.exe`
	for _, tt := range []struct{ host, exe, want string }{
		{"droid", exe, `"C:\Program Files\it's\permgate.exe" hook --host droid --event PreToolUse || (echo permgate did not answer: the call is blocked 1>&2 && exit 2)`},
		{"codex", exe, `& 'C:\Program Files\it''s\permgate.exe' hook --host codex --event PreToolUse; if ($LASTEXITCODE -ne 0) { [Console]::Error.WriteLine('permgate did not answer: the call is blocked'); exit 2 }`},
		{"crush", exe, `'C:\Program Files\it'\''s\permgate.exe' hook --host crush --event PreToolUse || (echo permgate did not answer: the call is blocked 1>&2 && exit 2)`},
		{"antigravity", `C:\bin\permgate.exe`, `C:\bin\permgate.exe hook --host antigravity --event PreToolUse`},
	} {
		h := Lookup(tt.host)
		if got := command("windows", h, tt.exe, Event(h, "PreToolUse")); got != tt.want {
			t.Errorf("%s: got %s", tt.host, got)
		}
	}
}

// TestWindowsRefused: what a shell would read otherwise is refused with the reason.
func TestWindowsRefused(t *testing.T) {
	for _, tt := range []struct{ host, exe, want string }{
		{"droid", `C:\100%\permgate.exe`, "% "},
		{"droid", `C:\$HOME\permgate.exe`, "$"},
		{"droid", `\\server\share\permgate.exe`, "drive"},
		{"antigravity", `C:\Program Files\permgate.exe`, "no quotes"},
		{"antigravity", `C:\R&D\permgate.exe`, "no quotes"},
		{"antigravity", `\\server\share\permgate.exe`, "drive"},
	} {
		if err := quotable("windows", Lookup(tt.host), tt.exe); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %s: %v", tt.host, tt.exe, err)
		}
	}
	for _, host := range [...]string{"claude", "codex", "gemini", "qwen", "cursor", "vscode", "san", "crush", "goose"} {
		for _, exe := range windowsPaths {
			if err := quotable("windows", Lookup(host), exe); err != nil {
				t.Error(err)
			}
		}
	}
	if err := quotable("linux", Lookup("antigravity"), "/opt/100% a/permgate"); err != nil {
		t.Error(err)
	}
}
