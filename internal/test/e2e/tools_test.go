package e2e

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/internal/test/executable"
)

// A tool is a program of a Unix that scripts start, as far as they need it. Windows has none, so there the test program
// is all of them, each under its name; a program that is a script of the shell is one more, next to its text.
type tool struct {
	name string
	run  func(args []string) error
}

func tools() []tool {
	return []tool{
		{"sh", runShell},
		{"test", func(args []string) error { return shell(`test "$@"`, args) }},
		{"cat", func(args []string) error { return eachLine(args, func(_ int, line string, _ bool) { fmt.Print(line) }) }},
		{"cp", func(args []string) error {
			text, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			if info, err := os.Stat(args[1]); err == nil && info.IsDir() {
				args[1] = filepath.Join(args[1], filepath.Base(args[0]))
			}
			return os.WriteFile(args[1], text, 0o600)
		}},
		{"git", wineGit},
		{"grep", grep},
		{"ls", ls},
		{"mkdir", func(args []string) error { return os.MkdirAll(args[len(args)-1], 0o755) }},
		{"sed", sed},
		{"sleep", func(args []string) error {
			seconds, err := strconv.ParseFloat(args[0], 64)
			time.Sleep(time.Duration(seconds * float64(time.Second)))
			return err
		}},
		{"touch", touch},
		{"truncate", func(args []string) error { // -s 2M FILE
			return os.WriteFile(args[2], make([]byte, 2<<20), 0o600)
		}},
		{"wc", func(args []string) error { // -l
			n := 0
			err := eachLine(args[1:], func(int, string, bool) { n++ })
			fmt.Println(n)
			return err
		}},
		{"yes", func([]string) error {
			for {
				if _, err := fmt.Println(strings.Repeat("y\n", 1<<12)); err != nil {
					return nil // as if a signal ended it
				}
			}
		}},
	}
}

// asTool runs the tool that this program was started as, if it was.
func asTool() (code int, ok bool) {
	self, err := os.Executable()
	if err != nil || runtime.GOOS != "windows" {
		return 0, false
	}
	name := strings.TrimSuffix(self, ".exe")
	run := func(args []string) error { return runShell(append([]string{name}, args...)) }
	known := false
	for _, t := range tools() {
		if t.name == filepath.Base(name) {
			known, run = true, t.run
		}
	}
	if text, err := os.ReadFile(name); !known && (err != nil || !bytes.HasPrefix(text, []byte("#!"))) {
		return 0, false
	}
	err = run(os.Args[1:])
	var status interp.ExitStatus
	switch {
	case errors.As(err, &status):
		return int(status), true
	case err != nil:
		fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(name), err)
		return 1, true
	}
	return 0, true
}

// linkTools puts the tools into a folder.
func linkTools(dir string) error {
	for _, t := range tools() {
		if _, err := os.Stat(unixGit); t.name == "git" && err != nil {
			continue
		}
		if err := linkSelf(filepath.Join(dir, t.name+".exe")); err != nil {
			return err
		}
	}
	return nil
}

// linkScripts makes the scripts of the shell below a folder programs that Windows starts.
func linkScripts(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if text, err := os.ReadFile(name); err != nil || !bytes.HasPrefix(text, []byte("#!/bin/sh")) {
			return err
		}
		return linkSelf(name + ".exe")
	})
}

// linkSelf gives the test program one more name.
func linkSelf(name string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return link(self, name)
}

// link gives a program one more name, on another volume as a copy.
func link(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return executable.WriteFile(to, text, 0o700)
}

// unixGit is the git of the machine that wine runs on.
const unixGit = `Z:\usr\bin\git`

// wineGit runs that. Wine starts programs of a Unix, and tells neither when nor how they end.
func wineGit(args []string) error {
	const script = `git "$@" >"$0.out" 2>"$0.err"; echo $? >"$0.new"; mv "$0.new" "$0.code"`
	base := fmt.Sprint("/tmp/permgate-git-", os.Getpid())
	defer func() {
		for _, end := range [...]string{".out", ".err", ".new", ".code"} {
			os.Remove("Z:" + base + end)
		}
	}()
	_, err := os.StartProcess(`Z:\bin\sh`, append([]string{"sh", "-c", script, base}, args...),
		&os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return err
	}
	for {
		if code, err := os.ReadFile("Z:" + base + ".code"); err == nil {
			for end, to := range map[string]*os.File{".out": os.Stdout, ".err": os.Stderr} {
				text, _ := os.ReadFile("Z:" + base + end)
				to.Write(text)
			}
			if args[0] == "worktree" {
				onDrive(args)
			}
			n, err := strconv.Atoi(strings.TrimSpace(string(code)))
			return cmp.Or(err, error(interp.ExitStatus(n)))
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// onDrive has the files of work trees name folders as git of Windows does.
func onDrive(trees []string) {
	files, _ := filepath.Glob(".git/worktrees/*/gitdir")
	for _, dir := range trees {
		files = append(files, filepath.Join(dir, ".git"))
	}
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			os.WriteFile(name, regexp.MustCompile(`/\S*/(drive_c|dosdevices/c:)/`).ReplaceAll(text, []byte("C:/")), 0o644)
		}
	}
}

func runShell(args []string) error {
	if len(args) > 1 && args[0] == "-c" {
		return shell(args[1], args[min(3, len(args)):])
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	return shell(string(text), args[1:])
}

func shell(script string, args []string) error {
	file, err := syntax.NewParser().Parse(strings.NewReader(script), "")
	if err != nil {
		fmt.Fprintln(os.Stderr, "sh: syntax error:", err)
		return interp.ExitStatus(2)
	}
	runner, err := interp.New(interp.StdIO(os.Stdin, os.Stdout, os.Stderr), interp.Params(append([]string{"--"}, args...)...))
	if err != nil {
		return err
	}
	return runner.Run(context.Background(), file)
}

// eachLine reads files, or standard input, and calls do with every line as it is.
func eachLine(files []string, do func(n int, line string, last bool)) error {
	if len(files) == 0 {
		return lines(os.Stdin, do)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		err = lines(f, do)
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func lines(from io.Reader, do func(n int, line string, last bool)) error {
	for r, n := bufio.NewReader(from), 1; ; n++ {
		line, err := r.ReadString('\n')
		if line != "" {
			_, end := r.Peek(1)
			do(n, line, end != nil)
		}
		if err != nil {
			return nil
		}
	}
}

// grep prints the lines that match, with -o the matches, with -q nothing.
func grep(args []string) error {
	option := ""
	if strings.HasPrefix(args[0], "-") {
		option, args = args[0], args[1:]
	}
	pattern, found := basic(args[0]), false
	err := eachLine(args[1:], func(_ int, line string, _ bool) {
		found = found || pattern.MatchString(line)
		switch {
		case option == "-o":
			for _, match := range pattern.FindAllString(line, -1) {
				fmt.Println(match)
			}
		case option == "" && pattern.MatchString(line):
			fmt.Print(line)
		}
	})
	if err == nil && !found {
		return interp.ExitStatus(1)
	}
	return err
}

// ls knows no options.
func ls(args []string) error {
	dir := "."
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			dir = arg
		}
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		fmt.Println(e.Name())
	}
	return err
}

// touch makes files, with -d of a date.
func touch(args []string) (err error) {
	at := time.Now()
	if args[0] == "-d" {
		if at, err = time.Parse(time.DateOnly, args[1]); err != nil {
			return err
		}
		args = args[2:]
	}
	for _, name := range args {
		if f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o644); err == nil { // a program that runs cannot be opened to write
			f.Close()
		}
		if err := os.Chtimes(name, at, at); err != nil {
			return err
		}
	}
	return nil
}

// A sedCommand is a command of sed: s, d or a, and where.
type sedCommand struct {
	line  string // a number, or $
	match *regexp.Regexp
	name  byte
	from  *regexp.Regexp
	to    string
}

// sed prints the files, or writes them with -i; -i.bak keeps what they were.
func sed(args []string) error {
	suffix, inPlace := strings.CutPrefix(args[0], "-i")
	if inPlace {
		args = args[1:]
	}
	var out strings.Builder
	commands := parseSed(args[0])
	err := eachLine(args[1:], func(n int, line string, last bool) { out.WriteString(edited(commands, n, line, last)) })
	switch {
	case err != nil:
		return err
	case !inPlace:
		_, err = fmt.Print(out.String())
		return err
	case suffix != "":
		text, err := os.ReadFile(args[1])
		if err == nil {
			err = os.WriteFile(args[1]+suffix, text, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return os.WriteFile(args[1], []byte(out.String()), 0o600)
}

func edited(commands []sedCommand, n int, line string, last bool) string {
	text, ended := strings.CutSuffix(line, "\n")
	end, after := "", ""
	if ended {
		end = "\n"
	}
	for _, c := range commands {
		switch {
		case c.line != "" && c.line != strconv.Itoa(n) && !(c.line == "$" && last), c.match != nil && !c.match.MatchString(text):
		case c.name == 'd':
			return after
		case c.name == 'a':
			after += c.to + "\n"
		default:
			if at := c.from.FindStringSubmatchIndex(text); at != nil {
				text = text[:at[0]] + string(c.from.ExpandString(nil, c.to, text, at)) + text[at[1]:]
			}
		}
	}
	return text + end + after
}

func parseSed(text string) (out []sedCommand) {
	for text = strings.TrimLeft(text, "; "); text != ""; text = strings.TrimLeft(text, "; ") {
		var c sedCommand
		if text[0] == '/' {
			pattern, rest := cutAt(text[1:], '/')
			c.match, text = basic(pattern), rest
		}
		at := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789$", r) })
		c.line, c.name, text = text[:at], text[at], text[at+1:]
		switch c.name {
		case 'a':
			kept, whole := strings.CutPrefix(text, `\`)
			if c.to, text = kept, ""; !whole {
				c.to = strings.TrimSpace(kept)
			}
		case 's':
			from, rest := cutAt(text[1:], text[0])
			to, rest := cutAt(rest, text[0])
			c.from, c.to, text = basic(from), replacement(to), rest
		}
		out = append(out, c)
	}
	return out
}

// cutAt cuts a text at a byte, unless a backslash is before it.
func cutAt(text string, by byte) (before, after string) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == by:
			return before, text[i+1:]
		case text[i] == '\\' && text[i+1] == by:
			i++
		case text[i] == '\\':
			before += text[i : i+1]
			i++
		}
		before += text[i : i+1]
	}
	return before, ""
}

// basic reads a basic regular expression: parentheses group with a backslash, and braces, + and | are themselves.
func basic(pattern string) *regexp.Regexp {
	swapped := regexp.MustCompile(`\[\^?[^]]*\]|\\.|[(){}+?|]`).ReplaceAllStringFunc(pattern, func(s string) string {
		switch {
		case s == `\(` || s == `\)`:
			return s[1:]
		case len(s) == 1:
			return `\` + s
		}
		return s
	})
	return regexp.MustCompile(swapped)
}

func replacement(text string) string {
	return strings.NewReplacer("$", "$$", `\1`, "${1}", `\r`, "\r").Replace(text)
}

// TestTools: the tools do what those of this system do, where it has them.
func TestTools(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it has none to compare with")
	}
	for _, tt := range []struct{ script, in string }{
		{`s/"onFailure": "block"/"x"/; s/"matcher": "\*"/"matcher": "Bash"/`, "{\"onFailure\": \"block\",\n\"matcher\": \"*\"}\n"},
		{`s|WORK|/a/b|`, "WORK WORK\n"},
		{`s/ --home .\/x//`, "a --home ./x b"},
		{`1s/{/{ \/\/ mine/`, "{\n{\n"},
		{`s/.*"fence":"\([0-9a-z]*\)".*/\1/`, "x\"fence\":\"a0\"y\nz\n"},
		{`s|"command": "[^"]*/permgate"|"command": "P"|`, `{"command": "/a/permgate", "b": "(c)"}`},
		{`s/$/\r/`, "a\nb\n"},
		{`s/\r$//`, "a\r\nb\n"},
		{`/wget/d`, "a\nwget\nb"},
		{`/expand/d; 1a\  // mine`, "{\nexpand\n}\n"},
		{`$a # mine`, "a\nb\n"},
	} {
		want := exec.Command("sed", tt.script)
		want.Stdin = strings.NewReader(tt.in)
		out, err := want.Output()
		if err != nil {
			t.Skip(err)
		}
		got := ""
		lines(strings.NewReader(tt.in), func(n int, line string, last bool) { got += edited(parseSed(tt.script), n, line, last) })
		if got != string(out) {
			t.Errorf("sed %s: %q, want %q", tt.script, got, out)
		}
	}
}
