package bashsafety

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// commandsDoc is the page; what stands below generatedMark comes from the tables.
const (
	commandsDoc   = "../docs/commands.md"
	generatedMark = "<!-- generated from the tables: go test ./bashsafety -run CommandsDoc -update -->\n"
)

// TestCommandsDoc keeps docs/commands.md in step with the tables:
// go test ./bashsafety -run CommandsDoc -update.
func TestCommandsDoc(t *testing.T) {
	page, err := os.ReadFile(commandsDoc)
	if err != nil {
		t.Fatal(err)
	}
	preface, have, ok := strings.Cut(string(page), generatedMark)
	if !ok {
		t.Fatalf("%s has no line %q", commandsDoc, generatedMark)
	}
	want := commandTables(t)
	if *update {
		if err := os.WriteFile(commandsDoc, []byte(preface+generatedMark+want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have != want {
		t.Fatalf("%s is stale: go test ./bashsafety -run CommandsDoc -update", commandsDoc)
	}
}

// commandTables is one table for each family, in the order of the index.
func commandTables(t *testing.T) string {
	var b strings.Builder
	names := 0
	for _, c := range Commands() {
		names += len(c.Names)
	}
	fmt.Fprintf(&b, "\n%d entries, %d names of programs.\n", len(Commands()), names)
	titles := familyTitles(t)
	if len(titles) != len(families) {
		t.Fatalf("%d families, %d titles", len(families), len(titles))
	}
	for i, family := range families {
		fmt.Fprintf(&b, "\n## %s\n\n| program | what is known | only reads | narrows a patterned allow rule |\n|---|---|---|---|\n", titles[i])
		for j := range family {
			c := &family[j]
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(code(c.Names...)), cell(known(c)), cell(reading(c)), cell(narrowing(c)))
		}
	}
	return b.String()
}

// familyTitles reads the comments of the tables: "xCommands are the programs
// that ..." makes "Programs that ...".
func familyTitles(t *testing.T) []string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	docs, order := map[string]string{}, []string(nil)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.VAR {
				continue
			}
			spec := decl.Specs[0].(*ast.ValueSpec)
			docs[spec.Names[0].Name] = decl.Doc.Text()
			if spec.Names[0].Name == "families" {
				for _, e := range spec.Values[0].(*ast.CompositeLit).Elts {
					order = append(order, e.(*ast.Ident).Name)
				}
			}
		}
	}
	titles := make([]string, len(order))
	for i, name := range order {
		_, title, ok := strings.Cut(strings.Join(strings.Fields(docs[name]), " "), " ")
		title, _, _ = strings.Cut(title, ". ")
		title = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(title, "are "), "is "), "the ")
		if title = strings.TrimSuffix(title, "."); !ok || title == "" {
			t.Fatalf("the table %s needs a comment that says which programs stand in it", name)
		}
		titles[i] = strings.ToUpper(title[:1]) + title[1:]
	}
	return titles
}

// known says what a program is, what its operands are and what else is settled.
func known(c *Command) string {
	out := []string{c.Title}
	if what := operandText(c.Operands); what != "" {
		out = append(out, what)
	}
	if by := filesBy(c); by != "" {
		out = append(out, by)
	}
	if c.Closed {
		out = append(out, "closed")
	}
	if launches(c) {
		out = append(out, "launcher")
	}
	return strings.Join(out, "; ")
}

func operandText(o Operands) string {
	return [...]string{
		Words: "", Reads: "reads its operands", ReadsTree: "reads its operands and what is below", PatternReads: "reads its operands behind the pattern",
		PatternTree: "reads trees, else the working directory", Writes: "writes its operands", Deletes: "deletes its operands",
		Copies: "reads all but the last operand, writes the last", Moves: "deletes all but the last operand, writes the last",
		Links: "writes the last operand", ModeWrites: "changes its operands behind the mode or owner", ReadThenWrite: "reads the first operand, writes the second",
		ReadsToCwd: "reads its operands, writes into the working directory", Scripts: "runs its first operand", URLs: "talks to its operands",
	}[o]
}

// filesBy lists the options whose value is a file that is no narrowing.
func filesBy(c *Command) string {
	var reads, writes []string
	eachOpt(c, "", func(name string, does Act) {
		switch does {
		case ReadsValue, ReadsPattern:
			reads = append(reads, name)
		case OutputsValue, TargetDir, WritesInPlace:
			writes = append(writes, name)
		}
	})
	var out []string
	if len(reads) > 0 {
		out = append(out, "reads by "+code(reads...))
	}
	if len(writes) > 0 {
		out = append(out, "writes by "+code(writes...))
	}
	return strings.Join(out, "; ")
}

// launches reports whether an example shows a command that is run inside.
func launches(c *Command) bool {
	for _, ex := range examplesOf(c) {
		if strings.Contains(ex.Want, ">") && strings.Contains(ex.Want, programName(split(ex.Cmd))) {
			return true
		}
	}
	return false
}

// reading says which forms are proven to only read.
func reading(c *Command) string {
	if !c.hasSubs() {
		switch ex := readingExample(c); {
		case c.ReadOnly:
			return "yes"
		case ex != "":
			return "in forms such as " + code(ex)
		}
		return "no"
	}
	var yes, some, no []string
	eachSub(c, "", func(path string, s *Command) {
		switch ex := readingExample(s); {
		case s.ReadOnly:
			yes = append(yes, path)
		case ex != "":
			some = append(some, ex)
		default:
			no = append(no, path)
		}
	})
	var out []string
	for _, l := range [...]struct {
		what string
		list []string
	}{{"", yes}, {"in forms such as ", some}, {"not ", no}} {
		if len(l.list) > 0 {
			out = append(out, l.what+code(l.list...))
		}
	}
	return strings.Join(out, "; ")
}

func readingExample(c *Command) string {
	for _, ex := range c.Examples {
		if slices.Contains(strings.Fields(ex.Want), "ro") {
			return ex.Cmd
		}
	}
	return ""
}

// narrowing lists the options that run, write or load something, and what
// else the examples show.
func narrowing(c *Command) string {
	var runs, writes, loads []string
	eachOpt(c, "", func(name string, does Act) {
		switch does {
		case Executes:
			runs = append(runs, name)
		case WritesValue:
			writes = append(writes, name)
		case Unsafe:
			loads = append(loads, name)
		}
	})
	var out []string
	for _, l := range [...]struct {
		what string
		list []string
	}{{"runs by ", runs}, {"writes by ", writes}, {"loads or lifts a guard by ", loads}} {
		if len(l.list) > 0 {
			out = append(out, l.what+code(l.list...))
		}
	}
	for _, ex := range examplesOf(c) {
		for _, why := range describe(split(ex.Cmd), &cwdState{dirs: []string{"/w"}}, "/home/u").d.narrow {
			if !strings.HasPrefix(why, "-") && !strings.HasPrefix(why, "an un") && len(out) < 12 {
				if shown := why + " (" + code(ex.Cmd) + ")"; !slices.ContainsFunc(out, func(s string) bool { return strings.HasPrefix(s, why) }) {
					out = append(out, shown)
				}
			}
		}
	}
	return strings.Join(out, "; ")
}

// eachOpt names every option that matters, a subcommand's behind its name.
func eachOpt(c *Command, path string, do func(name string, does Act)) {
	eachOptStyled(c, path, c.Style&SingleDash != 0, do)
}

func eachOptStyled(c *Command, path string, single bool, do func(name string, does Act)) {
	for i := range c.Opts {
		for f := range strings.FieldsSeq(c.Opts[i].Names) {
			switch {
			case f[0] == '-':
				for _, r := range f[1:] {
					do(path+"-"+string(r), c.Opts[i].Does)
				}
			case single:
				do(path+"-"+f, c.Opts[i].Does)
			default:
				do(path+"--"+f, c.Opts[i].Does)
			}
		}
	}
	for _, s := range slices.Concat(c.Subs, c.Also) {
		eachOptStyled(&s, path+s.Names[0]+" ", single || s.Style&SingleDash != 0, do)
	}
}

// eachSub visits the subcommands that have none themselves, each under every
// name; of groups that share theirs the first stands for all.
func eachSub(c *Command, path string, do func(path string, s *Command)) {
	for _, s := range slices.Concat(c.Subs, c.Also) {
		names := s.Names
		if len(s.Also) > 0 && len(names) > 1 {
			names = names[:1]
		}
		for _, n := range names {
			if s.hasSubs() {
				eachSub(&s, path+n+" ", do)
			} else {
				do(path+n, &s)
			}
		}
	}
}

func examplesOf(c *Command) []Example {
	out := slices.Clone(c.Examples)
	for _, s := range slices.Concat(c.Subs, c.Also) {
		out = append(out, examplesOf(&s)...)
	}
	return out
}

func code(words ...string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = "`" + w + "`"; strings.Contains(w, "`") {
			out[i] = "`` " + w + " ``"
		}
	}
	return strings.Join(slices.Compact(out), ", ")
}

func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}
