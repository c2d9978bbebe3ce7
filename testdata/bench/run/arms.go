package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A program is one that is started, in every kind of call or only in the first.
type program struct {
	name, bin string
	once      bool
}

// A kind is one call in one world, and what makes it.
type kind struct {
	world *world
	call  call
	arms  []*arm
}

// An arm is one program with one kind of call.
type arm struct {
	*program
	kind *kind
	uses []use
}

// A use is what one start took.
type use struct {
	wall, cpu time.Duration
	faults    int64 // minor page faults, -1 where the system does not say
}

func makePrograms(tmp string, against []string) ([]*program, error) {
	overlay, err := emptyMain(tmp)
	if err != nil {
		return nil, err
	}
	var out []*program
	add := func(name, bin string, once bool) error {
		dir := filepath.Join(tmp, fmt.Sprint(len(out)))
		copied := filepath.Join(dir, "permgate") // what permgate install wants to be called
		if runtime.GOOS == "windows" {
			copied += ".exe"
		}
		out = append(out, &program{name, copied, once})
		return errors.Join(os.Mkdir(dir, 0o755), largeCopy(bin, copied))
	}
	for _, b := range [...]struct {
		name, pkg, overlay string
		once               bool
	}{
		{name: "noop", pkg: "./testdata/bench/noop"},
		{name: "permgate", pkg: "."},
		{name: "floor", pkg: "./testdata/bench/floor", once: true},
		{name: "main", pkg: ".", overlay: overlay, once: true},
	} {
		bin := filepath.Join(tmp, "built-"+b.name)
		if err := build(bin, b.pkg, b.overlay); err != nil {
			return nil, err
		}
		if err := add(b.name, bin, b.once); err != nil {
			return nil, err
		}
	}
	for _, bin := range against {
		if err := add(bin, bin, false); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func build(bin, pkg, overlay string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-overlay", overlay, "-o", bin, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", pkg, err, out)
	}
	return nil
}

// emptyMain writes an overlay for go build: main.go with a main that does what noop does, unless it gets more
// arguments than anybody gives, so that all of permgate is still linked.
func emptyMain(tmp string) (overlay string, err error) {
	const begins = "func main() {"
	text, err := os.ReadFile("main.go")
	if err != nil {
		return "", err
	}
	instead := strings.Replace(string(text), begins, begins+`
	if len(os.Args) < 99 {
		io.ReadAll(os.Stdin)
		os.Stdout.WriteString("{}\n")
		return
	}
`, 1)
	if instead == string(text) {
		return "", fmt.Errorf("main.go holds no %q", begins)
	}
	name, err := filepath.Abs("main.go")
	if err != nil {
		return "", err
	}
	replaced := filepath.Join(tmp, "main.go")
	if err := os.WriteFile(replaced, []byte(instead), 0o644); err != nil {
		return "", err
	}
	overlay = filepath.Join(tmp, "overlay.json")
	return overlay, os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace": {%q: %q}}`, name, replaced), 0o644)
}

// largeCopy copies a binary into a new file in writes of 4 MiB and has it written to the disk. A linker writes
// piece by piece, and the pages of its file can only be mapped one by one.
func largeCopy(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	defer f.Close()
	for len(text) > 0 {
		block := text[:min(len(text), 4<<20)]
		if _, err := f.Write(block); err != nil {
			return err
		}
		text = text[len(block):]
	}
	return f.Sync()
}

// hook is the command that starts an arm, as it is registered. The home is the user's own for this call.
func (a *arm) hook(before ...string) *exec.Cmd {
	words := slices.Concat(before, []string{a.bin}, a.kind.world.registered, []string{"--home", a.kind.world.home})
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = a.kind.world.project, a.kind.world.env()
	return cmd
}

// start runs the program once.
func (a *arm) start(before ...string) (u use, err error) {
	u, _, err = a.run(a.hook(before...))
	return u, err
}

func (a *arm) run(cmd *exec.Cmd) (u use, answer string, err error) {
	in, w, err := os.Pipe()
	if err != nil {
		return use{}, "", err
	}
	defer in.Close()
	out, err := os.CreateTemp("", "permgate-bench-answer") // a file, so that no goroutine copies while we measure
	if err != nil {
		return use{}, "", err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	begin := time.Now()
	w.WriteString(a.kind.world.payload(a.kind.call))
	w.Close()
	err = cmd.Run()
	u.wall = time.Since(begin)
	text, _ := os.ReadFile(out.Name())
	if err != nil {
		return use{}, "", fmt.Errorf("%w: %s", err, text)
	}
	u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.faults = minorFaults(cmd.ProcessState)
	return u, string(text), nil
}
