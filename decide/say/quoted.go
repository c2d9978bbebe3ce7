// Package say has what reasons and hints are made of.
package say

import (
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
)

// maxQuoted bounds what a reason repeats of a call, in bytes.
const maxQuoted = 200

// maxQuotable bounds what is looked at for that. It is much more, so that no
// secret is cut in two before it is recognised.
const maxQuotable = 4 << 10

// Quoted repeats part of a call in a reason: shortened, invisible characters
// escaped, values that look like secrets left out.
func Quoted(s string) string {
	s, _ = redact.Text(s[:min(len(s), maxQuotable)])
	if len(s) > maxQuoted {
		cut := maxQuoted
		for cut > 0 && s[cut]&0xC0 == 0x80 {
			cut--
		}
		s = s[:cut] + "…"
	}
	mark := "`"
	if strings.Contains(s, mark) {
		mark = "\""
	}
	return mark + hookio.Escape(s) + mark
}
