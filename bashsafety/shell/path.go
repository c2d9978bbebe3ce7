package shell

import (
	"path"
	"strings"
)

// WindowsVariables name its folders in every environment, or a part of them (learn.microsoft.com, Recognized
// environment variables, 2023-10).
const WindowsVariables = "USERPROFILE HOMEDRIVE HOMEPATH USERNAME APPDATA LOCALAPPDATA PROGRAMDATA ALLUSERSPROFILE " +
	"PROGRAMFILES SYSTEMDRIVE SYSTEMROOT WINDIR PUBLIC"

// OnDrive reports whether a text begins as a path from the root of a drive of Windows does: C:\x or C:/x.
func OnDrive(text string) bool {
	return len(text) > 2 && text[1] == ':' && strings.IndexByte(`/\`, text[2]) >= 0
}

// CleanPath is path.Clean up to the first hole, which may hold slashes: .. after it says nothing.
func CleanPath(p string) string {
	i := strings.Index(p, HoleMark)
	if i < 0 {
		return path.Clean(p)
	}
	p = strings.TrimRight(p, "/")
	for strings.Contains(p[i:], "//") {
		p = p[:i] + strings.ReplaceAll(p[i:], "//", "/")
	}
	head := p[:i]
	j := strings.LastIndexByte(head, '/')
	if j < 0 {
		return p
	}
	dir := path.Clean(head[:j+1])
	if dir == "/" {
		dir = ""
	}
	return dir + "/" + p[j+1:]
}

// NotFile reports whether a path is the null device or a standard stream.
func NotFile(p string) bool {
	n, ok := strings.CutPrefix(p, "/dev/fd/")
	return ok && Number(n) || Among("/dev/null /dev/stdin /dev/stdout /dev/stderr", p)
}

// EscapeGlob writes a text so that, as a pattern, it matches itself alone.
func EscapeGlob(s string) string {
	if !strings.ContainsAny(s, `*?[\`) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(`*?[\`, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Literal is a known word made by the tables, at the place of another.
func Literal(text string, at *Word) Word {
	return Word{Text: text, Known: true, Single: true, Quoted: true, Span: at.Span}
}

// Hole is an unknown argument that starts with prefix, at the place of another.
func Hole(prefix string, at *Word) Word {
	return Word{Text: prefix + HoleMark, Single: true, Quoted: true, Span: at.Span}
}

// NamesStartingWith is the pattern for names that start with a word, a folder's without its last slash.
func NamesStartingWith(w *Word) Word {
	name := *w
	name.Text = strings.TrimRight(w.Text, "/")
	return StartingWith(&name)
}

// StartingWith is the pattern for paths that start with a word, in a folder where it ends with a slash.
func StartingWith(w *Word) Word {
	start := *w
	if !w.Known && !w.Glob {
		start.Text += HoleMark
		return start
	}
	if w.Known {
		start.Text = EscapeGlob(w.Text)
	}
	start.Text += "*"
	start.Known, start.Glob = false, true
	return start
}

// Beneath is the word for a file in dir that is called like the last component of name.
func Beneath(dir, name *Word) Word {
	base := strings.TrimRight(name.Text, "/")
	base = base[strings.LastIndexByte(base, '/')+1:]
	return join(dir, name, base)
}

// Within is the word for the path name below the directory dir.
func Within(dir, name *Word) Word { return join(dir, name, name.Text) }

func join(dir, name *Word, base string) Word {
	w := *dir
	w.Known, w.Glob = dir.Known && name.Known, dir.Glob || name.Glob
	d := strings.TrimRight(dir.Text, "/")
	if len(d) > MaxPath {
		w.Text, w.Known = d[:MaxPath]+HoleMark, false
		return w
	}
	switch {
	case name.Glob && !dir.Glob:
		d = EscapeGlob(d)
	case dir.Glob && !name.Glob:
		base = EscapeGlob(base)
	}
	w.Text = d + "/" + base
	if dir.Text == "" {
		w.Text = base
	}
	return w
}

// Ruinous reports whether losing a path is losing the machine or the home: the root, what is
// directly below it, a home.
func Ruinous(e *Effect, home string) bool {
	if !e.Known && !e.Glob {
		return false
	}
	p := fromDrive(throughProcRoot(e.Path))
	dir, last := splitLast(p)
	if e.Glob && matchesEverything(last) {
		if dir == "" || systemDir(dir) || ofWindows(dir) {
			return true
		}
		if p = dir; topLevel(p) {
			return p == home
		}
	}
	return topLevel(p) || isHome(p, home) || inHomes(p) || ofWindows(p)
}

// fromDrive spells a path that names a drive of Windows on its way from there: what a shell of Unix joined to the
// working directory, verbatim names, what WSL and Cygwin mount; and the volumes of macOS from /.
func fromDrive(p string) string {
	p = strings.TrimPrefix(p, "/System/Volumes/Data") // macOS, where /private holds what is at / as well
	if rest, ok := strings.CutPrefix(p, "/private"); ok && Among("/etc /var /tmp", "/"+firstOf(rest)) {
		p = rest
	}
	if p == "" {
		return "/"
	}
	for at := len(p) - 1; at >= 0; at-- {
		if rest := p[at+1:]; p[at] == '/' && rest != "" && letter(rest[0]) && OnDrive(rest+"/") {
			return CleanPath("/" + rest[:1] + strings.ReplaceAll(rest[2:], `\`, "/"))
		}
	}
	for _, mounts := range [...]string{"/mnt", "/cygdrive"} {
		if rest, ok := strings.CutPrefix(p, mounts); ok && onLetter(rest) {
			return rest
		}
	}
	return p
}

// firstOf is the first component of a path.
func firstOf(p string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(p, "/"), "/")
	return first
}

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// onLetter reports whether the first folder of a path is one letter, as drives are: /c, /c/x.
func onLetter(p string) bool {
	first := firstOf(p)
	return strings.HasPrefix(p, "/") && len(first) == 1 && letter(first[0])
}

// ofWindows reports whether a path is a drive, Windows, its programs or a home on it.
func ofWindows(p string) bool {
	if !onLetter(p) {
		return false
	}
	folder, rest, deeper := strings.Cut(strings.ToLower(strings.TrimPrefix(p[2:], "/")), "/")
	switch folder {
	case "":
		return true
	case "users":
		return !strings.Contains(rest, "/")
	case "windows", "program files", "program files (x86)", "programdata":
		return !deeper
	}
	return false
}

// Elsewhere reports whether a path is ruinous on this machine alone: in a container, where /app
// is a folder like any other. Its root is its root, and ~ was read here.
func Elsewhere(e *Effect, home string) bool {
	p := throughProcRoot(e.Path)
	return e.Known && !e.Glob && p != "/" && !isHome(p, home)
}

func isHome(p, home string) bool { return home != "" && home != "/" && p == CleanPath(home) }

// topLevel reports whether a path is the root or directly below it.
func topLevel(p string) bool { return strings.Count(p, "/") == 1 }

// throughProcRoot follows /proc/self/root, which is another name of the root.
func throughProcRoot(p string) string {
	if rest, ok := strings.CutPrefix(p, "/proc/"); ok {
		if _, inside, ok := strings.Cut(rest, "/root"); ok {
			return CleanPath("/" + inside)
		}
	}
	return p
}

func splitLast(p string) (dir, last string) {
	slash := strings.LastIndexByte(p, '/')
	return p[:slash], p[slash+1:]
}

// matchesEverything reports whether a pattern finds all, or nearly all, files of a folder.
func matchesEverything(pattern string) bool {
	return StartsWithAny(pattern, "*", ".*", "?") && strings.Trim(pattern, "*.?[]!^") == ""
}

// inHomes reports whether a path is in a folder of homes.
func inHomes(p string) bool {
	dir, _ := splitLast(p)
	return dir == "/home" || strings.EqualFold(dir, "/Users") || dir == "/var/home"
}

// systemDir reports the directories whose content is the system.
func systemDir(p string) bool {
	return Among("/bin /boot /dev /etc /home /lib /lib64 /opt /root /sbin /srv /sys /usr /var "+
		"/Applications /Library /System /Users /private", p)
}

// folderOf is the folder that the literal beginning of a word with unknown parts names.
func folderOf(text string) string {
	text, _, _ = strings.Cut(text, HoleMark)
	return path.Clean(text[:strings.LastIndexByte(text, '/')+1])
}

// Upward reports whether a path has a component "..".
func Upward(name string) bool {
	return strings.Contains("/"+name+"/", "/../")
}
