package verify

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/prove"
)

// aProof is a report with what could break its lines.
func aProof() *prove.Report {
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	return &prove.Report{
		Verdict: prove.Fails, Policy: "now", Other: "HEAD", Mode: "default", Tools: []string{"Bash"}, Assumes: "no links",
		Findings: []prove.Finding{
			{Kind: "newly allowed", Was: "ask", Is: "allow", Tool: "Bash", Text: "grep 'a\\|b' x | tee `id`\n@all <b>",
				Input: json.RawMessage(`{"command":"x"}`), Rule: "Bash(*)", List: "allow", Place: "/w/app/.gen/settings.json:3:5",
				Why: "allow rule: Bash(*) (/w/app/.gen/settings.json:3:5)"},
			{Kind: "newly allowed", Was: "deny", Is: "allow", Tool: "Read", Text: "/dir/\u202egpj.sh",
				Rule: "Read(/x/**)", List: "deny", Place: "HEAD:.gen/settings.json:4:1", Gone: true, Why: "no rule"},
			{Kind: "asked instead of denied", Was: "deny", Is: "ask", Tool: "Bash", Text: "x " + secret,
				Input: json.RawMessage(`{"command":"x ` + secret + `"}`), Rule: "catastrophic", Why: "it is " + secret},
		},
		Open: []prove.Open{{Tool: "Bash", Rule: "Bash(a`b:*)", Place: "/w/app/.gen/settings.json:9:1", Why: "a | b\nc"}},
	}
}

func proofOf(t *testing.T, o *proveOptions, r *prove.Report) string {
	t.Helper()
	var out, errs bytes.Buffer
	e := &subcmd.Env{Out: &out, Err: &errs, World: gate.World{Cwd: "/w/app", Getenv: func(string) string { return "" }}, Cmd: "permgate prove"}
	if code := o.print(e, r); code != int(r.Verdict) || errs.Len() > 0 {
		t.Errorf("exit %d, %s", code, errs.String())
	}
	if strings.Contains(out.String(), "ghp_0") {
		t.Errorf("shows a secret: %s", out.String())
	}
	return out.String()
}

func TestProofText(t *testing.T) {
	const want = "looser than HEAD\n\n" + `newly allowed
  ask -> allow  grep 'a\|b' x | tee ` + "`id`" + `\n@all <b>
      allow Bash(*)  .gen/settings.json:3
      allow rule: Bash(*) (.gen/settings.json:3:5)
  deny -> allow  Read /dir/\u202egpj.sh
      deny Read(/x/**) (removed)  HEAD:.gen/settings.json:4
      no rule

asked instead of denied
  deny -> ask  x ghp_[redacted]
      catastrophic
      it is ghp_[redacted]

not known
  Bash  Bash(a` + "`" + `b:*)  .gen/settings.json:9
      a | b\nc
  what to do: see "Cannot say" in docs/prove.md; what is recorded can be compared by permgate replay --against

assumed: no links
`
	if got := proofOf(t, &proveOptions{comparedOptions: comparedOptions{against: "HEAD"}}, aProof()); got != want {
		t.Errorf("prints\n%s\nwant\n%s", got, want)
	}
}

// TestProofTable checks that what a rule or a call holds ends no cell and no code span.
func TestProofTable(t *testing.T) {
	const want = "**permgate prove**: looser than `HEAD`\n" + `
| | answer | call | because of | in |
|---|---|---|---|---|
` + "| newly allowed | `ask -> allow` | `` grep 'a\\\\|b' x \\| tee `id`\\n@all <b> `` | `allow Bash(*)` | `.gen/settings.json:3` |\n" +
		"| newly allowed | `deny -> allow` | `Read /dir/\\u202egpj.sh` | `deny Read(/x/**) (removed)` | `HEAD:.gen/settings.json:4` |\n" +
		"| asked instead of denied | `deny -> ask` | `x ghp_[redacted]` | `catastrophic` |  |\n" + `
Not known:

| tool | rule | in | because |
|---|---|---|---|
` + "| `Bash` | `` Bash(a`b:*) `` | `.gen/settings.json:9` | `a \\| b\\nc` |\n" + `
Assumed: no links
`
	if got := proofOf(t, &proveOptions{comparedOptions: comparedOptions{against: "HEAD"}, format: "markdown"}, aProof()); got != want {
		t.Errorf("prints\n%s\nwant\n%s", got, want)
	}
}

// TestProofTableBounds checks that a comment takes the table of any report.
func TestProofTableBounds(t *testing.T) {
	r := aProof()
	r.Findings[0].Text = strings.Repeat("x", 10*tableCell)
	for len(r.Findings) < 1000 {
		r.Findings = append(r.Findings, r.Findings[0])
	}
	got := proofOf(t, &proveOptions{format: "markdown"}, r)
	if !strings.Contains(got, "\nand 950 more: permgate prove --json has them\n") || len(got) > 60<<10 {
		t.Errorf("%d bytes: %.3000s", len(got), got)
	}
}

// TestProofJSON checks that a call with a secret is not to be made again from what is printed.
func TestProofJSON(t *testing.T) {
	got := proofOf(t, &proveOptions{format: "json"}, aProof())
	var r struct {
		Verdict  string
		Findings []struct{ Input *struct{ Command string } }
	}
	if err := json.Unmarshal([]byte(got), &r); err != nil || r.Verdict != "fails" || len(r.Findings) != 3 {
		t.Fatalf("%v: %s", err, got)
	}
	if r.Findings[0].Input == nil || r.Findings[2].Input != nil {
		t.Errorf("inputs: %s", got)
	}
}

// TestProofHeadings has each answer to each question.
func TestProofHeadings(t *testing.T) {
	for _, c := range []struct {
		o    proveOptions
		want [3]string
	}{
		{proveOptions{comparedOptions: comparedOptions{against: "x"}}, [3]string{"no looser than HEAD", "looser than HEAD", "cannot say whether it is looser than HEAD"}},
		{proveOptions{comparedOptions: comparedOptions{against: "x"}, equivalent: true},
			[3]string{"equivalent to HEAD", "not equivalent to HEAD", "cannot say whether it is equivalent to HEAD"}},
		{proveOptions{never: "Bash(x)"},
			[3]string{"never allowed: Bash(x)", "allowed, though never wanted: Bash(x)", "cannot say whether it is never allowed: Bash(x)"}},
		{proveOptions{always: "Bash(x)"},
			[3]string{"always allowed: Bash(x)", "not always allowed: Bash(x)", "cannot say whether it is always allowed: Bash(x)"}},
	} {
		for v, want := range c.want {
			r := &prove.Report{Verdict: prove.Verdict(v), Other: "HEAD", Assumes: "nothing"}
			if got := proofOf(t, &c.o, r); got != want+"\n\nassumed: nothing\n" {
				t.Errorf("prints %q, want %q", got, want)
			}
		}
	}
}
