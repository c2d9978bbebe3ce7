package conformance

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
)

// selfStops take away what the gate needs, or change its rules by another name.
var selfStops = []string{
	"mv ~/.local/state x", "mv ~/.local/state/permgate x", "mv ~/.local x", "mv ~ /tmp/x", "mv /usr/local/bin /usr/local/b", "mv /usr/local /usr/l", "mv .claude .c2", "mv ~/.claude ~/.c", "mv ../project ../old", "cd .. && mv project old", "cd ~ && mv .local l",
	"mv -t /tmp ~/.local/state", "mv ~/.local/s* /tmp", "mv ~/.loc*/state x", "sudo mv /usr/local/bin x", "find ~/.local -delete", "find ~ -name permgate -delete", "find ~/.local -name 'st*' -delete",
	"rm -r ~/.local/state", "rm -rf ~/.local", "chmod -R 000 ~/.local/state", "chmod 000 ~/.local/state/permgate", "chmod a-x ~/.local", "chmod -x /usr/local/bin/permgate", "chmod -x /usr/local/bin", "chmod u-rwx ~/.local/state", "chmod 600 ~/.local/state", "chmod = ~", "chmod --reference=x ~/.local/state",
	"chown -R nobody ~/.local/state", "sudo chown root ~/.local", "chgrp x ~/.local/state/permgate", "chattr +i ~/.local/state", "chattr -R +i ~/.local", "setfacl -m u::0 ~/.local/state", "setfacl -R -b ~/.local",
	"mount --bind evil ~/.local/state", "sudo mount --bind evil /usr/local/bin", "mount -t tmpfs tmpfs ~/.local", "sudo mount -o bind x ~", "ln -sfn evil ~/.config2/../.local2 && ln -sfn x ~/link", "ln -sfn evil ~/link", "ln -sT evil ~/link", "mv -T evil ~/link",
	"rsync -a --delete evil/ ~/.local/", "rsync -a --delete evil/ .", "rsync -a gone/ ~/.local/state/", "cp -r evil/. /usr/local/bin", "cp -r evil/ /usr/local/bin/", "cp -rT evil /usr/local/bin", "tar xf gone.tar -C ~/.local/state", "tar xf gone.tar -C /usr/local/bin", "unzip gone.zip -d /usr/local",
	"truncate -s 0 /usr/local/bin/permgate", "cp /bin/true /usr/local/bin/permgate", "install -m 755 x /usr/local/bin/permgate", "install -d -m 000 ~/.local/state", "> /usr/local/bin/permgate", "tar cf x.tar --remove-files ~/.local/state", "dd if=/dev/null of=/usr/local/bin/permgate",
	"cp /usr/local/bin/permgate /tmp/p", "ln -s /usr/local/bin/permgate p", "ln /usr/local/bin/permgate p", "install /usr/local/bin/permgate p", "dd if=/usr/local/bin/permgate of=p",
	"./copy allow 'Bash(*)' --yes", "copy2 allow 'Bash(*)'", "sub/link trust --yes", "./longer rules add allow 'Bash(*)'", "/work/project/copy install --yes", "sudo ./copy trust", "bash -c './copy trust'", "exec -a x ./copy trust", "env A=1 ./copy session allow x", "timeout 5 ./copy uninstall", "cd sub && ../copy allow x", "./copy \"$x\"", "ls | xargs ./copy allow",
	"cp $(which permgate) /tmp/p; /tmp/p allow 'Bash(*)' --yes", "p=$(command -v permgate); cp \"$p\" q; ./q allow x", "ln -s \"$(which permgate)\" q && ./q trust --yes", "which permgate | xargs -I{} cp {} q; ./q install", "cat \"$(which permgate)\" > q; chmod +x q; ./q allow x", "cp ~/permgate-src/permgate q && ./q trust",
	"exec -a other permgate allow 'Bash(*)'", "x=permgate; $x allow 'Bash(*)'", "command permgate allow x", "/usr/local/bin/permgate trust --yes", "sh -c 'permgate allow x'",
	"pkill permgate", "pkill -9 -f permgate", "killall permgate", "killall -q -9 permgate", "while :; do pkill permgate; done", "kill $(pgrep permgate)", "kill -9 $(pidof permgate)", "pgrep permgate | xargs kill",
	"cat /usr/local/bin/perm* > q", "cp /usr/local/bin/permgat? q", "upx /usr/local/bin/permgate", "patchelf --set-interpreter ./x /usr/local/bin/permgate", "rename s/permgate/x/ /usr/local/bin/permgate", "mmv /usr/local/bin/permgate x", "frob --file=/usr/local/bin/permgate", "frob ~/.local/state/permgate",
	"cd /usr/local/bin && frob permgate", "7z a -sdel x.7z ~/.local/state", "rar a -df x.rar /usr/local/bin",
	"pkill -f 'perm.*te'", "pkill perm", "pkill -f 'vite|permg'", "killall -r 'perm.*'", "ps aux | grep permgate | awk '{print $2}' | xargs kill -9", "ps aux | grep [p]ermgate | xargs kill", "ps aux | grep -v grep | awk '/permgate/{print $2}' | xargs kill", "ps -C permgate -o pid= | xargs kill", "pgrep -f gate | xargs kill -9",
	"fuser -k /usr/local/bin/permgate", "kill $(lsof -t /usr/local/bin/permgate)",
	"brew uninstall permgate", "brew unlink permgate", "npm uninstall -g permgate", "npm rm -g @a/permgate@1", "sudo apt-get remove -y permgate", "cargo uninstall permgate", "pacman -Rns permgate", "nix-env -e permgate",
	`claude --settings '{"disableAllHooks":true}' -p x`, "claude --bare -p x", "claude -p --setting-sources project,local x", "claude --setting-sources=local -p x", "claude --safe-mode",
}

// selfPasses look like those and take nothing away.
var selfPasses = []string{
	"mv src lib", "mv a.txt ~/.local/share/x", "mkdir -p ~/.local/bin", "cp tool ~/.local/opt/", "cp tool ~/.local/opt", "ln -s /work/project/tool ~/.local/opt/tool", "ln -sf /work/project/tool ~/.local/opt", "mv tool ~/.local/opt", "touch ~/.local/bin", "ls -la ~/.local/state", "du -sh ~/.local",
	"chmod +x ~/.local/bin/tool", "chmod 755 ~/.local/bin", "chmod -R u+rwX ~/.local", "chmod go-w ~", "chmod -R 755 .", "chmod -R a+rX .", "chmod 700 ~/.local/state", "chmod -R 000 sub", "chown -R dev .", "chown dev src", "mv sub sub2",
	"find . -name '*.pyc' -exec echo {} \\;", "find ~/.local -name '*.log' -print", "rsync -a good/ out/", "mount", "tar cf x.tar src", "tar xf gone.tar -C ~/.local/share/x", "install -d out/bin", "install -d -m 755 ~/.local/bin", "install -m 755 tool ~/.local/opt/tool",
	"./tool allow x", "./gradlew install", "./same-size allow x", "./copy check 'Bash(ls)'", "./copy explain x", "./gone allow x", "sha256sum /usr/local/bin/permgate", "file /usr/local/bin/permgate", "which permgate", "permgate check 'Bash(ls)'", "permgate doctor", "echo permgate; ./tool allow x", "npm install",
	"pkill node", "killall -9 vite", "kill 123", "pgrep permgate", "pkill -f 'vite.*permgate-docs'", "grep -r permgate .", "cp README.md permgate.md", "ls /usr/local/bin | grep permgate",
	"cat /usr/local/bin/tool* > q", "cp /usr/local/bin/* q/", "frob /usr/local/bin/tool", "frob ~/.local/state/other", "frob permgate", "frob docs/permgate.md", "7z a x.7z sub",
	"pkill -f 'node.*server'", "pkill -f webpack", "killall -r 'vit.*'", "ps aux | grep permgate", "ps aux | grep vite | awk '{print $2}' | xargs kill", "grep -r permgate . ; kill $(pgrep -f vite)", "fuser -k 3000/tcp", "kill $(lsof -ti:3000)",
	"brew install permgate", "brew upgrade permgate", "brew uninstall node", "npm uninstall left-pad", "claude -p x", "claude --setting-sources user,project -p x", "grep -r disableAllHooks .",
}

// TestSelfProtection: what takes the gate away is asked about in bypass and under
// a bare rule, and so is a copy of it that changes its rules.
func TestSelfProtection(t *testing.T) {
	program := strings.Repeat("\x7fELF program ", 100)
	arrange := func(files *fakefs.FS) {
		files.Write("/usr/local/bin/permgate", program).Mode = 0o755
		for name, data := range map[string]string{
			"copy": program, "longer": program + "\n", "same-size": strings.ToUpper(program), "tool": "#!/bin/sh\n", "good/a": "", "evil/permgate": "x", "evil/x": "", "src/main.go": "", "a.txt": "", "sub/x": "",
		} {
			files.Write("/work/project/"+name, data)
		}
		files.Write("/home/dev/.cargo/copy2", program)
		files.Link("/work/project/sub/link", "/usr/local/bin/permgate")
		files.Link("/home/dev/link", "/home/dev/.local")
		for _, dir := range []string{"/home/dev/.local/bin", "/home/dev/.local/opt", "/home/dev/.local/share", "/home/dev/.local/state/permgate", "/work/project/.git", "/work/project/.claude"} {
			files.Mkdir(dir)
		}
		files.Mkdir("/tmp").Mode = fs.ModeDir | fs.ModeSticky | 0o777
		files.Own("/work/project", 1000)
		files.Own("/home/dev", 1000)
	}
	stopsAndPasses(t, Setup{Arrange: arrange, Environ: []string{"PATH=/usr/bin:/home/dev/.cargo"}, Settings: map[string]string{
		"/home/dev/.claude/settings.json":     `{"permissions": {"allow": ["Bash"]}}`,
		"/work/project/.claude/settings.json": `{"permissions": {"deny": ["Bash(zzz)"]}}`,
		"/work/project/.claude/permgate.json": `{}`,
		postureFile:                           `{"destructive": "practical"}`,
	}}, selfStops, selfPasses)
}
