package hookio

import (
	"strings"
	"testing"
)

func BenchmarkRead(b *testing.B) {
	for _, e := range claude.Examples()[:1] {
		b.ReportAllocs()
		for b.Loop() {
			c, err := Read(strings.NewReader(e.In), Options{Host: "claude"})
			if err != nil || Write(nil, c, Answer{Ask, "why"}) == nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkReadLarge(b *testing.B) {
	in := `{"tool_name":"Write","tool_input":{"file_path":"a","content":"` + strings.Repeat(`line of text\n`, 8000) + `"}}`
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		if _, err := Read(strings.NewReader(in), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
