// Package managed reads the managed settings that an operating system keeps
// outside of the managed folders: managed preferences on macOS, the policies in
// the registry on Windows. What is read, and how, is here and the same
// everywhere; the system is asked only for its place.
package managed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf16"

	"github.com/permgate--owner/permgate/internal/gate/plist"
	"github.com/permgate--owner/permgate/rules/load"
)

// A Source is one set of managed settings under the names the systems have for it.
type Source struct {
	Root   string // settings folder whose settings.json it acts as; "" for a permgate.json
	Domain string // macOS: preference domain, whose keys are those of the file
	Key    string // Windows: key below HKLM, whose value Settings holds the file's JSON
}

// Sources lists what is read. The names for .claude are Claude Code's (managed
// settings page, 2026-08); Gen and San have none of their own.
var Sources = [...]Source{
	{".claude", "com.anthropic.claudecode", `SOFTWARE\Policies\ClaudeCode`},
	{".gen", "permgate.gen", `SOFTWARE\Policies\Gen`},
	{".san", "permgate.san", `SOFTWARE\Policies\San`},
	{"", "permgate", `SOFTWARE\Policies\Permgate`},
}

// Preferences is macOS's folder of managed preferences: a file per domain, a folder per user.
const Preferences = "/Library/Managed Preferences"

// preferences reads every source below dir, those of the user first. user is "" if there is no user.
func preferences(dir, user string, read func(file string) ([]byte, error)) []load.Preset {
	folders := []string{dir}
	if user != "" {
		folders = []string{dir + "/" + user, dir}
	}
	var out []load.Preset
	for _, folder := range folders {
		for _, s := range Sources {
			p := load.Preset{Place: folder + "/" + s.Domain + ".plist", Root: s.Root}
			data, err := read(p.Place)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil {
				p.Data, err = plist.JSON(data)
			}
			p.Err = err
			out = append(out, p)
		}
	}
	return out
}

// A key is an open registry key, as golang.org/x/sys/windows/registry has it:
// with a nil buffer GetValue says how many bytes a value has.
type key interface {
	GetValue(name string, buf []byte) (n int, kind uint32, err error)
	Close() error
}

// The types of registry values that hold one text (winnt.h).
const (
	regText   = 1 // REG_SZ
	regExpand = 2 // REG_EXPAND_SZ
)

// value is the name of the value that holds the settings.
const value = "Settings"

// policies reads every source from the registry. open opens a key below HKLM, or is fs.ErrNotExist.
func policies(open func(path string) (key, error)) []load.Preset {
	var out []load.Preset
	for _, s := range Sources {
		p := load.Preset{Place: `HKLM\` + s.Key + `\` + value, Root: s.Root, Text: true}
		p.Data, p.Err = policy(open, s.Key)
		if !errors.Is(p.Err, fs.ErrNotExist) {
			out = append(out, p)
		}
	}
	return out
}

func policy(open func(path string) (key, error), path string) ([]byte, error) {
	k, err := open(path)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	n, _, err := k.GetValue(value, nil)
	if err != nil {
		return nil, err
	}
	if n > 2*load.MaxSettings+2 {
		return nil, fmt.Errorf("larger than %d characters", load.MaxSettings)
	}
	buf := make([]byte, n)
	n, kind, err := k.GetValue(value, buf) // one that grew meanwhile is an error
	switch {
	case err != nil:
		return nil, err
	case kind != regText && kind != regExpand:
		return nil, fmt.Errorf("the value is of type %d, not a text (REG_SZ)", kind)
	case n > len(buf):
		return nil, errors.New("the value changed while it was read")
	}
	return registryText(buf[:n], kind == regExpand)
}

// registryText decodes UTF-16, with NULs at the end or none. What readers may
// take differently is refused: a NUL inside, half a character, variables.
func registryText(raw []byte, expand bool) ([]byte, error) {
	if len(raw)%2 != 0 {
		return nil, errors.New("the text ends in the middle of a character")
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(raw[2*i:])
	}
	for len(units) > 0 && units[len(units)-1] == 0 {
		units = units[:len(units)-1]
	}
	var out []byte
	percent := 0
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) {
			low := rune(0)
			if i++; i < len(units) {
				low = rune(units[i])
			}
			if r = utf16.DecodeRune(r, low); r == '\uFFFD' {
				return nil, errors.New("the text holds half a character")
			}
		}
		switch r {
		case 0:
			return nil, errors.New("the text holds a NUL")
		case '%':
			percent++
		}
		out = append(out, string(r)...)
	}
	switch {
	case expand && percent > 1:
		return nil, errors.New("the text may hold variables (%NAME%), which are not filled in: use REG_SZ")
	case len(out) > load.MaxSettings:
		return nil, fmt.Errorf("larger than %d bytes", load.MaxSettings)
	}
	return out, nil
}
