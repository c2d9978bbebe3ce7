// Program linux starts the program of Linux that has its name, for tests that wine runs. A process of wine can start
// one, and neither wait for it nor learn how it ended: a shell writes that down.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// search is PATH, prefix the folder with the drives, and wine the program: set by the linker, for tests give
// programs an environment of their own.
var search, prefix, wine string

// patience is how long a program may take.
const patience = 10 * time.Minute

func main() {
	dir, err := os.MkdirTemp("", "linux")
	code := 0
	if err == nil {
		code, err = run(dir)
		os.RemoveAll(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "linux:", err)
		code = 99
	}
	os.Exit(code)
}

// run starts the program with what this one was given, and passes on what it says.
func run(dir string) (code int, err error) {
	in, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 0, err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	name, _, _ := strings.Cut(filepath.Base(os.Args[0]), ".")
	file := func(name string) string { return quote(filepath.Join(dir, name)) }
	text := fmt.Sprintf("chmod +x %s; cd %s || exit\n%s <%s >%s 2>%s\necho $? >%s\nmv %[7]s %s\n", file("permgate"), quote(cwd),
		command(name, ":"+spelled(dir)), file("in"), file("out"), file("err"), file("ended"), file("code"))
	for name, text := range map[string][]byte{"in": in, "run": []byte(text), "permgate": back()} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return 0, err
		}
	}
	nul, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	script := []string{"sh", spelled(filepath.Join(dir, "run"))}
	if _, err := os.StartProcess(`Z:\bin\sh`, script, &os.ProcAttr{Files: []*os.File{nul, nul, nul}}); err != nil {
		return 0, err
	}
	var said []byte
	for begin := time.Now(); len(said) == 0; time.Sleep(2 * time.Millisecond) {
		if time.Since(begin) > patience {
			return 0, fmt.Errorf("%s did not end", name)
		}
		said, _ = os.ReadFile(filepath.Join(dir, "code"))
	}
	for name, to := range map[string]*os.File{"out": os.Stdout, "err": os.Stderr} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return 0, err
		}
		to.Write(text)
	}
	return strconv.Atoi(strings.TrimSpace(string(said)))
}

// back is a script of Linux that starts permgate, if that is on PATH, as the tests do.
func back() []byte {
	program, err := exec.LookPath("permgate")
	if err != nil {
		return []byte("#!/bin/sh\nexit 127\n")
	}
	text := "#!/bin/sh\nexec env WINEDEBUG=-all WINEPREFIX=" + quote(prefix)
	for _, v := range os.Environ() {
		switch name, _, _ := strings.Cut(v, "="); {
		case strings.EqualFold(name, "PATH"), name == "HOME": // those of wine's own are another's
			v = "WINE" + v
		case spelled(v) == v, name == "TMPDIR":
			continue
		}
		text += " '" + strings.ReplaceAll(v, "'", `'\''`) + "'"
	}
	return []byte(text + " " + quote(wine) + " " + quote(program) + ` "$@"` + "\n")
}

// command is the program with its environment and arguments, for a shell. more are folders at the end of PATH.
func command(name, more string) string {
	words := []string{"PATH=" + search + more}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != "" && !strings.EqualFold(name, "PATH") {
			words = append(words, v)
		}
	}
	words = append(append(words, name), os.Args[1:]...)
	for i, w := range words {
		words[i] = quote(w)
	}
	return "env -i " + strings.Join(words, " ")
}

// onDrive is a path of Windows, also as the value of an option or variable.
var onDrive = regexp.MustCompile(`^([A-Za-z_.-]+=)?([A-Za-z]):([\\/].*)$`)

// spelled is a word as Linux spells it.
func spelled(word string) string {
	if word == os.DevNull || strings.HasSuffix(word, "="+os.DevNull) {
		return strings.TrimSuffix(word, os.DevNull) + "/dev/null"
	}
	m := onDrive.FindStringSubmatch(word)
	if m == nil {
		return word
	}
	drive := prefix + "/drive_" + strings.ToLower(m[2])
	if strings.EqualFold(m[2], "z") {
		drive = ""
	}
	return m[1] + drive + strings.ReplaceAll(m[3], `\`, "/")
}

func quote(word string) string { return "'" + strings.ReplaceAll(spelled(word), "'", `'\''`) + "'" }
