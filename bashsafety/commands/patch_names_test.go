package commands

import (
	"strings"
	"testing"
)

func TestReadPatch(t *testing.T) {
	const hunk = "@@ -0,0 +1 @@\n+x\n"
	for _, test := range []struct{ name, text, want string }{
		{"git", "diff --git a/x b/y\nindex 1..2 100644\n--- a/x\n+++ b/y\n" + hunk, "a/x b/y"},
		{"the same name twice", "diff --git a/d/x b/d/x\nold mode 100644\nnew mode 100755\n", "a/d/x b/d/x"},
		{"blanks in a name", "diff --git a/d e/x b/d e/x\nnew file mode 100644\n", "a/d e/x b/d e/x"},
		{"no prefix", "diff --git .envrc .envrc\nnew file mode 100644\n--- /dev/null\n+++ .envrc\n" + hunk, ".envrc"},
		{"quoted", "diff --git \"a/\\056envrc\" \"b/\\056envrc\"\nnew file mode 100644\n", "a/.envrc b/.envrc"},
		{"quoted below", "--- /dev/null\n+++ \"b/.\\145nv\"\n" + hunk, "b/.env plain"},
		{"rename", "diff --git a/x b/.envrc\nsimilarity index 100%\nrename from x\nrename to .envrc\n", "x~ .envrc~"},
		{"copy", "diff --git a/x b/.git/y\ncopy from x\ncopy to \".git/\\171\"\n", "x~ .git/y~"},
		{"deleted", "diff --git a/.envrc b/.envrc\ndeleted file mode 100644\n--- a/.envrc\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "a/.envrc b/.envrc"},
		{"binary", "diff --git a/.envrc b/.envrc\nnew file mode 100644\nindex 0..1\nGIT binary patch\nliteral 3\nKc$~\n", "a/.envrc b/.envrc"},
		{"symlink", "diff --git a/l b/l\nnew file mode 120000\nindex 0..1\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+.claude\n", "a/l b/l a/l>.claude b/l>.claude"},
		{"symlink of old", "diff --git a/l b/l\nindex 0..1 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-c\n+d\n", "a/l b/l a/l>c b/l>c a/l>d b/l>d"},
		{"symlink that is not shown", "diff --git a/l b/l\nnew file mode 120000\nGIT binary patch\n", "?"},
		{"carriage returns", "diff --git a/.envrc b/.envrc\r\n--- /dev/null\r\n+++ b/.envrc\r\n" + hunk, "a/.envrc b/.envrc"},
		{"plain", "--- x\t2020-01-01\n+++ .envrc\t2020-01-01 00:00\n" + hunk, "x .envrc plain"},
		{"a date without a tab", "--- x\n+++ .envrc 2020-01-01 00:00:00\n" + hunk, "x .envrc_2020-01-01_00:00:00 .envrc plain"},
		{"context", "*** x\t2020\n--- .envrc\t2020\n***************\n*** 1,2 ****\n--- 1,2 ----\n", "x .envrc plain"},
		{"subversion", "Index: .envrc\n=======\n--- .envrc (revision 1)\n+++ .envrc (working copy)\n" + hunk, ".envrc .envrc_(revision_1) .envrc_(working_copy) plain"},
		{"mail", "From 1 Mon Sep 17\nFrom: a\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\nmsg\n---\n x | 2 +-\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n" + hunk, "a/x b/x"},
		{"encoded mail", "From: a\nContent-Transfer-Encoding: base64\n\nZGlmZg==\n", "?"},
		{"encoded mail, folded", "From: a\nContent-Transfer-Encoding:\n base64\n\nZGlmZg==\n", "?"},
		{"odd letters", "From: a\nContent-Type: text/plain;\n\tcharset=\"utf-7\"\n\nx\n", "?"},
		{"a mail in a patch", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n Content-Transfer-Encoding: base64\n+x\n", "a/x b/x"},
		{"a comment of SQL", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- drop it\n x\n", "a/x b/x"},
		{"a list of patches", "# This series applies on GIT commit 1\nx.patch\n", "?"},
		{"nothing", "hello\n", ""}, {"empty", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, ok := ReadPatch(test.text)
			var got []string
			for _, n := range p.Names {
				s := strings.ReplaceAll(n.Text, " ", "_")
				if n.Short {
					s += "~"
				}
				if n.Link != "" {
					s += ">" + n.Link
				}
				got = append(got, s)
			}
			if p.Plain {
				got = append(got, "plain")
			}
			want := strings.ReplaceAll(strings.ReplaceAll(test.want, "d e", "d_e"), "  ", " ")
			if !ok {
				got = []string{"?"}
			}
			if have := strings.Join(got, " "); have != want {
				t.Errorf("got %q, want %q", have, want)
			}
		})
	}
	many := strings.Repeat("x", 1)
	var b strings.Builder
	for range maxPatchNames + 1 {
		many += "x"
		b.WriteString("diff --git a/" + many + " b/" + many + "\n")
	}
	if _, ok := ReadPatch(b.String()); ok {
		t.Error("a patch of too many files is taken as understood")
	}
}

func TestPatchNameStrip(t *testing.T) {
	for _, test := range []struct {
		name  PatchName
		count int
		want  string
	}{
		{PatchName{Text: "b/d/x"}, 1, "d/x"}, {PatchName{Text: "b/d/x"}, 0, "b/d/x"}, {PatchName{Text: "b/d/x"}, 2, "x"}, {PatchName{Text: "b/x"}, 2, ""},
		{PatchName{Text: "d/x", Short: true}, 1, "d/x"}, {PatchName{Text: "d/x", Short: true}, 2, "x"}, {PatchName{Text: "b/d/x"}, -1, "x"},
		{PatchName{Text: "b//x"}, 1, "x"},
	} {
		if got := test.name.Strip(test.count); got != test.want {
			t.Errorf("%v.Strip(%d) = %q, want %q", test.name, test.count, got, test.want)
		}
	}
}
