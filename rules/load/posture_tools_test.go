package load_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// toolLists are the lists of a policy, each with the scope and place it is from.
func toolLists(p *rules.Policy) string {
	var out []string
	for _, l := range p.Tools {
		out = append(out, l.Scope.String()+" "+texts(l.Rules))
	}
	return strings.Join(out, "; ")
}

func TestTools(t *testing.T) {
	user, project, above := home+"/.claude/permgate.json", proj+"/.gen/permgate.json", "/home/.gen/permgate.json"
	for _, c := range []struct {
		name         string
		files        map[string]string
		host         string
		want         string
		closed, open string
	}{
		{name: "none", files: map[string]string{user: `{}`}},
		{name: "each file has its own", files: map[string]string{user: `{"tools": ["Bash", "Read"]}`, project: `{"tools": ["Read"]}`, above: `{"tools": ["Edit"]}`},
			want: "shared Read; shared Edit; user Bash | Read"},
		{name: "empty", files: map[string]string{project: `{"tools": []}`}, want: "shared "},
		{name: "wildcards as in deny", files: map[string]string{user: `{"tools": ["mcp__*", "mcp__git*__get", "*"]}`}, want: "user mcp__* | mcp__git*__get | *"},
		{name: "a section", files: map[string]string{user: `{"tools": ["Bash"], "hosts": {"claude": {"tools": ["Read"]}, "gen": {"tools": ["Edit"]}}}`}, host: "claude",
			want: "user Bash; user Read"},
		{name: "no list", files: map[string]string{user: `{"tools": {"allow": ["Bash"]}}`}, want: "user ", closed: `"tools" must be a list of strings, not an object`},
		{name: "a string", files: map[string]string{user: `{"tools": "Bash"}`}, want: "user Bash", closed: `"tools" must be a list of strings, not a string`},
		{name: "a number in it", files: map[string]string{user: `{"tools": ["Bash", 1]}`}, want: "user Bash", closed: `"tools" must contain only strings, not a number`},
		{name: "malformed", files: map[string]string{user: `{"tools": ["Read", "Bash(git"]}`}, want: "user Read", open: "the closing parenthesis is missing"},
		{name: "broken file", files: map[string]string{user: `{"tools": ["Read"], `}, want: "user Read", closed: "not valid JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := where()
			w.Host = c.host
			p := load.Load(w, tree(c.files))
			check(t, "tools", toolLists(p), c.want)
			has(t, "closed faults", faults(p, true), c.closed)
			has(t, "open faults", faults(p, false), c.open)
		})
	}
	long := `{"tools": ["Bash(` + strings.Repeat("x*", 16<<10) + `)"]}`
	if !load.Load(where(), tree(map[string]string{project: long})).Many || load.Load(where(), tree(map[string]string{user: long})).Many {
		t.Error("what comparing a list of a project costs is not counted, or one of the user's is")
	}
	w := where()
	w.Tools = []string{"Read,Bash(git:*)"}
	check(t, "flag", toolLists(load.Load(w, tree(map[string]string{user: `{"tools": ["Read"]}`}))), "user Read; flag Read | Bash(git:*)")
}
