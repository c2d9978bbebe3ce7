package operator

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/rules"
)

// Find returns the file of the program, links resolved. One that the agent, or
// anybody but the user and root, could have written is refused: it would decide
// for the user. A bare name is looked up in the folders of PATH that are absolute
// and neither in Apart nor in Temp.
func (p *Program) Find() (string, error) {
	if len(p.Command) == 0 {
		return "", errors.New("no command that can be run")
	}
	file := p.Command[0]
	if !filepath.IsAbs(file) {
		var err error
		if file, err = p.lookUp(file); err != nil {
			return "", err
		}
	}
	if file, err := p.own(file); err != nil {
		return "", fmt.Errorf("%s %w", hookio.Escape(p.Command[0]), err)
	} else if _, err := exec.LookPath(file); err != nil {
		return "", fmt.Errorf("%s cannot be run: it is not executable", hookio.Escape(file))
	}
	for _, arg := range p.Command[1:] {
		if filepath.IsAbs(arg) && p.apart(arg) != "" {
			return "", fmt.Errorf("%s is an argument in %s, where the agent works: keep it elsewhere",
				hookio.Escape(arg), hookio.Escape(p.apart(arg)))
		} else if filepath.IsAbs(arg) && p.reachable(arg) {
			return "", fmt.Errorf("%s is an argument in a temporary folder: keep it elsewhere", hookio.Escape(arg))
		}
	}
	return file, nil
}

func (p *Program) lookUp(name string) (string, error) {
	if strings.ContainsAny(name, `/\`) {
		return "", fmt.Errorf("%s is a relative path: write the absolute one", hookio.Escape(name))
	}
	for _, dir := range filepath.SplitList(p.path()) {
		if file, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s is in no folder of PATH but those where the agent works: write its absolute path",
		hookio.Escape(name))
}

// own returns the file that a name leads to, or why others than the user may have written it.
func (p *Program) own(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", errors.New("does not exist, or its folder cannot be read")
	}
	if dir := p.apart(name); dir != "" {
		return "", fmt.Errorf("is in %s, where the agent works: keep it elsewhere", hookio.Escape(dir))
	}
	if p.reachable(name) {
		return "", errors.New("is in a temporary folder, where everybody can write: keep it elsewhere")
	}
	d := disk.Disk{}
	info, err := d.Stat(real)
	if err != nil || !info.Mode().IsRegular() {
		return "", errors.New("is not a regular file")
	}
	if d.OthersWrite(info) {
		return "", errors.New("can be written by others; only you may")
	}
	if uid, known := d.Owner(info); known && uid != disk.UID() && uid != 0 {
		return "", errors.New("belongs to another user")
	}
	const open, sticky = fs.FileMode(0o002), fs.ModeSticky
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		spared := sticky // of a folder above: other users cannot replace what is in it
		if dir == filepath.Dir(real) {
			spared = 0
		}
		info, err := d.Stat(dir)
		everybody := err == nil && (info.Mode()&open != 0 || runtime.GOOS == "windows")
		if everybody && info.Mode()&spared == 0 && d.OthersWrite(info) {
			return "", fmt.Errorf("is in %s, where everybody can write: keep it elsewhere", hookio.Escape(dir))
		}
		if dir == filepath.Dir(dir) {
			return real, nil
		}
	}
}

// apart returns the folder of Apart that a path is in, by name or by the system's word, or "".
func (p *Program) apart(name string) string { return p.in(p.Apart, name) }

// reachable reports whether a file may be the agent's: in Apart, or where it writes unasked.
func (p *Program) reachable(name string) bool {
	if p.reached == nil {
		p.reached = map[string]bool{}
	}
	is, known := p.reached[name]
	if !known {
		is = p.in(slices.Concat(p.Apart, p.Temp), name) != ""
		p.reached[name] = is
	}
	return is
}

// in returns that of the folders which a path is in, as it is given or with links resolved, or "".
func (p *Program) in(folders []string, name string) string {
	names := []string{name}
	if real, err := filepath.EvalSymlinks(name); err == nil && real != name {
		names = append(names, real)
	}
	for _, name := range names {
		for _, dir := range folders {
			if within(name, dir) || p.below(name, dir) {
				return dir
			}
		}
	}
	return ""
}

func within(name, dir string) bool {
	native := rules.NativeOS()
	name, dir = native.Canon(name), native.Canon(dir)
	if native == rules.Windows {
		name, dir = strings.ToLower(name), strings.ToLower(dir)
	}
	return rules.Within(name, dir)
}

// below reports whether a path is in a folder by the system's word.
func (p *Program) below(name, dir string) bool {
	folder := p.stat(dir)
	for up := ""; folder != nil && name != up; name, up = filepath.Dir(name), name {
		if info := p.stat(name); info != nil && os.SameFile(info, folder) {
			return true
		}
	}
	return false
}

func (p *Program) stat(name string) fs.FileInfo {
	if p.stats == nil {
		p.stats = map[string]fs.FileInfo{}
	}
	info, known := p.stats[name]
	if !known {
		info, _ = os.Stat(name)
		p.stats[name] = info
	}
	return info
}

// path is the PATH the program gets and is looked up in.
func (p *Program) path() string {
	var keep []string
	for _, kv := range p.Environ {
		if name, value, _ := strings.Cut(kv, "="); strings.EqualFold(name, "PATH") {
			for _, dir := range filepath.SplitList(value) {
				if filepath.IsAbs(dir) && !p.reachable(dir) {
					keep = append(keep, dir)
				}
			}
		}
	}
	return strings.Join(keep, string(filepath.ListSeparator))
}

// environ is what the program gets of the environment: nothing that has programs run or read files.
func (p *Program) environ() []string {
	out := make([]string, 0, len(p.Environ)+1)
	for _, kv := range p.Environ {
		name, value, _ := strings.Cut(kv, "=")
		if !strings.EqualFold(name, "PATH") && !steers(name) && !p.namesReachable(value) {
			out = append(out, kv)
		}
	}
	return append(out, "PATH="+p.path())
}

// namesReachable reports whether a value names a file of the agent's, from the root folder or a drive on.
func (p *Program) namesReachable(value string) bool {
	const ends = " ,;:="
	names := append(filepath.SplitList(value), strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(ends, r) })...)
	for i := range value {
		if rest := value[i:]; len(filepath.VolumeName(rest)) == 2 {
			names = append(names, rest, rest[:2+strings.IndexAny(rest[2:]+ends, ends)])
		}
	}
	native := rules.NativeOS()
	for _, name := range names {
		file := native.Native(native.Canon(name))
		drive := filepath.VolumeName(file)
		if drive == "" {
			file = filepath.Join(string(filepath.Separator), name)
		}
		switch share := len(drive) > 2; { // to ask one would tell it who the user is, and it may be a folder of this machine
		case name == "":
		case !share && p.reachable(file), share && strings.HasPrefix(name, `\\`),
			share && slices.ContainsFunc(p.Apart, func(dir string) bool { return within(file, dir) }):
			return true
		}
	}
	return false
}

// steers reports whether a variable makes programs run or load what it names.
func steers(name string) bool {
	if runtime.GOOS == "windows" {
		name = strings.ToUpper(name)
	}
	for _, prefix := range [...]string{"LD_", "DYLD_", "BASH_FUNC_", "PYTHON", "PERL", "RUBY", "LUA_", "GCONV_", "GIT_", "OPENSSL_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{
		"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4", "IFS", "CDPATH", "GLOBIGNORE", "ZDOTDIR", "GLIBC_TUNABLES",
		"NODE_OPTIONS", "NODE_PATH", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "CURL_HOME", "JQ_LIBRARY_PATH",
	}, name)
}

// A Start is one run of a program. It gets a process group of its own, which ends with its time.
type Start struct {
	Context   context.Context // ends it early; nil for none
	File      string
	Args, Env []string
	Dir       string
	Stdin     []byte
	Timeout   time.Duration
	Out, Said int // bytes of stdout, above which it is ended, and those kept of stderr
}

// An End is how a program ended.
type End struct {
	Out, Said  []byte
	Over, Late bool // it said more than Start.Out bytes, or took longer than its time
	Took       time.Duration
	Err        error // of exec.Cmd
	Code       int   // exit code; -1 where a signal ended it, or it could not be started
}

// Run runs a program to its end.
func (s Start) Run() End {
	begin := time.Now()
	ctx, cancel := context.WithTimeout(cmp.Or(s.Context, context.Background()), s.Timeout)
	defer cancel()
	out, said := limited{max: s.Out, full: cancel}, limited{max: s.Said}
	cmd := exec.CommandContext(ctx, s.File, s.Args...)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(s.Stdin), &out, &said
	cmd.WaitDelay = Grace / 2
	group := newGroup(cmd)
	defer group.close()
	cmd.Cancel = group.kill
	err := cmd.Start()
	if err == nil {
		group.join()
		err = cmd.Wait()
	}
	end := End{Out: out.text, Said: said.text, Over: out.over, Took: time.Since(begin), Err: err, Code: -1}
	end.Late = err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded)
	if errors.Is(err, exec.ErrWaitDelay) {
		group.kill() // what it started holds its output open, and is in its group
	}
	if cmd.ProcessState != nil {
		end.Code = cmd.ProcessState.ExitCode()
	}
	return end
}

// limited keeps what is written up to max bytes.
type limited struct {
	text []byte
	max  int
	full func() // told when there is more; nil where that is no fault
	over bool
}

func (l *limited) Write(b []byte) (int, error) {
	room := l.max - len(l.text)
	if len(b) > room {
		if l.over = true; l.full != nil {
			l.full()
		}
	}
	l.text = append(l.text, b[:min(room, len(b))]...)
	return len(b), nil
}
