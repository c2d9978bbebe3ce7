package conformance

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// startFiles are what decisions name in so many words, one of each, in the home or the project.
const startFiles = "~/.config/git/config ~/.config/git/hooks/pre-commit ~/.config/fish/config.fish ~/.config/fish/conf.d/x.fish " +
	"~/.config/fish/functions/ls.fish ~/.xprofile ~/.xinitrc ~/.xsessionrc ~/.config/environment.d/x.conf ~/.config/autostart/x.desktop " +
	"~/.config/systemd/user/x.service ~/Library/LaunchAgents/x.plist /Library/LaunchDaemons/x.plist ~/.vimrc ~/.config/nvim/init.lua " +
	"~/.tmux.conf ~/.emacs ~/.cargo/config.toml ~/.gradle/init.d/x.gradle ~/.gradle/init.gradle ~/.m2/settings.xml ~/.config/pip/pip.conf " +
	"~/.pip/pip.conf ~/.Rprofile ~/.irbrc ~/.pryrc ~/.gdbinit ~/.lldbinit ~/.claude.json ~/bin/ls ~/.local/bin/ls ~/.cargo/bin/ls ~/go/bin/ls " +
	"/opt/tools/bin/ls .devcontainer.json .roo/mcp.json .continue/config.yaml .kiro/steering/x.md .windsurf/rules/x.md .clinerules/x.md " +
	"evil-hooks/pre-commit .Rprofile .vimrc .cargo/config.toml"

// textWriters are shell texts that write the file @.
var textWriters = [...]string{
	"echo x > @", "echo x >> @", "echo x | tee -a @", "cp a @", "mv a @", "ln -sf a @", "sed -i s/a/b/ @", "install -m 755 a @", "cat <<E > @\nx\nE",
	"sh -c 'echo x > @'", "chmod 755 a > @", "mkdir a 2> @", "find . -name a -exec cp {} @ \\;",
}

// writeCalls are the calls that write a file, by every tool and spelling.
func writeCalls(name string) (calls []Setup) {
	abs := strings.Replace(name, "~/", "/home/dev/", 1)
	for _, tool := range [...]string{"Write", "Edit", "MultiEdit"} {
		input := map[string]any{"file_path": abs, "content": "x"}
		switch tool {
		case "Edit":
			input = map[string]any{"file_path": abs, "old_string": "a", "new_string": "b"}
		case "MultiEdit":
			input = map[string]any{"file_path": abs, "edits": []any{map[string]any{"old_string": "a", "new_string": "b"}}}
		}
		data, _ := json.Marshal(input)
		calls = append(calls, Setup{Tool: tool, Input: data})
	}
	spellings := []string{abs}
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		spellings = append(spellings, name, `"$HOME"/`+rest, "/home/dev/x/../"+rest, "/proc/self/root/home/dev/"+rest)
	}
	for i, text := range textWriters {
		as := strings.ReplaceAll(spellings[i%len(spellings)], " ", "?")
		calls = append(calls, Setup{Tool: "Bash", Input: shell(strings.ReplaceAll(text, "@", as))})
	}
	return calls
}

// underEvery decides a call in each mode that lets most through, under rules that allow all of it.
func underEvery(t *testing.T, s Setup, visit func(mode string, v decide.Verdict)) {
	t.Helper()
	for _, mode := range [...]string{"default", "acceptEdits", "auto", "bypassPermissions"} {
		s.Mode = mode
		s.Environ = []string{"PATH=/usr/bin:/opt/tools/bin:/work/project/node_modules/.bin:/work/project/bin:.", "HOME=/home/dev"}
		s.Settings = map[string]string{
			"/home/dev/.gen/settings.json": `{"permissions":{"allow":["Edit","Write","MultiEdit","Bash(*)"],"additionalDirectories":["/home/dev","/opt","/Library"]}}`,
			"/work/project/.git/config":    "[core]\n\trepositoryformatversion = 0\n\thooksPath = evil-hooks\n",
			"/work/project/.git/HEAD":      "ref: refs/heads/main\n",
		}
		_, v := call(t, s)
		visit(mode, v)
	}
}

// TestStartFiles: a file that decisions name is asked about by step 2, whatever writes it.
func TestStartFiles(t *testing.T) {
	every := testenv.Every(t, 3, 1, 1)
	for k, name := range strings.Fields(startFiles) {
		holes := 0
		for i, s := range writeCalls(name) {
			if (i+k)%every > 0 {
				continue
			}
			underEvery(t, s, func(mode string, v decide.Verdict) {
				if v.Decision() == hookio.Allow || !strings.Contains(v.Reason(), "[permgate sensitive-path") {
					if holes++; holes == 1 {
						t.Errorf("%s: %s in %s: %v at step %s", name, s.Input, mode, v.Decision(), v.Step())
					}
				}
			})
		}
		if holes > 1 {
			t.Errorf("%s: %d holes", name, holes)
		}
	}
}

// TestGitKeys: a key of git's configuration that may run a program or read another file is a
// write of that file, and an inert one is not.
func TestGitKeys(t *testing.T) {
	keys := []string{"core.hooksPath ./evil", "core.hookspath ./evil", "alias.x '!cmd'", "alias.st status", "include.path ../x", "includeIf.gitdir:x.path ../x",
		"credential.helper ./x", "credential.https://e.helper '!x'", "filter.x.clean ./x", "diff.x.command ./x", "diff.x.textconv ./x", "diff.external ./x",
		"merge.x.driver './x %A'", "core.fsmonitor ./x", "core.fsmonitor true", "core.sshCommand ./x", "core.pager ./x", "pager.log ./x", "core.editor ./x",
		"sequence.editor ./x", "url.https://e/.insteadOf https://g/", "gpg.program ./x", "gpg.ssh.program ./x", "core.askPass ./x", "core.gitProxy ./x",
		"core.attributesFile x", "core.excludesFile x", "init.templateDir x", "remote.o.url 'ext::sh -c x'", "remote.o.uploadpack ./x", "remote.o.vcs x",
		"branch.main.remote 'ext::sh -c x'", "branch.main.mergeOptions '-s x'", "pull.octopus x", "submodule.x.update '!x'", "mergetool.x.cmd ./x", "difftool.x.path ./x", "browser.x.cmd ./x", "man.x.cmd ./x", "http.proxy http://e",
		"http.sslVerify false", "safe.directory '*'", "protocol.ext.allow always", "uploadpack.packObjectsHook ./x", "core.worktree /x", "interactive.diffFilter ./x",
		"trailer.x.command ./x", "sendemail.smtpServer ./x", "web.browser ./x", "extensions.worktreeConfig true", `"$k" v`, "commit.template /x", "push.pushOption x.y z"}
	inert := []string{"user.email a@b.c", "user.name 'A B'", "user.signingkey ABC", "branch.main.rebase true", "branch.main.remote origin", "push.default current",
		"push.autoSetupRemote true", "pull.rebase false", "pull.ff only", "color.ui always", "color.diff.meta red", "advice.detachedHead false", "advice.addEmptyPathspec false", "init.defaultBranch main",
		"core.autocrlf input", "core.fileMode false", "core.fsmonitor false", "remote.origin.url https://e.example/x.git", "merge.conflictStyle zdiff3", "fetch.prune true", "user.email \"$mail\""}
	forms := []string{"git config @", "git config --local @", "git config --add @", "git config --replace-all @", "git config set @", "git config set --all @", "git -C . config @",
		"git -c a.b=c config @", "env git config @", "git config --type=path @", "git --git-dir=.git config @", "GIT_DIR=.git git config @", "command git config @", "git config --worktree @", "git config --global @", "git config -f .git/config @"}
	every := testenv.Every(t, 5, 1, 1) // a sample takes each key in some of the forms
	for i, key := range slices.Concat(keys, inert) {
		isInert := i >= len(keys)
		for k, form := range forms {
			if (i+k)%every > 0 || isInert && strings.Contains(form, "-f ") {
				continue
			}
			text := strings.ReplaceAll(form, "@", key)
			underEvery(t, Setup{Tool: "Bash", Input: shell(text)}, func(mode string, v decide.Verdict) {
				switch {
				case !isInert && (v.Decision() == hookio.Allow || v.Step() != "2"):
					t.Errorf("%s in %s: %v at step %s", text, mode, v.Decision(), v.Step())
				case isInert && mode == "bypassPermissions" && v.Decision() != hookio.Allow:
					t.Errorf("%s in %s: %v at step %s: %s", text, mode, v.Decision(), v.Step(), v.Reason())
				}
			})
		}
	}
	for _, text := range []string{"git config -e", "git config edit", "git config --unset core.hooksPath", "git config unset core.hooksPath",
		"git config rename-section branch.x alias", "git config --remove-section safe", "npm config set script-shell ./x", "npm set registry https://e",
		"npm c set x=y", "npm config edit", "pnpm config set registry https://e", "yarn config set yarnPath ./x", "pip config set global.index-url https://e",
		"pip3 config edit", "go env -w GOFLAGS=-toolexec=./x", "conda config --add channels https://e"} {
		underEvery(t, Setup{Tool: "Bash", Input: shell(text)}, func(mode string, v decide.Verdict) {
			if v.Decision() == hookio.Allow || v.Step() != "2" {
				t.Errorf("%s in %s: %v at step %s", text, mode, v.Decision(), v.Step())
			}
		})
	}
	for _, text := range []string{"git config --get user.email", "git config core.pager", "git config --unset user.email", "npm config get registry", "npm config list",
		"pip config list", "go env GOFLAGS", "git -c core.pager=cat log", "git config --get-regexp alias",
		"mkdir -p ~/.local/bin", "chmod 755 ~/.local/bin", "chmod +x ~/.local/bin/tool", "touch ~/.local/bin"} {
		underEvery(t, Setup{Tool: "Bash", Input: shell(text)}, func(mode string, v decide.Verdict) {
			if mode == "bypassPermissions" && v.Decision() != hookio.Allow {
				t.Errorf("%s in %s: %v at step %s: %s", text, mode, v.Decision(), v.Step(), v.Reason())
			}
		})
	}
}

// controlCode are programs of other languages, and commands whose file is only known when they run, that change what
// runs later; a name in it is the home's.
var controlCode = []string{
	`python3 -c "import os;os.remove('/home/dev/.claude/settings.json')"`, `python3 -c "p='/home/dev/.bashrc'; open(p,'w').write('x')"`,
	`python3 -c "import json,os;p=os.path.expanduser('~/.claude/settings.json');json.dump({},open(p,'w'))"`,
	`python3 -c "import pathlib;pathlib.Path.home().joinpath('.claude','settings.json').write_text('{}')"`,
	`python3 -c "from pathlib import Path; (Path.home()/'.claude'/'settings.json').unlink()"`, `python3 -c "import sys;open(sys.argv[1],'a').write('x')" ~/.bashrc`,
	"python3 - ~/.bashrc <<'E'\nimport sys\nopen(sys.argv[1],'a').write('x')\nE", `python3 -c "import shutil;shutil.move('/home/dev/.claude','/tmp/x')"`,
	`node -e "const p='/home/dev/.claude/settings.json';fs.writeFileSync(p,'x')"`, "node -e 'fs.writeFileSync(`${os.homedir()}/.bashrc`,\"x\")'",
	`node -e "fs.unlinkSync('/home/dev/.claude/settings.json')"`, `bun -e "await Bun.write('/home/dev/.zshrc','x')"`, `ruby -e 'File.delete("/home/dev/.claude/settings.json")'`,
	`ruby -e 'File.write("#{Dir.home}/.bashrc","x")'`, `perl -e 'open F,">>$ENV{HOME}/.bashrc";print F 1'`, `perl -e 'open(my $f, ">", "/home/dev/.bashrc")'`,
	`perl -e 'unlink "/home/dev/.claude/settings.json"'`, `php -r 'rename("/home/dev/.claude/settings.json","x");'`, `lua -e 'os.remove("/home/dev/.claude/settings.json")'`,
	`Rscript -e 'cat("x",file="~/.bashrc")'`, `julia -e 'write("/home/dev/.bashrc","x")'`, `elixir -e 'File.rm!("/home/dev/.claude/settings.json")'`,
	`groovy -e 'new File("/home/dev/.claude/settings.json").delete()'`, `emacs --batch --eval '(delete-file "/home/dev/.claude/settings.json")'`,
	"vim -es -c 'w! ~/.bashrc' -c q x", "vim -c 'redir > ~/.bashrc' -c q", "ed -s x <<< 'w /home/dev/.bashrc'", "ls ~/.claude/settings.json | xargs rm",
	"grep -rl deny ~/.claude | xargs sed -i s/deny/allow/", "find ~ -name .bashrc -exec sed -i '$a x' {} +", "find ~ -path '*/.claude/settings.json' -print0 | xargs -0 rm",
	`python3 -c "print(open('/proc/1/environ').read())"`, `node -p "fs.readFileSync('/proc/self/environ','utf8')"`, "echo 'sh x' | at now + 1 minute", "at -f x.sh now",
	"echo x > ~/.local/lib/python3.11/site-packages/x.pth", "tee ~/.local/lib/python3.11/site-packages/sitecustomize.py < x",
	`python3 -c "import shutil,os;os.remove(shutil.which('permgate'))"`, "torchrun -m pip config set a b",
	"rm $(which permgate)", "p=$(command -v permgate); chmod -x $p", "cp x `type -P permgate`", "which permgate | xargs rm", "rm \"$(readlink -f \"$(which permgate)\")\"",
}

// notControlCode is near to it: it reads, or names a folder that it leaves out.
var notControlCode = []string{
	`python3 -c "import json;print(json.load(open('/home/dev/.claude/settings.json')))"`, `node -p "require('/home/dev/.claude/settings.json').hooks"`,
	"python3 - <<'E'\nimport os\nfor d,ds,fs in os.walk('.'):\n  ds[:]=[x for x in ds if x not in ('.git','.claude','.vscode')]\nopen('out.txt','w').write('x')\nE",
	"find . -path ./.git -prune -o -name '*.go' -print | xargs sed -i s/a/b/", "grep -rl a . --exclude-dir=.git | xargs sed -i s/a/b/", "find . -not -path './.git/*' -name '*.pyc' -exec touch {} +",
	"cat ~/.bashrc; rm x.tmp", "for f in *.go; do sed -i s/a/b/ $f; done; cat .git/config", "git diff HEAD | git apply -R", "coverage run -m pytest", "at -l", "cp x.pth models/y.pth", "which permgate", "ls -l $(which permgate)", "cp $(which permgate) /tmp/x",
	"perl -ne print ~/.bashrc", `python3 -c "open('out','w').write(open('/home/dev/.claude/projects/p/x.jsonl').read())"`, "awk '{print > $1}' ~/.bashrc",
	"node -e \"fs.writeFileSync('.gitignore','x')\"",
}

// TestControlCode: what changes such files by a program of another language asks in every mode.
func TestControlCode(t *testing.T) {
	for i, text := range slices.Concat(controlCode, notControlCode) {
		underEvery(t, Setup{Tool: "Bash", Input: shell(text)}, func(mode string, v decide.Verdict) {
			if asks := v.Step() == "2" || v.Decision() == hookio.Deny; mode == "bypassPermissions" && asks != (i < len(controlCode)) {
				t.Errorf("%s in %s: %v at step %s: %s", text, mode, v.Decision(), v.Step(), v.Reason())
			}
		})
	}
}

// TestNotStartFiles: what only looks like one is not asked about by step 2.
func TestNotStartFiles(t *testing.T) {
	for name := range strings.FieldsSeq("docs/notes.md config.toml .github/ISSUE_TEMPLATE/bug.md bin/tool node_modules/.bin/tsc hooks/use-thing.ts fish/README.md " +
		"src/git/config src/autostart.go git.go cargo/config.toml settings.xml src/vimrc.md pip/readme.md /tmp/bin/ls .gitignore .editorconfig") {
		for _, s := range writeCalls(name) {
			underEvery(t, s, func(mode string, v decide.Verdict) {
				if v.Step() == "2" {
					t.Errorf("%s: %s in %s: %v at step %s: %s", name, s.Input, mode, v.Decision(), v.Step(), v.Reason())
				}
			})
		}
	}
}

// TestStartFilesFolded: APFS reads another case as the same file, and so do we.
func TestStartFilesFolded(t *testing.T) {
	for _, name := range []string{"/home/dev/.CONFIG/Git/config", "/home/dev/library/launchagents/x.plist", "/home/dev/.Local/BIN/ls", "/OPT/tools/bin/ls", "/home/dev/.RPROFILE"} {
		data, _ := json.Marshal(map[string]string{"file_path": name, "content": "x"})
		underEvery(t, Setup{Tool: "Write", Input: data, OS: rules.MacOS}, func(mode string, v decide.Verdict) {
			if v.Decision() == hookio.Allow || v.Step() != "2" {
				t.Errorf("%s in %s: %v at step %s", name, mode, v.Decision(), v.Step())
			}
		})
	}
}

// TestSensitiveTable: the answer to a write of each example of the table is what its class
// says, by every tool and spelling, in every mode.
func TestSensitiveTable(t *testing.T) {
	tried, every := 0, testenv.Every(t, 5, 1, 1)
	for i := range guard.Sensitives {
		row := &guard.Sensitives[i]
		for example := range strings.FieldsSeq(row.Examples) {
			for _, s := range writeCalls(example) {
				if row.Class >= guard.Plain && s.Tool == "Bash" && !strings.Contains(string(s.Input), "echo x") {
					continue // what ends up there may be a folder, or a symlink
				}
				if tried++; tried%every > 0 {
					continue
				}
				underEvery(t, s, func(mode string, v decide.Verdict) {
					asks := v.Decision() != hookio.Allow && strings.Contains(v.Reason(), "[permgate sensitive-path")
					if asks != (row.Class < guard.Plain) {
						t.Errorf("%s (%s): %s in %s: %v at step %s: %s", example, row.Class, s.Input, mode, v.Decision(), v.Step(), v.Reason())
					}
				})
			}
		}
	}
	if tried < 1000 {
		t.Errorf("%d calls are too few", tried)
	}
}

// TestPlain: what is plain is one file of a driven host that no instructions name.
func TestPlain(t *testing.T) {
	write := func(name string) Setup {
		data, _ := json.Marshal(map[string]string{"file_path": name, "content": "x"})
		return Setup{Tool: "Write", Input: data}
	}
	shell := func(text string) Setup {
		return Setup{Tool: "Bash", Input: shell(text)}
	}
	with := func(s Setup, name, text string) Setup {
		s.Arrange = func(f *fakefs.FS) { f.Write(name, text) }
		return s
	}
	linked := write(".claude/notes/a.md")
	linked.Symlinks = map[string]string{"/work/project/.claude/notes/a.md": "/home/dev/.bashrc"}
	folder := write(".claude/notes/a.md")
	folder.Symlinks = map[string]string{"/work/project/.claude/notes": "/work/project/.claude/skills"}
	for what, s := range map[string]Setup{
		"a name that a host loads":   write(".claude/notes/CLAUDE.md"),
		"the same in another case":   write(".claude/notes/Agents.MD"),
		"a memory that a host loads": write(".claude/memory/MEMORY.md"),
		"an agent's memory":          write(".claude/agent-memory/x/a.md"),
		"memory of a project":        write("/home/dev/.claude/projects/-x/memory/a.md"),
		"a program in a memory":      write(".claude/memory/x.sh"),
		"a memory that is imported":  with(write(".claude/memory/a.md"), "/work/project/CLAUDE.md", "see @.claude/memory/a.md"),
		"a skill":                    write(".claude/skills/x/SKILL.md"),
		"an agent":                   write(".claude/agents/x.md"),
		"a hook's page":              write(".claude/hooks/x.md"),
		"a program":                  write(".claude/notes/x.sh"),
		"no subfolder":               write(".claude/notes.md"),
		"a host that was not driven": write(".cursor/notes/a.md"),
		"an import":                  with(write(".claude/notes/a.md"), "/work/project/CLAUDE.md", "see @.claude/notes/a.md for more"),
		"an import of the user":      with(write("/home/dev/.claude/notes/a.md"), "/home/dev/.claude/CLAUDE.md", "- @notes/a.md\n"),
		"a symlink":                  linked,
		"a folder that leads away":   folder,
		"a pattern":                  shell("touch .claude/notes/*.md"),
		"a symlink that is made":     shell("ln -s ~/.bashrc .claude/notes/a.md"),
		"a folder that is copied":    shell("cp -r x .claude/notes/x.md"),
		"a stream of another file":   write(".claude/notes/x.sh:a.md"),
		"a hook below":               write(".claude/notes/.git/hooks/a.md"),
		"settings by a detour":       write(".claude/notes/../settings.json"),
		"a program moved in":         with(shell("mv x.sh .claude/notes/"), "/work/project/x.sh", "x"),
		"a folder moved in":          with(shell("mv x .claude/notes/x.md"), "/work/project/x/run.sh", "x"),
		"one that is not there":      shell("mv x.md .claude/notes/a.md"),
		"many by a pattern":          with(shell("mv *.md .claude/notes/"), "/work/project/a.md", "x"),
		"a program made of a note":   with(shell("mv .claude/notes/a.md .claude/notes/run"), "/work/project/.claude/notes/a.md", "x"),
		"a link moved in":            {Tool: "Bash", Input: shell("mv x.md .claude/notes/a.md").Input, Symlinks: map[string]string{"/work/project/x.md": "/home/dev/.bashrc"}},
		"moved into skills":          with(shell("mv a.md .claude/skills/"), "/work/project/a.md", "x"),
		"a folder for skills":        shell("mkdir -p .claude/skills/x"),
		"one of agents":              shell("mkdir .claude/agents"),
		"a new one of the host":      shell("mkdir .claude/more"),
		"in place of settings":       shell("mkdir .claude/settings.json"),
		"a folder of git":            shell("mkdir -p .claude/notes/.git/hooks"),
		"one for nobody known":       shell("mkdir .claude/$X"),
		"settings moved over":        with(shell("mv a.md .claude/settings.json"), "/work/project/a.md", "x"),
		"its folder":                 with(shell("mv a.md .claude/"), "/work/project/a.md", "x"),
	} {
		underEvery(t, s, func(mode string, v decide.Verdict) {
			if v.Decision() == hookio.Allow {
				t.Errorf("%s in %s: allowed at step %s", what, mode, v.Step())
			}
		})
	}
	for _, text := range []string{"mkdir .claude/notes/x", "mkdir -p .claude/notes/x/y", "mv .claude/notes/a.md .claude/notes/b.md", "mv a.md .claude/notes/",
		"mv a.md .claude/notes", "mv -n a.md .claude/notes/old", "mv .claude/notes/none.md .claude/notes/done/", "cp a.md .claude/notes/", "mkdir -p .claude/notes && mv a.md .claude/notes/"} {
		s := shell(text)
		s.Arrange = func(f *fakefs.FS) {
			f.Write("/work/project/.claude/notes/a.md", "x")
			f.Write("/work/project/.claude/notes/old/x.md", "x")
			f.Write("/work/project/a.md", "x")
		}
		underEvery(t, s, func(mode string, v decide.Verdict) {
			if strings.Contains(v.Reason(), "[permgate sensitive-path") {
				t.Errorf("%s in %s: %s", text, mode, v.Reason())
			}
		})
	}
	twice := with(write(".claude/notes/a.md"), "/work/project/CLAUDE.md", "see @docs/more.md")
	one := twice.Arrange
	twice.Arrange = func(f *fakefs.FS) { one(f); f.Write("/work/project/docs/more.md", "and @../.claude/notes/a.md") }
	underEvery(t, twice, func(mode string, v decide.Verdict) {
		if v.Decision() == hookio.Allow {
			t.Errorf("an import of an import in %s: allowed at step %s", mode, v.Step())
		}
	})
}
