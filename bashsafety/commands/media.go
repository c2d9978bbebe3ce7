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
			{"shell-escape enable-write18 shell-restricted", NoArg, Executes}, {"e r pdflatex latex lualatex xelatex usepretex progname fmt ini", OptArg, Unsafe},
			{"output-directory outdir auxdir aux-directory jobname", HasArg, OutputsValue},
		},
		refine: refineTex,
	},
	{Names: "sox", Title: "turns sounds into others", Style: NoOptions, refine: refineLastWritten},
	{
		// -o is no option of its own.
		Names: "avconv", Title: "converts audio and video", Style: NoOptions, refine: refineAvconv,
	},
	{
		Names: "dot neato fdp circo twopi sfdp", Title: "draws graphs", Flags: "-OqvV", Values: "-TKGNEsy", Opts: []Opt{{"-o", HasArg, OutputsValue}, {"-l", HasArg, ReadsValue}, {"-c", NoArg, Unsafe}},
		Operands: Reads,
	},
	{
		Names: "plantuml mmdc inkscape soffice libreoffice cwebp dwebp svgo terser uglifyjs html-minifier jsonnet " +
			"asciidoctor hugo jekyll mdbook openapi-generator openapi-generator-cli rsvg-convert optipng zola " +
			"typedoc jsdoc quicktype",
		Title: "generates files from others", Flags: "-vVqhswB version help verbose quiet watch serve server minify headless", Values: "-ietTpIPngc input type format width height convert-to",
		Opts: []Opt{
			{"-odfr output outdir out output-dir out-dir destination export-filename outfile output-file dest-dir", HasArg, OutputsValue},
			{"require extensions ext-str macro plugin plugins puppeteerConfigFile load enable-exec enable-alpha-plugins", OptArg, Unsafe},
		},
		Operands: Reads,
	},
	{
		Names: "qpdf wkhtmltopdf wkhtmltoimage pdftk ps2pdf pdfunite cairosvg lame flac oggenc",
		Title: "converts one file into another", Style: NoOptions, refine: refineLastWritten,
	},
	{Names: "pdftotext", Title: "converts one file into another", Style: NoOptions, refine: refinePdftotext},
	{
		Names: "pdfinfo", Title: "prints what a PDF says about itself", Style: SingleDash, Operands: Reads, Files: true, ReadOnly: true,
		Flags:  "box meta custom js struct struct-text url isodates rawdates dests listenc v h help ?",
		Values: "f l enc opw upw",
	},
	{Names: "typst", Title: "typesets documents", Style: NoOptions, refine: refineTypst},
	{Names: "gs ghostscript", Title: "runs PostScript", Style: NoOptions, refine: refineGs},
	{Names: "dcfldd ddrescue dc3dd", Title: "copies block by block", Style: NoOptions, refine: refineLastWritten},
}

// refineTex: an operand that starts with a backslash is program text.
func refineTex(c *Invocation) {
	for _, i := range c.Operands {
		w := &c.Argv[i]
		if strings.Contains(w.Text, "\\") || strings.HasPrefix(w.Text, "&") || strings.HasPrefix(w.Text, "|") {
			c.Narrow("the operand is TeX code, which can run commands")
			continue
		}
		c.read(w)
	}
}

// convertOutputs are the options whose value is a file that is written.
const convertOutputs = "-write -o --output --empty"

// refineLastWritten is for programs that read the files they are given and write
// the last one.
func refineLastWritten(c *Invocation) { c.writesLast(c.convertFiles(1, convertOutputs), true) }

func refineAvconv(c *Invocation) { c.writesLast(c.convertFiles(1, "-write --output"), true) }

// refinePdftotext: a file alone is read, whatever options come before it.
func refinePdftotext(c *Invocation) { c.writesLast(c.convertFiles(1, convertOutputs), false) }

// refineTypst is typst compile INPUT [OUTPUT].
func refineTypst(c *Invocation) {
	files := c.convertFiles(2, convertOutputs)
	files = slices.DeleteFunc(files, func(i int) bool { return c.Argv[i].Text == "compile" })
	c.writesLast(files, false)
}

// convertFiles reads and writes what options name, from a place on, and returns
// where the other files are; names of inputs may be behind an option.
func (c *Invocation) convertFiles(from int, outputs string) (files []int) {
	for i := from; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		behindOption := i < len(c.Argv)-1 && strings.HasPrefix(c.Argv[i-1].Text, "-")
		mayBeValue := behindOption && !strings.ContainsAny(w.Text, "./")
		switch t := w.Text; {
		case strings.HasPrefix(t, "if="):
			v := shell.Suffix(w, len("if="))
			c.read(&v)
		case strings.HasPrefix(t, "of="):
			v := shell.Suffix(w, len("of="))
			c.write(&v)
		case shell.StartsWithAny(t, "msl:", "mvg:", "ephemeral:", "|", "@"):
			c.Narrow(t + " is a program, or runs one")
		case shell.Among(outputs, t):
			if i++; i < len(c.Argv) {
				c.write(&c.Argv[i])
				c.Narrow(t + " writes a file")
			}
		case t == "-i" && i+1 < len(c.Argv):
			i++
			c.read(&c.Argv[i])
		case mayBeValue, strings.HasPrefix(t, "-"), shell.Number(t), strings.HasSuffix(t, "%"):
		default:
			files = append(files, i)
		}
	}
	return files
}

// writesLast reads files and writes the last word, where it is one of several;
// alone it is written when lone is set and options come before it.
func (c *Invocation) writesLast(files []int, lone bool) {
	for n, i := range files {
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
			v := shell.Suffix(w, len("-sOutputFile="))
			c.write(&v)
		case t == "-o" && i+2 < len(c.Argv):
			c.write(&c.Argv[i+2])
		case strings.HasPrefix(t, "-o") && len(t) > 2:
			v := shell.Suffix(w, 2)
			c.write(&v)
		case !strings.HasPrefix(t, "-") && c.Argv[i].Text != "-o":
			c.read(w)
		}
	}
}
