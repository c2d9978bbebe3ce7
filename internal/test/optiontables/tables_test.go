package optiontables

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A Verb is what a public table says of a program or one of its subcommands.
type Verb struct {
	Names   []string `json:"names"`
	About   string   `json:"about"`
	Options []Option `json:"options"`
	Subs    []Verb   `json:"subs"`
}

// An Option is what it says of one option.
type Option struct {
	Names []string `json:"names"` // with dashes
	Arg   string   `json:"arg"`   // how it takes a value, see takes
	File  bool     `json:"file"`  // the value is a path
	About string   `json:"about"`
}

// How an option takes a value.
const (
	takesNone     = "none"
	takesValue    = "value"
	takesAttached = "attached" // in its own word, if at all
	takesOptional = "optional" // the table does not say whether in its own word or in the next
)

// A public table is one that others keep.
type public struct {
	name string
	// fetch brings the newest release into a folder and says where it is and what it is.
	fetch func(dir string) (at, version string, err error)
	read  func(at string, programs []string) ([]Verb, error)
}

var publicTables = []public{
	{"fig", fetchFig, readFig},
	{"carapace", fetchCarapace, readCarapace},
}

const figPackage = "@withfig/autocomplete"

// carapaceModules are tried in turn: the newest, and, for a proxy that does not have it, the
// last release under the name it had before.
var carapaceModules = [...]string{"github.com/carapace-sh/carapace-bin@latest", "github.com/rsteube/carapace-bin@v0.28.5"}

// fetchFig has npm download and unpack the package; nothing of it is run by that.
func fetchFig(dir string) (at, version string, err error) {
	dir = filepath.Join(dir, "fig")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", err
	}
	if _, err := output("npm", "install", "--prefix", dir, "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", figPackage); err != nil {
		return "", "", err
	}
	at = filepath.Join(dir, "node_modules", filepath.FromSlash(figPackage))
	text, err := os.ReadFile(filepath.Join(at, "package.json"))
	if err != nil {
		return "", "", err
	}
	var about struct{ Version string }
	err = json.Unmarshal(text, &about)
	return filepath.Join(at, "build"), figPackage + "@" + about.Version, err
}

// readFig has node print the specs. They are modules, so that their top level runs: with the rights to read that folder
// and this one's program, without environment, and without a network where that can be had.
func readFig(at string, programs []string) ([]Verb, error) {
	script, err := filepath.Abs("testdata/fig.mjs")
	if err != nil {
		return nil, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, err
	}
	permission := "--permission"
	if exec.Command(node, permission, "-e", "0").Run() != nil {
		permission = "--experimental-permission"
	}
	argv := []string{node, permission, "--allow-fs-read=" + filepath.Dir(at) + "/*", "--allow-fs-read=" + script, script, at}
	if runtime.GOOS == "linux" && exec.Command("unshare", "-rn", "true").Run() == nil {
		argv = append([]string{"unshare", "-rn"}, argv...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = []string{"NO_COLOR=1"} // not nil: that would be ours
	cmd.Stdin = strings.NewReader(strings.Join(programs, "\n"))
	var out, faults bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &faults
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, faults.Bytes())
	}
	var verbs []Verb
	for dec := json.NewDecoder(&out); ; {
		var v Verb
		switch err := dec.Decode(&v); {
		case errors.Is(err, io.EOF):
			return verbs, nil
		case err != nil:
			return nil, err
		}
		verbs = append(verbs, v)
	}
}

// output runs a program and returns what it prints, with its complaint as the error.
func output(argv ...string) ([]byte, error) {
	out, err := exec.Command(argv[0], argv[1:]...).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w: %.300s%.300s", argv[0], err, failed.Stderr, out)
	}
	return out, err
}

// TestReadFig reads a spec as Fig writes it, and sees that its functions are not called.
func TestReadFig(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	at, err := filepath.Abs("testdata/fig/build")
	if err != nil {
		t.Fatal(err)
	}
	got, err := readFig(at, []string{"tool", "missing", "broken"})
	if err != nil {
		t.Fatal(err)
	}
	checkTool(t, got)
}

// TestReadCarapace reads completers as carapace writes them.
func TestReadCarapace(t *testing.T) {
	got, err := readCarapace("testdata/carapace", []string{"tool", "missing", "broken"})
	if err != nil {
		t.Fatal(err)
	}
	checkTool(t, got)
}

// checkTool is what both tables in testdata say.
func checkTool(t *testing.T, got []Verb) {
	t.Helper()
	const want = `tool: a tool
  -v --verbose none: say more
  -o --out value file: where to
  --color attached: when
tool list: lists
  -n --lines value: how many
tool list deep: lists deep
  --all none: everything
`
	var b strings.Builder
	for i := range got {
		write(&b, "", &got[i])
	}
	if b.String() != want {
		t.Errorf("want\n%sgot\n%s", want, b.String())
	}
}

func write(b *strings.Builder, above string, v *Verb) {
	fmt.Fprintf(b, "%s%s: %s\n", above, v.Names[0], v.About)
	for _, o := range v.Options {
		arg := o.Arg
		if o.File {
			arg += " file"
		}
		fmt.Fprintf(b, "  %s %s: %s\n", strings.Join(o.Names, " "), arg, o.About)
	}
	for i := range v.Subs {
		write(b, above+v.Names[0]+" ", &v.Subs[i])
	}
}
