package main

import (
	"bufio"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

func init() {
	register.DoFn2x1[string, func(string, int), error](&decideLine{})
	register.DoFn3x1[string, func(*string) bool, func(string, int), error](&decideLines{})
	register.Emitter2[string, int]()
	register.Iter1[string]()
}

// decideLine decides the call on a line.
type decideLine struct {
	Policies string // packed
	d        decider
}

func (f *decideLine) Setup() error { return f.d.setup(f.Policies) }

func (f *decideLine) ProcessElement(line string, count func(string, int)) error {
	return f.d.decide([]string{line}, count)
}

// decideLines decides the calls on the lines with one key.
type decideLines struct {
	Policies string // packed
	d        decider
}

func (f *decideLines) Setup() error { return f.d.setup(f.Policies) }

func (f *decideLines) ProcessElement(_ string, next func(*string) bool, count func(string, int)) error {
	var lines []string
	for line := ""; next(&line); {
		lines = append(lines, line)
	}
	// the order in which they were written: Beam keeps none
	slices.SortFunc(lines, func(a, b string) int {
		return cmp.Or(strings.Compare(gjson.Get(a, "Timestamp").Str, gjson.Get(b, "Timestamp").Str), strings.Compare(a, b))
	})
	return f.d.decide(lines, count)
}

// A decider decides what is on lines. Each worker has its own.
type decider struct {
	one func(*sessions.Call) replay.Single
	in  *bufio.Reader // is used again: to make one takes longer than to read a line
}

// readSize is at least what sessions reads with, so that it takes our reader as it is.
const readSize = 64 << 10

func (d *decider) setup(policies string) error {
	job, err := unpacked(policies)
	if err == nil {
		d.one, d.in = job.Single(), bufio.NewReaderSize(nil, readSize)
	}
	return err
}

// decide counts what is on lines of one format, under the keys of rows.
func (d *decider) decide(lines []string, count func(string, int)) error {
	d.in.Reset(strings.NewReader(strings.Join(lines, "\n")))
	n := &sessions.Counts{}
	take := func(c *sessions.Call) error {
		d.call(c, count)
		return nil
	}
	err := sessions.Read([]string{"-"}, d.in, formatOf(lines[0]), n, &sessions.Seen{}, time.Time{}, take)
	for _, l := range [...]struct {
		name  string
		lines int
	}{
		{"lines", n.Lines}, {"duplicates", n.Duplicates}, {"unknown", n.Unknown}, {"torn", n.Torn}, {"newer", n.Newer},
	} {
		if l.lines > 0 {
			count(row{Count: l.name}.key(), l.lines)
		}
	}
	return err
}

// call decides a call, and counts it.
func (d *decider) call(c *sessions.Call, count func(string, int)) {
	add := func(r row) { count(r.key(), 1) }
	add(row{Count: "read"})
	s := d.one(c)
	if s.Skip != "" {
		add(row{Count: "skipped", Name: s.Skip})
		return
	}
	a := &s.Answer
	add(row{Count: "decided"})
	add(row{Count: "answers", Answer: a.Told})
	add(row{Count: "tools", Name: c.Tool, Answer: a.Told})
	if a.Rule != "" || a.Check != "" {
		add(row{Count: "rules", Name: a.By(), List: a.List, Place: a.Place, Answer: a.Told})
	}
	if s.Change != nil {
		add(row{Count: "changes", Name: s.Change.By, Place: s.Change.Place, Answer: a.Told})
	}
}
