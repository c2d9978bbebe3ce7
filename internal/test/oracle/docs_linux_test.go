package oracle

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// parserGapsInDocs runs the two tables of docs/shell.md: texts the parser reads in another way than bash,
// and texts it refuses although bash runs them. A line that is no longer true has to go.
func parserGapsInDocs(t *testing.T, o *Oracle) {
	data, err := os.ReadFile("../../../docs/shell.md")
	if err != nil {
		t.Fatal(err)
	}
	differs, refused := 0, 0
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		if len(cells) < 4 || !strings.HasPrefix(cells[1], " `\"") {
			continue
		}
		text, err := strconv.Unquote(strings.ReplaceAll(strings.Trim(cells[1], " `"), "\x00", "|"))
		if err != nil {
			t.Fatalf("%s: %v", cells[1], err)
		}
		named, perr := Programs(text)
		r, err := o.RunBoth(text)
		if err != nil {
			t.Fatal(err)
		}
		hidden, idle := Unexplained(named, r.Execs)
		switch {
		case perr != nil:
			refused++
			if len(cells) == 5 || len(r.Execs) == 0 {
				t.Errorf("%q: %v; bash runs %q", text, perr, r.Execs)
			}
		case len(hidden)+len(idle) == 0:
			t.Errorf("%q: parser and bash agree on %q", text, r.Execs)
		default:
			differs++
		}
		if s := bashsafety.Analyze(text, bashsafety.Env{Cwd: "/work", Home: "/home/u"}); len(s.Doubts) == 0 {
			t.Errorf("%q: no doubt", text)
		}
	}
	if differs < 10 || refused < 3 {
		t.Errorf("%d differences and %d refusals in the tables", differs, refused)
	}
}
