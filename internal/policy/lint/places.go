package lint

import "github.com/permgate--owner/permgate/rules"

// A spot is where a rule of a list is written.
type spot struct {
	pos  rules.Pos
	list rules.List
}

func spotOf(r *rules.Rule) spot { return spot{r.Pos, r.List} }

// spots find rules by where they are written.
type spots struct {
	inFile   map[rules.Pos]*Rule
	same     map[wording]int      // how many there are of a wording
	inPolicy map[spot]*rules.Rule // see counted; nil until it is asked for
	stricter []*rules.Index       // see covered
}

// A wording is a text in a list of a file.
type wording struct {
	file *File
	list rules.List
	text string
}

// note files a rule that was just read.
func (s *spots) note(r *Rule) {
	if s.inFile == nil {
		s.inFile, s.same = map[rules.Pos]*Rule{}, map[wording]int{}
	}
	s.inFile[r.Pos] = r
	w := wording{r.File, r.List, r.Text}
	r.Nth = s.same[w]
	s.same[w]++
}
