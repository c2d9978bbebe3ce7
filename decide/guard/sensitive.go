package guard

import (
	"iter"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// A Class says how a write to a sensitive place is asked about.
type Class uint8

// The classes of decisions 5.
const (
	Control Class = iota // runs later, opens an account, or is the policy itself: asked about in every mode
	Content              // prose that an agent program loads for a later turn: asked about as well
	Plain                // notes next to them that no program loads: not asked about, see plain
	Exempt               // what agents write by design: not asked about
)

// A Sensitive is a row of the table of what is asked about where it is written.
type Sensitive struct {
	Class
	// Paths are one component or several, in lower case; a component may hold * and ?.
	// One that ends with a slash means everything below, the folder itself too in class
	// Control. It is met anywhere in a path, unless it starts with ~/, the home, or with
	// the name of folders, see liveFolders.
	Paths []string
	Why   string
	Not   []string // components that are not meant; of Control, the last one alone
	Ends  []string // what the last component ends with, nil for anything
	// Examples are paths of such files, blank-separated.
	Examples string
}

// Sensitives is the table of decisions 5. Rows of the other classes take from what a row
// of class Control means by the same component: a .git below that still counts. Components
// are compared as Linux, APFS, HFS+ and NTFS would each read them.
var Sensitives = [...]Sensitive{
	{Class: Exempt, Why: "agents write by design", Paths: []string{".claude/plans/*", ".gen/plans/*", ".claude/worktrees/"}, Examples: ".claude/plans/a.md .claude/worktrees/x/a.go"},
	{Class: Content, Why: "an agent follows in a later turn", Ends: []string{".md"}, Paths: []string{
		".claude/skills/", ".claude/commands/", ".claude/rules/", ".claude/output-styles/", ".gen/skills/", ".gen/commands/", ".gen/rules/", ".san/skills/", ".san/commands/", ".san/rules/",
		".agents/skills/"},
		Examples: ".claude/skills/x/SKILL.md ~/.claude/commands/x.md .claude/rules/a.md"},
	{Class: Plain, Why: "decides what agents may do", Not: []string{"agents", "skills", "commands", "rules", "output-styles", "hooks", "plugins", "agent-memory*", "projects", "memory.*", "claude*", "agents*", "gemini*", "skill*"}, Ends: []string{".md", ".txt", ".log", ".csv", ".png", ".jpg", ".jpeg", ".gif", ".webp"}, Paths: []string{
		".claude/*/", ".gen/*/", ".san/*/", ".cursor/*/"},
		Examples: ".claude/notes/a.md ~/.claude/logs/run.log .claude/research/data.csv .claude/memory/session.md"},
	{Paths: []string{".git/"}, Why: "git runs commands from", Examples: ".git/config .git/hooks/pre-commit"},
	{Why: "decides what agents may do", Paths: []string{".gen/", ".san/", ".claude/", ".claude.json", ".claude.json.*", "programdata/claudecode/"},
		Examples: ".claude/settings.json ~/.claude.json .claude/agents/x.md .claude/CLAUDE.md .claude/skills/x/run.sh"},
	{Paths: []string{".vscode/"}, Why: "an editor runs as a task", Examples: ".vscode/tasks.json"},
	{Paths: []string{".idea/"}, Why: "an editor runs as a configuration", Examples: ".idea/workspace.xml"},
	{Paths: []string{".ssh/authorized_keys", ".ssh/authorized_keys2"}, Why: "decides who can log in to this machine", Examples: "~/.ssh/authorized_keys"},
	{Paths: []string{".ssh/id_*"}, Why: "holds an SSH key", Examples: "~/.ssh/id_ed25519"},
	{Paths: []string{".ssh/", "programdata/ssh/"}, Why: "holds SSH keys and login settings", Examples: "~/.ssh/config"},
	{Paths: []string{".aws/"}, Why: "holds cloud credentials", Examples: "~/.aws/config"},
	{Paths: []string{".gnupg/"}, Why: "holds private keys", Examples: "~/.gnupg/gpg.conf"},
	{Paths: []string{".kube/"}, Why: "holds cluster credentials and runs plugins", Examples: "~/.kube/config"},
	{Paths: []string{".husky/"}, Why: "git runs as a hook", Examples: ".husky/pre-commit"},
	{Paths: []string{".devcontainer/", ".devcontainer.json"}, Why: "holds commands that containers start with", Examples: ".devcontainer/devcontainer.json .devcontainer.json"},
	{Why: "holds an agent's hooks, servers and settings", Paths: []string{
		".agent/*.json", "_agent/*.json", "_agents/*.json", ".agents/*.json", ".agents/agents/", ".agents/plugins/", ".agents/skills/", ".augment/", ".caliban/", ".clinerules/", ".codeium/", ".codex/", ".config/caliban/", ".continue/", ".copilot/", ".core-agent/", ".cursor/", ".devin/",
		".exathena/", ".factory/", ".gemini/", ".github/agents/", ".github/copilot/*.json", ".github/hooks/", ".grok/", ".kiro/", ".qwen/", ".roo/", ".windsurf/", "application support/caliban/", "application support/claude/",
		"claude_desktop_config.json"},
		Examples: ".codex/config.toml ~/.gemini/settings.json .cursor/mcp.json .roo/mcp.json .kiro/steering/x.md .clinerules/x.md .continue/config.yaml"},
	{Paths: []string{".config/goose/", "block/goose/"}, Why: "holds an agent's extensions and permission mode", Examples: "~/.config/goose/config.yaml"},
	{Why: "says what the editor's agent may do without asking", Paths: []string{"code/user/*.json", "code - insiders/user/*.json", "cursor/user/*.json", "vscodium/user/*.json", "windsurf/user/*.json",
		"code/user/profiles/", "code - insiders/user/profiles/", "cursor/user/profiles/", "vscodium/user/profiles/", "windsurf/user/profiles/"}, Examples: "~/.config/Code/User/settings.json"},
	{Why: "holds an agent's plugins, permissions and settings", Paths: []string{
		".opencode/", ".config/opencode/", "opencode/plugin/", "opencode/plugins/", "opencode.json", "opencode.jsonc",
		".kilo/", ".kilocode/", ".config/kilo/", "kilo/plugin/", "kilo/plugins/", "kilo.json", "kilo.jsonc", ".pi/extensions/", ".amp/", "amp/plugins/", "amp/settings.json", "crush.json", ".crush.json"},
		Examples: "opencode.json .opencode/plugin/x.js ~/.config/opencode/agent/x.md ~/.config/amp/settings.json"},
	{Paths: []string{"permgate.json"}, Why: "decides what agents may do", Examples: "~/.gen/permgate.json"},
	{Why: "runs in every shell", Paths: []string{
		".bashrc", ".bash_aliases", ".zshrc", ".zshenv", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".xonshrc", ".inputrc", ".config/fish/", ".config/zsh/", ".config/nushell/", ".config/powershell/",
		".config/starship.toml", ".config/xonsh/", ".oh-my-zsh/", "*powershell_profile.ps1",
		"documents/powershell/", "documents/windowspowershell/", ".config/clink/"},
		Examples: "Documents/PowerShell/profile.ps1 AppData/Local/clink/x.lua ~/.bashrc ~/.zshrc ~/.config/fish/config.fish ~/.config/fish/conf.d/x.fish ~/.config/fish/functions/ls.fish"},
	{Why: "runs in every login shell", Paths: []string{
		".bash_profile", ".bash_login", ".zprofile", ".zlogin", ".profile", ".login", ".pam_environment", ".config/environment.d/"},
		Examples: "~/.profile ~/.config/environment.d/x.conf"},
	{Paths: []string{".bash_history", ".zsh_history", ".sh_history"}, Why: "is the record of what was run in shells", Examples: "~/.bash_history"},
	{Paths: []string{".bash_logout", ".zlogout", ".logout"}, Why: "runs at every logout", Examples: "~/.zlogout"},
	{Why: "the desktop or the system starts", Paths: []string{
		".xprofile", ".xinitrc", ".xserverrc", ".xsession", ".xsessionrc", ".config/autostart/", ".config/autostart-scripts/", ".config/plasma-workspace/", ".config/systemd/", ".local/share/systemd/",
		".local/share/dbus-1/", ".local/share/applications/", ".config/hypr/", ".config/i3/", ".config/sway/", "library/launchagents/", "library/launchdaemons/", "start menu/programs/startup/",
		"microsoft/word/startup/", "microsoft/excel/xlstart/", "microsoft/templates/", "microsoft/addins/", "microsoft/outlook/vbaproject.otm"},
		Examples: "~/.xprofile ~/.config/autostart/x.desktop ~/.config/systemd/user/x.service ~/Library/LaunchAgents/x.plist /Library/LaunchDaemons/x.plist"},
	{Why: "a tool runs when it starts", Paths: []string{
		".vimrc", ".gvimrc", ".exrc", ".vim/", "_vimrc", ".nvimrc", ".nvim.lua", ".config/nvim/", ".config/vim/", ".emacs", ".emacs.d/", ".config/emacs/", ".doom.d/", ".spacemacs", ".tmux.conf",
		".config/tmux/", ".screenrc", ".wezterm.lua", ".config/wezterm/", ".config/kitty/", ".config/alacritty/", ".hammerspoon/", ".gdbinit", ".config/gdb/", ".lldbinit", ".irbrc", ".pryrc", ".pdbrc",
		".pythonrc", ".pythonrc.py", ".ipython/", ".jupyter/", ".rprofile", ".renviron", ".ghci", ".iex.exs", ".erlang", ".ocamlinit", ".octaverc", ".julia/config/", ".lein/", ".byebugrc", ".psqlrc",
		".sqliterc", "site-packages/sitecustomize.py", "site-packages/usercustomize.py", "dist-packages/sitecustomize.py", "site-packages/*.pth", "dist-packages/*.pth", ".hgrc", ".config/hg/", ".subversion/", ".curlrc", ".wgetrc",
		"_gvimrc", "_exrc", "vimfiles/", "microsoft.windowsterminal*/localstate/", "microsoft/windows terminal/", ".wslconfig", ".procmailrc", ".forward", ".lessfilter", ".direnvrc", ".config/direnv/", ".config/mise/", ".config/karabiner/", ".hyper.js"},
		Examples: "~/.vimrc ~/.config/nvim/init.lua ~/.tmux.conf ~/.emacs ~/.emacs.d/init.el ~/.Rprofile .Rprofile ~/.irbrc ~/.pryrc ~/.gdbinit ~/.lldbinit .vimrc"},
	{Why: "names programs to run, or where packages come from", Paths: []string{
		".cargo/config", ".cargo/config.toml", ".cargo/env", ".gradle/init.gradle", ".gradle/init.gradle.kts", ".gradle/init.d/", ".gradle/gradle.properties", ".m2/settings.xml", "pip.conf", ".config/pip/",
		"pip/pip.ini", ".condarc", "nuget/nuget.config", ".config/go/env", ".gemrc", ".terraformrc", ".ansible.cfg"},
		Examples: "~/.cargo/config.toml .cargo/config.toml ~/.gradle/init.d/x.gradle ~/.gradle/init.gradle ~/.m2/settings.xml ~/.config/pip/pip.conf ~/.pip/pip.conf"},
	{Paths: []string{".envrc"}, Why: "direnv runs on entering the folder", Examples: ".envrc"},
	{Why: "holds secrets and the environment of programs", Not: []string{".env.example", ".env.sample", ".env.template"}, Paths: []string{".env", ".env.*"}, Examples: ".env .env.local"},
	{Why: "can make git run commands", Paths: []string{".gitconfig", ".config/git/", "programdata/git/config"}, Examples: "~/.gitconfig ~/.config/git/config ~/.config/git/hooks/pre-commit"},
	{Paths: []string{".gitmodules"}, Why: "names repositories whose hooks run", Examples: ".gitmodules"},
	{Paths: []string{".npmrc", ".pypirc"}, Why: "names a package registry and its tokens", Examples: ".npmrc ~/.pypirc"},
	{Paths: []string{".yarnrc", ".yarnrc.yml"}, Why: "names programs to run", Examples: ".yarnrc.yml"},
	{Paths: []string{".netrc", ".git-credentials", ".pgpass"}, Why: "holds passwords", Examples: "~/.netrc"},
	{Paths: []string{".mcp.json"}, Why: "names servers that the next session starts", Examples: ".mcp.json"},
	{Paths: []string{".docker/config.json"}, Why: "names credential helpers that run", Examples: "~/.docker/config.json"},
	{Paths: []string{"crontab", "cron.d/", "spool/cron/", "var/at/tabs/"}, Why: "runs commands on a schedule", Examples: "crontab cron.d/x"},
	{Why: "may run instead of a command with that name", Paths: []string{"~/bin/", "~/.local/bin/", "~/.cargo/bin/", "~/go/bin/", onPath}, Examples: "~/bin/ls ~/.local/bin/ls ~/.cargo/bin/ls ~/go/bin/ls"},
	// developer.apple.com: Daemons and Services, Services Implementation, Input Method Kit; support.apple.com Automator
	// User Guide (2025)
	{Why: "macOS loads or runs by itself", Paths: []string{"~/Library/Services/", "~/Library/Application Scripts/", "~/Library/Scripts/Folder Action Scripts/",
		"~/Library/Internet Plug-Ins/", "~/Library/Spotlight/", "~/Library/PreferencePanes/", "~/Library/Screen Savers/", "~/Library/Audio/Plug-Ins/",
		"~/Library/Mail/", "~/Library/Application Support/iTerm2/Scripts/AutoLaunch/",
		"~/Library/Workflows/", "~/Library/Input Methods/", "~/Library/QuickLook/", "~/Library/ScriptingAdditions/"}},
	{Why: "lists what macOS starts", Paths: []string{"library/preferences/com.apple.loginitems.plist", "library/preferences/com.apple.loginwindow.plist", "backgrounditems.btm"}, Examples: "~/Library/Preferences/com.apple.loginitems.plist"},
	{Why: "says what macOS lets programs do", Paths: []string{"com.apple.tcc/"}, Examples: "~/Library/com.apple.TCC/TCC.db"},
	{Paths: []string{hooksPath}, Why: "holds hooks that git runs"},
}

// Sensitive says why writing a target is asked about, "" when it is not.
func (g *Guard) Sensitive(t *Target) string {
	for p := range t.Hit.Each() {
		if why := g.sensitiveUnit(t, p); why != "" {
			return why
		}
	}
	if t.Hit.Given == "" && t.Effect != nil {
		return SensitivePath(g.World.OS.Slashes(t.Effect.Path))
	}
	return g.live(t)
}

// sensitiveUnit is sensitive for one form of the path.
func (g *Guard) sensitiveUnit(t *Target, p string) string {
	inert := t.Effect != nil && t.Effect.Inert
	s := sensitiveAs(g.underConfig(p))
	plain := s != nil && (s.Class == Plain || g.folder(t))
	if s != nil && !inert && (!plain || !g.plain(t)) {
		return s.Why
	}
	if t.Effect == nil && strings.Contains(p, `\`) { // as NTFS reads it
		if why := SensitivePath(strings.ReplaceAll(p, `\`, "/")); why != "" {
			return why
		}
	}
	if why := g.guardedAt(p); why != "" {
		return why
	}
	switch {
	case t.Access || !g.World.OS.SystemDir(p):
		return ""
	case t.Effect == nil && !g.World.Inside(t.Hit):
		return "is a file of the system, outside working directory"
	}
	return "is a file of the system"
}

// plainIn reports whether a note in a folder is plain by its name.
func (g *Guard) plainIn(dir string) bool {
	s := sensitiveAs(g.underConfig(dir) + "/a.md")
	return s != nil && s.Class == Plain
}

// SensitivePath says why a path is asked about by its name alone, "" when it is not.
func SensitivePath(name string) string {
	if s := sensitiveAs(name); s != nil {
		return s.Why
	}
	return ""
}

// ControlPath reports whether a path is one of class Control by its name alone.
func ControlPath(name string) bool {
	s := sensitiveAs(name)
	return s != nil && s.Class == Control
}

// sensitiveRows finds rows of class Control in Sensitives.
var sensitiveRows world.Rows

func controlPaths(yield func(int, string) bool) {
	for i := range Sensitives {
		if Sensitives[i].Class != Control {
			continue
		}
		for _, p := range Sensitives[i].Paths {
			if !yield(i, p) {
				return
			}
		}
	}
}

// sensitiveAs looks a path up in the table, nil where it is not there or exempt: the first
// row of class Control or Content, else of class Plain. Holes and globs in a component
// count as whatever they could be.
func sensitiveAs(name string) (found *Sensitive) {
	if name == "" {
		return nil
	}
	for parts, i := range readings(name) {
		var first *Sensitive
		sensitiveRows.First(parts[i], controlPaths, func(row, nth int) bool {
			s := &Sensitives[row]
			if !s.means(s.Paths[nth], parts[i:]) {
				return false
			}
			switch s = s.narrowed(parts[i:]); s.Class {
			case Exempt:
			case Plain:
				found = s
			default:
				first = s
			}
			return first != nil
		})
		if first != nil {
			return first
		}
	}
	return found
}

// applicationData are the folders in which programs keep on Windows and macOS what others keep in ~/.config or
// ~/.local/share (learn.microsoft.com KNOWNFOLDERID, 2023-12; developer.apple.com macOS Library Directory Details,
// 2018).
var applicationData = [...]struct {
	os  rules.OS
	dir string
}{
	{rules.Windows, "/appdata/roaming/"}, {rules.Windows, "/appdata/local/"},
	{rules.MacOS, "/library/application support/"}, {rules.MacOS, "/library/preferences/"},
}

// linuxData are the folders that these stand for.
var linuxData = [...]string{".config/", ".local/share/"}

// readings yields what a path may be read as: its parts and the one that a row of a table may begin with, also as if it
// were in the folders of Linux.
func readings(name string) iter.Seq2[[]string, int] {
	return func(yield func([]string, int) bool) {
		folded := world.FoldPath(name)
		more := eachPart(folded, yield)
		for _, data := range applicationData {
			home, rest, ok := strings.Cut(folded, data.dir)
			if !ok {
				continue
			}
			for _, linux := range linuxData {
				more = more && eachPart(home+"/"+linux+rest, yield)
			}
			return
		}
	}
}

// eachPart yields the parts of a path with each of them that is not empty; false when it was stopped.
func eachPart(folded string, yield func([]string, int) bool) bool {
	parts := strings.Split(folded, "/")
	for i := range parts {
		if parts[i] != "" && !yield(parts, i) {
			return false
		}
	}
	return true
}

// A Target is a path that a call reads or writes.
type Target struct {
	Hit    rules.Path             // both forms of it, empty where it is not known
	Sub    *bashsafety.Subcommand // the command that does; nil for a tool
	Effect *bashsafety.Effect     // what it does; nil for a tool
	Access bool                   // it is only named in the input of a tool
}

// Files are paths that are asked about because of the row, one of each of its own, whatever the system.
func (s *Sensitive) Files() (all []string) {
	for _, p := range s.Paths {
		if p[0] == '$' || strings.HasPrefix(p, macHome) || s.Class == Plain || s.Class == Exempt {
			continue
		}
		if strings.HasSuffix(p, "/") {
			p += "x"
		}
		all = append(all, strings.NewReplacer("*", "x", "?", "x").Replace(p))
	}
	return all
}

func (c Class) String() string { return [...]string{"control", "content", "plain", "exempt"}[c] }

// takes reports whether one path of such a row means a literal path; one that hangs on
// its name has no other component that the row leaves out.
func (s *Sensitive) takes(p string, parts []string) bool {
	pattern, dir := strings.CutSuffix(p, "/")
	want := strings.Split(pattern, "/")
	if len(parts) < len(want) || (len(parts) > len(want)) != dir {
		return false
	}
	for i := range want {
		if want[i] != "*" && want[i] != parts[i] {
			return false
		}
	}
	return s.Ends == nil || slices.Contains(s.Ends, path.Ext(parts[len(parts)-1])) && !slices.ContainsFunc(parts[1:], s.leavesOut)
}

// narrowed is the row of another class that a path of the row belongs to, or the row.
func (s *Sensitive) narrowed(parts []string) *Sensitive {
	for i := range Sensitives {
		n := &Sensitives[i]
		if n.Class != Control && slices.ContainsFunc(n.Paths, func(p string) bool { return n.takes(p, parts) }) {
			return n
		}
	}
	return s
}

// leavesOut reports whether a component of a path is, or could be, one that is not meant.
func (s *Sensitive) leavesOut(part string) bool {
	named := func(not string) bool { return world.ComponentIs(part, not) }
	return strings.ContainsAny(part, "*?[{\\\x00~") || slices.ContainsFunc(s.Not, named)
}

// means reports whether a path that starts at a component is one of a row of class Control, by one path of the row.
func (s *Sensitive) means(p string, parts []string) bool {
	if p[0] == '~' || p[0] == '$' {
		return false
	}
	pattern, dir := strings.CutSuffix(p, "/")
	n, ok := world.MatchParts(pattern, parts)
	return ok && (dir || n == len(parts)) && !slices.Contains(s.Not, parts[n-1])
}

// ContentOnly reports whether a path is asked about for no other reason than that an agent follows the prose in it, by
// both its forms.
func (g *Guard) ContentOnly(t *Target) bool {
	for p := range t.Hit.Each() {
		if s := sensitiveAs(g.underConfig(p)); s == nil || s.Class != Content {
			return false
		}
		if strings.Contains(p, `\`) || g.guardedAt(p) != "" || g.World.OS.SystemDir(p) {
			return false
		}
	}
	return g.live(t) == ""
}

// Prose reports whether a text only says something to the agent that loads it: it runs no command when it is
// loaded, and its front matter sets nothing but name and description (code.claude.com/docs skills, 2026-11).
func Prose(text string) bool {
	for _, run := range [...]string{"!`", "```!", "!$", "```$"} { // nothing may come in the place of an argument
		if strings.Contains(text, run) {
			return false
		}
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) { // in another encoding it may say something else
		return false
	}
	blank := func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) || unicode.IsControl(r) }
	matter, fenced := strings.CutPrefix(strings.TrimLeftFunc(text, blank), "---")
	if !fenced {
		return true
	}
	known, folded := false, false // whether a key came before, and whether its value is the lines below it
	for line := range strings.Lines(strings.ReplaceAll(matter, "\r\n", "\n")) {
		line = strings.TrimSuffix(line, "\n")
		key, value, _ := strings.Cut(line, ":")
		switch {
		case strings.ContainsAny(line, "\r\u0085\u2028\u2029"): // line breaks to some readers
			return false
		case line == "---":
			return true
		case key == "name", key == "description":
			value = strings.Trim(value, " ")
			known, folded = true, value != "" && strings.Trim(value, ">|+-123456789") == ""
		case line == "", line[0] == '#':
		case !known || line[0] != ' ' || value != "" && !folded:
			return false
		}
	}
	return false
}
