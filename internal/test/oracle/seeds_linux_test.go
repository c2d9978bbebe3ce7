package oracle

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/test/examples"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// maxSeed bounds the texts that are mutated and the texts made of them.
const maxSeed = 300

// seeds returns every shell text the tables, tests and corpora hold, in a fixed order.
func seeds(t testing.TB) []string {
	t.Helper()
	var all []string
	add := func(s string) {
		if len(s) > 2 && strings.Trim(s, " \n") != "" {
			all = append(all, s[:min(len(s), maxSeed)])
		}
	}
	for _, e := range examples.Read("../../../bashsafety/commands/testdata/examples") {
		add(e.Cmd)
	}
	for _, c := range bashsafety.Checks() {
		for _, s := range slices.Concat(bashsafety.Examples(c)) {
			add(s)
		}
	}
	for _, tt := range differ {
		add(tt.text)
	}
	for _, s := range agree {
		add(s)
	}
	for _, s := range literals(t, "../../../bashsafety/*/*_test.go") {
		add(s)
	}
	patterns := []string{"../../../testdata/corpus/*.tsv"}
	if dir := testenv.CorpusPath(t, "corpus"); dir != "" {
		patterns = append(patterns, filepath.Join(dir, "*_dev.tsv"))
	}
	for _, pattern := range patterns {
		for _, s := range bashRows(t, pattern) {
			add(s)
		}
	}
	if len(all) < 1000 {
		t.Fatalf("only %d seeds", len(all))
	}
	return all
}

// recorded returns the commands of recorded calls, where there is such a file: what is really written.
func recorded(t testing.TB) (out []string) {
	t.Helper()
	path := testenv.CorpusPath(t, "corpus/real_calls.jsonl")
	if path == "" {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var call struct {
			Input struct{ Command string } `json:"tool_input"`
		}
		if json.Unmarshal(lines.Bytes(), &call) == nil && len(call.Input.Command) > 2 && len(call.Input.Command) <= maxSeed {
			out = append(out, call.Input.Command)
		}
	}
	return out
}

// literals returns the string literals of Go files: the cases of another package's tests.
func literals(t testing.TB, pattern string) (out []string) {
	t.Helper()
	files, _ := filepath.Glob(pattern)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			continue // being edited
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					out = append(out, s)
				}
			}
			return true
		})
	}
	return out
}

// bashRows returns the commands of the rows for Bash in files of tab-separated values, those there are.
func bashRows(t testing.TB, pattern string) (out []string) {
	t.Helper()
	files, _ := filepath.Glob(pattern)
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			for _, cell := range strings.Split(lines.Text(), "\t") {
				var input struct{ Command string }
				if strings.HasPrefix(cell, `{"command"`) && json.Unmarshal([]byte(cell), &input) == nil {
					out = append(out, input.Command)
				}
			}
		}
		f.Close()
	}
	return out
}
