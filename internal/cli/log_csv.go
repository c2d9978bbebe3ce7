package cli

import (
	"encoding/csv"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
)

// The columns of --csv.
var csvColumns = [...]struct {
	name string
	cell func(*loggedCall) string
}{
	{"time", func(c *loggedCall) string { return c.Time.UTC().Format("2006-01-02T15:04:05.000Z") }},
	{"host", func(c *loggedCall) string { return c.Host }},
	{"event", func(c *loggedCall) string { return c.HostEvent }},
	{"session", func(c *loggedCall) string { return c.Session }},
	{"agent", func(c *loggedCall) string { return c.AgentType }},
	{"cwd", func(c *loggedCall) string { return c.Cwd }},
	{"project", func(c *loggedCall) string { return c.Project }},
	{"tool", func(c *loggedCall) string { return c.Tool }},
	{"call", func(c *loggedCall) string { return loggedTitle(&c.Record) }},
	{"mode", func(c *loggedCall) string { return c.Mode }},
	{"decision", func(c *loggedCall) string { return c.Decision }},
	{"answered", func(c *loggedCall) string { return c.Answered }},
	{"observed", func(c *loggedCall) string { return strconv.FormatBool(c.Observed) }},
	{"would_answer", func(c *loggedCall) string { return c.Would }},
	{"step", func(c *loggedCall) string { return c.Step }},
	{"origin", func(c *loggedCall) string { return c.Origin }},
	{"rule", func(c *loggedCall) string { return c.Rule }},
	{"rule_place", func(c *loggedCall) string { return c.RulePlace }},
	{"check", func(c *loggedCall) string { return c.Check }},
	{"code", func(c *loggedCall) string { return c.Code }},
	{"reason", func(c *loggedCall) string { return c.Reason }},
	{"duration_us", func(c *loggedCall) string { return strconv.FormatInt(c.Duration.Microseconds(), 10) }},
	{"fault", func(c *loggedCall) string { return c.Fault }},
	{"outcome", (*loggedCall).became},
}

// csv prints the calls as RFC 4180 says, with a header.
func (v *logView) csv(chosen []*loggedCall) {
	w := csv.NewWriter(v.w)
	w.UseCRLF = true
	row := make([]string, len(csvColumns))
	for i := range csvColumns {
		row[i] = csvColumns[i].name
	}
	w.Write(row)
	for _, c := range chosen {
		for i := range csvColumns {
			row[i] = csvCell(csvColumns[i].cell(c))
		}
		w.Write(row)
	}
	w.Flush()
}

// csvCell escapes a text and keeps a spreadsheet from taking it for a formula:
// owasp.org/www-community/attacks/CSV_Injection.
func csvCell(s string) string {
	s = hookio.Escape(s)
	if s != "" && strings.ContainsRune("=+-@|%", rune(s[0])) {
		return "'" + s
	}
	return s
}
