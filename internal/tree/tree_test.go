package tree

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func show(n *Node) string {
	var parts []string
	for i, v := range n.Items {
		part := show(v)
		if n.Kind == Table {
			part = n.Keys[i] + "=" + part
		}
		parts = append(parts, part)
	}
	switch n.Kind {
	case Table:
		return "{" + strings.Join(parts, " ") + "}"
	case List:
		return "[" + strings.Join(parts, " ") + "]"
	case Text:
		return fmt.Sprintf("%q", n.Text)
	}
	return n.Text
}

func TestTOML(t *testing.T) {
	many := ""
	for i := range maxKeys + 1 {
		many += fmt.Sprintf("k%d = 1\n", i)
	}
	for _, tt := range []struct{ text, want string }{
		{"", "{}"},
		{"a = 'x' # why\r\nb.c = [1, true]\r\n", `{a="x" b={c=[1 true]}}`},
		{"[t.u]\na = {b = [{c = 1}]}\n[t]\nd = 2", "{t={u={a={b=[{c=1}]}} d=2}}"},
		{"[[r]]\na = 1\n[r.s]\nb = 2\n[[r]]\na = 3", "{r=[{a=1 s={b=2}} {a=3}]}"},
		{"[t]\n[t]", "1: the table is there twice"},
		{"a = 1\na = 2", "6: the key a is there twice"},
		{"a = {b = 1, b = 2}", "12: the key b is there twice"},
		{"a = 1\na.b = 2", "6: the key a is there twice"},
		{"a = 1\n[a.b]", "7: a is no table"},
		{"a = 1\n[[a]]", "8: a is no list of tables"},
		{"[a]\n[[a]]", "6: a is no list of tables"},
		{"a.b = 1\n[[a]]", "10: a is no list of tables"},
		{"a = ", "error"},
		{many, "error"},
		{"a = " + strings.Repeat("[", 40) + strings.Repeat("]", 40), "0: more than 32 levels"},
	} {
		n, err := TOML(tt.text)
		got := ""
		var e *Error
		switch {
		case errors.As(err, &e) && tt.want == "error":
			got = "error"
		case errors.As(err, &e):
			got = fmt.Sprintf("%d: %s", e.Off, e.Msg)
		case err == nil:
			got = show(n)
		}
		if got != tt.want {
			t.Errorf("%.40q: got %s, %v, want %s", tt.text, got, err, tt.want)
		}
	}
}
