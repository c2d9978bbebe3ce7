package optiontables

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// fetchCarapace has go download the module's sources; nothing of it is built.
func fetchCarapace(string) (at, version string, err error) {
	for _, module := range carapaceModules {
		out, failed := output("go", "mod", "download", "-json", module)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		var m struct{ Dir, Path, Version string }
		failed = json.Unmarshal(out, &m)
		return m.Dir, m.Path + "@" + m.Version, failed
	}
	return "", "", err
}

// readCarapace reads the completers of programs, which carapace writes as commands of cobra:
// completers/NAME_completer/cmd, or one folder further down, by system.
func readCarapace(at string, programs []string) ([]Verb, error) {
	var all []Verb
	for _, name := range programs {
		var found []string
		for _, above := range []string{"completers", "completers/common", "completers/*"} {
			if found, _ = filepath.Glob(filepath.Join(at, above, name+"_completer", "cmd")); len(found) > 0 {
				break
			}
		}
		if len(found) == 0 {
			continue
		}
		c := completer{verbs: map[string]*Verb{}, below: map[string][]string{}, shared: map[string]*ast.FuncDecl{}}
		if err := c.folder(found[0]); err != nil {
			return nil, err
		}
		if c.verbs["rootCmd"] != nil {
			root := c.tree("rootCmd", nil)
			root.Names = []string{name}
			all = append(all, root)
		}
	}
	return all, nil
}

// A completer is what the sources of one say, by the names of their variables.
type completer struct {
	verbs  map[string]*Verb
	below  map[string][]string      // the commands that are added to one
	shared map[string]*ast.FuncDecl // functions that give a command options
}

func (c *completer) folder(dir string) error {
	var inits []ast.Node
	for _, pattern := range []string{"*.go", "*/*.go"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
			if err != nil {
				continue // it hides no more than the options it has
			}
			for _, decl := range file.Decls {
				inits = append(inits, c.declare(decl)...)
			}
		}
	}
	for _, body := range inits {
		c.run(body, "", "", 0)
	}
	return nil
}

// declare notes commands and shared functions, and returns what sets commands up.
func (c *completer) declare(decl ast.Decl) []ast.Node {
	switch d := decl.(type) {
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok && len(v.Values) == 1 {
				c.command(v.Names[0].Name, v.Values[0])
			}
		}
	case *ast.FuncDecl:
		if d.Name.Name == "init" {
			return []ast.Node{d.Body}
		}
		if len(d.Type.Params.List) > 0 && len(d.Type.Params.List[0].Names) > 0 {
			c.shared[d.Name.Name] = d
		}
	}
	return nil
}

// command reads &cobra.Command{Use: "list", Short: "lists"}.
func (c *completer) command(variable string, e ast.Expr) {
	ref, ok := e.(*ast.UnaryExpr)
	if !ok {
		return
	}
	lit, ok := ref.X.(*ast.CompositeLit)
	if !ok || selected(lit.Type) != "Command" {
		return
	}
	v := &Verb{}
	for _, field := range lit.Elts {
		kv, ok := field.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		switch key, _ := kv.Key.(*ast.Ident); key.Name {
		case "Use":
			name, _, _ := strings.Cut(quoted(kv.Value), " ")
			v.Names = append([]string{name}, v.Names...)
		case "Short":
			v.About = quoted(kv.Value)
		case "Aliases":
			if list, ok := kv.Value.(*ast.CompositeLit); ok {
				for _, e := range list.Elts {
					v.Names = append(v.Names, quoted(e))
				}
			}
		}
	}
	c.verbs[variable] = v
}

// run reads what a function does with commands; in one that is given a command,
// parameter stands for the variable given.
func (c *completer) run(body ast.Node, parameter, given string, depth int) {
	variable := func(e ast.Expr) string {
		id, ok := e.(*ast.Ident)
		switch {
		case !ok:
			return ""
		case id.Name == parameter:
			return given
		}
		return id.Name
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt: // rootCmd.Flag("color").NoOptDefVal = " "
			if selected(n.Lhs[0]) == "NoOptDefVal" {
				if call, ok := n.Lhs[0].(*ast.SelectorExpr).X.(*ast.CallExpr); ok && len(call.Args) == 1 {
					c.change(variable(receiver(call)), quoted(call.Args[0]), func(o *Option) { o.Arg = takesAttached })
				}
			}
		case *ast.CallExpr:
			above := receiver(n)
			switch name := selected(n.Fun); {
			case name == "AddCommand":
				for _, a := range n.Args {
					c.below[variable(above)] = append(c.below[variable(above)], variable(a))
				}
			case name == "FlagCompletion":
				if gen, ok := above.(*ast.CallExpr); ok && len(gen.Args) == 1 {
					c.completions(variable(gen.Args[0]), n)
				}
			case flagSet(above) != nil:
				c.option(variable(flagSet(above)), name, n.Args)
			default:
				f := c.shared[name]
				if f != nil && depth < 4 && len(n.Args) > 0 && c.verbs[variable(n.Args[0])] != nil {
					c.run(f.Body, f.Type.Params.List[0].Names[0].Name, variable(n.Args[0]), depth+1)
				}
			}
		}
		return true
	})
}

// definition splits the methods that define an option: BoolP(name, letter, ...) has both,
// S its name with one dash alone, N a long name and one with one dash.
var definition = regexp.MustCompile(`^(Bool|Count|String|StringArray|StringSlice|Int|Uint|Float64|Duration)([NPS]?)$`)

func (c *completer) option(variable, method string, args []ast.Expr) {
	v, kind := c.verbs[variable], definition.FindStringSubmatch(method)
	if v == nil || kind == nil || len(args) < 2 {
		return
	}
	o := Option{Arg: takesValue, About: quoted(args[len(args)-1])}
	if kind[1] == "Bool" || kind[1] == "Count" {
		o.Arg = takesNone
	}
	switch name := quoted(args[0]); kind[2] {
	case "S":
		o.Names = []string{"-" + quoted(args[1])}
	case "P", "N":
		o.Names = []string{"-" + quoted(args[1]), "--" + name}
	default:
		o.Names = []string{"--" + name}
	}
	v.Options = append(v.Options, o)
}

// completions reads the options whose value is completed as a path.
func (c *completer) completions(variable string, call *ast.CallExpr) {
	ast.Inspect(call, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		ast.Inspect(kv.Value, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && (selected(e) == "ActionFiles" || selected(e) == "ActionDirectories") {
				c.change(variable, quoted(kv.Key), func(o *Option) { o.File = true })
			}
			return true
		})
		return false
	})
}

func (c *completer) change(variable, option string, to func(*Option)) {
	v := c.verbs[variable]
	if v == nil || option == "" {
		return
	}
	for i := range v.Options {
		if names := v.Options[i].Names; slices.Contains(names, "--"+option) || slices.Contains(names, "-"+option) {
			to(&v.Options[i])
		}
	}
}

// tree puts the commands below a command into it.
func (c *completer) tree(variable string, above []string) Verb {
	v := *c.verbs[variable]
	for _, sub := range c.below[variable] {
		if s := c.verbs[sub]; s != nil && len(s.Names) > 0 && !slices.Contains(above, sub) {
			v.Subs = append(v.Subs, c.tree(sub, append(above, variable)))
		}
	}
	return v
}

// selected is the name after the dot: Flags of rootCmd.Flags. One without a dot is itself.
func selected(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// receiver is what a method is called on, nil for a function.
func receiver(call *ast.CallExpr) ast.Expr {
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		return s.X
	}
	return nil
}

// flagSet is the command of rootCmd.Flags(), nil for all else.
func flagSet(e ast.Expr) ast.Expr {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil
	}
	if name := selected(call.Fun); name != "Flags" && name != "PersistentFlags" {
		return nil
	}
	return receiver(call)
}

// quoted is the text of a string literal.
func quoted(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		text, _ := strconv.Unquote(lit.Value)
		return text
	}
	return ""
}
