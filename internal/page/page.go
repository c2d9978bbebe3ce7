// Package page is what the pages of permgate are made of: the style sheet, the script that makes elements of texts, and
// the one that shows a decision. replay --html, explain --html and docs/try have them from here.
//
// A page that is written is static, except for its data, which is in it as JSON. Scripts make text nodes only, so that
// nothing a call holds is read as HTML, and the page's policy lets no other script, style or request through.
package page

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"strings"
)

// The parts of all pages.
var (
	//go:embed page.css
	CSS string
	//go:embed elements.js
	Elements string // elements, texts, bars and tables
	//go:embed decision.js
	Decision string // what explain --json says, after Elements
)

var (
	//go:embed explain.html
	explainHTML string
	//go:embed explain.js
	explainScript string
)

// Explain writes a decision, as explain --json prints it, as a page.
func Explain(w io.Writer, decision []byte) error {
	return Write(w, explainHTML, Elements+Decision+explainScript, decision)
}

// Write writes a page: its HTML with the style sheet, the data and the script where it says {css}, {data} and {js}. The
// HTML names the hashes of both, since the program has no way to make them.
func Write(w io.Writer, html, script string, data []byte) error {
	before, after, _ := strings.Cut(strings.Replace(html, "{css}", CSS, 1), "{data}")
	var text bytes.Buffer
	text.WriteString(before)
	json.HTMLEscape(&text, data) // <, >, & and U+2028: it cannot end the element it is in
	text.WriteString(strings.Replace(after, "{js}", script, 1))
	_, err := w.Write(text.Bytes())
	return err
}
