package rules

import (
	"cmp"
	"path"
	"runtime"
	"strings"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// An OS is how an operating system reads the name of a file. Inside permgate
// paths have one form everywhere: absolute, slashes, on Windows with the drive
// as the first segment (/c/Users/dev), as Git Bash and Claude Code's rules
// spell it. Clean and Canon make that form of what others send.
type OS uint8

const (
	Linux   OS = iota // and every other Unix: a name is its bytes
	MacOS             // several names for the system's folders, case and normal form may not count
	Windows           // drives, backslashes, names that mean others
)

// NativeOS is the system permgate runs on.
func NativeOS() OS {
	switch runtime.GOOS {
	case "darwin":
		return MacOS
	case "windows":
		return Windows
	}
	return Linux
}

// Clean makes the path of a tool call absolute and clean, see CleanPath. doubt
// is not empty when the name may mean another file, or a thing that is no file:
// the result is the best guess then, good enough to deny by, never to allow by.
func (os OS) Clean(name, cwd, home string) (clean, doubt string) {
	switch os {
	case MacOS:
		return macClean(CleanPath(name, cwd, home))
	case Windows:
		return winClean(name, cwd, home)
	}
	return CleanPath(name, cwd, home), ""
}

// Canon is Clean for a path of the system itself, such as the working
// directory or the target of a symlink; a relative one stays relative.
func (os OS) Canon(name string) string {
	switch {
	case os == Linux || name == "":
		return name
	case os == MacOS && !path.IsAbs(name):
		return name
	case os == Windows && !winAbs(name):
		return strings.ReplaceAll(name, `\`, "/")
	}
	clean, _ := os.Clean(name, "", "")
	return clean
}

// IsAbs reports whether a path begins at a root: a drive, a share or, as Git Bash spells it, a slash.
func (os OS) IsAbs(name string) bool { return path.IsAbs(os.Canon(name)) }

// Native is how the system itself spells a path that Canon or Clean made: C:\dir for /c/dir. Messages name files
// so, and what is opened by package os has to be spelled so.
func (os OS) Native(name string) string {
	if os != Windows {
		return name
	}
	slashed := strings.ReplaceAll(name, `\`, "/")
	if drive, rest, ok := driveOf(slashed); ok {
		return strings.ToUpper(drive) + ":" + strings.ReplaceAll(cmp.Or(rest, "/"), "/", `\`)
	}
	if share, ok := strings.CutPrefix(slashed, "/"+uncRoot+"/"); ok {
		return `\\` + strings.ReplaceAll(share, "/", `\`)
	}
	return name
}

// Target is Canon for what a symlink leads to: a path without a drive is on
// that of the link.
func (os OS) Target(link, target string) string {
	if drive, _, ok := driveOf(os.Canon(link)); ok && os == Windows && strings.HasPrefix(target, `\`) &&
		!strings.HasPrefix(target, `\\`) {
		target = drive + ":" + target
	}
	return os.Canon(target)
}

// Join is where a name that a file, a variable or a command holds leads from a folder.
func (os OS) Join(dir, name string) string {
	if name = os.Target(dir, name); path.IsAbs(name) {
		return name
	}
	return dir + "/" + name
}

// Slashes returns a path or pattern with slashes between its segments.
func (os OS) Slashes(name string) string {
	if os == Windows {
		return strings.ReplaceAll(name, `\`, "/")
	}
	return name
}

// Effect is Clean for a path of a shell command, which was joined to the
// working directory as a Unix shell would do it. raw is the path before .. was
// taken out, or "" if none; cwd is that of the session.
func (os OS) Effect(name, raw, cwd string, pattern bool) (clean, doubt string) {
	switch {
	case os == MacOS:
		return macClean(name)
	case os == Windows:
		return winEffect(name, raw, cwd, pattern)
	}
	return name, ""
}

// spellings returns the names a rule may have for a clean path, itself first.
func (os OS) spellings(name string) []string {
	if os == MacOS {
		return macSpellings(name)
	}
	return []string{name}
}

// fold is the form of a path in which deny and ask compare it.
func (os OS) fold(name string) string {
	name = grammar.FoldPath(name)
	if os != Windows {
		return name
	}
	segs := strings.Split(name, "/")
	for i, seg := range segs {
		if at := strings.IndexByte(seg, ':'); at > 0 {
			seg = seg[:at]
		}
		segs[i] = strings.TrimRight(seg, " .")
	}
	return strings.Join(segs, "/")
}

// Anchor returns the pattern of a path rule with its anchor in the form of this
// package: C:\dir and //C:/dir are //c/dir on Windows.
func (os OS) anchor(pattern string) string {
	if os != Windows {
		return pattern
	}
	rest := strings.TrimPrefix(pattern, "//")
	for _, verbatim := range [...]string{`\\?\`, `\\.\`, "//?/", "//./"} {
		if dir, ok := strings.CutPrefix(pattern, verbatim); ok {
			rest = dir
		}
	}
	drive, dir, ok := winDrive(rest)
	if rooted := dir == "" || dir[0] == '/' || dir[0] == '\\'; ok && rooted {
		return "//" + drive + strings.ReplaceAll(dir, `\`, "/")
	}
	if share, ok := strings.CutPrefix(pattern, `\\`); ok {
		return "//" + uncRoot + "/" + strings.ReplaceAll(share, `\`, "/")
	}
	if rest != pattern && startsWithDrive(rest) {
		return "//" + strings.ToLower(rest[:1]) + rest[1:]
	}
	return pattern
}

// Rooted reports whether the pattern of a path rule names its place whatever the working directory and the project
// are: it begins with //, ~/ or, on Windows, a drive.
func (os OS) Rooted(pattern string) bool {
	pattern = os.anchor(strings.TrimSpace(pattern))
	return strings.HasPrefix(pattern, "//") || strings.HasPrefix(pattern, "~/")
}

// Odd says why the name of one path component may mean another file than it
// says, "" when it cannot.
func (os OS) Odd(component string) string {
	switch os {
	case MacOS:
		if grammar.FoldPath(component) == "..namedfork" {
			return "names a fork of a file"
		}
	case Windows:
		return winOdd(component)
	}
	return ""
}

// Unplaced says why a clean path is at no place that rules could be compared with, "" for any other.
func (os OS) Unplaced(clean string) string {
	switch share, network := strings.CutPrefix(clean, "/"+uncRoot+"/"); {
	case os != Windows:
		return ""
	case strings.HasPrefix(clean, "/device/"):
		return winDevice
	case network && strings.Contains(share, "/"):
		return winNetwork
	}
	return ""
}

// SystemDirs are the folders of the system itself, without those of a drive.
var SystemDirs = [...]string{"/etc", "/boot", "/usr/bin", "/usr/lib", "/private/etc"}

// SystemDir reports whether a path is in a folder of the system itself.
func (os OS) SystemDir(name string) bool {
	if os != Linux {
		name = os.fold(name)
	}
	for _, d := range SystemDirs {
		if Within(name, d) {
			return true
		}
	}
	for _, d := range [...]string{"/system", "/library", "/applications"} {
		if os == MacOS && Within(name, d) {
			return true
		}
	}
	if os == Windows && len(name) > 2 && name[2] == '/' {
		for _, d := range [...]string{"windows", "program files", "program files (x86)"} {
			if Within(name[3:], d) {
				return true
			}
		}
	}
	return false
}

// IsRoot reports whether dir is the root of everything or of a drive.
func (os OS) IsRoot(dir string) bool {
	return dir == path.Dir(dir) || os == Windows && len(dir) == 2
}

// MacData is where the volume that can be written is mounted; firmlinks show
// its folders at / (apfs, firmlinks(5), /usr/share/firmlinks).
const MacData = "/System/Volumes/Data"

// MacPrivate are the folders at / that are symlinks into /private.
var MacPrivate = [...]string{"/etc", "/var", "/tmp"}

// macMagic are first components that the kernel reads as commands: a file by
// its number, a way to follow links.
var macMagic = [...]string{".vol", ".file", ".nofollow", ".resolve"}

// macClean gives a clean path the one name permgate uses for it.
func macClean(name string) (clean, doubt string) {
	if i := foldIndex(name, "/..namedfork"); i > 0 {
		doubt = "names a fork of a file"
		name = name[:i]
	}
	for range 8 {
		short := name
		if rest, ok := foldCut(name, MacData); ok {
			short = path.Clean("/" + rest)
		} else if rest, ok := foldCut(name, "/private"); ok {
			for _, d := range MacPrivate {
				if _, ok := foldCut(rest, d); ok {
					short = rest
				}
			}
		} else {
			for _, m := range macMagic {
				if rest, ok := foldCut(name, "/"+m); ok && strings.HasPrefix(name, "/") {
					doubt = "a kernel name for a file"
					if m == ".resolve" { // and how, as a number
						_, rest, _ = strings.Cut(strings.TrimPrefix(rest, "/"), "/")
					}
					if m == ".nofollow" || m == ".resolve" {
						short = path.Clean("/" + rest)
					}
				}
			}
		}
		if short == name {
			break
		}
		name = short
	}
	return name, doubt
}

// foldCut returns what follows dir in name, where case and the like do not count.
func foldCut(name, dir string) (rest string, ok bool) {
	end := 0
	for range strings.Count(dir, "/") {
		if end >= len(name) {
			return "", false
		}
		n := strings.IndexByte(name[end+1:], '/')
		if n < 0 {
			end = len(name)
		} else {
			end += 1 + n
		}
	}
	if name == "" || grammar.FoldPath(name[:end]) != grammar.FoldPath(dir) {
		return "", false
	}
	return name[end:], true
}

// foldIndex is strings.Index of a folded component with its slash, or -1 if none.
func foldIndex(name, component string) int {
	if !strings.Contains(name, "..") {
		return -1
	}
	for at := 0; at < len(name); {
		end := len(name)
		if n := strings.IndexByte(name[at+1:], '/'); n >= 0 {
			end = at + 1 + n
		}
		if grammar.FoldPath(name[at:end]) == component {
			return at
		}
		at = end
	}
	return -1
}

func macSpellings(name string) []string {
	out := []string{name}
	for _, d := range MacPrivate {
		if _, ok := foldCut(name, d); ok {
			out = append(out, "/private"+name)
		}
	}
	for _, n := range out[:len(out):len(out)] {
		out = append(out, MacData+strings.TrimSuffix(n, "/"))
	}
	return out
}
