package lint

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

var pathAnchor = Check{
	ID: "path-anchor", Severity: Error,
	Title: "an absolute path that is read as one inside the project",
	Why: "One slash at the start of a path pattern is the project root, two are the root of the file system: Read(/etc/passwd) is the file etc/passwd of the project. " +
		"--fix adds the intended rule to deny and ask lists and keeps the old one.",
	Fix: "write // for the root of the file system, ~/ for home, ./ for the working directory",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if !r.paths() {
				continue
			}
			p := strings.TrimSpace(r.Pattern)
			now, what := "", "is inside the project root here"
			first, _, _ := strings.Cut(strings.TrimPrefix(p, "/"), "/")
			switch {
			case strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "//") && systemDir(first) && !in.exists(in.file("/"+first)):
				now = "/" + p
			case in.World.OS != rules.Windows && drive(p) && (p[2] == '\\' || p[2] == '/'):
				now, what = "//"+strings.ToLower(p[:1])+strings.ReplaceAll(p[2:], `\`, "/"), "is a path only on Windows"
			default:
				continue
			}
			if now = r.with(now); r.strict() && in.covered(r, now) {
				continue // written as well
			}
			report(r.finding(p+" "+what, now, r.edit(now, true)))
		}
	},
}

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// systemDir reports whether a name is that of a folder at the root of a file system.
func systemDir(name string) bool {
	return slices.Contains([]string{
		"etc", "home", "Users", "usr", "var", "root", "tmp", "opt", "proc", "sys", "dev", "mnt", "boot", "sbin",
		"Library", "Volumes", "Applications", "System", "private", "c",
	}, name)
}

var pathText = Check{
	ID: "path-text", Severity: Error,
	Title: "a path with a variable, another's home, backslashes or stray blanks",
	Why: "Path patterns expand only a leading ~/, and only slashes separate: $HOME/.ssh is a folder called $HOME. A blank next to a slash or at an end is part of the name: " +
		"deny and ask are read without it as well, but not by other programs. --fix adds the intended rule to deny and ask lists and keeps the old one.",
	Fix: "write ~/ for home, ./ for the working directory, and slashes without blanks",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			p := strings.TrimSpace(r.Pattern)
			program, rest, _ := strings.Cut(p+" ", " ")
			lost := r.Tool == "Bash" && drive(program) && program[2] == '\\'
			meant, windows := rules.Windows.Meant(p, ""), in.World.OS == rules.Windows
			if understood := r.strict() && windows && meant != ""; understood || !r.paths() && !lost {
				continue // deny and ask rules are matched as they are meant there
			}
			placed := drive(p) || windows && strings.HasPrefix(p, `\\`)
			otherwise := windows && meant != p && !strings.HasPrefix(meant, "//unc/") && !drive(p)
			now, what := "", ""
			switch {
			case lost:
				what, now = "bash drops the backslashes of "+program, strings.TrimSpace(strings.ReplaceAll(program, `\`, "/")+" "+rest)
			case strings.HasPrefix(p, "$"), strings.HasPrefix(p, "%") && strings.Count(p, "%") > 1:
				what, now = "variables are not expanded in "+p, meant
				if rest, ok := strings.CutPrefix(p, "${workspaceFolder}/"); ok {
					now = "/" + rest
				}
			case len(p) > 1 && p[0] == '~' && letter(p[1]) && strings.Contains(p, "/"):
				what = "~~ is only your own home, so " + p + " is a folder with that name"
			case otherwise && meant != "" && (p[0] != '/' || strings.HasPrefix(p, "//")):
				what, now = "no path is spelled as "+p, meant
			case backslashed(p) && !placed && (r.List == rules.Allow || in.World.OS != rules.Windows):
				what, now = "a backslash does not separate folders in "+p, strings.ReplaceAll(p, `\`, "/")
			case strayBlanks(&r.Rule):
				what, now = "blanks at an end or next to a slash are surely not meant, and part of the name in allow rules and to other programs", grammar.Unspaced(p)
			default:
				continue
			}
			if now == "" {
				report(r.finding(what, "", nil))
			} else if now = r.with(now); !r.strict() || !in.covered(r, now) {
				report(r.finding(what, now, r.edit(now, !in.covers(r, now))))
			}
		}
	},
}

func drive(p string) bool { return len(p) > 2 && p[1] == ':' && letter(p[0]) }

// backslashed reports a backslash that escapes nothing in a pattern, or one before ** at its end.
func backslashed(p string) bool {
	for i := 0; i+1 < len(p); i++ {
		if p[i] == '\\' && (letter(p[i+1]) || p[i+1] >= '0' && p[i+1] <= '9') {
			return true
		}
	}
	return strings.HasSuffix(p, `\**`)
}

var shallowDirectory = Check{
	ID: "shallow-directory", Severity: Error,
	Title: "a deny or ask rule on a folder that misses its subfolders",
	Why: "* is one path segment: secrets/* does not match secrets/prod/key, and secrets alone is the folder without its files. " +
		"We tried a file in a subfolder, and no deny or ask rule matches it.",
	Fix: "write dir/**, which is the folder and everything in it",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if !r.paths() || !r.strict() || foreignText(r) != "" {
				continue
			}
			dir, ok := strings.CutSuffix(strings.TrimSpace(r.Pattern), "/*")
			if !ok && (strings.ContainsAny(dir, `*?\`) || !in.dir(in.file(dir))) {
				continue
			}
			dir = strings.TrimSuffix(dir, "/")
			inside := in.file(sample(dir)) + "/sub/file"
			if dir == "" || dir == "~" || in.held(r, fileTool(r.Tool), inside) {
				continue
			}
			now := r.with(dir + "/**")
			report(r.finding(r.Pattern+" does not reach "+dir+"/sub/file", now, r.edit(now, false)))
		}
	},
}

// fileTool is the tool whose calls a path rule is about, Read for those that search.
func fileTool(tool string) string {
	if rules.EditTool(tool) {
		return tool
	}
	return "Read"
}

var narrowTool = Check{
	ID: "narrow-tool", Severity: Error,
	Title: "a path rule for one tool that leaves the file open to others",
	Why: "Write(p) covers only the tool Write: Edit changes the same file, and Claude Code ignores path rules for Write. Edit(p) covers Edit, Write and NotebookEdit. " +
		"Likewise Read(p) covers Glob and Grep, and Glob(p) or Grep(p) leaves Read open.",
	Fix: "write Edit(p) for changes and Read(p) for reads",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if !r.paths() || !r.strict() {
				continue
			}
			wide, add := "Read", true
			switch r.Tool {
			case "Write", "NotebookEdit":
				wide, add = "Edit", false
			case "Glob", "Grep", "LS", "NotebookRead":
			default:
				continue
			}
			now := wide + "(" + r.Pattern + ")"
			if in.covered(r, now) || wide == "Edit" && in.covered(r, "Read("+r.Pattern+")") {
				continue
			}
			report(r.finding(r.Tool+"("+r.Pattern+") covers only "+r.Tool+" alone; "+wide+" still reaches the file", now, r.edit(now, add)))
		}
	},
}

var readByCommand = Check{
	ID: "read-by-command", Severity: Error,
	Title: "a file that is denied to one program only",
	Why: "If cat is denied, head or the tool Read still reads the file. A Read rule covers the tool and every command with known operands. " +
		"We tried reading the file with Read, and no rule matches.",
	Fix: "deny Read for the file",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			if !r.shell() || !r.strict() || r.operator() != "" {
				continue
			}
			words := strings.Fields(strings.TrimSuffix(r.Pattern, ":*"))
			if len(words) < 2 || !slices.Contains(readers[:], words[0]) {
				continue
			}
			file := strings.Trim(words[len(words)-1], `'"`)
			if file[0] == '-' || strings.Trim(file, "*?") == "" || !strings.ContainsAny(file, "./~") {
				continue
			}
			if strings.HasPrefix(file, "/") {
				file = "/" + file // an operand is a path of the file system
			}
			if in.held(r, "Read", in.file(sample(file))) {
				continue
			}
			report(r.finding("the tool Read, and any other program, still reads "+file, "Read("+file+")", nil))
		}
	},
}

// readers are the programs people name when they mean a file.
var readers = [...]string{"cat", "less", "more", "head", "tail", "bat", "nl", "tac", "view", "strings", "xxd", "type"}
