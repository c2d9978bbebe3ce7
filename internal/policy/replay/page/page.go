// Package page writes a replay's report as one HTML page that needs no network.
package page

import (
	_ "embed"
	"encoding/json"
	"io"

	base "github.com/permgate--owner/permgate/internal/page"
	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// FirstLine is how every page begins, so that a page may replace one and nothing else.
const FirstLine = "<!DOCTYPE html><!-- written by permgate replay -->\n"

var (
	//go:embed page.html
	html string
	//go:embed sections.js
	sections string
	//go:embed rows.js
	rows string
)

// Write writes the page.
func Write(w io.Writer, r *replay.Report) error {
	report, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return base.Write(w, html, base.Elements+sections+rows, report)
}
