package rules

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// uncRoot is the first segment of a network path: \\server\share is /unc/server/share.
const uncRoot = "unc"

// Why a name of Windows is not beyond doubt.
const (
	winDevice   = "a device path, which bypasses the usual rules for names"
	winNetwork  = "a network path: opening it contacts another machine"
	winRelative = "relative to the working directory of a drive, which is unknown"
	winNoDrive  = "without a drive"
	winForeign  = "a drive as mounted by another system"
	winVariable = "a variable, which only some programs replace"
)

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// winDrive cuts X: off; drive is the segment /x begins with.
func winDrive(name string) (drive, rest string, ok bool) {
	if len(name) < 2 || name[1] != ':' || !letter(name[0]) {
		return "", name, false
	}
	return strings.ToLower(name[:1]), name[2:], true
}

// winAbs reports whether a path names its place without a working directory.
func winAbs(name string) bool {
	if name == "" {
		return false
	}
	_, _, drive := winDrive(name)
	return drive || name[0] == '/' || name[0] == '\\'
}

// winClean reads a path as Win32 and Git Bash do. .. stops at the drive.
func winClean(name, cwd, home string) (clean, doubt string) {
	s := strings.ReplaceAll(name, `\`, "/")
	if drive, rest, ok := winDrive(s); ok {
		if strings.HasPrefix(rest, "/") {
			return onDrive(drive, rest), ""
		}
		if d, dir, ok := driveOf(cwd); ok && d == drive {
			return onDrive(drive, dir+"/"+rest), winRelative
		}
		return onDrive(drive, rest), winRelative
	}
	if first, rest, _ := strings.Cut(s, "/"); shellVariable(strings.ToLower(first), "programdata") {
		return onDrive("c", "/ProgramData/"+rest), winVariable
	}
	if below, ok := winNamedHome(s); ok && home != "" {
		clean, _ = winClean(home+below, cwd, "")
		return clean, winVariable
	}
	switch {
	case s == "~" && home != "", strings.HasPrefix(s, "~/") && home != "":
		return winClean(home+s[1:], cwd, "")
	case strings.HasPrefix(s, "//"), strings.HasPrefix(s, "/??/"):
		return winSpecial(s)
	case strings.HasPrefix(s, "/"):
		if clean, doubt = winRooted(s, cwd); name[0] == '\\' {
			doubt = winNoDrive // no name of Git Bash, so \c is not its C:
		}
		return clean, doubt
	case cwd == "":
		return path.Clean(s), ""
	}
	if drive, dir, ok := driveOf(cwd); ok {
		return onDrive(drive, dir+"/"+s), ""
	}
	return path.Clean(cwd + "/" + s), ""
}

// homeVariables are those that name a folder of the home, and which (learn.microsoft.com, Recognized environment
// variables, 2023-10).
var homeVariables = [...][2]string{{"userprofile", ""}, {"homedrive%%homepath", ""}, {"appdata", "/AppData/Roaming"},
	{"localappdata", "/AppData/Local"}, {"home", ""}}

// winNamedHome is what a path that begins with such a variable, as cmd or PowerShell spell it, has below the home.
func winNamedHome(s string) (below string, ok bool) {
	if s == "" || s[0] != '%' && s[0] != '$' {
		return "", false
	}
	first, rest, _ := strings.Cut(s, "/")
	name := strings.ToLower(first)
	for _, v := range homeVariables {
		if shellVariable(name, v[0]) || v[0] == "home" && (name == "$home" || name == "${home}") {
			return v[1] + "/" + rest, true
		}
	}
	return "", false
}

// shellVariable reports whether a text is a variable as cmd or PowerShell spell it.
func shellVariable(text, name string) bool {
	return text == "%"+name+"%" || text == "$env:"+name || text == "${env:"+name+"}"
}

// onDrive is a clean path on a drive.
func onDrive(drive, rest string) string {
	if rest = path.Clean("/" + rest); rest == "/" {
		return "/" + drive
	}
	return "/" + drive + rest
}

// startsWithDrive reports whether the first component of a path is one letter.
func startsWithDrive(name string) bool {
	return name != "" && letter(name[0]) && (len(name) == 1 || name[1] == '/')
}

// driveOf cuts the drive off a path of the form /c or /c/dir.
func driveOf(name string) (drive, rest string, ok bool) {
	if name == "" || name[0] != '/' || !startsWithDrive(name[1:]) {
		return "", name, false
	}
	return strings.ToLower(name[1:2]), name[2:], true
}

// winSpecial reads what begins with two slashes: devices, verbatim paths,
// network paths. An administrative share (C$) is a drive of that machine, most
// likely of this one.
func winSpecial(s string) (clean, doubt string) {
	rest := strings.TrimLeft(s, "/")
	if dev, ok := strings.CutPrefix(rest, "?/"); ok || strings.HasPrefix(rest, "./") || strings.HasPrefix(rest, "??/") {
		if !ok {
			_, dev, _ = strings.Cut(rest, "/")
		}
		for at := dev; at != ""; _, at, _ = strings.Cut(at, "/") { // GLOBALROOT/??/C:/dir
			if drive, dir, ok := winDrive(at); ok {
				return onDrive(drive, dir), winDevice
			}
		}
		if len(dev) > 4 && strings.EqualFold(dev[:4], "UNC/") {
			clean, _ = winShare(dev[4:])
			return clean, winDevice
		}
		return path.Clean("/device/" + dev), winDevice
	}
	return winShare(rest)
}

// winShare reads what follows the two slashes of a network path. A machine
// named by one letter is more likely meant to be a drive.
func winShare(rest string) (clean, doubt string) {
	machine, share, _ := strings.Cut(rest, "/")
	if len(machine) == 1 && letter(machine[0]) {
		return onDrive(strings.ToLower(machine), share), winNetwork
	}
	first, dir, _ := strings.Cut(share, "/")
	if wsl := grammar.FoldPath(machine); wsl == "wsl$" || wsl == "wsl.localhost" {
		if clean, ok := winMounted("/" + dir); ok {
			return clean, winNetwork
		}
	}
	if len(first) == 2 && first[1] == '$' && letter(first[0]) {
		return onDrive(strings.ToLower(first[:1]), dir), winNetwork
	}
	return path.Clean("/" + uncRoot + "/" + rest), winNetwork
}

// winRooted reads what begins with one slash: /c/dir is Git Bash's C:\dir. WSL
// and Cygwin mount drives elsewhere. Anything else is on the current drive.
func winRooted(s, cwd string) (clean, doubt string) {
	if drive, rest, ok := driveOf(s); ok {
		return onDrive(drive, rest), ""
	}
	if clean, ok := winMounted(s); ok {
		return clean, winForeign
	}
	if drive, rest, ok := winDrive(s[1:]); ok && strings.HasPrefix(rest, "/") { // as URLs have it
		return onDrive(drive, rest), winNoDrive
	}
	if drive, _, ok := driveOf(cwd); ok {
		return onDrive(drive, s), winNoDrive
	}
	return path.Clean(s), winNoDrive
}

// winMounted reads /mnt/c/dir and /cygdrive/c/dir.
func winMounted(s string) (clean string, ok bool) {
	for _, root := range [...]string{"/mnt", "/cygdrive", "/proc/cygdrive"} {
		if rest, ok := foldCut(path.Clean(s), root); ok {
			if drive, dir, ok := driveOf(rest); ok {
				return onDrive(drive, dir), true
			}
		}
	}
	return "", false
}

// winEffect reads a path that the analysis joined to the working directory as
// a Unix shell would: what starts again with a drive, or a backslash, does not
// lie below it.
func winEffect(name, raw, cwd string, pattern bool) (clean, doubt string) {
	whole := name
	if raw != "" {
		whole = raw
	}
	if rest, ok := strings.CutPrefix(whole, "//"); ok && !pattern {
		if !strings.Contains(strings.Trim(rest, "/"), "/") {
			return path.Clean("/" + uncRoot + "/" + rest), "" // how Git Bash passes /OPTION on
		}
		return winSpecial(whole)
	}
	for at := len(whole) - 1; at >= 0; at-- {
		if whole[at] != '/' {
			continue
		}
		rest := whole[at+1:]
		if _, _, ok := winDrive(rest); ok || strings.HasPrefix(rest, `\`) && !pattern {
			return winClean(rest, whole[:at], "")
		}
	}
	if clean, ok := winMounted(name); ok {
		return clean, winForeign
	}
	if strings.Contains(name, `\`) && !pattern {
		name = path.Clean(strings.ReplaceAll(whole, `\`, "/"))
	}
	if drive, rest, ok := driveOf(name); ok {
		return onDrive(drive, rest), ""
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(name, "/"), "/")
	for _, own := range gitBashRoots {
		if first == own {
			return name, "" // on no drive that is known
		}
	}
	if drive, _, ok := driveOf(cwd); ok && path.IsAbs(name) {
		return onDrive(drive, name), winNoDrive
	}
	return name, ""
}

// gitBashRoots are the folders at the root of Git Bash. Another one is more
// likely meant to be on the drive, and is for programs that are not its own.
var gitBashRoots = [...]string{"", "bin", "clang64", "clangarm64", "cmd", "dev", "etc", "home", "lib", "mingw32",
	"mingw64", "opt", "proc", "sbin", "tmp", "ucrt64", "usr", "var"}

// winOdd says why a component may not name the file it seems to: NTFS streams,
// what Win32 cuts off, names of devices, names made up for DOS.
func winOdd(c string) string {
	switch {
	case c == "." || c == "..":
		return ""
	case strings.ContainsRune(c, ':'):
		return "names an alternate stream of a file"
	case strings.TrimRight(c, " .") != c:
		return "ends with a dot or space, which Windows strips"
	case strings.ContainsAny(c, `<>"|?*`):
		return "contains a character that is invalid in file names"
	case ShortName(c):
		return "is a short name (8.3) of a file with a longer one"
	case winReserved(c):
		return "is a device name"
	}
	return ""
}

// ShortName reports whether a component has the form of an 8.3 name: up to six
// characters, a tilde, a number; an extension of up to three.
func ShortName(c string) bool {
	base, ext, _ := strings.Cut(c, ".")
	if len(base) > 8 || len(ext) > 3 || strings.Contains(ext, ".") {
		return false
	}
	tilde := strings.LastIndexByte(base, '~')
	return tilde > 0 && digits(base[tilde+1:])
}

// winReserved reports whether Win32 takes a component for a device, whatever
// extension it has.
func winReserved(c string) bool {
	base, _, _ := strings.Cut(c, ".")
	base = grammar.FoldPath(strings.TrimRight(base, " "))
	switch base {
	case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$":
		return true
	}
	for _, port := range [...]string{"com", "lpt"} {
		if n, ok := strings.CutPrefix(base, port); ok {
			switch n {
			case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
				return true
			}
		}
	}
	return false
}

// Meant is the pattern that people mean who name a place of Windows in a deny or ask rule as tools and other systems
// spell it: %USERPROFILE%\x, $HOME/x, /c/Users, /C:/dir, /mnt/c/dir, \Users, C:dir, \\localhost\c$\dir, file:///C:/dir.
// It is "" for others, and for /c/**, which may be a folder c.
func (os OS) Meant(pattern, cwd string) string {
	if os != Windows {
		return ""
	}
	slashed := strings.TrimPrefix(os.Slashes(strings.Trim(pattern, `"'`)), "file:///")
	tree := ""
	if strings.HasSuffix(slashed, "/") {
		tree = "/"
	}
	first, rest, _ := strings.Cut(slashed, "/")
	if below, ok := winNamedHome(slashed); ok {
		return "~" + below
	}
	if shellVariable(strings.ToLower(first), "programdata") {
		return "//c/ProgramData/" + rest
	}
	if drive, dir, ok := winDrive(strings.TrimPrefix(slashed, "/")); ok {
		return "//" + drive + "/" + strings.TrimPrefix(dir, "/")
	}
	if clean, ok := winMounted(slashed); ok {
		return "/" + clean + tree
	}
	if strings.HasPrefix(slashed, "//") {
		clean, _ := winSpecial(slashed)
		return "/" + clean + tree
	}
	own, _, known := driveOf(cwd)
	_, dir, ok := driveOf(slashed)
	first, _, _ = strings.Cut(strings.TrimPrefix(dir, "/"), "/")
	switch {
	case ok && first != "" && !strings.ContainsAny(first, "*?["):
		return "/" + slashed
	case strings.HasPrefix(pattern, `\`) && known:
		return "//" + own + slashed
	}
	return ""
}

// programEnds are what Windows leaves out of the name of a program.
var programEnds = [...]string{".exe", ".cmd", ".bat", ".com", ".ps1"}

// ProgramStem is the name that finds a program: Windows and WSL run git.exe for git and npm.cmd for npm, file systems
// that fold case Git.
func ProgramStem(name string) string {
	name = strings.ToLower(name)
	for _, end := range programEnds {
		if stem, ok := strings.CutSuffix(name, end); ok && stem != "" {
			return stem
		}
	}
	return name
}

// ProgramPaths are the spellings in which deny and ask rules that name a program by its path are compared with a
// command word: the place in small letters, as it is, and without and with what Windows leaves out.
func (os OS) ProgramPaths(word, cwd, home string) []string {
	if os != Windows || !strings.ContainsAny(word, `/\`) {
		return nil
	}
	clean, _ := os.Clean(word, cwd, home)
	if clean = grammar.FoldPath(clean); !path.IsAbs(clean) {
		return nil
	}
	if stem := ProgramStem(clean); stem != clean {
		return []string{clean, stem}
	}
	out := []string{clean}
	for _, end := range programEnds {
		out = append(out, clean+end)
	}
	return out
}

// programPattern is a command pattern whose program is named by its path, with that as ProgramPaths has it; "" for
// others.
func (os OS) programPattern(pattern, cwd, home string) string {
	if os != Windows {
		return ""
	}
	program, rest := cutProgram(strings.TrimLeft(pattern, "& "))
	if paths := os.ProgramPaths(program, cwd, home); paths != nil {
		return grammar.Quote(paths[0]) + rest
	}
	return ""
}

// cutProgram splits a command pattern after its program, which may hold blanks where it is quoted or ends as programs
// do.
func cutProgram(pattern string) (program, rest string) {
	if pattern != "" && (pattern[0] == '"' || pattern[0] == '\'') {
		if at := strings.IndexByte(pattern[1:], pattern[0]); at >= 0 {
			return pattern[1 : at+1], pattern[at+2:]
		}
	}
	low, at := strings.ToLower(pattern), len(pattern)+1
	for _, end := range programEnds {
		i := strings.Index(low, end) + len(end)
		if i >= len(end) && i < at && (i == len(low) || strings.IndexByte(" :*", low[i]) >= 0) {
			at = i
		}
	}
	if at > len(pattern) {
		drive := min(2, len(pattern)) // has a colon too
		at = len(pattern)
		if i := strings.IndexAny(pattern[drive:], " :"); i >= 0 {
			at = drive + i
		}
	}
	return pattern[:at], pattern[at:]
}
