package codestyle

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// The tests of this file read the source of decide and of the rooms below it, and hold
// that no place but grants.go makes an allow, and no place but those of a list takes an ask back.

// TestGrants: grants.go is the only place that makes an allow.
func TestGrants(t *testing.T) {
	all := rooms(t)
	for _, r := range all {
		for _, at := range r.allows() {
			if at.file != "grants.go" {
				t.Errorf("%s makes an allow: only grants.go may, see there", at)
			}
		}
	}
	own := all[len(all)-1]
	made := []place{{"grants.go", "grants.go"}, {"grants.go", "grant.by"}}
	if places := own.allows(); !slices.Equal(places, made) {
		t.Errorf("in grants.go %q makes allows, want %q", places, made)
	}
	more := map[string]string{}
	maps.Copy(more, rogueAllows)
	maps.Copy(more, noAllows)
	rogue := own.with(t, more)
	found := append(rogue.allows(), rogue.loosens()...)
	for name := range more {
		is := slices.ContainsFunc(found, func(p place) bool { return p.file == name })
		if want := rogueAllows[name] != ""; is != want {
			t.Errorf("an allow is found in %q: %v, want %v", name, is, want)
		}
	}
}

// rogueAllows make an allow past the grants.
var rogueAllows = map[string]string{
	"literal":         `func rogue() Verdict { return Verdict{Decision: hookio.Allow} }`,
	"number":          `func rogue() Verdict { return Verdict{Decision: 1} }`,
	"sum":             `func rogue(v Verdict) Verdict { v.Decision = hookio.Pass + 1; return v }`,
	"constant":        `const yes = hookio.Allow; func rogue() Verdict { return Verdict{Decision: yes} }`,
	"variable":        `var yes = hookio.Allow; func rogue() Verdict { return Verdict{Decision: yes} }`,
	"conversion":      `func rogue(n uint8) Verdict { return Verdict{Decision: hookio.Decision(n)} }`,
	"computed":        `func rogue(v Verdict) Verdict { return Verdict{Decision: v.Decision - 1} }`,
	"a step down":     `func rogue(v Verdict) Verdict { v.Decision--; return v }`,
	"copied":          `func rogue(v Verdict, a Approval) Verdict { v.Decision = a.Decision; return v }`,
	"passed on":       `func rogue(a Approval) Verdict { return Verdict{Decision: a.Decision} }`,
	"through a point": `func rogue(v *Verdict) *hookio.Decision { return &v.Decision }`,
	"to the host":     `func rogue() hookio.Answer { return hookio.Answer{Decision: hookio.Allow} }`,
	"as an argument":  `func rogue(c *Case) Verdict { return byRule(hookio.Allow, "", nil, nil) }`,
	"a grant":         `var mine = grant{step: "2"}; func rogue(v Verdict) Verdict { return mine.by(v) }`,
	"a stolen grant":  `func rogue(v Verdict) Verdict { v.grant = &grantRule; return v }`,
	"a changed grant": `func rogue() { grantRule.step = "2" }`,
}

// noAllows look at decisions, deny or ask.
var noAllows = map[string]string{
	"compared": `func fine(v Verdict) bool { return v.Decision == hookio.Allow || hookio.Allow != v.Decision }`,
	"a case":   `func fine(v Verdict) bool { switch v.Decision { case hookio.Allow, hookio.Ask: return true }; return false }`,
	"denies":   `func fine(v Verdict) Verdict { v.Decision = hookio.Deny; return v }`,
	"asks":     `func fine() Verdict { return Verdict{Decision: hookio.Ask} }`,
}

// TestLifts: what takes an ask back is in lifts.go, or one of the places of a list.
func TestLifts(t *testing.T) {
	all, more := rooms(t), map[string]string{}
	for _, row := range laxer {
		more[row.what] = row.rogue
	}
	rogue := all[len(all)-1].with(t, more)
	for _, row := range laxer {
		seen := map[string]bool{}
		for _, r := range all {
			for _, at := range row.find(r) {
				if seen[at.in] = true; row.accepted[at.in] == "" {
					t.Errorf("%s %s, and is not in the list of this test", at, row.what)
				}
			}
		}
		for at := range row.accepted {
			if !seen[at] {
				t.Errorf("%s is in the list, and no longer %s", at, row.what)
			}
		}
		if !slices.ContainsFunc(row.find(rogue), func(p place) bool { return p.file == row.what }) {
			t.Errorf("not found although it %s: %s", row.what, row.rogue)
		}
	}
}

// laxer are the kinds of places at which an ask could be lost, the functions that are such a place, and
// why nothing is lost there.
var laxer = []struct {
	what     string
	find     func(*room) []place
	rogue    string // a function that is such a place
	accepted map[string]string
}{
	{"makes a decision laxer", (*room).loosens,
		`func rogue(v Verdict) Verdict { v.Decision = hookio.Pass; return v }`,
		map[string]string{
			"grant.by":        "every allow",
			"byRule":          "the callers say which decision, and none says Allow",
			"Case.byDefaults": "a table of Deny, Ask and Pass",
			"Case.hostStep":   "what was decided, as the host hears it",
			"tellStricter":    "an ask or a deny instead of an allow",
			"Step.decide":     "what a step may not say is no opinion",
		}},
	{"uses a lift", func(r *room) []place {
		return append(r.mentions("Case.waived", "matcher.lifted", "matcher.liftedWrite", "Input.hostsDoubt", "matcher.reaches",
			"reading.allowedByName", "scene.readsTemp"), r.mentions("lift.holds")...)
	},
		`func rogue(c *Case, u *unit) bool { return c.allowedByName(u) }`,
		map[string]string{
			"lifts.go":                "the table",
			"Case.takesBack":          "the only place that asks it",
			"Case.takenBack":          "says why step 2 has no opinion",
			"matcher.writesTemporary": "keeps an allow from the host",
		}},
	{"looks at findings", func(r *room) []place { return r.mentions("Analysis.Findings") },
		`func rogue(c *Case) bool { return len(c.Script.Findings) == 1 }`,
		map[string]string{
			"Case.finding":         "the only place where one is left out",
			"Lifts":                "lists what a rule could lift, and decides nothing",
			"Case.takenBack":       "says why step 2 has no opinion",
			"Input.hidesOption":    "adds to a reason",
			"AutoDefault.match":    "any finding of an entry's checks stops mode auto",
			"deletesTree":          "any finding: step 2 has asked, or a lift let it go",
			"reading.onlyCommand":  "any finding: not for the session",
			"reading.unprovenText": "any finding: not read-only",
			"Input.readsMayPass":   "any finding: not read-only",
		}},
	{"looks at doubts", func(r *room) []place { return r.mentions("Analysis.Doubts") },
		`func rogue(c *Case) bool { return len(c.Script.Doubts) == 1 }`,
		map[string]string{
			"immuneDoubts":         "asks, unless a lift takes it back",
			"scene.losesNothing":   "any doubt: a removal is a finding",
			"reading.onlyCommand":  "any doubt: not for the session",
			"reading.unprovenText": "any doubt: not read-only",
			"Input.readsMayPass":   "any doubt: not read-only",
			"Case.notBenign":       "any doubt: not benign",
			"matcher.narrowedHere": "what a lift leaves to the host it leaves to the host",
			"Input.unclear":        "any doubt narrows the rules",
			"OnePlainCommand":      "any doubt: a rule is not said to be shadowed",
		}},
	{"lets the host decide", func(r *room) []place {
		return r.mentions("tellNothing", "tellAsk", "Deferral.holds", "Verdict.ObserveOnly")
	},
		`func rogue(v Verdict, c *Case) bool { return v.ObserveOnly(c) }`,
		map[string]string{
			"decide.go":      "the table of the steps",
			"tellNothing":    "the first of Deferrals",
			"Verdict.Answer": "the posture only observes",
			"Case.unheard":   "an ask that is only observed is not put to the approver",
			"observedAllow":  "a reason for silence",
		}},
}

// A place is a file, and in it the function, or the file again for a table.
type place struct{ file, in string }

// with is a room with more files, as somebody could add them. Each has names of its own.
func (r *room) with(t *testing.T, sources map[string]string) *room {
	t.Helper()
	more := &room{path: r.path, fset: r.fset, files: slices.Clip(r.files)}
	n := 0
	for name, source := range sources {
		n++
		own := regexp.MustCompile(`\b(rogue|fine|yes|mine)\b`).ReplaceAllString(source, fmt.Sprintf("${1}%d", n))
		head := "package decide\n\nimport \"github.com/permgate--owner/permgate/hookio\"\n\nvar _ hookio.Decision\n"
		f, err := parser.ParseFile(r.fset, name, head+own, 0)
		if err != nil {
			t.Fatal(err)
		}
		more.files = append(more.files, f)
	}
	if err := more.check(imported(r.types.Imports())); err != nil {
		t.Fatal(err)
	}
	return more
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

// find lists the places of a room with a node for which is holds. The nodes around it are innermost last.
func (r *room) find(is func(at ast.Node, around []ast.Node) bool) (places []place) {
	for _, file := range r.files {
		name := path.Base(filepath.ToSlash(r.fset.File(file.Pos()).Name()))
		for _, decl := range file.Decls {
			at, around := place{name, name}, []ast.Node(nil)
			if f, ok := decl.(*ast.FuncDecl); ok {
				at.in = funcName(f)
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				if n == nil {
					around = around[:len(around)-1]
					return false
				}
				if is(n, around) {
					places = append(places, at)
				}
				around = append(around, n)
				return true
			})
		}
	}
	return slices.Compact(places)
}

func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	return types.ExprString(t) + "." + f.Name.Name
}

// allows finds what could make an allow: every value of type hookio.Decision that is the constant
// Allow, however it is spelled, except where it is only compared; every such value that is computed,
// converted or pointed at; every grant, and every change of one.
func (r *room) allows() []place {
	return r.find(func(at ast.Node, around []ast.Node) bool {
		switch n := at.(type) {
		case *ast.CompositeLit:
			return r.named(n) == "grant"
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, func(to ast.Expr) bool {
				s, ok := to.(*ast.SelectorExpr)
				return ok && (s.Sel.Name == "grant" && r.named(s.X) == "Verdict" || r.named(s.X) == "grant")
			})
		case *ast.UnaryExpr:
			if n.Op == token.AND && r.named(n.X) == "Decision" {
				return true
			}
		}
		e, ok := at.(ast.Expr)
		if !ok || r.named(e) != "Decision" {
			return false
		}
		if value := r.info.Types[e].Value; value != nil {
			return constant.Compare(value, token.EQL, constant.MakeInt64(int64(hookio.Allow))) && !compared(around)
		}
		switch e := e.(type) {
		case *ast.BinaryExpr, *ast.UnaryExpr:
			return true
		case *ast.CallExpr:
			return r.info.Types[e.Fun].IsType()
		}
		return false
	})
}

// compared reports whether the node within others is compared with something, or a value of a case.
func compared(around []ast.Node) bool {
	for i := len(around) - 1; i >= 0; i-- {
		switch n := around[i].(type) {
		case *ast.SelectorExpr, *ast.ParenExpr: // the name within hookio.Allow
		case *ast.BinaryExpr:
			return slices.Contains([]token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ}, n.Op)
		case *ast.CaseClause:
			return true
		default:
			return false
		}
	}
	return false
}

// loosens finds what may make the decision of a verdict or an answer laxer: what assigns anything but
// Deny to it, steps it up or down, or begins with one that is no constant.
func (r *room) loosens() []place {
	decision := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "Decision" && (r.named(s.X) == "Verdict" || r.named(s.X) == "Answer")
	}
	return r.find(func(at ast.Node, _ []ast.Node) bool {
		switch s := at.(type) {
		case *ast.IncDecStmt:
			return decision(s.X)
		case *ast.AssignStmt:
			for i, to := range s.Lhs {
				denies := s.Tok == token.ASSIGN && len(s.Lhs) == len(s.Rhs) && r.denies(s.Rhs[i])
				if decision(to) && !denies {
					return true
				}
			}
		case *ast.CompositeLit:
			if name := r.named(s); name != "Verdict" && name != "Answer" {
				return false
			}
			return slices.ContainsFunc(s.Elts, func(e ast.Expr) bool {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				return r.named(e) == "Decision" && r.info.Types[e].Value == nil
			})
		}
		return false
	})
}

func (r *room) denies(e ast.Expr) bool {
	v := r.info.Types[e].Value
	return v != nil && constant.Compare(v, token.EQL, constant.MakeInt64(int64(hookio.Deny)))
}

// mentions finds the uses of functions, and of methods and fields, which are written Type.Name.
func (r *room) mentions(names ...string) []place {
	return r.find(func(at ast.Node, _ []ast.Node) bool {
		switch n := at.(type) {
		case *ast.SelectorExpr:
			s := r.info.Selections[n]
			if s == nil {
				return false
			}
			of := s.Recv()
			if f, ok := s.Obj().(*types.Func); ok {
				of = f.Signature().Recv().Type() // a method of what is embedded in it
			}
			return slices.Contains(names, typeName(of)+"."+n.Sel.Name)
		case *ast.Ident:
			_, isFunc := r.info.Uses[n].(*types.Func)
			return isFunc && slices.Contains(names, n.Name)
		}
		return false
	})
}

// named is the name of an expression's type, "" where it is no type of this program.
func (r *room) named(e ast.Expr) string {
	if tv, ok := r.info.Types[e]; ok && !tv.IsType() {
		return typeName(tv.Type)
	}
	return ""
}

func typeName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Name()
	}
	return ""
}

// TestMethods: no type has more methods than can be read as a list.
func TestMethods(t *testing.T) {
	const most = 60
	for _, r := range rooms(t) {
		for _, name := range r.types.Scope().Names() {
			o, ok := r.types.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			if n, ok := o.Type().(*types.Named); ok && n.NumMethods() > most {
				t.Errorf("%s.%s has %d methods, at most %d", path.Base(r.path), name, n.NumMethods(), most)
			}
		}
	}
}
