package edit

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// patience is how long a folder is waited for that another process of this
// program changes files in. A change takes milliseconds, unless its process was
// stopped.
var patience = 60 * time.Second

// held are the folders that Hold locked.
var held []string

// Hold keeps other processes of this program from replacing files in folders
// until release is called. Replace and Remove take part in it meanwhile, and so
// does another Hold, so that what is read under it is what is replaced. It is for
// a program that changes files from one goroutine. Missing folders are made.
func Hold(dirs ...string) (release func(), err error) {
	before := held
	var unlocks []func()
	release = func() {
		held = before
		for _, unlock := range unlocks {
			unlock()
		}
	}
	dirs = slices.Clone(dirs)
	slices.Sort(dirs) // everybody in the same order
	for _, dir := range dirs {
		if slices.Contains(held, dir) {
			continue
		}
		err := makeDir(dir)
		if err == nil {
			var unlock func()
			if unlock, _, err = lockDir(dir); err == nil {
				held, unlocks = append(slices.Clone(held), dir), append(unlocks, unlock)
				continue
			}
		}
		release()
		return nil, err
	}
	return release, nil
}

// lockDir waits for a folder. sure is false where folders cannot be locked: the
// caller goes on, because it compares what it replaces anyway.
func lockDir(dir string) (unlock func(), sure bool, err error) {
	if slices.Contains(held, dir) {
		return func() {}, true, nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return func() {}, false, nil
	}
	got := make(chan bool, 1)
	go func() { got <- flock(d) }()
	select {
	case sure := <-got:
		return func() { d.Close() }, sure, nil
	case <-time.After(patience):
		go func() {
			<-got
			d.Close()
		}()
		const why = "%s: another permgate has been changing files there for %v; is it stuck?"
		return nil, false, fmt.Errorf(why, dir, patience)
	}
}

// tmpPrefix starts the names of files that are being written; digits follow.
const tmpPrefix = ".permgate-"

// sweep removes what a process that was killed left behind. Only who holds the
// lock of a folder has such a file there, so what is there before the holder
// made its own is nobody's.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), tmpPrefix)
		if ok && rest != "" && strings.Trim(rest, "0123456789") == "" && e.Type().IsRegular() {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
