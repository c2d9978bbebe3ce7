package conformance

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// Paths of Windows and macOS, judged here whatever system the tests run on.

// A systemRow is one call on one system. The workspace is C:\Users\dev\proj or
// /Users/dev/proj; the user's settings are those of systemSettings.
type systemRow struct {
	name, tool, arg string // arg: path of a file tool, or shell text
	want            hookio.Decision
	step            string // "" is any
}

// systemSettings allow everything there is a rule for, and deny some places.
func systemSettings(os rules.OS) map[string]string {
	home, hosts := "/Users/dev", "//etc/hosts"
	if os == rules.Windows {
		home, hosts = "/c/Users/dev", "//c/Windows/System32/drivers/etc/hosts"
	}
	return map[string]string{home + "/.gen/settings.json": `{"permissions":{
		"deny":["Read(**/secret.txt)","Read(~/vault/**)","Read(` + hosts + `)","Edit(/locked/**)"],
		"allow":["Read","Read(//**)","Edit(src/**)","Write(src/**)","Edit(~/notes/**)","Write(~/notes/**)","Bash(cat:*)","Bash(tee:*)"]}}`}
}

func systemCall(t *testing.T, os rules.OS, mode, tool, arg string) (string, hookio.Decision, string) {
	t.Helper()
	s := Setup{Tool: tool, OS: os, Mode: mode, Cwd: "/Users/dev/proj", Home: "/Users/dev", Settings: systemSettings(os)}
	if os == rules.Windows {
		s.Cwd, s.Home = `C:\Users\dev\proj`, `C:\Users\dev`
	}
	switch os {
	case rules.Windows: // what os.Readlink returns, as internal/gate/disk passes it on
		s.Junction = map[string]string{"/c/Users/dev/proj/src/junction": "/c/Users/dev/vault", "/c/Users/dev/proj/src/away": "/d/x", "/c/Documents and Settings": "/c/Users"}
	case rules.MacOS:
		s.Symlinks = map[string]string{"/etc": "private/etc", "/var": "private/var", "/tmp": "private/tmp"}
	}
	in := map[string]string{"file_path": arg, "content": "x"}
	switch tool {
	case "Bash":
		in = map[string]string{"command": arg}
	case "Read":
		in = map[string]string{"file_path": arg}
	}
	s.Input, _ = json.Marshal(in)
	_, v := call(t, s)
	return v.Reason(), v.Decision(), v.Origin()
}

var systemRows = map[rules.OS][]systemRow{
	rules.Windows: {
		{"backslashes", "Write", `C:\Users\dev\proj\src\a.go`, hookio.Allow, "6"},
		{"slashes", "Write", `C:/Users/dev/proj/src/a.go`, hookio.Allow, "6"},
		{"small drive letter", "Write", `c:\Users\dev\proj\src\a.go`, hookio.Allow, "6"},
		{"Git Bash", "Write", `/c/Users/dev/proj/src/a.go`, hookio.Allow, "6"},
		{"large letter in Git Bash", "Write", `/C/Users/dev/proj/src/a.go`, hookio.Allow, "6"},
		{"mixed", "Write", `C:\Users/dev\proj/src\a.go`, hookio.Allow, "6"},
		{"relative", "Write", `src\a.go`, hookio.Allow, "6"},
		{"home", "Write", `~\notes\a.md`, hookio.Allow, "6"},
		{"another case", "Write", `C:\users\dev\proj\src\a.go`, hookio.Ask, "3b"},
		{"another drive", "Write", `D:\Users\dev\proj\src\a.go`, hookio.Ask, "3b"},
		{"up to the drive", "Write", `C:\Users\dev\proj\..\..\..\..\..\x`, hookio.Ask, "3b"},
		{"WSL's name", "Write", `/mnt/c/Users/dev/proj/src/a.go`, hookio.Ask, "2"},
		{"Cygwin's name", "Write", `/cygdrive/c/Users/dev/proj/src/a.go`, hookio.Ask, "2"},
		{"without a drive", "Write", `\Users\dev\proj\src\a.go`, hookio.Ask, "2"},
		{"relative to a drive", "Write", `C:src\a.go`, hookio.Ask, "2"},
		{"network", "Read", `\\server\share\a.go`, hookio.Ask, "2"},
		{"network, slashes", "Read", `//server/share/a.go`, hookio.Ask, "2"},
		{"verbatim", "Write", `\\?\C:\Users\dev\proj\src\a.go`, hookio.Ask, "2"},
		{"device", "Write", `\\.\C:\Users\dev\proj\src\a.go`, hookio.Ask, "2"},
		{"object manager", "Write", `\??\C:\Users\dev\proj\src\a.go`, hookio.Ask, "2"},
		{"pipe", "Write", `\\.\pipe\x`, hookio.Ask, "2"},
		{"volume", "Read", `\\?\Volume{01}\a`, hookio.Ask, "2"},
		{"short name", "Write", `C:\Users\dev\proj\src\LONGNA~1.GO`, hookio.Ask, "2"},
		{"short folder", "Write", `C:\PROGRA~1\x`, hookio.Ask, "2"},
		{"a tilde alone is no short name", "Write", `C:\Users\dev\proj\src\a~.go`, hookio.Allow, "6"},
		{"short name of .git", "Write", `C:\Users\dev\proj\GIT~1\config`, hookio.Ask, "2"},
		{"stream", "Write", `C:\Users\dev\proj\src\a.go:x`, hookio.Ask, "2"},
		{"main stream", "Write", `C:\Users\dev\proj\src\a.go::$DATA`, hookio.Ask, "2"},
		{"folder as a stream", "Write", `C:\Users\dev\proj\.git::$INDEX_ALLOCATION\config`, hookio.Ask, "2"},
		{"trailing dot", "Write", `C:\Users\dev\proj\src\a.go.`, hookio.Ask, "2"},
		{"trailing blank", "Write", `C:\Users\dev\proj\src \a.go`, hookio.Ask, "2"},
		{"reserved", "Write", `C:\Users\dev\proj\src\nul`, hookio.Ask, "2"},
		{"reserved with extension", "Write", `C:\Users\dev\proj\src\COM1.txt`, hookio.Ask, "2"},
		{"reserved as part of a name", "Write", `C:\Users\dev\proj\src\console.txt`, hookio.Allow, "6"},
		{"wildcard", "Write", `C:\Users\dev\proj\src\a?.go`, hookio.Ask, "2"},
		{"sensitive", "Write", `C:\Users\dev\proj\.git\config`, hookio.Ask, "2"},
		{"sensitive, case", "Write", `C:\Users\dev\proj\.GIT\config`, hookio.Ask, "2"},
		{"sensitive in the home", "Write", `C:\Users\dev\.ssh\config`, hookio.Ask, "2"},
		{"denied", "Read", `C:\Users\dev\vault\a`, hookio.Deny, "1"},
		{"denied, case", "Read", `c:\USERS\dev\Vault\A`, hookio.Deny, "1"},
		{"denied, Git Bash", "Read", `/c/users/dev/vault/a`, hookio.Deny, "1"},
		{"denied, WSL", "Read", `/mnt/c/Users/dev/vault/a`, hookio.Deny, "1"},
		{"denied, share", "Read", `\\localhost\C$\Users\dev\vault\a`, hookio.Deny, "1"},
		{"denied, verbatim", "Read", `\\?\C:\Users\dev\vault\a`, hookio.Deny, "1"},
		{"denied, verbatim share", "Read", `\\?\UNC\127.0.0.1\c$\Users\dev\vault\a`, hookio.Deny, "1"},
		{"denied, stream", "Read", `C:\Users\dev\proj\secret.txt::$DATA`, hookio.Deny, "1"},
		{"denied, trailing dots", "Read", `C:\Users\dev\proj\SECRET.TXT. .`, hookio.Deny, "1"},
		{"denied, no drive", "Read", `\Users\dev\vault\a`, hookio.Deny, "1"},
		{"denied below a project folder", "Write", `C:\Users\dev\proj\Locked\a`, hookio.Deny, "1"},
		{"denied, through a junction", "Read", `C:\Users\dev\proj\src\junction\a`, hookio.Deny, "1"},
		{"denied, through a junction of the system", "Read", `C:\Documents and Settings\dev\vault\a`, hookio.Deny, "1"},
		{"a junction that leads out", "Write", `C:\Users\dev\proj\src\away\a`, hookio.Ask, "3b"},
		{"shell, a junction that leads out", "Bash", `tee src/away/a`, hookio.Ask, "3b"},
		{"shell, unknown folder, sensitive", "Bash", `tee "$USERPROFILE\\.ssh\\config"`, hookio.Ask, "2"},
		{"shell, network with a name of Git Bash", "Bash", `cat //tmp/share/a`, hookio.Ask, "2"},
		{"shell, network, write", "Bash", `tee //opt/share/a`, hookio.Ask, "2"},
		{"shell, .. behind the working directory of a process", "Bash", `cat /proc/self/cwd/../vault/a`, hookio.Deny, "1"},
		{"shell, a drive with two slashes is a machine", "Bash", `cat //c/Users/dev/proj/a`, hookio.Ask, "2"},
		{"shell, the same, denied", "Bash", `cat //c/Users/dev/vault/a`, hookio.Deny, "1"},
		{"shell, option of a Windows program", "Bash", `cat //FI //c`, hookio.Allow, "6"},
		{"shell, below the root is no network", "Bash", `cd / && cat tmp/x`, hookio.Ask, "7"},
		{"a denied file of the system", "Read", `C:\Windows\System32\drivers\etc\hosts`, hookio.Deny, "1"},
		{"shell, Git Bash", "Bash", `cat /c/Users/dev/vault/a`, hookio.Deny, "1"},
		{"shell, slashes", "Bash", `cat C:/Users/dev/vault/a`, hookio.Deny, "1"},
		{"shell, quoted backslashes", "Bash", `cat 'C:\Users\dev\vault\a'`, hookio.Deny, "1"},
		{"shell, backslashes below cwd", "Bash", `cat '..\vault\a'`, hookio.Deny, "1"},
		{"shell, .. behind a drive", "Bash", `cat D:/x/../../y C:/Users/x/../dev/vault/a`, hookio.Deny, "1"},
		{"shell, lost backslashes", "Bash", `cat C:\Users\dev\x`, hookio.Ask, "2"},
		{"shell, network", "Bash", `cat '\\server\share\a'`, hookio.Ask, "2"},
		{"shell, write by drive", "Bash", `cat a > C:/Users/dev/proj/src/b`, hookio.Allow, "6"},
		{"shell, write by drive, outside", "Bash", `cat a > C:/Users/dev/x`, hookio.Ask, "3b"},
		{"shell, a pattern for the program", "Bash", `cat -- '*.go'`, hookio.Allow, "6"},
		{"shell, null device", "Bash", `cat a 2> nul`, hookio.Ask, "2"},
		{"shell, null device of Git Bash", "Bash", `cat a 2> /dev/null`, hookio.Allow, "6"},
		{"shell, Windows folder", "Bash", `cat a > C:/Windows/System32/x`, hookio.Ask, "2"},
		{"shell, Git Bash's own folder", "Bash", `cat a > /usr/lib/x`, hookio.Ask, "2"},
		{"shell, a folder that is not Git Bash's own", "Bash", `cat /Users/dev/x`, hookio.Ask, "2"},
		{"shell, the same, denied", "Bash", `cat /Users/dev/vault/x`, hookio.Deny, "1"},
		{"shell, Git Bash's own temporary folder", "Bash", `cat /tmp/x`, hookio.Allow, "6"},
	},
	rules.MacOS: {
		{"plain", "Write", `/Users/dev/proj/src/a.go`, hookio.Allow, "6"},
		{"firmlink", "Write", `/System/Volumes/Data/Users/dev/proj/src/a.go`, hookio.Allow, "6"},
		{"firmlink, case", "Write", `/system/volumes/DATA/Users/dev/proj/src/a.go`, hookio.Allow, "6"},
		{"another case", "Write", `/Users/dev/PROJ/src/a.go`, hookio.Ask, "3b"},
		{"denied, /etc", "Read", `/etc/hosts`, hookio.Deny, "1"},
		{"denied, /private/etc", "Read", `/private/etc/hosts`, hookio.Deny, "1"},
		{"denied, case", "Read", `/PRIVATE/Etc/HOSTS`, hookio.Deny, "1"},
		{"denied, firmlink", "Read", `/System/Volumes/Data/private/etc/hosts`, hookio.Deny, "1"},
		{"denied, without following", "Read", `/.nofollow/private/etc/hosts`, hookio.Deny, "1"},
		{"denied, fork", "Read", `/Users/dev/vault/a/..namedfork/data`, hookio.Deny, "1"},
		{"fork", "Read", `/Users/dev/proj/a/..namedfork/rsrc`, hookio.Ask, "2"},
		{"by number", "Read", `/.vol/16777234/12345`, hookio.Ask, "2"},
		{"denied, ignorable character", "Read", "/Users/dev/va\u200cult/a", hookio.Deny, "1"},
		{"denied, long s", "Read", "/Users/dev/proj/\u017fecret.txt", hookio.Deny, "1"},
		{"sensitive, ignorable character", "Write", "/Users/dev/proj/.g\u200dit/config", hookio.Ask, "2"},
		{"sensitive, ligature", "Write", "/Users/dev/proj/.gitcon\ufb01g", hookio.Ask, "2"},
		{"sensitive, sharp s", "Write", "/Users/dev/proj/.\u00dfh/config", hookio.Ask, "2"},
		{"system file", "Write", `/private/etc/passwd`, hookio.Ask, "2"},
		{"shell, system file", "Bash", `cat a > /Private/Etc/x`, hookio.Ask, "2"},
		{"shell, system file, firmlink", "Bash", `cat a > /System/Volumes/Data/private/etc/x`, hookio.Ask, "2"},
		{"shell, denied", "Bash", `cat /System/Volumes/Data/Users/dev/vault/a`, hookio.Deny, "1"},
		{"shell, denied, pattern", "Bash", `cat /private/etc/host*`, hookio.Ask, "2"},
		{"shell, by number", "Bash", `cat /.vol/1/2`, hookio.Ask, "2"},
		{"temporary file", "Write", `/private/tmp/x`, hookio.Ask, "3b"},
		{"a backslash is a letter", "Write", `/Users/dev/proj/src/a\b.go`, hookio.Allow, "6"},
		{"a colon is a letter", "Write", `/Users/dev/proj/src/a:b.go`, hookio.Allow, "6"},
	},
	rules.Linux: {
		{"a backslash is a letter", "Write", `/Users/dev/proj/src/a\b.go`, hookio.Allow, "6"},
		{"a colon is a letter", "Write", `/Users/dev/proj/src/a:b.go`, hookio.Allow, "6"},
		{"a drive is a name", "Write", `/Users/dev/proj/src/C:/a`, hookio.Allow, "6"},
		{"no firmlinks", "Write", `/System/Volumes/Data/Users/dev/proj/src/a.go`, hookio.Ask, "3b"},
		{"no /private", "Read", `/private/etc/hosts`, hookio.Allow, ""},
		{"sensitive, ligature", "Write", "/Users/dev/proj/.gitcon\ufb01g", hookio.Ask, "2"},
		{"denied, case", "Read", "/Users/dev/VAULT/a", hookio.Deny, "1"},
		{"shell, .. behind the working directory of a process", "Bash", `cat /proc/self/cwd/../vault/a`, hookio.Deny, "1"},
	},
}

// Deny rules of Windows may be spelled as people there spell paths.
func TestSystemRules(t *testing.T) {
	for _, row := range []struct {
		rule, home, proj string // what C:\Users\dev\vault\a and C:\Users\dev\proj\vault\a become
	}{
		{`~\vault\**`, "deny", "allow"}, {`~/vault\**`, "deny", "allow"}, {`~\vault\`, "deny", "allow"},
		{`\vault\**`, "allow", "deny"}, {`.\vault\**`, "allow", "deny"}, {`vault\*`, "allow", "deny"}, {`..\vault\**`, "deny", "allow"},
		{`**\vault\**`, "deny", "deny"}, {`**\a`, "deny", "deny"}, {`~\**\a`, "deny", "deny"},
		{`C:\Users\dev\vault\**`, "deny", "allow"}, {`\\?\C:\Users\dev\vault\**`, "deny", "allow"}, {`//?/C:/Users/dev/vault/**`, "deny", "allow"},
	} {
		rule, _ := json.Marshal("Read(" + row.rule + ")")
		for file, want := range map[string]string{`C:\Users\dev\vault\a`: row.home, `C:\Users\dev\proj\vault\a`: row.proj} {
			input, _ := json.Marshal(map[string]string{"file_path": file})
			_, v, err := Call(Setup{Tool: "Read", Input: input, OS: rules.Windows, Cwd: `C:\Users\dev\proj`, Home: `C:\Users\dev`,
				Settings: map[string]string{"/c/Users/dev/.gen/settings.json": `{"permissions":{"deny":[` + string(rule) + `],"allow":["Read"]}}`}})
			if err != nil || v.Decision().String() != want {
				t.Errorf("deny %s: %s is %v, want %s (%s)", row.rule, file, v.Decision(), want, v.Reason())
			}
		}
	}
}

func TestSystemPaths(t *testing.T) {
	for os, rows := range systemRows {
		for _, r := range rows {
			reason, got, step := systemCall(t, os, "default", r.tool, r.arg)
			if got != r.want || r.step != "" && step != r.step {
				t.Errorf("system %d, %s: %s %q: %v by step %s (%s), want %v by %s", os, r.name, r.tool, r.arg, got, step, reason, r.want, r.step)
			}
		}
	}
}

// guardedPaths are denied by systemSettings, or sensitive.
var guardedPaths = []string{"~/vault/key", "proj/secret.txt", "proj/locked/file", "proj/.git/config", "proj/.claude/settings.json", ".ssh/authorized_keys", ".bashrc"}

// However a guarded path is spelled, no mode and no rule lets it be written, or
// read where reading is denied, by a tool or in a shell.
func TestSystemSpellings(t *testing.T) {
	rng, rounds := rand.New(rand.NewPCG(1, 2)), testenv.Count(t, 8, 60, 60)
	for _, os := range []rules.OS{rules.Linux, rules.MacOS, rules.Windows} {
		n := 0
		for range rounds {
			for i, p := range guardedPaths {
				name := "/Users/dev/" + strings.TrimPrefix(p, "~/")
				for range 1 + rng.IntN(3) {
					name = respell(rng, os, name)
				}
				quoted := "'" + name + "'"
				for _, mode := range []string{"default", "acceptEdits", "bypassPermissions"} {
					calls := [][2]string{{"Write", name}, {"Bash", "tee " + quoted}}
					if i < 2 { // reading is denied
						calls = append(calls, [2]string{"Read", name}, [2]string{"Bash", "cat " + quoted})
					}
					for _, call := range calls {
						reason, got, _ := systemCall(t, os, mode, call[0], call[1])
						if n++; got == hookio.Allow {
							t.Errorf("system %d, mode %s: %s %q is allowed: %s", os, mode, call[0], call[1], reason)
						}
					}
				}
			}
		}
		t.Logf("system %d: %d spellings", os, n)
	}
}

// respell returns another name that the system, or one of its file systems,
// has for the same file.
func respell(rng *rand.Rand, os rules.OS, name string) string {
	at := 1 + rng.IntN(len(name)-1)
	component := func(change func(string) string) string {
		end := len(name)
		if rng.IntN(2) == 0 { // a folder, not the file
			if i := strings.LastIndexAny(name, `/\`); i > 0 {
				end = i
			}
		}
		start := 1 + strings.LastIndexAny(name[:end], `/\`)
		if c := name[start:end]; c != "" && c != ".." {
			return name[:start] + change(c) + name[end:]
		}
		return name
	}
	common := []func() string{
		func() string { return name[:at] + strings.ToUpper(name[at:]) },
		func() string { return name[:1] + strings.ReplaceAll(name[1:], "/", "//") },
		func() string { return name[:1] + strings.Replace(name[1:], "/", "/./", 2) },
		func() string {
			return component(func(c string) string { return "x/../" + c })
		},
	}
	mac := []func() string{
		func() string { return "/System/Volumes/Data" + name },
		func() string {
			return component(func(c string) string { return "\u200b" + c })
		},
		func() string { return norm.NFD.String(name) },
		func() string {
			return strings.NewReplacer("ss", "ß", "fi", "ﬁ", "k", "\u212a", "s", "ſ").Replace(name)
		},
		func() string { return name + "/..namedfork/data" },
		func() string { return "/.nofollow" + name },
	}
	windows := []func() string{
		func() string { return `\\?\C:` + strings.ReplaceAll(name, "/", `\`) },
		func() string { return `\\.\C:` + strings.ReplaceAll(name, "/", `\`) },
		func() string { return `\\localhost\c$` + strings.ReplaceAll(name, "/", `\`) },
		func() string { return `C:` + strings.ReplaceAll(name, "/", `\`) },
		func() string { return `c:` + name },
		func() string { return `/C` + name },
		func() string { return `/mnt/c` + name },
		func() string { return name + "::$DATA" },
		func() string {
			return component(func(c string) string { return c + strings.Repeat(".", rng.IntN(3)) + " " })
		},
		func() string {
			return component(func(c string) string {
				plain := strings.Map(func(r rune) rune {
					if r == '.' || !unicode.IsPrint(r) {
						return -1
					}
					return unicode.ToUpper(r)
				}, c)
				return plain[:min(6, len(plain))] + "~1"
			})
		},
	}
	ways := common
	switch os {
	case rules.MacOS:
		ways = append(ways, mac...)
	case rules.Windows:
		if driven := strings.Contains(name[:min(4, len(name))], ":") || strings.HasPrefix(name, `\`) || !strings.HasPrefix(name, "/Users"); driven {
			windows = windows[7:] // it has its drive
		}
		ways = append(ways, windows...)
	}
	return ways[rng.IntN(len(ways))]()
}
