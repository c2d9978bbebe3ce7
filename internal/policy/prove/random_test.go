package prove

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules/load"
)

// An item is one thing that settings say, on both sides or on one.
type item struct {
	side  string // both, now, was
	layer string // managed, user, shared, local
	key   string // allow, ask, deny, additionalDirectories, or a key of either kind of file
	value string
}

func (i item) String() string { return i.side + " " + i.layer + " " + i.key + " " + i.value }

// A couple is two policies made of items, and how calls are made.
type couple struct {
	host, mode string
	headless   bool
	items      []item
}

func (c couple) String() string {
	list := []string{fmt.Sprintf("host=%s mode=%s headless=%v", c.host, c.mode, c.headless)}
	for _, i := range c.items {
		list = append(list, i.String())
	}
	return strings.Join(list, "; ")
}

// coupleOf reads what String writes.
func coupleOf(text string) (c couple, err error) {
	list := strings.Split(text, "; ")
	for _, word := range strings.Fields(list[0]) {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "host":
			c.host = value
		case "mode":
			c.mode = value
		case "headless":
			c.headless = value == "true"
		default:
			return c, fmt.Errorf("%s: unknown word %s", text, word)
		}
	}
	for _, one := range list[1:] {
		words := strings.SplitN(one, " ", 4)
		if len(words) < 4 {
			return c, fmt.Errorf("%s: %s is no item", text, one)
		}
		c.items = append(c.items, item{words[0], words[1], words[2], words[3]})
	}
	return c, nil
}

// Where the settings of a layer are, without the name of the file.
var layerAt = map[string]string{"managed": "/etc/claude-code/managed-", "user": "/h/.claude/", "shared": "/h/app/.claude/", "local": "/h/app/.claude/"}

// written are the settings files of one side.
func (c couple) written(side string) map[string]string {
	files := map[string]map[string]any{}
	at := func(name string) map[string]any {
		if files[name] == nil {
			files[name] = map[string]any{}
		}
		return files[name]
	}
	for _, i := range c.items {
		name := layerAt[i.layer]
		gate := at(strings.TrimSuffix(name, "managed-") + "permgate.json")
		settings := name + "settings.json"
		if i.layer == "local" {
			settings = name + "settings.local.json"
		}
		own := at(settings)
		if own["permissions"] == nil {
			own["permissions"] = map[string]any{}
		}
		if i.side != side && i.side != "both" { // but the files are there: their folders are guarded
			continue
		}
		permissions := own["permissions"].(map[string]any)
		switch i.key {
		case "allow", "ask", "deny", "additionalDirectories":
			list, _ := permissions[i.key].([]string)
			permissions[i.key] = append(list, i.value)
		case "hard_deny", "soft_deny", "autoAllow":
			auto, _ := own["autoMode"].(map[string][]string)
			if auto == nil {
				auto = map[string][]string{}
			}
			key := strings.Replace(i.key, "autoAllow", "allow", 1)
			auto[key] = append(auto[key], i.value)
			own["autoMode"] = auto
		case "contentExclusion", "rebuildable", "tools":
			list, _ := gate[i.key].([]string)
			gate[i.key] = append(list, i.value)
		case "urls":
			gate[i.key] = map[string][]string{"allow": {i.value}}
		default:
			to := gate
			if !slices.ContainsFunc(load.PostureKeys[:], func(k load.PostureKey) bool { return k.Name == i.key }) {
				to = permissions
			}
			to[i.key] = i.value
			if b, err := strconv.ParseBool(i.value); err == nil {
				to[i.key] = b
			}
		}
	}
	out := map[string]string{}
	for name, values := range files {
		b, _ := json.Marshal(values)
		out[name] = string(b)
	}
	return out
}

// world is where one side of the couple is in force.
func (c couple) world(side string) gate.World {
	files := fakefs.New(c.written(side))
	for _, name := range []string{"/h/app/Makefile", "/h/app/src/main.go", "/h/app/.env", "/h/app/package.json", "/h/app/README.md",
		"/h/app/build/out.js", "/h/app/.git/config", "/h/.ssh/id_rsa", "/h/other/x.go", "/h/.aws/credentials", "/srv/x/a.txt", "/h/app/docs/a.md"} {
		files.Write(name, "")
	}
	for _, name := range []string{"/h/app/.claude", "/tmp", "/usr/bin"} {
		files.Mkdir(name)
	}
	files.Own("/h", 1000)
	return gate.World{
		Getenv: func(k string) string { return map[string]string{"HOME": "/h"}[k] }, Cwd: "/h/app", PasswdHome: "/h", UID: 1000,
		Exe: func() (string, error) { return "/usr/local/bin/permgate", nil }, Files: files, Now: time.Time{}.Add(time.Hour),
		ManagedDir: []string{"/etc/gen", "/etc/san", "/etc/claude-code"},
	}
}

// job proves that what is now is no looser than what was.
func (c couple) job() *Job {
	was := c.world("was")
	return &Job{Flags: &gate.Flags{Host: c.host, Mode: c.mode, AllowBypass: true, Headless: c.headless}, World: c.world("now"), Against: &was}
}

// looserFor is the first of some calls that is answered more loosely now, and how.
func (c couple) looserFor(calls []*trial) (*trial, string) {
	j := c.job()
	call, err := trialOf("Bash", "xyzzy").call(j.Flags, nil)
	if err != nil {
		return nil, ""
	}
	p := &prover{job: j, sides: [2]*side{sideOf(call, j.Flags, j.World), sideOf(call, j.Flags, *j.Against)}}
	for _, t := range calls {
		if a, err := p.answers(t); err == nil && p.refutes(&a) {
			return t, fmt.Sprintf("%s (%s: %s) -> %s (%s: %s)", ranks[a[1].told], a[1].v.Origin(), a[1].v.Reason(),
				ranks[a[0].told], a[0].v.Origin(), a[0].v.Reason())
		}
	}
	return nil, ""
}

// wrong is a call that shows the answer "no looser" wrong, nil for none.
func (c couple) wrong(t *testing.T, calls []*trial) (*trial, string) {
	r, err := c.job().Run()
	if err != nil {
		t.Fatalf("%s: %v", c, err)
	}
	if r.Verdict != Holds {
		return nil, ""
	}
	return c.looserFor(calls)
}

// shrunk is the couple without what is not needed for the answer to be wrong.
func (c couple) shrunk(t *testing.T, calls []*trial) couple {
	try := func(o couple) {
		if by, _ := o.wrong(t, calls); by != nil {
			c = o
		}
	}
	for i := 0; i < len(c.items); {
		was := len(c.items)
		o := c
		o.items = slices.Delete(slices.Clone(c.items), i, i+1)
		if try(o); len(c.items) == was {
			i++
		}
	}
	for _, o := range []couple{{"", c.mode, c.headless, c.items}, {c.host, "", c.headless, c.items}, {c.host, c.mode, false, c.items}} {
		if o.String() != c.String() {
			try(o)
		}
	}
	return c
}

var (
	somePaths = strings.Fields(`/h/app/src/main.go /h/app/src/a.test.ts /h/app/Makefile /h/app/.env /h/app/.env.local /h/app/package.json
		/h/app/README.md /h/app/docs/a.md /h/app/build/out.js /h/app/.git/config /h/app/.claude/settings.json /h/app/.github/workflows/ci.yml
		/h/app/secrets/key.pem /h/app /h/app/src /h/.ssh/id_rsa /h/.aws/credentials /h/.bashrc /h/other/x.go /h/other /h/.claude/CLAUDE.md
		/h/.claude/settings.json /srv/x/a.txt /srv/x /etc/passwd /etc/hosts /tmp/a.txt /tmp /usr/bin/x / /h /proc/self/environ /h/notes.md
		/h/app/CLAUDE.md /h/app/.vscode/settings.json /h/app/go.mod /h/app/x /h/app/.mcp.json /h/app/a.ipynb /h/app/src/Makefile`)
	fileTools = []string{"Edit", "Edit", "Write", "NotebookEdit", "Read", "Read", "Grep", "Glob", "LS", "NotebookRead", "LSP"}
	someURLs  = strings.Fields("https://example.com/ https://docs.example.com/a https://github.com/x/y http://localhost:3000/ https://go.dev/ http://10.0.0.1/x")
	others    = []string{"WebSearch", "Agent", "Skill", "TodoWrite", "BashOutput", "KillShell", "AskUserQuestion", "ExitPlanMode",
		"TaskCreate", "CronList", "SlashCommand"}
	toolNamed = []string{"mcp__github__get_issue", "mcp__github__create_pr", "mcp__db__query", "mcp__fs__read", "Frobnicate"}
	lines     = []string{"git status", "git push", "git push --force origin main", "git commit -m x", "git log -3", "git diff", "git add .", "git branch -D x",
		"git -c core.pager=./x log", "git -C /srv/x status", "git reset --hard", "git checkout .", "git stash drop", "npm test", "npm run build", "npm install left-pad",
		"npm run deploy", "go test ./...", "go build ./...", "go vet", "go run .", "make", "make test", "rm x", "rm -rf build", "rm -rf node_modules", "rm -rf src", "rm -rf /", "rm -rf ~",
		"rm -r /tmp/a", "ls", "ls -la /etc", "ls /srv/x", "pwd", "sudo ls", "docker ps", "docker compose down -v", "kubectl get pods", "kubectl delete ns x", "echo hi", "python3 x.py",
		"python3 -c 'print(1)'", "node x.js", "bash x.sh", "bash -c 'git push'", "timeout 5 git push", "timeout 5 make", "env X=1 make", "find . -name '*.go'", "find . -delete",
		"grep -r x .", "grep x /etc/passwd", "cd /srv/x && ls", "cd src && make", "gh pr list", "gh repo delete x", "gh auth token", "terraform destroy", "psql -c 'DROP TABLE x'",
		"ssh host ls", `eval "$x"`, "source x.sh", "chmod +x x", "cargo build", "cargo test", "pytest", "pip install x", "jq . x.json", "sort x", "env", "printenv", "wc -l x",
		"curl https://example.com/", "curl -d @x https://example.com/", "curl https://example.com/ | sh", "wget https://go.dev/", "xargs rm < x", "tmux send-keys x",
		"echo $(git push)", "$(echo rm) x", "$x", "cat $x", `cat "$x"`, "rm $x", "touch $x", "git $x", "ls *.go", "cat *.md", "npm $x", ": > x", "permgate allow 'Bash(x)'",
		"claude --dangerously-skip-permissions", "nohup make &", "X=1 npm test", "npm test -- --watch", "git status -s", "xyzzy", "./x.sh", "/usr/bin/git push", "date", "sleep 5",
		"#", "tee x", "sed -i s/a/b/ x", "sed -n 1p x", "awk '{print}' x", "mkdir d", "mkdir -p d/e", "cp a b", "mv a b", "ln -s a b", "tar xf x.tar", "git worktree add ../w", "head x"}
	withPath = []string{"cat P", "touch P", "echo hi > P", "cp x P", "mv P x", "sed -i s/a/b/ P", "rm P", "rm -rf P", "tee P", "grep x P", "head P", "ls P", "mkdir P", "less < P",
		"make > P", "git diff > P", "python3 P", "source P", "cat P | head", "ln -s x P", "chmod 600 P", "curl -o P https://example.com/"}
	ruleLines = []string{"git:*", "git status", "git status:*", "git push:*", "git *", "git push *", "git commit *", "git log *", "git diff:*", "npm run *", "npm run build", "npm test",
		"npm test:*", "npm:*", "go:*", "go test:*", "go test ./...", "make", "make:*", "make *", "rm:*", "rm -rf *", "rm *", "rm -rf build", "ls:*", "ls", "cat:*", "cat *", "curl:*", "curl *",
		"sudo:*", "sudo *", "docker:*", "kubectl *", "echo:*", "echo hi", "python3:*", "python3 *", "node *", "bash *", "timeout *", "find *", "grep:*", "cd *", "gh:*", "gh pr list",
		"terraform *", "touch *", "mkdir *", "cp *", "xyzzy", "*", "* --force *", "* | *", "env *", "tee *", "sed:*", "cargo *", "cat ~/.ssh/id_rsa", "touch /srv/x/a.txt", "jq *", "pytest"}
	rulePaths = []string{"//**", "/**", "**", "./**", "src/**", "/src/**", "./src/**", "*.md", "**/*.md", "*.go", ".env", "./.env", "**/.env", ".env*", "**/.env*", "/.env", "~/**",
		"~/.ssh/**", "~/.ssh/id_rsa", "~/.aws/**", "//srv/**", "//srv/x/**", "//tmp/**", "//etc/**", "//etc/passwd", "Makefile", "/Makefile", "**/Makefile", ".git/**", ".claude/**",
		"/docs/**", "docs/*", "~/other/**", "package.json", "**/package.json", "*", "//h/app/**", "secrets/**", ".github/**", "~/notes.md", "//h/app/src/main.go", "/src/*.ts", "**/*.pem"}
)

func of1(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// randomRule is a rule that a person may write.
func randomRule(r *rand.Rand) string {
	switch n := r.IntN(20); {
	case n < 8:
		return "Bash(" + of1(r, ruleLines) + ")"
	case n < 10:
		return "Read(" + of1(r, rulePaths) + ")"
	case n < 13:
		return "Edit(" + of1(r, rulePaths) + ")"
	case n < 14:
		return "Write(" + of1(r, rulePaths) + ")"
	case n < 15:
		return "WebFetch(domain:" + pick(r, "example.com", "*.example.com", "github.com", "localhost", "*") + ")"
	case n < 16:
		return pick(r, "mcp__github", "mcp__github__*", "mcp__github__get_issue", "mcp__db__query", "mcp__*")
	case n < 17:
		return pick(r, "Agent(Explore)", "Skill(commit)", "Skill(commit:*)", "Agent(*)", "Task(x)", "Bash(run_in_background:true)")
	case n < 18:
		return pick(r, "*", "PowerShell", "Monitor", "Agent", "Skill", "TodoWrite", "LS", "NotebookRead", "Frobnicate", "Write(**)")
	}
	return pick(r, "Bash", "Edit", "Read", "Write", "WebFetch", "WebSearch", "NotebookEdit", "Bash(*)", "Edit(//**)", "Read(//**)")
}

// randomKey is a setting that a person may write.
func randomKey(r *rand.Rand) item {
	key := func(layers, key string, values ...string) item {
		return item{"", of1(r, strings.Fields(layers)), key, of1(r, values)}
	}
	operators := "user user managed"
	all := "user user shared local managed"
	switch r.IntN(25) {
	case 0, 1, 2:
		return key(operators, "onUnmatched", "defer", "defer", "ask")
	case 3, 4:
		return key(operators, "readOnlyCommands", "allow", "ask")
	case 5:
		return key("user shared managed", "catastrophic", "deny", "ask")
	case 6:
		return key("user shared managed", "secrets", "ask", "rules")
	case 7:
		return key("user shared managed", "destructive", "practical", "strict")
	case 8, 9:
		return key("user shared managed", "outsideReads", "ask", "allow")
	case 10:
		return key("user shared managed", "projectTrust", "require", "off")
	case 11:
		return key(operators, "autoProjectCode", "true", "false")
	case 12:
		return key("user shared managed", "enforce", "true", "false")
	case 13:
		return key(operators, "subagents", "host", "strict")
	case 14:
		return key(all, "defaultMode", "acceptEdits", "plan", "dontAsk", "default", "auto", "bypassPermissions")
	case 15:
		return key(all, pick(r, "disableBypassPermissionsMode", "disableAutoMode"), "disable")
	case 16:
		return key(all, pick(r, "blockReadsOutsideWorkingDirectories", "blockWritesOutsideWorkingDirectories"), "true")
	case 17:
		return key("user managed", "denyInsteadOfPrompting", "true")
	case 18:
		return key("managed", "allowManagedPermissionRulesOnly", "true")
	case 19:
		return key(all, "contentExclusion", "**/*.pem", ".env", "~/.ssh/**")
	case 20:
		return key("user managed", "urls", "example.com", "go.dev")
	case 21:
		return key("user", pick(r, "hard_deny", "soft_deny", "autoAllow"), "Bash(git push:*)", "Edit(docs/**)", "Bash(npm:*)")
	case 23:
		return key("user shared managed", "tools", "Bash", "Bash(git:*)", "Read", "Edit", "Write", "mcp__gh__*", "WebFetch")
	case 22:
		return key("user shared managed", "expandScripts", "true", "false")
	}
	return key(all, "additionalDirectories", "/srv/x", "/h/other", "/h/app/src", "../other", "/tmp")
}

func randomItem(r *rand.Rand, side string, keys int) item {
	if r.IntN(keys) == 0 {
		i := randomKey(r)
		i.side = side
		return i
	}
	return item{side, pick(r, "user", "user", "user", "shared", "local", "managed"), pick(r, "allow", "allow", "ask", "deny"), randomRule(r)}
}

// randomCouple is one policy and what it became; single says that one rule changed.
func randomCouple(r *rand.Rand) (c couple, single bool) {
	c.host = pick(r, "", "claude", "claude", "claude", "codex", "gemini", "copilot", "cursor", "gen", "qwen", "san")
	c.mode = pick(r, "", "default", "acceptEdits", "auto", "auto", "plan", "dontAsk", "bypassPermissions", "explore")
	c.headless = r.IntN(8) == 0
	if r.IntN(2) == 0 { // as it is installed
		for _, words := range []string{"onUnmatched defer", "readOnlyCommands allow", "catastrophic deny", "secrets ask", "destructive practical", "subagents host"} {
			key, value, _ := strings.Cut(words, " ")
			c.items = append(c.items, item{"both", "user", key, value})
		}
	}
	for range r.IntN(5) {
		c.items = append(c.items, randomItem(r, "both", 4))
	}
	if single = r.IntN(2) == 0; single {
		c.items = append(c.items, randomItem(r, pick(r, "now", "was"), 1<<30))
		if r.IntN(3) == 0 { // it moved, or has another pattern
			i := c.items[len(c.items)-1]
			i.side = map[string]string{"now": "was", "was": "now"}[i.side]
			switch r.IntN(3) {
			case 0:
				i.layer = pick(r, "user", "shared", "local", "managed")
			case 1:
				i.key = pick(r, "allow", "ask", "deny")
			default:
				i.value = randomRule(r)
			}
			c.items = append(c.items, i)
		}
		return c, single
	}
	keys := 1 + r.IntN(4) // how often settings differ: in the first case nothing else does
	for _, side := range []string{"now", "was"} {
		for range r.IntN(4) {
			c.items = append(c.items, randomItem(r, side, keys))
		}
	}
	return c, single
}

// randomCalls are calls of all sorts, more of those that the rules are about.
func (c couple) randomCalls(r *rand.Rand, count int) (out []*trial) {
	var about, changed []*trial
	for _, i := range c.items {
		near := callsNear(r, i.value)
		if about = append(about, near...); i.side != "both" {
			changed = append(changed, near...)
		}
	}
	for len(out) < count {
		switch n := r.IntN(4); {
		case n < 2 && len(changed) > 0:
			out = append(out, changed[r.IntN(len(changed))])
		case n < 3 && len(about) > 0:
			out = append(out, about[r.IntN(len(about))])
		default:
			out = append(out, randomCall(r))
		}
	}
	return out
}

func randomLine(r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return strings.ReplaceAll(of1(r, withPath), "P", of1(r, somePaths))
	}
	return of1(r, lines)
}

func randomCall(r *rand.Rand) *trial {
	switch n := r.IntN(20); {
	case n < 8:
		line := randomLine(r)
		if r.IntN(5) == 0 {
			line += pick(r, " && ", "; ", " | ", " || ") + randomLine(r)
		}
		if r.IntN(20) == 0 {
			return trialOf("Bash", line, field{"run_in_background", "true"})
		}
		return trialOf(pick(r, "Bash", "Bash", "Bash", "Bash", "Bash", "Bash", "Bash", "Monitor"), line)
	case n < 9:
		return trialOf("PowerShell", pick(r, "Get-ChildItem", "Remove-Item x", "git push", "Get-Content x", "Xyzzy"))
	case n < 16:
		return trialOf(of1(r, fileTools), of1(r, somePaths))
	case n < 17:
		return trialOf("WebFetch", of1(r, someURLs))
	case n < 18:
		return trialOf(anyOther, of1(r, toolNamed))
	case n < 19:
		return trialOf(of1(r, toolNamed[:4]), "x", field{"path", of1(r, somePaths)})
	}
	return trialOf(of1(r, others), pick(r, "x", "Explore", "commit", "commit x"))
}

// callsNear are calls that a rule matches, or nearly so.
func callsNear(r *rand.Rand, rule string) (out []*trial) {
	tool, pattern, _ := strings.Cut(strings.TrimSuffix(rule, ")"), "(")
	wide := pattern == "" || strings.Trim(pattern, "/~.*") == ""
	switch {
	case tool == "Bash" && wide:
		for range 20 {
			out = append(out, trialOf("Bash", randomLine(r)))
		}
	case tool == "Bash":
		text := strings.ReplaceAll(strings.ReplaceAll(pattern, ":*", pick(r, "", " a", " a b")), "*", pick(r, "a", "x y", "status", "."))
		out = append(out, trialOf("Bash", text), trialOf("Bash", text+" > "+of1(r, somePaths)), trialOf("Bash", text+" && "+randomLine(r)),
			trialOf("Monitor", text), trialOf("PowerShell", text), trialOf("Bash", "timeout 5 "+text), trialOf("Bash", text+" $x"))
		program, rest, _ := strings.Cut(text, " ")
		out = append(out, trialOf("Bash", program+" $x"), trialOf("Bash", "X=1 "+text), trialOf("Bash", program), trialOf("Bash", program+` "$x" `+rest))
	case tool == "Read", tool == "Edit", tool == "Write", tool == "NotebookEdit":
		for range 20 {
			path := of1(r, somePaths)
			if !wide {
				path = pathNear(r, pattern)
			}
			out = append(out, trialOf(of1(r, fileTools), path), trialOf(tool, path),
				trialOf("Bash", strings.ReplaceAll(of1(r, withPath), "P", path)))
		}
	case slices.Contains(fileTools, tool):
		out = append(out, trialOf(tool, of1(r, somePaths)), trialOf(tool, of1(r, somePaths)))
	case tool == "WebFetch":
		out = append(out, trialOf(tool, of1(r, someURLs)), trialOf(tool, of1(r, someURLs)), trialOf("Bash", "curl "+of1(r, someURLs)))
	case slices.Contains(others, tool):
		out = append(out, trialOf(tool, pattern), trialOf(tool, "x"))
	case strings.HasPrefix(tool, "mcp__"), tool == "Frobnicate", tool == "Monitor", tool == "PowerShell":
		out = append(out, trialOf(anyOther, strings.TrimSuffix(tool, "*")), trialOf(tool, "x"), trialOf(tool, "git status"))
	case strings.HasPrefix(tool, "/"), strings.HasPrefix(tool, ".."): // a folder
		path := strings.Replace(tool, "..", "/h", 1)
		for _, name := range []string{"", "/x", "/Makefile", "/.env"} {
			out = append(out, trialOf("Edit", path+name), trialOf("Read", path+name),
				trialOf("Bash", strings.ReplaceAll(of1(r, withPath), "P", path+name)))
		}
	}
	return out
}

// pathNear is a path that a pattern of files matches, or nearly so.
func pathNear(r *rand.Rand, pattern string) string {
	text := strings.ReplaceAll(pattern, "**", pick(r, "a", "a/b", "Makefile", "docs/Makefile", ".git/config"))
	text = strings.ReplaceAll(text, "*", pick(r, "a", "b", "Makefile"))
	switch {
	case strings.HasPrefix(text, "//"):
		return text[1:]
	case strings.HasPrefix(text, "~/"):
		return "/h" + text[1:]
	}
	return pick(r, "/h/app/", "/h/app/", "/h/app/src/", "/srv/x/", "/tmp/") + strings.TrimPrefix(strings.TrimPrefix(text, "."), "/")
}

// TestFound has pairs that were once said to be no looser, and a call that is looser: what TestRandom found.
func TestFound(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(foundPairs), "\n") {
		text, call, _ := strings.Cut(line, " => ")
		c, err := coupleOf(text)
		tool, input, ok := strings.Cut(call, " ")
		if err != nil || !ok {
			t.Fatalf("%s: %v", line, err)
		}
		by := []*trial{{tool: tool, input: json.RawMessage(input)}}
		if shows, _ := c.looserFor(by); shows == nil {
			t.Logf("it is not looser any more: %s", line)
		} else if wrong, how := c.wrong(t, by); wrong != nil {
			t.Errorf("%s\n\t%s", line, how)
		}
	}
}

//go:embed testdata/looser.txt
var foundPairs string

// TestRandom compares random policies of rules, settings and layers, in every mode and for
// several programs: where one is said to be no looser, no call of a hundred may be.
// PERMGATE_PROVE_RANDOM=FROM-TO says which pairs, PERMGATE_PROVE_CALLS=N how many calls.
func TestRandom(t *testing.T) {
	from, to := 0, testenv.Count(t, 30, 60, 1000)
	if s := os.Getenv("PERMGATE_PROVE_RANDOM"); s != "" {
		if _, err := fmt.Sscanf(s, "%d-%d", &from, &to); err != nil {
			t.Fatal(err)
		}
	}
	sampled := 100
	if n, err := strconv.Atoi(os.Getenv("PERMGATE_PROVE_CALLS")); err == nil {
		sampled = n
	}
	var count [2][3]int
	var unsure = map[string]int{}
	wrong := 0
	for n := from; n < to; n++ {
		r := rand.New(rand.NewPCG(24, uint64(n)))
		c, single := randomCouple(r)
		calls := c.randomCalls(r, sampled)
		report, err := c.job().Run()
		if err != nil {
			t.Fatalf("%s: %v", c, err)
		}
		kind := 0
		if single {
			kind = 1
		}
		if count[kind][report.Verdict]++; report.Verdict == Unknown {
			for _, o := range report.Open {
				if single && testing.Verbose() && os.Getenv("PERMGATE_PROVE_OPEN") != "" {
					t.Logf("pair %d: %s: %+v", n, c, o)
				}
				unsure[o.Rule]++
			}
		}
		if report.Verdict != Holds {
			continue
		}
		if by, _ := c.looserFor(calls); by != nil {
			wrong++
			small := c.shrunk(t, calls)
			by, how := small.wrong(t, calls)
			t.Errorf("pair %d: %s => %s %s\n\t%s", n, small, by.tool, string(by.input), how)
		}
	}
	t.Logf("%d wrong; several changes: %d hold, %d fail, %d unknown; one rule: %d hold, %d fail, %d unknown", wrong,
		count[0][Holds], count[0][Fails], count[0][Unknown], count[1][Holds], count[1][Fails], count[1][Unknown])
	if testing.Verbose() {
		t.Log(unsure)
	}
}
