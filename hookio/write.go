package hookio

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxReason is below 10,000 characters, from which Claude Code shows only a preview of a string.
const maxReason = 9000

// Write appends to dst the line the host of c expects for a, newline included;
// nothing for silence. Ask is turned into what the host can do (Host.AskIs).
func Write(dst []byte, c *Call, a Answer) []byte {
	if c == nil || c.Host == nil {
		c = &Call{Host: &generic, Event: PreToolUse}
	}
	if !c.Event.Decides() {
		return dst
	}
	if a = Spoken(c, a); a.Decision == Pass {
		return c.Host.silence(dst)
	}
	return c.Host.Encode(dst, c, a)
}

// Spoken is an answer as the host of c is told it. A question that the host cannot ask is a denial, and says so.
func Spoken(c *Call, a Answer) Answer {
	told, why := Told(c, a), ""
	switch {
	case told == Pass:
		return Answer{}
	case told == Deny && a.Decision == Ask:
		why = ". " + c.Host.Title + " cannot ask here, so this is denied: tell the user, who can do it"
		if a.Allow != "" {
			why += ", or allow it in a terminal: `" + a.Allow + "`"
		}
	case told == Deny && a.Reason == "":
		a.Reason = "permgate gave no reason"
	}
	a.Decision, a.Reason = told, Adding(shorten(Escape(a.Reason), maxReason-len(why)), why)
	return a
}

// MarkOpens begins what a reason ends with: whose it is and which check, rule or mode gave it.
const MarkOpens = " [permgate "

// Adding is a reason with more words before its mark.
func Adding(reason, words string) string {
	if at := strings.LastIndex(reason, MarkOpens); at >= 0 {
		return reason[:at] + words + reason[at:]
	}
	return reason + words
}

// Told returns what the host of c is told: its AskIs for Ask, silence for Pass.
func Told(c *Call, a Answer) Decision {
	switch {
	case !c.Event.Decides() || a.Decision == Pass:
		return Pass
	case a.Decision == Allow:
		return Allow
	case a.Decision == Ask && c.Host.askIs(c) == AskPrompts:
		return Ask
	case a.Decision == Ask && c.Host.askIs(c) == AskSilent:
		return Pass
	}
	return Deny
}

// silence appends what no opinion looks like.
func (h *Host) silence(dst []byte) []byte {
	if h.Silence == "" {
		return dst
	}
	return append(append(dst, h.Silence...), '\n')
}

// askIs is Host.AskIs; a host that does not say is taken as one that cannot ask.
func (h *Host) askIs(c *Call) AskForm {
	if h.AskIs == nil || c.Event == PreSkillShellCommand {
		return AskDenies
	}
	return h.AskIs(c)
}

// askNested is AskIs of hosts that ask on PreToolUse. On PermissionRequest silence lets them ask.
func askNested(c *Call) AskForm {
	if c.Event == PermissionRequest {
		return AskSilent
	}
	return AskPrompts
}

// encodeNested writes Claude Code's hookSpecificOutput, which Gen and San read
// too, without updatedInput, and with updatedPermissions only for AllowForSession.
func encodeNested(dst []byte, c *Call, a Answer) []byte {
	dst = append(dst, `{"hookSpecificOutput":{"hookEventName":"`...)
	dst = append(dst, c.Event...)
	if c.Event == PermissionRequest {
		dst = append(dst, `","decision":{"behavior":"`...)
		dst = append(dst, a.Decision.String()...)
		dst = append(dst, '"')
		if a.Decision == Deny { // only a deny has a message there
			dst = AppendJSON(append(dst, `,"message":`...), a.Reason)
		} else if c.AllowForSession && c.Host.AllowsForSession {
			dst = append(dst, `,"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":`...)
			dst = AppendJSON(dst, c.Command)
			dst = append(dst, `}],"behavior":"allow","destination":"session"}]`...)
		}
		return append(dst, "}}}\n"...)
	}
	dst = append(dst, `","permissionDecision":"`...)
	dst = append(dst, a.Decision.String()...)
	dst = AppendJSON(append(dst, `","permissionDecisionReason":`...), a.Reason)
	return append(dst, "}}\n"...)
}

// AppendJSON appends s as a JSON string, quotes included.
func AppendJSON(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(append(dst, s[from:i]...), '\\', c)
			from = i + 1
		case c < ' ' || c == 0x7f:
			dst = append(append(dst, s[from:i]...), '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			from = i + 1
		}
	}
	return append(append(dst, s[from:]...), '"')
}

// shorten cuts s to at most n bytes, between characters.
func shorten(s string, n int) string {
	const mark = " ... (cut)"
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-len(mark)], "") + mark
}

// Escape makes every character of s visible: control, zero-width, bidirectional,
// private and unassigned characters, blanks other than the ASCII space, and
// bytes that are not UTF-8 become \n, \t, \r, \u200b, \U000e0001 or \xff. A
// backslash stays as it is, so that Escape of its own output changes nothing.
// The result has no line break and is valid UTF-8.
func Escape(s string) string {
	if visibleASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for i, r := range s {
		switch {
		case r >= ' ' && r <= '~':
			b.WriteByte(byte(r))
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r) && !blankLooking(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func visibleASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// blankLooking reports characters that show nothing though Unicode calls them
// graphic: variation selectors, fillers, the empty Braille pattern.
func blankLooking(r rune) bool {
	switch r {
	case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0:
		return true
	}
	return unicode.Is(unicode.Variation_Selector, r)
}
