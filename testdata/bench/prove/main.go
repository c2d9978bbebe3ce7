//go:build unix

// Command prove measures permgate prove on policies of rules on stems of recorded commands, of which one is
// changed at random. From the module root:
//
//	go run ./testdata/bench/prove [-n 40] [-stars]
//
// With -stars nearly all patterns begin with a star, and deny Bash(* --force*) is removed, or 50 ask rules.
// The stems are those of corpus/real_calls.jsonl below PERMGATE_CORPUS, else of testdata/corpus/everyday.txt. It prints
// the median and the most of the time, all of the program included, and the most memory. The machine may do other work.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

func main() {
	n := flag.Int("n", 40, "pairs of policies of each size")
	stars := flag.Bool("stars", false, "measure patterns that begin with a star")
	flag.Parse()
	if err := run(*n, *stars); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(n int, stars bool) error {
	tmp, err := os.MkdirTemp("", "permgate-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	bin := filepath.Join(tmp, "permgate")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	stems := readStems()
	for _, size := range []int{50, 500, 5000} {
		m := &measured{answers: map[string]int{}}
		for i := range max(n*500/max(size, 500), 3) {
			r := rand.New(rand.NewPCG(uint64(size), uint64(i)))
			was, now, what := pair(stems, size, stars, r)
			if err := m.compare(tmp, bin, was, now, what); err != nil {
				return err
			}
		}
		m.print(size)
	}
	return nil
}

// measured is what came of pairs of one size.
type measured struct {
	wall, cpu []time.Duration
	memory    int64 // KiB
	answers   map[string]int
}

func (m *measured) print(size int) {
	slices.Sort(m.wall)
	slices.Sort(m.cpu)
	last := len(m.wall) - 1
	fmt.Printf("%d rules, %d pairs: median %v (processor %v), most %v, %d MiB; answers by exit code and change: %v\n", size, last+1,
		m.wall[last/2].Round(time.Millisecond), m.cpu[last/2].Round(time.Millisecond), m.wall[last].Round(time.Millisecond),
		m.memory>>10, m.answers)
}

// pair is a policy, one that has rules of it changed, and what was changed.
func pair(stems []string, size int, stars bool, r *rand.Rand) (was, now []entry, what string) {
	was = policy(stems, size, r)
	if stars {
		star(was, r)
		what, now = lose(was, r)
		return was, now, what
	}
	now = slices.Clone(was)
	if what = change(now, r); what == "added" {
		now = append(now, entry{"allow", "Bash(xyzzy:*)"})
	}
	return was, now, what
}

// star has nearly all patterns begin with a star.
func star(list []entry, r *rand.Rand) {
	for i := range list {
		stem := strings.TrimRight(strings.TrimPrefix(list[i].rule, "Bash("), ":* )")
		if r.IntN(10) > 0 {
			list[i].rule = "Bash(" + []string{"*", "* "}[r.IntN(2)] + stem + []string{"*", " *", ""}[r.IntN(3)] + ")"
		}
	}
	list[0] = entry{"deny", "Bash(* --force*)"}
}

// lose leaves out the first rule, or 50 ask rules.
func lose(list []entry, r *rand.Rand) (what string, left []entry) {
	if r.IntN(2) == 0 {
		return "removed", list[1:]
	}
	n := 0
	left = slices.DeleteFunc(slices.Clone(list), func(e entry) bool {
		if e.list != "ask" || n == 50 {
			return false
		}
		n++
		return true
	})
	return "50 removed", left
}

// compare runs the program.
func (m *measured) compare(tmp, bin string, was, now []entry, what string) error {
	old, fresh := filepath.Join(tmp, "old.json"), filepath.Join(tmp, "new.json")
	if err := write(old, was); err != nil {
		return err
	}
	if err := write(fresh, now); err != nil {
		return err
	}
	cmd := exec.Command(bin, "prove", "--policy", "user="+fresh, "--against", "user="+old)
	cmd.Dir, cmd.Env = tmp, append(os.Environ(), "HOME="+tmp)
	start := time.Now()
	_, err := cmd.Output()
	m.wall = append(m.wall, time.Since(start))
	state := cmd.ProcessState
	if code := state.ExitCode(); code > 2 || code < 0 {
		return err
	}
	m.answers[fmt.Sprint(state.ExitCode(), " ", what)]++
	m.cpu = append(m.cpu, state.UserTime()+state.SystemTime())
	m.memory = max(m.memory, state.SysUsage().(*syscall.Rusage).Maxrss)
	return nil
}

type entry struct{ list, rule string }

// policy is rules on stems: half of them allow, the others ask and deny.
func policy(stems []string, size int, r *rand.Rand) []entry {
	out := make([]entry, size)
	for i := range out {
		list := []string{"allow", "allow", "ask", "deny"}[r.IntN(4)]
		stem := stems[r.IntN(len(stems))]
		if i >= len(stems)/2 {
			stem += fmt.Sprint(" ", i) // there are not as many stems
		}
		out[i] = entry{list, "Bash(" + stem + []string{":*", " *", ""}[r.IntN(3)] + ")"}
	}
	return out
}

// change changes one rule, and says how. Where it is to be added the policy is as it was.
func change(list []entry, r *rand.Rand) string {
	e := &list[r.IntN(len(list))]
	switch r.IntN(5) {
	case 0:
		*e = entry{"allow", "Bash(xyzzy plugh)"}
		return "removed"
	case 1:
		words := strings.Fields(strings.TrimPrefix(e.rule, "Bash("))
		e.rule = "Bash(" + strings.TrimRight(words[0], ":*)") + ":*)"
		return "widened"
	case 2:
		e.list = map[string]string{"allow": "ask", "ask": "deny", "deny": "allow"}[e.list]
		return "moved"
	case 3:
		slices.Reverse(list)
		return "reordered"
	}
	return "added"
}

func write(name string, list []entry) error {
	lists := map[string][]string{}
	for _, e := range list {
		lists[e.list] = append(lists[e.list], e.rule)
	}
	text, err := json.Marshal(map[string]any{"permissions": lists})
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

// readStems are the first words of commands: up to three.
func readStems() []string {
	stems := map[string]bool{}
	name, err := testenv.Path("corpus/real_calls.jsonl")
	if err != nil || name == "" {
		name = "testdata/corpus/everyday.txt"
	}
	f, err := os.Open(name)
	if err != nil {
		return []string{"git", "make"}
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var call struct {
			Input struct{ Command string } `json:"tool_input"`
		}
		text := lines.Text()
		if json.Unmarshal(lines.Bytes(), &call) == nil {
			text = call.Input.Command
		}
		words := strings.Fields(text)
		for n := 1; n <= min(3, len(words)); n++ {
			if stem := strings.Join(words[:n], " "); plain(stem) {
				stems[stem] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(stems))
}

// plain reports whether a stem may be written in a rule as it is.
func plain(stem string) bool {
	return stem != "" && strings.Trim(stem, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./ ") == ""
}
