package algebra

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// Names with marks and what is composed of them, in both spellings and both cases.
func TestFileLanguageLetters(t *testing.T) {
	p := Of(&rules.Policy{Cwd: place("/é/b"), Project: place("/é"), Home: place("/e\u0301")}).WithLetters(
		[]string{"é", "ệ", "ß", "가", "\u0323"})
	u := p.Universe("Edit")
	pieces := []string{"/", "e", "é", "\u0301", "\u0323", "É", "ß", "s", "<"}
	var texts []string
	textsOver(u, pieces, 4, func(text string) { texts = append(texts, text) })
	short := len(texts)
	rnd, known, n := rand.New(rand.NewPCG(20, 5)), 0, testenv.Count(t, 120, 600, 600)
	pieces = append(pieces, "ệ", "가", "\u1100", "\u1161", "\u0302", "ẹ", "*", "b", "E", "S", "ẞ")
	for len(texts) < short+20000 {
		text := "/"
		for range 2 + rnd.IntN(6) {
			if piece := pieces[rnd.IntN(len(pieces))]; !strings.HasSuffix(text, "<") {
				text += piece
			}
		}
		if inUniverse(u, symbolsOf(text)) {
			texts = append(texts, text)
		}
	}
	pieces = append(pieces[:len(pieces):len(pieces)], "*", "**", "/**", "**/", "?", "?", "~/", "[é]", "[!e]", "[ß-ẞ]")
	for range n {
		pattern := ""
		for range 1 + rnd.IntN(6) {
			pattern += pieces[rnd.IntN(len(pieces))]
		}
		tool := []string{"Edit", "Read", "Grep", "*"}[rnd.IntN(4)]
		r, err := rules.ParseRule(tool+"("+pattern+")", rules.List(1+rnd.IntN(3)), rules.User, rules.Pos{}, rnd.IntN(2) == 0)
		if err != nil {
			continue
		}
		tool = fileTools[rnd.IntN(len(fileTools))]
		l, why := p.LanguageOf(&r, tool)
		if why != "" {
			continue
		}
		known++
		for range 400 {
			agreeOnFile(t, p, &r, &l, tool, texts[rnd.IntN(short)])
			agreeOnFile(t, p, &r, &l, tool, texts[short+rnd.IntN(len(texts)-short)])
		}
	}
	if known < n/2 {
		t.Errorf("only %d of %d have a language", known, n)
	}
}
