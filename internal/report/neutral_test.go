package report

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules"
)

// alice is a place in which everything private has a name that is nowhere else.
func alice() *Neutral {
	return New(Place{
		Homes: []string{"/home/alicia", "/mnt/homes/alicia"}, Projects: []string{"/home/alicia/work/zephyrine"},
		Users: []string{"alicia"}, Hosts: []string{"quillon.corp.zephyrine.com"}, Hide: []string{"Marigold"},
	})
}

func TestText(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"git status", "git status"},
		{"cd /home/alicia/work/zephyrine && make test", "cd /home/user/work/project && make test"},
		{"cat /home/alicia/notes.txt ~alicia/x /home/aliciab/y", "cat /home/user/notes.txt ~user/x /home/dir1/y"},
		{"ls /mnt/homes/alicia/.ssh/id_rsa ~/.ssh/id_contoso.pub", "ls /home/user/.ssh/id_rsa ~/.ssh/id_file1.pub"},
		{"rm -rf ~/.cache/contoso-tool/tmp", "rm -rf ~/.cache/dir1/tmp"},
		{"cat src/contoso/billing.go src/contoso/billing_test.go ./contoso", "cat src/dir1/file1.go src/dir1/file2.go ./dir1"},
		{"cat .env .env.contoso .git/config package.json", "cat .env .env.dir1 .git/config package.json"},
		{`cat "/home/alicia/My Secret Plans/a b.txt" '../Big Deal/x'`, `cat "/home/user/dir1/file1.txt" '../dir2/x'`},
		{`cat /data/Big\ Deal/x`, `cat /data/dir1/x`},
		{"/usr/local/bin/terraform apply -var-file=contoso.tfvars", "/usr/local/bin/terraform apply -var-file=file1.tfvars"},
		{"sed -i 's/foo/bar/g' a.txt", "sed -i 's/dir1/dir2/g' a.txt"},
		{"go test ./... && go vet ./internal/contoso/...", "go test ./... && go vet ./internal/dir1/..."},
		{"curl -s https://api.contoso.com/v1/users/4711?name=bob&key=x#top | sh", "curl -s https://api.site1.example.com/v1/users/4711?name=value&key=REDACTED#top | sh"},
		{"git clone git@github.com:contoso/payments.git", "git clone git@github.com:dir1/file1.git"},
		{"git clone https://bob:pw@git.contoso.com/x", "git clone https://user:REDACTED@git.site1.example.com/x"},
		{"ssh deploy@prod7 uptime; ssh 10.1.2.3; ping 8.8.4.4; curl localhost:3000 http://127.0.0.1:80/ [::1]:5", "ssh user@host1 uptime; ssh 10.0.0.1; ping 203.0.113.1; curl localhost:3000 http://127.0.0.1:80/ [::1]:5"},
		{"npx react@next tsc@5.1.2", "npx react@next tsc@5.1.2"},
		{"git commit --author='Al <al.b@contoso.com>' -m 'for Marigold and MARIGOLD'", "git commit --author='Al <user@site1.example.com>' -m 'for private1 and private1'"},
		{"aws s3 ls arn:aws:iam::123456789012:role/x", "aws s3 ls arn:aws:iam::000000000000:dir1/x"},
		{"cat /proc/1/environ /etc/shadow /dev/null $HOME/x ${HOME}/y", "cat /proc/1/environ /etc/shadow /dev/null $HOME/x ${HOME}/y"},
		{"TOKEN=hunter2hunter2 make; echo hunter2hunter2", "TOKEN=REDACTED make; echo REDACTED"},
		{"curl -H 'Authorization: Bearer abcdefghijkl1234567890' https://quillon.corp.zephyrine.com/", "curl -H 'Authorization: Bearer REDACTED' https://host/"},
		{"Read(//home/alicia/work/zephyrine/secret/**)", "Read(//home/user/work/project/secret/**)"},
		{"WebFetch(domain:*.contoso.com)", "WebFetch(domain:*.site1.example.com)"},
		{"jq .items x.json && ls *.contoso", "jq .items x.json && ls *.contoso"},
		{"cat /home/alicia/.claude/projects/-home-alicia-work-zephyrine/x.jsonl", "cat /home/user/.claude/projects/dir1/x.jsonl"},
	} {
		n := alice()
		if got := n.Text(tt.text); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
		} else if again := n.Text(got); again != got {
			t.Errorf("%s\n becomes %s", got, again)
		}
	}
}

// FuzzText: no text brings a private name through, and what was replaced stays.
func FuzzText(f *testing.F) {
	for _, s := range []string{
		"cat /home/alicia/work/zephyrine/a", "ALICIA@quillon", "ssh zephyrine.com", "%2Fhome%2Falicia", "\"~alicia/a b\"", "x://u:p@alicia/?q=zephyrine#",
		"token: zephyrine", "[fe80::1]", "10.0.0.9:8080", "a\\ b/c", "Marigold", "/home/alicia", "\xffalicia", "TOKEN=alicia/x", "é/alicia",
	} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		n := alice()
		for _, s := range [...]string{a, b, a + " " + b} {
			got := n.Text(s)
			for _, name := range [...]string{"alicia", "zephyrine", "quillon", "marigold"} {
				if strings.Contains(lowerASCII(got), name) {
					t.Errorf("%q: %s is in %q", s, name, got)
				}
			}
			if again := n.Text(got); again != got {
				t.Errorf("%q becomes %q, and that %q", s, got, again)
			}
		}
		if other := alice(); other.Text(a) != alice().Text(a) {
			t.Errorf("%q: not always the same", a)
		}
	})
}

// TestShortUser: a user whose name is part of a word that is written here is private, too.
func TestShortUser(t *testing.T) {
	for _, name := range []string{"ted", "val", "iva"} {
		n := New(Place{Homes: []string{"/home/" + name}, Users: []string{name}})
		if got := n.Text("git log --author=" + name + " /mnt/" + name + "/x"); got != "git log --author=user /mnt/user/x" {
			t.Error(got)
		}
	}
}

func TestMac(t *testing.T) {
	n := New(Place{Homes: []string{"/Users/alicia"}, Projects: []string{"/opt/zephyrine"}, OS: rules.MacOS})
	if got := n.Text("cp /Users/alicia/a /opt/zephyrine/b"); got != "cp /Users/user/a /srv/project/b" {
		t.Error(got)
	}
}
