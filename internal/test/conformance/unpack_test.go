package conformance

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
)

// archives are the files the unpacking texts name.
type archives struct{ t *testing.T }

func (a archives) tar(names ...string) string {
	a.t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		h := &tar.Header{Name: name, Mode: 0o644, Typeflag: tar.TypeReg}
		if link, to, ok := strings.Cut(name, "->"); ok {
			h.Name, h.Linkname, h.Typeflag = link, to, tar.TypeSymlink
		}
		if err := w.WriteHeader(h); err != nil {
			a.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		a.t.Fatal(err)
	}
	return b.String()
}

func (a archives) gz(name, data string) string {
	a.t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name = name
	if _, err := w.Write([]byte(data)); err != nil {
		a.t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		a.t.Fatal(err)
	}
	return b.String()
}

func (a archives) zip(names ...string) string {
	a.t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		if _, err := w.Create(name); err != nil {
			a.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		a.t.Fatal(err)
	}
	return b.String()
}

// put returns what fills a project with archives, patches and folders, good and bad.
func (a archives) put() func(*fakefs.FS) {
	bad := []string{"README", ".claude/settings.local.json"}
	good := []string{"README", "src/main.go", ".gitignore", ".github/workflows/ci.yml", ".env.example"}
	all := map[string]string{
		"bad.tar": a.tar(bad...), "good.tar": a.tar(good...), "bad.tgz": a.gz("", a.tar(bad...)), "good.tgz": a.gz("", a.tar(good...)),
		"bad.zip": a.zip("x", ".git/hooks/pre-commit"), "good.zip": a.zip(good...), "deep.tar": a.tar("pkg-1.0/.envrc", "pkg-1.0/bin/tool"),
		"link.tar": a.tar("d->.claude", "d/settings.json"), "lonely.tar": a.tar("d->.claude", "README"), "away.tar": a.tar("docs->/home/dev", "README"), "own.tar": a.tar("d->sub", "README"),
		"rooted.tar": a.tar("/work/project/.envrc"), "hooks.tar": a.tar("hooks/pre-commit"), "x.tar.xz": "\xfd7zXZ\x00", "note.gz": a.gz(".envrc", "x"),
		"lib.a": "!<arch>\n", "upper.tar": a.tar(".Claude/settings.json"),
		"bad.patch":                        "--- /dev/null\n+++ b/.claude/settings.local.json\n@@ -0,0 +1 @@\n+{}\n",
		"good.patch":                       "--- a/src/main.go\n+++ b/src/main.go\n@@ -1 +1 @@\n-a\n+b\n",
		"ctx.patch":                        "*** a/.envrc\t2020\n--- b/.envrc\t2020\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n",
		"evil/.claude/settings.local.json": "{}", "evil/.envrc": "", "good/a": "", "good/b/c": "", "web/.env": "A=1", "web/index.html": "",
		"nested/repo/.git/config": "", "nested/repo/a": "", "tpl/app/.envrc": "", "app/.envrc": "", "app/main": "", "src/main.go": "",
	}
	return func(files *fakefs.FS) {
		for name, data := range all {
			files.Write("/work/project/"+name, data)
		}
		files.Mkdir("/work/project/.git")
		files.Mkdir("/work/project/vendor")
		files.Mkdir("/work/project/sub")
		files.Link("/work/project/claude", "/work/project/.claude")
		files.Mkdir("/tmp").Mode = fs.ModeDir | fs.ModeSticky | 0o777
		files.Mkdir("/home/dev/.config")
		files.Own("/work/project", 1000)
		files.Own("/home/dev", 1000)
	}
}

// unpackStops are texts of which nothing is allowed, in bypass or by a bare rule.
var unpackStops = []string{
	// the names are known
	"tar xf bad.tar", "tar -xvf bad.tar", "tar xzf bad.tgz", "tar --extract --file=bad.tgz", "tar xf bad.tar -C .", "cd vendor && tar xf ../bad.tar -C ..", "tar -C /work/project -xf bad.tar",
	"bsdtar -xf bad.tar", "gtar xf bad.tar", "tar x < bad.tar", "cat bad.tar | tar x", "zcat bad.tgz | tar xf -", "gzip -dc bad.tgz | tar -x -C .", "tar xf bad.zip -C .",
	"tar xf deep.tar --strip-components=1", "tar xf deep.tar --strip-components 1", "tar xf deep.tar --strip=1", "tar xf deep.tar", "tar xf upper.tar", "tar xf bad.tar .claude", "tar xf bad.tar -C vendor README -C .. .claude",
	"tar xf hooks.tar -C .git", "tar xf hooks.tar -C nested/repo/.git", "tar xf bad.tar -C claude/..", "tar xf link.tar", "tar xPf rooted.tar", "tar xPf rooted.tar -C vendor", "tar xf bad.tar --exclude README",
	"unzip bad.zip", "unzip -o bad.zip", "unzip -qo bad -d .", "unzip bad.zip '.git/*'", "7z x bad.zip", "7z x bad.zip -o.", "jar xf bad.zip", "jar -xvf bad.zip", "jar --extract --file=bad.zip", "unar -D bad.zip",
	"python3 -m zipfile -e bad.zip .", "python -m tarfile -e bad.tar", "python3 -m tarfile --extract bad.tar .", "bsdtar xf bad.zip",
	"patch -p1 < bad.patch", "patch -p1 -i bad.patch", "patch -p1 --input=bad.patch", "cat bad.patch | patch -p1", "patch -p1 < ctx.patch", "patch < bad.patch", "patch -d . -p1 < bad.patch",
	"patch -p1 <<'E'\n--- /dev/null\n+++ b/.envrc\n@@ -0,0 +1 @@\n+x\nE", "patch -p0 <<E\n--- .envrc\n+++ .envrc\n@@ -1 +1 @@\n-a\n+b\nE",
	"cp -r evil/. .", "cp -a evil/. .", "cp -r evil/ .", "cp -rT evil .", "cp -R evil/./ ./", "cd evil && cp -r . ..", "cp -r tpl/app .", "cp -r tpl/* .", "cp -a evil/.claude .", "cp -r -t . evil/.",
	"rsync -a evil/ .", "rsync -a evil/ ./", "rsync -a evil/. /work/project", "rsync -rv tpl/ .", "rsync -a evil/.envrc .", "rsync -aR evil/./.claude .", "rsync -a --exclude README evil/ .", "ditto evil .", "cd evil && pax -rw . ..",
	"gunzip -N note.gz", "gzip -dN note.gz",
	// the names are not known, and the folder holds what matters
	"tar xf gone.tar", "tar xzf gone.tgz -C .", "tar xJf x.tar.xz", "tar xf x.tar.xz --directory=/work/project", "tar xf away.tar && tar xf gone.tar", "curl -sL https://x.example/a.tgz | tar xz", "curl -sL https://x.example/a | tar -xzf - -C .",
	"curl -so a.tgz https://x.example/a.tgz; tar xf a.tgz", "cp evil.bin good.tar; tar xf good.tar", "tar xf \"$f\"", "for f in *.tgz; do tar xf \"$f\"; done", "tar xf good.tar --transform 's/R/./'", "tar xf good.tar --strip-components=$n",
	"git archive --remote=x HEAD | tar x", "ssh h tar c . | tar x", "wget -qO- https://x.example | tar xz", "unzip gone.zip", "unzip '*.zip'", "7z x a.7z", "unrar x a.rar", "unar a.rar -D", "jar xf gone.jar", "ar x gone.a", "cpio -idm < gone.cpio", "pax -rf gone.pax",
	"tar xf gone.tar -C web", "unzip gone.zip -d app", "tar xf gone.tar -C nested/repo", "tar xf gone.tar -C ..", "tar xf gone.tar -C ~", "tar xf gone.tar -C ~/.config", "tar xf gone.tar -C .github", "tar xf gone.tar pkg --strip-components=1",
	"tar xf gone.tar '*.json'", "unzip -j gone.zip -d .", "tar xPf gone.tar -C vendor", "cd sub && tar xf ../gone.tar -C ../", "xargs -n1 tar xf < list", "find . -name '*.zip' -exec unzip -o {} \\;", "sudo tar xf gone.tar", "bash -c 'tar xf gone.tar'",
	"cp -r gone/. .", "git clone https://x.example/r t && cp -r t/. .", "rsync -a host:x/ .", "rsync -a host:x/. ./", "rsync -a rsync://h/m/ .", "scp -r host:x/. .", "scp host:x/.envrc .", "scp host:.claude .", "scp -r 'host:x/.*' .", "sftp host:x/.envrc",
	"wget -r -nH https://x.example/", "wget -x -nH https://x.example/.claude/settings.local.json", "wget -r -nd https://x.example", "wget --content-disposition https://x.example/a", "curl -OJ https://x.example/a", "curl -JLO https://x.example/a", "curl --remote-name --remote-header-name https://x.example/a",
	"docker cp c:/x/. .", "docker cp c:/x/.envrc .", "kubectl cp p:/x .", "aws s3 cp s3://b/p . --recursive", "aws s3 sync s3://b/p .", "gsutil -m rsync -r gs://b/p .", "rclone copy r:p .", "rclone sync r:p ./", "gcloud storage rsync gs://b .",
	"unsquashfs -f -d . a.img", "dpkg-deb -x a.deb .", "degit u/r", "npx degit u/r .", "mc mirror a/b .", "s3cmd sync s3://b/p .", "patch -p1 < gone.patch", "curl -s https://x.example/p | patch -p1", "gunzip -N gone.gz", "git diff --no-index /dev/null x | patch -p1", "git show x:p | patch -p1",
	"tar xf bad.tar -C \"$PWD\"", "tar xf bad.tar -C $(pwd)", "tar xf bad.tar -C \"$d\"", "cp -r evil/. $(pwd)", "ln -s . d && tar xf gone.tar -C d", "busybox tar xf gone.tar",
	"unzip gone.zip -d.", "tar xfC gone.tar .", "gnutar xf gone.tar", "bsdunzip gone.zip", "7zr x a.7z", "bsdcpio -i < gone", "ls *.tar | xargs -n1 tar xf", "parallel tar xf ::: a.tar", "tar cf - -C evil . | tar xf -", "env -C .. tar xf gone.tar", "pax -r < bad.tar", "dd if=bad.tar | tar x",
	"shopt -s dotglob; mv evil/* .", "shopt -s dotglob; cp -r evil/* .", "GLOBIGNORE=x\ncp -r evil/* .", "ls -A evil | xargs -I{} cp -r evil/{} .", "cp -r \"$src\"/. .", "cp -r $src/. .", "rsync -a \"$src/\" .", "for f in evil/.*; do cp -r \"$f\" .; done", "cp -r evil/{.claude,.envrc} .",
	"curl -O 'https://x.example/{a,.envrc}'", "aria2c https://x.example/.envrc", "aria2c -o .envrc https://x.example/a", "axel https://x.example/.envrc", "aria2c -i list",
	"cp evil.bin bad2; python3 -m zipfile -e bad2 .", "tar xif good.tar", "cp -r --parents ../x .; tar -x -f gone", "echo x > good.zip && unzip good.zip",
	// links of an archive that the same text writes through, options from a variable, rarer programs
	"tar xf lonely.tar && cp README d/settings.json", "tar xf lonely.tar; echo '{}' > d/settings.local.json", "tar xf lonely.tar -C vendor && echo x > vendor/d/x", "tar xf lonely.tar && tar xf good.tar -C d",
	"export TAR_OPTIONS='-C .claude'; tar xf good.tar", "UNZIP=-d.claude unzip good.zip", "export UNZIP=-d.claude; unzip good.zip", "TAR_OPTIONS=--transform=s/a/b/ tar xf good.tar",
	"uudecode x.uu", "uudecode -o .envrc x.uu", "dtrx bad.zip", "aunpack bad.tar", "patool extract bad.tar", "cabextract x.cab", "lha x x.lzh", "dpkg -x x.deb .", "dpkg --extract x.deb ~",
	"cmake -E copy_directory evil .", "cmake -E copy_directory app tpl/app ~", "gsutil cp -r 'gs://b/x/*' .", "gsutil -m cp 'gs://b/*' ~",
}

// unpackPasses are texts nothing is to be said about.
var unpackPasses = []string{
	"tar xf good.tar", "tar xzf good.tgz", "tar -xzf good.tgz -C .", "zcat good.tgz | tar x", "tar x < good.tar", "unzip good.zip", "unzip -o good.zip -d .", "7z x good.zip", "jar xf good.zip", "python3 -m zipfile -e good.zip .", "tar tf bad.tar", "tar xOf bad.tar README",
	"unzip -l bad.zip", "unzip -p bad.zip x", "tar xf bad.tar README", "tar xf bad.tar --exclude=.claude", "tar xf away.tar", "tar xf own.tar", "tar xf deep.tar pkg-1.0/bin/tool --strip-components=2", "tar xf gone.tar pkg-1.0/bin/tool", "tar xzf gone.tgz rg-14/rg --strip-components=1", "unzip -j gone.zip d/tool -d bin",
	"tar xf gone.tar -C vendor", "tar -xzf node.tar.gz -C vendor", "mkdir t && tar xf gone.tar -C t", "mkdir -p t && cd t && tar xf ../gone.tar", "tar xf gone.tar -C /tmp/x", "curl -sL https://x.example/a.tgz | tar xz -C vendor", "unzip -q gone.zip -d out", "git archive HEAD | tar x -C out", "tar c src | tar x -C out",
	"(cd src && tar c .) | (cd vendor && tar x)", "tar czf out.tgz src", "tar cf - . | gzip > /tmp/x.tgz", "ar rcs lib.a a.o", "ar x lib.a", "unar gone.rar -o out", "unsquashfs gone.img",
	"patch -p1 < good.patch", "patch -p1 -i good.patch", "git diff | patch -p1 -R", "git show HEAD | patch -R -p1", "patch -p3 < bad.patch", "patch src/main.go good.patch", "patch src/main.go < gone.patch", "patch --dry-run -p1 < gone.patch", "patch -p1 <<'E'\n--- a/src/x.go\n+++ b/src/x.go\n@@ -1 +1 @@\n-a\n+b\nE", "cd vendor && patch -p1 < ../gone.patch",
	"cp -r good/. .", "cp -r good .", "cp -a good/ .", "cp -r good/* .", "cp -r a b", "cp -rf templates/ out/", "cp -r nested/repo vendor", "cp -r evil sub/copy", "cp -r . /tmp/backup", "cp -r web vendor", "mv good/* .", "mv good sub",
	"rsync -a good/ .", "rsync -a good .", "rsync -a --exclude=.claude --exclude .envrc evil/ .", "rsync -a evil/ vendor/evil", "rsync -av src/ out/", "rsync -a host:x/ vendor/", "rsync -a host:data/a.csv .", "rsync -n host:x/ .", "ditto good .",
	"scp host:a.csv .", "scp -r host:dir .", "scp good/a host:", "scp 'host:*.csv' .", "sftp host", "wget https://x.example/a.tgz", "wget -x https://x.example/a/b", "wget -r https://x.example/docs", "curl -O https://x.example/a.tgz", "curl -o a https://x.example/a",
	"docker cp c:/app/out.txt .", "docker cp c:/dist ./dist", "kubectl cp p:/x ./x", "aws s3 cp s3://b/a.csv .", "aws s3 sync s3://b/p ./data", "aws s3 sync dist s3://b", "gsutil cp gs://b/a.csv .", "gsutil cp -r gs://b/dir .", "rclone copy r:p data", "rclone copy data r:p",
	"d=$(mktemp -d); tar xf gone.tar -C \"$d\"", "cd /tmp && curl -sL https://x.example/a.tgz | tar xz", "cd vendor && curl -sL https://x.example/a.tgz | tar xz --strip-components=1", "curl -L https://x.example/a.tgz | tar xz -C bin rg-14/rg", "wget -qO- https://x.example/a.tgz | tar xz -C /srv/x",
	"tar xf good.tar -C web", "unzip good.zip -d web", "pax -r -f good.tar", "cpio -i < good.tar", "unrar x gone.rar out/", "for f in a b; do cp -r good/$f .; done", "curl -O 'https://x.example/f[1-3].txt'", "aria2c -d out https://x.example/a",
	"degit u/r app2", "gunzip a.csv.gz", "gzip -dk a.csv.gz", "xz -d a.xz", "zstd -d a.zst", "npm pack", "dpkg-deb -x a.deb out", "dpkg-deb -c a.deb", "ln -s good/a link", "install -D good/a out/a",
	"tar xf lonely.tar", "tar xf lonely.tar && cat README", "tar xf lonely.tar && cp good/a dd", "tar xf own.tar && ls d", "uudecode -o out.bin x.uu", "uudecode -p x.uu", "cabextract -d out x.cab", "cabextract -l x.cab", "aunpack good.tar", "dtrx good.zip",
	"dpkg -x x.deb out", "dpkg -l", "cmake -E copy_directory good out", "cmake -E copy good/a out", "gsutil cp 'gs://b/*' out/", "export UNZIP=-q", "TAPE=x; ls",
}

// TestUnpacking: what an archive, a patch, a folder or another machine puts into
// the project is asked about by its names, or where they are not known.
func TestUnpacking(t *testing.T) {
	stopsAndPasses(t, Setup{Arrange: archives{t}.put(), Settings: map[string]string{
		"/home/dev/.claude/settings.json": `{"permissions": {"allow": ["Bash"]}}`,
		postureFile:                       `{"destructive": "practical"}`,
	}}, unpackStops, unpackPasses)
}

// stopsAndPasses decides texts of Bash: those of stops are allowed in no mode, those of passes
// in bypassPermissions.
func stopsAndPasses(t *testing.T, s Setup, stops, passes []string) {
	t.Helper()
	s.Tool = "Bash"
	decide := func(command, mode string) (hookio.Decision, string, string) {
		s.Input, _ = json.Marshal(map[string]string{"command": command})
		s.Mode = mode
		_, v := call(t, s)
		return v.Decision(), v.Step(), v.Reason()
	}
	for _, text := range stops {
		for _, mode := range []string{"bypassPermissions", ""} {
			if d, _, why := decide(text, mode); d == hookio.Allow {
				t.Errorf("%q is allowed in mode %q: %s", text, mode, why)
			}
		}
	}
	for _, text := range passes {
		if d, step, why := decide(text, "bypassPermissions"); d != hookio.Allow {
			t.Errorf("%q is stopped at step %s: %s", text, step, why)
		}
	}
	t.Logf("%d texts that stop, %d that pass", len(stops), len(passes))
}
