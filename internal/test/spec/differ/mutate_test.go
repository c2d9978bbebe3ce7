package differ

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The cases that mutants are asked about are the same for all. Most are told from the program by the first few.
const (
	mutantSeed  = 1
	mutantTrees = 500
)

// TestMutants builds the program with each of mutants, and asks it until it answers a call otherwise than specified,
// which the program itself does not: PERMGATE_MUTANTS=1 go test ./internal/test/spec/differ -run Mutants -v. A mutant that
// nothing tells from the program is a failure, and so is one whose text is no longer there.
func TestMutants(t *testing.T) {
	if os.Getenv("PERMGATE_MUTANTS") == "" {
		t.Skip("builds the program for each of them: PERMGATE_MUTANTS=1")
	}
	p := &prober{room: roomFor(t)}
	trees, right := mutantCases(t), program
	defer func() { program = right }()
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			w := &witness{p: p, right: right, wrong: m.build(t)}
			p.asked.lines = 0
			d, err := w.first(trees)
			if err != nil {
				t.Fatal(err)
			}
			if d == nil {
				t.Fatalf("no call of %d tells it from the program", p.asked.lines)
			}
			asked := p.asked.lines
			d.drawn = shrink(d.drawn, func(less *drawn) bool { return w.tells(less, d) })
			t.Logf("caught within %d calls: %v", asked, d)
		})
	}
}

// TestMutantsApply: the text that each mutant replaces is there, once.
func TestMutantsApply(t *testing.T) {
	for _, m := range mutants {
		text, err := os.ReadFile(filepath.Join("../../../..", m.file))
		if n := strings.Count(string(text), m.old); err != nil || n != 1 {
			t.Errorf("%s: %s has its text %d times (%v): change the mutant\n%s", m.name, m.file, n, err, m.old)
		}
	}
}

// mutantCases are the seeds, and drawn trees.
func mutantCases(t *testing.T) (trees [][]drawn) {
	text, err := os.ReadFile("../testdata/seeds.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	seeds, err := known.readSeeds(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range seeds {
		trees = append(trees, seeds[i:i+1])
	}
	r := drawer{rand.New(rand.NewPCG(mutantSeed, 0))}
	for range mutantTrees {
		trees = append(trees, r.tree(*perTree))
	}
	return trees
}

// A witness tells a mutant from the program.
type witness struct {
	p            *prober
	right, wrong string
}

// first is the first call that tells, by itself, nil for none.
func (w *witness) first(trees [][]drawn) (*difference, error) {
	for _, cases := range trees {
		program = w.wrong
		found, err := w.p.probe(cases)
		if err != nil {
			return nil, err
		}
		for i := range found {
			if d := &found[i]; w.tells(&d.drawn, d) {
				return d, nil
			}
		}
	}
	return nil, nil
}

// tells reports whether a call is answered as specified by the program alone, and notes the answers in d.
func (w *witness) tells(one *drawn, d *difference) bool {
	program = w.right
	if found, err := w.p.probe([]drawn{*one}); err != nil || len(found) > 0 {
		return false
	}
	program = w.wrong
	found, err := w.p.probe([]drawn{*one})
	if err != nil || len(found) == 0 {
		return false
	}
	d.want, d.step, d.got = found[0].want, found[0].step, found[0].got
	return true
}

// build builds the program with the mutant in it, without a change of the source.
func (m *mutant) build(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, m.file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	changed := write("changed.go", strings.Replace(string(text), m.old, m.new, 1))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{file: changed}})
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "permgate")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", write("overlay.json", string(overlay)), "-o", out, ".")
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}
