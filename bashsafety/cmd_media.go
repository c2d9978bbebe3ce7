package bashsafety

import "strings"

// mediaCommands turn pictures, films, texts and drawings into others.
var mediaCommands = []Command{
	{
		Names: []string{"pdflatex", "xelatex", "lualatex", "latex", "tex", "pdftex", "latexmk", "tectonic"}, Title: "typesets texts", Style: SingleDash,
		Flags: "halt-on-error file-line-error draftmode version help no-shell-escape recorder pdf c C pvc synctex quiet silent", Values: "interaction",
		Opts: []Opt{
			{"shell-escape enable-write18 shell-restricted", NoArg, Executes}, {"e r pdflatex latex lualatex xelatex usepretex progname fmt ini", OptArg, Unsafe},
			{"output-directory outdir auxdir aux-directory jobname", HasArg, OutputsValue},
		},
		more:     texMore,
		Examples: []Example{{"pdflatex a.tex", "read:a.tex"}, {"pdflatex --shell-escape a.tex", "narrow read:a.tex"}, {"pdflatex '\\\\input{a}'", "narrow"}, {"latexmk -pdf a.tex", "read:a.tex"}},
	},
	{
		Names: []string{"sox", "avconv"}, Title: "turns sound and films into others", Style: NoOptions, more: lastWrittenMore,
		Examples: []Example{{"avconv -i a.mp4 b.gif", "read:a.mp4 write:b.gif"}, {"avconv -version", ""}, {"avconv -f concat -i l.txt .envrc", "read:l.txt write:.envrc"}},
	},
	{
		Names: []string{"dot", "neato", "fdp", "circo", "twopi", "sfdp"}, Title: "draws graphs", Flags: "-OqvV", Values: "-TKGNEsy", Opts: []Opt{{"-o", HasArg, OutputsValue}, {"-l", HasArg, ReadsValue}, {"-c", NoArg, Unsafe}},
		Operands: Reads, Examples: []Example{{"dot -Tpng a.dot -o a.png", "write:a.png read:a.dot"}, {"dot -c", "narrow"}},
	},
	{
		Names: []string{
			"plantuml", "mmdc", "inkscape", "soffice", "libreoffice", "cwebp", "dwebp", "svgo", "terser", "uglifyjs", "html-minifier", "jsonnet", "asciidoctor", "hugo", "jekyll",
			"mdbook", "openapi-generator", "openapi-generator-cli", "rsvg-convert", "optipng", "zola", "typedoc", "jsdoc", "quicktype",
		},
		Title: "makes other files of some", Flags: "-vVqhswB version help verbose quiet watch serve server minify headless", Values: "-ietTpIPngc input type format width height convert-to",
		Opts: []Opt{
			{"-odfr output outdir out output-dir out-dir destination export-filename outfile output-file dest-dir", HasArg, OutputsValue},
			{"require extensions ext-str macro plugin plugins puppeteerConfigFile load enable-exec enable-alpha-plugins", OptArg, Unsafe},
		},
		Operands: Reads,
		Examples: []Example{{"mmdc -i a.mmd -o a.svg", "write:a.svg"}, {"soffice --headless --convert-to pdf --outdir out a.docx", "write:out read:a.docx"}, {"svgo a.svg -o .envrc", "write:.envrc read:a.svg"}},
	},
	{
		Names: []string{"qpdf", "wkhtmltopdf", "wkhtmltoimage", "pdftotext", "pdftk", "ps2pdf", "pdfunite", "typst", "cairosvg", "lame", "flac", "oggenc"}, Title: "turns one file into another",
		Style: NoOptions, more: lastWrittenMore, Examples: []Example{{"qpdf a.pdf b.pdf", "read:a.pdf write:b.pdf"}, {"pdftotext a.pdf .envrc", "read:a.pdf write:.envrc"}, {"pdftotext a.pdf", "read:a.pdf"}},
	},
	{
		Names: []string{"gs", "ghostscript"}, Title: "runs PostScript", Style: NoOptions, more: gsMore,
		Examples: []Example{{"gs -dSAFER -sDEVICE=pdfwrite -sOutputFile=b.pdf a.pdf", "write:b.pdf read:a.pdf"}, {"gs -dNOSAFER a.ps", "narrow read:a.ps"}, {"gs -sOutputFile=%pipe%id a.ps", "narrow read:a.ps"}},
	},
	{
		Names: []string{"dcfldd", "ddrescue", "dc3dd"}, Title: "copies block by block", Style: NoOptions, more: lastWrittenMore,
		Examples: []Example{{"ddrescue /dev/sda a.img", "read:/dev/sda write:a.img"}, {"dcfldd if=a of=b", "read:a write:b"}},
	},
}

// texMore: an operand that starts with a backslash is program text.
func texMore(c *call) {
	for _, i := range c.operands {
		w := &c.argv[i]
		if strings.Contains(w.Text, "\\") || strings.HasPrefix(w.Text, "&") || strings.HasPrefix(w.Text, "|") {
			c.narrow("the operand is text of TeX, which can run commands")
			continue
		}
		c.read(w)
	}
}

// lastWrittenMore is for programs that read the files they are given and write
// the last one; names of inputs may stand behind an option.
func lastWrittenMore(c *call) {
	name := programName(c.argv)
	var files []int
	for i := 1; i < len(c.argv); i++ {
		w := &c.argv[i]
		switch t := w.Text; {
		case strings.HasPrefix(t, "if="), strings.HasPrefix(t, "of="):
			v := suffix(w, 3)
			if t[0] == 'i' {
				c.read(&v)
			} else {
				c.write(&v)
			}
		case strings.HasPrefix(t, "msl:"), strings.HasPrefix(t, "mvg:"), strings.HasPrefix(t, "ephemeral:"), strings.HasPrefix(t, "|"), strings.HasPrefix(t, "@"):
			c.narrow(t + " is a program, or runs one")
		case t == "-write" || t == "-o" && name != "avconv" || t == "--output":
			if i++; i < len(c.argv) {
				c.write(&c.argv[i])
				c.narrow(t + " writes a file")
			}
		case t == "-i" && i+1 < len(c.argv):
			i++
			c.read(&c.argv[i])
		case strings.HasPrefix(t, "-"), number(t):
		case t == "compile" && name == "typst" || name == "typst" && i == 1:
		case strings.HasPrefix(c.argv[i-1].Text, "-") && !strings.ContainsAny(t, "./") && i < len(c.argv)-1: // the value of an option
		case strings.HasSuffix(t, "%"):
		default:
			files = append(files, i)
		}
	}
	last := len(files) - 1
	for n, i := range files {
		switch {
		case n == last && i == len(c.argv)-1 && (n > 0 || len(c.d.narrow) > 0 || i > 2 && name != "pdftotext" && name != "typst"):
			c.write(&c.argv[i])
		default:
			c.read(&c.argv[i])
		}
	}
}

func gsMore(c *call) {
	for i := range c.argv[1:] {
		w := &c.argv[i+1]
		switch t := w.Text; {
		case strings.HasPrefix(t, "-sOutputFile=%pipe%"), strings.HasPrefix(t, "-sOutputFile=|"), t == "-dNOSAFER", t == "-c", t == "-dDELAYSAFER", strings.HasPrefix(t, "--permit"), t == "-":
			c.narrow(t + " can run commands or touch any file")
		case strings.HasPrefix(t, "-sOutputFile="):
			v := suffix(w, len("-sOutputFile="))
			c.write(&v)
		case t == "-o" && i+2 < len(c.argv):
			c.write(&c.argv[i+2])
		case strings.HasPrefix(t, "-o") && len(t) > 2:
			v := suffix(w, 2)
			c.write(&v)
		case !strings.HasPrefix(t, "-") && c.argv[i].Text != "-o":
			c.read(w)
		}
	}
}
