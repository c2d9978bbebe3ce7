package lint

import (
	"net/url"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

var domainForm = Check{
	ID: "domain-form", Severity: Error,
	Title: "a WebFetch pattern that is not domain:host",
	Why: "domain: takes a host and nothing else. With a scheme, a port or a path an allow matches nothing; a deny or ask is read as its host here, but ignored by other programs " +
		"that read the file. Without domain: the pattern is compared with the whole URL, which a bare host never matches.",
	Fix: "write WebFetch(domain:host); *.host is every host below it",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			p := strings.TrimSpace(r.Pattern)
			urlField := r.strict() && strings.HasPrefix(p, "url:")
			domains := r.Tool == "WebFetch" && !r.Bare && r.URL == nil
			if r.Err != nil || !domains || urlField {
				continue
			}
			host, domain := strings.CutPrefix(p, "domain:")
			clean := hostOf(host)
			isHost := domain && clean == strings.TrimSpace(host)
			isURL := !domain && strings.Contains(p, "://") && !r.Claude
			if clean == "" || isHost || isURL {
				continue
			}
			var text string
			switch {
			case domain && r.strict():
				text = "domain: takes a host only; this is read as " + clean + " here, and ignored by other programs"
			case domain:
				text = "domain: takes a host only, so this rule allows nothing"
			case strings.Contains(p, "://"):
				text = "Claude Code supports only domain:, so this rule does less than it says"
			default:
				text = "no URL equals " + p + " as a whole, so this rule " + r.void()
			}
			now := r.with("domain:" + clean)
			if r.strict() && in.covered(r, now) {
				continue // written as well
			}
			report(r.finding(text, now, r.edit(now, strings.Contains(p, "://") && !domain)))
		}
	},
}

// hostOf is the host of what people write for one, "" when none is to be seen.
func hostOf(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[") || strings.Count(text, ":") > 1 && !strings.Contains(text, "://") {
		return "" // IPv6
	}
	if _, rest, ok := strings.Cut(text, "://"); ok {
		text = rest
	}
	text, _, _ = strings.Cut(text, "/")
	text, _, _ = strings.Cut(text, "?")
	host, port, ok := strings.Cut(text, ":")
	if ok && strings.Trim(port, "0123456789*") != "" {
		return ""
	}
	if host == "" || strings.ContainsAny(host, " {}()") {
		return ""
	}
	if _, err := url.Parse("http://" + strings.ReplaceAll(host, "*", "x") + "/"); err != nil {
		return ""
	}
	return host
}

var parameterRule = Check{
	ID: "parameter-rule", Severity: Error,
	Title: "a Tool(parameter:value) rule that matches nothing",
	Why:   "Only deny and ask rules can name an input field. In allow the text is read as a command, a path or a name.",
	Fix:   "write only the value for the main field; an allow rule cannot check any other",
	Run: func(in *Input, report func(Finding)) {
		for _, r := range in.Rules {
			name, value, _ := strings.Cut(r.Pattern, ":")
			prefix := value == "*" && r.shell()
			if r.List != rules.Allow || r.Err != nil || value == "" || prefix {
				continue
			}
			switch {
			case mainField(r.Tool, name):
				text := name + " is what a " + r.Tool + " rule matches anyway, so this rule " + r.void()
				report(r.finding(text, r.with(strings.TrimSpace(value)), nil))
			case otherField(r.Tool, name):
				report(r.finding("an allow rule cannot check "+name+", so this rule allows nothing", "", nil))
			}
		}
	},
}

// mainField reports whether a name is that of the field a tool is about.
func mainField(tool, name string) bool {
	main := rules.MainField(tool)
	return name == main && tool != "Skill" || name == "path" && main == "file_path"
}

func otherField(tool, name string) bool {
	switch tool {
	case "Bash":
		return slices.Contains([]string{"run_in_background", "dangerouslyDisableSandbox", "timeout", "description"}, name)
	case "Agent":
		return slices.Contains([]string{"model", "isolation", "run_in_background"}, name)
	}
	return false
}

var trackedLocal = Check{
	ID: "tracked-local", Severity: Warning,
	Title: "a settings.local.json in the git index",
	Why: "Personal settings reach everyone who pulls, and anything allowed later ends up in the next commit. Its bypassPermissions mode is ignored then, and with " +
		"projectTrust so are all its grants.",
	Fix: "git rm --cached FILE, and add it to .gitignore",
	Run: func(in *Input, report func(Finding)) {
		for _, f := range in.Files {
			if f.Scope == rules.Local && f.Text != "" && in.World.Files.Tracked(f.Path) {
				report(Finding{Pos: rules.Pos{File: f.Path}, Text: "git tracks this file"})
			}
		}
	},
}

var missingDirectory = Check{
	ID: "missing-directory", Severity: Warning,
	Title: "an additional directory that does not exist",
	Why:   "additionalDirectories are folders outside the project that may be written to. A missing one could be created by anyone, and is usually misspelt; only a leading ~/ is expanded.",
	Fix:   "fix the path; relative ones start at the project root",
	Run: func(in *Input, report func(Finding)) {
		for _, d := range in.Policy.Dirs {
			if in.dir(d.Path.Given) || d.Pos.Line == 0 {
				continue
			}
			text := "there is no folder " + d.Path.Given
			if rest, ok := strings.CutPrefix(d.Path.Given, in.Policy.Project.Given+"/"); ok && drive(rest) &&
				in.World.OS != rules.Windows {
				text = rest + " is a folder only on Windows"
			}
			report(Finding{Pos: d.Pos, End: in.tokenEnd(d.Pos), Text: text})
		}
	},
}

var wideDirectory = Check{
	ID: "wide-directory", Severity: Error,
	Title: "an additional directory that contains the whole home or file system",
	Why:   "With it nothing is outside the workspace any more: every file there may be written like the project's, and step 3b has no effect.",
	Fix:   "name the folders you need",
	Run: func(in *Input, report func(Finding)) {
		home := in.Policy.Home
		for _, d := range in.Policy.Dirs {
			what := ""
			switch {
			case d.Path.Given == "/" || d.Path.Real == "/":
				what = "the whole file system"
			case home.Given != "" && (rules.Within(home.Given, d.Path.Given) || rules.Within(home.Real, d.Path.Real)):
				what = "the whole home directory"
			default:
				continue
			}
			report(Finding{Pos: d.Pos, End: in.tokenEnd(d.Pos), Text: d.Path.Given + " is " + what})
		}
	},
}

var foreignManaged = Check{
	ID: "foreign-managed", Severity: Error,
	Title: "managed settings that others can change",
	Why: "Managed settings override everything, so they count only in files and folders owned by root that no one else can write to. " +
		"In other files restrictions apply, grants do not, and every allow becomes ask.",
	Fix: "sudo chown root FILE; sudo chmod 644 FILE; on Windows, let only administrators write to it",
	Run: func(in *Input, report func(Finding)) {
		for _, f := range in.Policy.Faults {
			if f.Scope == rules.Managed && f.Pos.Line == 0 && strings.HasPrefix(f.Msg, foreignFile) {
				report(Finding{Pos: f.Pos, Text: f.Msg})
			}
		}
	},
}

// SkillCommands are the texts of skills that run commands, none where Claude Code's setting switches them off.
func SkillCommands(in *Input) (names []string) {
	if slices.ContainsFunc(in.Files, func(f *File) bool { return edit.On(f.At("disableSkillShellExecution")) }) {
		return nil
	}
	project, home := in.Policy.Project.Given+"/.claude/", in.Policy.Home.Given+"/.claude/"
	for _, dir := range [...]string{project + "skills", project + "commands", home + "skills", home + "commands"} {
		for _, name := range load.SkillFiles(in.World.Files, dir, 4) {
			text, _ := in.World.Files.ReadFile(name, load.MaxSettings)
			runs := func(mark string) bool { return strings.Contains("\n"+string(text), mark) }
			if slices.ContainsFunc([]string{"\n!`", " !`", "\t!`", "\n```!"}, runs) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// foreignFile starts the loader's faults of managed files that are not the administrator's.
const foreignFile = "managed settings must"

var unusableProgram = Check{
	ID: "unusable-program", Severity: Error,
	Title: "a classifier or approver that cannot be run",
	Why: "permgate runs a program that decides for you only if it is yours or root's, no one else can write to it, and it is kept where the agent does not work. " +
		"Without it every call it would be asked about is decided as if it said no.",
	Fix: "name an absolute path outside of every project, of a file that only you can write to",
	Run: func(in *Input, report func(Finding)) {
		for _, k := range operator.Keys(in.Policy, in.World.Environ) {
			if _, err := k.Find(); err != nil {
				pos := k.Pos
				if list := edit.Elements(in.File(pos.File).At(k.Name, "command")); len(list) > 0 {
					pos, _ = in.File(pos.File).Place(&list[0])
				}
				report(Finding{Pos: pos, End: in.tokenEnd(pos), Text: k.Name + ": " + err.Error()})
			}
		}
	},
}
