package conformance

import (
	"strings"
	"testing"
)

// TestReadOnlyForms: what a program says of itself, and what shells and containers
// run, is proven where all of it is.
func TestReadOnlyForms(t *testing.T) {
	for command, want := range map[string]string{
		"rm --help": "", "cp --version": "", "java -version": "", "perl -v": "", "ssh -V": "", "terraform -version": "", "aws --version": "", "vim --version": "",
		"rm --help x": "rm", "./rm --help": "any program", "java -version -jar x": "java", "mvn -v": "mvn", "cargo --version": "cargo", "yarn --version": "yarn",
		"sh -c 'ls -la'": "", "bash -lc 'git status'": "", "bash -c \"grep -rn foo src | head\"": "", "bash -euo pipefail -c 'cat a'": "", "zsh -c 'wc -l a b'": "",
		"bash -c 'rm x'": "rm deletes", "bash -c 'ls > x'": "a redirect writes", "bash -c 'cat .git-credentials'": "keys or tokens", "bash --rcfile x -c ls": "runs a file",
		"bash -c \"$x\"": "", "bash": "", "bash x": "bash runs", "bash -c": "",
		"docker exec web ls /app": "", "docker exec -it web cat /etc/hosts": "", "podman exec web ps aux": "", "kubectl exec pod -- ls": "", "kubectl exec -it pod -c x -- cat /etc/hosts": "",
		"docker exec web rm x": "rm", "docker exec web sh -c 'ls > x'": "", "docker exec web cat /run/secrets/db": "keys or tokens", "docker exec web env": "environment",
		"docker exec web cat /proc/1/environ": "", "docker exec -e LD_PRELOAD=x web ls": "docker exec", "docker exec web cat $x": "unknown file", "docker exec -d web ls": "docker exec",
		"docker exec web cat .env": "keys or tokens", "kubectl exec pod -- sh -c ls": "", "docker exec web python -c 1": "python", "docker exec web find / -delete": "find",
		"docker exec --privileged web ls": "", "ssh host ls": "ssh", "docker run x ls": "docker run", "docker exec web curl https://a.example": "more than read",
		"docker exec -w /run/secrets web cat db": "keys or tokens", "docker exec web cat /run/./secrets/db": "keys or tokens", "docker exec web cat /var/run/secrets/x/token": "keys or tokens",
		"docker exec web cat ../run/secrets/db": "keys or tokens", "docker exec web grep -f/run/secrets/db x": "keys or tokens", "docker exec web dd if=/run/secrets/db": "keys or tokens",
		"docker exec web grep -r x /": "a folder in a container", "docker exec web ls -la /": "", "docker exec web grep -rn x /app": "", "docker exec web cat /x/../proc/1/environ": "keys or tokens",
		"docker exec web git log": "repository in the container", "docker exec web awk 'BEGIN{while((getline l<\"/run/secrets/db\")>0)print l}'": "keys or tokens", "docker exec web cat /etc/hosts": "",
		"yq '.a' x.yml": "", "yq -n 'load_str(\"/root/.ssh/id_rsa\")'": "loads", "xmllint --noent x": "xmllint", "xmllint --xinclude x": "xmllint", "xmllint --format x": "",
		"awk 'BEGIN{ARGV[1]=\"/root/.ssh/id_rsa\";ARGC=2}{print}'": "what it reads", "pdm --version": "pdm", "pnpm -h": "pnpm", "hatch --version": "", "pnpm --help": "pnpm",
		"fish -c \"ls 'a\\\\'; cat '; rm x; cat '\"": "sh would read", "curl -u a:b https://a.example": "curl",
		"plutil -p Info.plist": "", "plutil -lint Info.plist": "", "plutil -convert xml1 Info.plist": "-convert", "xcode-select -p": "", "xcode-select -s /x": "xcode-select", "ioreg -l": "",
		"sw_vers": "", "mdls a": "", "defaults read com.apple.dock": "", "defaults write a b c": "defaults write",
		"curl -s https://example.com/a": "sends data", "curl -sSL https://example.com | head": "sends data", "curl -I http://localhost:3000": "",
	} {
		d, step, reason := readOnlyCase(t, command, nil)
		proven := d == "allow" && step == "7" && strings.HasPrefix(reason, "read-only: ")
		switch asks := command == `bash -c "$x"` || command == "bash" || strings.Contains(command, "sh -c 'ls >") || strings.Contains(command, "environ") ||
			strings.Contains(command, "-- sh -c") || strings.Contains(command, "--privileged"); {
		case want == "" && !asks && !proven, (want != "" || asks) && proven, !strings.Contains(reason, want):
			t.Errorf("%s: %s at step %s: %s, want %q", command, d, step, reason, want)
		}
	}
}

// TestReadOnlyFetches: a request is no proven reading, whatever rules say of its address, but for a plain one to this machine.
func TestReadOnlyFetches(t *testing.T) {
	const alone, beside = `{"readOnlyCommands": "allow"}`, `{"readOnlyCommands": "allow", "onUnmatched": "defer"}`
	for _, row := range []struct{ posture, settings, command, want string }{
		{alone, `{}`, "curl -s https://a.example/x", "ask"},
		{alone, `{"permissions":{"allow":["WebFetch"]}}`, "curl -s https://a.example/x", "ask"},
		{alone, `{"permissions":{"deny":["WebFetch(domain:a.example)"]}}`, "curl -s https://a.example/x", "deny"},
		{beside, `{"permissions":{"allow":["WebFetch(domain:a.example)"]}}`, "curl -s https://a.example/x", "ask"},
		{alone, `{}`, "curl -s localhost:3000/health", "allow"}, {beside, `{}`, "curl -s 'http://127.0.0.1:8080/a?b=c'", "allow"},
		{alone, `{"permissions":{"ask":["WebFetch"]}}`, "curl -s http://localhost/x", "ask"},
		{alone, `{}`, "curl -sL localhost:3000", "ask"}, {alone, `{}`, "curl -s localhost:3000 https://a.example", "ask"}, {alone, `{}`, "curl -s -d a=b localhost:3000", "ask"},
		{alone, `{}`, "curl -s http://localhost.a.example/x", "ask"}, {alone, `{}`, "curl -s -X POST localhost:3000", "ask"}, {alone, `{}`, `curl -s "localhost:$p/x"`, "ask"},
		{alone, `{}`, "wget -qO- http://localhost:3000", "ask"}, {alone, `{}`, "curl -s http://127.1/", "ask"}, {alone, `{}`, "curl -s -x http://a.example localhost:3000", "ask"},
	} {
		d, _, reason := readOnlyCase(t, row.command, func(s *Setup) {
			s.Settings[gateFile], s.Settings["/home/dev/.gen/settings.json"] = row.posture, row.settings
		})
		if d != row.want {
			t.Errorf("%s under %s %s: %s, want %s: %s", row.command, row.posture, row.settings, d, row.want, reason)
		}
	}
}
