package cli

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
)

// hostFound returns where a host's program is on PATH, or the folder that shows
// it was used, "" when there is no trace of it. A folder in which there is nothing
// but what install made is no trace.
func (e *env) hostFound(d *agents.Dirs, h *hookio.Host) string {
	for _, name := range h.Register.Programs {
		if file := programOn(e.world.Getenv("PATH"), name); file != "" {
			return file
		}
	}
	if folder := d.Path(h.Register, h.Register.Folder); exists(folder) && !e.onlyOurs(d, folder, 0) {
		return folder
	}
	return ""
}

// programOn is the file that a search path finds for a program, "" for none.
func programOn(searchPath, name string) string {
	for _, dir := range filepath.SplitList(searchPath) {
		for _, ext := range programEndings() {
			file := filepath.Join(dir, name+ext)
			if info, err := os.Stat(file); err == nil && runnable(info) {
				return file
			}
		}
	}
	return ""
}

func programEndings() []string {
	if runtime.GOOS == "windows" {
		return []string{"", ".exe", ".cmd"}
	}
	return []string{""}
}

func runnable(info os.FileInfo) bool {
	return info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// onlyOurs reports whether a folder holds nothing but what permgate makes: files
// of registrations that hold no more than that, permgate.json, and backups of both.
func (e *env) onlyOurs(d *agents.Dirs, folder string, depth int) bool {
	const most = 32 // entries; more are not ours
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) > most || depth > 3 {
		return false
	}
	for _, entry := range entries {
		if !e.isOurs(d, filepath.Join(folder, entry.Name()), entry, depth) {
			return false
		}
	}
	return true
}

// isOurs reports whether permgate made an entry of such a folder.
func (e *env) isOurs(d *agents.Dirs, name string, entry os.DirEntry, depth int) bool {
	if entry.Name() == "permgate.json" || edit.IsBackup(entry.Name()) {
		return true
	}
	if entry.IsDir() {
		return e.onlyOurs(d, name, depth+1)
	}
	return entry.Type().IsRegular() && e.registersOnly(d, name)
}

// registersOnly reports whether a file holds hooks of permgate and nothing else,
// or goes with one that does.
func (e *env) registersOnly(d *agents.Dirs, name string) bool {
	for _, h := range agents.Hosts() {
		for _, p := range d.Places(h) {
			for _, f := range h.Register.Beside {
				if name == filepath.Join(filepath.Dir(p.Name), filepath.FromSlash(f.Path)) && string(e.readText(name)) == f.Text {
					return true
				}
			}
			if name != p.Name {
				continue
			}
			doc, err := edit.Parse(name, e.readText(name))
			if err != nil {
				return false
			}
			if _, err := agents.Unregister(p, doc); err == nil && agents.Bare(h, doc) {
				return true
			}
		}
	}
	return false
}
