package imported

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/permgate--owner/permgate/internal/policy/importer"
	"github.com/permgate--owner/permgate/rules"
)

// TestConfigurations imports a configuration of each system as its page shows one, testdata/SYSTEM.txtar, and sends calls as
// the system's program does. The answers are those of the page; where permgate is stricter on purpose the line says why.
//
// The first line of an archive is its scope. The file payload is what the program sends, with $TOOL, $INPUT and $MODE in it. A line
// of the file calls is ANSWER | WHAT THE PAGE SAYS | TOOL INPUT, or TOOL@MODE INPUT; with ANSWER>OURS it is what the page says,
// and then "stricter:" and why.
func TestConfigurations(t *testing.T) {
	for _, s := range importer.Systems() {
		name := filepath.Join("testdata", s.Name+".txtar")
		a, err := txtar.ParseFile(name)
		if err != nil && (s.Name == "codex" || s.Name == "opencode") {
			continue // no seed
		}
		t.Run(s.Name, func(t *testing.T) {
			if err != nil {
				t.Fatal(err)
			}
			p := policy{scope: rules.User}
			if strings.Contains(string(a.Comment), "scope local") {
				p.scope = rules.Local
			}
			payload, calls := "", ""
			for _, f := range a.Files {
				switch f.Name {
				case "payload":
					payload = string(f.Data)
				case "calls":
					calls = strings.TrimSpace(string(f.Data))
				default:
					p.files = append(p.files, importer.File{Name: f.Name, Text: f.Data})
				}
			}
			settings, gateFile, report := written(t, s, &p)
			lines := strings.Split(calls, "\n")
			for n, line := range lines {
				want, says, sent := configured(t, line)
				tool, input, _ := strings.Cut(sent, " ")
				tool, mode, _ := strings.Cut(tool, "@")
				got := decided(t, s.Name, strings.NewReplacer("$TOOL", tool, "$INPUT", input, "$MODE", mode).Replace(payload),
					world(settings, gateFile, &p))
				if fmt.Sprint(got.Decision()) != want {
					t.Errorf("%s: call %d, %s, is %s, not %s (%s): %s\n%s", name, n+1, sent, got.Decision(), want, says, got.Reason(), report)
				}
			}
			if len(lines) != 25 {
				t.Errorf("%s has %d calls, not 25", name, len(lines))
			}
		})
	}
}

// configured are the parts of a line of calls.
func configured(t *testing.T, line string) (want, says, sent string) {
	t.Helper()
	parts := strings.SplitN(line, " | ", 3)
	if len(parts) != 3 {
		t.Fatalf("%q is not ANSWER | WHAT THE PAGE SAYS | CALL", line)
	}
	there, here, stricter := strings.Cut(parts[0], ">")
	if !stricter {
		return there, parts[1], parts[2]
	}
	const order = "allow ask deny"
	if strings.Index(order, here) <= strings.Index(order, there) || !strings.Contains(parts[1], "stricter: ") {
		t.Errorf("%q does not say why it is stricter", line)
	}
	return here, parts[1], parts[2]
}
