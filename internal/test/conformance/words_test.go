package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// wordForms are ways in which a program is told a file: § is the program, F the file.
var wordForms = []string{
	"§ F", "§ x F", "§ --frob F", "§ --frob=F", "§ -¤F", "§ --frob @F", "§ @F", "§ --frob=x@F", "§ text:F", "§ OPEN:F,rdonly", "§ x=F", "§ x=@F", "§ -x y=text:F", "§ ./F", "§ $PWD/F",
}

// saysWords reports whether the literal of a program says that its operands are no files, by listing what there is.
func saysWords(m *commands.Command) bool {
	runs := m.Name() == "builtin" // the words are a command
	return runs || m.ReadOnly || m.ReadsSome || m.Operands != commands.Words || m.Flags != "" || m.Values != "" || len(m.Opts) > 0 || m.HasSubs()
}

// TestDeniedWords: a file that a Read rule denies is bound wherever a word names it, whatever the program, unless the
// program's literal says that the word is no file.
func TestDeniedWords(t *testing.T) {
	deny := map[string]string{"/home/dev/.gen/settings.json": `{"permissions":{"allow":["Bash"],"deny":["Read(./notes/plan.txt)","Read(keyfile)"]}}`}
	answer := func(text string) string {
		_, v := call(t, Setup{Tool: "Bash", Input: shell(text), Settings: deny})
		return v.Decision().String()
	}
	tried, free, every := 0, []string{}, testenv.Every(t, 7, 1, 1)
	programs := []string{"frobnicate", "./tool", "/opt/x/bin/tool", "xyz-cli"}
	for _, row := range bashsafety.Commands() {
		programs = append(programs, row.Name())
	}
	for i, p := range programs {
		for _, form := range wordForms {
			for _, file := range []string{"notes/plan.txt", "keyfile"} {
				unlisted := strings.Contains(form, "--frob") && !strings.Contains(form, "@")
				stranger := i < 4
				if !stranger {
					if row := rowOf(p); (!unlisted || saysAll(row)) && saysWords(row) {
						continue
					}
				}
				text := strings.NewReplacer("$PWD", "$PWD", "§", p, "F", file, "¤", "f").Replace(form)
				if tried++; tried%every == 0 && answer(text) != "deny" {
					free = append(free, text)
				}
			}
		}
	}
	t.Logf("%d texts", tried)
	for _, text := range free[:min(len(free), 60)] {
		t.Errorf("not denied: %s", text)
	}
	if tried < 500 {
		t.Errorf("only %d texts", tried)
	}
}

func rowOf(name string) *commands.Command {
	rows := bashsafety.Commands()
	return rows[slices.IndexFunc(rows, func(m *commands.Command) bool { return m.Name() == name })]
}

// saysAll reports whether every word of a program is an operand, or what follows is another command.
func saysAll(m *commands.Command) bool {
	return m.Style&(commands.NoOptions|commands.StopAtOperand) != 0 || m.RunsRest
}
