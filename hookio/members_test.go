package hookio

import (
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tidwall/gjson"
)

// memberRows are objects, and what Members finds in them: KEY=JSON.
var memberRows = []struct{ in, want string }{
	{`{}`, ``},
	{`{"a":1}`, `a=1`},
	{` {"a":1}`, ``},
	{`["a",1]`, ``},
	{`"a"`, ``},
	{``, ``},
	{"{ \"a\" :\t1 ,\n\"b\" : true\r}", `a=1 b=true`},
	{`{"a":null,"b":-1.5e3,"c":""}`, `a=null b=-1.5e3 c=""`},
	{`{"a":{"b":[1,{"c":"}]"}]},"d":[]}`, `a={"b":[1,{"c":"}]"}]} d=[]`},
	{`{"a":"x\"","b":"\\","c":"\\\"","d":"\\\\"}`, `a="x\"" b="\\" c="\\\"" d="\\\\"`},
	{`{"a\"b":1,"\u0061":2,"\\":3,"":4}`, `a"b=1 a=2 \=3 =4`},
	{`{"a":1,"a":2}`, `a=1 a=2`},
	// cut short: a text that is not closed is left out, the rest of an object is not
	{`{"a":"x","b":"y`, `a="x"`},
	{`{"a":"x","b":"y\"`, `a="x"`},
	{`{"a":"x","b`, `a="x"`},
	{`{"a":"x","b"`, `a="x"`},
	{`{"a":"x","b":`, `a="x"`},
	{`{"a":"x","b":{"c":"d`, `a="x" b={"c":"d`},
	{`{"a":12`, `a=12`},
	{`{"a":}`, ``},
}

func TestMembers(t *testing.T) {
	for _, tt := range memberRows {
		var got []string
		for key, value := range Members(tt.in) {
			got = append(got, key+"="+value)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.in, s, tt.want)
		}
	}
}

// FuzzMembers compares Members with gjson, which decodes all values on its way.
func FuzzMembers(f *testing.F) {
	for _, tt := range memberRows {
		f.Add(tt.in)
	}
	for _, h := range Hosts() {
		for _, e := range h.Examples() {
			f.Add(e.In)
		}
	}
	f.Fuzz(func(t *testing.T, in string) {
		var got []Member
		for key, value := range Members(in) {
			got = append(got, Member{key, value})
		}
		if !gjson.Valid(in) || in[0] != '{' {
			return // only to its end
		}
		var want []Member
		gjson.Parse(in).ForEach(func(k, v gjson.Result) bool {
			want = append(want, Member{k.Str, v.Raw})
			alone := gjson.Parse(v.Raw)
			if alone.Str != v.Str || alone.Type != v.Type || alone.String() != v.String() {
				t.Errorf("%s is %s by itself, and %s in %s", v.Raw, alone, v, in)
			}
			return true
		})
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, gjson finds %q", in, got, want)
		}
	})
}

// FuzzParts reads a payload in one piece and byte by byte.
func FuzzParts(f *testing.F) {
	for _, tt := range memberRows {
		f.Add(tt.in)
	}
	f.Add(`{"a":"\\\\\\\"` + strings.Repeat(`\\`, 2<<10) + `\"}","b":[{}]} `)
	f.Add(strings.Repeat(" ", 5<<10) + `{"a":"` + strings.Repeat(`line\n`, 100<<10) + `"}`)
	f.Fuzz(func(t *testing.T, in string) {
		whole, p := readObject(strings.NewReader(in))
		parts, q := readObject(iotest.OneByteReader(strings.NewReader(in)))
		if p != nil && strings.Contains(p.Msg, "text after") {
			return // it is not waited for
		}
		if whole != parts || (p == nil) != (q == nil) {
			t.Errorf("%q, %v in one piece, %q, %v byte by byte", whole, p, parts, q)
		}
	})
}

func TestFold(t *testing.T) {
	same := [][]string{
		{"command", "Command", "COMMAND", "comMand"},
		{"k", "K", "\u212a"},
		{"s", "S", "ſ"},
		{"σ", "ς", "Σ"},
		{"\xff", "\ufffd", "\xfe"},
		{"ǆ", "ǅ", "Ǆ"},
		{"", ""},
		{"kelvin", "\u212aELVIN"},
		{"a_b", "A_B"},
		{"ab"},
		{"[", "["},
		{"{"},
	}
	for i, list := range same {
		for j, other := range same {
			for _, a := range list {
				for _, b := range other {
					if (fold(a) == fold(b)) != (i == j) || strings.EqualFold(a, b) != (i == j) {
						t.Errorf("%q and %q: folded %q and %q", a, b, fold(a), fold(b))
					}
				}
			}
		}
	}
}

func FuzzFold(f *testing.F) {
	f.Add("Command", "command")
	f.Add("\u212a", "k")
	f.Add("\xff", "\xfe")
	f.Fuzz(func(t *testing.T, a, b string) {
		if (fold(a) == fold(b)) != strings.EqualFold(a, b) {
			t.Errorf("%q and %q: folded %q and %q", a, b, fold(a), fold(b))
		}
		if upper := strings.ToUpper(a); (fold(a) == fold(upper)) != strings.EqualFold(a, upper) {
			t.Errorf("%q and %q: folded %q and %q", a, upper, fold(a), fold(upper))
		}
	})
}
