// Reach prints how much of the source a function reaches, package by package: files, lines of functions, and lines of
// the tables that these read.
//
//	go run -C testdata/bench/reach .                    # from the hook, and from decide.Decide
//	go run -C testdata/bench/reach . -write             # puts the table into docs/architecture.md
//	go run -C testdata/bench/reach . -list decide       # names the files of the packages that begin so
//
// A call through a value or an interface reaches every function that the hook's process may have put there (variable type
// analysis), so it counts too much rather than too little; but only what the package of the question imports: what main
// hands to decide.Decide, as the disk, counts for the hook. Tests, libraries and the standard library do not count.
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// The root of the module that is looked at, from here.
const root = "../../.."

var (
	write = flag.Bool("write", false, "put the table into docs/architecture.md")
	list  = flag.String("list", "", "also name the files of the packages that begin so")
)

// questions are where reaching begins: a package below the module, a function, and what the table calls it.
var questions = [...]struct{ pkg, function, title string }{
	{"", "decision", "the hook"}, {"decide", "Decide", "`decide.Decide`"},
}

func main() {
	flag.Parse()
	log.SetFlags(0)
	p, err := load()
	if err != nil {
		log.Fatal(err)
	}
	var reached [len(questions)]map[string]lines
	for i, q := range questions {
		if reached[i], err = p.reach(q.pkg, q.function); err != nil {
			log.Fatal(err)
		}
		if *list != "" {
			p.printFiles(q.title, reached[i])
		}
	}
	table := p.table(reached[:])
	if fmt.Print(table); *write {
		if err := intoPage(filepath.Join(root, "docs", "architecture.md"), table); err != nil {
			log.Fatal(err)
		}
	}
}

// A program is the permgate that is looked at.
type program struct {
	module   string
	fset     *token.FileSet
	ssa      *ssa.Program
	packages map[string]*packages.Package // of the module, by path
	calls    *callgraph.Graph
	values   map[types.Object]ast.Node // what package-level variables are declared as
	index    map[string]bool           // files that are generated: an index in the form of a function is a table
}

// load reads permgate's main package and all it imports, and finds out who may call whom in the hook's process.
func load() (*program, error) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: root}, ".")
	if err != nil || packages.PrintErrors(loaded) > 0 {
		return nil, fmt.Errorf("the source could not be read: %v", err)
	}
	built, _ := ssautil.AllPackages(loaded, ssa.InstantiateGenerics)
	built.Build()
	p := &program{module: loaded[0].Module.Path, fset: loaded[0].Fset, ssa: built, packages: map[string]*packages.Package{}, values: map[types.Object]ast.Node{},
		index: map[string]bool{}}
	packages.Visit(loaded, nil, func(pkg *packages.Package) {
		if pkg.PkgPath == p.module || strings.HasPrefix(pkg.PkgPath, p.module+"/") {
			p.packages[pkg.PkgPath] = pkg
			p.addValues(pkg)
		}
	})
	start := built.Package(loaded[0].Types)
	from := start.Func(questions[0].function)
	if from == nil {
		return nil, errors.New("package main has no function " + questions[0].function + ": mend questions")
	}
	alive := rta.Analyze([]*ssa.Function{from, start.Func("init")}, true)
	functions := map[*ssa.Function]bool{}
	for f := range alive.Reachable {
		functions[f] = true
	}
	p.calls = vta.CallGraph(functions, alive.CallGraph)
	return p, nil
}

// addValues takes note of the variables of a package, and of the files that are generated.
func (p *program) addValues(pkg *packages.Package) {
	for _, file := range pkg.Syntax {
		if ast.IsGenerated(file) {
			p.index[p.fset.Position(file.Pos()).Filename] = true
		}
		for _, d := range file.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, s := range gen.Specs {
				for _, name := range s.(*ast.ValueSpec).Names {
					p.values[pkg.TypesInfo.Defs[name]] = s
				}
			}
		}
	}
}

// lines are what is reached of a file, by line: true for those of a function, false for those of a table.
type lines map[int]bool

// reach returns what a function reaches, by file.
func (p *program) reach(pkg, name string) (map[string]lines, error) {
	in := p.packages[strings.TrimSuffix(p.module+"/"+pkg, "/")]
	if in == nil || p.ssa.Package(in.Types).Func(name) == nil {
		return nil, fmt.Errorf("there is no function %s in %s/%s: mend questions", name, p.module, pkg)
	}
	reached, known := map[string]lines{}, map[string]bool{}
	packages.Visit([]*packages.Package{in}, nil, func(pkg *packages.Package) { known[pkg.PkgPath] = true })
	seen, seenValues := map[*ssa.Function]bool{}, map[types.Object]bool{}
	var value func(types.Object)
	value = func(o types.Object) {
		node := p.values[o]
		if node == nil || seenValues[o] {
			return
		}
		seenValues[o] = true
		p.mark(reached, node, false)
		info := p.packages[o.Pkg().Path()].TypesInfo
		ast.Inspect(node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				value(info.Uses[id])
			}
			return true
		})
	}
	var visit func(*ssa.Function)
	visit = func(f *ssa.Function) {
		if f == nil || seen[f] || f.Package() != nil && !known[f.Package().Pkg.Path()] {
			return
		}
		seen[f] = true
		if f.Syntax() != nil {
			p.mark(reached, f.Syntax(), true)
		}
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				for _, op := range instr.Operands(nil) {
					if g, ok := (*op).(*ssa.Global); ok && g.Object() != nil {
						value(g.Object())
					}
				}
			}
		}
		if node := p.calls.Nodes[f]; node != nil {
			for _, e := range node.Out {
				visit(e.Callee.Func)
			}
		}
	}
	visit(p.ssa.Package(in.Types).Func(name))
	return reached, nil
}

// mark takes note of the lines of a node, unless it is one of a library.
func (p *program) mark(reached map[string]lines, node ast.Node, function bool) {
	from, to := p.fset.Position(node.Pos()), p.fset.Position(node.End())
	if p.packages[p.packageOf(from.Filename)] == nil {
		return
	}
	if reached[from.Filename] == nil {
		reached[from.Filename] = lines{}
	}
	for l := from.Line; l <= to.Line; l++ {
		reached[from.Filename][l] = reached[from.Filename][l] || function && !p.index[from.Filename]
	}
}

// packageOf is the path of the package that a file of the module is in.
func (p *program) packageOf(file string) string {
	top, err := filepath.Abs(root)
	if err != nil {
		log.Fatal(err)
	}
	rel, err := filepath.Rel(top, filepath.Dir(file))
	if err != nil || strings.HasPrefix(rel, "..") {
		return ""
	}
	return strings.TrimSuffix(p.module+"/"+strings.TrimPrefix(filepath.ToSlash(rel), "."), "/")
}

// A count is what is reached of a package.
type count struct{ files, functions, tables int }

func (c *count) add(d count) {
	c.files, c.functions, c.tables = c.files+d.files, c.functions+d.functions, c.tables+d.tables
}

// rounded leaves two digits: who reads the page wants to know how much, not to the line.
func rounded(n int) string {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return fmt.Sprint((n + unit/2) / unit * unit)
}

func (c count) cells() string {
	if c.files == 0 {
		return " | | |"
	}
	return fmt.Sprintf(" %d | %s | %s |", c.files, rounded(c.functions), rounded(c.tables))
}

// table is what the questions reach, as Markdown.
func (p *program) table(reached []map[string]lines) string {
	rows, total := map[string][]count{}, make([]count, len(reached))
	for i := range reached {
		for file, ls := range reached[i] {
			c := count{files: 1}
			for _, function := range ls {
				if function {
					c.functions++
				} else {
					c.tables++
				}
			}
			name := strings.TrimPrefix(strings.TrimPrefix(p.packageOf(file), p.module), "/")
			if rows[name] == nil {
				rows[name] = make([]count, len(reached))
			}
			rows[name][i].add(c)
			total[i].add(c)
		}
	}
	head, rule, sums := "| package", "|---", "| **all**"
	for i, q := range questions {
		head, rule, sums = head+" | "+q.title+": files | functions | tables", rule+"|---|---|---", sums+" |"+strings.TrimSuffix(total[i].cells(), " |")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s. Lines of functions and of tables, rounded.\n\n%s |\n%s|\n", time.Now().UTC().Format(time.DateOnly), head, rule)
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		title := "main"
		if name != "" {
			title = "`" + name + "`"
		}
		b.WriteString("| " + title + " |")
		for _, c := range rows[name] {
			b.WriteString(c.cells())
		}
		b.WriteString("\n")
	}
	return b.String() + sums + " |\n\n" + order()
}

// order tells how many lines say in which order a call is decided: see "For an auditor" in docs/architecture.md.
func order() string {
	all, text := 0, ""
	for _, pattern := range [...]string{"decide.go", "internal/verdict/*.go", "internal/lifts/lifts.go", "internal/host/step9.go"} {
		files, err := filepath.Glob(filepath.Join(root, "decide", pattern))
		n := 0
		for _, file := range files {
			b, _ := os.ReadFile(file)
			if !strings.HasSuffix(file, "_test.go") {
				n += strings.Count(string(b), "\n")
			}
		}
		if err != nil || n == 0 {
			log.Fatal(pattern + " names no file of decide: mend order")
		}
		all += n
		text += fmt.Sprintf(", `decide/%s` %d", pattern, n)
	}
	return fmt.Sprintf("The order alone is %d lines: %s.\n", all, text[2:])
}

// printFiles names the files that are reached of some packages, with the number of lines.
func (p *program) printFiles(title string, reached map[string]lines) {
	for _, file := range slices.Sorted(maps.Keys(reached)) {
		if name := strings.TrimPrefix(p.packageOf(file), p.module+"/"); strings.HasPrefix(name, *list) {
			fmt.Printf("%s: %s/%s %d\n", title, name, filepath.Base(file), len(reached[file]))
		}
	}
}

// intoPage puts text between the marks of a page.
func intoPage(page, text string) error {
	const start, end = "<!-- reach: written by go run -C testdata/bench/reach . -write -->\n", "<!-- end of reach -->\n"
	have, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(have), start)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s has not the lines %q and %q", page, start, end)
	}
	return os.WriteFile(page, []byte(before+start+text+end+after), 0o644)
}
