package conformance

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
)

// TestWindowsPlaces: a place that a variable, a file of git or a patch names counts on Windows as well, where it begins
// with a drive: the call is asked about, or not, as it is on Linux.
func TestWindowsPlaces(t *testing.T) {
	const program = "permgate program"
	repo := func(f *fakefs.FS, dir string) {
		for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\tbare = false\n", "objects/x": "", "refs/x": ""} {
			f.Write(dir+"/"+name, text)
		}
	}
	workTree := func(f *fakefs.FS) { // of another repository
		repo(f, "/c/Users/dev/other/.git")
		f.Write("/c/Users/dev/other/.git/worktrees/wt/HEAD", "ref: refs/heads/wt\n")
		f.Write("/c/Users/dev/other/.git/worktrees/wt/commondir", "../..\n")
		f.Write("/c/Users/dev/other/.git/worktrees/wt/gitdir", "C:/Users/dev/wt/.git\n")
		f.Write("/c/Users/dev/wt/.git", "gitdir: C:/Users/dev/other/.git/worktrees/wt\n")
	}
	for name, tt := range map[string]struct {
		tool, text string
		environ    []string
		arrange    func(*fakefs.FS)
		want       hookio.Decision
	}{
		"cd in a moved snapshot": {"Bash", "cd src; echo x > ../bin/ls", []string{`CLAUDE_CONFIG_DIR=C:\cfg`}, func(f *fakefs.FS) {
			f.Write("/c/cfg/shell-snapshots/snapshot-bash-1764300000000-abc123.sh", "alias -- cd='z'\n")
		}, hookio.Ask},
		"cd that works":        {"Bash", "cd src; echo x > ../bin/ls", []string{`CLAUDE_CONFIG_DIR=C:\cfg`}, nil, hookio.Allow},
		"moved .config":        {"Bash", "echo x > C:/cfg/git/config", []string{`XDG_CONFIG_HOME=C:\cfg`}, nil, hookio.Ask},
		"copy on PATH":         {"Bash", "pg trust", []string{`Path=C:\Windows;C:\tools`}, func(f *fakefs.FS) { f.Write("/c/tools/pg.exe", program) }, hookio.Ask},
		"copy by drive":        {"Bash", "C:/tools/pg.exe trust", nil, func(f *fakefs.FS) { f.Write("/c/tools/pg.exe", program) }, hookio.Ask},
		"copy without its end": {"PowerShell", `C:\tools\pg trust`, nil, func(f *fakefs.FS) { f.Write("/c/tools/pg.exe", program) }, hookio.Ask},
		"copy below":           {"PowerShell", `.\pg.exe trust`, nil, func(f *fakefs.FS) { f.Write("/c/Users/dev/proj/pg.exe", program) }, hookio.Ask},
		"another program":      {"Bash", "C:/tools/pg.exe trust", nil, func(f *fakefs.FS) { f.Write("/c/tools/pg.exe", "x") }, hookio.Allow},
		"making a copy":        {"Bash", "cp C:/bin/permgate.exe src/x.exe", nil, nil, hookio.Ask},
		"making one, cmdlet":   {"PowerShell", `Copy-Item C:\bin\permgate.exe src\x.exe`, nil, nil, hookio.Ask},
		"handing it on":        {"Bash", "mytool C:/bin/permgate.exe", nil, nil, hookio.Ask},
		"work tree of another": {"Bash", "git -C ../wt log -1", nil, workTree, hookio.Allow},
		"active work tree": {"Bash", "git -C ../wt log -1", nil, func(f *fakefs.FS) {
			workTree(f)
			f.Write("/c/Users/dev/other/.git/config", "[core]\n\tfsmonitor = ./x\n")
		}, hookio.Ask},
		"trace of git": {"Bash", "GIT_TRACE=C:/Users/dev/.bashrc git status", nil, nil, hookio.Ask},
		"link in a patch": {"Bash", "git apply a.patch", nil, func(f *fakefs.FS) {
			f.Write("/c/Users/dev/proj/a.patch", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+"+
				`C:\Users\dev\.ssh`+"\n\\ No newline at end of file\n")
		}, hookio.Ask},
	} {
		_, v := call(t, Setup{Tool: tt.tool, Input: []byte(`{"command":` + quote(tt.text) + `}`), Mode: "bypassPermissions", Cwd: `C:\Users\dev\proj`,
			Project: `C:\Users\dev\proj`, Home: `C:\Users\dev`, OS: rules.Windows, Host: "claude", Named: true, Environ: append([]string{`USERNAME=dev`}, tt.environ...),
			AsIs: true, Arrange: func(f *fakefs.FS) {
				repo(f, "/c/Users/dev/proj/.git")
				f.Mkdir("/c/Users/dev/proj/src")
				f.Write("/c/bin/permgate.exe", program)
				if tt.arrange != nil {
					tt.arrange(f)
				}
				f.Own("/c", 1000)
			}, Before: func(c *decide.Input) { c.World.Program = func() string { return "/c/bin/permgate.exe" } }})
		if v.Decision() != tt.want || strings.Contains(v.Reason(), "/c/") {
			t.Errorf("%s: %s: %s, want %s: %s", name, tt.text, v.Decision(), tt.want, v.Reason())
		}
	}
}

// TestWindowsSpellings: a deny rule binds however it spells the place or the program.
func TestWindowsSpellings(t *testing.T) {
	read, run, away := `{"file_path":"C:\\Users\\dev\\vault\\key"}`, `{"command":"\"C:/tools/X.EXE\" a"}`, `{"file_path":"C:\\Users\\dev\\proj\\src\\a"}`
	for _, tt := range []struct {
		rule, tool, input string
		want              hookio.Decision
	}{
		{`Read(C:\Users\dev\vault\**)`, "Read", read, hookio.Deny},
		{`Read(C:/Users/dev/vault/**)`, "Read", read, hookio.Deny},
		{`Read(//c/Users/dev/vault/**)`, "Read", read, hookio.Deny},
		{`Read(/c/Users/dev/vault/**)`, "Read", read, hookio.Deny},
		{`Read(/C:/Users/dev/vault/**)`, "Read", read, hookio.Deny},
		{`Read(\Users\dev\vault\**)`, "Read", read, hookio.Deny},
		{`Read(~/vault/**)`, "Read", read, hookio.Deny},
		{`Read(/c/**)`, "Read", read, hookio.Allow}, // a folder c of the project
		{`Read(/src/**)`, "Read", away, hookio.Deny},
		{`Read(/c/*/dev/**)`, "Read", read, hookio.Allow},
		{`Bash(x:*)`, "Bash", run, hookio.Deny},
		{`Bash(x.exe:*)`, "Bash", run, hookio.Deny},
		{`Bash(x.exe:*)`, "Bash", `{"command":"x a"}`, hookio.Deny},
		{`Bash(x.cmd:*)`, "Bash", `{"command":"x a"}`, hookio.Deny},
		{`Bash(x.exe:*)`, "Bash", `{"command":"xy a"}`, hookio.Allow},
		{`Read(%USERPROFILE%\vault\**)`, "Read", read, hookio.Deny},
		{`Read($HOME/vault/**)`, "Read", read, hookio.Deny},
		{`Read($env:USERPROFILE\vault\**)`, "Read", read, hookio.Deny},
		{`Read(~\vault\**)`, "Read", read, hookio.Deny},
		{`Read(%HOMEDRIVE%%HOMEPATH%\vault\**)`, "Read", read, hookio.Deny},
		{`Read(%APPDATA%\vault\**)`, "Read", read, hookio.Allow}, // another place
		{`Read(\\localhost\c$\Users\dev\vault\key)`, "Read", read, hookio.Deny},
		{`Read(//127.0.0.1/C$/Users/dev/vault/**)`, "Read", read, hookio.Deny},
		{`Read(\\wsl$\Ubuntu\mnt\c\Users\dev\vault\**)`, "Read", read, hookio.Deny},
		{`Read(/mnt/c/Users/dev/vault/**)`, "Read", read, hookio.Deny},
		{`Read(//mnt/c/Users/dev/vault/)`, "Read", read, hookio.Deny},
		{`Read(/cygdrive/c/Users/dev/vault/**)`, "Read", read, hookio.Deny},
		{`Read(file:///C:/Users/dev/vault/key)`, "Read", read, hookio.Deny},
		{`Read("C:\Users\dev\vault\**")`, "Read", read, hookio.Deny},
		{`Read(C:Users\dev\vault\**)`, "Read", read, hookio.Deny},
		{`Read(/mnt/d/Users/dev/vault/**)`, "Read", read, hookio.Allow},
		{`Bash(C:\tools\x.exe:*)`, "Bash", run, hookio.Deny},
		{`Bash(C:\tools\x:*)`, "Bash", run, hookio.Deny},
		{`Bash(/c/tools/x *)`, "Bash", run, hookio.Deny},
		{`Bash(\\localhost\c$\tools\x.exe:*)`, "Bash", run, hookio.Deny},
		{`Bash(C:\tools\*)`, "Bash", run, hookio.Deny},
		{`Bash(C:\tools\x.cmd:*)`, "Bash", run, hookio.Allow},
		{`Bash(C:\other\x.exe:*)`, "Bash", run, hookio.Allow},
		{`Bash(C:\tools\x.exe)`, "Bash", run, hookio.Allow}, // without arguments
		{`Bash(C:\Program Files\T\x.exe:*)`, "Bash", `{"command":"'C:\\Program Files\\T\\x.exe' a"}`, hookio.Deny},
		{`Bash(.\x.bat:*)`, "Bash", `{"command":"./x.bat a"}`, hookio.Deny},
		{`PowerShell(C:\tools\x.exe:*)`, "PowerShell", `{"command":"c:/Tools/X a"}`, hookio.Deny},
		{`PowerShell(C:/tools/x.exe:*)`, "PowerShell", `{"command":"& \"C:\\tools\\x.exe\" a"}`, hookio.Deny},
		{`PowerShell(& "C:\tools\x.exe":*)`, "PowerShell", `{"command":"Start-Process C:\\tools\\x.exe a"}`, hookio.Deny},
		{`PowerShell(C:\tools\x.exe:*)`, "PowerShell", `{"command":"cmd /c C:\\tools\\x a"}`, hookio.Deny},
	} {
		_, v := call(t, Setup{Tool: tt.tool, Input: []byte(tt.input), Mode: "bypassPermissions", Cwd: `C:\Users\dev\proj`, Project: `C:\Users\dev\proj`,
			Home: `C:\Users\dev`, OS: rules.Windows, Host: "claude", Named: true,
			Settings: map[string]string{"/c/Users/dev/.gen/settings.json": `{"permissions":{"deny":[` + quote(tt.rule) + `]}}`}})
		if v.Decision() != tt.want {
			t.Errorf("%s: %s %s: %s, want %s: %s", tt.rule, tt.tool, tt.input, v.Decision(), tt.want, v.Reason())
		}
	}
}

// TestWindowsAllow: an allow rule allows what it says as the shell reads it, and nothing that it may have meant.
func TestWindowsAllow(t *testing.T) {
	edit, run := `{"file_path":"C:\\Users\\dev\\notes\\a","content":"x"}`, `{"command":"C:/tools/x.exe a"}`
	for _, tt := range []struct {
		rule, tool, input string
		want              hookio.Decision
	}{
		{`Edit(~/notes/**)`, "Write", edit, hookio.Allow},
		{`Edit(%USERPROFILE%\notes\**)`, "Write", edit, hookio.Ask},
		{`Edit($HOME/notes/**)`, "Write", edit, hookio.Ask},
		{`Edit(/mnt/c/Users/dev/notes/**)`, "Write", edit, hookio.Ask},
		{`Edit(\\localhost\c$\Users\dev\notes\**)`, "Write", edit, hookio.Ask},
		{`Edit(file:///C:/Users/dev/notes/**)`, "Write", edit, hookio.Ask},
		{`Bash(C:/tools/x.exe:*)`, "Bash", run, hookio.Allow},
		{`Bash(C:\tools\x.exe:*)`, "Bash", run, hookio.Ask},
		{`Bash(/c/tools/x:*)`, "Bash", run, hookio.Ask},
		{`PowerShell(C:/tools/x.exe:*)`, "PowerShell", `{"command":"C:\\tools\\x.exe a"}`, hookio.Ask},
	} {
		_, v := call(t, Setup{Tool: tt.tool, Input: []byte(tt.input), Mode: "default", Cwd: `C:\Users\dev\proj`, Project: `C:\Users\dev\proj`,
			Home: `C:\Users\dev`, OS: rules.Windows, Settings: map[string]string{"/c/Users/dev/.gen/settings.json": `{"permissions":{"allow":[` + quote(tt.rule) + `]}}`}})
		if v.Decision() != tt.want {
			t.Errorf("%s: %s %s: %s, want %s: %s", tt.rule, tt.tool, tt.input, v.Decision(), tt.want, v.Reason())
		}
	}
}
