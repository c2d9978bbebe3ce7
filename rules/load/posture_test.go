package load_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

func TestPostureKeysTable(t *testing.T) {
	for _, k := range load.PostureKeys {
		var g rules.Posture
		if list := k.Kind == load.PosturePatterns || k.Kind == load.PostureURLs || k.Kind == load.PostureNames || k.Kind == load.PostureRules || k.Kind == load.PostureTools; (g.Setting(k.Name) == nil) != list {
			t.Errorf("%s: no place for it, or one too many", k.Name)
		}
		if k.Doc == "" || k.Example == "" {
			t.Errorf("%s: not documented", k.Name)
		}
		if k.Values != nil && !strings.Contains(strings.Join(k.Values, " "), k.Default) {
			t.Errorf("%s: default %q is no value", k.Name, k.Default)
		}
		p := load.Load(where(), tree(map[string]string{home + "/.gen/permgate.json": fmt.Sprintf("{%q: %s}", k.Name, k.Example)}))
		if k.Idle {
			if p.Faults == nil || p.Faults[0].Closed {
				t.Errorf("%s does nothing, and nothing says so", k.Name)
			}
			continue
		}
		check(t, k.Name+": faults of the example", faults(p, true)+faults(p, false), "")
	}
}

// Every scope may tighten, only user and managed files may loosen.
func TestPostureMerge(t *testing.T) {
	m, u, s, anc := "/etc/gen/permgate.json", home+"/.claude/permgate.json", proj+"/.gen/permgate.json", "/home/.gen/permgate.json"
	for _, k := range load.PostureKeys {
		if k.Values == nil || k.Kind == load.PostureAudit {
			continue
		}
		loose, tight := `"`+k.Values[0]+`"`, `"`+k.Values[1]+`"`
		if k.Kind == load.PostureBool {
			loose, tight = k.Values[0], k.Values[1]
		}
		l, h := k.Values[0], k.Values[1]
		dflt := func(tightened string) string { // what "" means
			if k.Default == h {
				return ""
			}
			return tightened
		}
		cases := []struct {
			files map[string]string
			want  string
		}{
			{nil, ""},
			{map[string]string{s: loose}, ""},
			{map[string]string{anc: loose}, ""},
			{map[string]string{s: tight}, dflt(h)},
			{map[string]string{anc: tight}, dflt(h)},
			{map[string]string{u: loose}, l},
			{map[string]string{m: loose}, l},
			{map[string]string{u: tight}, h},
			{map[string]string{u: loose, s: tight}, h},
			{map[string]string{m: loose, s: tight}, h},
			{map[string]string{m: loose, u: tight}, h},
			{map[string]string{m: tight, u: loose}, h},
			{map[string]string{m: loose, u: loose, s: loose}, l},
			{map[string]string{u: tight, s: loose}, h},
			{map[string]string{u: `"nonsense"`}, dflt(h)},
			{map[string]string{s: "[]"}, dflt(h)},
		}
		for _, c := range cases {
			files := map[string]string{}
			for name, v := range c.files {
				files[name] = fmt.Sprintf("{%q: %s}", k.Name, v)
			}
			p := load.Load(where(), tree(files))
			if got := p.Posture.Setting(k.Name).Value; got != c.want {
				t.Errorf("%s with %v: %q, want %q", k.Name, c.files, got, c.want)
			}
			if k.Default == h && c.files[s] == loose {
				has(t, k.Name, dropped(p), "only user and managed files may loosen")
			}
		}
	}
}

func TestGateHosts(t *testing.T) {
	in := `{"onUnmatched": "ask", "hosts": {"claude": {"onUnmatched": "defer", "subagents": "host"}, "codex": {"catastrophic": "deny", "contentExclusion": ["c"]}}}`
	for _, c := range []struct{ host, want string }{{"claude", "defer host "}, {"codex", "ask  deny"}, {"", "ask  "}, {"gemini", "ask  "}} {
		p := load.Load(where(func(w *load.Where) { w.Host = c.host }), tree(map[string]string{home + "/.gen/permgate.json": in}))
		g := p.Posture
		check(t, c.host, g.OnUnmatched.Value+" "+g.Subagents.Value+" "+g.Catastrophic.Value, c.want)
		if (len(g.ContentExclusion) == 1) != (c.host == "codex") {
			t.Errorf("%s: exclusions %v", c.host, g.ContentExclusion)
		}
	}
	// a project's section can tighten only, too
	p := load.Load(where(func(w *load.Where) { w.Host = "claude" }), tree(map[string]string{proj + "/.gen/permgate.json": in}))
	check(t, "project", p.Posture.OnUnmatched.Value+p.Posture.Subagents.Value, "")
	has(t, "project", dropped(p), "onUnmatched: defer at "+proj+"/.gen/permgate.json:1:60: only user and managed")
}

func TestGateLists(t *testing.T) {
	p := load.Load(where(), tree(map[string]string{
		home + "/.gen/permgate.json":  `{"contentExclusion": ["**/*.pem", "~/.ssh/**"], "urls": {"deny": ["*.example.com", "https://x.test/path"]}}`,
		proj + "/.san/permgate.json":  `{"contentExclusion": ["secret(1)"], "urls": ["domain:y.test"]}`,
		"/home/.claude/permgate.json": `{"contentExclusion": ["up"]}`,
	}))
	check(t, "exclusions", texts(p.Posture.ContentExclusion), "Read(secret(1)) | Read(up) | Read(**/*.pem) | Read(~/.ssh/**)")
	check(t, "urls", texts(p.Posture.URLs), "domain:y.test | *.example.com | https://x.test/path")
	check(t, "faults", faults(p, true)+faults(p, false), "")
}

// Names of folders that a build makes again count from user and managed files alone.
func TestGateNames(t *testing.T) {
	p := load.Load(where(), tree(map[string]string{
		"/etc/gen/permgate.json":     `{"rebuildable": ["gen-out"]}`,
		home + "/.gen/permgate.json": `{"rebuildable": ["out", ".tmp_1"]}`,
		proj + "/.gen/permgate.json": `{"rebuildable": ["src"]}`,
	}))
	got := ""
	for _, s := range p.Posture.Rebuildable {
		got += s.Value + " "
	}
	check(t, "names", got, "gen-out out .tmp_1 ")
	has(t, "dropped", dropped(p), "rebuildable: src at "+proj+"/.gen/permgate.json:1:18: only user and managed")
	for _, bad := range []string{`"a/b"`, `"*"`, `"a*"`, `""`, `".."`, `"."`, `"-x"`, `"a b"`, `7`, `"é"`} {
		p := load.Load(where(), tree(map[string]string{home + "/.gen/permgate.json": `{"rebuildable": [` + bad + `]}`}))
		if faults(p, true) == "" || len(p.Posture.Rebuildable) > 0 {
			t.Errorf("%s: %v, faults %q", bad, p.Posture.Rebuildable, faults(p, true))
		}
	}
}

func TestGateOperatorKeys(t *testing.T) {
	in := `{"classifier": {"command": ["c", "-x", "a\"b" /* c */], "timeoutMs": 500}, "approver": {"command": ["/opt/a"]}, "audit": "full", "expandScripts": true}`
	all := func(g *rules.Posture) string {
		return g.Classifier.Value + g.Approver.Value + g.Audit.Value + g.ExpandScripts.Value
	}
	p := load.Load(where(), tree(map[string]string{home + "/.gen/permgate.json": in}))
	check(t, "user", all(&p.Posture), `{"command":["c","-x","a\"b"],"timeoutMs":500}{"command":["/opt/a"]}fulltrue`)
	p = load.Load(where(), tree(map[string]string{home + "/.gen/permgate.json": in, "/etc/gen/permgate.json": `{"classifier": {"command": ["m"]}}`}))
	check(t, "managed wins", p.Posture.Classifier.Value, `{"command":["m"]}`)
	p = load.Load(where(), tree(map[string]string{proj + "/.gen/permgate.json": in}))
	check(t, "project", all(&p.Posture), "")
	has(t, "dropped", dropped(p), "classifier: ")
}

// TestGateOperatorFaults: a program that cannot be understood is ignored, and closes its file.
func TestGateOperatorFaults(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`"c"`, "classifier takes an object"},
		{`[]`, "classifier takes an object"},
		{`{}`, `classifier has no "command"`},
		{`{"timeoutMs": 500}`, `classifier has no "command"`},
		{`{"command": []}`, "classifier.command takes a list of strings, the program first, not []"},
		{`{"command": "c"}`, "classifier.command takes a list of strings"},
		{`{"command": ["c", 1]}`, "1:34: classifier.command contains a number"},
		{`{"command": [""]}`, "begins with an empty name"},
		{`{"command": [" "]}`, "begins with an empty name"},
		{`{"command": [".."]}`, "begins with a folder"},
		{`{"command": ["./c"]}`, "begins with a relative path"},
		{`{"command": ["bin/c"]}`, "begins with a relative path"},
		{`{"command": ["~/c"]}`, "begins with a relative path"},
		{`{"command": ["c\u0000"]}`, "contains a NUL character"},
		{`{"command": ["c"` + strings.Repeat(`, "x"`, 64) + `]}`, "has more than 64 elements"},
		{`{"command": ["c"], "timeoutMs": 99}`, "timeoutMs takes a whole number from 100 to 600000, not 99"},
		{`{"command": ["c"], "timeoutMs": 600001}`, "timeoutMs takes"},
		{`{"command": ["c"], "timeoutMs": "500"}`, "timeoutMs takes"},
		{`{"command": ["c"], "timeoutMs": 1e3}`, "timeoutMs takes"},
		{`{"command": ["c"], "url": "x"}`, `unknown key "classifier.url"`},
		{`{"command": ["c"], "command": ["d"]}`, `"command" appears twice`},
	} {
		p := load.Load(where(), tree(map[string]string{home + "/.gen/permgate.json": `{"classifier": ` + c.value + `}`}))
		has(t, c.value, faults(p, true), c.want)
		check(t, c.value, p.Posture.Classifier.Value, "")
	}
}

func TestAudit(t *testing.T) {
	const u, s, m = home + "/.gen/permgate.json", proj + "/.gen/permgate.json", "/etc/gen/permgate.json"
	for _, c := range []struct {
		files map[string]string
		want  rules.Audit
		fault string
	}{
		{nil, rules.Audit{Level: "decisions"}, ""},
		{map[string]string{u: `"off"`}, rules.Audit{Level: "off"}, ""},
		{map[string]string{u: `"full"`}, rules.Audit{Level: "full"}, ""},
		{map[string]string{u: `{"level": "full", "maxBytes": 100000, /* a */ "keep": 3}`}, rules.Audit{Level: "full", MaxBytes: 100000, Keep: 3}, ""},
		{map[string]string{u: `{"keep": 3}`}, rules.Audit{Level: "decisions", MaxBytes: 0, Keep: 3}, ""},
		{map[string]string{s: `"off"`}, rules.Audit{Level: "decisions"}, ""},
		{map[string]string{s: `"full"`}, rules.Audit{Level: "decisions"}, ""},
		{map[string]string{u: `"off"`, m: `"decisions"`}, rules.Audit{Level: "decisions"}, ""},
		{map[string]string{u: `"full"`, m: `"off"`}, rules.Audit{Level: "off"}, ""},
		{map[string]string{u: `"off"`, m: `"full", "x": 1, "catastrophic": 1`}, rules.Audit{Level: "full"}, "catastrophic takes"},
		{map[string]string{u: `"full"`, m: `"off", "catastrophic": 1`}, rules.Audit{Level: "full"}, "catastrophic takes"},
		{map[string]string{u: `"of"`}, rules.Audit{Level: "decisions"}, `audit takes "off", "decisions", "full" or an object, not "of"`},
		{map[string]string{u: `false`}, rules.Audit{Level: "decisions"}, "audit takes"},
		{map[string]string{u: `{"level": "none"}`}, rules.Audit{Level: "decisions"}, "audit.level takes"},
		{map[string]string{u: `{"level": "off", "keep": 0}`}, rules.Audit{Level: "decisions"}, "audit.keep takes a whole number from 1 to 100, not 0"},
		{map[string]string{u: `{"level": "off", "maxBytes": 1.5}`}, rules.Audit{Level: "decisions"}, "audit.maxBytes takes"},
		{map[string]string{u: `{"file": "x"}`}, rules.Audit{Level: "decisions"}, `unknown key "audit.file"`},
	} {
		files := map[string]string{}
		for name, v := range c.files {
			files[name] = `{"audit": ` + v + `}`
		}
		p := load.Load(where(), tree(files))
		if got := p.Posture.AuditLevel(); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.files, got, c.want)
		}
		has(t, fmt.Sprint(c.files), faults(p, true), c.fault)
	}
}

// TestHash: the hash tells whether any settings file changed, came or went.
func TestHash(t *testing.T) {
	const u, s = home + "/.gen/settings.json", proj + "/.gen/settings.json"
	seen := map[string]bool{}
	for _, files := range []map[string]string{
		{}, {u: `{}`}, {s: `{}`}, {u: `{}`, s: `{}`}, {u: `{ }`}, {u: `{"permissions":{"allow":["Read"]}}`}, {u: `{`},
	} {
		h := load.Load(where(), tree(files)).Hash()
		if len(h) != 16 || seen[h] || h != load.Load(where(), tree(files)).Hash() {
			t.Errorf("%v: %s", files, h)
		}
		seen[h] = true
	}
}

// expandScripts makes the gate read project files: a project has no say in it,
// and of user and managed files the one that switches it on wins.
func TestGateSwitch(t *testing.T) {
	m, u, s, anc := "/etc/gen/permgate.json", home+"/.claude/permgate.json", proj+"/.gen/permgate.json", "/home/.gen/permgate.json"
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{nil, ""},
		{map[string]string{s: "true"}, ""},
		{map[string]string{anc: "true"}, ""},
		{map[string]string{u: "true"}, "true"},
		{map[string]string{m: "true"}, "true"},
		{map[string]string{u: "false"}, "false"},
		{map[string]string{u: "true", s: "false"}, "true"},
		{map[string]string{m: "true", u: "false"}, "true"},
		{map[string]string{m: "false", u: "true"}, "true"},
		{map[string]string{u: `"yes"`}, "true"},
		{map[string]string{u: `true, "catastrophic": 1`}, "true"},
	} {
		files := map[string]string{}
		for name, v := range c.files {
			files[name] = `{"expandScripts": ` + v + `}`
		}
		p := load.Load(where(), tree(files))
		check(t, fmt.Sprint(c.files), p.Posture.ExpandScripts.Value, c.want)
		if c.files[s] == "true" {
			has(t, "dropped", dropped(p), "only user and managed files may set it")
		}
	}
	p := load.Load(where(func(w *load.Where) { w.Host = "claude" }), tree(map[string]string{u: `{"hosts": {"claude": {"expandScripts": true}}}`}))
	check(t, "host", p.Posture.ExpandScripts.Value, "true")
}

func TestGateFaults(t *testing.T) {
	cases := []struct{ in, closed, open string }{
		{`{"future": 1, "$schema": "x", "// note": ""}`, `unknown key "future": remove it, or upgrade permgate`, ""},
		{`{"future": 1, "later": 2}`, `:1:2: unknown key "future"`, `:1:15: unknown key "later"`}, // one is enough
		{`{"catastrofic": "deny"}`, "unknown key", ""},
		{`{"hosts": {"other": {"future": 1, "$posture": 9}}}`, "", `unknown key "future"`},
		{`{"catastrophi": "deny"}`, `did you mean "catastrophic"`, ""},
		{`{"Catastrophic": "deny"}`, `must be written "catastrophic"`, ""},
		{`{"catastrophic": "dney"}`, `catastrophic takes "ask" or "deny", not "dney"`, ""},
		{`{"enforce": "false"}`, "enforce takes true or false, not a string", ""},
		{`{"deny": ["Read"]}`, `"deny": it belongs in settings.json`, ""},
		{`{"permissions": {"deny": ["Read"]}}`, `"permissions": it belongs in settings.json`, ""},
		{`{"contentExclusion": "x"}`, `"contentExclusion" must be a list of strings`, ""},
		{`{"contentExclusion": [""]}`, "empty pattern", ""},
		{`{"urls": {"ask": []}}`, `allow and deny are known`, ""},
		{`{"urls": ["https://"]}`, `"" is no host`, ""},
		{`{"urls": {"allow": ["h.test/a*b/*"]}}`, "* in a path is understood only at its end", ""},
		{`{"urls": ["h.test/a*b/*"]}`, "", "* in a path is understood only at its end"},
		{`{"hosts": []}`, `"hosts" must be an object`, ""},
		{`{"hosts": {"claude": 1}}`, `"hosts" must contain an object for every host`, ""},
		{`{"enforce": false, "enforce": true}`, `"enforce" appears twice`, ""},
		{`{"enforce": false`, "ends too early", ""},
	}
	for _, c := range cases {
		p := load.Load(where(), tree(map[string]string{home + "/.gen/permgate.json": c.in}))
		has(t, c.in, faults(p, true), c.closed)
		has(t, c.in, faults(p, false), c.open)
		if p.Posture.Enforce.Value == "false" {
			t.Errorf("%s: a file with a fault loosens", c.in)
		}
	}
	// what restricts is taken from a broken file
	p := load.Load(where(), tree(map[string]string{proj + "/.gen/permgate.json": `{"catastrophic": "deny", "contentExclusion": ["x"], "subagents": "host",`}))
	check(t, "broken", p.Posture.Catastrophic.Value+texts(p.Posture.ContentExclusion)+p.Posture.Subagents.Value, "denyRead(x)")
}

// TestGateNumber: the file that counts most has the word, a project's has none, and
// what is no number closes its file.
func TestGateNumber(t *testing.T) {
	const m, u, s = "/etc/gen/permgate.json", home + "/.gen/permgate.json", proj + "/.gen/permgate.json"
	for _, c := range []struct {
		files map[string]string
		want  int
		fault string
	}{
		{nil, 3, ""},
		{map[string]string{u: "1"}, 1, ""},
		{map[string]string{u: "100"}, 100, ""},
		{map[string]string{u: "1", m: "7"}, 7, ""},
		{map[string]string{s: "1"}, 3, ""},
		{map[string]string{u: "0"}, 3, "autoDenials takes a whole number from 1 to 100, not 0"},
		{map[string]string{u: "101"}, 3, "not 101"},
		{map[string]string{u: "2.0"}, 3, "not 2.0"},
		{map[string]string{u: `"2"`}, 3, "takes a whole number"},
		{map[string]string{u: "-1"}, 3, "takes a whole number"},
	} {
		files := map[string]string{}
		for name, v := range c.files {
			files[name] = `{"autoDenials": ` + v + `}`
		}
		p := load.Load(where(), tree(files))
		if got := load.Number(&p.Posture, "autoDenials"); got != c.want {
			t.Errorf("%v: %d, want %d", c.files, got, c.want)
		}
		has(t, fmt.Sprint(c.files), faults(p, true), c.fault)
		if c.files[s] != "" {
			has(t, "dropped", dropped(p), "autoDenials: 1")
		}
	}
}
