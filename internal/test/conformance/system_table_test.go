package conformance

import (
	"encoding/csv"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A machine has a project, what it holds and which rules the user has.
type machine struct {
	os        rules.OS
	cwd, home string
	rules     string
	links     map[string]string
	environ   []string
	file      string // of its rows
}

var windowsPlace = machine{os: rules.Windows, cwd: `C:\Users\dev\proj`, home: `C:\Users\dev`, file: "windows.tsv",
	rules: `{"permissions":{
		"deny":["Read(~/vault/**)","Read(C:\\secret\\**)","Read(**/secret.txt)","Edit(/locked/**)","Bash(curl:*)","PowerShell(curl:*)"],
		"ask":["Read(~/diary/**)","Edit(docs/contract.md)","Bash(npm publish:*)","PowerShell(npm publish:*)"],
		"allow":["Read(//c/tools/**)","Read(~/notes/**)","Edit(~/notes/**)","Edit(src/**)","Edit(D:\\out\\**)","Bash(cat:*)",
			"Bash(cp:*)","Bash(tee:*)","Bash(npm test)","PowerShell(Get-Content:*)","PowerShell(Set-Content:*)","PowerShell(Copy-Item:*)"],
		"additionalDirectories":["D:\\shared"]}}`,
	links: map[string]string{"/c/Users/dev/proj/src/junction": "/c/Users/dev/vault", "/c/Users/dev/proj/src/away": "/d/x",
		"/c/Documents and Settings": "/c/Users"},
	environ: []string{`USERPROFILE=C:\Users\dev`, `HOMEDRIVE=C:`, `HOMEPATH=\Users\dev`, `USERNAME=dev`, `APPDATA=C:\Users\dev\AppData\Roaming`,
		`LOCALAPPDATA=C:\Users\dev\AppData\Local`, `TEMP=C:\Users\dev\AppData\Local\Temp`, `SystemRoot=C:\Windows`,
		`PATH=C:\Windows\System32;C:\Program Files\Git\cmd;C:\Users\dev\AppData\Roaming\npm`},
}

var macPlace = machine{os: rules.MacOS, cwd: "/Users/dev/proj", home: "/Users/dev", file: "macos_paths.tsv",
	rules: `{"permissions":{
		"deny":["Read(~/vault/**)","Read(~/tr\u00e9sor/**)","Read(//etc/hosts)","Read(**/secret.txt)","Edit(/locked/**)"],
		"ask":["Read(~/diary/**)","Edit(docs/contract.md)"],
		"allow":["Edit(~/notes/**)","Edit(src/**)","Bash(cat:*)"],
		"additionalDirectories":["/Volumes/shared"]}}`,
	links:   map[string]string{"/etc": "private/etc", "/var": "private/var", "/tmp": "private/tmp", "/Volumes/Macintosh HD": "/"},
	environ: []string{"PATH=/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin"}}

// TestMacTable: the same of macOS.
func TestMacTable(t *testing.T) { macPlace.judge(t) }

// TestWindowsTable: paths of Windows that try to get round a rule, a check or the folder of the project, and look-alikes.
func TestWindowsTable(t *testing.T) { windowsPlace.judge(t) }

// A path as it is inside the program, and the place of a rule, which is spelled for the system of the test.
var drive, place = regexp.MustCompile(`/[cd]/\w+|/unc/`), regexp.MustCompile(`/[^ ]*\.json:\d+:\d+|(Read|Edit)\(//[^)]*\)`)

// judge answers the rows of a table: what is wanted is a decision with its step, or that the host is left alone.
func (p *machine) judge(t *testing.T) {
	f, err := os.Open("../../../testdata/corpus/" + p.file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := csv.NewReader(f)
	rows.Comma, rows.LazyQuotes = '\t', true
	for head := true; ; head = false {
		r, err := rows.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if head {
			continue
		}
		home, cwd := p.os.Canon(p.home), p.os.Canon(p.cwd)
		set := Setup{Tool: r[2], Input: []byte(r[3]), Cwd: r[4], Mode: r[5], Project: p.cwd, Home: p.home, OS: p.os,
			Host: "claude", Named: true, Environ: p.environ, Tmp: true,
			Settings: map[string]string{home + "/.claude/permgate.json": installedPosture(t), home + "/.claude/settings.json": p.rules,
				cwd + "/.git/config": "", home + "/.ssh/id_rsa": ""}}
		if set.Junction = p.links; p.os != rules.Windows {
			set.Junction, set.Symlinks, set.Tmp = nil, p.links, false
		}
		_, v := call(t, set)
		if at := drive.FindString(place.ReplaceAllString(v.Reason(), "")); at != "" && !strings.Contains(r[3], at) && p.os == rules.Windows {
			t.Errorf("%s\t%s: names %s: %s", r[0], r[3], at, v.Reason())
		}
		got := v.Decision().String() + " " + v.Origin()
		a := v.Answer().Decision
		if asks := a == hookio.Ask || a == hookio.Deny; r[6] == "quiet" && !asks || r[6] == "silent" && a == 0 {
			continue
		}
		if got != r[6] {
			t.Errorf("%s\t%s\t%s\t%s: want %s, got %s (host: %s): %s", r[0], r[5], r[2], r[3], r[6], got, a, v.Reason())
		}
	}
}
