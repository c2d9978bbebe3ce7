package edit

import "testing"

func TestRules(t *testing.T) {
	for _, test := range []struct{ text, add, remove, want string }{
		{"", "Bash(ls)", "", "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls)\"\n    ]\n  }\n}\n"},
		{`{"permissions":{"allow":["a"]}}`, "a", "", `{"permissions":{"allow":["a"]}}`},
		{"{\"permissions\": {\"allow\": [\n  \"a\", // why a\n  \"b\" // why b\n]}}", "", "a", "{\"permissions\": {\"allow\": [ // why a\n  \"b\" // why b\n]}}"},
		{`{"permissions":{"allow":["a","b","a"]}}`, "", "a", `{"permissions":{"allow":["b"]}}`},
	} {
		d, err := Parse("x", []byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if test.add != "" {
			if _, err := d.AddRule("allow", test.add); err != nil {
				t.Error(err)
			}
		}
		if test.remove != "" {
			if _, err := d.RemoveRule("allow", test.remove); err != nil {
				t.Error(err)
			}
		}
		if got := string(d.Bytes()); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}
