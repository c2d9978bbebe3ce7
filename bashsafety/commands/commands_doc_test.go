package commands

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

	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/internal/test/examples"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

// commandsDoc is the page; what is below generatedMark comes from the tables.
const (
	commandsDoc   = "../../docs/commands.md"
	generatedMark = "<!-- generated from the tables: go generate ./... -->\n"
)

// TestCommandsDoc keeps docs/commands.md in step with the tables.
func TestCommandsDoc(t *testing.T) {
	page, err := os.ReadFile(commandsDoc)
	if err != nil {
		t.Fatal(err)
	}
	preface, _, ok := strings.Cut(string(page), generatedMark)
	if !ok {
		t.Fatalf("%s has no line %q", commandsDoc, generatedMark)
	}
	golden.File(t, commandsDoc, preface+generatedMark+commandTables(t))
}

// commandTables is one table for each family, in the order of the index.
func commandTables(t *testing.T) string {
	var b strings.Builder
	names := 0
	for _, c := range All() {
		names += len(strings.Fields(c.Names))
	}
	fmt.Fprintf(&b, "\n%d entries, %d names of programs.\n", len(All()), names)
	titles := familyTitles(t)
	if len(titles) != len(families)-1 {
		t.Fatalf("%d families, %d titles", len(families)-1, len(titles))
	}
	for i := range families[1:] {
		family := families[i+1].rows
		fmt.Fprintf(&b, "\n## %s\n\n| program | what is known | only reads | narrows a patterned allow rule |\n|---|---|---|---|\n", titles[i])
		for j := range family {
			writeRow(&b, programRow(&family[j]))
		}
		for j := range family {
			if c := &family[j]; c.HasSubs() {
				fmt.Fprintf(&b, "\n### %s\n\n| subcommand | what is known | only reads | narrows a patterned allow rule |\n|---|---|---|---|\n", codeSpan(strings.Fields(c.Names)...))
				for _, r := range subRows(c) {
					writeRow(&b, r)
				}
			}
		}
	}
	return b.String()
}

// A docRow is one line: names, what is known, what only reads, what narrows.
type docRow struct {
	names                     []string
	known, reading, narrowing string
}

func writeRow(b *strings.Builder, r docRow) {
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n", cell(codeSpan(r.names...)), cell(r.known), cell(r.reading), cell(r.narrowing))
}

// programRow speaks of a program as a whole; its subcommands have rows of their own.
func programRow(c *Command) docRow {
	d := docEntry{c, c.Style&SingleDash != 0, !c.HasSubs()}
	r := docRow{strings.Fields(c.Names), d.known(), d.reading(), d.narrowing()}
	if c.HasSubs() {
		r.reading = "by subcommand, see below"
	}
	if launches(c) {
		r.known += "; launcher"
	}
	return r
}

// subRows speaks of the subcommands of a program, one row for those of which the same is said.
func subRows(c *Command) []docRow {
	var rows []docRow
	for _, s := range subsOf(c) {
		d := docEntry{s, (c.Style|s.Style)&SingleDash != 0, true}
		r := docRow{strings.Fields(s.Names), d.known(), d.reading(), d.narrowing()}
		same := slices.IndexFunc(rows, func(o docRow) bool {
			return o.known == r.known && o.reading == r.reading && o.narrowing == r.narrowing
		})
		if same >= 0 {
			rows[same].names = slices.Concat(rows[same].names, r.names)
		} else {
			rows = append(rows, r)
		}
	}
	return rows
}

// A docEntry is a program or subcommand that is written about.
type docEntry struct {
	*Command
	single bool // long options have one dash
	deep   bool // with its subcommands
}

// familyTitles reads the comments of the tables: "xCommands are the programs that ..." makes "Programs that ...".
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
				for _, e := range spec.Values[0].(*ast.CompositeLit).Elts[1:] {
					order = append(order, e.(*ast.CompositeLit).Elts[0].(*ast.KeyValueExpr).Value.(*ast.Ident).Name)
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
func (d docEntry) known() string {
	var out []string
	for _, what := range [...]string{d.Title, operandText(d.Operands), d.filesBy(), d.formText()} {
		if what != "" {
			out = append(out, what)
		}
	}
	if d.NoRiskyOptions {
		out = append(out, "closed")
	}
	if d.AllOptionsListed {
		out = append(out, "full")
	}
	return strings.Join(out, "; ")
}

// formText says what the forms say but what proves and narrows, which have columns of their own.
func (d docEntry) formText() string {
	texts := [...]struct {
		what string
		acts []Act
	}{
		{"reads as ", []Act{Reads}}, {"writes as ", []Act{Writes, WritesValue, Rewrites, Unpacks}}, {"deletes as ", []Act{Deletes}}, {"talks to the host of ", []Act{Sends}},
		{"runs as ", []Act{Runs, MayRun, RunsText, MayRunText, RunsInput, MayRunFed, Wraps, Executes, ObeysValue}}, {"runs elsewhere as ", []Act{RunsThere, TextThere, InputThere}},
		{"changes something as ", []Act{Changes, Configures}}, {"is unclear as ", []Act{Doubts}}, {"does more than read as ", []Act{Disproves}},
	}
	var out []string
	for _, text := range texts {
		if forms := d.of(text.acts...); len(forms) > 0 {
			out = append(out, text.what+codeSpan(forms...))
		}
	}
	return strings.Join(out, "; ")
}

func operandText(o Act) string {
	return map[Act]string{
		Words: "", Reads: "reads its operands", ReadsTree: "reads its operands and what is below", PatternReads: "reads its operands behind the pattern",
		PatternTree: "reads trees, else the working directory", Writes: "writes its operands", Deletes: "deletes its operands",
		Copies: "reads all but the last operand, writes the last", Moves: "deletes all but the last operand, writes the last",
		Links: "writes the last operand", ModeWrites: "changes its operands behind the mode or owner", ReadThenWrite: "reads the first operand, writes the second",
		Scripts: "runs its first operand", RunsText: "runs its operands", Sends: "talks to its operands",
	}[o]
}

// filesBy lists the options whose value is a file that is no narrowing.
func (d docEntry) filesBy() string {
	var reads, writes []string
	d.eachOpt("", func(name string, does Act) {
		switch does {
		case Reads, ReadsPattern:
			reads = append(reads, name)
		case Writes, TargetDir, WritesInPlace:
			writes = append(writes, name)
		}
	})
	var out []string
	if len(reads) > 0 {
		out = append(out, "reads by "+codeSpan(reads...))
	}
	if len(writes) > 0 {
		out = append(out, "writes by "+codeSpan(writes...))
	}
	return strings.Join(out, "; ")
}

// launches reports whether an example shows a command that is run inside.
func launches(c *Command) bool {
	for _, ex := range examplesOf(c) {
		if strings.Contains(ex.Want, ">") && strings.Contains(ex.Want, ProgramName(split(ex.Cmd))) {
			return true
		}
	}
	return false
}

// reading says which forms are proven to only read.
func (d docEntry) reading() string {
	if !d.HasSubs() {
		switch ex := readingExample(d.Command); {
		case d.ReadOnly:
			if not := changingExample(d.Command); not != "" {
				return "yes, but not " + codeSpan(not)
			}
			return "yes"
		case len(d.of(Proves)) > 0:
			return "as " + codeSpan(d.of(Proves)...)
		case ex != "":
			return "in forms such as " + codeSpan(ex)
		}
		return "no"
	}
	var yes, some, no []string
	eachSub(d.Command, "", func(path string, s *Command) {
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
			out = append(out, l.what+codeSpan(l.list...))
		}
	}
	return strings.Join(out, "; ")
}

// of are the patterns of the forms that do something.
func (d docEntry) of(acts ...Act) []string {
	var out []string
	for _, f := range d.Forms {
		if slices.Contains(acts, f.Does) {
			out = append(out, f.If)
		}
	}
	return out
}

func readingExample(c *Command) string {
	for _, ex := range ownExamples(c) {
		if slices.Contains(strings.Fields(ex.Want), "ro") {
			return ex.Cmd
		}
	}
	return ""
}

// changingExample is a form of a program that else reads which is not proven to,
// by something that the last column does not list.
func changingExample(c *Command) string {
	for _, ex := range ownExamples(c) {
		if want := strings.Fields(ex.Want); !slices.Contains(want, "ro") && !slices.Contains(want, "narrow") {
			return ex.Cmd
		}
	}
	return ""
}

// narrowing lists the options that run, write or load something, and what else the examples show.
func (d docEntry) narrowing() string {
	var runs, writes, loads, config []string
	d.eachOpt("", func(name string, does Act) {
		switch does {
		case Executes, RunsName, ObeysValue:
			runs = append(runs, name)
		case WritesValue:
			writes = append(writes, name)
		case Unsafe, SetsKey:
			loads = append(loads, name)
		case LoadsValue:
			config = append(config, name)
		}
	})
	var out []string
	for _, l := range [...]struct {
		what string
		list []string
	}{{"runs by ", runs}, {"writes by ", writes}, {"loads or disables a safety check by ", loads}, {"loads what may lie outside the working directory by ", config}} {
		if len(l.list) > 0 {
			out = append(out, l.what+codeSpan(l.list...))
		}
	}
	if d.Rare().Stdin != nil {
		texts := examples.Read("testdata/stdin")
		first := slices.IndexFunc(texts, func(e examples.Example) bool { return e.Program == d.Name() })
		out = append(out, "what comes in on its standard input ("+codeSpan(strings.ReplaceAll(texts[first].Cmd, "\n", "; "))+")")
	}
	shown := ownExamples(d.Command)
	if d.deep {
		shown = examplesOf(d.Command)
	}
	for _, ex := range shown {
		for _, why := range Describe(split(ex.Cmd), &shell.CwdState{Dirs: []string{"/w"}}, "/home/u").Facts.Narrow {
			if !strings.HasPrefix(why, "-") && !strings.HasPrefix(why, "an un") && len(out) < 12 {
				if !slices.ContainsFunc(out, func(s string) bool { return strings.HasPrefix(s, why) }) {
					out = append(out, why+" ("+codeSpan(ex.Cmd)+")")
				}
			}
		}
	}
	return strings.Join(out, "; ")
}

// eachOpt names every option that matters, a subcommand's after its name.
func (d docEntry) eachOpt(path string, do func(name string, does Act)) {
	for _, o := range d.Opts {
		for f := range strings.FieldsSeq(o.Names) {
			switch {
			case f[0] == '-':
				for _, r := range f[1:] {
					do(path+"-"+string(r), o.Does)
				}
			case d.single:
				do(path+"-"+f, o.Does)
			default:
				do(path+"--"+f, o.Does)
			}
		}
	}
	if !d.deep {
		return
	}
	for _, s := range subsOf(d.Command) {
		docEntry{s, d.single || s.Style&SingleDash != 0, true}.eachOpt(path+s.Name()+" ", do)
	}
}

// eachSub visits the subcommands that have none themselves, each under every
// name; of groups that share theirs only the first.
func eachSub(c *Command, path string, do func(path string, s *Command)) {
	for _, s := range subsOf(c) {
		names := strings.Fields(s.Names)
		if len(s.Also) > 0 && len(names) > 1 {
			names = names[:1]
		}
		for _, n := range names {
			if s.HasSubs() {
				eachSub(s, path+n+" ", do)
			} else {
				do(path+n, s)
			}
		}
	}
}

// examplesOf returns the examples of a program with those of its subcommands.
func examplesOf(c *Command) []examples.Example {
	out := ownExamples(c)
	for _, s := range subsOf(c) {
		out = append(out, examplesOf(s)...)
	}
	return out
}

func codeSpan(words ...string) string {
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
