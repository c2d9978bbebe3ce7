package interp_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// TestCmd: what the shell of Windows is given is read as it reads it, in PowerShell as in Git Bash; what it would
// replace or escape is a doubt.
func TestCmd(t *testing.T) {
	for text, want := range map[string]string{
		`cmd /c dir`:                                  "[cmd /c>dir]",
		`cmd /c ver`:                                  "[cmd /c>ver]",
		`cmd /c echo a b`:                             "[cmd /c>echo a b]",
		`cmd.exe /d /s /c "dir /b src"`:               "[cmd /c>dir src]",
		`cmd /c "type src\a.txt"`:                     `[cmd /c>type src\a.txt]`,
		`cmd /c "npm test 2>&1"`:                      "[cmd /c>npm test]",
		`cmd /c "npm test >nul 2>nul"`:                "[cmd /c>npm test]",
		`cmd /c "dir > x.txt"`:                        "[cmd /c>dir >/w/x.txt]",
		`cmd /c "git log --format=a,b & rm -rf x"`:    "[cmd /c>git log --format=a,b] [cmd /c>rm -rf x]",
		`cmd /c "cd /d src && npm test || exit /b 1"`: "[cmd /c>cd src] [cmd /c>npm test] [cmd /c>exit /b 1]",
		`cmd /c "rd/s/q x"`:                           "[cmd /c>rd -Recurse x]",
		`cmd /c rd /s /q x`:                           "[cmd /c>rd -Recurse x]",
		`cmd /c "@del /q x"`:                          "[cmd /c>del x]",
		`cmd /k "del x"`:                              "[cmd /c>del x]",
		`cmd /cdel x`:                                 "[cmd /c>del x]",
		`cmd /c rename a b`:                           "[cmd /c>ren a b]",
		`cmd /c "del %x%"`:                            "[cmd /c>del %x%] !unknown-program-text",
		`cmd /c "d^el x"`:                             "[cmd /c>d^el x] !unknown-program-text",
		`cmd /c "for /r . %i in (*) do del %i"`:       "[cmd /c>for /r . %i in (*) do del %i] !unknown-program-text",
		`cmd /c "if exist x del x"`:                   "[cmd /c>del x]",
		`cmd /c "if /i not a==b call del /s x"`:       "[cmd /c>call del /s x] [cmd /c>del -Recurse x]",
		`cmd /c "if a == b del x"`:                    "[cmd /c>if a == b del x] !unknown-program-text",
		`cmd /c "if exist x (del x)"`:                 "[cmd /c>(del x)] !unknown-program-text",
		`cmd /c "set PORT=1&& node x.js"`:             "[cmd /c>set PORT=1] [cmd /c>node x.js]",
		`cmd /c "set X"`:                              "[cmd /c>set X] !unknown-program-text",
		`cmd /c "set GIT_SSH=x"`:                      "[cmd /c>set GIT_SSH=x] !unknown-program-text",
		`cmd /c "start /d x calc"`:                    "[cmd /c>start /d x calc] !unknown-program-text",
		`cmd /c "call :x"`:                            "[cmd /c>call :x] !unknown-program-text",
		`cmd /c "git log --format=%h"`:                "[cmd /c>git log --format=%h]",
		`cmd /c "git log --format=%h%s"`:              "[cmd /c>git log --format=%h%s] !unknown-program-text",
		`cmd /c "start calc"`:                         "[cmd /c>start calc] [cmd /c>calc]",
		`cmd /c "call x.bat"`:                         "[cmd /c>call x.bat] [cmd /c>x.bat]",
		`cmd /c "set PATH=x"`:                         "[cmd /c>set PATH=x] !unknown-program-text",
		`cmd /c "del;x"`:                              "[cmd /c>del;x] !unknown-program-text",
		`cmd /c "copy a+b c"`:                         "[cmd /c>copy a+b c] !unknown-program-text",
		`cmd /c "del\x"`:                              `[cmd /c>del\x] !unknown-program-text`,
		`cmd /c "sort < x"`:                           "[cmd /c>sort x] !unknown-program-text",
		`cmd`:                                         "",
		`cmd /?`:                                      "",
	} {
		git := strings.NewReplacer("cmd /", "cmd //", "cmd.exe /d /s /", "cmd.exe //d //s //").Replace(text)
		for shell, s := range map[string]*bashsafety.Analysis{
			"powershell": bashsafety.AnalyzePowerShell(text, testEnv()),
			"bash":       bashsafety.Analyze(strings.NewReplacer(`"`, `'`).Replace(git), testEnv()),
		} {
			got := strings.TrimSpace(show(s))
			if _, rest, ok := strings.Cut(got, "] "); ok || want == "" {
				got = rest
			}
			if got = strings.ReplaceAll(strings.ReplaceAll(got, " ~]", "]"), "'", ""); got != want && !(shell == "bash" && want == "") {
				t.Errorf("%s: %s\n got %s\nwant %s\n%v", shell, text, got, want, s.Doubts)
			}
		}
	}
	for _, text := range []string{`cmd //c "$x"`, `cmd //c "a $x"`, `cmd //c "del ^x"`, `cat x | cmd`, `printf 'a\ndel x' | cmd`, `cmd //c "echo %PATH%"`} {
		if s := bashsafety.Analyze(text, testEnv()); len(s.Doubts) == 0 {
			t.Errorf("%s: no doubt", text)
		}
	}
	for _, text := range []string{`cmd /c $x`, `cmd $x`, `cmd /c "a $x"`, `'del x' | cmd`, `cmd /c (Get-Content x)`} {
		if s := bashsafety.AnalyzePowerShell(text, testEnv()); len(s.Doubts) == 0 {
			t.Errorf("%s: no doubt", text)
		}
	}
}
