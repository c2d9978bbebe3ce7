package rules

import (
	"fmt"
	"testing"
)

// A settings file of some size against a short pipeline.
func BenchmarkMatch(b *testing.B) {
	var rs []Rule
	for i := range 20 {
		for _, text := range []string{"Bash(tool%d *)", "Bash(npm run task%d:*)", "Read(./dir%d/**)"} {
			r, err := ParseRule(fmt.Sprintf(text, i), []List{Allow, Deny}[i%2], User, Pos{}, false)
			if err != nil {
				b.Fatal(err)
			}
			rs = append(rs, r)
		}
	}
	subjects := []*Subject{bash("npm run build"), bash("git log --oneline -5"), bash("grep -n <1> file.txt")}
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range subjects {
			testPolicy.Match(rs, s)
		}
	}
}

func BenchmarkMatchFile(b *testing.B) {
	var rs []Rule
	for i := range 60 {
		r, err := ParseRule(fmt.Sprintf("Read(**/secret%d/*.pem)", i), Deny, User, Pos{}, false)
		if err != nil {
			b.Fatal(err)
		}
		rs = append(rs, r)
	}
	s := &Subject{Tool: "Read", Path: &Path{"/repo/sub/src/main.go", "/repo/sub/src/main.go"}}
	b.ReportAllocs()
	for b.Loop() {
		testPolicy.Match(rs, s)
	}
}
