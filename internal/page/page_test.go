package page

import (
	"bytes"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/browser"
)

// TestExplain checks that nothing a decision holds ends the element it is in.
func TestExplain(t *testing.T) {
	var empty, nasty bytes.Buffer
	if err := Explain(&empty, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	browser.Closed(t, empty.String())
	// so that a page may replace one and nothing else
	if !strings.HasPrefix(empty.String(), "<!DOCTYPE html><!-- written by permgate explain -->\n") {
		t.Errorf("the page begins with %.60q", empty.String())
	}
	if err := Explain(&nasty, []byte(`{"call": "</script><script>alert(1)</script> {js} {data} <!--"}`)); err != nil {
		t.Fatal(err)
	}
	browser.Closed(t, strings.NewReplacer("{js} {data}", "").Replace(nasty.String()))
	if strings.Contains(nasty.String(), "alert(1)</script>") || strings.Count(nasty.String(), "<!--") != strings.Count(empty.String(), "<!--") {
		t.Error("the call is read as HTML")
	}
}
