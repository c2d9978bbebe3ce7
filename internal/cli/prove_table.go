package cli

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/prove"
)

// Bounds of a table: a comment takes 64 KiB.
const (
	tableRows = 50
	tableCell = 300 // characters
)

// proofTable is a report as Markdown, fit for a comment: all that comes from settings
// is in code spans, in which nothing is a link, a name or HTML.
func (e *env) proofTable(o *proveOptions, r *prove.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**permgate prove**: %s\n", o.heading(r, codeSpan))
	if len(r.Findings) > 0 {
		b.WriteString("\n| | answer | call | because of | in |\n|---|---|---|---|---|\n")
	}
	for i := range r.Findings[:min(len(r.Findings), tableRows)] {
		f := &r.Findings[i]
		because := responsible(f)
		if f.Was == "" { // there is one policy
			because = e.short(f.Why)
		}
		row(&b, hookio.Escape(f.Kind), codeSpan(answers(f)), codeSpan(callTitle(f)), codeSpan(because), e.placeSpan(f.Place))
	}
	more(&b, len(r.Findings))
	if len(r.Open) > 0 {
		b.WriteString("\nNot known:\n\n| tool | rule | in | because |\n|---|---|---|---|\n")
	}
	for _, x := range r.Open[:min(len(r.Open), tableRows)] {
		row(&b, codeSpan(x.Tool), codeSpan(x.Rule), e.placeSpan(x.Place), codeSpan(e.short(x.Why)))
	}
	more(&b, len(r.Open))
	fmt.Fprintf(&b, "\nAssumed: %s\n", hookio.Escape(r.Assumes))
	return b.String()
}

func row(b *strings.Builder, cells ...string) { fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | ")) }

// more says how many rows a table leaves out.
func more(b *strings.Builder, rows int) {
	if rows > tableRows {
		fmt.Fprintf(b, "\nand %d more: permgate prove --json has them\n", rows-tableRows)
	}
}

func (e *env) placeSpan(place string) string {
	if place == "" {
		return ""
	}
	return codeSpan(e.place(parsePlace(place)))
}

// codeSpan is text as it is, for a cell of a table: the marks around it are longer than
// any in it, and a | is written as tables want it.
func codeSpan(text string) string {
	text = cut(hookio.Escape(text), tableCell)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	run, longest := 0, 0
	for _, c := range text {
		if run++; c != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	mark := strings.Repeat("`", longest+1)
	if longest > 0 || text[0] == ' ' {
		text = " " + text + " "
	}
	return mark + strings.ReplaceAll(text, "|", `\|`) + mark
}
