package conformance

import (
	"strings"
	"testing"
)

// redirects are the forms that write a file; @ is the target.
var redirects = []string{
	"echo x > @", "echo x >@", "echo x >> @", "echo x >| @", "echo x &> @", "echo x &>> @", "echo x >& @", "echo x <> @", "echo x 1> @", "echo x 2> @", "ls 2>> @", "echo x 3> @", "{ echo x; } > @", "( echo x ) > @",
	"exec > @", "exec 3> @", "exec 3>> @", "exec &> @", "for i in a; do echo $i; done > @", "while read l; do echo $l; done < a > @", "if true; then echo x; fi > @", "f() { echo x; } > @", "> @", ": > @", "> @ echo x",
	"echo x > /dev/null > @", "cat <<'E' > @\nx\nE", "cat > @ <<< x", "echo x | cat > @", "A=1 > @", "case a in a) echo x;; esac > @", "[[ a ]] > @", "(( 1 )) > @", "time echo x > @", "! echo x > @", "exec {fd}> @", "echo $(echo x > @)", "cat <(echo x > @)", "echo x > >(cat > @)",
}

// writers are the commands that write a file; @ is the target.
var writers = []string{
	"tee @", "tee -a @", "tee a @", "echo x | tee @", "tee -- @", "cp a @", "cp -f a @", "cp a b @", "cp -t @ a", "cp --target-directory=@ a", "cp -rt @ a", "cp --target=@ a", "cp a -t @", "cp -T a @", "mv a @", "mv -t @ a", "mv -f a b @", "mv --target-directory @ a", "mv @ b",
	"ln -s a @", "ln a @", "ln -sf a @", "ln -st @ a", "install a @", "install -m 755 a @", "install -D a @", "install -d @", "install -t @ a", "dd of=@", "dd if=a of=@", "dd if=a \"of=@\" bs=1", "sed -i s/a/b/ @", "sed -i.bak s/a/b/ @", "sed --in-place s/a/b/ @", "sed -e s/a/b/ -i @", "sed -ni p @", "sed -Ei s/a/b/ @",
	"truncate -s 0 @", "truncate --size=0 @", "rsync a @", "rsync -a a/ @", "touch @", "rm @", "rm -f @", "unlink @", "mkdir @", "mkdir -p @", "rmdir @", "chmod 600 @", "chown u @", "chgrp g @", "perl -pi -e s/a/b/ @", "perl -i.bak -pe s/a/b/ @", "ruby -pi -e 1 @",
	"sort -o @ a", "sort --output=@ a", "uniq a @", "xxd a @", "xxd -r a @", "shuf -o @ a", "iconv -o @ a", "split a @", "csplit -f @ a 1", "curl -o @ https://x.example", "curl --output @ https://x.example", "wget -O @ https://x.example", "wget --output-document=@ https://x.example",
	"tar -cf @ a", "tar -xf a -C @", "zip @ a", "unzip a -d @", "gzip @", "gunzip @", "bzip2 @", "xz @", "patch @ a", "patch -o @ a", "git diff --output=@", "git archive -o @ HEAD", "git mv a @", "git rm @", "git checkout HEAD -- @", "git restore @", "awk '{ print > \"@\" }' a", "sed -n 'w @' a",
	"find . -fprint @", "find a -exec cp {} @ \\;", "openssl enc -out @", "gcc -o @ a.c", "go build -o @ .", "mkfifo @", "mknod @ p", "shred @", "vim @", "nano @", "sponge @", "yq -i .a=1 @", "jq -n 1 > @", "dos2unix @", "base64 -o @ a", "scp h:a @", "sqlite3 @ 'create table t(a)'", "gofmt -w @", "prettier --write @", "black @", "ex -s @",
	"printf x | sudo tee @", "sudo cp a @", "env A=1 tee @", "xargs tee @ < l", "bash -c 'echo x > @'", "sh -c 'cp a @'", "eval 'echo x > @'", "busybox cp a @", "timeout 5 tee @", "find . -exec tee @ \\;",
}

// TestThreatRedirectSensitive is class 15: redirections and file writers.
func TestThreatRedirectSensitive(t *testing.T) {
	sensitive := []string{
		".claude/settings.json", ".git/hooks/pre-commit", "$HOME/.bashrc", ".envrc",
	}
	spellings := []string{
		"~/.bashrc", "$HOME/.bashrc", "${HOME}/.bashrc", "\"$HOME\"/.bashrc", "\"${HOME}/.bashrc\"", "${HOME:?}/.bashrc", "~dev/.bashrc", "~/'.bashrc'", "~/.bash\"rc\"", "/home/dev/.bashrc", "//home//dev/.bashrc", "/home/dev/./.bashrc", "/home/x/../dev/.bashrc", "../../home/dev/.bashrc",
		".claude//settings.json", "./.claude/settings.json", "a/../.claude/settings.json", ".cl''aude/settings.json", ".cl\\aude/settings.json", "$'.claude/settings.json'", "$'.cl\\x61ude/settings.json'", ".CLAUDE/settings.json", ".Claude/Settings.json", "\"$PWD\"/.claude/settings.json", "$PWD/.claude/settings.json",
		"/work/project/.claude/settings.json", ".claud?/settings.json", ".cl*/settings.json", "/proc/self/cwd/.claude/settings.json", "/proc/self/root/home/dev/.bashrc", "/proc/1/root/etc/passwd", "/private/etc/hosts", "/etc/hosts", "/etc/./hosts", "/usr/bin/x", "/usr/lib/x", "/boot/x",
	}
	outside := []string{"/tmp/x", "../x", "~/x", "/work/other/x", "/work/project-evil/x", "/var/x", "sub/../../x"}
	unknown := []string{"$OUT", "\"$OUT\"", "\"$OUT/x\"", "$(mktemp)", "${OUT:-x}/y", "`date`", "~nobody/x", "\"$1\"", "$D/x"}
	inside := []string{"out.txt", "./out.txt", "sub/out.txt", "/work/project/out.txt", "'a b.txt'", "sub/../out.txt", "\"$PWD/out.txt\"", "\"$(pwd)/out.txt\"", "envrc", "x.claude", "my.git.txt", ".env.example", "docs/.gitignore", ".github/workflows/x.yml"}
	runSentences(t, []sentence{
		{must: "every-redirect-form-onto-a-sensitive-path", allow: anything, step: "2", asked: targets(redirects, sensitive)},
		{must: "every-writer-onto-a-sensitive-path", allow: anything, step: "2", asked: targets(writers, sensitive)},
		{must: "every-spelling-of-a-path", allow: anything, step: "2", asked: targets([]string{"echo x > @", "echo x | tee @", "cp a @", "dd of=@"}, spellings)},
		{must: "every-redirect-form-out-of-the-workspace", allow: anything, step: "3b", asked: targets(redirects, outside[:2])},
		{must: "every-writer-out-of-the-workspace", allow: anything, asked: targets(writers, outside[:1])},
		{must: "every-spelling-out-of-the-workspace", allow: anything, step: "3b", asked: targets([]string{"echo x > @", "tee @ < a", "cp a @"}, outside)},
		{must: "every-redirect-form-onto-an-unknown-path", allow: anything, asked: targets(redirects, unknown[:2])},
		{must: "every-unknown-path", allow: anything, asked: targets([]string{"echo x > @", "tee @ < a", "cp a @", "mv a @", "dd of=@", "ln -s a @", "sed -i s/a/b/ @"}, unknown)},
		{must: "writes-inside-pass", allow: anything, passed: targets([]string{"echo x > @", "echo x >> @", "ls &> @", "tee @ < a", "cp a @", "touch @", "sed -i s/a/b/ @", "{ ls; } > @"}, inside)},
		{
			must: "variables-assigned-here-are-known", allow: anything,
			passed: []string{"f=out.txt; echo x > \"$f\"", "d=sub; cp a $d/b", "OUT=a.log && ls > $OUT", "for f in a b; do echo x > $f.txt; done"},
			asked:  []string{"f=.envrc; echo x > \"$f\"", "f=/tmp/x; echo x > $f", "d=~; cp a $d/.bashrc", "for f in a .envrc; do echo x > $f; done", "read f; echo x > $f", "f=$(x); echo x > $f"},
		},
		{
			must: "a-tracked-cd", allow: anything,
			asked: []string{
				"cd .claude && echo x > settings.json", "cd .claude; echo x > settings.json", "(cd .claude && tee settings.json < a)", "cd .git/hooks && cp ../../a pre-commit", "pushd .husky && echo x > pre-commit", "cd sub && echo x > ../.envrc",
				"cd a/b/.. && echo x > ../.claude/settings.json", "cd ~ && echo x > .bashrc", "cd && echo x >> .profile", "cd /tmp && echo x > y", "cd .. && echo x > y", "cd \"$D\" && echo x > y", "cd $(mktemp -d) && echo x > y", "cd - && echo x > y", "cd sub || cd .claude; echo x > settings.json",
				"env -C .claude tee settings.json", "sudo -D /etc tee hosts", "cd .cl* && echo x > settings.json", "cd .claude\necho x > settings.json", "{ cd .claude; }; echo x > settings.json", "if cd .claude; then echo x > settings.json; fi", "builtin cd .claude && echo x > settings.json", "command cd .claude && echo x > settings.json", "git -C .git/hooks format-patch -o . HEAD~1", "tar -C .claude -xf a", "make -C sub && cd .vscode && echo x > tasks.json",
			},
			passed: []string{
				"cd sub && echo x > a", "cd sub && cd .. && echo x > a", "cd /work/project/sub && echo x > ../a", "(cd /tmp); echo x > a", "(cd .claude && ls); echo x > settings.json", "cd sub && (cd .. && echo x > a)", "pushd sub && echo x > a; popd",
			},
		},
		{
			must: "what-is-no-file-is-no-write", allow: anything,
			passed: []string{
				"ls > /dev/null", "ls 2>/dev/null", "ls &> /dev/null", "ls >/dev/stdout", "ls > /dev/stderr", "ls >/dev/fd/2", "ls 2>&1", "ls >&2", "ls 1>&2", "ls 3>&1 1>&2 2>&3", "exec 3>&1", "ls 2>&-", "ls >&-", "exec 3<&0", "cat < /dev/stdin", "cat < a", "cat <<< x", "cat <<'E'\n> .envrc\nE",
				"ls | tee /dev/stderr", "ls | tee /dev/null", "curl -s -o /dev/null https://x.example", "dd if=a of=/dev/null", "cp a /dev/stdout", "echo 'x > .envrc'", "echo \"x >> ~/.bashrc\"", "grep '>' .envrc.txt", "[ 1 -gt 2 ]", "[[ a > b ]]", "(( 1 > 2 ))", "echo x \\> .envrc", "git commit -m 'a > .envrc'",
			},
			asked: []string{"ls > /dev/fd/3x", "ls > /dev/sda", "ls > /dev/shm/x", "ls > /dev/../etc/x", "ls >& .envrc"},
		},
		{
			must: "an-allow-for-bash-never-covers-it", allow: []string{"Bash", "Bash(echo *)", "Bash(echo x > .envrc)", "Bash(cp *)", "Edit(.envrc)", "Edit"},
			asked: []string{"echo x > .envrc", "cp a .envrc", "echo x > .claude/settings.json"},
		},
	})
}

// targets puts every target into every form at its @.
func targets(forms, list []string) []string {
	var out []string
	for _, f := range forms {
		for _, target := range list {
			if strings.Contains(f, "'") && strings.ContainsAny(target, "'\"$`~\\") {
				continue // another text inside quotes
			}
			out = append(out, strings.ReplaceAll(f, "@", target))
		}
	}
	return out
}

// converters write a file as their purpose; @ is the target.
var converters = []string{
	"pandoc a.md -o @", "pandoc --output=@ a.md", "ffmpeg -i a.mp4 @", "ffmpeg -y -i a.mp4 -vf scale=1:1 @", "convert a.png @", "magick a.png -resize 50% @", "mogrify -strip @", "dot -Tpng a.dot -o @", "dot -Tpng a.dot -o@", "mmdc -i a.mmd -o @", "cwebp a.png -o @", "svgo a.svg -o @",
	"qpdf a.pdf @", "pdftotext a.pdf @", "wkhtmltopdf https://x.example @", "gs -sDEVICE=pdfwrite -sOutputFile=@ a.pdf", "gs -o @ a.pdf", "esbuild a.ts --outfile=@", "esbuild a.ts --bundle --outfile=@", "babel a.js -o @", "babel a.js --out-file @", "rollup a.js -o @", "terser a.js -o @", "sass a.scss --output @ && sponge @",
	"protoc --descriptor_set_out=@ a.proto", "ctags -f @ a.c", "stringer -output @ -type X", "xmllint --output @ a.xml", "xmlstarlet ed -L -d /a @", "tidy -m @", "clang-format -i @", "sd a b @", "age -o @ a", "msgfmt -o @ a.po", "jar cf @ a", "ar rcs @ a.o", "ld -o @ a.o", "pytest --junitxml=@", "mypy --junit-xml @ a", "rubocop -o @", "phpunit --log-junit @", "jest --outputFile=@", "ctest --output-junit @", "bun build a.ts --outfile=@", "ddrescue /dev/sr0 @",
	"editcap a.pcap @", "mergecap -w @ a b", "rspec --out @", "semgrep -o @ src", "ssh-keygen -t ed25519 -f @", "gpg -o @ -d a", "rustdoc -o @ a.rs", "hugo -d @", "jsonnet -o @ a", "typst compile a.typ @", "bison -o @ a.y", "dcfldd if=a of=@",
}

// TestThreatRedirectConverters is class 15 for programs whose purpose is another file.
func TestThreatRedirectConverters(t *testing.T) {
	runSentences(t, []sentence{
		{must: "onto-a-sensitive-path", allow: anything, step: "2", asked: targets(converters, []string{".envrc", ".vscode/tasks.json", "~/.profile"})},
		{must: "out-of-the-workspace", allow: anything, step: "3b", asked: targets([]string{"pandoc a.md -o @", "ffmpeg -i a.mp4 @", "convert a.png @", "dot -Tpng a.dot -o @", "qpdf a.pdf @"}, []string{"/tmp/x", "../x", "~/x.pdf"})},
		{must: "inside-passes", allow: anything, passed: targets(converters[:22], []string{"out/a.pdf", "dist/b.js"})},
	})
}
