package gate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/internal/fakefs"
)

// A series is what the person says yes to, one after the other, something that happens then, and a call.
type series struct {
	name    string
	asked   []string
	call    string
	between func(*fakefs.FS)
	files   map[string]string
	environ map[string]string
}

// after says yes to every question of the first calls, and reports whether the last is asked about.
func (s *series) after(t *testing.T) (asked bool, reason string) {
	t.Helper()
	r := recall{name: s.name, between: s.between, files: s.files, env: s.environ}
	var yes []facts.Yes
	for i, call := range s.asked {
		v := r.decide(t, call, yes, false)
		if asks(v) == "" {
			t.Errorf("%s: %s is not asked about: %s", s.name, call, v.Reason())
		}
		for _, y := range saidYes(v) {
			y.At = y.At.Add(time.Duration(i) * time.Second)
			yes = append(yes, y)
		}
	}
	v := r.decide(t, s.call, yes, true)
	return asks(v) != "", v.Reason()
}

const notes = "/home/dev/notes/"

func read(name string) string { return tool("Read", `{"file_path":"`+name+`"}`) }

// TestYesFolder: after two yeses to files of a folder the others of it count as answered.
func TestYesFolder(t *testing.T) {
	reads := m(yesKey, `{"rememberYes":true,"outsideReads":"ask"}`)
	two := []string{write(notes + "a.txt"), write(notes + "b.txt")}
	for _, s := range []series{
		{name: "write", asked: two, call: write(notes + "c.txt")},
		{name: "an edit", asked: two, call: edit(notes+"a.txt", "x", "y")},
		{name: "by the shell", asked: two, call: bash("echo x > ~/notes/c.txt")},
		{name: "both by the shell", asked: []string{bash("echo x > ~/notes/a.txt"), bash("cp a.txt ~/notes/b.txt")}, call: write(notes + "c.txt")},
		{name: "a second prompt", asked: []string{bash("echo x > ~/notes/a.txt; echo x > ~/notes/b.txt"), write(notes + "d.txt")}, call: write(notes + "c.txt")},
		{name: "several at once", asked: two, call: bash("echo x > ~/notes/c.txt; echo x > ~/notes/d.txt")},
		{name: "delete", asked: []string{bash("rm ~/notes/a.txt"), bash("rm ~/notes/b.txt")}, call: bash("rm ~/notes/c.txt")},
		{name: "read", asked: []string{read(notes + "a.txt"), read(notes + "b.txt")}, call: read(notes + "c.txt"), files: reads},
		{name: "read by the shell", asked: []string{read(notes + "a.txt"), bash("cat ~/notes/b.txt")}, call: bash("head ~/notes/c.txt"), files: reads},
		{name: "one that is there", asked: two, call: write(notes + "c.txt"), files: m(notes+"c.txt", "x")},
	} {
		asked, reason := s.after(t)
		if asked || strings.Count(reason, "you said yes to ") < 2 && s.name != "an edit" {
			t.Errorf("%s: %s", s.name, reason)
		}
	}
}

// TestYesFolderAgainst: one yes is to one file, and two are to no more than the files of that folder.
func TestYesFolderAgainst(t *testing.T) {
	reads := m(yesKey, `{"rememberYes":true,"outsideReads":"ask"}`)
	writes := func(dir string) []string { return []string{write(dir + "a.txt"), write(dir + "b.txt")} }
	two := writes(notes)
	link := func(name, to string) func(*fakefs.FS) {
		return func(fs *fakefs.FS) { fs.Remove(name); fs.Link(name, to).UID = 1000 }
	}
	open := func(dir string) func(*fakefs.FS) {
		return func(fs *fakefs.FS) { fs.File(dir).Mode |= 0o022 }
	}
	for _, s := range []series{
		{name: "one yes", asked: two[:1], call: write(notes + "c.txt")},
		{name: "two files in one prompt", asked: []string{bash("echo x > ~/notes/a.txt; echo x > ~/notes/b.txt")}, call: write(notes + "c.txt")},
		{name: "the same file twice", asked: []string{write(notes + "a.txt"), bash("rm ~/notes/a.txt")}, call: write(notes + "c.txt")},
		{name: "another kind", asked: two, call: bash("rm ~/notes/c.txt")},
		{name: "a removal and a write", asked: []string{write(notes + "a.txt"), bash("rm ~/notes/b.txt")}, call: write(notes + "c.txt")},
		{name: "deleting is no writing", asked: []string{bash("rm ~/notes/a.txt"), bash("rm ~/notes/b.txt")}, call: write(notes + "c.txt")},
		{name: "reading is no writing", asked: []string{read(notes + "a.txt"), read(notes + "b.txt")}, call: write(notes + "c.txt"), files: reads},
		{name: "reading files is no search", asked: []string{read(notes + "a.txt"), read(notes + "b.txt")}, call: bash("grep -r x ~/notes"), files: reads},
		{name: "a folder of it", asked: two, call: write(notes + "d/c.txt")},
		{name: "the folder above", asked: writes(notes + "d/"), call: write(notes + "c.txt")},
		{name: "a folder next to it", asked: two, call: write("/home/dev/notes2/c.txt")},
		{name: "files of two folders", asked: []string{write(notes + "a.txt"), write("/home/dev/other/b.txt")}, call: write(notes + "c.txt")},
		{name: "a tree", asked: two, call: bash("cp -r src ~/notes/c.txt")},
		{name: "the folder itself", asked: two, call: bash("cp -r src ~/notes")},
		{name: "a removal of all", asked: []string{bash("rm ~/notes/a.txt"), bash("rm ~/notes/b.txt")}, call: bash("rm -rf ~/notes")},
		{name: "a pattern", asked: []string{bash("rm ~/notes/a.txt"), bash("rm ~/notes/b.txt")}, call: bash("rm ~/notes/*")},
		{name: "a folder that is made", asked: two, call: bash("mkdir ~/notes/d")},
		{name: "folders that were made", asked: []string{bash("mkdir ~/notes/d"), bash("mkdir ~/notes/e")}, call: write(notes + "c.txt")},
		{name: "its mode", asked: two, call: bash("chmod 600 ~/notes/c.txt")},
		{name: "a link", asked: two, call: bash("ln -s /etc/passwd ~/notes/c.txt")},
		{name: "a symlink made later", asked: two, call: write(notes + "c.txt"), between: link(notes+"c.txt", "/home/dev/other/a.go")},
		{name: "a symlink within the folder", asked: two, call: write(notes + "c.txt"), between: link(notes+"c.txt", notes+"a.txt")},
		{name: "a symlink that was there", asked: two, call: write(notes + "c.txt"), files: m(notes+"c.txt", "-> /home/dev/other/a.go")},
		{name: "a symlink in its place", asked: writes("/home/dev/new/"), call: write("/home/dev/new/c.txt"), between: link("/home/dev/new", "/home/dev/other"), files: m("/home/dev/new/x", "x")},
		{name: "a symlink above it", asked: writes("/home/dev/new/d/"), call: write("/home/dev/new/d/c.txt"), between: link("/home/dev/new", "/home/dev/other"), files: m("/home/dev/new/d/x", "x", "/home/dev/other/d/x", "x")},
		{name: "another way to it", asked: two, call: write("/home/dev/way/c.txt"), between: link("/home/dev/way", "/home/dev/notes")},
		{name: "another name of a file", asked: two, call: write(notes + "c.txt"), between: func(fs *fakefs.FS) { fs.Write(notes+"c.txt", "x").Names = 2 }},
		{name: "the home", asked: writes("/home/dev/"), call: write("/home/dev/c.txt")},
		{name: "above the home", asked: writes("/home/"), call: write("/home/c.txt")},
		{name: "the root", asked: writes("/"), call: write("/c.txt")},
		{name: "above the project", asked: writes("/work/"), call: write("/work/c.txt")},
		{name: "a folder others may write to", asked: writes("/srv/shared/"), call: write("/srv/shared/c.txt"), files: m("/srv/shared/x", "x"), between: open("/srv/shared")},
		{name: "a folder that others may write to since", asked: two, call: write(notes + "c.txt"), between: open("/home/dev/notes")},
		{name: "a folder of someone else", asked: two, call: write(notes + "c.txt"), between: func(fs *fakefs.FS) { fs.File("/home/dev/notes").UID = 1001 }},
		{name: "a folder of PATH", asked: []string{read("/opt/tools/a"), read("/opt/tools/b")}, call: read("/opt/tools/c"), environ: m("PATH", "/bin:/opt/tools"), files: m(yesKey, `{"rememberYes":true,"outsideReads":"ask"}`, "/opt/tools/a", "x")},
		{name: "a temporary root", asked: []string{read("/scratch/a"), read("/scratch/b")}, call: read("/scratch/c"), environ: m("TMPDIR", "/scratch"), files: m(yesKey, `{"rememberYes":true,"outsideReads":"ask"}`, "/scratch/a", "x")},
		{name: "a folder that is not there", asked: writes("/home/dev/gone/"), call: write("/home/dev/gone/c.txt")},
		{name: "a Makefile", asked: two, call: write(notes + "Makefile")},
		{name: "package.json", asked: two, call: bash("echo x > ~/notes/package.json")},
		{name: "conftest.py", asked: two, call: write(notes + "conftest.py")},
		{name: "a start-up file", asked: two, call: write(notes + ".bashrc")},
		{name: "a file of direnv", asked: two, call: write(notes + ".envrc")},
		{name: "servers", asked: two, call: write(notes + ".mcp.json")},
		{name: "an .env file", asked: []string{read(notes + "a.txt"), read(notes + "b.txt")}, call: read(notes + ".env"), files: reads},
		{name: "a key", asked: []string{read(notes + "a.txt"), read(notes + "b.txt")}, call: read(notes + "id_rsa"), files: m(yesKey, `{"rememberYes":true,"outsideReads":"ask","secrets":"rules"}`)},
		{name: "settings of an agent", asked: []string{read("/home/dev/other/.claude/a.json"), read("/home/dev/other/.claude/b.json")}, call: read("/home/dev/other/.claude/settings.json"), files: reads},
		{name: "in a script", asked: two, call: bash("source x.sh; echo x > ~/notes/c.txt")},
		{name: "moved there by the same text", asked: two, call: bash("mv l ~/notes/c.txt; echo x > ~/notes/c.txt")},
		{name: "one of two", asked: two, call: bash("echo x > ~/notes/c.txt; echo x > ~/other/c.txt")},
		{name: "only known when it runs", asked: two, call: bash("echo x > ~/notes/$X")},
		{name: "a way up", asked: two, call: bash("echo x > ~/notes/../c.txt")},
		{name: "unpacked", asked: two, call: bash("tar -xf x.tar -C ~/notes")},
	} {
		if asked, reason := s.after(t); !asked {
			t.Errorf("%s: %s", s.name, reason)
		}
	}
}

// TestYesProse: a yes to a text of a skill, or of the commands, is one to the others of it, for the question named it.
func TestYesProse(t *testing.T) {
	const home, s, commands = "/home/dev/.claude/", "/home/dev/.claude/skills/s/", "/home/dev/.claude/commands/"
	own := "/work/project/.claude/skills/x/"
	first := []string{edit(skill, "Do it", "Do that")}
	command := []string{edit(commands+"c.md", "Do it", "Do that")}
	link := func(name, to string) func(*fakefs.FS) {
		return func(fs *fakefs.FS) { fs.Remove(name); fs.Link(name, to).UID = 1000 }
	}
	for _, tt := range []struct {
		series
		asked bool
	}{
		{series{name: "a new text", asked: first, call: write(s + "more.md")}, false},
		{series{name: "a text in a folder of it", asked: first, call: write(s + "references/a.md")}, false},
		{series{name: "from a folder of it", asked: []string{write(s + "references/a.md")}, call: edit(skill, "Do it", "Do that")}, false},
		{series{name: "another command", asked: command, call: write(commands + "d.md")}, false},
		{series{name: "a command in a folder", asked: command, call: write(commands + "git/d.md")}, false},
		{series{name: "a skill of the project", asked: []string{write(own + "SKILL.md")}, call: write(own + "b.md")}, false},

		{series{name: "another skill", asked: first, call: write(home + "skills/t/SKILL.md")}, true},
		{series{name: "a skill that begins alike", asked: first, call: write(home + "skills/s2/SKILL.md")}, true},
		{series{name: "next to the skills", asked: first, call: write(home + "skills/x.md")}, true},
		{series{name: "from next to the skills", asked: []string{write(home + "skills/x.md")}, call: write(s + "a.md")}, true},
		{series{name: "a command after a skill", asked: first, call: write(commands + "d.md")}, true},
		{series{name: "a skill after a command", asked: command, call: write(s + "a.md")}, true},
		{series{name: "a rule after a rule", asked: []string{write("/work/project/.claude/rules/a.md")}, call: write("/work/project/.claude/rules/b.md")}, true},
		{series{name: "rules below a folder of that name", asked: []string{write("/home/dev/skills/p/.claude/rules/a.md")}, call: write("/home/dev/skills/p/.claude/rules/b.md")}, true},
		{series{name: "the same skill of another root", asked: first, call: write("/home/dev/.gen/skills/s/a.md")}, true},
		{series{name: "the same skill of the project", asked: first, call: write("/work/project/.claude/skills/s/a.md")}, true},
		{series{name: "a script of it", asked: first, call: write(s + "run.sh")}, true},
		{series{name: "a command in a text", asked: first, call: tool("Write", `{"file_path":"`+s+`a.md","content":"!`+"`id`"+`"}`)}, true},
		{series{name: "tools in a text", asked: first, call: tool("Write", `{"file_path":"`+s+`a.md","content":"---\nallowed-tools: Bash\n---\n"}`)}, true},
		{series{name: "by the shell", asked: first, call: bash("echo x > " + s + "a.md")}, true},
		{series{name: "a removal", asked: first, call: bash("rm " + s + "a.md"), files: m(s+"a.md", "x")}, true},
		{series{name: "a symlink made later", asked: first, call: write(s + "a.md"), between: link(s+"a.md", home+"agents/a.md")}, true},
		{series{name: "the skill is a symlink since", asked: first, call: write(s + "a.md"), between: link(home+"skills/s", home+"skills/t"), files: m(home+"skills/t/x.md", "x")}, true},
		{series{name: "another name of a file", asked: first, call: write(s + "a.md"), between: func(fs *fakefs.FS) { fs.Write(s+"a.md", "x").Names = 2 }}, true},
		{series{name: "an agent", asked: first, call: write(home + "agents/b.md")}, true},
		{series{name: "settings in it", asked: first, call: write(s + ".claude/settings.json")}, true},
		{series{name: "a file that is no text of it", asked: first, call: write(home + "notes.json")}, true},
	} {
		asked, reason := tt.after(t)
		if asked != tt.asked {
			t.Errorf("%s: asked %v: %s", tt.name, asked, reason)
		}
	}
	v := (&recall{name: "named"}).decide(t, first[0], nil, false)
	if !strings.Contains(v.Reason(), "`"+strings.TrimSuffix(s, "/")+"` as well") {
		t.Errorf("the question does not name the folder: %s", v.Reason())
	}
	old := facts.Yes{At: time.Time{}.Add(50 * time.Minute)} // kept before a question named the folder
	old.Kind, old.Given, old.Real = facts.YesContent, skill, skill
	if v := (&recall{name: "old"}).decide(t, write(s+"a.md"), []facts.Yes{old}, false); asks(v) == "" {
		t.Errorf("a yes that named no folder: %s", v.Reason())
	}
}

// TestYesFolderOld: a yes that was kept without its folder is to one file.
func TestYesFolderOld(t *testing.T) {
	var yes []facts.Yes
	for i, name := range []string{"a.txt", "b.txt"} {
		y := saidYes((&recall{name: name}).decide(t, write(notes+name), nil, false))[0]
		y.Folder, y.At = "", y.At.Add(time.Duration(i)*time.Second)
		yes = append(yes, y)
	}
	if v := (&recall{name: "old"}).decide(t, write(notes+"c.txt"), yes, false); asks(v) == "" {
		t.Error(v.Reason())
	}
	if v := (&recall{name: "old"}).decide(t, write(notes+"a.txt"), yes, false); asks(v) != "" {
		t.Error(v.Reason())
	}
}
