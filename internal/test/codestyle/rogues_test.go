package codestyle

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rogues are ways to decide past the order of decide.Decide, by the package that they are written in. None of them
// compiles.
var rogues = map[string]map[string]string{"decide": {
	"a verdict by a literal":            `func rogue() Verdict { return Verdict{Verdict: verdict.Verdict{decision: hookio.Allow}} }`,
	"a decision that is set":            `func rogue(v Verdict) Verdict { v.decision = hookio.Allow; return v }`,
	"a decision that is assigned":       `func rogue(v Verdict) { v.Decision() = hookio.Allow }`,
	"an allow by a literal":             `func rogue(r verdict.Reason) verdict.Allowed[verdict.Rules] { return verdict.Allowed[verdict.Rules]{why: &r} }`,
	"an allow without a grant":          `func rogue(r verdict.Reason) verdict.Allowed[verdict.Rules] { return verdict.allow[verdict.Rules]("", r) }`,
	"a grant of another step":           `func rogue(r verdict.Reason) verdict.Allowed[verdict.Session] { return verdict.ByRules(r) }`,
	"an allow that is converted":        `func rogue(c facts.Facts) verdict.Allowed[verdict.Rules] { return verdict.Allowed[verdict.Rules](stepSession(c)) }`,
	"a step of its own":                 `type mine struct{}; func rogue() verdict.Verdict { return verdict.Granted(verdict.Allowed[mine]{}) }`,
	"a changed grant":                   `func rogue() { verdict.ByRules = nil }`,
	"an asking step that allows":        `var rogue func(facts.Facts) []verdict.Question = stepAllow`,
	"a denying step that allows":        `var rogue func(facts.Facts) verdict.Denial = stepAllow`,
	"steps that are swapped":            `func rogue(c facts.Facts) { var a verdict.Allowed[verdict.Bypass] = stepSession(c); _ = a }`,
	"a question that is granted":        `func rogue(q verdict.Question) verdict.Verdict { return verdict.Granted(q) }`,
	"a denial that is granted":          `func rogue(d verdict.Denial) verdict.Verdict { return verdict.Granted(d) }`,
	"a denial that is lifted":           `func rogue(c facts.Facts, d verdict.Denial) verdict.Asked { return verdict.Standing(c, []verdict.Denial{d}, lifts.All, 0) }`,
	"a denial that is open":             `func rogue(v verdict.Verdict) verdict.Open { return verdict.Open{v} }`,
	"a denial that is withdrawn":        `func rogue(d verdict.Denial, q verdict.Question) verdict.Open { return verdict.Withdrawn(d, q) }`,
	"a denial that is answered":         `func rogue(v verdict.Verdict, r verdict.Reason) verdict.Verdict { return v.AnsweredYes(verdict.ByApprover(r), say.Approval{}) }`,
	"a denial that is approved":         `func rogue(c facts.Facts, d verdict.Denial) { stepApprover(nil, c, d) }`,
	"a denial that is a question":       `func rogue(d verdict.Denial) verdict.Question { return verdict.Question(d) }`,
	"step 8 that allows":                `func rogue(v verdict.Open, r verdict.Reason) verdict.Open { return v.DeniedUnasked(verdict.ByRules(r)) }`,
	"a rule that answers step 8":        `func rogue(v verdict.Open, r verdict.Reason) verdict.Verdict { return v.AnsweredYes(verdict.ByRules(r), say.Approval{}) }`,
	"a question that is undone":         `func rogue(q *verdict.Question) { q.why = nil }`,
	"a question that is opened":         `func rogue(q *verdict.Question) { q.of = asks.Finding{} }`,
	"questions that are forgotten":      `func rogue(a *verdict.Asked) { a.all = nil }`,
	"a lift of another kind":            `var rogue = verdict.NewLift[asks.Finding]("x", func(facts.Facts, asks.Doubt) bool { return true })`,
	"a lift that a step asks":           `func rogue(c facts.Facts) bool { return lifts.All()[0].holds(c, asks.Finding{}) }`,
	"lifts that are replaced":           `func rogue() { lifts.All = nil }`,
	"an order that is replaced":         `func rogue() { Decide = nil }`,
	"a denial that is changed in place": `func rogue(d verdict.Denial) { d.why.Managed = false }`,
	"a fault that is forgotten":         `func rogue(v Verdict) Verdict { v.faulted = false; return v }`,
	"a handback of any denial":          `func rogue(d *verdict.Denial, a verdict.Asked) { d.kept = a }`,
	"facts that are made up":            `func rogue(f *facts.Facts) *facts.Facts { f.in.Policy = nil; return f }`,
}, "decide/internal/asks": {
	"facts by a literal":         `func rogue() facts.Facts { return facts.Facts{matcher: nil} }`,
	"facts that are replaced":    `func rogue(c facts.Facts) { c.matcher = nil }`,
	"facts that are overwritten": `func rogue(c facts.Facts) { *c = facts.Facts{} }`,
	"a policy of its own":        `func rogue(c facts.Facts) { c.Policy() = nil }`,
	"a text of its own":          `func rogue(c facts.Facts) { c.in.Script = nil }`,
	"grants of its own":          `func rogue(c facts.Facts) { c.Grants().All = true }`,
	"parts that are dropped":     `func rogue(c facts.Facts) { c.units = nil }`,
	"a part that needs no allow": `func rogue(u *facts.Unit) { u.needsAllow = false }`,
	"a part that is elsewhere":   `func rogue(u *facts.Unit) { u.Subject().Path = nil }`,
	"a rule that was not met":    `func rogue(c facts.Facts) { c.overrun = nil }`,
	"a yes that nobody said":     `func rogue(c facts.Facts) { c.yes = nil }`,
	"a question that lifts":      `func rogue(c facts.Facts) bool { return lifts.All()[0].Why == "" }`,
	"a question that decides":    `func rogue(in *decide.Input) { in.Grants.All = true }`,
}, "decide/internal/lifts": {
	"a lift that asks others":  `func rogue(c facts.Facts) verdict.Asked { return verdict.Standing(c, nil, All).all }`,
	"a lift that decides":      `func rogue(in *decide.Input) { in.Grants.All = true }`,
	"a grant that a lift adds": `func rogue(c facts.Facts) { c.Grants().Rules = nil }`,
}}

// TestRogues: what a step may say is held by the compiler, and what that leaves open by the names that it needs.
func TestRogues(t *testing.T) {
	fine := map[string]string{
		"a question":   `func fine(u *facts.Unit, r verdict.Reason) verdict.Question { return verdict.Ask(verdict.Secret, u, func() verdict.Reason { return r }) }`,
		"a decision":   `func fine(v verdict.Verdict) string { return v.Step() }`,
		"a rule's":     `func fine(r verdict.Reason) verdict.Allowed[verdict.Rules] { return verdict.ByRules(r) }`,
		"a new denial": `func fine(r verdict.Reason) verdict.Denial { return verdict.Deny(r) }`,
	}
	tried := 0
	for _, own := range rooms(t) {
		own.only(t)
		dir := strings.TrimPrefix(own.path, module+"/")
		if rogues[dir] == nil {
			continue
		}
		tried++
		broken := own.refused(t, rogues[dir], fine)
		for name, source := range rogues[dir] {
			if !slices.Contains(broken, name) {
				t.Errorf("%s compiles in %s: %s", name, dir, source)
			}
		}
		for name := range fine {
			if slices.Contains(broken, name) {
				t.Errorf("%s does not compile in %s: %s", name, dir, fine[name])
			}
		}
	}
	if tried != len(rogues) {
		t.Errorf("%d of %d packages were tried", tried, len(rogues))
	}
	for _, f := range theSource(t).below("decide") {
		if slices.Contains(f.imports(), "unsafe") {
			t.Errorf("%s imports unsafe", f.name)
		}
	}
}

// only are the names of package verdict that the compiler lets all of decide use, and the one file that each is for.
var only = map[string]string{
	"NewLift": "decide/internal/lifts/lifts.go", "Standing": "decide/decide.go", "Granted": "decide/decide.go",
	"Withdrawn": "decide/decide.go", "DeniedUnasked": "decide/decide.go", "AnsweredYes": "decide/decide.go",
	"AnsweredNo": "decide/decide.go", "ByApprover": "decide/step8_headless.go", "Refuse": "decide/step7_mode.go",
	"ByBypass": "decide/step3_bypass.go", "BySession": "decide/step4_session.go", "ByRules": "decide/step6_allow.go",
	"ByReadOnly": "decide/internal/proofs/readonly.go", "BySafeTool": "decide/step7_mode.go", "ByPlan": "decide/step7_mode.go",
	"ByEdits": "decide/step7_mode.go", "ByAuto": "decide/step7_mode.go",
}

// only checks that a package has those names in their files.
func (r *room) only(t *testing.T) {
	for id, o := range r.info.Uses {
		if o.Pkg() == nil || !strings.HasSuffix(o.Pkg().Path(), "/internal/verdict") || o.Pkg().Path() == r.path {
			continue
		}
		file := strings.TrimPrefix(r.path, module+"/") + "/" + path.Base(r.fset.Position(id.Pos()).Filename)
		if want := only[o.Name()]; want != "" && want != file {
			t.Errorf("%s has %s, which is for %s", file, o.Name(), want)
		}
		for k := range r.info.Instances[id].TypeArgs.Len() {
			if arg := r.info.Instances[id].TypeArgs.At(k); o.Name() == "NewLift" && types.IsInterface(arg) {
				t.Errorf("%s makes a lift for evidence of any kind", file)
			}
		}
	}
}

// changing are the functions that change the list they are given, or may.
var changing = regexp.MustCompile(`^(append|copy|clear|delete|slices\.(Sort|Reverse|Delete|Insert|Replace|Compact|Grow)\w*)$`)

// kept are the packages whose values no step changes: what it may change is a copy in a variable of its own.
var kept = []string{"hookio", "rules", "rules/grammar", "bashsafety/analysis", "bashsafety/commands", "bashsafety/shell", "decide/world",
	"decide/guard", "decide/repo", "decide/loss", "decide/auto", "decide/facts", "decide"}

// TestFactsStay: no step changes what a call's facts point to, what it was given, or a table.
func TestFactsStay(t *testing.T) {
	for _, r := range rooms(t) {
		if slices.Contains([]string{"world", "world/archive", "repo", "guard", "loss", "benign", "facts"}, strings.TrimPrefix(r.path, module+"/decide/")) {
			continue
		}
		for _, f := range r.files {
			for _, imported := range f.Imports {
				if slices.Contains([]string{`"reflect"`, `"encoding/json"`, `"unsafe"`, `"C"`}, imported.Path.Value) {
					t.Errorf("%s imports %s", r.fset.Position(f.Pos()), imported.Path.Value)
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				for _, e := range changes(n) {
					if why := r.shared(e); why != "" {
						t.Errorf("%s changes %s: %s", r.fset.Position(e.Pos()), types.ExprString(e), why)
					}
				}
				return true
			})
		}
	}
}

// changes are what a statement or a call changes.
func changes(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	case *ast.CallExpr:
		if changing.MatchString(types.ExprString(n.Fun)) && len(n.Args) > 0 {
			list := n.Args[0]
			if cut, ok := list.(*ast.SliceExpr); ok {
				list = cut.X
			} else if types.ExprString(n.Fun) == "append" {
				return nil
			}
			return []ast.Expr{&ast.IndexExpr{X: list, Index: list}}
		}
	}
	return nil
}

// shared says why what an expression changes is not a variable of its function alone, "" where it is.
func (r *room) shared(e ast.Expr) string {
	through := false // a pointer, a slice or a map
	for {
		var x ast.Expr
		switch at := ast.Unparen(e).(type) {
		case *ast.StarExpr:
			return "through a pointer"
		case *ast.SelectorExpr:
			x = at.X
			if id, ok := x.(*ast.Ident); ok {
				if _, imported := r.info.Uses[id].(*types.PkgName); imported {
					return "a variable of a package"
				}
			}
		case *ast.IndexExpr:
			x = at.X
		case *ast.CallExpr:
			if through {
				return "what a call returns"
			}
			return ""
		case *ast.Ident:
			if o := r.info.Uses[at]; o != nil && o.Parent() == r.types.Scope() {
				return "a variable of the package"
			}
			return ""
		default:
			return ""
		}
		if r.info.TypeOf(x) == nil {
			return ""
		}
		var of types.Type
		switch t := r.info.TypeOf(x).Underlying().(type) {
		case *types.Pointer:
			of = t.Elem()
		case *types.Slice:
			of = t.Elem()
		case *types.Map:
			of = t.Elem()
		}
		if of != nil {
			through = true
			if n, ok := types.Unalias(of).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Name() != "fold" &&
				slices.Contains(kept, strings.TrimPrefix(n.Obj().Pkg().Path(), module+"/")) {
				return "a " + n.Obj().Name() + " of the facts"
			}
		}
		e = x
	}
}

// refused are the names of those functions with which a room does not compile, each in a file of its own.
func (r *room) refused(t *testing.T, groups ...map[string]string) (names []string) {
	t.Helper()
	own, n := regexp.MustCompile(`\b(rogue|fine|mine)\b`), 0
	files := slices.Clone(r.files)
	for _, group := range groups {
		for name, source := range group {
			n++
			head := "package " + path.Base(r.path) + "\n\nimport (\n"
			uses := ""
			for _, line := range [...]string{"hookio: var _ hookio.Decision", "decide/say: var _ say.Approval", "decide/facts: var _ facts.Unit",
				"decide/internal/verdict: var _ verdict.Reason", "decide/internal/asks: var _ asks.Finding", "decide/internal/lifts: var _ = lifts.All"} {
				of, use, _ := strings.Cut(line, ": ")
				if r.imports(of) {
					head, uses = head+"\""+module+"/"+of+"\"\n", uses+use+"\n"
				}
			}
			head += ")\n\n" + uses
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

func (r *room) imports(own string) bool {
	return slices.ContainsFunc(r.types.Imports(), func(p *types.Package) bool { return p.Path() == module+"/"+own })
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
