package plist

import (
	be "encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// all is what testdata/all.xml and all.bin hold, which another implementation wrote.
const all = `{"permissions":{"deny":["Bash(rm:*)","Read(~/.ssh/**)","Read(/bücher/😀)"],"defaultMode":"default","disableBypassPermissionsMode":"disable"},` +
	`"n":[0,255,65536,-1,1099511627776,1.5],"on":true,"off":false,"when":"2026-01-02T03:04:05Z","raw":"AP8=","e":{},"a":[]}`

func TestBothForms(t *testing.T) {
	for _, name := range []string{"all.xml", "all.bin"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := JSON(data); err != nil || string(got) != all {
			t.Errorf("%s: %v\n got %s\nwant %s", name, err, got, all)
		}
	}
}

// bin builds a binary property list with one byte per offset and reference; the
// first object is the top one.
func bin(objects ...string) []byte {
	out := []byte("bplist00")
	var table []byte
	for _, o := range objects {
		table = append(table, byte(len(out)))
		out = append(out, o...)
	}
	at := uint64(len(out))
	out = append(append(out, table...), 0, 0, 0, 0, 0, 0, 1, 1)
	for _, n := range []uint64{uint64(len(objects)), 0, at} {
		out = be.BigEndian.AppendUint64(out, n)
	}
	return out
}

// change returns data with the byte at i, from the end when negative, replaced.
func change(data []byte, i int, b byte) []byte {
	if i < 0 {
		i += len(data)
	}
	data = append([]byte{}, data...)
	data[i] = b
	return data
}

const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
	`<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">` + "\n" + `<plist version="1.0">`

func wrap(value string) []byte { return []byte(head + value + "</plist>\n") }

type row struct {
	name string
	in   []byte
	want string // JSON
	err  string // part of the error
}

func rows() []row {
	bomb := []string{"\xA2\x01\x01"}
	for i := byte(2); i < 40; i++ {
		bomb = append(bomb, "\xA2"+string([]byte{i, i}))
	}
	deep := []string{}
	for i := byte(1); i < 80; i++ {
		deep = append(deep, "\xA1"+string([]byte{i}))
	}
	one := bin("\x09")
	return []row{
		{"true", one, "true", ""},
		{"small integer", bin("\x10\xff"), "255", ""},
		{"negative integer", bin("\x13\xff\xff\xff\xff\xff\xff\xff\xfe"), "-2", ""},
		{"integer of 128 bits", bin("\x14\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"), "18446744073709551615", ""},
		{"too large an integer", bin("\x14\x00\x00\x00\x00\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff"), "", "number"},
		{"float", bin("\x22\x3f\xc0\x00\x00"), "1.5", ""},
		{"not a number", bin("\x23\x7f\xf8\x00\x00\x00\x00\x00\x00"), "", "number"},
		{"escapes", bin("\x54a\"\\\x01"), `"a\"\\\u0001"`, ""},
		{"a key twice stays twice", bin("\xD2\x01\x01\x02\x02", "\x51k", "\x09"), `{"k":true,"k":true}`, ""},
		{"shared value", bin("\xA2\x01\x01", "\xA0"), "[[],[]]", ""},
		{"an array holds itself", bin("\xA1\x00"), "", "holds itself"},
		{"a dictionary holds itself by way of an array", bin("\xD1\x01\x02", "\x51k", "\xA1\x00"), "", "holds itself"},
		{"two to the power of forty", bin(append(bomb, "\x09")...), "", "too many values"},
		{"depth", bin(append(deep, "\x09")...), "", "too deep"},
		{"null", bin("\x00"), "", "0x00"},
		{"fill", bin("\x0f"), "", "0x0f"},
		{"UID", bin("\x80\x01"), "", "0x80"},
		{"set", bin("\xC0"), "", "0xc0"},
		{"a key that is a number", bin("\xD1\x01\x01", "\x10\x01"), "", "not a text"},
		{"ASCII with a high byte", bin("\x51\xe9"), "", "Unicode"},
		{"half a surrogate pair", bin("\x61\xd8\x3d"), "", "Unicode"},
		{"surrogates the wrong way round", bin("\x62\xde\x00\xd8\x3d"), "", "Unicode"},
		{"long text", bin("\x5f\x10\x10" + "0123456789abcdef"), `"0123456789abcdef"`, ""},
		{"longer than the file", bin("\x5f\x13\xff\xff\xff\xff\xff\xff\xff\xff"), "", "does not fit"},
		{"length that overflows", bin("\x6f\x13\x80\x00\x00\x00\x00\x00\x00\x01"), "", "does not fit"},
		{"reference to nowhere", bin("\xA1\x07"), "", "does not fit"},
		{"other version", change(one, 7, '1'), "", "bplist00"},
		{"no offsets", change(one, -26, 0), "", "does not fit"},
		{"top beyond the table", change(one, -9, 9), "", "does not fit"},
		{"cut short", one[:20], "", "bplist00"},
		{"bytes before the trailer", append(append(append([]byte{}, one[:10]...), 0), one[10:]...), "", "does not fit"},

		{"XML text", wrap("<string>a &amp; b &lt;c&gt; &quot;&apos; &#x41;&#66;</string>"), `"a & b <c> \"' AB"`, ""},
		{"CDATA and comment", wrap("<!-- c --><string>a<![CDATA[<&]]>b<!-- d -->c</string>"), `"a<&bc"`, ""},
		{"empty elements", wrap("<array><string/><string></string><dict/><array></array><true></true></array>"), `["","",{},[],true]`, ""},
		{"hexadecimal", wrap("<array><integer>0x10</integer><integer>-0x10</integer><integer>18446744073709551615</integer></array>"), "[16,-16,18446744073709551615]", ""},
		{"an XML key twice stays twice", wrap("<dict><key>k</key><true/><key>k</key><false/></dict>"), `{"k":true,"k":false}`, ""},
		{"key without value", wrap("<dict><key>k</key></dict>"), "", "line 3"},
		{"value without key", wrap("<dict><true/></dict>"), "", "<key> is expected"},
		{"entity of its own", []byte(`<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "b">]><plist version="1.0"><string>&a;</string></plist>`), "", "DOCTYPE"},
		{"unknown entity", wrap("<string>&nbsp;</string>"), "", "not a character"},
		{"surrogate by number", wrap("<string>&#xD800;</string>"), "", "not a character"},
		{"NUL by number", wrap("<string>&#0;</string>"), "", "not a character"},
		{"attribute", wrap(`<string x="y">a</string>`), "", "no value"},
		{"element inside a text", wrap("<string>a<b/>c</string>"), "", "is expected"},
		{"text between elements", wrap("<array>a<true/></array>"), "", "a tag is expected"},
		{"processing instruction", wrap("<?x y?><true/>"), "", "not read"},
		{"two values", wrap("<true/><false/>"), "", "</plist> is expected"},
		{"no end", []byte(head + "<true/>"), "", "a tag is expected"},
		{"something behind", append(wrap("<true/>"), 'x'), "", "follows"},
		{"UTF-16", []byte("\xff\xfe<\x00?\x00"), "", "Unicode"},
		{"other encoding", []byte(`<?xml version="1.0" encoding="ISO-8859-1"?><plist version="1.0"><true/></plist>`), "", "UTF-8"},
		{"bad base64", wrap("<data>%</data>"), "", "base64"},
		{"bad date", wrap("<date>yesterday</date>"), "", "not a date"},
		{"bad integer", wrap("<integer>1e3</integer>"), "", "number"},
		{"infinite", wrap("<real>+infinity</real>"), "", "number"},
		{"XML depth", wrap(strings.Repeat("<array>", 90) + strings.Repeat("</array>", 90)), "", "too deep"},
		{"old form", []byte(`{ a = ("b"); }`), "", "a tag is expected"},
		{"nothing", nil, "", "a tag is expected"},
	}
}

func TestJSON(t *testing.T) {
	for _, r := range rows() {
		got, err := JSON(r.in)
		switch {
		case r.err == "" && (err != nil || string(got) != r.want):
			t.Errorf("%s: %s, %v; want %s", r.name, got, err, r.want)
		case r.err != "" && (err == nil || !strings.Contains(err.Error(), r.err)):
			t.Errorf("%s: %.100s, %v; want an error with %q", r.name, got, err, r.err)
		}
	}
	if _, err := JSON(make([]byte, MaxSize+1)); err != errLarge {
		t.Errorf("a file that is too large: %v", err)
	}
}

// Whatever is read is valid JSON and bounded.
func FuzzJSON(f *testing.F) {
	for _, r := range rows() {
		f.Add(r.in)
	}
	for _, name := range []string{"all.xml", "all.bin"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := JSON(data)
		if err == nil && (!json.Valid(out) || len(out) > 8*MaxSize) {
			t.Errorf("%q gives %.200q", data, out)
		}
	})
}
