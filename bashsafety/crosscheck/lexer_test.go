package crosscheck

import (
	"strings"
	"testing"
)

// lexed holds texts and the class of each byte: w for a plain byte of a word, W for the first byte of a word (S, D, P
// when it starts with a quote or with arithmetic), ' " for quoted text, \ for an escape, # for a comment, H for a
// here-document, + for arithmetic, o for an operator (N for a descriptor in front of one) and . for a blank. ? says
// that the lexer is unsure.
var lexed = [...]struct{ text, class string }{
	{`ls -l 'a b' "c $d" e\ f`,
		`Ww.Ww.S''''.D""""".W\\w`},
	{"a # b; c\nd#e",
		"W.######oWww"},
	{"a;b&&c||d|&e&",
		"WoWooWooWooWo"},
	{"a >b 2>&1 &>>c <<<d {e}<f",
		"W.oW.NooW.oooW.oooW.NoooW"},
	{"cat <<E >f\n$x \\$y 'z\nE\nb",
		"Www.ooW.oWoHHH\\\\HHHHHHHW"},
	{"cat <<'E'\n`\nE\n",
		"Www.ooS''oHHHH"},
	{"cat <<-E\n\t$(a)\n\tE\nb",
		"Www.oooWoHooWoHHHHW"},
	{`$(a x) "$(c "d")" <(e)`,
		`NoW.Wo.DooW.D""o".NoWo`},
	{"$((1<2)) $[1] ((a)) ${x#y} $# $$",
		"P+++++++.P+++.ooWoo.Wwwwww.Ww.Ww"},
	{"((a#b)); x",
		"+++++++o.W"},
	{"x=(a #b\n'c') y+=(d)",
		"WwoW.##oS''o.WwwoWo"},
	{`[[ a =~ (b|c)\.d && e < f ]]`,
		`Ww.W.Ww.Wwwww\\w.oo.W.o.W.Ww`},
	{"x=$(case a in b) c;; (d) e;; esac)",
		"WwooWwww.W.Ww.Wo.Woo.oWo.Woo.Wwwwo"},
	{"for ((i=0;i<2;i++)) do a; done",
		"Www.+++++++++++++++.Ww.Wo.Wwww"},
	{`"${x:-a}${y#'b'}" ${z:-'c d'} $'e\'f' $"g"`,
		`D"""""""""""'''"".Wwwww'''''w.S''''''.D"""`},
	{"a \\\nb c\\\nd",
		`W.\\W.W\\w`},
	{"a $\\\n(b)", "?"},
	{"a # b\\\nc", "?"},
	{"a `b \\`c\\``", "?"},
	{`a "${x:-'b'}"`, `W.D"""""'''""`},
	{`a "${x:-'$b'}"`, "?"},
	{"cat <<E\nx\\\nE\n", "?"},
	{"a ${x:-<(b)}", "?"},
	{"cat <<E $(b\nc)\nE\n", "?"},
	{"a )", "?"},
	{"$((a) )", "?"},
	{"$(( 'a' ))", "?"},
}

func TestLexer(t *testing.T) {
	for _, tt := range lexed {
		if got := classes(tt.text); got != tt.class {
			t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.class)
		}
	}
}

func classes(text string) string {
	l := lex(text)
	if l.unsure != "" {
		return "?"
	}
	var b strings.Builder
	for _, c := range l.class {
		if c&tokenStart != 0 {
			b.WriteByte(`-WSD---PN--`[c&^tokenStart])
		} else {
			b.WriteByte(`-w'"\#H+o.-`[c])
		}
	}
	return b.String()
}
