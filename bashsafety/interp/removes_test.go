package interp_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// TestRemoves: what is a plain removal, and of what. The first recursive removal of the text is meant.
func TestRemoves(t *testing.T) {
	script := func(ref commands.ScriptRef) []analysis.ScriptText {
		if ref.Runner != "npm" {
			return nil
		}
		return []analysis.ScriptText{{Origin: analysis.Origin{Name: "npm run " + strings.Join(ref.Names, " ")}, Text: "rm -rf dist", Dir: "/w"}}
	}
	for text, want := range map[string]string{
		"rm -rf dist":                "/w/dist",
		"rm -r -- a b/":              "/w/a /w/b",
		"/bin/rm -rf dist":           "/w/dist",
		"timeout 9 rm -rf dist":      "/w/dist",
		"cd web && rm -rf dist":      "/w/web/dist",
		"cd web; rm -rf dist":        "/w/web/dist /w/dist",
		`rm -rf "$PWD/dist"`:         "/w/dist",
		"rm -rf dist/*":              "/w/dist/*",
		"rm -rf {a,b}/dist":          "/w/a/dist /w/b/dist",
		"x=dist; rm -rf $x":          "/w/dist",
		"(rm -rf dist)":              "/w/dist",
		"npm run clean":              "/w/dist",
		"rm -rf dist/*/":             "",
		"rm -rf $x":                  "",
		"rm -rf dist $x":             "",
		"rm -rf dist /dev/null":      "",
		"rm -$x dist; rm -rf $y":     "",
		"A=1 rm -rf dist":            "",
		"PATH=/x; rm -rf dist":       "",
		"sudo rm -rf dist":           "",
		"ls | xargs rm -rf dist":     "/w/dist \x00",
		"find . -exec rm -rf dist ;": "/w/dist",
		"sh -c 'rm -rf dist'":        "",
		"eval rm -rf dist":           "",
		"$(rm -rf dist)":             "",
		"f() { rm -rf dist; }; f":    "",
		"./rm -rf dist":              "",
		"docker exec c rm -rf dist":  "",
		"sudo npm run clean":         "",
		"rm -rf <(ls)":               "",
	} {
		s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/home/u", Script: script})
		got := "no finding"
		for _, f := range s.Findings {
			if f.Check.Trees {
				targets, ok := s.Removes(f.Sub)
				if got = ""; ok {
					var paths []string
					for _, e := range targets {
						paths = append(paths, e.Path)
					}
					got = strings.Join(paths, " ")
				}
				break
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestPuts: what counts as put somewhere before the removal, and what comes after it for certain.
func TestPuts(t *testing.T) {
	scripts := map[string]string{"clean": "rm -rf dist", "again": "rm -rf dist; mv src dist", "move": "mv src dist", "deep": "npm run move"}
	script := func(ref commands.ScriptRef) []analysis.ScriptText {
		text, ok := scripts[strings.Join(ref.Names, " ")]
		if !ok {
			return nil
		}
		return []analysis.ScriptText{{Origin: analysis.Origin{Name: "npm run " + ref.Names[0]}, Text: text, Dir: "/w"}}
	}
	for text, want := range map[string]bool{
		"rm -rf dist":                                       false,
		"mkdir dist; rm -rf dist":                           true,
		"mv src dist && rm -rf dist":                        true,
		"git checkout x && rm -rf dist":                     true,
		"python3 -c 'f()'; rm -rf dist":                     false,
		"ls > out; rm -rf dist":                             true,
		"npm ci && rm -rf dist":                             false,
		"rm -rf old && rm -rf dist":                         false,
		"rm -rf dist && mkdir dist && cp -r a dist":         false,
		"rm -rf dist; while :; do mv src dist; done":        false,
		"while :; do rm -rf dist; mv src dist; done":        true,
		"for x in a b; do rm -rf dist; mv $x dist; done":    true,
		"(sleep 1; rm -rf dist) & mv src dist":              true,
		"rm -rf dist & mv src dist":                         true,
		"rm -rf dist | mv src dist":                         true,
		"rm -rf dist $(mv src dist)":                        true,
		"{ rm -rf dist; }; mv src dist":                     false,
		"npm run clean":                                     false,
		"npm run clean && mv src dist":                      true,
		"npm run again":                                     false,
		"npm run again && npm run again":                    true,
		"while :; do npm run again; done":                   true,
		"npm run deep && rm -rf dist":                       true,
		"npm run deep && npm run clean":                     true,
		"npm run clean && npm run deep":                     true,
		"if rm -rf dist; then mv src dist; fi":              false,
		"trap 'mv src dist' EXIT; rm -rf dist; touch /tmp/": true,
	} {
		s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/home/u", Script: script})
		got, found := false, false
		for _, f := range s.Findings {
			if f.Check.Trees {
				found = true
				got = got || len(s.Puts(f.Sub)) > 0
			}
		}
		if !found || got != want {
			t.Errorf("%s: %v, want %v (found %v)", text, got, want, found)
		}
	}
}
