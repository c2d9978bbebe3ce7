package rules

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules/grammar"
)

var testPolicy = Policy{
	Cwd:     Path{"/repo/sub", "/repo/sub"},
	Project: Path{"/repo", "/repo"},
	Home:    Path{"/home/u", "/home/u"},
}

// words makes the text of a subcommand from its spelling in the tests: blanks
// separate words, <1> is a Single hole, <*> an Any hole, ␣ a blank in a word.
func words(spelling string) grammar.Text {
	var t grammar.Text
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			t = append(t, grammar.Piece{Lit: lit.String()})
			lit.Reset()
		}
	}
	for i, w := range strings.Fields(spelling) {
		if i > 0 {
			lit.WriteByte(' ')
		}
		if !strings.Contains(w, "<1>") && !strings.Contains(w, "<*>") {
			lit.WriteString(grammar.Quote(strings.ReplaceAll(w, "␣", " ")))
			continue
		}
		for w != "" {
			switch {
			case strings.HasPrefix(w, "<1>"):
				flush()
				t, w = append(t, grammar.Piece{Hole: grammar.Single}), w[3:]
			case strings.HasPrefix(w, "<*>"):
				flush()
				t, w = append(t, grammar.Piece{Hole: grammar.Any}), w[3:]
			default:
				lit.WriteByte(w[0])
				w = w[1:]
			}
		}
	}
	flush()
	return t
}

func bash(spelling string) *Subject {
	return &Subject{Tool: "Bash", Command: &Command{Allow: []grammar.Text{words(spelling)}}}
}

// answer is "no", "maybe" or "sure".
func answer(t *testing.T, p *Policy, text string, list List, claude bool, s *Subject) string {
	t.Helper()
	r, err := ParseRule(text, list, Shared, Pos{}, claude)
	if err != nil && r.Tool == "" {
		return "invalid"
	}
	hits := p.Match([]Rule{r}, s)
	switch {
	case len(hits) == 0:
		return "no"
	case hits[0].Sure:
		return "sure"
	}
	return "maybe"
}

// A commandRow is one Bash rule against one command, in allow and in deny.
type commandRow struct{ rule, command, allow, deny string }

var commandRows = []commandRow{
	// words and boundaries
	{"git status", "git status", "sure", "sure"},
	{"git status", "git status --porcelain", "no", "no"},
	{"git status", "GIT status", "no", "no"},
	{"git  status ", "git status", "sure", "sure"},
	{"git *", "git", "no", "no"},
	{"git *", "git status", "sure", "sure"},
	{"git *", "gitk --all", "no", "no"},
	{"git*", "git", "sure", "sure"},
	{"git*", "gitk --all", "sure", "sure"},
	{"git:*", "git", "sure", "sure"},
	{"git:*", "git log -p", "sure", "sure"},
	{"git:*", "gitk --all", "no", "no"},
	{"git log:*", "git log", "sure", "sure"},
	{"git log:*", "git logx", "no", "no"},
	{"git log :*", "git log -1", "sure", "sure"},
	{"npm run *", "npm run", "no", "no"},
	{"npm run test:*", "npm run test", "sure", "sure"},
	{"npm run test:*", "npm run test:unit", "no", "no"},
	{"npm run test:* --x", "npm run test:* --x", "sure", "sure"},
	{"npm run test:* --x", "npm run test:unit --x", "no", "sure"},
	{"* --version", "node --version", "sure", "sure"},
	{"* --version", "node --version x", "no", "no"},
	{"git * main", "git push origin main", "sure", "sure"},
	{"ls ?", "ls a", "sure", "sure"},
	{"ls ?", "ls ab", "no", "no"},
	{"ls ?", "ls é", "sure", "sure"},
	{"npm run *:*", "npm run a", "sure", "sure"},
	{"rm:-rf *", "rm -rf x", "no", "sure"},
	{"git:push", "git push", "no", "sure"},
	{"curl https://a/*", "curl https://a/b", "sure", "sure"},
	{"curl https://a/*", "curl https://a.evil/b", "no", "no"},

	// quoting
	{`git commit -m "a b"`, "git commit -m a␣b", "sure", "sure"},
	{`git commit -m 'a b'`, "git commit -m a␣b", "sure", "sure"},
	{`git commit -m a\ b`, "git commit -m a␣b", "sure", "sure"},
	{`git commit -m a b`, "git commit -m a␣b", "no", "sure"},
	{`git commit -m "a b"`, "git commit -m a b", "no", "sure"},
	{`git commit -m *`, "git commit -m a␣b", "sure", "sure"},
	{`git commit -m "fix: *"`, "git commit -m fix:␣it", "no", "sure"},
	{`git commit -m "fix: *"`, "git commit -m fix:␣*", "sure", "sure"},
	{`git commit -m "fix: "*`, "git commit -m fix:␣it", "sure", "sure"},
	{`git commit -m "fix: "* x`, "git commit -m fix:␣it x", "sure", "sure"},
	{`echo "*"`, "echo *", "sure", "sure"},
	{`echo "*"`, "echo x", "no", "sure"},
	{`echo \*`, "echo *", "sure", "sure"},
	{`echo \*`, "echo x", "no", "sure"},
	{`rm /etc*`, "rm /etc/x␣y", "no", "sure"},
	{`rm 'a'*`, "rm abc", "sure", "sure"},
	{`echo don't *`, "echo don't x", "no", "sure"},
	{`echo don't`, "echo don't", "no", "sure"},
	{`cat ~/x`, "cat /home/u/x", "sure", "sure"},
	{`cat ~/.ssh/*`, "cat /home/u/.ssh/id", "sure", "sure"},
	{`cat $HOME/*`, "cat /home/u/x", "sure", "sure"},
	{`cat "${HOME}/x"`, "cat /home/u/x", "sure", "sure"},
	{`cat ~/x`, "cat ~/x", "no", "sure"},
	{`cat ~u/x`, "cat ~u/x", "sure", "sure"},
	{`echo $HOMEX`, "echo $HOMEX", "sure", "sure"},
	{`a && b`, "a && b", "sure", "sure"},

	// holes: one word, then any number of words
	{"git *", "git <1>", "sure", "sure"},
	{"git:*", "git <1>", "sure", "sure"},
	{"git push", "git <1>", "no", "maybe"},
	{"git push *", "git <1>", "no", "maybe"},
	{"git ?", "git <1>", "no", "maybe"},
	{"rm -rf *", "rm <*>", "no", "maybe"},
	{"rm *", "rm <*>", "no", "maybe"},
	{"rm:*", "rm <*>", "sure", "sure"},
	{"rm*", "rm <*>", "sure", "sure"},
	{"rm", "rm <*>", "no", "maybe"},
	{"rm x", "rm <*> x", "no", "maybe"},
	{"rm * x", "rm <*> x", "no", "maybe"},
	{"rm *x", "rm <*> x", "sure", "sure"},
	{"rm * x", "rm a <*> x", "sure", "sure"},
	{"rm *", "rm a <*>", "sure", "sure"},
	{"rm *", "rm <*> <*>", "no", "maybe"},
	{"rm:*", "rm <*> <*>", "sure", "sure"},
	{"ls *", "rm <1>", "no", "no"},
	{"cat /tmp/*", "cat /tmp/<1>", "sure", "sure"},
	{"cat /tmp/*", "cat /<1>", "no", "maybe"},
	{"cat /tmp/*", "cat /etc/<1>", "no", "no"},
	{"cat *.go", "cat <*>.go", "sure", "sure"},
	{"cat *.go", "cat <*>.md", "no", "no"},
	{"cat *x*", "cat <1>x<1>", "sure", "sure"},
	{"rm x", "<*> rm x", "no", "maybe"},
	{"rm:*", "<*> rm x", "no", "maybe"},
	{"*rm x", "<*> rm x", "sure", "sure"},
	{"git commit --no-verify*", "git commit -m <1>", "no", "no"},
}

func TestMatchCommand(t *testing.T) {
	for _, row := range commandRows {
		text := "Bash(" + row.rule + ")"
		if got := answer(t, &testPolicy, text, Allow, false, bash(row.command)); got != row.allow {
			t.Errorf("allow %s: %s: %s, want %s", text, row.command, got, row.allow)
		}
		for _, list := range []List{Deny, Ask} {
			if got := answer(t, &testPolicy, text, list, false, bash(row.command)); got != row.deny {
				t.Errorf("%s %s: %s: %s, want %s", list, text, row.command, got, row.deny)
			}
		}
	}
}

func TestMatchCommandClaude(t *testing.T) {
	for _, row := range []commandRow{
		{"git *", "git", "no", "sure"},
		{"git *", "gitk", "no", "no"},
		{"* --help *", "npm --help", "no", "no"},
		{"ls ?", "ls a", "no", "sure"},
		{"ls ?", "ls ?", "sure", "sure"},
		{"npm run test:*", "npm run test", "sure", "sure"},
	} {
		text := "Bash(" + row.rule + ")"
		if got := answer(t, &testPolicy, text, Allow, true, bash(row.command)); got != row.allow {
			t.Errorf("allow %s: %s: %s, want %s", text, row.command, got, row.allow)
		}
		if got := answer(t, &testPolicy, text, Deny, true, bash(row.command)); got != row.deny {
			t.Errorf("deny %s: %s: %s, want %s", text, row.command, got, row.deny)
		}
	}
}

// Which texts of a command a list looks at, and what Narrow holds back.
func TestMatchCommandTexts(t *testing.T) {
	c := Command{
		Allow: []grammar.Text{words("npm test")},
		Exact: []grammar.Text{words("timeout 5 npm test")},
		Deny:  []grammar.Text{words("rm x")},
	}
	narrow, spelled := c, c
	narrow.Narrow = "an assignment"
	spelled.Narrow, spelled.Spelled = "an option that writes", true
	for _, row := range []struct {
		rule, allow, narrow, spelled, deny string
	}{
		{"Bash(npm test)", "sure", "no", "sure", "sure"},
		{"Bash(npm *)", "sure", "no", "no", "sure"},
		{"Bash(npm:*)", "sure", "no", "no", "sure"},
		{"Bash(timeout 5 npm test)", "sure", "no", "sure", "sure"},
		{"Bash(timeout *)", "no", "no", "no", "sure"},
		{"Bash(rm x)", "no", "no", "no", "sure"},
		{"Bash", "sure", "sure", "sure", "sure"},
		{"Bash(*)", "sure", "sure", "sure", "sure"},
	} {
		got := [4]string{
			answer(t, &testPolicy, row.rule, Allow, false, &Subject{Tool: "Bash", Command: &c}),
			answer(t, &testPolicy, row.rule, Allow, false, &Subject{Tool: "Bash", Command: &narrow}),
			answer(t, &testPolicy, row.rule, Allow, false, &Subject{Tool: "Bash", Command: &spelled}),
			answer(t, &testPolicy, row.rule, Deny, false, &Subject{Tool: "Bash", Command: &narrow}),
		}
		if want := [4]string{row.allow, row.narrow, row.spelled, row.deny}; got != want {
			t.Errorf("%s: %v, want %v", row.rule, got, want)
		}
	}
}

// A toolRow is one rule against one call of any tool.
type toolRow struct {
	rule        string
	s           Subject
	allow, deny string
}

func named(tool, name string) Subject { return Subject{Tool: tool, Name: name, HasName: true} }

func web(text string) Subject {
	u := ParseURL(text)
	return Subject{Tool: "WebFetch", URL: &u}
}

var toolRows = []toolRow{
	// text without any subcommand
	{"Bash", Subject{Tool: "Bash"}, "sure", "sure"},
	{"Bash(git:*)", Subject{Tool: "Bash"}, "no", "no"},
	{"Bash", Subject{Tool: "Monitor"}, "sure", "sure"},
	{"Bash(ls)", Subject{Tool: "Monitor", Command: bash("ls").Command}, "sure", "sure"},
	{"Monitor(ls)", *bash("ls"), "no", "no"},
	{"bash", *bash("ls"), "no", "no"},
	{"Bash(get-item *)", Subject{Tool: "PowerShell", Command: bash("Get-Item x").Command}, "no", "no"},
	{"PowerShell(get-item *)", Subject{Tool: "PowerShell", Command: bash("Get-Item x").Command}, "sure", "sure"},
	{`PowerShell(Get-Item C:\Users\*)`, Subject{Tool: "PowerShell", Command: bash(`get-item c:\users\x`).Command}, "sure", "sure"},

	// input that cannot be trusted
	{"Bash", Subject{Tool: "Bash", Bare: true}, "sure", "sure"},
	{"Bash(*)", Subject{Tool: "Bash", Bare: true}, "sure", "sure"},
	{"Bash(rm *)", Subject{Tool: "Bash", Bare: true}, "no", "no"},
	{"Read(//**)", Subject{Tool: "Read", Bare: true}, "no", "no"},
	{"*", Subject{Tool: "Bash", Bare: true}, "invalid", "sure"},
	{"mcp__s", Subject{Tool: "mcp__s__t", Bare: true}, "sure", "sure"},

	// MCP
	{"mcp__github", Subject{Tool: "mcp__github__push"}, "sure", "sure"},
	{"mcp__github", Subject{Tool: "mcp__githubx__push"}, "no", "no"},
	{"mcp__github__*", Subject{Tool: "mcp__github__push"}, "sure", "sure"},
	{"mcp__github__*", Subject{Tool: "mcp__github_evil__push"}, "no", "no"},
	{"mcp__github__*", Subject{Tool: "Mcp__github__push"}, "no", "no"},
	{"mcp__github__get_issue", Subject{Tool: "mcp__github__get_issue_comments"}, "no", "no"},
	{"mcp__github__push", Subject{Tool: "mcp__github__push\u200b"}, "no", "no"},
	{"mcp__github__get_*", Subject{Tool: "mcp__github__get_issue"}, "sure", "sure"},
	{"mcp__*", Subject{Tool: "mcp__github__push"}, "invalid", "sure"},
	{"mcp__*", Subject{Tool: "Bash"}, "invalid", "no"},
	{"*", Subject{Tool: "Anything"}, "invalid", "sure"},
	{"MCP(mcp__github__*)", Subject{Tool: "mcp__github__push"}, "sure", "sure"},
	{"MCP(mcp__github)", Subject{Tool: "mcp__github__push"}, "sure", "sure"},
	{"MCP(github__*)", Subject{Tool: "mcp__github__push"}, "no", "sure"},
	{"MCP(mcp__a__*)", Subject{Tool: "mcp__b__push"}, "no", "no"},
	{"MCP(*)", Subject{Tool: "mcp__b__push"}, "sure", "sure"},
	{"MCP(*)", Subject{Tool: "Bash"}, "no", "no"},
	{"mcp__s__t(x*)", named("mcp__s__t", "xyz"), "sure", "sure"},
	{"mcp__s__t(x*)", named("mcp__s__t", "yz"), "no", "no"},

	// agents, skills, the rest
	{"Agent(Explore)", named("Agent", "Explore"), "sure", "sure"},
	{"Task(Explore)", named("Agent", "Explore"), "sure", "sure"},
	{"Agent(Explore)", named("Agent", "explore"), "no", "sure"},
	{"Agent(Explore)", named("Agent", "Explorer"), "no", "no"},
	{"Agent(Ex*)", named("Agent", "Explorer"), "sure", "sure"},
	{"Agent(Explore)", Subject{Tool: "Agent"}, "no", "no"},
	{"Agent", Subject{Tool: "Agent"}, "sure", "sure"},
	{"Skill(git:*)", named("Skill", "git"), "sure", "sure"},
	{"Skill(git:*)", named("Skill", "git:commit"), "sure", "sure"},
	{"Skill(git:*)", named("Skill", "gitx:commit"), "no", "no"},
	{"Skill(commit)", named("Skill", "git:commit"), "no", "no"},
	{"WebSearch(go*)", named("WebSearch", "golang"), "sure", "sure"},
	{"WebSearch(go*)", Subject{Tool: "WebSearch"}, "no", "no"},
	{"WebSearch", Subject{Tool: "WebSearch"}, "sure", "sure"},

	// fields
	{"Agent(model:opus)", Subject{Tool: "Agent", Name: "x", HasName: true, Fields: []Field{{Name: "model", Value: "opus"}}}, "no", "sure"},
	{"Agent( model : op* )", Subject{Tool: "Agent", Fields: []Field{{Name: "model", Value: "opus"}}}, "no", "sure"},
	{"Agent(model:opus)", Subject{Tool: "Agent", Fields: []Field{{Name: "model", Value: "haiku"}}}, "no", "no"},
	{"Agent(model:opus)", Subject{Tool: "Agent", Fields: []Field{{Name: "model", JSON: `"\u006fpus"`}}}, "no", "sure"},
	{"Agent(model:*)", Subject{Tool: "Agent"}, "no", "no"},
	{"Bash(run_in_background:true)", Subject{Tool: "Bash", Command: bash("ls").Command, Fields: []Field{{Name: "run_in_background", Value: "true"}}}, "no", "sure"},

	// WebFetch
	{"WebFetch(domain:github.com)", web("https://github.com/x"), "sure", "sure"},
	{"WebFetch(domain:GitHub.com.)", web("https://github.com/x"), "sure", "sure"},
	{"WebFetch(domain:github.com)", web("https://GITHUB.com.:443/x"), "sure", "sure"},
	{"WebFetch(domain:github.com)", web("https://api.github.com/x"), "no", "no"},
	{"WebFetch(domain:github.com)", web("https://github.com.evil.example/x"), "no", "no"},
	{"WebFetch(domain:github.com)", web("https://github.com@evil.example/x"), "no", "no"},
	{"WebFetch(domain:github.com)", web(`https://github.com\@evil.example/x`), "no", "sure"},
	{"WebFetch(domain:evil.example)", web(`https://github.com\@evil.example/x`), "no", "maybe"},
	{"WebFetch(domain:*.x.com)", web("https://a.b.x.com/"), "sure", "sure"},
	{"WebFetch(domain:*.x.com)", web("https://x.com/"), "no", "no"},
	{"WebFetch(domain:*.x.com)", web("https://ax.com/"), "no", "no"},
	{"WebFetch(domain:example.*)", web("https://example.org/"), "sure", "sure"},
	{"WebFetch(domain:example.*)", web("https://example.evil.com/"), "no", "no"},
	{"WebFetch(domain:api-*.x.com)", web("https://api-1.x.com/"), "sure", "sure"},
	{"WebFetch(domain:*)", web("https://x.com/"), "sure", "sure"},
	{"WebFetch(domain:*)", web("ftp://x.com/"), "no", "sure"},
	{"WebFetch(domain:127.0.0.1)", web("http://2130706433/"), "sure", "sure"},
	{"WebFetch(domain:2130706433)", web("http://127.0.0.1/"), "sure", "sure"},
	{"WebFetch(domain:::1)", web("http://[::1]/"), "sure", "sure"},
	{"WebFetch(domain:münchen.example)", web("https://xn--mnchen-3ya.example/"), "sure", "sure"},
	{"WebFetch(domain:*.münchen.example)", web("https://a.münchen.example/"), "sure", "sure"},
	{"WebFetch(domain:x.com:8080)", web("https://x.com:8080/"), "no", "sure"},
	{"WebFetch(domain:https://x.com/y)", web("https://x.com/"), "no", "sure"},
	{"WebFetch(domain:x.com)", web("javascript:alert(1)"), "no", "maybe"},
	{"WebFetch(https://x.com/*)", web("https://x.com/a"), "sure", "sure"},
	{"WebFetch(https://x.com/*)", web("HTTPS://X.com/a"), "no", "sure"},
	{"WebFetch(https://x.com*)", web("https://x.com.evil/a"), "no", "sure"},
	{"WebFetch(https://*.x.com/*)", web("https://evil.com/.x.com/"), "no", "sure"},
	{"WebFetch(https://x.com/*)", web("https://y.com/a"), "no", "no"},
	{"WebFetch", web("x"), "sure", "sure"},
}

func TestMatchTools(t *testing.T) {
	for _, row := range toolRows {
		if got := answer(t, &testPolicy, row.rule, Allow, false, &row.s); got != row.allow {
			t.Errorf("allow %s: %+v: %s, want %s", row.rule, row.s, got, row.allow)
		}
		if got := answer(t, &testPolicy, row.rule, Deny, false, &row.s); got != row.deny {
			t.Errorf("deny %s: %+v: %s, want %s", row.rule, row.s, got, row.deny)
		}
	}
	for _, row := range []toolRow{
		{"Skill(commit)", named("Skill", "git:commit"), "no", "sure"},
		{"Skill(commit *)", named("Skill", "commit"), "no", "sure"},
		{"WebFetch(https://x.com/*)", web("https://x.com/a"), "no", "sure"},
	} {
		if got := answer(t, &testPolicy, row.rule, Allow, true, &row.s); got != row.allow {
			t.Errorf("claude allow %s: %s, want %s", row.rule, got, row.allow)
		}
		if got := answer(t, &testPolicy, row.rule, Deny, true, &row.s); got != row.deny {
			t.Errorf("claude deny %s: %s, want %s", row.rule, got, row.deny)
		}
	}
}

func TestMatchKeepsOrder(t *testing.T) {
	var rs []Rule
	for _, text := range []string{"Bash(git *)", "Bash(ls)", "Bash"} {
		r, err := ParseRule(text, Allow, User, Pos{}, false)
		if err != nil {
			t.Fatal(err)
		}
		rs = append(rs, r)
	}
	hits := testPolicy.Match(rs, bash("git status"))
	if len(hits) != 2 || hits[0].Rule != &rs[0] || hits[1].Rule != &rs[2] {
		t.Errorf("hits %v", hits)
	}
}

// TestMatchNames matches rules with tools whose name can be read in several ways.
func TestMatchNames(t *testing.T) {
	one := Subject{Tool: "mcp__a__b_c", Also: []string{"mcp__a_b__c"}}
	raw := Subject{Tool: "mcp__a__b", Also: []string{"a-b"}}
	for _, tt := range []struct {
		list List
		rule string
		s    Subject
		want bool
	}{
		{Deny, "mcp__a", one, true},
		{Deny, "mcp__a_b", one, true},
		{Deny, "mcp__a_b__*", one, true},
		{Deny, "mcp__a_b__c", one, true},
		{Deny, "mcp__c", one, false},
		{Ask, "mcp__a_b", one, true},
		{Ask, "mcp__*", one, true},
		{Allow, "mcp__a", one, false},
		{Allow, "mcp__a__*", one, false},
		{Allow, "mcp__a_b", one, false},
		{Allow, "mcp__a_b__*", one, false},
		{Allow, "mcp__a__b_c", one, true},
		{Allow, "mcp__a_b__c", one, true},
		{Allow, "MCP(mcp__a_b__c)", one, true},
		{Allow, "MCP(mcp__a*)", one, true}, // both readings
		{Allow, "MCP(mcp__a_b*)", one, false},
		{Allow, "MCP", one, true},
		{Deny, "a-b", raw, true},
		{Deny, "mcp__a", raw, true},
		{Allow, "a-b", raw, true},
		{Allow, "mcp__a", raw, true}, // the raw name is no other reading of server and tool
		{Allow, "mcp__a__*", raw, true},
		{Allow, "mcp__b", raw, false},
	} {
		r, err := ParseRule(tt.rule, tt.list, User, Pos{}, false)
		if err != nil {
			t.Errorf("%s: %v", tt.rule, err)
			continue
		}
		for _, s := range []Subject{tt.s, {Tool: tt.s.Also[0], Also: []string{tt.s.Tool}}} {
			if s.Tool == "a-b" {
				continue
			}
			if got := len((&Policy{}).Match([]Rule{r}, &s)) > 0; got != tt.want {
				t.Errorf("%s %s: %s or %s: matches %v", tt.list, tt.rule, s.Tool, s.Also, got)
			}
		}
	}
}

// TestMatchDots compares a rule with a pattern that also takes names with a dot
// at the start, as a tool that reads many files does, and as a shell does not.
func TestMatchDots(t *testing.T) {
	p := &Policy{Cwd: Path{Given: "/w", Real: "/w"}, Project: Path{Given: "/w", Real: "/w"}}
	r, err := ParseRule("Read(//w/x/.env)", Deny, User, Pos{}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		glob string
		dots bool
		want bool
	}{
		{"/w/x/*", false, false}, {"/w/x/*", true, true}, {"/w/**", true, true}, {"/w/x/*.go", true, false}, {"/w/x/?env", true, true}, {"/w/y/*", true, false},
	} {
		s := Subject{Tool: "Read", Path: &Path{Given: tt.glob, Real: tt.glob}, Glob: tt.glob, Dots: tt.dots}
		if got := len(p.Match([]Rule{r}, &s)) > 0; got != tt.want {
			t.Errorf("%s, dots %v: %v", tt.glob, tt.dots, got)
		}
	}
}
