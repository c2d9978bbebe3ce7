package wine

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	// wineVar asks for the tests: "all", or "short" for those of the packages that ask the system most.
	wineVar = "PERMGATE_WINE"
	root    = "../../.."
	module  = "github.com/permgate--owner/permgate"
	scripts = "TestScript/" // each script counts as a test
	share   = 90            // per cent of the tests that have to run
)

// short are the packages of the short form.
var short = []string{"internal/gate/disk", "internal/gate/state", "internal/gate/log", "internal/edit",
	"internal/agents"}

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
	if form == "short" {
		dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !slices.Contains(short, dir) })
	}
	w.build(t, dirs)
	var all tally
	var wait sync.WaitGroup
	queue := make(chan string)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for dir := range queue {
				all.add(dir, w.run(dir, form, listed[dir]), listed[dir])
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
	if out, err := w.command(w.program, "wineboot", "-i").CombinedOutput(); err != nil {
		t.Fatalf("wineboot: %v: %s", err, out)
	}
	w.command("wineserver", "-w").Run()
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

func (w *wine) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = w.env
	return cmd
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
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", w.overlay(t), "-o", w.dir + "/bin/"}
	for _, dir := range dirs {
		args = append(args, "./"+dir)
	}
	if text, err := w.goCommand(args...).CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v: %s", args, err, text)
	}
	if slices.Contains(dirs, ".") {
		if err := os.Link(w.tests("."), filepath.Join(w.dir, "bin/permgate.exe")); err != nil {
			t.Fatal(err)
		}
	}
}

// tests is the test program of a folder.
func (w *wine) tests(dir string) string {
	return filepath.Join(w.dir, "bin", path.Base(path.Join(module, dir))+".test.exe")
}

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

// run returns what a test program prints.
func (w *wine) run(dir, form string, listed map[string]entry) string {
	args := []string{w.tests(dir), "-test.v", "-test.timeout", "30m"}
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
	cmd := w.command(w.program, args...)
	cmd.Dir = filepath.Join(root, dir)
	out, err := cmd.CombinedOutput()
	return strings.ReplaceAll(string(out), "\r\n", "\n") + fmt.Sprintf("\nended: %v\n", err)
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

// A tally counts tests, scripts included.
type tally struct {
	sync.Mutex
	ran, passed int
	left        map[string]int // by reason
	own         map[string]int // skipped by themselves, by what they say
	wrong       []string
}

var (
	started = regexp.MustCompile(`(?m)^=== RUN +(\S+)$`)
	ended   = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): (\S+) \(`)
	place   = regexp.MustCompile(`^\s+\S+_test\.go:\d+: `)
)

// counts reports whether a name is that of a test to count.
func counts(name string) bool {
	if part, ok := strings.CutPrefix(name, scripts); ok {
		return !strings.Contains(part, "/")
	}
	return !strings.Contains(name, "/") && name+"/" != scripts
}

// add counts what a test program printed.
func (a *tally) add(dir, out string, listed map[string]entry) {
	a.Lock()
	defer a.Unlock()
	if a.left == nil {
		a.left, a.own = map[string]int{}, map[string]int{}
	}
	results := map[string]string{}
	for _, m := range started.FindAllStringSubmatch(out, -1) {
		results[m[1]] = "DIED"
	}
	for _, m := range ended.FindAllStringSubmatch(out, -1) {
		results[m[2]] = m[1]
	}
	wrong := len(a.wrong)
	for name, e := range listed {
		switch result := results[name]; {
		case e.never && counts(name):
			a.left[e.why]++
		case e.never:
		case result == "":
			a.wrong = append(a.wrong, dir+" "+name+" is listed and unknown")
		case result == "PASS" || result == "SKIP":
			a.wrong = append(a.wrong, dir+" "+name+" is listed and no longer fails: "+result)
		}
	}
	for name, result := range results {
		e, known := listed[name]
		bad := result == "FAIL" || result == "DIED"
		if bad && !known && !within(name, results, listed) {
			a.wrong = append(a.wrong, fmt.Sprintf("%s %s: %s", dir, name, result))
		}
		switch {
		case !counts(name):
		case result == "SKIP":
			a.own[says(out, name)]++
		case bad && known:
			a.left[e.why]++
		case bad:
			a.ran++
		default:
			a.ran++
			a.passed++
		}
	}
	if len(a.wrong) > wrong || len(results) == 0 {
		a.wrong = append(a.wrong, dir+" printed:\n"+out[max(0, len(out)-40_000):])
	}
}

// within reports whether a test that failed has parts that did, which are judged by themselves, or is part of one that
// is listed.
func within(name string, results map[string]string, listed map[string]entry) bool {
	for other, result := range results {
		if strings.HasPrefix(other, name+"/") && (result == "FAIL" || result == "DIED") {
			return true
		}
		if _, known := listed[other]; known && strings.HasPrefix(name, other+"/") {
			return true
		}
	}
	return false
}

// says is the first line that a test printed.
func says(out, name string) string {
	_, rest, _ := strings.Cut(out, "=== RUN   "+name+"\n")
	for line := range strings.Lines(rest) {
		if at := place.FindString(line); at != "" {
			return strings.TrimSpace(line[len(at):])
		}
	}
	return "?"
}

func (a *tally) report(t *testing.T, form string) {
	left := 0
	for _, reasons := range []map[string]int{a.left, a.own} {
		for _, why := range slices.SortedFunc(maps.Keys(reasons), func(x, y string) int {
			return cmp.Or(reasons[y]-reasons[x], strings.Compare(x, y))
		}) {
			left += reasons[why]
			t.Logf("%4d left out: %s", reasons[why], why)
		}
	}
	percent := 100 * float64(a.ran) / float64(max(1, a.ran+left))
	t.Logf("%d tests and scripts run, %d passed, %d left out: %.1f %% of %d run", a.ran, a.passed, left, percent, a.ran+left)
	slices.Sort(a.wrong)
	for _, w := range a.wrong {
		t.Error(w)
	}
	if form == "all" && percent < share {
		t.Errorf("less than %d %% run", share)
	}
}
