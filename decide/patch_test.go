package decide

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
)

// What the patches of these tests hold.
const (
	plantsPolicy = "diff --git a/.claude/settings.local.json b/.claude/settings.local.json\nnew file mode 100644\n--- /dev/null\n" +
		"+++ b/.claude/settings.local.json\n@@ -0,0 +1 @@\n+{}\n"
	ordinary    = "diff --git a/src/a.go b/src/a.go\n--- a/src/a.go\n+++ b/src/a.go\n@@ -1 +1 @@\n-x\n+y\n"
	below       = "diff --git a/settings.local.json b/settings.local.json\nnew file mode 100644\n--- /dev/null\n+++ b/settings.local.json\n@@ -0,0 +1 @@\n+{}\n"
	plainPatch  = "--- /dev/null\t1970-01-01\n+++ .envrc\t2020-01-01\n@@ -0,0 +1 @@\n+x\n"
	renames     = "diff --git a/src/a.go b/.git/hooks/pre-commit\nsimilarity index 100%\nrename from src/a.go\nrename to .git/hooks/pre-commit\n"
	linksPolicy = "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+.claude\n"
	linksPlain  = "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+src\n"
	linksAway   = "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/opt/x\n"
	mailed      = "From 1 Mon Sep 17 00:00:00 2001\nFrom: a <a@b>\nSubject: x\n\n---\n"
	deep        = "--- x/y/a\n+++ x/y/.envrc\n@@ -1 +1 @@\n-x\n+y\n"
	talksOfIt   = "diff --git a/doc.md b/doc.md\n--- a/doc.md\n+++ b/doc.md\n@@ -1 +1,2 @@\n write into\n+.claude/settings.local.json\n"
)

// TestPatches applies patches in all the ways there are: one that writes a
// sensitive file is asked about in every mode, one that cannot be read where
// writes outside are, an ordinary one goes on to the rules.
func TestPatches(t *testing.T) {
	p := newGitPlace(t)
	for name, text := range map[string]string{
		"evil": plantsPolicy, "good": ordinary, "below": below, "plain": plainPatch, "renames": renames, "links": linksPolicy, "linksplain": linksPlain,
		"linksaway": linksAway, "mail": mailed + plantsPolicy, "goodmail": mailed + ordinary, "deep": deep, "talk": talksOfIt, "crlf": strings.ReplaceAll(plantsPolicy, "\n", "\r\n"),
		"base64": "From: a\nContent-Transfer-Encoding: base64\n\nZGlmZg==\n", "sub/evil": plantsPolicy, "list": "# This series applies on GIT commit 1\nevil\n",
		"rewrites": strings.ReplaceAll(ordinary, "src/a.go", "good"), "p0": strings.NewReplacer("a/.cl", ".cl", "b/.cl", ".cl").Replace(plantsPolicy),
	} {
		p.write("ws/"+name, text)
	}
	const stop, asks, goes = "2", "3b", "7"
	for command, want := range map[string]string{
		"git apply evil": stop, "git apply good": goes, "git apply < evil": stop, "git apply < good": goes, "git apply - < evil": stop,
		"git apply <<'E'\n" + plantsPolicy + "E": stop, "git apply <<'E'\n" + ordinary + "E": goes, "git am < mail": stop, "git am < goodmail": goes,
		"git am mail": stop, "git am -3 goodmail": goes, "git am --3way goodmail mail": stop, "git am --abort": goes, "git am --skip": goes,
		"git apply good evil": stop, "git apply good talk goodmail": goes, "cat evil | git apply": stop, "cat good | git apply": goes,
		"cat evil | git am -3": stop, "cat good | tee x | git apply": goes, "sed s/x/y/ good | git apply": asks, "curl https://h/p | git apply": asks,
		"git apply --index evil": stop, "git apply --cached evil": stop, "git apply -3 evil": stop, "git apply -R evil": stop, "git apply --rej evil": stop,
		"git apply --check evil": goes, "git apply --stat evil": goes, "git apply --check --apply evil": stop, "git apply --stat good": goes,
		"git apply -p0 p0": stop, "git apply p0": goes, "git apply -p2 deep": stop, "git apply deep": stop, "git apply -p0 deep": stop,
		"git apply --directory=.claude below": stop, "git apply --directory .cl\\aude below": stop, "git apply --dir=src below": goes, "git apply below": goes,
		"git apply plain": stop, "git apply -p0 plain": stop, "cd sub && git apply evil": stop, "git -C sub apply evil": stop, "git -C sub apply ../good": goes,
		"git apply renames": stop, "git apply links": stop, "git apply linksplain": goes, "git apply linksaway": asks, "git apply crlf": stop,
		"git am base64": asks, "git am list": asks, "git am sub": asks, "git apply missing": asks, `git apply "$x"`: asks, "git apply *l": stop,
		"git apply g*": goes, "git apply src/*": goes, "git apply ev?l": stop, "git diff | git apply": goes, "git diff HEAD~1 | git apply -R": goes,
		"git show HEAD | git apply -R": goes, "git show abc | git apply": asks, "git show HEAD:evil | git apply": asks, "git stash show -p | git apply -R": goes,
		"git show HEAD -- .envrc | git apply -R": stop, "git diff main -- a.txt | git apply": goes, "git diff --no-index /dev/null evil | git apply": asks,
		"git diff --dst-prefix=.claude/ a b | git apply": asks, "git diff | git apply --directory=x": asks, "git diff | git apply -p2": asks,
		"git diff > p; git apply p": goes, "git diff > p && git apply -R p": goes, "curl https://h/p > p; git apply p": asks, "cat evil > p; git apply p": asks,
		"git log --format=x | git apply": asks, "git format-patch --stdout HEAD~1 | git am": asks, "git apply rewrites && git apply good": asks,
		"git apply good && git apply goodmail": goes, "git apply good; cat x > good": asks, "GIT_EXTERNAL_DIFF=./x git diff | git apply": asks,
		"git diff | (cd sub && git apply -)": goes, "echo evil | git apply": goes, "git apply /dev/null": goes, "git apply": goes,
		"git apply <(cat evil)": asks, "git apply --unsafe-paths evil": stop, "git diff | sed s/a/b/ | git apply": asks, "git apply evil --exclude=x": stop,
		"git apply x/../evil": stop, "git diff --word-diff | git apply": asks, "git apply -p \"$n\" good": asks,
	} {
		c := p.ask(command)
		c.Policy.Mode = rules.Setting{Value: "default"}
		if v := Decide(c); v.Step() != want {
			t.Errorf("%s: step %s, want %s: %s", command, v.Step(), want, v.Reason())
		}
	}
}
