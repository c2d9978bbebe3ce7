package e2e

import (
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

// pictured are the commands that the picture of the README shows, each with the answer that its caption names.
var pictured = [...]struct{ command, answer string }{
	{"permgate check --host claude 'cat .env | base64'", "deny"},
	{"permgate check --host claude 'git status && rm -rf src'", "ask"},
	{"permgate check --host claude 'timeout 60 npm run build | tail -20'", "allow"},
}

// pictureColumns is how wide its terminal is.
const pictureColumns = 100

// A theme is the colours of a terminal; sgr has those that a program asks for by number.
type theme struct {
	name, back, text, frame string
	sgr                     map[string]string
}

var themes = []theme{
	{"light", "#ffffff", "#1f2328", "#d0d7de", map[string]string{"2": "#59636e", "31": "#cf222e", "32": "#1a7f37", "33": "#9a6700"}},
	{"dark", "#0d1117", "#e6edf3", "#3d444d", map[string]string{"2": "#9198a1", "31": "#ff7b72", "32": "#3fb950", "33": "#d29922"}},
}

// picture runs the pictured commands as on a terminal with colours, and compares or writes what they print as an SVG,
// one for each theme.
func (r *readme) picture() {
	var lines []string
	for _, p := range pictured {
		out := r.run(p.command, "", "FORCE_COLOR=1", fmt.Sprintf("COLUMNS=%d", pictureColumns))
		if first, _, _ := strings.Cut(escape.ReplaceAllString(out, ""), " "); first != p.answer {
			r.t.Errorf("%s: answered %s, the caption says %s", p.command, first, p.answer)
		}
		out = strings.ReplaceAll(strings.TrimRight(out, "\n"), r.home, "/home/you")
		lines = append(lines, "$ "+p.command)
		lines = append(lines, strings.Split(out, "\n")...)
	}
	for _, th := range themes {
		golden.File(r.t, filepath.Join("docs", "session-"+th.name+".svg"), th.draw(lines))
	}
}

var escape = regexp.MustCompile("\x1b\\[([0-9]*)m")

// draw draws lines in one theme, with a gap before each command.
func (th theme) draw(lines []string) string {
	const size, step, gap, margin = 13, 19, 9, 18
	var text, out strings.Builder
	y := margin - step + size
	for i, line := range lines {
		if y += step; i > 0 && strings.HasPrefix(line, "$ ") {
			y += gap
		}
		fmt.Fprintf(&text, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, y, th.spans(line))
	}
	width, height := pictureColumns*size*6/10+2*margin, y+margin
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img">`+"\n", width, height)
	fmt.Fprintf(&out, `<rect x=".5" y=".5" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", width-1, height-1, th.back, th.frame)
	fmt.Fprintf(&out, `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%d" fill="%s"`,
		size, th.text)
	return out.String() + ` xml:space="preserve">` + "\n<style>text{white-space:pre}</style>\n" + text.String() + "</g>\n</svg>\n"
}

// spans is a line as text of an SVG: the text after an escape sequence has its colour.
func (th theme) spans(line string) string {
	var b strings.Builder
	at, colour := 0, ""
	put := func(text string) {
		if text = html.EscapeString(text); colour != "" && text != "" {
			text = fmt.Sprintf(`<tspan fill="%s">%s</tspan>`, colour, text)
		}
		b.WriteString(text)
	}
	for _, m := range escape.FindAllStringSubmatchIndex(line, -1) {
		put(line[at:m[0]])
		at, colour = m[1], th.sgr[line[m[2]:m[3]]]
	}
	put(line[at:])
	if strings.HasPrefix(line, "$ ") {
		return fmt.Sprintf(`<tspan font-weight="bold">%s</tspan>`, b.String())
	}
	return b.String()
}
