package scale

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// install fetches DuckDB, once, and puts the script that runs it next to it. False is
// returned where there is no npm to fetch it with.
func (e *engines) install() bool {
	e.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		e.Logf("without DuckDB: %v", err)
		return false
	}
	script, err := os.ReadFile(filepath.Join(docs, "duckdb.mjs"))
	if err != nil {
		e.Fatal(err)
	}
	if _, err := os.Stat(e.script()); err != nil {
		e.write(filepath.Join(e.dir, "package.json"), []byte("{}"))
		e.run("", "npm", "install", "--prefix", e.dir, "--ignore-scripts", "--no-audit", "--no-fund", duckdb)
		e.write(e.script(), script)
	}
	return true
}

func (e *engines) script() string { return filepath.Join(e.dir, "duckdb.mjs") }

// query returns the rows of the queries in a file.
func (e *engines) query(file string, variables ...string) func(func(map[string]string) bool) {
	out := filepath.Join(e.TempDir(), "rows.jsonl")
	e.write(out, e.run("", "node", append([]string{e.script(), filepath.Join(docs, file)}, variables...)...))
	return func(yield func(map[string]string) bool) {
		for row := range lines[map[string]any](e, out) {
			texts := map[string]string{}
			for name, v := range row {
				if v != nil {
					texts[name] = fmt.Sprint(v)
				}
			}
			if !yield(texts) {
				return
			}
		}
	}
}
