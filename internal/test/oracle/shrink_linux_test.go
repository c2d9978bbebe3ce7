package oracle

import "strings"

// shrink makes a text smaller while it still fails, with a bounded number of tries.
func shrink(text string, fails func(string) bool) string {
	tries := 1000
	try := func(s string) bool {
		if tries--; tries < 0 || s == text || s == "" || !fails(s) {
			return false
		}
		text = s
		return true
	}
	for again := true; again && tries > 0; {
		again = false
		tokens := tokenize(text)
		for size := len(tokens) / 2; size > 0; size /= 2 {
			for i := 0; i+size <= len(tokens); {
				if try(strings.Join(tokens[:i], "") + strings.Join(tokens[i+size:], "")) {
					tokens = append(tokens[:i:i], tokens[i+size:]...)
					again = true
				} else {
					i += size
				}
			}
		}
		for i := 0; i < len(text); i++ { // pairs of brackets and quotes
			closer := closers(text[i])
			for j := len(text) - 1; closer != 0 && j > i; j-- {
				if text[j] == closer && try(text[:i]+text[i+1:j]+text[j+1:]) {
					again = true
					break
				}
			}
		}
		for i := 0; i < len(text); i++ {
			if try(text[:i] + text[i+1:]) {
				again = true
				i--
			}
		}
	}
	for i, tokens := 0, tokenize(text); i < len(tokens); i++ { // short words
		if old := tokens[i]; len(old) > 1 {
			if tokens[i] = "a"; !try(strings.Join(tokens, "")) {
				tokens[i] = old
			}
		}
	}
	return text
}

func closers(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '{':
		return '}'
	case '"', '\'', '`':
		return c
	}
	return 0
}
