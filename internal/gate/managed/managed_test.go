package managed

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

const xmlDeny = `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>permissions</key><dict>` +
	`<key>deny</key><array><string>Bash(curl:*)</string></array></dict></dict></plist>`

// policyOf is what the loader makes of presets and a user's allow rule.
func policyOf(presets []load.Preset) *rules.Policy {
	files := fakefs.New(map[string]string{"/home/u/.claude/settings.json": `{"permissions":{"allow":["Bash(ls)"],"defaultMode":"acceptEdits"}}`})
	files.Own("/home/u", 1000)
	return load.Load(load.Where{Cwd: "/home/u/p", Home: "/home/u", PasswdHome: "/home/u", UID: 1000, Roots: []string{".claude"}, Presets: presets}, files)
}

func faults(p *rules.Policy) string {
	var out []string
	for _, f := range p.Faults {
		out = append(out, f.Pos.String()+": "+f.Msg)
	}
	return strings.Join(out, "\n")
}

func TestPreferences(t *testing.T) {
	const dir = "/Library/Managed Preferences"
	reader := func(files map[string]string) func(string) ([]byte, error) {
		return func(name string) ([]byte, error) {
			data, ok := files[name]
			switch {
			case !ok:
				return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
			case data == "unreadable":
				return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
			}
			return []byte(data), nil
		}
	}
	plist := func(body string) string { return `<plist version="1.0">` + body + `</plist>` }
	for _, tt := range []struct {
		name, user string
		files      map[string]string
		deny       string // places of the deny rules
		mode       string
		locked     bool
		faults     string
	}{
		{name: "nothing", mode: "acceptEdits"},
		{name: "machine", files: map[string]string{dir + "/com.anthropic.claudecode.plist": xmlDeny},
			deny: dir + "/com.anthropic.claudecode.plist", mode: "acceptEdits"},
		{name: "both, the user's first", user: "u", files: map[string]string{
			dir + "/com.anthropic.claudecode.plist":   plist(`<dict><key>permissions</key><dict><key>defaultMode</key><string>default</string></dict></dict>`),
			dir + "/u/com.anthropic.claudecode.plist": plist(`<dict><key>permissions</key><dict><key>defaultMode</key><string>dontAsk</string></dict></dict>`),
		}, mode: "dontAsk"},
		{name: "another user's", user: "u", files: map[string]string{dir + "/v/com.anthropic.claudecode.plist": xmlDeny}, mode: "acceptEdits"},
		{name: "gen", files: map[string]string{dir + "/permgate.gen.plist": xmlDeny}, deny: dir + "/permgate.gen.plist", mode: "acceptEdits"},
		{name: "lock", files: map[string]string{dir + "/permgate.san.plist": plist(`<dict><key>disableBypassPermissionsMode</key><true/></dict>`)},
			mode: "acceptEdits", locked: true},
		{name: "not a property list", files: map[string]string{dir + "/permgate.plist": "{}"}, mode: "acceptEdits", locked: true,
			faults: dir + "/permgate.plist: cannot be read: line 1 of the property list: a tag is expected"},
		{name: "not to be read", files: map[string]string{dir + "/permgate.plist": "unreadable"}, mode: "acceptEdits", locked: true,
			faults: dir + "/permgate.plist: cannot be read: permission denied"},
		{name: "a key twice", files: map[string]string{dir + "/permgate.gen.plist": plist(`<dict><key>a</key><true/><key>a</key><true/></dict>`)},
			mode: "acceptEdits", locked: true, faults: dir + `/permgate.gen.plist: the key "a" appears twice: merge the two`},
		{name: "wrong type", files: map[string]string{dir + "/permgate.plist": plist(`<dict><key>catastrophic</key><integer>1</integer></dict>`)},
			mode: "acceptEdits", locked: true, faults: dir + `/permgate.plist: catastrophic takes "ask" or "deny", not 1`},
	} {
		p := policyOf(preferences(dir, tt.user, reader(tt.files)))
		deny := ""
		for _, r := range p.Deny {
			deny += r.Pos.String()
		}
		if deny != tt.deny || p.Mode.Value != tt.mode || p.LockBypass.On() != tt.locked || faults(p) != tt.faults {
			t.Errorf("%s: deny at %q, mode %s, locked %v, faults %q", tt.name, deny, p.Mode.Value, p.LockBypass.On(), faults(p))
		}
	}
}

// fake is a registry key with one value.
type fake struct {
	kind   uint32
	data   []byte
	err    error
	grown  bool // between the two questions
	closed *int
}

func (k fake) Close() error { *k.closed++; return nil }

func (k fake) GetValue(name string, buf []byte) (int, uint32, error) {
	switch {
	case name != value:
		return 0, 0, fs.ErrNotExist
	case k.err != nil:
		return 0, 0, k.err
	case buf == nil:
		return len(k.data), k.kind, nil
	case k.grown || len(buf) < len(k.data):
		return len(k.data) + 2, k.kind, errors.New("more data is available")
	}
	return copy(buf, k.data), k.kind, nil
}

// wide is text as the registry keeps it.
func wide(s string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}

func TestPolicies(t *testing.T) {
	const at, place = `SOFTWARE\Policies\ClaudeCode`, `HKLM\SOFTWARE\Policies\ClaudeCode\Settings`
	const deny = `{"permissions":` + "\r\n" + `{"deny":["Bash(curl:*)","Read(/bücher/😀)"]}}`
	for _, tt := range []struct {
		name   string
		key    *fake
		deny   int
		pos    string // of the first rule
		faults string
	}{
		{name: "no key"},
		{name: "no value", key: &fake{err: fs.ErrNotExist}},
		{name: "text", key: &fake{kind: regText, data: wide(deny + "\x00")}, deny: 2, pos: place + ":2:10"},
		{name: "without NUL", key: &fake{kind: regText, data: wide(deny)}, deny: 2, pos: place + ":2:10"},
		{name: "expanded", key: &fake{kind: regExpand, data: wide(deny + "\x00\x00")}, deny: 2, pos: place + ":2:10"},
		{name: "variables", key: &fake{kind: regExpand, data: wide(`{"a":"%TEMP%"}`)}, faults: place + ": cannot be read: the text may hold variables (%NAME%), which are not filled in: use REG_SZ"},
		{name: "no variables", key: &fake{kind: regText, data: wide(`{"a":"%TEMP%"}`)}},
		{name: "denied", key: &fake{err: fs.ErrPermission}, faults: place + ": cannot be read: permission denied"},
		{name: "binary", key: &fake{kind: 3, data: wide(deny)}, faults: place + ": cannot be read: the value is of type 3, not a text (REG_SZ)"},
		{name: "odd", key: &fake{kind: regText, data: wide(deny)[1:]}, faults: place + ": cannot be read: the text ends in the middle of a character"},
		{name: "surrogate", key: &fake{kind: regText, data: []byte{0x3d, 0xd8}}, faults: place + ": cannot be read: the text holds half a character"},
		{name: "NUL inside", key: &fake{kind: regText, data: wide("{}\x00{}\x00")}, faults: place + ": cannot be read: the text holds a NUL"},
		{name: "grown", key: &fake{kind: regText, data: wide(deny), grown: true}, faults: place + ": cannot be read: more data is available"},
		{name: "too large", key: &fake{kind: regText, data: make([]byte, 2*load.MaxSettings+4)}, faults: place + ": cannot be read: larger than 1048576 characters"},
		{name: "too large in bytes", key: &fake{kind: regText, data: wide(strings.Repeat("ü", load.MaxSettings))}, faults: place + ": cannot be read: larger than 1048576 bytes"},
		{name: "not JSON", key: &fake{kind: regText, data: wide("{")}, faults: place + ":1:2: not valid JSON"},
	} {
		opened, closed := 0, 0
		p := policyOf(policies(func(path string) (key, error) {
			if path != at || tt.key == nil {
				return nil, fs.ErrNotExist
			}
			opened++
			k := *tt.key
			k.closed = &closed
			return k, nil
		}))
		pos := ""
		if len(p.Deny) > 0 {
			pos = p.Deny[0].Pos.String()
		}
		if len(p.Deny) != tt.deny || pos != tt.pos || !strings.HasPrefix(faults(p), tt.faults) || (tt.faults == "") != (faults(p) == "") {
			t.Errorf("%s: %d deny rules, the first at %s, faults %q", tt.name, len(p.Deny), pos, faults(p))
		}
		if p.LockBypass.On() != (tt.faults != "") {
			t.Errorf("%s: locked %v", tt.name, p.LockBypass.On())
		}
		if opened != closed {
			t.Errorf("%s: %d keys opened, %d closed", tt.name, opened, closed)
		}
	}
}

// What the system keeps takes precedence over managed files, and never over their restrictions.
func TestPresetBeforeFiles(t *testing.T) {
	files := fakefs.New(map[string]string{
		"/etc/claude-code/managed-settings.json": `{"permissions":{"deny":["Bash(rm:*)"],"defaultMode":"acceptEdits"}}`,
	})
	preset := load.Preset{Place: "P", Root: ".claude", Text: true, Data: []byte(`{"permissions":{"deny":["Bash(dd:*)"],"defaultMode":"dontAsk"}}`)}
	p := load.Load(load.Where{Cwd: "/w", Home: "/home/u", PasswdHome: "/home/u", UID: 1000, Roots: []string{".claude"}, Presets: []load.Preset{preset}}, files)
	if len(p.Deny) != 2 || p.Mode.Value != "dontAsk" || p.Deny[0].Scope != rules.Managed {
		t.Errorf("deny %v, mode %v", p.Deny, p.Mode)
	}
}

// docs/rules.md names every place.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Sources {
		what := "`" + s.Root + "`"
		if s.Root == "" {
			what = "permgate.json"
		}
		if line := "| " + what + " | `" + s.Domain + "` | `" + s.Key + "` |"; !strings.Contains(string(text), line) {
			t.Errorf("docs/rules.md does not have %s", line)
		}
	}
}
