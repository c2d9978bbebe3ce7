package wine

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

const (
	// wineVar asks for the tests: "all", "short" for those of the packages that ask the system most, or folders of
	// packages with commas between them.
	wineVar = "PERMGATE_WINE"
	root    = "../../.."
	module  = "github.com/permgate--owner/permgate"
	scripts = "TestScript/" // each script counts as a test
)

// short are the packages of the short form.
var short = []string{"internal/gate/disk", "internal/gate/state", "internal/gate/log", "internal/edit",
	"internal/agents"}

// first are those of the long form that take longest: nothing is waited for at its end.
var first = []string{"internal/test/e2e", "internal/test/conformance", "internal/gate", "internal/cli"}

// TestWindows fails for every test that fails through wine and is not listed in left-out.txt, and for every line
// of that which is no longer needed.
func TestWindows(t *testing.T) {
	form := os.Getenv(wineVar)
	if form == "" {
		t.Skip(wineVar + "=short or all runs the tests of Windows through wine")
	}
	w := newWine(t)
	listed := leftOut(t)
	dirs := w.packages(t)
	if asked := strings.Split(form, ","); form != "all" {
		if form == "short" {
			asked = short
		}
		dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !slices.Contains(asked, dir) })
	}
	slices.SortStableFunc(dirs, func(x, y string) int {
		return slices.Index(first, y) - slices.Index(first, x)
	})
	built := dirs
	if form != "short" && !slices.Contains(dirs, ".") { // tests start the program itself
		built = append(slices.Clone(dirs), ".")
	}
	w.build(t, built)
	w.linux(t)
	if corpora := testenv.CorpusPath(t, "."); corpora != "" {
		corpora, err := filepath.Abs(corpora)
		if err != nil {
			t.Fatal(err)
		}
		w.env = append(w.env, testenv.CorpusVar+"=Z:"+strings.ReplaceAll(corpora, "/", `\`))
	}
	var all tally
	var wait sync.WaitGroup
	queue := make(chan string)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for dir := range queue {
				names := w.names(dir)
				out, took := w.run(dir, form, listed[dir])
				t.Logf("%s: %s", dir, took)
				all.add(dir, names, out, listed[dir])
			}
		})
	}
	for _, dir := range dirs {
		queue <- dir
	}
	close(queue)
	wait.Wait()
	for dir := range listed {
		if form == "all" && !slices.Contains(dirs, dir) {
			all.wrong = append(all.wrong, dir+" is listed and has no tests")
		}
	}
	all.report(t, form)
}

// A wine is a prefix in a folder of its own, and the test programs.
type wine struct {
	program, dir string
	env          []string
	programs     map[string]string // test programs by folder
}

// booted is a prefix as wine makes it, which takes it many seconds: each test has a copy.
var booted string

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(booted)
	os.Exit(code)
}

func newWine(t *testing.T) *wine {
	w := &wine{dir: t.TempDir()}
	for _, name := range [...]string{"wine64", "/usr/lib/wine/wine64", "wine"} {
		if found, err := exec.LookPath(name); err == nil {
			w.program = found
			break
		}
	}
	gcc, err := exec.LookPath("x86_64-w64-mingw32-gcc")
	if w.program == "" || err != nil {
		t.Skip("wine64 and x86_64-w64-mingw32-gcc are not installed: apt-get install wine64 gcc-mingw-w64-x86-64")
	}
	prefix := filepath.Join(w.dir, "prefix")
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != "DISPLAY" && !strings.HasPrefix(name, "PERMGATE_") {
			w.env = append(w.env, v)
		}
	}
	w.env = append(w.env, "WINEPREFIX="+prefix, "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=",
		"PERMGATE_TEST_PROGRAM=Z:"+strings.ReplaceAll(filepath.Join(w.dir, "bin/permgate.exe"), "/", `\`))
	t.Cleanup(func() { w.command("wineserver", "-k").Run() }) // of this prefix
	if booted == "" {
		w.boot(t)
	}
	if out, err := exec.Command("cp", "-a", booted, prefix).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v: %s", err, out)
	}
	dll := filepath.Join(prefix, "drive_c/windows/system32/bcryptprimitives.dll")
	if _, err := os.Stat(dll); err == nil { // a newer wine has its own
		return w
	}
	build := exec.Command(gcc, "-shared", "-O2", "-o", dll, "testdata/bcryptprimitives.c", "-ladvapi32")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return w
}

func (w *wine) boot(t *testing.T) {
	dir, err := os.MkdirTemp("", "wine")
	if err != nil {
		t.Fatal(err)
	}
	booted = dir
	boot, wait := w.command(w.program, "wineboot", "-i"), w.command("wineserver", "-w")
	boot.Env = append(slices.Clone(w.env), "WINEPREFIX="+dir)
	wait.Env = boot.Env
	if out, err := boot.CombinedOutput(); err != nil {
		t.Fatalf("wineboot: %v: %s", err, out)
	}
	wait.Run()
}

func (w *wine) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = w.env
	return cmd
}

// fromLinux are programs that tests start where they are installed: for tests that wine runs, those of this machine.
var fromLinux = [...]string{"bash", "curl", "echo", "git", "go", "jq", "node", "sh", "shellcheck", "sqlite3"}

// linux puts them on the PATH of the tests, in a folder that on drive C: only its owner can write to. go builds for
// Windows there, as it does on Windows.
func (w *wine) linux(t *testing.T) {
	dir := filepath.Join(w.dir, "prefix/drive_c/linux")
	program := filepath.Join(dir, "linux.exe")
	set := "-s -w -X main.search=" + os.Getenv("PATH") + " -X main.prefix=" + filepath.Join(w.dir, "prefix") +
		" -X main.wine=" + w.program
	if out, err := w.goCommand("build", "-ldflags", set, "-o", program, "./internal/test/wine/testdata/linux").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	for _, name := range fromLinux {
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		if err := os.Link(program, filepath.Join(dir, name+".exe")); err != nil {
			t.Fatal(err)
		}
	}
	w.env = append(w.env, `WINEPATH=C:\linux`, "GOOS=windows", "CGO_ENABLED=0")
	for _, name := range [...]string{"GOCACHE", "GOMODCACHE", "GOPATH"} { // wine passes no HOME on
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		w.env = append(w.env, name+"="+strings.TrimSpace(string(out)))
	}
}

// packages are the folders with tests for Windows.
func (w *wine) packages(t *testing.T) (dirs []string) {
	list := w.goCommand("list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "./...")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for _, name := range strings.Fields(string(out)) {
		if name = path.Clean("." + strings.TrimPrefix(name, module)); name != "internal/test/wine" {
			dirs = append(dirs, strings.TrimPrefix(name, "./"))
		}
	}
	return dirs
}

func (w *wine) goCommand(args ...string) *exec.Cmd {
	cmd := w.command("go", args...)
	cmd.Dir = root
	cmd.Env = append(slices.Clone(cmd.Env), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	return cmd
}

// build makes the test programs. That of the root is the program itself under its name.
func (w *wine) build(t *testing.T, dirs []string) {
	w.programs = map[string]string{}
	for rest, round := dirs, 0; len(rest) > 0; round++ { // go names a program by the last part of its path, so each name once
		out := filepath.Join(w.dir, "bin", strconv.Itoa(round))
		args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", w.overlay(t), "-o", out + "/"}
		var later []string
		named := map[string]bool{}
		for _, dir := range rest {
			name := path.Base(path.Join(module, dir))
			if named[name] {
				later = append(later, dir)
				continue
			}
			named[name] = true
			w.programs[dir] = filepath.Join(out, name+".test.exe")
			args = append(args, "./"+dir)
		}
		if text, err := w.goCommand(args...).CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v: %s", args, err, text)
		}
		rest = later
	}
	if slices.Contains(dirs, ".") {
		if err := os.Link(w.tests("."), filepath.Join(w.dir, "bin/permgate.exe")); err != nil {
			t.Fatal(err)
		}
	}
}

// tests is the test program of a folder.
func (w *wine) tests(dir string) string { return w.programs[dir] }

// overlay has two places of Go's library otherwise: wine 8 says that it made a symbolic link and makes none, and says
// that it cannot remove open files in a way Go does not expect.
func (w *wine) overlay(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, change := range [...][3]string{
		{"internal/syscall/windows/at_windows.go", "var TestDeleteatFallback bool", "var TestDeleteatFallback = true"},
		{"os/file_windows.go", "func Symlink(oldname, newname string) error {\n",
			"func Symlink(oldname, newname string) error {\n\tif true {\n" +
				"\t\treturn &LinkError{\"symlink\", oldname, newname, syscall.EWINDOWS}\n\t}\n"},
	} {
		file := filepath.Join(strings.TrimSpace(string(out)), "src", change[0])
		text, err := os.ReadFile(file)
		changed := strings.Replace(string(text), change[1], change[2], 1)
		if err != nil || changed == string(text) {
			t.Fatalf("%s is another than expected: %v", file, err)
		}
		files = append(files, fmt.Sprintf("%q:%q", file, w.write(t, path.Base(file), changed)))
	}
	return w.write(t, "overlay.json", `{"Replace":{`+strings.Join(files, ",")+`}}`)
}

func (w *wine) write(t *testing.T, name, text string) string {
	name = filepath.Join(w.dir, name)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// names are the tests that a program has.
func (w *wine) names(dir string) (names []string) {
	out, _ := w.start(dir, "-test.list", "^(Test|Fuzz|Example)").CombinedOutput() // what is wrong with it, run will say
	for name := range strings.FieldsSeq(string(out)) {
		if top.MatchString(name) {
			names = append(names, name)
		}
	}
	return names
}

var top = regexp.MustCompile(`^(Test|Fuzz|Example)\w*$`)

func (w *wine) start(dir string, args ...string) *exec.Cmd {
	cmd := w.command(w.program, append([]string{w.tests(dir)}, args...)...)
	cmd.Dir = filepath.Join(root, dir)
	return cmd
}

// run returns what a test program prints, and the time it took.
func (w *wine) run(dir, form string, listed map[string]entry) (out, took string) {
	args := []string{"-test.v", "-test.timeout", "40m"}
	if form == "short" {
		args = append(args, "-test.short")
	}
	var never []string
	for name, e := range listed {
		if e.never {
			never = append(never, "^"+strings.ReplaceAll(regexp.QuoteMeta(name), "/", "$/^")+"$")
		}
	}
	if len(never) > 0 {
		args = append(args, "-test.skip", strings.Join(never, "|"))
	}
	begin, cmd := time.Now(), w.start(dir, args...)
	if form == "all" {
		cmd.Env = append(slices.Clone(cmd.Env), "PERMGATE_FULL=ci")
	}
	text, err := cmd.CombinedOutput()
	took = fmt.Sprintf("%.0f s", time.Since(begin).Seconds())
	if s := cmd.ProcessState; s != nil {
		took += fmt.Sprintf(", of a processor %.0f s", (s.UserTime() + s.SystemTime()).Seconds())
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n") + fmt.Sprintf("\nended: %v\n", err), took
}

// An entry is a test that is left out, and why. One that is not even started hangs, or takes others with it.
type entry struct {
	why   string
	never bool
}

// leftOut reads left-out.txt: # and a reason, then lines of a folder and a test, by folder and test.
func leftOut(t *testing.T) map[string]map[string]entry {
	text, err := os.ReadFile("left-out.txt")
	if err != nil {
		t.Fatal(err)
	}
	out, why := map[string]map[string]entry{}, ""
	for line := range strings.Lines(string(text)) {
		if reason, ok := strings.CutPrefix(line, "# "); ok {
			why = strings.TrimSpace(reason)
			continue
		}
		switch f := strings.Fields(line); {
		case len(f) == 0:
		case len(f) < 2, len(f) > 2 && f[2] != "never", why == "":
			t.Fatalf("left-out.txt: %q", line)
		default:
			if out[f[0]] == nil {
				out[f[0]] = map[string]entry{}
			}
			out[f[0]][f[1]] = entry{why, len(f) > 2}
		}
	}
	return out
}
