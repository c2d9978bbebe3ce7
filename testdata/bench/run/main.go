// Command run compares a call of permgate with the cheapest hook Go can make. From the module root:
//
//	go run ./testdata/bench/run [-n 400] [-set DIR] [-against BINARY]...
//
// These are started in turn, with the same call on standard input:
//
//	noop      a program that reads its input and prints one line
//	floor     one that links the four packages permgate is built on, and uses each once
//	main      permgate, whose main reads and prints as noop does: what it costs to get there
//	permgate  as it is, with its log
//	unlogged  the same binary under settings that switch the log off
//	BINARY    another permgate, of an earlier commit for example, in the place of permgate
//
// All are built as a release is, and copied in large writes, so that no arm gains or loses by how its file
// lies in the page cache. A start is timed from the write of the call to the end of the process. What counts
// are the ratios within a turn: the mood of the machine falls out of them. On a machine that does other work
// the least time of the processor says more: "cpu" is the ratio of the minima. With -set, DIR/home and
// DIR/project take the place of the made settings (four files of fifteen rules).
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

type list []string

func (l *list) Set(s string) error { *l = append(*l, s); return nil }
func (l *list) String() string     { return "" }

func main() {
	var against list
	n := flag.Int("n", 400, "turns")
	set := flag.String("set", "", "directory with home and project to use instead of the made ones")
	flag.Var(&against, "against", "another binary of permgate to time; may be repeated")
	flag.Parse()
	if err := run(*n, *set, against); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(n int, set string, against []string) error {
	tmp, err := os.MkdirTemp("", "permgate-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if set == "" {
		set = filepath.Join(tmp, "set")
		if err := writeSettings(set); err != nil {
			return err
		}
	}
	arms, err := makeArms(tmp, set, against)
	if err != nil {
		return err
	}
	const warm = 10 // turns that fill the page cache
	for turn := range warm + n {
		for k := range arms {
			a := arms[(k+turn)%len(arms)] // no arm always comes first
			u, _, err := a.start()
			if err != nil {
				return fmt.Errorf("%s: %w", a.name, err)
			}
			if turn >= warm {
				a.uses = append(a.uses, u)
			}
		}
	}
	report(arms)
	return nil
}
