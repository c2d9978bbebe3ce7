package rules

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/rules/grammar"
)

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

// cutProgram splits a command pattern after its program, which may hold blanks where it is quoted or ends as programs do.
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
