package lang

import "testing"

func TestGraphQLAsks(t *testing.T) {
	for doc, want := range map[string]bool{
		"{a}":      true,
		"query{a}": true,
		"query Q($a: I = {x: 1}) @d(a: {}) { b }": true,
		"fragment F on T {x} query {...F}":        true,
		"# mutation\n{a}":                         true,
		`{a(x: "mutation {")}`:                    true,
		`{a(x: """ "mutation" \""" { """)}`:       true,
		"{a mutation{b}}":                         true, // a field may be called so
		"":                                        false,
		"mutation{a}":                             false,
		"{a} mutation{b}":                         false,
		"query Q{a}mutation{b}":                   false,
		"subscription{a}":                         false,
		"#\nmutation{a}":                          false,
		"# x\rmutation{a}":                        false,
		`query Q @d(a:"}"){a} mutation{b}`:        false,
		`{a(x:"\"} mutation{b}")}`:                true,
		`{a(x:"\\")} mutation{b(x:"")}`:           false,
		`{a(x:"""\""")} mutation{b}`:              false,
		"{a":                                      false,
		"{a}}":                                    false,
		"extend type Q{a}":                        false,
		",,, \ufeff mutation{a}":                  false,
		"query {a} ,mutation{b}":                  false,
		"fragment F on mutation {x}":              true,
		"query":                                   false,
	} {
		if got := GraphQLAsks(doc); got != want {
			t.Errorf("%q: %v", doc, got)
		}
	}
}
