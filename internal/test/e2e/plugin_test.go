package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// pluginDir is the Claude Code plugin.
const pluginDir = "docs/plugin"

// TestPluginHooks checks that the plugin registers what install does, through its script, and nothing else but the start of
// a session.
func TestPluginHooks(t *testing.T) {
	var got struct {
		Hooks map[string][]json.RawMessage
	}
	readJSON(t, "hooks/hooks.json", &got)
	const before = `"${CLAUDE_PLUGIN_ROOT}/hooks/`
	want := map[string]string{
		"SessionStart": `{"hooks":[{"type":"command","command":"/bin/sh","args":[` + before + `session.sh"],"timeout":60}]}`,
	}
	h := agents.Lookup("claude")
	for i := range h.Register.Events {
		ev := &h.Register.Events[i]
		want[ev.Name] = strings.Replace(agents.Entry(h, "/bin/sh", ev), `"args":[`, `"args":[`+before+`run.sh",`, 1)
	}
	for name, groups := range got.Hooks {
		if len(groups) != 1 || compact(t, groups[0]) != compact(t, []byte(want[name])) {
			t.Errorf("%s: %s, install writes %s", name, groups, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not registered: %v", want)
	}
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(pluginDir, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestPluginMarketplace checks that the two marketplaces differ in where the plugin is from alone, and that the version of
// the plugin is that of the release it fetches.
func TestPluginMarketplace(t *testing.T) {
	var local, remote struct {
		Name    string
		Owner   any
		Plugins []map[string]any
	}
	readJSON(t, ".claude-plugin/marketplace.json", &local)
	readJSON(t, "marketplace.json", &remote)
	far, _ := remote.Plugins[0]["source"].(map[string]any)
	if local.Plugins[0]["source"] != "./" || far["source"] != "git-subdir" || far["path"] != pluginDir {
		t.Errorf("sources %v and %v", local.Plugins[0]["source"], far)
	}
	delete(local.Plugins[0], "source")
	delete(remote.Plugins[0], "source")
	if diff := cmp.Diff(local, remote); diff != "" {
		t.Error(diff)
	}
	var manifest struct{ Name, Version string }
	readJSON(t, ".claude-plugin/plugin.json", &manifest)
	release, err := os.ReadFile(filepath.Join(pluginDir, "hooks", "release.txt"))
	if err != nil {
		t.Fatal(err)
	}
	version, _, _ := strings.Cut(string(release), "\n")
	if want := "version " + manifest.Version; version != want && !(version == "version none" && manifest.Version == "0.0.0") {
		t.Errorf("plugin.json has version %q, release.txt %q", manifest.Version, version)
	}
	if manifest.Name != remote.Plugins[0]["name"] || manifest.Name+"@"+remote.Name != agents.Lookup("claude").Register.Plugin {
		t.Errorf("plugin %s of marketplace %s", manifest.Name, remote.Name)
	}
}

// TestPluginSkills decides every command that a skill names: an agent must get to run it, and its skill must allow it.
func TestPluginSkills(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(pluginDir, "skills", "*", "SKILL.md"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v: %v", files, err)
	}
	command := regexp.MustCompile("`(permgate [^`]*)`")
	allowed := regexp.MustCompile(`Bash\((permgate [^)]*)\)`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		head, body, _ := strings.Cut(strings.TrimPrefix(string(text), "---\n"), "\n---\n")
		var listed []string
		for _, m := range allowed.FindAllStringSubmatch(head, -1) {
			listed = append(listed, m[1])
		}
		found := command.FindAllStringSubmatch(body, -1)
		if len(found) < 2 || len(listed) < 2 {
			t.Fatalf("%s: commands %q, allowed %q", name, found, listed)
		}
		for _, m := range found {
			if !slices.Contains(listed, m[1]) {
				t.Errorf("%s: %s is not in allowed-tools", name, m[1])
			}
		}
		for _, c := range listed {
			cmd := exec.Command(program, "check", "--host", "claude", "--json", c)
			cmd.Dir, cmd.Env = t.TempDir(), []string{"HOME=" + t.TempDir()}
			out, _ := cmd.Output()
			var v struct{ Decision, Step string }
			if err := json.Unmarshal(out, &v); err != nil || v.Step == "" || v.Step == "2" || v.Decision == "deny" {
				t.Errorf("%s: %s: %s %v", name, c, out, err)
			}
		}
	}
}

// shells are those that may be a system's /bin/sh.
func shells(t *testing.T) map[string][]string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the plugin needs /bin/sh")
	}
	out := map[string][]string{}
	cache, _ := os.UserCacheDir()
	for _, s := range [][]string{
		{"dash"}, {"bash", "--posix"}, {filepath.Join(cache, "permgate-oracle", "bash-3.2"), "--posix"},
		{"zsh", "--emulate", "sh"}, {"busybox", "sh"},
	} {
		if file, err := exec.LookPath(s[0]); err == nil {
			out[filepath.Base(s[0])] = append([]string{file}, s[1:]...)
		}
	}
	t.Logf("%d shells", len(out))
	if len(out) == 0 {
		out["sh"] = []string{"/bin/sh"}
	}
	return out
}

// rowShells are the shells that a row of a table runs in: all of them, in a sample one, another for each row.
func rowShells(t *testing.T, row int) map[string][]string {
	t.Helper()
	all := shells(t)
	every := testenv.Every(t, len(all), 1, 1)
	for k, name := range slices.Sorted(maps.Keys(all)) {
		if (row+k)%every != 0 {
			delete(all, name)
		}
	}
	return all
}

// A pluginBox is a copy of the plugin's scripts in folders of its own, all with a blank in their names.
type pluginBox struct {
	shell                                       []string
	root, home, project, data, bin, tools, path string
	env                                         []string
}

// temporary is the line of run.sh about temporary folders, in one of which the tests run.
const temporary = "\t/tmp/* | /var/tmp/* | /dev/shm/* | /var/folders/* | /private/tmp/* | /private/var/*) return 1 ;;\n"

// toolPath is where session.sh looks for its tools.
const toolPath = "PATH=/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin:/opt/homebrew/bin:/run/current-system/sw/bin\n"

func boxPlugin(t *testing.T, shell []string) *pluginBox {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(base, name) }
	s := &pluginBox{shell: shell, root: at("the plugin"), home: at("a home"), project: at("a project/sub"), data: at("a home/.claude/d 1"),
		bin: at("some bin"), tools: at("tools")}
	s.path = s.bin
	for _, dir := range []string{s.root, s.project, s.data, s.bin, s.tools, at("a project/.git")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"run.sh", "session.sh", "release.txt"} {
		text, err := os.ReadFile(filepath.Join(pluginDir, "hooks", name))
		if err != nil {
			t.Fatal(err)
		}
		out := string(text)
		switch {
		case name == "run.sh":
			out = replaceOnce(t, out, temporary, "")
		case name == "session.sh":
			out = replaceOnce(t, out, toolPath, "PATH='"+s.tools+"':/usr/bin:/bin\n")
		}
		write(t, filepath.Join(s.root, name), out)
	}
	return s
}

func replaceOnce(t *testing.T, text, old, new string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is there %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, new, 1)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	executable.Write(t, name, text)
}

// script runs a script of the plugin as Claude Code does.
func (s *pluginBox) script(t *testing.T, name string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	line := slices.Concat(s.shell, []string{filepath.Join(s.root, name)}, args)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir, cmd.Stdin = s.project, strings.NewReader("the payload\n")
	cmd.Env = append([]string{"HOME=" + s.home, "PATH=" + s.path, "CLAUDE_PROJECT_DIR=" + s.project, "CLAUDE_PLUGIN_ROOT=" + s.root,
		"CLAUDE_PLUGIN_DATA=" + s.data}, s.env...)
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	_ = cmd.Run()
	return out.String(), err.String(), cmd.ProcessState.ExitCode()
}

// fake is a permgate that says who it is, what it was called with and what it read.
func fake(who string) string {
	return "#!/bin/sh\n[ \"$1\" = version ] && exit\nIFS= read -r line || line=nothing\nprintf '%s\\n' \"" + who + ": $* <$line> $PATH $PWD\"\nexit 3\n"
}

// TestPluginFinds checks which permgate run.sh takes.
func TestPluginFinds(t *testing.T) {
	skipShort(t)
	link := func(t *testing.T, to, name string) {
		t.Helper()
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	for i, tt := range []struct {
		name string
		set  func(t *testing.T, s *pluginBox)
		want string // who decides, "" for a blocked call
	}{
		{"none", func(t *testing.T, s *pluginBox) {}, ""},
		{"on PATH", func(t *testing.T, s *pluginBox) { write(t, s.bin+"/permgate", fake("path")) }, "path"},
		{"no PATH", func(t *testing.T, s *pluginBox) { s.path = "" }, ""},
		{"behind others on PATH", func(t *testing.T, s *pluginBox) {
			write(t, s.bin+"/permgate", fake("path"))
			s.path = "/nowhere:/usr/bin:" + s.home + ":" + s.bin + ":/bin"
		}, "path"},
		{"no HOME", func(t *testing.T, s *pluginBox) {
			write(t, s.bin+"/permgate", fake("path"))
			s.home = ""
		}, "path"},
		{"in the project", func(t *testing.T, s *pluginBox) {
			write(t, s.project+"/bin/permgate", fake("project"))
			s.path = s.project + "/bin"
		}, ""},
		{"in the project, and elsewhere", func(t *testing.T, s *pluginBox) {
			write(t, s.project+"/bin/permgate", fake("project"))
			write(t, s.bin+"/permgate", fake("path"))
			s.path = s.project + "/bin:" + s.bin
		}, "path"},
		{"in the repository above the project", func(t *testing.T, s *pluginBox) {
			write(t, s.project+"/../bin/permgate", fake("repository"))
			s.path = filepath.Dir(s.project) + "/bin"
		}, ""},
		{"below node_modules", func(t *testing.T, s *pluginBox) {
			s.path = s.home + "/x/node_modules/.bin"
			write(t, s.path+"/permgate", fake("npm"))
		}, ""},
		{"in relative folders", func(t *testing.T, s *pluginBox) {
			write(t, s.project+"/permgate", fake("project"))
			write(t, s.project+"/bin/permgate", fake("project"))
			s.path = "bin:.::./bin:../sub"
		}, ""},
		{"by a folder that leads into the project", func(t *testing.T, s *pluginBox) {
			write(t, s.project+"/bin/permgate", fake("project"))
			link(t, s.project+"/bin", s.home+"/bin")
			s.path = s.home + "/bin:" + s.home + "/../a home/bin/."
		}, ""},
		{"by a file that leads into the project", func(t *testing.T, s *pluginBox) {
			write(t, s.project+"/permgate", fake("project"))
			link(t, s.project+"/permgate", s.bin+"/permgate")
		}, ""},
		{"by a link of the project that leads out", func(t *testing.T, s *pluginBox) {
			write(t, s.bin+"/permgate", fake("path"))
			link(t, s.bin, s.project+"/bin")
			link(t, s.bin+"/permgate", s.project+"/permgate")
			link(t, s.project+"/permgate", s.home+"/permgate")
			s.path = s.home
		}, ""},
		{"by links elsewhere", func(t *testing.T, s *pluginBox) {
			write(t, s.home+"/Cellar/1/bin/permgate", fake("cellar"))
			link(t, "../a home/Cellar/1/bin/permgate", s.bin+"/permgate")
		}, "cellar"},
		{"by links that go round", func(t *testing.T, s *pluginBox) { link(t, "permgate", s.bin+"/permgate") }, ""},
		{"a folder, a file that is not executable", func(t *testing.T, s *pluginBox) {
			write(t, s.home+"/permgate", fake("path"))
			if err := os.Chmod(s.home+"/permgate", 0o644); err != nil {
				t.Fatal(err)
			}
			write(t, s.bin+"/permgate/x", "")
			s.path += ":" + s.home
		}, ""},
		{"the home is a repository", func(t *testing.T, s *pluginBox) {
			s.project = s.home + "/src"
			write(t, s.project+"/x", "")
			write(t, s.home+"/.git/config", "")
			write(t, s.home+"/bin/permgate", fake("path"))
			s.path = s.home + "/bin"
		}, "path"},
		{"fetched", func(t *testing.T, s *pluginBox) {
			write(t, s.root+"/release.txt", "version 1.2.3\n")
			write(t, s.data+"/1.2.3/permgate", fake("fetched"))
		}, "fetched"},
		{"fetched, of another version", func(t *testing.T, s *pluginBox) {
			write(t, s.root+"/release.txt", "version 1.2.4\n")
			write(t, s.data+"/1.2.3/permgate", fake("fetched"))
		}, ""},
		{"fetched, a link", func(t *testing.T, s *pluginBox) {
			write(t, s.root+"/release.txt", "version 1.2.3\n")
			write(t, s.data+"/1.2.3/other", fake("fetched"))
			link(t, "other", s.data+"/1.2.3/permgate")
		}, ""},
		{"fetched, the data folder is a link", func(t *testing.T, s *pluginBox) {
			write(t, s.root+"/release.txt", "version 1.2.3\n")
			write(t, s.home+"/else/1.2.3/permgate", fake("fetched"))
			s.data = s.home + "/link"
			link(t, s.home+"/else", s.data)
		}, ""},
		{"no data folder, no list of releases", func(t *testing.T, s *pluginBox) {
			s.data = ""
			os.Remove(s.root + "/release.txt")
		}, ""},
		{"names for the shell in the environment", func(t *testing.T, s *pluginBox) {
			write(t, s.bin+"/permgate", fake("path"))
			s.env = []string{"IFS=/", "CDPATH=/usr:/", "ENV=/nowhere", "BASH_ENV=/nowhere", "version=x", "file=/bin/echo"}
		}, "path"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for name, shell := range rowShells(t, i) {
				s := boxPlugin(t, shell)
				tt.set(t, s)
				out, errs, code := s.script(t, "run.sh", "hook", "--host", "claude", "--event", "PreToolUse")
				blocked := out == "" && code == 2 && strings.Contains(errs, "no permgate binary found") && strings.Contains(errs, "hint: ")
				want := tt.want + ": hook --host claude --event PreToolUse <the payload> " + s.path + " " + s.project + "\n"
				if tt.want == "" && !blocked || tt.want != "" && (out != want || code != 3) {
					t.Errorf("%s: exit %d, %q\n%s", name, code, out, errs)
				}
			}
		})
	}
}

// TestPluginFunctions checks that run.sh calls no function of the environment, which bash takes over.
func TestPluginFunctions(t *testing.T) {
	bash := shells(t)["bash"]
	if bash == nil {
		t.Skip("no bash")
	}
	s := boxPlugin(t, bash)
	write(t, s.bin+"/permgate", fake("path"))
	for _, name := range []string{"cd", "printf", "read", "readlink", "own", "lookup"} {
		s.env = append(s.env, "BASH_FUNC_"+name+"%%=() {  echo function\n}")
	}
	if out, errs, code := s.script(t, "run.sh", "hook"); code != 3 || !strings.HasPrefix(out, "path: hook") || errs != "" {
		t.Errorf("exit %d, %q\n%s", code, out, errs)
	}
}

// TestPluginTemporary checks that run.sh as it is takes nothing from temporary folders, and fetches nothing.
func TestPluginTemporary(t *testing.T) {
	shells(t)
	s := boxPlugin(t, []string{"/bin/sh"})
	text, err := os.ReadFile(filepath.Join(pluginDir, "hooks", "run.sh"))
	if err != nil {
		t.Fatal(err)
	}
	if regexp.MustCompile(`curl|wget|session\.sh [^f]`).Match(text) {
		t.Error("run.sh may fetch something")
	}
	if !strings.Contains(temporary, strings.SplitAfter(s.root, "/")[1]) {
		t.Skipf("%s is no temporary folder of the script's", s.root)
	}
	write(t, s.root+"/run.sh", string(text))
	write(t, s.bin+"/permgate", fake("path"))
	if out, errs, code := s.script(t, "run.sh", "hook"); code != 2 || out != "" || !strings.Contains(errs, s.bin+"/permgate does not count") {
		t.Errorf("exit %d, %q\n%s", code, out, errs)
	}
}

// archive is a release with one program in it, and its sha256.
func archive(t *testing.T, program []byte) (text []byte, sum string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, body := range map[string][]byte{"README.md": []byte("x"), "permgate": program} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(body))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(b.Bytes())
	return b.Bytes(), hex.EncodeToString(hash[:])
}

// release makes a release of program the one that the plugin names, by pin.sh, and has a curl of its own serve served.
func (s *pluginBox) release(t *testing.T, sum string, served []byte) {
	t.Helper()
	plugin := filepath.Dir(s.root) + "/pinned"
	for _, name := range []string{"pin.sh", ".claude-plugin/plugin.json", "hooks/release.txt"} {
		text, err := os.ReadFile(filepath.Join(pluginDir, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(plugin, name), string(text))
	}
	sums := ""
	for _, system := range []string{"linux_amd64.deb", "linux_amd64.tar.gz", "linux_arm64.tar.gz", "darwin_amd64.tar.gz", "darwin_arm64.tar.gz", "windows_amd64.zip"} {
		sums += sum + "  permgate_1.2.3_" + system + "\n"
	}
	write(t, plugin+"/sums", sums)
	if out, err := exec.Command("/bin/sh", plugin+"/pin.sh", "v1.2.3", plugin+"/sums").CombinedOutput(); err != nil {
		t.Fatalf("pin.sh: %v\n%s", err, out)
	}
	pinned, err := os.ReadFile(plugin + "/hooks/release.txt")
	if err != nil {
		t.Fatal(err)
	}
	write(t, s.root+"/release.txt", string(pinned))
	manifest, err := os.ReadFile(plugin + "/.claude-plugin/plugin.json")
	if err != nil || !strings.Contains(string(manifest), `"version": "1.2.3"`) {
		t.Fatalf("plugin.json: %s %v", manifest, err)
	}
	write(t, s.tools+"/served", string(served))
	write(t, s.tools+"/curl", "#!/bin/sh\nwhile [ $# -gt 1 ]; do\n\t[ \"$1\" = --output ] && to=$2\n\tshift\ndone\n"+
		"case $1 in\nhttps://github.com/*/releases/download/v1.2.3/permgate_1.2.3_*.tar.gz) cp \"${0%/*}/served\" \"$to\" ;;\n*) exit 6 ;;\nesac\n")
}

// say is what session.sh told the user.
func (s *pluginBox) say(t *testing.T) string {
	t.Helper()
	out, errs, code := s.script(t, "session.sh")
	if code != 0 || errs != "" {
		t.Errorf("session.sh: exit %d\n%s", code, errs)
	}
	if out == "" {
		return ""
	}
	var v struct {
		SystemMessage      string
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil || v.HookSpecificOutput.HookEventName != "SessionStart" ||
		v.HookSpecificOutput.AdditionalContext != v.SystemMessage {
		t.Errorf("%s: %v", out, err)
	}
	return v.SystemMessage
}

// leftOver lists what is in the data folder.
func (s *pluginBox) leftOver(t *testing.T) (out []string) {
	t.Helper()
	err := filepath.WalkDir(s.data, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() || strings.Contains(name, "fetch.") {
			out = append(out, strings.TrimPrefix(name, s.data+"/"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPluginFetches checks what session.sh makes of a release.
func TestPluginFetches(t *testing.T) {
	skipShort(t)
	good, sum := archive(t, []byte(fake("fetched")))
	garbage, garbageSum := archive(t, []byte("#!/nowhere\n"))
	for i, tt := range []struct {
		name   string
		sum    string
		served []byte
		set    func(t *testing.T, s *pluginBox)
		said   string
		want   bool // it is installed
	}{
		{"as released", sum, good, nil, "permgate 1.2.3 was fetched, its sha256 checked", true},
		{"another sum", strings.Repeat("0", 64), good, nil, "its sha256 differs", false},
		{"truncated", sum, good[:len(good)/2], nil, "its sha256 differs", false},
		{"empty", sum, nil, nil, "its sha256 differs", false},
		{"a program that does not run", garbageSum, garbage, nil, "does not run", false},
		{"no archive", sha(t, "x"), []byte("x"), nil, "does not run", false},
		{"offline", sum, good, func(t *testing.T, s *pluginBox) { write(t, s.tools+"/curl", "#!/bin/sh\nexit 6\n") }, "could not be fetched", false},
		{"no sha256 program", sum, good, func(t *testing.T, s *pluginBox) {
			for _, name := range []string{"sha256sum", "shasum", "openssl"} {
				write(t, s.tools+"/"+name, "#!/bin/sh\nexit 1\n")
			}
		}, "no sha256sum", false},
		{"no release", sum, good, func(t *testing.T, s *pluginBox) { write(t, s.root+"/release.txt", "version none\n") }, "names no release", false},
		{"no list of releases", sum, good, func(t *testing.T, s *pluginBox) { os.Remove(s.root + "/release.txt") }, "is missing", false},
		{"not over https", sum, good, func(t *testing.T, s *pluginBox) { s.edit(t, "https://", "http://") }, "no https address", false},
		{"not for this system", sum, good, func(t *testing.T, s *pluginBox) { s.edit(t, runtime.GOOS+"/", "plan9/") }, "none for this system", false},
		{"a version that is a path", sum, good, func(t *testing.T, s *pluginBox) { s.edit(t, "version 1.2.3", "version ../../x") }, "no version", false},
		{"a sum too short", sum, good, func(t *testing.T, s *pluginBox) { s.edit(t, sum, sum[:63]) }, "no sha256 for this system", false},
		{"no HOME", sum, good, func(t *testing.T, s *pluginBox) { s.home = "" }, "was fetched", true},
		{"no data folder", sum, good, func(t *testing.T, s *pluginBox) { s.data = "" }, "names no data folder", false},
		{"the data folder is not there yet", sum, good, func(t *testing.T, s *pluginBox) { os.Remove(s.data) }, "was fetched", true},
		{"others write to the data folder", sum, good, func(t *testing.T, s *pluginBox) { chmod(t, s.data, 0o775) }, "open to others", false},
		{"the data folder is a link", sum, good, func(t *testing.T, s *pluginBox) {
			s.data += " link"
			if err := os.Symlink(s.home, s.data); err != nil {
				t.Fatal(err)
			}
		}, "open to others", false},
		{"its folder is a link", sum, good, func(t *testing.T, s *pluginBox) {
			if err := os.Symlink(s.home, s.data+"/1.2.3"); err != nil {
				t.Fatal(err)
			}
		}, "open to others", false},
		{"there already", sum, nil, func(t *testing.T, s *pluginBox) {
			write(t, s.data+"/1.2.3/permgate", fake("fetched"))
			write(t, s.home+"/.claude/permgate.json", "{}")
		}, "", true},
		{"a project's programs", sum, []byte("x"), func(t *testing.T, s *pluginBox) {
			write(t, s.project+"/bin/sha256sum", "#!/bin/sh\necho "+sum+"\n")
			s.path = s.project + "/bin"
		}, "its sha256 differs", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for name, shell := range rowShells(t, i) {
				s := boxPlugin(t, shell)
				s.release(t, tt.sum, tt.served)
				if tt.set != nil {
					tt.set(t, s)
				}
				if said := s.say(t); !strings.Contains(said, tt.said) || (said == "") != (tt.said == "") {
					t.Errorf("%s: said %q", name, said)
				}
				if s.data == "" {
					continue
				}
				left := s.leftOver(t)
				out, _, code := s.script(t, "run.sh", "hook")
				installed := slices.Equal(left, []string{"1.2.3/permgate"}) && strings.HasPrefix(out, "fetched: hook <the payload>")
				if tt.want != installed || !tt.want && (len(left) > 0 || code != 2 || out != "") {
					t.Errorf("%s: left %q; run.sh: exit %d, %q", name, left, code, out)
				}
			}
		})
	}
}

func (s *pluginBox) edit(t *testing.T, old, new string) {
	t.Helper()
	text, err := os.ReadFile(s.root + "/release.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%q is not in %s", old, text)
	}
	write(t, s.root+"/release.txt", strings.ReplaceAll(string(text), old, new))
}

func chmod(t *testing.T, name string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

func sha(t *testing.T, text string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// TestPluginDecides fetches the real program, in four sessions at once, and has it deny a call.
func TestPluginDecides(t *testing.T) {
	t.Parallel()
	skipShort(t)
	shells(t)
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	release, sum := archive(t, text)
	s := boxPlugin(t, []string{"/bin/sh"})
	s.release(t, sum, release)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if said := s.say(t); !strings.Contains(said, "was fetched") && !strings.Contains(said, "no permgate.json") {
				t.Error(said)
			}
		})
	}
	all.Wait()
	if left := s.leftOver(t); !slices.Equal(left, []string{"1.2.3/permgate"}) {
		t.Errorf("left %q", left)
	}
	cmd := exec.Command("/bin/sh", s.root+"/run.sh", "hook", "--host", "claude", "--event", "PreToolUse")
	cmd.Dir, cmd.Env = s.project, []string{"HOME=" + s.home, "PATH=/usr/bin", "CLAUDE_PROJECT_DIR=" + s.project, "CLAUDE_PLUGIN_DATA=" + s.data}
	write(t, s.home+"/.claude/settings.json", `{"permissions":{"deny":["Bash(touch:*)"]}}`)
	cmd.Stdin = strings.NewReader(`{"session_id":"s","cwd":"` + s.project + `","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"touch x"}}`)
	if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), `"permissionDecision":"deny"`) {
		t.Errorf("%s %v", out, err)
	}
}

// TestPluginNotices checks what session.sh says of a permgate that is there.
func TestPluginNotices(t *testing.T) {
	t.Parallel()
	skipShort(t)
	for _, tt := range []struct {
		name string
		set  func(t *testing.T, s *pluginBox)
		said string
	}{
		{"all well", func(t *testing.T, s *pluginBox) {}, ""},
		{"no posture", func(t *testing.T, s *pluginBox) { os.Remove(s.home + "/.claude/permgate.json") }, "--posture"},
		{"others can write", func(t *testing.T, s *pluginBox) { chmod(t, s.bin, 0o777) }, "others can write"},
		{"registered twice", func(t *testing.T, s *pluginBox) {
			write(t, s.home+"/.claude/settings.json", `{"args": ["hook", "--host", "claude", "--event", "PreToolUse"]}`)
		}, "decided twice"},
	} {
		for name, shell := range shells(t) {
			s := boxPlugin(t, shell)
			write(t, s.bin+"/permgate", fake("path"))
			write(t, s.home+"/.claude/permgate.json", "{}")
			tt.set(t, s)
			if said := s.say(t); !strings.Contains(said, tt.said) || (said == "") != (tt.said == "") {
				t.Errorf("%s: %s: said %q", tt.name, name, said)
			}
		}
	}
}

// TestPluginShellcheck checks the scripts where shellcheck is installed.
func TestPluginShellcheck(t *testing.T) {
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip(err)
	}
	scripts, err := filepath.Glob(pluginDir + "/hooks/*.sh")
	if err != nil || len(scripts) != 2 {
		t.Fatalf("%v: %v", scripts, err)
	}
	for i, name := range scripts {
		scripts[i] = filepath.ToSlash(name)
	}
	if out, err := exec.Command("shellcheck", append(scripts, pluginDir+"/pin.sh")...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
