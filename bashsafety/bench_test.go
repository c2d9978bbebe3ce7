package bashsafety

import "testing"

func BenchmarkAnalyze(b *testing.B) {
	for _, text := range []string{
		"git status",
		"cd /x && git diff --stat | head -20",
		"git commit -m \"$(cat <<'EOF'\nfix: a thing\n\nthat was broken\nEOF\n)\"",
	} {
		b.Run(text[:10], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Analyze(text, testEnv())
			}
		})
	}
}
