package plist

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// An xmlReader reads the XML form: a prolog, then one value inside <plist>.
// Elements have no attributes but plist's version, and there are no entities
// but the five of XML and character numbers; anything else is an error.
type xmlReader struct {
	w    *writer
	data []byte
	at   int
}

func xml(w *writer, data []byte) error {
	r := &xmlReader{w: w, data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
	if !utf8.Valid(r.data) {
		return errText
	}
	err := r.document()
	if err != nil {
		line := 1 + bytes.Count(r.data[:r.at], []byte("\n"))
		return fmt.Errorf("line %d of the property list: %w", line, err)
	}
	return nil
}

func (r *xmlReader) document() error {
	if err := r.prolog(); err != nil {
		return err
	}
	tag, empty, err := r.tag()
	if err != nil {
		return err
	}
	if tag != "plist" && tag != `plist version="1.0"` || empty {
		return fmt.Errorf("<plist version=\"1.0\"> is expected, not <%s>", tag)
	}
	if tag, empty, err = r.tag(); err != nil {
		return err
	}
	if err := r.element(tag, empty, 0); err != nil {
		return err
	}
	if err := r.end("plist"); err != nil {
		return err
	}
	if r.skip(); r.at < len(r.data) {
		return fmt.Errorf("something follows </plist>")
	}
	return nil
}

// prolog skips <?xml ...?> and <!DOCTYPE ...>, but no DOCTYPE with declarations of its own.
func (r *xmlReader) prolog() error {
	if head, ok := r.cut("<?xml", "?>"); ok {
		_, encoding, named := strings.Cut(strings.ToLower(head), "encoding")
		if named && !strings.Contains(encoding, "utf-8") {
			return fmt.Errorf("the encoding must be UTF-8")
		}
	}
	r.skip()
	if head, ok := r.cut("<!DOCTYPE", ">"); ok && strings.ContainsAny(head, "[<") {
		return fmt.Errorf("a DOCTYPE with declarations of its own is not read")
	}
	return nil
}

// cut returns what is between start, at this place, and the next end.
func (r *xmlReader) cut(start, end string) (string, bool) {
	rest := r.data[r.at:]
	if !bytes.HasPrefix(rest, []byte(start)) {
		return "", false
	}
	n := bytes.Index(rest, []byte(end))
	if n < len(start) {
		return "", false
	}
	r.at += n + len(end)
	return string(rest[len(start):n]), true
}

// skip moves over blanks and comments.
func (r *xmlReader) skip() {
	for {
		for r.at < len(r.data) && strings.IndexByte(" \t\r\n", r.data[r.at]) >= 0 {
			r.at++
		}
		if _, ok := r.comment(); !ok {
			return
		}
	}
}

func (r *xmlReader) comment() (string, bool) {
	if rest := r.data[r.at:]; bytes.HasPrefix(rest, []byte("<!---->")) {
		r.at += len("<!---->")
		return "", true
	}
	return r.cut("<!--", "-->")
}

// tag reads the next tag: its text without brackets, and whether it is empty (<true/>).
func (r *xmlReader) tag() (name string, empty bool, err error) {
	r.skip()
	text, ok := r.cut("<", ">")
	if !ok || text == "" {
		return "", false, fmt.Errorf("a tag is expected")
	}
	if strings.ContainsAny(text, "<!?") {
		return "", false, fmt.Errorf("<%.20s> is not read", text)
	}
	text, empty = strings.CutSuffix(text, "/")
	return strings.TrimRight(text, " \t\r\n"), empty, nil
}

func (r *xmlReader) end(name string) error {
	got, _, err := r.tag()
	if err == nil && got != "/"+name {
		err = fmt.Errorf("</%s> is expected, not <%.20s>", name, got)
	}
	return err
}

// element writes the value whose start tag was read.
func (r *xmlReader) element(tag string, empty bool, depth int) error {
	if err := r.w.value(depth); err != nil {
		return err
	}
	switch tag {
	case "dict":
		return r.container(tag, "{}", empty, depth)
	case "array":
		return r.container(tag, "[]", empty, depth)
	case "true", "false":
		if !empty {
			if err := r.end(tag); err != nil {
				return err
			}
		}
		r.w.bool(tag == "true")
		return nil
	case "string", "integer", "real", "date", "data":
		text := ""
		if !empty {
			var err error
			if text, err = r.text(tag); err != nil {
				return err
			}
		}
		return r.scalar(tag, text)
	}
	return fmt.Errorf("<%.20s> is no value of a property list", tag)
}

func (r *xmlReader) container(name, brackets string, empty bool, depth int) error {
	r.w.byte(brackets[0])
	for n := 0; !empty; n++ {
		tag, none, err := r.tag()
		if err != nil {
			return err
		}
		if tag == "/"+name {
			break
		}
		if n > 0 {
			r.w.byte(',')
		}
		if name == "dict" {
			if tag != "key" {
				return fmt.Errorf("<key> is expected, not <%.20s>", tag)
			}
			key := ""
			if !none {
				if key, err = r.text("key"); err != nil {
					return err
				}
			}
			if err := r.w.text(key); err != nil {
				return err
			}
			r.w.byte(':')
			if tag, none, err = r.tag(); err != nil {
				return err
			}
		}
		if err := r.element(tag, none, depth+1); err != nil {
			return err
		}
	}
	r.w.byte(brackets[1])
	return nil
}

// text reads character data up to the end tag of name.
func (r *xmlReader) text(name string) (string, error) {
	var b strings.Builder
	for r.at < len(r.data) {
		c := r.data[r.at]
		switch {
		case c == '&':
			ref, ok := r.cut("&", ";")
			if !ok {
				return "", fmt.Errorf("& without ;")
			}
			s, err := r.reference(ref)
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		case c != '<':
			b.WriteByte(c)
			r.at++
		default:
			if s, ok := r.cut("<![CDATA[", "]]>"); ok {
				b.WriteString(s)
			} else if _, ok := r.comment(); !ok {
				return b.String(), r.end(name)
			}
		}
	}
	return "", fmt.Errorf("<%s> does not end", name)
}

func (r *xmlReader) reference(ref string) (string, error) {
	switch ref {
	case "amp":
		return "&", nil
	case "lt":
		return "<", nil
	case "gt":
		return ">", nil
	case "quot":
		return `"`, nil
	case "apos":
		return "'", nil
	}
	digits, ok := strings.CutPrefix(ref, "#")
	base := 10
	if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 31)
	if !ok || err != nil || n == 0 || !utf8.ValidRune(rune(n)) {
		return "", fmt.Errorf("&%.20s; is not a character", ref)
	}
	return string(rune(n)), nil
}

// scalar writes a value given as text.
func (r *xmlReader) scalar(kind, text string) error {
	if kind == "string" {
		return r.w.text(text)
	}
	trimmed := strings.TrimSpace(text)
	switch kind {
	case "integer":
		return r.integer(trimmed)
	case "real":
		f, err := strconv.ParseFloat(trimmed, 64)
		if err != nil {
			return errNumber
		}
		return r.w.real(f)
	case "date":
		t, err := time.Parse("2006-01-02T15:04:05Z", trimmed)
		if err != nil {
			return fmt.Errorf("%.30q is not a date", trimmed)
		}
		return r.w.text(t.Format(time.RFC3339))
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return fmt.Errorf("<data> does not hold base64")
	}
	return r.w.data(data)
}

// integer takes decimal and hexadecimal numbers of 64 bits.
func (r *xmlReader) integer(text string) error {
	digits, base := text, 10
	if hex, ok := strings.CutPrefix(strings.TrimPrefix(text, "-"), "0x"); ok {
		digits, base = hex, 16
		if strings.HasPrefix(text, "-") {
			digits = "-" + hex
		}
	}
	if n, err := strconv.ParseInt(digits, base, 64); err == nil {
		r.w.out = strconv.AppendInt(r.w.out, n, 10)
		return nil
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return errNumber
	}
	r.w.out = strconv.AppendUint(r.w.out, n, 10)
	return nil
}
