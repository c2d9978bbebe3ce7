package gate

import "testing"

// TestBasename: what basename prints holds no slash, so that with more of a name around it a
// path stays in its folder.
func TestBasename(t *testing.T) {
	for command, want := range map[string]string{
		`SP=/tmp/mine; n=$(basename src/main.ts .ts); echo x > "$SP/$n.txt"`:              "7",
		`for f in src/*.ts; do n=$(basename "$f" .ts); echo x > "/tmp/mine/$n.txt"; done`: "7",
		`for f in src/*.ts; do echo x > "src/$(basename "$f" .ts).js"; done`:              "7",
		`n=$(basename "$1"); cp src/main.ts "/tmp/mine/out-$n"`:                           "7",
		`n=$(basename "$1"); echo x > "/tmp/mine/$n"`:                                     "3b",
		`n=$(basename "$1"); echo x > "/tmp/mine/$n/a"`:                                   "3b",
		`n=$(basename "$1"); echo x > "/tmp/mine/.$n"`:                                    "2",
		`n=$(basename "$1"); echo x > "$n.txt"`:                                           "3b",
		`n=$(basename "$1"); echo x > "/tmp/mine/a$n../../b"`:                             "3b",
		`n=$(basename "$1"); n=$n/..; echo x > "/tmp/mine/$n.txt"`:                        "3b",
		`n=$(basename "$1"); n+=/../..; echo x > "/tmp/mine/a$n/b"`:                       "3b",
		`n=$(basename "$1")$2; echo x > "/tmp/mine/$n.txt"`:                               "3b",
		`basename() { echo ../../x; }; n=$(basename a); echo x > "/tmp/mine/$n.txt"`:      "2",
		`n=$(basename a; echo /../../x); echo x > "/tmp/mine/$n.txt"`:                     "3b",
		`n=$(basename a | cat); echo x > "/tmp/mine/$n.txt"`:                              "3b",
		`n=$(./basename a); echo x > "/tmp/mine/$n.txt"`:                                  "3b",
		`n=$(PATH=. basename a); echo x > "/tmp/mine/$n.txt"`:                             "3b",
		`n=$(basename "$1"); echo x > "/w/q/$n.txt"`:                                      "3b",
	} {
		if _, v := practical(t, practicalTree(), command); v.Step != want {
			t.Errorf("%s: step %s, want %s: %s", command, v.Step, want, v.Reason)
		}
	}
}
