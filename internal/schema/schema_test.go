package schema

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/test/golden"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

//go:generate go test . -run ^TestCopies$ -update

// files are the two schemas, and the committed copies of them.
var files = [...]struct {
	copy string
	text func() []byte
}{{"permgate.schema.json", Gate}, {"settings.schema.json", Settings}}

// TestCopies checks that docs/schema is what "permgate schema" prints.
func TestCopies(t *testing.T) {
	for _, f := range files {
		golden.File(t, filepath.Join("..", "..", "docs", "schema", f.copy), string(f.text()))
	}
}

// compile returns a schema, checked against the schema of schemas.
func compile(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("mem:///schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// conforms reports what a schema finds wrong with the text of a settings file.
func conforms(s *jsonschema.Schema, text string) error {
	plain, err := hujson.Standardize([]byte(text))
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(plain))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// faults returns what the reader finds wrong with the same text.
func faults(name, text string) []rules.Fault {
	fs := fakefs.New(map[string]string{"/home/u/.gen/" + name: text})
	fs.Mkdir("/home/u/app/.git")
	fs.Own("/home/u", 1000)
	p := load.Load(load.Where{Cwd: "/home/u/app", Home: "/home/u", PasswdHome: "/home/u", UID: 1000, Roots: []string{".gen"}}, fs)
	out := p.Faults
	for _, d := range p.Dropped { // grants of a shape that is not known
		out = append(out, rules.Fault{Pos: d.Pos, Msg: d.Why})
	}
	return out
}

// TestExamples checks that every key's own example conforms, in every place
// where the key may be, and is what the reader takes without complaint.
func TestExamples(t *testing.T) {
	gate, settings := compile(t, Gate()), compile(t, Settings())
	try := func(s *jsonschema.Schema, name, text string) {
		t.Helper()
		if err := conforms(s, text); err != nil {
			t.Errorf("%s: %s: %v", name, text, err)
		}
		if f := faults(name, text); len(f) > 0 && !strings.Contains(f[0].Msg, "has no effect yet") {
			t.Errorf("%s: %s: %s", name, text, f[0].Msg)
		}
	}
	for i := range load.PostureKeys {
		k := &load.PostureKeys[i]
		member := `"` + k.Name + `": ` + k.Example
		try(gate, "permgate.json", "{"+member+"}")
		try(gate, "permgate.json", `{"$schema": "x", "hosts": {"claude": {`+member+"}}}")
		for _, v := range k.Values {
			if k.Kind == load.PostureWord {
				try(gate, "permgate.json", `{"`+k.Name+`": "`+v+`"}`)
			}
		}
	}
	for i := range load.Switches {
		s := &load.Switches[i]
		try(settings, "settings.json", `{"`+s.Name+`": true, "permissions": {"`+s.Name+`": false}}`)
		if s.Lock {
			try(settings, "settings.json", `{"`+s.Name+`": "disable"}`)
		}
	}
	for _, k := range load.PermissionKeys {
		try(settings, "settings.json", `{"permissions": {"`+k.Name+`": `+k.Example+`}}`)
	}
	for _, k := range rules.AutoKeys {
		try(settings, "settings.json", `{"autoMode": {"`+k.Name+`": `+k.Example+`}, "model": "x"}`)
	}
	for i := range rules.Modes {
		try(settings, "settings.json", `{"permissions": {"defaultMode": "`+rules.Modes[i].Name+`"}}`)
	}
	for _, tool := range rules.Tools {
		try(settings, "settings.json", `{"permissions": {"allow": ["`+tool+`"]}}`)
	}
}

// broken are files with one mistake, which the reader reports and an editor
// therefore has to mark.
var broken = []struct{ name, text string }{
	{"permgate.json", `{"catastrophic": "denied"}`},
	{"permgate.json", `{"catastrofic": "deny"}`},
	{"permgate.json", `{"hosts": {"claude": {"catastrofic": "deny"}}}`},
	{"permgate.json", `{"hosts": []}`},
	{"permgate.json", `{"hosts": {"claude": true}}`},
	{"permgate.json", `{"enforce": "false"}`},
	{"permgate.json", `{"expandScripts": 1}`},
	{"permgate.json", `{"contentExclusion": "*.pem"}`},
	{"permgate.json", `{"contentExclusion": [""]}`},
	{"permgate.json", `{"contentExclusion": [1]}`},
	{"permgate.json", `{"rebuildable": "out"}`},
	{"permgate.json", `{"rebuildable": ["a/b"]}`},
	{"permgate.json", `{"rebuildable": [".."]}`},
	{"permgate.json", `{"urls": {"ask": ["a.example"]}}`},
	{"permgate.json", `{"urls": [""]}`},
	{"permgate.json", `{"audit": {"level": "all"}}`},
	{"permgate.json", `{"autoDenials": 0}`},
	{"permgate.json", `{"autoDenials": 101}`},
	{"permgate.json", `{"autoDenials": "3"}`},
	{"permgate.json", `{"autoDenials": 2.5}`},
	{"permgate.json", `{"classifier": "my-classifier"}`},
	{"permgate.json", `{"classifier": {"command": []}}`},
	{"permgate.json", `{"classifier": {"command": ["c", 1]}}`},
	{"permgate.json", `{"classifier": {"timeoutMs": 3000}}`},
	{"permgate.json", `{"approver": {"command": ["c"], "timeoutMs": 50}}`},
	{"permgate.json", `{"approver": {"command": ["c"], "url": "x"}}`},
	{"permgate.json", `{"audit": {"keep": 0}}`},
	{"permgate.json", `{"audit": {"keep": 101}}`},
	{"permgate.json", `{"audit": {"maxBytes": 10}}`},
	{"permgate.json", `{"audit": {"size": 10}}`},
	{"permgate.json", `{"permissions": {"allow": []}}`},
	{"permgate.json", `{"rules": {"deny": "Read"}}`},
	{"permgate.json", `{"rules": ["Read"]}`},
	{"permgate.json", `{"rules": [{"match": ["x"]}]}`},
	{"permgate.json", `{"rules": [{"deny": "Read", "ask": "Read"}]}`},
	{"permgate.json", `{"rules": [{"deny": ["Read"]}]}`},
	{"permgate.json", `{"rules": [{"deny": "Read", "match": "x"}]}`},
	{"permgate.json", `{"rules": [{"deny": "Read", "not_match": [1]}]}`},
	{"permgate.json", `{"rules": [{"deny": "Read", "reason": "x"}]}`},
	{"permgate.json", `{"hosts": {"claude": {"rules": [{"allow": "Bash("}]}}}`},
	{"permgate.json", `[]`},
	{"settings.json", `[]`},
	{"settings.json", `{"permissions": []}`},
	{"settings.json", `{"permissions": {"allow": "Bash"}}`},
	{"settings.json", `{"permissions": {"allow": [1]}}`},
	{"settings.json", `{"permissions": {"allow": ["Bash(git push"]}}`},
	{"settings.json", `{"permissions": {"allow": ["Bash()"]}}`},
	{"settings.json", `{"permissions": {"allow": ["Bash( )"]}}`},
	{"settings.json", `{"permissions": {"allow": ["*"]}}`},
	{"settings.json", `{"permissions": {"allow": ["Bash git push"]}}`},
	{"settings.json", `{"permissions": {"allow": [""]}}`},
	{"settings.json", `{"permissions": {"deny": ["Read(.env) now"]}}`},
	{"settings.json", `{"permissions": {"ask": ["Bash:rm"]}}`},
	{"settings.json", `{"permissions": {"additionalDirectories": ["../a", true]}}`},
	{"settings.json", `{"permissions": {"defaultMode": 1}}`},
	{"settings.json", `{"disableAutoMode": "yes"}`},
	{"settings.json", `{"blockReadsOutsideWorkingDirectories": "disable"}`},
	{"settings.json", `{"autoMode": {"hard_deny": "Bash"}}`},
}

func TestBroken(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{"permgate.json": compile(t, Gate()), "settings.json": compile(t, Settings())}
	for _, b := range broken {
		if conforms(schemas[b.name], b.text) == nil {
			t.Errorf("%s: no complaint about %s", b.name, b.text)
		}
		if len(faults(b.name, b.text)) == 0 {
			t.Errorf("%s: the reader has no complaint about %s", b.name, b.text)
		}
	}
}

// TestScripts holds every settings file of testdata/script against the schema:
// what the reader takes conforms, and what does not conform the reader reports.
func TestScripts(t *testing.T) {
	gate, settings := compile(t, Gate()), compile(t, Settings())
	names, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatal("no scripts", err)
	}
	seen := 0
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			s, as := settings, "settings.json"
			switch base := filepath.Base(f.Name); {
			case base == "permgate.json":
				s, as = gate, base
			case !strings.HasPrefix(base, "settings") || !strings.HasSuffix(base, ".json"):
				continue
			}
			seen++
			if err := conforms(s, string(f.Data)); err != nil && len(faults(as, string(f.Data))) == 0 {
				t.Errorf("%s: %s: %v", filepath.Base(name), f.Name, err)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d settings files were looked at", seen)
	}
}
