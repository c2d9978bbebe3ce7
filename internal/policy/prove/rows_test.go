package prove

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
)

// A row is a change of a policy, and what is to be found.
type row struct {
	name     string
	was, now string // rules, "deny Bash(git push:*)", by semicolons
	mode     string // "" is default
	want     string // the findings, "ask -> allow Bash: git", by semicolons; "open" for what cannot be said
}

var rows = []row{
	{"allow added", "", "allow Bash(git:*)", "", "ask -> allow Bash: git"},
	{"allow removed", "allow Bash(git:*)", "", "", ""},
	{"widened", "allow Bash(git push:*)", "allow Bash(git:*)", "", "ask -> allow Bash: git"},
	{"narrowed", "allow Bash(git:*)", "allow Bash(git push:*)", "", ""},
	{"reordered", "deny Bash(a:*); deny Bash(b:*); allow Bash(c)", "allow Bash(c); deny Bash(b:*); deny Bash(a:*)", "", ""},
	{"deny removed", "deny Bash(rm:*)", "", "", "deny -> ask Bash: rm"},
	{"deny removed under another", "deny Bash(rm:*); deny Bash(rm -rf *)", "deny Bash(rm:*)", "", ""},
	{"deny to ask", "deny Bash(git push:*)", "ask Bash(git push:*)", "", "deny -> ask Bash: git push"},
	{"ask removed where nothing allows", "ask Bash(git push:*)", "", "", ""},
	{"ask removed under an allow", "allow Bash(git:*); ask Bash(git push:*)", "allow Bash(git:*)", "", "ask -> allow Bash: git push"},
	{"two allows for one", "allow Bash(git:*)", "allow Bash(git); allow Bash(git *)", "", ""},
	{"scope", "allow user Bash(git:*)", "allow shared Bash(git:*)", "", ""},
	{"managed ask under bypass", "ask managed Bash(git push:*)", "ask Bash(git push:*)", "bypassPermissions", "ask -> allow Bash: git push"},
	{"wrapper", "allow Bash(make:*); ask Bash(timeout:*)", "allow Bash(make:*)", "", "ask -> allow Bash: timeout 1 make"},
	{"what a wrapper runs", "allow Bash(ls:*); deny Bash(timeout 10 ls)", "allow Bash(ls:*)", "", "deny -> allow Bash: timeout 10 ls"},
	{"another name of a wrapper", "allow Bash(make:*); ask Bash(gtimeout *)", "allow Bash(make:*)", "", "ask -> allow Bash: gtimeout 1 make"},
	{"exact beside a pattern", "allow Bash(git:*)", "allow Bash(git:*); allow Bash(git -c core.pager=x log)", "",
		"ask -> allow Bash: git -c core.pager=x log"},
	{"edit by a redirect", "allow Bash(make); ask Edit(//b/x)", "allow Bash(make)", "", "ask -> allow Bash: make > /b/x"},
	{"edit and no command", "ask Edit(//b/x)", "", "", ""},
	{"read", "deny Read(//b/.env)", "", "", "deny -> allow Read: /b/.env; deny -> ask LS: /b/.env; deny -> ask Edit: /b/.env"},
	{"edit outside", "", "allow Edit(//srv/x)", "", "ask -> allow Edit: /srv/x"},
	{"edit that stays outside", "", "allow Edit(/../srv/x)", "", ""},
	{"write", "", "allow Write(//b/x)", "", "ask -> allow Write: /b/x"},
	{"edit that is asked about", "", "allow Edit(.git/**); allow Edit(~/.ssh/config); allow Write(.mcp.json)", "", ""},
	{"edit of which some is not asked about", "", "allow Edit(.claude/**)", "", "ask -> allow Edit: /b/.claude/x/a.txt"},
	{"environments", "", "allow Edit(.env.local); allow Edit(/.env.e*)", "", "ask -> allow Edit: /b/.env.example"},
	{"host", "deny WebFetch(domain:*.example.com)", "", "", "deny -> allow WebFetch: http://a.example.com"},
	{"agent", "deny Agent(Explore)", "", "", "deny -> ask Agent: explore"},
	{"field", "allow Agent(x); ask Agent(model:opus)", "allow Agent(x)", "", "ask -> allow Agent: x"},
	{"field that asks anyway", "ask Agent(model:opus)", "", "", ""},
	{"field that is there anyway", "deny WebFetch(prompt:*y*)", "ask WebFetch(prompt:*y*)", "", "deny -> ask WebFetch: https://xyzzy.example/"},
	{"field of a server's tool", "deny mcp__x__y(name:a*)", "", "", "deny -> ask mcp__x__y: name:a"},
	{"skill", "", "allow Skill(commit:*)", "", "ask -> allow Skill: commit"},
	{"server", "", "allow mcp__github__*", "", "ask -> allow mcp__github__: mcp__github__"},
	{"one of a server", "allow mcp__github", "allow mcp__github__get", "", ""},
	{"every tool", "deny *", "deny Bash; deny Edit", "", "many"},
	{"of two programs", "", "allow Bash(git:*); allow Bash(a|b)", "", "ask -> allow Bash: git; ask -> allow Bash: 'a|b'"},
	{"stars before and after a long text", "deny Bash(* /home/dev/projects/some/long/path/to/proj &&*)",
		"deny Bash(* /home/dev/projects/some/long/path/to/proj *)", "", ""},
	{"too long", "", "allow Bash(" + strings.Repeat("a*", 3000) + ")", "", "open"},
	{"another tool", "", "allow Xyzzy2(a*)", "", "ask -> allow Xyzzy2: a"},
}

// TestRows: one change each, and what a person expects of it.
func TestRows(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			mode := r.mode
			if mode == "" {
				mode = "default"
			}
			now, was := policyWith(t, r.now, mode), policyWith(t, r.was, mode)
			report, err := (&Job{Flags: &gate.Flags{}}).compare(w.side(now), w.side(was))
			if err != nil {
				t.Fatal(err)
			}
			if got := findings(report); got != r.want && !(r.want == "many" && len(report.Findings) > 5) {
				t.Errorf("got %s\nwant %s\n%+v", got, r.want, report.Open)
			}
		})
	}
}

// TestClaims asks about calls that no text of the pattern shows.
func TestClaims(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	for _, c := range []struct {
		policy, pattern string
		claim           Claim
		want            Verdict
	}{
		{"allow Bash(git push)", "Bash(timeout:*)", Never, Fails},
		{"allow Bash(make)", "Bash(timeout 10 git push)", Never, Holds},
		{"allow Bash(make)", "Bash(run_in_background:true)", Never, Fails},
		{"allow Bash(make)", "Edit(./dist/**)", Never, Fails},
		{"allow Edit(./src/**)", "Edit(./dist/**)", Never, Holds},
		{"ask Edit(//b/dist/**)", "Edit(./dist/**)", Never, Holds},
		{"deny Bash; deny Monitor", "Bash(run_in_background:true)", Never, Holds},
		{"allow Bash(make:*); ask Bash(run_in_background:true)", "Bash(make:*)", Always, Unknown},
		{"allow Bash(make:*)", "Bash(make:*)", Always, Holds},
		{"allow Bash(cat:*); ask Read(**/*.go)", "Bash(cat:*)", Always, Fails},
		{"allow Bash(make); deny Edit(//b/x)", "Bash(make)", Always, Fails},
		{"allow Bash(curl:*); deny WebFetch(domain:example.com)", "Bash(curl:*)", Always, Fails},
		{"allow Bash(make:*); allow Read(./x); deny WebSearch", "Bash(make:*)", Always, Holds},
	} {
		side := w.side(policyWith(t, c.policy, "default"))
		j := &Job{Flags: &gate.Flags{}, Claim: c.claim, Pattern: c.pattern}
		if r, err := j.compare(side, side); err != nil || r.Verdict != c.want {
			t.Errorf("%s: %s %s: %v, want %v: %+v", c.policy, words[c.claim], c.pattern, r.Verdict, c.want, r)
		}
	}
}

// TestAuto leaves mode auto, which denies some commands that the other modes ask about.
func TestAuto(t *testing.T) {
	w := &world{scripts: map[string]*bashsafety.Analysis{}}
	j := &Job{Flags: &gate.Flags{}}
	if r, err := j.compare(w.side(policyOf("acceptEdits")), w.side(policyOf("auto"))); err != nil || r.Verdict != Fails {
		t.Errorf("%+v", r)
	}
}

// findings are those of a report, as rows have them.
func findings(r *Report) string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Was+" -> "+f.Is+" "+f.Tool+": "+f.Text)
	}
	if len(r.Open) > 0 {
		out = append(out, "open")
	}
	return strings.Join(out, "; ")
}

// policyWith is a policy with the rules of a row.
func policyWith(t *testing.T, text, mode string) *rules.Policy {
	t.Helper()
	p := policyOf(mode)
	for _, entry := range strings.Split(text, ";") {
		list, rest, ok := strings.Cut(strings.TrimSpace(entry), " ")
		if !ok {
			continue
		}
		scope := rules.Local
		for _, s := range []rules.Scope{rules.User, rules.Shared, rules.Managed} {
			if cut, found := strings.CutPrefix(rest, s.String()+" "); found {
				scope, rest = s, cut
			}
		}
		if !add(p, rest, map[string]rules.List{"deny": rules.Deny, "ask": rules.Ask, "allow": rules.Allow}[list], scope, false) {
			t.Fatalf("no rule: %s", entry)
		}
	}
	return p
}
