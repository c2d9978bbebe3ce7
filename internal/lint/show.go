package lint

import "strings"

// line returns line n of a file, without its end.
func (f *File) line(n int) string {
	text := strings.TrimPrefix(f.Text, "\ufeff")
	for ; n > 1; n-- {
		_, rest, found := strings.Cut(text, "\n")
		if !found {
			return ""
		}
		text = rest
	}
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(text, "\r")
}

// marked returns the text a finding is about, "" for a whole file.
func (in *Input) marked(f *Finding) string {
	file := in.File(f.Pos.File)
	if file == nil || f.Pos.Line == 0 {
		return ""
	}
	line := []rune(file.line(f.Pos.Line))
	start := min(f.Pos.Col-1, len(line))
	return string(line[start:max(start, min(f.End-1, len(line)))])
}
