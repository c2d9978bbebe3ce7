package e2e

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

// TestHostsTables writes the tables of docs/hosts.md from the literals of the
// hosts: how each is called, and what it does after every ending of its hook.
func TestHostsTables(t *testing.T) {
	golden.Part(t, "docs/hosts.md", "<!-- tables: written by go generate -->", "<!-- end of tables -->", hostTables())
	golden.Part(t, "docs/hosts.md", "<!-- glance: written by go generate -->", "<!-- end of glance -->", glance())
}

// glance is the table to read in a minute: a row for each program, the driven ones first.
func glance() string {
	var b strings.Builder
	b.WriteString("| program | driven | what it calls | ask | deny | silence | crash | time-out |\n|---|---|---|---|---|---|---|---|\n")
	for _, driven := range []bool{true, false} {
		for _, h := range hookio.Hosts() {
			if len(h.Reader) == 0 || driven != (h.Driven.Version != "") {
				continue
			}
			fmt.Fprintf(&b, "| %s | %s | %s ", h.Title, cmp.Or(strings.TrimSpace(h.Driven.Version+" "+h.Driven.Day), "no"), called(h))
			for _, ends := range [][]hookio.Ending{{hookio.EndsAsk}, {hookio.EndsDeny}, {hookio.EndsSilence},
				{hookio.EndsFailed, hookio.EndsKilled, hookio.EndsMissing}, {hookio.EndsLate}} {
				fmt.Fprintf(&b, "| %s ", strings.Join(becomes(h, ends), ", "))
			}
			b.WriteString("|\n")
		}
	}
	return b.String()
}

// called says what a program calls before a tool runs, with a link to what has to be written for it where install cannot.
func called(h *hookio.Host) string {
	if h.Calls != "" {
		return fmt.Sprintf("[`%s`](seeds.md#from-%s-in-five-minutes)", h.Calls, strings.ToLower(h.Title))
	}
	return "`" + strings.Join(gates(h), "`, `") + "`"
}

// gates are the events of a host whose answer decides before a tool runs.
func gates(h *hookio.Host) []string {
	return slices.DeleteFunc(decidingEvents(h), func(event string) bool {
		return strings.EqualFold(event, string(hookio.PermissionRequest))
	})
}

// becomes lists what a call before its run becomes after some endings of the hook, each once; where that depends on the
// event, with the events.
func becomes(h *hookio.Host, ends []hookio.Ending) []string {
	var words []string
	events := map[string][]string{}
	for _, event := range gates(h) {
		for _, e := range ends {
			fate, _ := h.After(event, e, true)
			if word := fate.String(); !slices.Contains(words, word) {
				words = append(words, word)
			}
			if word := fate.String(); !slices.Contains(events[word], event) {
				events[word] = append(events[word], event)
			}
		}
	}
	for i, word := range words {
		if n := len(events[word]); len(words) > 1 && n < len(gates(h)) {
			words[i] += " (" + strings.Join(events[word], ", ") + ")"
		}
	}
	return words
}

func hostTables() string {
	var b strings.Builder
	b.WriteString("| program | `--host` | known by | facts from |\n|---|---|---|---|\n")
	for _, h := range hookio.Hosts() {
		if len(h.Reader) > 0 {
			fmt.Fprintf(&b, "| %s | `%s` | `%s` | %s |\n", h.Title, h.Name, strings.Join(h.Aliases, "`, `"), h.Source)
		}
	}
	out := strings.ReplaceAll(b.String(), "| `` |", "| |")
	b.Reset()
	b.WriteString("\n| program | event | ask | silence | exit 2 | other exit code | killed | time-out | missing | other text | cut JSON | observed |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, h := range hookio.Hosts() {
		var rows []string             // what happens
		events := map[string]string{} // and at which events
		for _, event := range decidingEvents(h) {
			row := fates(h, event)
			if events[row] == "" {
				rows = append(rows, row)
				events[row] = "`" + event + "`"
			} else {
				events[row] += ", `" + event + "`"
			}
		}
		for _, row := range rows {
			fmt.Fprintf(&b, "| %s | %s %s|\n", h.Title, events[row], row)
		}
	}
	return out + b.String() + aloneTable()
}

// aloneTable is what each program does by itself where permgate is silent.
func aloneTable() string {
	var b strings.Builder
	b.WriteString("\n| program | checks by itself what is written outside its folders | enforces by itself | reads the permission rules of | files of its own |\n|---|---|---|---|---|\n")
	for _, h := range hookio.Hosts() {
		checks, own := []string{}, []string{}
		for _, w := range h.Alone.Workspace {
			checks = append(checks, strings.Join(w.Tools, ", ")+" in "+strings.Join(w.Modes, ", "))
		}
		for _, o := range h.Alone.Own {
			own = append(own, o.Doc)
		}
		reads := "`" + strings.Join(h.Alone.Rules, "`, `") + "`"
		switch {
		case h.Alone.Rules == nil:
			reads = "not known"
		case len(h.Alone.Rules) == 0:
			reads = "none that permgate reads"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", h.Title, cmp.Or(strings.Join(checks, "; "), "not known"),
			cmp.Or(strings.Join(h.Alone.Enforces, ", "), "not known"), reads, cmp.Or(strings.Join(own, "; "), "none known"))
	}
	return b.String()
}

// decidingEvents are the spellings of a host's events that get an answer.
func decidingEvents(h *hookio.Host) []string {
	var names []string
	if len(h.Reader) == 0 {
		return nil
	}
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, e := range h.Events {
		if e.Event.Decides() {
			add(e.Name)
		}
	}
	for _, e := range h.Examples() {
		if c, err := hookio.Read(strings.NewReader(e.In), hookio.Options{Host: h.Name, Event: string(e.Event)}); err == nil && c.Event.Decides() {
			add(c.RawEvent)
		}
	}
	return names
}

// fates is a row of the table: with what install registers, and without where
// that differs.
func fates(h *hookio.Host, event string) string {
	var b strings.Builder
	var seen []string
	for _, e := range [...]hookio.Ending{hookio.EndsAsk, hookio.EndsSilence, hookio.EndsBlocked, hookio.EndsFailed, hookio.EndsKilled,
		hookio.EndsLate, hookio.EndsMissing, hookio.EndsText, hookio.EndsBroken} {
		open, _ := h.After(event, e, false)
		shut, version := h.After(event, e, true)
		fmt.Fprintf(&b, "| %s", shut)
		if open != shut {
			fmt.Fprintf(&b, " (%s)", open)
		}
		b.WriteByte(' ')
		if version != "" && !slices.Contains(seen, version) {
			seen = append(seen, version)
		}
	}
	return b.String() + "| " + strings.Join(seen, ", ") + " "
}
