package commands

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Patch is what a patch says of the files it writes. Everything a program
// might take for a name is listed: the old and the new one, since a patch can be
// applied in reverse.
type Patch struct {
	Names []PatchName
	// Plain is set when a part of it has no header of git's: how many leading
	// components its names lose is then guessed by the program that applies it.
	Plain bool
}

// A PatchName is a file a patch names.
type PatchName struct {
	Text string
	// Short is set for the names of renames and copies, which have no a/ or b/ in
	// front and lose one component less than the others.
	Short bool
	// Link is what a symlink of that name leads to, "" when the patch makes none.
	Link string
}

// maxPatchNames bounds the files of a patch that are told apart.
const maxPatchNames = 2000

// ReadPatch lists the files a patch names: one of git, a mail or a mailbox with
// patches in it, unified and context diffs. ok is false for what it cannot see
// through: encoded mail, lists of other patches, more names than are told apart.
func ReadPatch(text string) (p Patch, ok bool) {
	r := patchReader{seen: map[PatchName]bool{}}
	if strings.HasPrefix(text, "# This series applies on GIT commit") { // a list of files
		return p, false
	}
	for text != "" && !r.blind {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		r.line(strings.TrimSuffix(line, "\r"), text)
	}
	r.endLink()
	return r.p, !r.blind
}

// Strip is the name without its first n components, "" when it has no more. A
// negative n leaves the last component alone.
func (n PatchName) Strip(count int) string {
	name := n.Text
	if count < 0 {
		return path.Base(name)
	}
	if n.Short {
		count = max(count-1, 0)
	}
	for ; count > 0; count-- {
		_, rest, found := strings.Cut(name, "/")
		if !found {
			return ""
		}
		name = strings.TrimLeft(rest, "/")
	}
	return name
}

type patchReader struct {
	p     Patch
	seen  map[PatchName]bool
	git   bool   // in a header of git's
	link  bool   // the file of this part is a symlink
	first int    // where the names of this part start
	leads bool   // and where it leads was seen
	last  string // the line before
	blind bool   // something was not understood
}

// line reads one line; rest is what follows it.
func (r *patchReader) line(line, rest string) {
	last := r.last
	r.last = line
	switch after, found := strings.CutPrefix(line, "diff --git "); {
	case found:
		r.endLink()
		r.git = true
		r.both(after)
		return
	case r.git && r.header(line):
		return
	case r.link && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")):
		r.linkTo(line[1:])
		return
	}
	r.git = false
	switch {
	case strings.HasPrefix(line, "--- ") && strings.HasPrefix(rest, "+++ "),
		strings.HasPrefix(line, "*** ") && strings.HasPrefix(rest, "--- ") && !strings.HasSuffix(line, " ****"):
		r.endLink()
		r.p.Plain = true
		r.dated(line[4:])
	case strings.HasPrefix(line, "+++ ") && strings.HasPrefix(last, "--- "),
		strings.HasPrefix(line, "--- ") && strings.HasPrefix(last, "*** ") && !strings.HasSuffix(line, " ----"):
		r.dated(line[4:])
	case strings.HasPrefix(line, "Index: "):
		r.p.Plain = true
		r.dated(line[7:])
	default:
		r.mail(line, last)
	}
}

// header reads a line of a header of git's; false for the one that ends it.
func (r *patchReader) header(line string) bool {
	if strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ") {
		r.dated(line[4:])
		return true
	}
	for _, h := range [...]string{"rename from ", "rename to ", "rename old ", "rename new ", "copy from ", "copy to "} {
		if name, ok := strings.CutPrefix(line, h); ok {
			r.add(PatchName{Text: unquoted(name), Short: true})
			return true
		}
	}
	for _, h := range [...]string{"old mode ", "new mode ", "new file mode ", "deleted file mode ", "similarity index ", "dissimilarity index ", "index "} {
		if strings.HasPrefix(line, h) {
			r.link = r.link || strings.HasSuffix(line, " 120000")
			return true
		}
	}
	return false
}

// both reads the two names after diff --git. Without quotes the border between
// them is known only because both end alike; other lines have the names, then.
func (r *patchReader) both(names string) {
	if strings.HasPrefix(names, `"`) {
		first, rest := cutQuoted(names)
		r.add(PatchName{Text: first})
		r.add(PatchName{Text: unquoted(strings.TrimPrefix(rest, " "))})
		return
	}
	for i := range names {
		if names[i] != ' ' {
			continue
		}
		if second := unquoted(names[i+1:]); path.Base(second) == path.Base(names[:i]) {
			r.add(PatchName{Text: names[:i]})
			r.add(PatchName{Text: second})
		}
	}
}

// dated reads a name that a date may follow.
func (r *patchReader) dated(name string) {
	if strings.HasPrefix(name, `"`) {
		name, _ = cutQuoted(name)
		r.add(PatchName{Text: name})
		return
	}
	name, _, _ = strings.Cut(name, "\t")
	r.add(PatchName{Text: strings.TrimRight(name, " ")})
	if short, _, found := strings.Cut(name, " "); found {
		r.add(PatchName{Text: short})
	}
}

// mail looks for what hides the lines of a mail.
func (r *patchReader) mail(line, last string) {
	if line != "" && strings.IndexByte(" \t", line[0]) >= 0 { // the line before goes on
		line = last + line
	}
	name, value, found := strings.Cut(line, ":")
	if !found || len(name) > 25 {
		return
	}
	value = strings.ToLower(strings.TrimSpace(value))
	switch strings.ToLower(name) {
	case "content-transfer-encoding":
		r.blind = value != "7bit" && value != "8bit"
	case "content-type":
		r.blind = !plainCharset(value)
	}
}

// plainCharset reports whether a content type leaves ASCII as it is.
func plainCharset(contentType string) bool {
	_, set, found := strings.Cut(contentType, "charset=")
	set = strings.Trim(set, `"'; `)
	return !found || set == "utf-8" || set == "us-ascii" || strings.HasPrefix(set, "iso-8859")
}

func (r *patchReader) add(n PatchName) {
	if n.Text == "" || n.Text == "/dev/null" || r.seen[n] {
		return
	}
	if len(r.p.Names) == maxPatchNames {
		r.blind = true
		return
	}
	r.seen[n] = true
	r.p.Names = append(r.p.Names, n)
}

// linkTo says where the symlinks of this part lead, named before or after it.
func (r *patchReader) linkTo(target string) {
	for _, n := range r.p.Names[r.first:] {
		n.Link, r.leads = target, true
		r.add(n)
	}
}

// endLink ends a part. A link of which the target was not seen leads anywhere.
func (r *patchReader) endLink() {
	r.blind = r.blind || r.link && !r.leads
	r.link, r.leads, r.first = false, false, len(r.p.Names)
}

// unquoted reads a name that git may have put in quotes.
func unquoted(name string) string {
	if strings.HasPrefix(name, `"`) {
		name, _ = cutQuoted(name)
	}
	return name
}

// cutQuoted reads a string in quotes as C writes them, and what follows it.
func cutQuoted(s string) (text, rest string) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
		default:
			i++
			if c := shell.Control(s[i]); c != 0 {
				b.WriteByte(c)
				continue
			}
			n, digits := shell.Digits(s[i:], 8, 3)
			if digits == 0 {
				b.WriteByte(s[i])
				continue
			}
			b.WriteByte(byte(n))
			i += digits - 1
		}
	}
	return b.String(), ""
}
