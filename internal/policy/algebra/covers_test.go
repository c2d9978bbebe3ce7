package algebra

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

var testPolicy = Of(&rules.Policy{
	Cwd: place("/repo/sub"), Project: place("/repo"), Home: place("/home/u"),
})

// place is a path without symlinks.
func place(name string) rules.Path { return rules.Path{Given: name, Real: name} }

// bash is a command from its spelling in the tests: blanks separate words, <1> is a
// Single hole, <*> an Any hole, ␣ a blank in a word.
func bash(spelling string) *rules.Subject {
	list := strings.Fields(spelling)
	for i, w := range list {
		if !strings.Contains(w, "<1>") && !strings.Contains(w, "<*>") {
			list[i] = grammar.Quote(strings.ReplaceAll(w, "␣", " "))
		}
	}
	text := strings.NewReplacer("<1>", "\x00¹\x00", "<*>", "\x00…\x00").Replace(strings.Join(list, " "))
	var out grammar.Text
	for _, piece := range strings.Split(text, "\x00") {
		switch piece {
		case "":
		case "¹":
			out = append(out, grammar.Piece{Hole: grammar.Single})
		case "…":
			out = append(out, grammar.Piece{Hole: grammar.Any})
		default:
			out = append(out, grammar.Piece{Lit: piece})
		}
	}
	return &rules.Subject{Tool: "Bash", Command: &rules.Command{Allow: []grammar.Text{out}}}
}

// matched says whether a rule matches a subject for certain, or perhaps.
func matched(p *Policy, r *rules.Rule, s *rules.Subject) (all, some bool) {
	hits := p.Match([]rules.Rule{*r}, s)
	return len(hits) > 0 && hits[0].Sure, len(hits) > 0
}

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
	{"deny Bash(git push:*)", "deny Bash(git push --force:*)", true},
	{"deny Bash(git push --force:*)", "deny Bash(git push --force origin:*)", true},
	{"deny Bash(git push --force*)", "deny Bash(git push --force*)", true},
	{"deny Bash(git push --f*)", "deny Bash(git push --force:*)", false}, // git push -f
	{"deny Bash(git push --f*)", "allow Bash(git push --force:*)", true},
	{"deny Bash(rm -r*)", "deny Bash(rm -rf:*)", true},
	{"deny Bash(rm -rf /*)", "deny Bash(rm -rf / x)", true},
	{"deny Bash(rm * x)", "deny Bash(rm -f * x)", true},
	{"deny Bash(rm -f ? x)", "deny Bash(rm -f a x)", false}, // rm a -f x
	{"deny Bash(kubectl:*)", "deny Bash(kubectl delete --force:*)", true},
	{"deny Bash(kubectl delete:*)", "deny Bash(kubectl delete --force:*)", false}, // kubectl -n a delete --force
	{"deny Bash(rm -rf:*)", "deny Bash(rm -fr:*)", false},                         // rm -f$x, which may match the other one
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
func parsed(t testing.TB, spelling string) rules.Rule {
	t.Helper()
	claude := false
	if rest, ok := cut(spelling, "claude "); ok {
		spelling, claude = rest, true
	}
	for _, list := range []rules.List{rules.Allow, rules.Ask, rules.Deny} {
		if text, ok := cut(spelling, list.String()+" "); ok {
			r, err := rules.ParseRule(text, list, rules.Shared, rules.Pos{}, claude)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
	}
	t.Fatalf("%q names no list", spelling)
	return rules.Rule{}
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
		var as []*rules.Rule
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
		var list []*rules.Rule
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

// Of two rules one covers the other only if it also matches the texts that the
// other spells.
func TestCoversWhole(t *testing.T) {
	for _, row := range []struct {
		a     string
		list  rules.List
		b     string
		holds bool
	}{
		{"Bash(git push)", rules.Allow, "Bash(git push)", true},
		{"Bash(cd a && ls)", rules.Allow, "Bash(cd a && ls)", true},
		{"Bash(git push:*)", rules.Deny, "Bash(git push origin main)", true},
		{"Bash(git push:*)", rules.Deny, "Bash(git push && ls)", false},
		{"Bash(FOO=1 *)", rules.Deny, "Bash(FOO=1 ls)", false},
		{"Bash(done:*)", rules.Deny, "Bash(done)", false},
		{"Bash", rules.Deny, "Bash(a && b)", true},
	} {
		a, _ := rules.ParseRule(row.a, row.list, rules.Shared, rules.Pos{}, true)
		b, _ := rules.ParseRule(row.b, rules.Allow, rules.Shared, rules.Pos{}, true)
		if got := testPolicy.Covers(&a, &b); got != row.holds {
			t.Errorf("%s %s covers allow %s: %v", row.list, row.a, row.b, got)
		}
	}
}

func TestURLEntriesCover(t *testing.T) {
	entry := func(text string, list rules.List) *rules.Rule {
		r, err := rules.URLRule(text, list, rules.User, rules.Pos{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return &r
	}
	p := Of(new(rules.Policy))
	for _, row := range []struct {
		wide, narrow string
		deny, allow  bool
	}{
		{"h.test", "https://h.test/p/*", true, true}, {"*.h.test", "h.test", true, true}, {"*.h.test", "*.a.h.test", true, true},
		{"h.test", "*.h.test", false, false}, {"https://h.test/p/*", "https://h.test/p/q", true, true},
		{"https://h.test/p/*", "https://h.test", false, false}, {"https://h.test/p", "https://h.test/p/*", false, false},
		{"https://h.test", "h.test", false, true}, {"http://h.test", "https://h.test", false, false},
	} {
		for _, list := range []rules.List{rules.Deny, rules.Allow} {
			want := row.deny
			if list == rules.Allow {
				want = row.allow
			}
			if got := p.Covers(entry(row.wide, list), entry(row.narrow, list)); got != want {
				t.Errorf("%s: %s covers %s: %v", list, row.wide, row.narrow, got)
			}
		}
	}
	domain, _ := rules.ParseRule("WebFetch(domain:h.test)", rules.Deny, rules.User, rules.Pos{}, false)
	bare, _ := rules.ParseRule("WebFetch", rules.Deny, rules.User, rules.Pos{}, false)
	for _, a := range []*rules.Rule{&domain, &bare, entry("h.test", rules.Deny)} {
		if !p.Covers(a, entry("https://h.test/p/*", rules.Allow)) {
			t.Errorf("%s does not cover the entry", a.Text)
		}
	}
	if !p.Covers(entry("h.test", rules.Deny), &domain) || p.Covers(entry("https://h.test", rules.Deny), &domain) {
		t.Error("an entry and a rule on a domain")
	}
}

// FuzzCovers looks for a command or path that b matches and a does not, though
// a is said to cover b.
func FuzzCovers(f *testing.F) {
	for i, row := range coversRows {
		a, b := parsed(f, row.a), parsed(f, row.b)
		f.Add(a.Pattern, b.Pattern, strings.NewReplacer(":*", " x", "*", "x").Replace(b.Pattern), uint8(i), false)
		f.Add(a.Pattern, b.Pattern, "/repo/sub/"+strings.NewReplacer("**/", "", "*", "x").Replace(b.Pattern), uint8(i), true)
	}
	f.Fuzz(func(t *testing.T, pa, pb, text string, kind uint8, file bool) {
		tool, s := "Bash", bash(text)
		if file {
			if !inUniverse(pathTexts{}, symbolsOf(text)) {
				return
			}
			tool, s = "Edit", &rules.Subject{Tool: "Edit", Path: new(place(text)), Tree: kind&16 != 0}
		}
		a := rules.Rule{Text: pa, Tool: tool, Pattern: pa, Bare: grammar.AllStars(pa), List: []rules.List{rules.Allow, rules.Deny}[kind&1], Claude: kind&2 != 0}
		b := rules.Rule{Text: pb, Tool: tool, Pattern: pb, Bare: grammar.AllStars(pb), List: []rules.List{rules.Allow, rules.Deny}[kind>>2&1], Claude: kind&8 != 0}
		if !testPolicy.Covers(&a, &b) {
			return
		}
		all, some := matched(testPolicy, &a, s)
		if wantAll, wantSome := matched(testPolicy, &b, s); wantAll && !all || b.Strict() && wantSome && !some {
			t.Fatalf("%s %q (claude %v) is said to cover %s %q (claude %v), not so for %q", a.List, pa, a.Claude, b.List, pb, b.Claude, text)
		}
	})
}
