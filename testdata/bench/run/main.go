// Command run compares calls of permgate with the cheapest hook Go can make. From the module root:
//
//	go run ./testdata/bench/run [-n 200] [-only WORLD|CALL|WORLD:CALL]... [-against BINARY]...
//
// A call of each kind is made in each world (worlds.go), once a turn by each of these, with the same text on standard input:
//
//	noop      a program that reads its input and prints one line
//	permgate  as it is, with its log, by the words that permgate install registers
//	BINARY    another permgate, of an earlier commit for example
//
// and in the first kind also
//
//	floor     a program that links the four packages permgate is built on, and uses each once
//	main      permgate, whose main reads and prints as noop does: what it costs to get there
//
// All are built as a release is, and copied in large writes, so that no arm gains or loses by how its file
// lies in the page cache. A start is timed from the write of the call to the end of the process. What counts
// are the ratios within a turn: the mood of the machine falls out of them. On a machine that does other work
// the least time of the processor says more: "cpu" is the ratio of the minima. Page faults are the median's; system
// calls are what a start makes more than noop, without those of the runtime's threads, by strace; instructions, in
// thousands, are those of a whole start, by valgrind. Both are left out where the program is not installed.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
)

type list []string

func (l *list) Set(s string) error { *l = append(*l, s); return nil }
func (l *list) String() string     { return "" }

func main() {
	var against, only list
	n := flag.Int("n", 200, "turns")
	entries := flag.Int("index", 100_000, "entries of the large git index")
	flag.Var(&only, "only", "a world, a call or WORLD:CALL to measure; may be repeated")
	flag.Var(&against, "against", "another binary of permgate to time; may be repeated")
	flag.Parse()
	if err := run(*n, *entries, only, against); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(n, entries int, only, against []string) error {
	cache, err := os.UserCacheDir() // in a folder for temporary files permgate asks about less
	if err != nil {
		return err
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(cache, "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	programs, err := makePrograms(tmp, against)
	if err != nil {
		return err
	}
	worlds, err := makeWorlds(tmp, programs[1].bin, entries)
	if err != nil {
		return err
	}
	var kinds []*kind
	for _, w := range worlds {
		for _, c := range w.calls {
			name := w.name + ":" + c.name
			if len(only) > 0 && !slices.Contains(only, w.name) && !slices.Contains(only, c.name) && !slices.Contains(only, name) {
				continue
			}
			k := &kind{world: w, call: c}
			for _, p := range programs {
				if !p.once || len(kinds) == 0 {
					k.arms = append(k.arms, &arm{program: p, kind: k})
				}
			}
			kinds = append(kinds, k)
		}
	}
	const warm = 5 // turns that fill the page cache
	for turn := range warm + n {
		for _, k := range kinds {
			for i := range k.arms {
				a := k.arms[(i+turn)%len(k.arms)] // no arm always comes first
				u, err := a.start()
				if err != nil {
					return fmt.Errorf("%s in %s, %s: %w", a.program.name, k.world.name, k.call.name, err)
				}
				if turn >= warm {
					a.uses = append(a.uses, u)
				}
			}
		}
	}
	report(kinds)
	fmt.Printf("%d turns\n", n)
	return nil
}
