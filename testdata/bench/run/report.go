package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// report prints a line for each program in each kind of call, compared with the first of them.
func report(kinds []*kind) {
	fmt.Printf("%-10s %-7s %-14s %8s   %20s %7s %7s %7s %9s  %s\n", "", "", "", "wall ms", "times noop", "", "page", "system", "thousand", "")
	fmt.Printf("%-10s %-7s %-14s %8s   %6s %6s %6s %7s %7s %7s %9s  %s\n",
		"world", "call", "program", "median", "25%", "median", "75%", "cpu", "faults", "calls", "instr.", "answer")
	for _, k := range kinds {
		noop, none := k.arms[0], 0
		for _, a := range k.arms {
			calls, text := a.systemCalls(), "-"
			switch {
			case a == noop:
				none = calls
			case calls > 0:
				text = strconv.Itoa(calls - none)
			}
			fmt.Printf("%-10s %-7s %-14s %8.3f   %s %7.0f %7s %9s  %s\n", k.world.name, k.call.name, label(a.name),
				at(a.each(func(u use) float64 { return ms(u.wall) }), 50), ratio(a, noop),
				at(a.each(func(u use) float64 { return float64(u.faults) }), 50), text, a.instructions(), a.answer())
		}
	}
}

// label is a name without most of its folders.
func label(name string) string {
	if dir := filepath.Base(filepath.Dir(name)); dir != "." {
		return dir + "/" + filepath.Base(name)
	}
	return name
}

// ratio is how many times as long an arm took as another: median and quartiles of the
// turns, and of the least times of the processor.
func ratio(a, b *arm) string {
	var rs []float64
	for i := range a.uses {
		rs = append(rs, float64(a.uses[i].wall)/float64(b.uses[i].wall))
	}
	slices.Sort(rs)
	return fmt.Sprintf("%6.3f %6.3f %6.3f %7.3f", at(rs, 25), at(rs, 50), at(rs, 75), a.cpu()/b.cpu())
}

func (a *arm) cpu() float64 { return a.each(func(u use) float64 { return ms(u.cpu) })[0] }

// each returns a figure of every start, sorted.
func (a *arm) each(of func(use) float64) []float64 {
	var out []float64
	for _, u := range a.uses {
		out = append(out, of(u))
	}
	slices.Sort(out)
	return out
}

// at is the value below which so many of a hundred lie.
func at(sorted []float64, percent int) float64 { return sorted[(len(sorted)-1)*percent/100] }

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// answer is the decision of a call.
func (a *arm) answer() string {
	_, text, err := a.run(a.hook())
	if err != nil {
		return err.Error()
	}
	var answer struct {
		Output struct{ PermissionDecision string } `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(text), &answer) != nil || answer.Output.PermissionDecision == "" {
		return "silence"
	}
	return answer.Output.PermissionDecision
}

// threads are the calls that the runtime's threads make among themselves, more or less of
// them from start to start.
const threads = "clone,clone3,futex,getpid,gettid,madvise,nanosleep,rt_sigprocmask,rt_sigreturn,sched_yield,sigaltstack,tgkill"

// systemCalls is how many an arm makes, without those of threads, the least of five starts; 0 where nothing can count them.
func (a *arm) systemCalls() int {
	if _, err := exec.LookPath("strace"); err != nil {
		return 0
	}
	least, name := 0, filepath.Join(filepath.Dir(a.bin), "strace.out")
	for range 5 {
		if _, err := a.start("strace", "-f", "-qq", "-e", "trace=!"+threads, "-e", "signal=none", "-o", name); err != nil {
			return 0
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return 0
		}
		n := strings.Count(string(text), "\n") - strings.Count(string(text), " resumed>")
		if least == 0 || n < least {
			least = n
		}
	}
	return least
}

// instructions are those of a start, in thousands; "-" where nothing can count them. No thread is interrupted, so that the
// figures of two runs differ by less than a hundredth.
func (a *arm) instructions() string {
	if _, err := exec.LookPath("valgrind"); err != nil {
		return "-"
	}
	cmd := a.hook("valgrind", "--tool=callgrind", "--callgrind-out-file="+os.DevNull)
	cmd.Env = append(cmd.Env, "GODEBUG=asyncpreemptoff=1")
	_, text, err := a.run(cmd)
	if found := regexp.MustCompile(`Collected : (\d+)\d{3}\b`).FindStringSubmatch(text); err == nil && found != nil {
		return found[1]
	}
	return "failed"
}
