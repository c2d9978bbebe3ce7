package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/guard"
)

// nameForms are ways in which a program of which nothing is known is told a file; unnamed are such in which the same
// words name none: what is left out, in a URL, on another machine, in a sentence, in a pattern.
var (
	nameForms = []string{
		"§ F", "§ x F", "§ -- F", "§ -f F", "§ -fF", "§ --in F", "§ --in=F", "§ in=F", "§ @F", "§ in=@F", "§ a,b=F,c", "§ FILE:F,x", "§ text:F", "§ a file://F",
		"sudo § F", "env A=1 § --in F", "§ F | cat", "cd src && § F",
	}
	unnamed = []string{
		"§ --exclude F", "§ --exclude=F", "§ --ignore-paths F", "§ --skip-files=F", "§ https://h.example/F", "§ --url=https://h.exampleF", "§ host:~/x/F",
		"§ user@host:/x/F", "§ 'see F for more'", "§ -m 'reads F'", "echo F", "ls F", "test -f F", "stat F",
	}
)

// TestNames: a word that names a secret counts as read, and one that names what runs later as written where it names
// output; in harmless roles the same words are neither.
func TestNames(t *testing.T) {
	posture := map[string]string{"/home/dev/.claude/permgate.json": installedPosture(t), "/home/dev/.aws/credentials": "x", "/home/dev/.ssh/id_rsa": "x"}
	answer := func(command, mode string) (string, string) {
		_, v := call(t, Setup{Tool: "Bash", Input: shell(command), Mode: mode, Host: "claude", Named: true, Tmp: true, Settings: posture})
		return v.Answer().Decision.String(), v.Reason()
	}
	quiet := func(command, mode string) {
		if got, why := answer(command, mode); got == "ask" || got == "deny" {
			t.Errorf("%s in %s is stopped: %s", command, mode, why)
		}
	}
	asked := func(command string) {
		if got, _ := answer(command, "bypassPermissions"); got != "ask" && got != "deny" {
			t.Errorf("%s: %s", command, got)
		}
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "corpus", "names.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		want, command, row := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		command = strings.ReplaceAll(command, "@HOME@", "/home/dev")
		switch {
		case !row:
		case want == "asked":
			asked(command)
		default:
			for _, mode := range []string{"default", "auto", "bypassPermissions"} {
				quiet(command, mode)
			}
		}
	}
	n := 0
	for i := range guard.Secrets {
		s := &guard.Secrets[i]
		if !s.Home || strings.ContainsAny(s.Paths[0], "* ") || strings.HasPrefix(s.Paths[0], "library/") {
			continue
		}
		file := "/home/dev/" + s.Paths[0]
		if s.Dir {
			file += "/zz"
		}
		for _, form := range nameForms {
			asked(strings.NewReplacer("§", "frobnicate", "F", file).Replace(strings.Replace(form, "FILE:F", "FILE:"+file, 1)))
			n++
		}
		for _, form := range unnamed {
			quiet(strings.NewReplacer("§", "frobnicate", "F", file).Replace(form), "bypassPermissions")
			n++
		}
	}
	if n < 1000 {
		t.Errorf("only %d generated calls", n)
	}
}
