package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// mediaCommands turn pictures, films, texts and drawings into others.
var mediaCommands = []Command{
	{
		Names: "pdflatex xelatex lualatex latex tex pdftex luatex xetex latexmk tectonic", Title: "typesets documents", Style: SingleDash,
		Flags: "halt-on-error file-line-error draftmode version help no-shell-escape recorder pdf c C pvc synctex quiet silent", Values: "interaction",
		Opts: []Opt{
			{"shell-escape enable-write18 shell-restricted", NoArg, Executes}, {"e", HasArg, ObeysValue}, {"usepretex", OptArg, ObeysValue}, {"pdflatex latex lualatex xelatex", OptArg, Executes}, {"r progname fmt ini", OptArg, Unsafe},
			{"output-directory outdir auxdir aux-directory jobname", HasArg, Writes},
		},
		refine: refineTex,
	},
	{Names: "sox", Title: "turns sounds into others", Style: NoOptions, refine: refineLastWritten},
	{
		// -o is no option of its own.
		Names: "avconv", Title: "converts audio and video", Style: NoOptions, refine: func(c *Invocation) { c.writesLast(1, "-write --output", true) },
	},
	{
		Names: "dot neato fdp circo twopi sfdp", Title: "draws graphs", Flags: "-OqvV", Values: "-TKGNEsy", Opts: []Opt{{"-o", HasArg, Writes}, {"-l", HasArg, Reads}, {"-c", NoArg, Unsafe}},
		Operands: Reads,
	},
	{
		Names: "plantuml mmdc inkscape soffice libreoffice cwebp dwebp svgo terser uglifyjs html-minifier jsonnet " +
			"asciidoctor hugo jekyll mdbook openapi-generator openapi-generator-cli rsvg-convert optipng zola " +
			"typedoc jsdoc quicktype",
		Title: "generates files from others", Flags: "-vVqhswB version help verbose quiet watch serve server minify headless", Values: "-ietTpIPngc input type format width height convert-to",
		Opts: []Opt{
			{"-odfr output outdir out output-dir out-dir destination export-filename outfile output-file dest-dir", HasArg, Writes},
			{"require extensions ext-str macro plugin plugins puppeteerConfigFile load enable-exec enable-alpha-plugins", OptArg, Unsafe},
		},
		Operands: Reads,
	},
	{
		Names: "qpdf wkhtmltopdf wkhtmltoimage pdftk ps2pdf pdfunite cairosvg lame flac oggenc",
		Title: "converts one file into another", Style: NoOptions, refine: refineLastWritten,
	},
	{ // a file alone is read, whatever options come before it
		Names: "pdftotext", Title: "converts one file into another", Style: NoOptions, refine: func(c *Invocation) { c.writesLast(1, convertOutputs, false) },
	},
	{
		Names: "pdfinfo", Title: "prints what a PDF says about itself", Style: SingleDash, Operands: Reads, Files: true, ReadOnly: true,
		Flags:  "box meta custom js struct struct-text url isodates rawdates dests listenc v h help ?",
		Values: "f l enc opw upw",
	},
	{ // typst compile INPUT [OUTPUT]
		Names: "typst", Title: "typesets documents", Style: NoOptions, refine: func(c *Invocation) { c.writesLast(2, convertOutputs, false) },
	},
	{Names: "gs ghostscript", Title: "runs PostScript", Style: NoOptions, refine: refineGs},
	{Names: "dcfldd ddrescue dc3dd", Title: "copies block by block", Style: NoOptions, refine: refineLastWritten},
}

// refineTex: an operand that starts with a backslash is program text.
func refineTex(c *Invocation) {
	for _, w := range c.operands() {
		if strings.Contains(w.Text, "\\") || strings.HasPrefix(w.Text, "&") || strings.HasPrefix(w.Text, "|") {
			c.Narrow("the operand is TeX code, which can run commands")
			for _, mark := range [...]string{`\write18{`, `\input|"`, `\ShellEscape{`, "|"} {
				if _, text, ok := strings.Cut(w.Text, mark); ok {
					c.scan("TeX", strings.TrimRight(text, `}"`), w)
				}
			}
			continue
		}
		c.read(w)
	}
}

// convertOutputs are the options whose value is a file that is written.
const convertOutputs = "-write -o --output --empty"

// refineLastWritten: the last file is written, the others are read.
func refineLastWritten(c *Invocation) { c.writesLast(1, convertOutputs, true) }

// convertFiles reads and writes what options name, from a place on, and returns
// where the other files are; names of inputs may be after an option.
func (c *Invocation) convertFiles(from int, outputs string) (files []int) {
	for i := from; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		behindOption := i < len(c.Argv)-1 && strings.HasPrefix(c.Argv[i-1].Text, "-")
		mayBeValue := behindOption && !strings.ContainsAny(w.Text, "./")
		switch t := w.Text; {
		case strings.HasPrefix(t, "if="):
			c.read(new(shell.Suffix(w, len("if="))))
		case strings.HasPrefix(t, "of="):
			c.write(new(shell.Suffix(w, len("of="))))
		case shell.StartsWithAny(t, "msl:", "mvg:", "ephemeral:", "|", "@"):
			c.Narrow(t + " is a program, or runs one")
		case shell.Among(outputs, t):
			if i++; i < len(c.Argv) {
				c.writeExtra(&c.Argv[i])
			}
		case t == "-i" && i+1 < len(c.Argv):
			i++
			c.read(&c.Argv[i])
		case mayBeValue, strings.HasPrefix(t, "-"), shell.Number(t), strings.HasSuffix(t, "%"), from > 1 && t == "compile":
		default:
			files = append(files, i)
		}
	}
	return files
}

// writesLast reads files from a place on and writes the last word, where it is one of several;
// alone it is written when lone is set and options come before it.
func (c *Invocation) writesLast(from int, outputs string, lone bool) {
	for n, i := range c.convertFiles(from, outputs) {
		output := n > 0 || len(c.Facts.Narrow) > 0 || lone && i > 2
		if output && i == len(c.Argv)-1 {
			c.write(&c.Argv[i])
		} else {
			c.read(&c.Argv[i])
		}
	}
}

func refineGs(c *Invocation) {
	for i := range c.Argv[1:] {
		w := &c.Argv[i+1]
		switch t := w.Text; {
		case shell.Among("-dNOSAFER -c -dDELAYSAFER -", t),
			shell.StartsWithAny(t, "-sOutputFile=%pipe%", "-sOutputFile=|", "--permit"):
			c.Narrow(t + " can run commands or touch any file")
		case strings.HasPrefix(t, "-sOutputFile="):
			c.write(new(shell.Suffix(w, len("-sOutputFile="))))
		case t == "-o" && i+2 < len(c.Argv):
			c.write(&c.Argv[i+2])
		case strings.HasPrefix(t, "-o") && len(t) > 2:
			c.write(new(shell.Suffix(w, 2)))
		case !strings.HasPrefix(t, "-") && c.Argv[i].Text != "-o":
			c.read(w)
		}
	}
}

// The options of hadolint, yamllint and actionlint.
const (
	lintFlags  = "-sVv strict version help no-color no-fail verbose no-warnings oneline list-files"
	lintValues = "-fd format config-data ignore"
	lintTells  = "--version -V -v --help -h -version"
)

var lintOpts = []Opt{{"-c config config-file", HasArg, Reads}, {"shellcheck pyflakes", HasArg, Executes}}

// The options of cloc and scc.
const (
	countFlags = "-Cwhv quiet json yaml csv md by-file by-file-by-lang hide-rate no-autogen no-cocomo " +
		"no-complexity wide files compact hidden no-ignore no-duplicates ci help version show-lang show-ext " +
		"languages verbose skip-uniqueness follow-links fullpath count-and-diff no-gitignore no-scc-ignore " +
		"no-size no-min no-gen uloc"
	countValues = "-efstix exclude-dir exclude-ext exclude-file exclude-lang include-lang include-ext match-d " +
		"not-match-d match-f not-match-f timeout types exclude sort format count-as not-match"
)

var countOpts = []Opt{
	{"-o output out report-file sql write-lang-def diff-timeout-file counted found ignored categorized unicode-file strip-comments strip-code", HasArg, WritesValue},
	{"extract-with vcs script-lang", HasArg, Executes}, {"config read-lang-def force-lang-def", HasArg, Unsafe}, {"list-file exclude-list-file", HasArg, Reads},
}

// lookCommands read sources and packages without running anything of them.
var lookCommands = []Command{
	{
		Names: "shellcheck", Net: StaysHere, Title: "checks shell scripts", ReadOnly: true, Operands: Reads,
		Flags: "-axV check-sourced external-sources norc list-optional version help", Values: "-fiePosSW format include exclude enable shell severity wiki-link-count source-path",
		OptValues: "-C color", Opts: []Opt{{"rcfile", HasArg, Reads}},
	},
	{
		Names: "shfmt", Local: true, Forms: []Form{{"-w|--write|-l|--list|-f|--find !-d|--diff|--tojson|--to-json", Hides, ""}}, InPlace: true, Title: "formats shell scripts", Style: SingleDash, ReadOnly: true, Operands: ReadsTree,
		Flags:  "l list d diff s simplify mn minify bn binary-next-line ci case-indent sr space-redirects kp keep-padding fn func-next-line f find tojson to-json fromjson from-json version help h",
		Values: "i indent ln language-dialect p posix filename", Opts: []Opt{{"w write", NoArg, WritesInPlace}},
	},
	{
		Names: "hadolint yamllint", Title: "checks configuration files", Operands: ReadsTree, ReadsSome: true,
		Flags: lintFlags, Values: lintValues, Opts: lintOpts, InfoFlags: lintTells,
	},
	{
		Names: "actionlint", Title: "checks workflows, and what their scripts say with other checkers", Operands: ReadsTree,
		Flags: lintFlags, Values: lintValues, Opts: lintOpts, InfoFlags: lintTells,
	},
	{
		// Its long options may have one dash.
		Names: "cloc", Parser: AnyCase | Plus, Title: "counts lines of code", Operands: ReadsTree, ReadOnly: true, Net: FetchesURLs, refine: refineCloc,
		Flags: countFlags, Values: countValues, Opts: countOpts,
	},
	{
		Names: "scc", Title: "counts lines of code", Operands: ReadsTree, ReadOnly: true, Net: FetchesURLs, Flags: countFlags,
		Values: countValues, Opts: countOpts,
	},
	{
		Names: "tokei", Title: "counts lines of code", Operands: ReadsTree, ReadOnly: true,
		Flags: "-CfhlVv compact files hidden languages no-ignore no-ignore-dot no-ignore-parent no-ignore-vcs verbose help version", Values: "-cest columns exclude sort type types num-format",
		Opts: []Opt{{"-i input", HasArg, Reads}},
	},
	{
		Names: "javap", Parser: ArgFiles, Title: "shows the contents of a class file", Style: SingleDash, ReadOnly: true, Operands: Reads, Net: FetchesURLs,
		Flags: "version help verbose v l public protected package private p c s sysinfo constants", Values: "module system multi-release", Opts: []Opt{{"classpath class-path cp bootclasspath", HasArg, Reads}},
	},
	{
		Names: "gem", Title: "installs Ruby packages", Style: StopAtOperand, Flags: "-hvq", Opts: []Opt{{"config-file", HasArg, Unsafe}}, ReadsSome: true, refine: refineGem, InfoFlags: "--version -v --help -h",
		Special: &Special{Environments: []Environment{{Package: "-g gem", Command: Command{Names: "exec", Flags: "conservative prerelease", Values: "-gv gem version"}}},
			Losses: []Loss{{Of: OfRegistry, Values: "-vkp version key host platform", Verbs: []string{"yank", "owner --remove|-r"}}}},
	},
}

// refineCloc: a long option with one dash would be read as a run of letters.
func refineCloc(c *Invocation) {
	for i := range c.Argv[1:] {
		if t := shell.LiteralPrefix(&c.Argv[i+1]); len(t) > 2 && t[0] == '-' && t[1] != '-' {
			c.Narrow("with one dash it is a long option of cloc; write two")
		}
	}
}

// refineGem: what looks at the installed packages reads; the rest installs or runs.
func refineGem(c *Invocation) {
	verb := c.LiteralOperand(0)
	c.gemOptions(verb)
	switch verb {
	case "list", "environment", "env", "which", "contents":
		c.disproveIf(slices.ContainsFunc(c.rest(1), gemMayFetch))
	case "exec":
		c.Disprove("")
		c.environment()
	default:
		c.Disprove("")
	}
}

// gemOptions looks at the options after a verb of gem.
func (c *Invocation) gemOptions(verb string) {
	rest := c.rest(1)
	c.laterHoles(rest)
	for i, w := range rest {
		switch name, value, _ := strings.Cut(w.Text, "="); name {
		case "--source", "-s", "--config-file", "--host":
			c.Narrow(name + " takes code from elsewhere")
		case "--editor", "-e":
			if verb != "open" && verb != "edit" && verb != "contents" {
				continue
			}
			c.Narrow(name + " runs a program")
			if value == "" && i+1 < len(rest) {
				c.scan(name, rest[i+1].Text, &rest[i+1])
			} else {
				c.scan(name, value, &w)
			}
		}
	}
}

// gemMayFetch reports whether a word of a lookup could be an option that asks elsewhere.
func gemMayFetch(w shell.Word) bool {
	if !w.Known || !strings.HasPrefix(w.Text, "-") {
		return !w.Known
	}
	return !shell.Among("--local -l --all -a --versions --exact -e -i", w.Text)
}
