// Package page writes a replay's report as one HTML page that needs no network.
//
// The page is static, except for the report, which is in it as JSON. Its script makes
// text nodes only, so that nothing a call holds is read as HTML, and its policy
// lets no other script, style or request through.
package page

import (
	_ "embed"
	"encoding/json"
	"io"
	"strings"

	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// FirstLine is how every page begins, so that a page may replace one and nothing else.
const FirstLine = "<!DOCTYPE html><!-- written by permgate replay -->\n"

var (
	//go:embed page.html
	html string
	//go:embed page.css
	css string
	//go:embed elements.js
	elements string
	//go:embed sections.js
	sections string
	//go:embed rows.js
	rows string
)

// Write writes the page.
func Write(w io.Writer, r *replay.Report) error {
	report, err := json.Marshal(r) // with <, >, & and U+2028 escaped: it cannot end the element it is in
	if err != nil {
		return err
	}
	for _, part := range around() {
		text := []byte(part)
		if part == mark {
			text = report
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// mark is where the report goes.
const mark = "{report}"

// around returns the page in parts: before the report, the mark, after it.
func around() [3]string {
	before, after, _ := strings.Cut(html, mark)
	return [3]string{strings.Replace(before, "{css}", css, 1), mark, strings.Replace(after, "{js}", script(), 1)}
}

// script is what runs. The page names its hash, and that of the style sheet.
func script() string { return elements + sections + rows }
