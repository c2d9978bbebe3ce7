package rules

import (
	"path"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// A coversRow is two rules, each as "list rule"; a leading "claude" marks one
// from a .claude file.
type coversRow struct {
	a, b string
	want bool
}

var coversRows = []coversRow{
	// commands
	{"deny Bash", "allow Bash(rm x)", true},
	{"deny Bash(*)", "allow Monitor(tail:*)", true},
	{"deny Bash(git push:*)", "allow Bash(git push origin *)", true},
	{"deny Bash(git push:*)", "allow Bash(git:*)", false},
	{"deny Bash(git *)", "allow Bash(git)", false},
	{"deny Bash(git*)", "allow Bash(git:*)", true},
	{"deny Bash(git:*)", "allow Bash(git*)", false},
	{"ask Bash(npm *)", "allow Bash(npm test)", true},
	{"deny Bash(*rm*)", "deny Bash(rm -rf *)", true},
	{"deny Bash(rm -rf *)", "deny Bash(rm -rf *)", true},
	{"deny Bash(rm ?)", "allow Bash(rm *)", false},
	{"deny Bash(rm ?*)", "allow Bash(rm *)", false},
	{"claude deny Bash(git *)", "allow Bash(git)", true},
	{"allow Bash(npm *)", "allow Bash(npm run *)", true},
	{"allow Bash(npm run *)", "allow Bash(npm *)", false},
	{"allow Bash(npm:*)", "allow Bash(npm *)", true},
	{"allow Bash(npm *)", "allow Bash(npm:*)", false},
	{"allow Bash(git 'a b')", `allow Bash(git a\ b)`, true},
	{"allow Bash(git *)", "allow Bash(git -c core.pager=x log)", false}, // spelled out: covers more than a pattern
	{"allow Bash(timeout *)", "allow Bash(timeout 5 npm test)", false},
	{"allow Bash", "allow Bash(npm test)", true},
	{"allow Bash(npm test)", "deny Bash(npm test)", false},
	{"deny PowerShell(GET-item *)", "allow PowerShell(get-item x*)", true},
	{"deny Bash(ls)", "allow PowerShell(ls)", false},
	{"deny Bash(run*)", "deny Bash(run_in_background:true)", false}, // also a field

	// files
	{"deny Read(**/.env)", "allow Read(./.env)", true},
	{"deny Read(.env)", "allow Read(//x/.env)", true},
	{"deny Read(./.env)", "allow Edit(./.env)", true},
	{"deny Edit(./.env)", "allow Read(./.env)", false},
	{"ask Read(./.env)", "allow Edit(./.env)", false},
	{"deny Edit(src/**)", "allow Write(src/a/*.go)", true},
	{"deny Write(src/**)", "allow Edit(src/a/*.go)", false},
	{"deny Read(./SRC/**)", "allow Read(./src/x)", true},
	{"allow Read(./SRC/**)", "allow Read(./src/x)", false},
	{"allow Read(src/**)", "allow Read(./src/a/b)", true},
	{"allow Read(src/*)", "allow Read(src/a/b)", false},
	{"allow Read(/sub/src/**)", "allow Read(src/x)", true},
	{"allow Read(//home/u/**)", "allow Read(~/.ssh/*)", true},
	{"allow Read(src/**)", "allow Grep(src/a)", true},
	{"allow Grep(src/**)", "allow Read(src/a)", false},
	{"deny Read(src/*.p*)", "deny Read(src/*.pem)", false}, // cat src/*.pem: sure by the second only
	{"deny Read(**)", "deny Read(src/*.pem)", true},
	{"deny Edit(/x/*/c)", "deny Edit(/x/a/c)", false}, // rm -r /x/a: only the second names it
	{"deny Edit(/x/**)", "deny Edit(/x/a/c)", true},
	{"deny Edit(src/*.go)", "allow Edit(src/*_test.go)", true},
	{"allow Edit(src/*a*)", "allow Edit(src/?*a)", true},
	{"allow Edit(src/?*a)", "allow Edit(src/*a*)", false},
	{"allow Edit(src/**/*.go)", "allow Edit(src/*/x/a.go)", true},
	{"claude allow Edit(src/x)", "claude allow Edit(src/[x])", false}, // a class there, itself to us: nothing at all
	{"deny Read(src/?)", "allow Read(src/?)", false},
	{"claude deny Read(src/[ab])", "deny Read(src/a)", false},

	// addresses
	{"deny WebFetch", "allow WebFetch(domain:go.dev)", true},
	{"deny WebFetch(domain:*.go.dev)", "allow WebFetch(domain:pkg.go.dev)", true},
	{"deny WebFetch(domain:*.go.dev)", "allow WebFetch(domain:go.dev)", false},
	{"deny WebFetch(domain:*.go.dev)", "deny WebFetch(domain:*.pkg.go.dev)", true},
	{"deny WebFetch(domain:*)", "deny WebFetch(domain:*.go.dev)", true},
	{"allow WebFetch(domain:GO.dev.)", "allow WebFetch(domain:go.dev)", true},
	{"allow WebFetch(domain:go.dev)", "allow WebFetch(https://go.dev/*)", true}, // its host is go.dev
	{"allow WebFetch(https://go.dev/*)", "allow WebFetch(domain:go.dev)", false},
	{"allow WebFetch(domain:*.go.dev)", "allow WebFetch(https://*.go.dev/x*)", true},
	{"deny WebFetch(https://*.dev/*)", "allow WebFetch(domain:go.dev)", false}, // http://go.dev/
	{"deny WebFetch(*://go.dev/*)", "allow WebFetch(domain:go.dev)", false},    // https://go.dev?x
	{"deny WebFetch(*://go.dev*)", "allow WebFetch(domain:go.dev)", true},
	{"deny WebFetch(https://go.dev/*)", "allow WebFetch(https://go.dev/x)", true},

	// names
	{"deny *", "allow Agent(Explore)", true},
	{"deny *", "allow mcp__s__t", true},
	{"deny mcp__*", "allow mcp__s", true},
	{"deny mcp__*", "allow Bash", false},
	{"deny mcp__s", "allow mcp__s__t", true},
	{"deny mcp__s__get_*", "allow mcp__s__get_issue", true},
	{"deny mcp__s__get_*", "allow mcp__s", false},
	{"deny MCP(s__*)", "allow mcp__s__t", true},
	{"deny MCP", "allow mcp__s__t", true},
	{"allow mcp__s", "allow mcp__s__*", true},
	{"allow mcp__s__*", "allow mcp__s__t", false}, // a name that is spelled out settles which tool is meant
	{"allow mcp__s__t", "allow mcp__s__t", true},
	{"deny Agent(ex*)", "allow Agent(Explore)", true},
	{"allow Agent(ex*)", "allow Agent(Explore)", false},
	{"deny Skill(git:*)", "allow Skill(git:commit)", true},
	{"claude deny Skill(commit)", "deny Skill(commit)", true},
	{"deny Skill(commit)", "claude deny Skill(commit)", false},
	{"allow Agent(*?x)", "allow Agent(?*x)", true},
	{"allow Agent(?*x)", "allow Agent(*?x)", true},
	{"allow Agent(a*b*)", "allow Agent(a*c*b)", true},
	{"deny Agent", "deny Agent(model:opus)", true},
	{"deny Agent(model:*)", "deny Agent(model:opus)", true},
}

// parsed is a rule spelt as in coversRow.
func parsed(t testing.TB, spelling string) Rule {
	t.Helper()
	claude := false
	if rest, ok := cut(spelling, "claude "); ok {
		spelling, claude = rest, true
	}
	for _, list := range []List{Allow, Ask, Deny} {
		if text, ok := cut(spelling, list.String()+" "); ok {
			r, err := ParseRule(text, list, Shared, Pos{}, claude)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
	}
	t.Fatalf("%q names no list", spelling)
	return Rule{}
}

func cut(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && s[:len(prefix)] == prefix {
		return s[len(prefix):], true
	}
	return s, false
}

func TestCovers(t *testing.T) {
	for _, row := range coversRows {
		a, b := parsed(t, row.a), parsed(t, row.b)
		if got := testPolicy.Covers(&a, &b); got != row.want {
			t.Errorf("%s covers %s: %v, want %v", row.a, row.b, got, row.want)
		}
	}
}

// Several rules may cover together what none of them does alone.
func TestCoveredBy(t *testing.T) {
	for _, row := range []struct {
		b  string
		as []string
	}{
		{"allow Edit(/x/**)", []string{"allow Edit(/x)", "allow Edit(/x/*)", "deny Edit(/x/*/**)"}},
		{"allow WebFetch(https://a*.dev/*)", []string{"deny WebFetch(domain:a.dev)", "allow WebFetch(domain:a?*.dev)", "allow WebFetch(domain:a*.dev)"}},
		{"deny Edit(./a)", []string{"deny Edit(//repo/a)", "ask Edit(//repo/sub/a)"}},
	} {
		b := parsed(t, row.b)
		var as []*Rule
		for _, a := range row.as {
			a := parsed(t, a)
			as = append(as, &a)
		}
		if !testPolicy.CoveredBy(as, &b) || testPolicy.CoveredBy(as[:1], &b) || testPolicy.CoveredBy(nil, &b) {
			t.Errorf("%s is not covered by all of %v only", row.b, row.as)
		}
	}
}

func TestCoveredByTexts(t *testing.T) {
	for _, row := range []struct {
		list, b string
		want    bool
	}{
		{"deny Bash(git push); deny Bash(git push *)", "allow Bash(git push:*)", true},
		{"deny Bash(git push); ask Bash(git push *)", "allow Bash(git push:*)", true},
		{"deny Bash(git push)", "allow Bash(git push:*)", false},
		// git push $x is asked about by the second alone, or not allowed: it may be both
		{"deny Bash(git push); deny Bash(git push *)", "deny Bash(git push:*)", false},
		{"allow Bash(git push); allow Bash(git push *)", "allow Bash(git push:*)", false},
		{"allow Bash(git push); allow Bash(git p*)", "allow Bash(git push)", true},
		{"allow Bash(git p*)", "allow Bash(git push)", false}, // spelled out
		{"allow Bash(git p*)", `allow Bash(git "p*")`, false},
		{"allow Bash(git p*)", "claude allow Bash(git p' *)", false}, // it matches nothing
		{"allow Agent(a); allow Agent(a?*)", "allow Agent(a*)", true},
		{"allow Agent(a); allow Agent(a??*)", "allow Agent(a*)", false},
		{"deny Agent(a); deny Agent(A?*)", "deny Agent(a*)", true},
		{"deny Skill(a); deny Skill(a:*)", "deny Skill(a:*)", true},
		{"deny Agent(model:*)", "deny Agent(model:opus)", true},
		{"deny Agent(m*)", "deny Agent(model:opus)", false},
		{"deny Agent(model:); deny Agent(model:?*)", "deny Agent(model:*)", true},
		{"deny Agent(m*); deny Agent(model:?*)", "deny Agent(model:*)", false},
		{"deny Bash(ls); deny PowerShell(LS *)", "allow PowerShell(ls *)", true},
		{"deny Monitor(ls *)", "allow Bash(ls *)", false},
		{"deny Bash(ls *)", "allow Monitor(ls *)", true},
	} {
		var list []*Rule
		for _, spelling := range strings.Split(row.list, "; ") {
			r := parsed(t, spelling)
			list = append(list, &r)
		}
		b := parsed(t, row.b)
		if got := testPolicy.CoveredBy(list, &b); got != row.want {
			t.Errorf("%s covered by %s: %v, want %v", row.b, row.list, got, row.want)
		}
	}
}

// What Covers says is held against every subject of the tables of this package.
func TestCoversIsSound(t *testing.T) {
	var rs []Rule
	add := func(text string) {
		for _, claude := range []bool{false, true} {
			for _, list := range []List{Allow, Ask, Deny} {
				if r, err := ParseRule(text, list, Shared, Pos{}, claude); err == nil {
					rs = append(rs, r)
				}
			}
		}
	}
	var subjects []*Subject
	for i, row := range commandRows {
		if i%3 == 0 || len(row.rule) < 8 {
			add("Bash(" + row.rule + ")")
		}
		subjects = append(subjects, bash(row.command))
	}
	for i, row := range pathRows {
		if i%2 == 0 {
			add(row.rule)
		}
		p := Path{row.path, row.path}
		for dir := path.Dir(row.path); path.IsAbs(dir) && dir != "/"; dir = path.Dir(dir) {
			subjects = append(subjects, &Subject{Tool: "Edit", Path: &Path{dir, dir}, Tree: true})
		}
		subjects = append(subjects, &Subject{Tool: row.tool, Path: &p}, &Subject{Tool: "Edit", Path: &p, Tree: true}, &Subject{Tool: "Grep", Path: &p, Glob: row.path + "*", Name: "x", HasName: true})
	}
	for _, row := range toolRows {
		add(row.rule)
		subjects = append(subjects, &row.s)
	}
	for _, row := range coversRows {
		add(parsed(t, row.a).Text)
		add(parsed(t, row.b).Text)
	}
	type said struct{ sure, maybe bool }
	table := make([][]said, len(rs))
	for i := range rs {
		table[i] = make([]said, len(subjects))
		for j, s := range subjects {
			if hits := testPolicy.Match(rs[i:i+1], s); len(hits) > 0 {
				table[i][j] = said{hits[0].Sure, true}
			}
		}
	}
	covered := 0
	for i := 0; i < len(rs); i += testenv.Scale(20, 1) { // a rule is there six times: in both readings, in three lists
		for k := range rs {
			if i == k || rs[i].Tool != "*" && rs[i].Tool[0] != rs[k].Tool[0] && rs[i].Tool != "Read" || !testPolicy.Covers(&rs[i], &rs[k]) {
				continue
			}
			covered++
			for j := range subjects {
				if a, b := table[i][j], table[k][j]; b.sure && !a.sure || b.maybe && !a.maybe {
					t.Errorf("%s %s (claude %v) is said to cover %s %s (claude %v), not so for %+v", rs[i].List, rs[i].Text, rs[i].Claude, rs[k].List, rs[k].Text, rs[k].Claude, subjects[j])
					break
				}
			}
		}
	}
	t.Logf("%d rules, %d subjects, %d pairs", len(rs), len(subjects), covered)
	if covered < len(rs) {
		t.Errorf("only %d pairs of %d rules", covered, len(rs))
	}
}

// FuzzCovers looks for a command or path that b matches and a does not, though
// a is said to cover b.
func FuzzCovers(f *testing.F) {
	for i, row := range commandRows {
		f.Add(row.rule, commandRows[(i+1)%len(commandRows)].rule, row.command, uint8(i), false)
	}
	for i, row := range pathRows {
		if r, err := ParseRule(row.rule, Deny, User, Pos{}, false); err == nil && !r.Bare {
			f.Add("**", r.Pattern, row.path, uint8(i), true)
		}
	}
	f.Fuzz(func(t *testing.T, pa, pb, text string, kind uint8, file bool) {
		tool, s := "Bash", bash(text)
		if file {
			if !inUniverse(pathTexts{}, symbolsOf(text)) {
				return
			}
			tool, s = "Edit", &Subject{Tool: "Edit", Path: &Path{text, text}, Tree: kind&16 != 0}
		}
		a := Rule{Text: pa, Tool: tool, Pattern: pa, Bare: grammar.AllStars(pa), List: []List{Allow, Deny}[kind&1], Claude: kind&2 != 0}
		b := Rule{Text: pb, Tool: tool, Pattern: pb, Bare: grammar.AllStars(pb), List: []List{Allow, Deny}[kind>>2&1], Claude: kind&8 != 0}
		if !testPolicy.Covers(&a, &b) {
			return
		}
		all, some := testPolicy.matchRule(&a, s)
		if wantAll, wantSome := testPolicy.matchRule(&b, s); wantAll && !all || b.strict() && wantSome && !some {
			t.Fatalf("%s %q (claude %v) is said to cover %s %q (claude %v), not so for %q", a.List, pa, a.Claude, b.List, pb, b.Claude, text)
		}
	})
}
