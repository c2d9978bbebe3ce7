package codestyle

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rogues are ways to decide past the order of decide.Decide, written in package decide. None of them compiles.
var rogues = map[string]string{
	"a verdict by a literal":            `func rogue() Verdict { return Verdict{Verdict: verdict.Verdict{decision: hookio.Allow}} }`,
	"a decision that is set":            `func rogue(v Verdict) Verdict { v.decision = hookio.Allow; return v }`,
	"a decision that is assigned":       `func rogue(v Verdict) { v.Decision() = hookio.Allow }`,
	"an allow by a literal":             `func rogue(r verdict.Reason) verdict.Allowed[verdict.Rules] { return verdict.Allowed[verdict.Rules]{why: &r} }`,
	"an allow without a grant":          `func rogue(r verdict.Reason) verdict.Allowed[verdict.Rules] { return verdict.allow[verdict.Rules]("", r) }`,
	"a grant of another step":           `func rogue(r verdict.Reason) verdict.Allowed[verdict.Session] { return verdict.ByRules(r) }`,
	"an allow that is converted":        `func rogue(c *Case) verdict.Allowed[verdict.Rules] { return verdict.Allowed[verdict.Rules](stepSession(c)) }`,
	"a step of its own":                 `type mine struct{}; func rogue() verdict.Verdict { return verdict.Granted(verdict.Allowed[mine]{}) }`,
	"a changed grant":                   `func rogue() { verdict.ByRules = nil }`,
	"an asking step that allows":        `var rogue func(*Case) []verdict.Question = stepAllow`,
	"a denying step that allows":        `var rogue func(*Case) verdict.Denial = stepAllow`,
	"steps that are swapped":            `func rogue(c *Case) { var a verdict.Allowed[verdict.Bypass] = stepSession(c); _ = a }`,
	"a question that is granted":        `func rogue(q verdict.Question) verdict.Verdict { return verdict.Granted(q) }`,
	"a denial that is granted":          `func rogue(d verdict.Denial) verdict.Verdict { return verdict.Granted(d) }`,
	"a denial that is lifted":           `func rogue(c *Case, d verdict.Denial) verdict.Asked { return verdict.Standing(c, []verdict.Denial{d}, lifts, 0) }`,
	"a denial that is open":             `func rogue(v verdict.Verdict) verdict.Open { return verdict.Open{v} }`,
	"a denial that is withdrawn":        `func rogue(d verdict.Denial, q verdict.Question) verdict.Open { return verdict.Withdrawn(d, q) }`,
	"a denial that is answered":         `func rogue(v verdict.Verdict, r verdict.Reason) verdict.Verdict { return v.AnsweredYes(verdict.ByApprover(r), say.Approval{}) }`,
	"a denial that is approved":         `func rogue(c *Case, d verdict.Denial) { stepApprover(c, d) }`,
	"a denial that is a question":       `func rogue(d verdict.Denial) verdict.Question { return verdict.Question(d) }`,
	"step 8 that allows":                `func rogue(v verdict.Open, r verdict.Reason) verdict.Open { return v.DeniedUnasked(verdict.ByRules(r)) }`,
	"a rule that answers step 8":        `func rogue(v verdict.Open, r verdict.Reason) verdict.Verdict { return v.AnsweredYes(verdict.ByRules(r), say.Approval{}) }`,
	"a question that is undone":         `func rogue(q *verdict.Question) { q.why = nil }`,
	"a question that is opened":         `func rogue(q *verdict.Question) { q.of = finding{} }`,
	"questions that are forgotten":      `func rogue(a *verdict.Asked) { a.all = nil }`,
	"a lift of another kind":            `var rogue = verdict.NewLift[finding]("x", func(*Case, doubt) bool { return true })`,
	"a lift that a step asks":           `func rogue(c *Case) bool { return lifts()[0].holds(c, finding{}) }`,
	"lifts that are replaced":           `func rogue() { lifts = nil }`,
	"an order that is replaced":         `func rogue() { Decide = nil }`,
	"a denial that is changed in place": `func rogue(d verdict.Denial) { d.why.Managed = false }`,
	"a fault that is forgotten":         `func rogue(v Verdict) Verdict { v.faulted = false; return v }`,
	"a handback of any denial":          `func rogue(d *verdict.Denial, a verdict.Asked) { d.kept = a }`,
}

// TestRogues: what a step may say is held by the compiler, and what that leaves open by the names that it needs.
func TestRogues(t *testing.T) {
	fine := map[string]string{
		"a question":   `func fine(c *Case, u *unit) verdict.Question { return verdict.Ask(verdict.Secret, secretRead{u}, func() verdict.Reason { return unknown }) }`,
		"a decision":   `func fine(v Verdict) bool { return v.Decision() == hookio.Allow }`,
		"a rule's":     `func fine(r verdict.Reason) verdict.Allowed[verdict.Rules] { return verdict.ByRules(r) }`,
		"a new denial": `func fine(r verdict.Reason) verdict.Denial { return verdict.Deny(r) }`,
	}
	all := rooms(t)
	broken := all[len(all)-1].refused(t, rogues, fine)
	for name := range rogues {
		if !slices.Contains(broken, name) {
			t.Errorf("%s compiles: %s", name, rogues[name])
		}
	}
	for name := range fine {
		if slices.Contains(broken, name) {
			t.Errorf("%s does not compile: %s", name, fine[name])
		}
	}
	own := all[len(all)-1]
	for id, o := range own.info.Uses {
		if o.Pkg() == nil || !strings.HasSuffix(o.Pkg().Path(), "/internal/verdict") {
			continue
		}
		file := path.Base(own.fset.Position(id.Pos()).Filename)
		if want := only[o.Name()]; want != "" && want != file {
			t.Errorf("%s has %s, which is for %s", file, o.Name(), want)
		}
		for k := range own.info.Instances[id].TypeArgs.Len() {
			if arg := own.info.Instances[id].TypeArgs.At(k); o.Name() == "NewLift" && types.IsInterface(arg) {
				t.Errorf("%s makes a lift for evidence of any kind", file)
			}
		}
	}
	for _, f := range theSource(t).below("decide") {
		if slices.Contains(f.imports(), "unsafe") {
			t.Errorf("%s imports unsafe", f.name)
		}
	}
}

// only are the names of package verdict that the compiler lets all of decide use, and the one file that each is for.
var only = map[string]string{
	"NewLift": "lifts.go", "Standing": "decide.go", "Granted": "decide.go", "Withdrawn": "decide.go", "DeniedUnasked": "decide.go",
	"AnsweredYes": "decide.go", "AnsweredNo": "decide.go", "ByApprover": "step8_headless.go", "Refuse": "step7_mode.go",
}

// refused are the names of those functions with which a room does not compile, each in a file of its own.
func (r *room) refused(t *testing.T, groups ...map[string]string) (names []string) {
	t.Helper()
	own, n := regexp.MustCompile(`\b(rogue|fine|mine)\b`), 0
	files := slices.Clone(r.files)
	for _, group := range groups {
		for name, source := range group {
			n++
			head := "package decide\n\nimport (\n\"" + module + "/hookio\"\n\"" + module + "/decide/internal/verdict\"\n\"" + module + "/decide/say\"\n)\n\nvar (\n_ hookio.Decision\n_ verdict.Reason\n_ say.Approval\n)\n"
			f, err := parser.ParseFile(r.fset, name, head+own.ReplaceAllString(source, fmt.Sprintf("${1}%d", n)), 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
	}
	conf := types.Config{Importer: imported(r.types.Imports()), Error: func(err error) {
		if e := (types.Error{}); errors.As(err, &e) {
			names = append(names, r.fset.Position(e.Pos).Filename)
		}
	}}
	conf.Check(r.path, r.fset, files, &types.Info{Uses: map[*ast.Ident]types.Object{}})
	return names
}

// imported are packages that another one imports.
type imported []*types.Package

func (all imported) Import(name string) (*types.Package, error) {
	for _, p := range all {
		if p.Path() == name {
			return p, nil
		}
	}
	return nil, errors.New(name + " is not imported by the package")
}
