package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// report prints a line for every arm, compared with the first, and one for every other
// binary, compared with permgate.
func report(arms []*arm) {
	noop := arms[0]
	fmt.Printf("%-20s %9s %9s %9s   %-20s %7s %8s %8s\n", "", "wall ms", "", "cpu ms", "times noop", "", "page", "system")
	fmt.Printf("%-20s %9s %9s %9s   %6s %6s %6s %7s %8s %8s\n", "", "min", "median", "min", "25%", "median", "75%", "cpu", "faults", "calls")
	for _, a := range arms {
		walls := a.each(func(u use) float64 { return ms(u.wall) })
		fmt.Printf("%-20s %9.3f %9.3f %9.3f   %s %8.0f %8s\n", label(a.name), walls[0], at(walls, 50), a.cpu(), ratio(a, noop),
			at(a.each(func(u use) float64 { return float64(u.faults) }), 50), systemCalls(a))
	}
	for _, a := range arms {
		if strings.ContainsRune(a.name, filepath.Separator) {
			fmt.Printf("permgate / %s: %s (25%%, median, 75%%, cpu)\n", a.name, ratio(arms[3], a))
		}
	}
	fmt.Printf("%d turns; system calls without those of the runtime's threads\n", len(noop.uses))
	_, answer, err := arms[3].start()
	fmt.Println("answer of permgate:", answer, err)
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

// threads are the calls that the runtime's threads make among themselves, more or less of
// them from start to start.
const threads = "clone,clone3,futex,getpid,gettid,madvise,nanosleep,rt_sigprocmask,rt_sigreturn,sigaltstack,tgkill"

// systemCalls is how many an arm makes, without those of threads: "no strace" where nothing
// can count them.
func systemCalls(a *arm) string {
	if _, err := exec.LookPath("strace"); err != nil {
		return "no strace"
	}
	least := 0
	name := filepath.Join(filepath.Dir(a.bin), "strace.out")
	for range 5 {
		if _, _, err := a.start("strace", "-f", "-qq", "-e", "trace=!"+threads, "-e", "signal=none", "-o", name); err != nil {
			return "failed"
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return "failed"
		}
		n := strings.Count(string(text), "\n") - strings.Count(string(text), " resumed>")
		if least == 0 || n < least {
			least = n
		}
	}
	return fmt.Sprint(least)
}
