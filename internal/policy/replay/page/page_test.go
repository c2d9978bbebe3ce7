package page

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/test/browser"
)

// nasty holds what could end the element the report is in, or hide what is shown.
const nasty = "echo '</script><script>alert(1)</script>' <!-- <![CDATA[ ]]> & \u2028 \u2029 \u202e\u0007\ufffd {data} {js}"

func write(t *testing.T, r *replay.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// data is the report as a page holds it.
func data(t *testing.T, page string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `<script type="application/json" id="report">`)
	text, _, end := strings.Cut(rest, "</script>")
	if !ok || !end {
		t.Fatal("the page has no report")
	}
	return text
}

// TestWrite checks that the report in the page is the report, whatever it holds.
func TestWrite(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	want := &replay.Report{
		Version: nasty, Made: at, Policy: nasty, Other: nasty, Read: 3, Decided: 2,
		Skipped: []replay.Skipped{{Why: nasty, Calls: 1}}, Unsaid: []string{nasty}, First: at, Last: at,
		Commands: []replay.Named{{Name: nasty, Tally: replay.Tally{Ask: 2}}},
		Changes:  []replay.Change{{Kind: replay.Allowed, By: nasty, Calls: 1, Examples: []string{nasty}}},
		Rows:     []replay.Row{{Kind: replay.Allowed, Text: nasty, Why: nasty, Time: at, Calls: 1}},
	}
	page := write(t, want)
	text := data(t, page)
	for _, bad := range []string{"<", ">", "&", "\u2028", "\u2029"} {
		if strings.Contains(text, bad) {
			t.Errorf("the report holds %q", bad)
		}
	}
	got := &replay.Report{}
	if err := json.Unmarshal([]byte(text), got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back\n%+v\nwant\n%+v", got, want)
	}
	if write(t, want) != page {
		t.Error("the same report gives another page")
	}
	if without := strings.Replace(page, text, data(t, write(t, &replay.Report{})), 1); without != write(t, &replay.Report{}) {
		t.Error("the report changes more than its element")
	}
}

// TestClosed checks that the page allows its own style and script, and nothing else, and how large it is.
func TestClosed(t *testing.T) {
	page := write(t, &replay.Report{})
	browser.Closed(t, page)
	if !strings.HasPrefix(page, FirstLine) {
		t.Errorf("the page begins with %.60q", page)
	}
	if len(page) > 40<<10 {
		t.Errorf("the page has %d bytes without a report: it is part of the hook's program", len(page))
	}
}
