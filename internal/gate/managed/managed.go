// Package managed reads the managed settings that an operating system keeps
// outside of the managed folders: managed preferences on macOS, the policies in
// the registry on Windows. What is read, and how, is here and the same
// everywhere; only where it lies is asked of the system.
package managed

import (
	"errors"
	"io/fs"

	"github.com/permgate--owner/permgate/internal/gate/plist"
	"github.com/permgate--owner/permgate/rules/load"
)

// A Source is one set of managed settings under the names the systems have for it.
type Source struct {
	Root   string // settings folder whose settings.json it stands for; "" for a permgate.json
	Domain string // macOS: preference domain, whose keys are those of the file
	Key    string // Windows: key below HKLM, whose value Settings holds the file's JSON
}

// Sources lists what is read. The names for .claude are Claude Code's own
// (managed settings page of its documentation, 2026-08); the others follow them,
// because Gen and San have none.
var Sources = [...]Source{
	{".claude", "com.anthropic.claudecode", `SOFTWARE\Policies\ClaudeCode`},
	{".gen", "permgate.gen", `SOFTWARE\Policies\Gen`},
	{".san", "permgate.san", `SOFTWARE\Policies\San`},
	{"", "permgate", `SOFTWARE\Policies\Permgate`},
}

// Preferences is the folder macOS puts managed preferences in: one file for
// each domain, and one such folder for each user.
const Preferences = "/Library/Managed Preferences"

// preferences reads every source from the managed preferences below dir, those
// of the user first. user is "" when there is none.
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
