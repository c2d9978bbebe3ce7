package repo

import (
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// configSeeds are config files as git writes them, and as it reads them oddly.
var configSeeds = []string{
	"", "\n\n", "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n",
	"[remote \"origin\"]\n\turl = git@github.com:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n",
	"[branch \"a.b/c \\\"d\\\\\"]\n\tremote = origin ; x\n\tmerge = \"refs/heads/#x\" # y\n",
	"[CORE]\nBare\n", "[core]\nbare=\n", "[core] \n  bare = \"a b\"  c  \n# x\n; y", "[a] b = c\n", "[a]b=c\n", "[a.b]\nc=d\n", "[a \"b\"] c\n",
	"[a  \"b\"]\nc=d\n", "[a\"b\"]\nc=d\n", "[a \"\"]\nc=d\n", "[a \"b\\n\"]\nc=d\n", "[ a]\nc\n", "[a ]\nc\n", "[]\nc\n", "c = d\n", "[a]\nc d\n", "[a]\nc = \\\nd\n",
	"[a]\nc = d\\\n[core]\nfsmonitor = x\n", "[a]\nc = \"d\n\"\n", "[a]\nc = \"\\\"\"\n", "[a]\nc = \\q\n", "[a]\nc = \\t\\n\\b\n", "[a]\r\nc = d\r\n", "[a]\nc = d\re\n",
	"\ufeff[a]\nc = d\n", "[a]\nc.d = e\n", "[a]\n1c = e\n", "[a]\nc-1 = e\n", "[a]\nc_1 = e\n", "[a]\nc = d # \\\nfsmonitor = x\n", "# x \\\n[a]\nb\n", "[a]\nb\x00\nc\n",
	"[a]\n\x0bb = c\n", "[a]\nb = c\x0c\n", "[a]\nb = \"c\" \"d\" \n", "[a]\nb\t\t=\t c\td \n", "[[a]\nb\n", "[a]]\nb\n", "[a \"]\"]\nb = c\n", "[a \"b\" ]\nc\n",
	"[a]\nb = \"\" c\n", "[a]\nb = \"\"  \"c\"\n", "[a]\nb = c \"\"\n",
}

// gitReads is what git makes of a config file in a folder, false when it refuses it.
func gitReads(t *testing.T, dir, text string) (string, bool) {
	name := filepath.Join(dir, "config")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "config", "--list", "-z", "-f", name)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.Output()
	return string(out), err == nil
}

// likeGit compares an accepted file with git's own reading: the same settings,
// in the same order, with the same values.
func likeGit(t *testing.T, dir, text string) bool {
	all, ok := readConfig(text)
	if !ok {
		return false
	}
	var b strings.Builder
	for i := range all {
		b.WriteString(all[i].key())
		if all[i].given {
			b.WriteString("\n" + all[i].value)
		}
		b.WriteByte(0)
	}
	want, valid := gitReads(t, dir, text)
	plain := strings.NewReplacer("\t", " ") // some versions write a tab inside a value as a blank
	if !valid || plain.Replace(b.String()) != plain.Replace(want) {
		t.Errorf("%q: read as %q, git reads %q (%v)", text, b.String(), want, valid)
	}
	return true
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
}

// TestGitConfigLikeGit: no file is accepted that git reads otherwise.
func TestGitConfigLikeGit(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	for _, text := range configSeeds {
		likeGit(t, dir, text)
	}
	parts := []string{
		"[core]\n", "[CORE]\n", "[core", "]", "[remote \"a b\"]\n", "[remote \"x\\\"y\"]\n", "[diff \"x\"]", "[include]\n", "\n", "\n", "\n", " ", "\t", "=", " = ", "\"",
		"\\", "\\\"", "\\\\", "\\n", "\\\n", "#", ";", "# c\n", "fsmonitor", "bare", "url", "path", "textconv = x\n", "bare = false\n", "\tfilemode = true\n",
		"\tname = \"a # b\" c ; d\n", "\tkey\n", "false", "x y", "\r\n", "\r", "\ufeff", "[a.b]\n", "é", ".", "-", "1", "[", "\x00", "\x0b", "~", "[user] name = x\n", "\"\"",
	}
	r, accepted := rand.New(rand.NewSource(13)), 0
	runs := testenv.Count(t, 200, 2000, 2000)
	for range runs {
		var b strings.Builder
		if r.Intn(4) > 0 {
			b.WriteString("[core]\n")
		}
		for range 1 + r.Intn(8) {
			b.WriteString(parts[r.Intn(len(parts))])
			if r.Intn(3) == 0 {
				b.WriteString("\n")
			}
		}
		if likeGit(t, dir, b.String()) {
			accepted++
		}
	}
	if accepted*20 < runs {
		t.Errorf("only %d of %d made-up files are accepted, so little was compared", accepted, runs)
	}
}

func FuzzGitConfig(f *testing.F) {
	needGit(f)
	for _, text := range configSeeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { likeGit(t, t.TempDir(), text) })
}

// TestInertKeys: the table itself. Git compares sections and names in lower
// case, and what runs programs is not in it.
func TestInertKeys(t *testing.T) {
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "core.editor", "core.sshcommand", "core.hookspath", "core.gitproxy", "core.askpass", "core.worktree",
		"core.attributesfile", "core.alternaterefscommand", "pager.log", "diff.external", "diff.x.command", "diff.x.textconv", "diff.x.cachetextconv",
		"diff.submodule", "filter.x.clean", "filter.x.process", "merge.x.driver", "include.path", "includeif.x.path", "alias.x", "credential.helper",
		"gpg.program", "gpg.ssh.program", "log.showsignature", "extensions.partialclone", "remote.o.promisor", "remote.o.partialclonefilter",
		"remote.o.uploadpack", "remote.o.vcs", "url.x.insteadof", "protocol.ext.allow", "sequence.editor", "interactive.difffilter", "format.pretty",
		"pretty.x", "help.autocorrect", "trailer.x.command", "lfs.extension.x.clean", "lfs.customtransfer.x.path", "submodule.x.update",
		"uploadpack.packobjectshook", "tag.sort", "branch.sort", "core.x.bare", "remote.url", "branch.remote", "status.submodulesummary",
	} {
		parts := strings.Split(key, ".")
		s := setting{section: parts[0], name: parts[len(parts)-1], value: "!x", given: true}
		if len(parts) > 2 {
			s.sub = parts[1]
		}
		if s.inert() {
			t.Errorf("%s is inert", key)
		}
	}
	for _, s := range []setting{
		{section: "core", name: "fsmonitor"}, {section: "core", name: "fsmonitor", value: "true", given: true},
		{section: "remote", sub: "o", name: "url", value: "ext::sh -c x", given: true}, {section: "submodule", sub: "s", name: "update", value: "!x", given: true},
	} {
		if s.inert() {
			t.Errorf("%s = %s is inert", s.key(), s.value)
		}
	}
}
