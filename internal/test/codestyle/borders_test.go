package codestyle

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// borders says for each package of the two folders that analyse and decide which others of its folder it imports.
// Every package knows only those above it in the list, and those of bashsafety no other package of the program.
var borders = []struct {
	pkg     string
	imports []string
}{
	{"bashsafety/shell", nil},
	{"bashsafety/crosscheck", []string{"shell"}},
	{"bashsafety/commands/lang", []string{"shell"}},
	{"bashsafety/code", []string{"shell"}},
	{"bashsafety/commands", []string{"code", "commands/lang", "shell"}},
	{"bashsafety/analysis", []string{"code", "commands", "commands/lang", "crosscheck", "shell"}},
	{"bashsafety/powershell", []string{"analysis", "commands", "shell"}},
	{"bashsafety/words", []string{"analysis", "commands", "crosscheck", "shell"}},
	{"bashsafety/interp", []string{"analysis", "commands", "crosscheck", "powershell", "shell", "words"}},
	{"bashsafety/remote", []string{"analysis", "code", "commands", "commands/lang", "shell"}},
	{"bashsafety/checks", []string{"analysis", "code", "commands", "commands/lang", "powershell", "remote", "shell"}},
	{"bashsafety", []string{"analysis", "checks", "commands", "commands/lang", "crosscheck", "interp", "shell"}},
	{"decide/world/archive", nil},
	{"decide/world", []string{"world/archive"}},
	{"decide/repo", []string{"world"}},
	{"decide/say", nil},
	{"decide/guard", []string{"repo", "say", "world"}},
	{"decide/loss", []string{"repo", "world"}},
	{"decide/benign", nil},
	{"decide/internal/verdict", []string{"loss", "say"}},
	{"decide/facts", []string{"guard", "repo", "say", "world"}},
	{"decide/auto", []string{"benign", "facts", "guard", "internal/verdict", "say"}},
	{"decide/internal/words", []string{"facts", "internal/verdict", "loss", "say"}},
	{"decide/internal/proofs", []string{"benign", "facts", "guard", "internal/verdict", "say", "world"}},
	{"decide/internal/deny", []string{"auto", "facts", "internal/verdict", "internal/words", "say"}},
	{"decide/internal/asks", []string{"auto", "facts", "guard", "internal/verdict", "internal/words", "say", "world"}},
	{"decide/internal/lifts", []string{"auto", "facts", "internal/asks", "internal/verdict", "say", "world"}},
	{"decide/internal/host", []string{"facts", "internal/asks", "internal/lifts", "internal/proofs", "internal/verdict", "say", "world"}},
	{"decide", []string{"auto", "facts", "internal/asks", "internal/deny", "internal/host", "internal/lifts", "internal/proofs",
		"internal/verdict", "internal/words", "say", "world"}},
}

// TestBorders keeps the arrows between the packages as they are listed.
func TestBorders(t *testing.T) {
	found, s := map[string][]string{}, theSource(t)
	for _, top := range []string{"bashsafety", "decide"} {
		for _, f := range s.below(top) {
			pkg := path.Dir(f.name)
			all := found[pkg]
			for _, imported := range f.imports() {
				own, ok := strings.CutPrefix(imported, module+"/")
				if ok && (top == "bashsafety" || strings.HasPrefix(own, top+"/")) {
					all = append(all, strings.TrimPrefix(own, top+"/"))
				}
			}
			slices.Sort(all)
			found[pkg] = slices.Compact(all)
		}
	}
	var above []string
	for _, b := range borders {
		top, _, _ := strings.Cut(b.pkg, "/")
		for _, to := range b.imports {
			if !slices.Contains(above, top+"/"+to) {
				t.Errorf("the list lets %s import %s, which is not above it", b.pkg, to)
			}
		}
		above = append(above, b.pkg)
		if got, ok := found[b.pkg]; !ok || !slices.Equal(got, b.imports) {
			t.Errorf("%s imports %v, the list says %v", b.pkg, got, b.imports)
		}
		delete(found, b.pkg)
	}
	for pkg := range found {
		t.Errorf("%s is not in the list", pkg)
	}
}

// TestImports checks the arrows of docs/architecture.md: what a package, or with /... each below it, does not need.
func TestImports(t *testing.T) {
	needs := map[string][]string{}
	for _, p := range packages(t) {
		if dir, own := p.own(); own {
			needs[dir] = append(p.Deps, p.ImportPath)
		}
	}
	for _, tt := range []struct {
		pkg     string
		without []string
	}{
		{"./hookio", []string{"permgate/rules", "permgate/bashsafety", "permgate/decide", "permgate/internal/"}},
		{"./rules", []string{"permgate/rules/load", "permgate/hookio", "permgate/bashsafety", "permgate/decide", "permgate/internal/"}},
		{"./rules/...", []string{"permgate/hookio", "permgate/bashsafety", "permgate/decide", "permgate/internal/"}},
		{"./bashsafety", []string{"permgate/hookio", "permgate/rules", "permgate/decide", "permgate/internal/", "mvdan.cc/sh/v3/expand", "mvdan.cc/sh/v3/interp"}},
		{"./hookio/redact", []string{"permgate/hookio", "permgate/rules", "permgate/bashsafety", "permgate/decide", "permgate/internal/"}},
		{"./decide", []string{"permgate/internal/"}},
		{"./internal/gate/scripts", []string{"permgate/hookio", "permgate/decide", "permgate/internal/gate", "permgate/internal/cli", "permgate/internal/gate/disk"}},
		{"./internal/gate/log", []string{"permgate/internal/gate", "permgate/internal/cli", "permgate/internal/gate/disk"}},
		{"./internal/policy/profile", []string{"permgate/internal/cli", "permgate/internal/gate", "permgate/internal/gate/disk", "permgate/hookio", "permgate/decide", "permgate/bashsafety"}},
		{"./internal/schema", []string{"permgate/internal/gate", "permgate/internal/cli", "permgate/decide", "permgate/bashsafety", "github.com/santhosh-tekuri/"}},
		{"./internal/test/complete", []string{"permgate/internal/cli", "permgate/hookio", "permgate/rules"}},
		{"./internal/policy/importer", []string{"permgate/internal/gate", "permgate/internal/cli", "permgate/internal/term"}},
		{"./internal/policy/lint", []string{"permgate/internal/cli", "permgate/internal/agents", "permgate/internal/propose", "permgate/internal/term"}},
		{"./internal/policy/policytest", []string{"permgate/internal/cli", "permgate/internal/edit", "permgate/internal/policy/lint"}},
		{"./internal/gate/trust", []string{"permgate/hookio", "permgate/bashsafety", "permgate/decide", "permgate/internal/gate", "permgate/internal/gate/disk", "permgate/internal/edit"}},
		{"./internal/edit", []string{"permgate/hookio", "permgate/rules", "permgate/decide", "permgate/internal/gate", "permgate/internal/gate/disk"}},
		{"./internal/propose", []string{"permgate/internal/gate", "permgate/internal/cli", "permgate/internal/gate/disk", "permgate/internal/edit"}},
		{"./internal/explain", []string{"permgate/internal/cli", "permgate/internal/policy/", "permgate/internal/edit"}},
		{"./internal/try", []string{"permgate/internal/cli", "permgate/internal/cli/subcmd", "permgate/internal/edit", "permgate/internal/gate/hook",
			"os/exec", "net/http", "github.com/klauspost/"}},
		{"./internal/policy/recommend", []string{"permgate/internal/cli", "permgate/internal/agents", "permgate/internal/term"}},
		{"./internal/policy/replay", []string{"permgate/internal/cli", "permgate/internal/edit", "permgate/internal/policy/lint"}},
		{"./internal/bench", []string{"permgate/internal/cli", "permgate/internal/edit"}},
		{"./internal/report", []string{"permgate/internal/cli", "permgate/internal/edit"}},
		{"./internal/cli/subcmd", []string{"permgate/internal/cli", "permgate/internal/cli/hosts", "permgate/internal/cli/verify", "permgate/internal/policy/"}},
		{"./internal/cli/hosts", []string{"permgate/internal/cli", "permgate/internal/cli/verify"}},
		{"./internal/cli/verify", []string{"permgate/internal/cli", "permgate/internal/cli/hosts"}},
		{"./internal/gate/...", []string{"permgate/internal/cli", "permgate/internal/policy/", "permgate/internal/agents", "permgate/internal/edit"}},
		{"./internal/policy/...", []string{"permgate/internal/cli", "permgate/internal/term", "permgate/internal/test/"}},
		{"./internal/gate", []string{"permgate/internal/gate/hook"}},
		{".", []string{"html/template", "text/template", "encoding/xml", "net/http", "crypto/sha256", "crypto/rand"}},
	} {
		name, all := strings.CutSuffix(path.Clean(tt.pkg), "/...")
		tried := 0
		for dir, deps := range needs {
			if dir != name && !(all && strings.HasPrefix(dir, name+"/")) {
				continue
			}
			tried++
			for _, dep := range deps {
				dep = strings.Replace(dep, module+"/", "permgate/", 1)
				if slices.ContainsFunc(tt.without, func(bad string) bool {
					return dep == bad || strings.HasSuffix(bad, "/") && strings.HasPrefix(dep, bad)
				}) {
					t.Errorf("%s imports %s", dir, dep)
				}
			}
		}
		if tried == 0 {
			t.Errorf("there is no package %s", tt.pkg)
		}
	}
}

// TestDiskThroughWorld: the disk is asked by world alone; everything else asks world.
func TestDiskThroughWorld(t *testing.T) {
	s := theSource(t)
	for _, f := range s.below("decide") {
		if strings.HasPrefix(f.name, "decide/world/") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && asksDisk(s) {
				t.Errorf("%s: %s is for world: ask it", f.name, s.Sel.Name)
			}
			return true
		})
		for _, at := range f.imports() {
			if at == "os" || path.Base(at) == "disk" {
				t.Errorf("%s imports %s", f.name, at)
			}
		}
	}
}

// asksDisk reports whether a selector is the disk, or what follows its symlinks.
func asksDisk(s *ast.SelectorExpr) bool {
	if x, ok := s.X.(*ast.Ident); ok && x.Name == "load" {
		return s.Sel.Name == "Follow" || s.Sel.Name == "Resolve"
	}
	return s.Sel.Name == "FS"
}
