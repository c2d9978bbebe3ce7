package decide

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// denyOf is a deny rule of the user.
func denyOf(t *testing.T, pattern string) rules.Rule {
	t.Helper()
	r, err := rules.ParseRule("Bash("+pattern+")", rules.Deny, rules.User, rules.Pos{}, false)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestByMeaning: a deny rule that names options binds a call that has them in another spelling or place, and no call
// that only looks like it.
func TestByMeaning(t *testing.T) {
	for _, c := range [...]struct{ pattern, calls, not string }{
		{"rm -rf:*", "rm -fr x; rm -r -f x; rm -f -r x; rm -Rf x; rm --recursive --force x; rm -f x -r; rm x -rf; rm -rvf x; rm -vr --force x; rm --recurs -f x; rm --recurs --for x; " +
			"rm -r x -f -- y; /bin/rm -r -f x; sudo rm -r -f x; echo x | xargs rm -r -f; find . -exec rm -f -r {} +; timeout 5 rm -f -r x; env A=1 rm -fr x; " +
			"bash -c 'rm x -r -f'; (cd a && rm -r --force b); rm '-r' \"-f\" x; rm --dir -fr x; FOO=1 rm -f -r x; rm -f \"a$X\" -r",
			"rm -r x; rm -f x; rm x; rm -r -- -f; rm -- -rf; rm -i -r x; echo rm -fr x; echo 'rm -r -f x'; git rm -r -f x; git commit -m 'rm -r -f x'; grep -e -rf rm; rmdir -p x; grm -fr x; " +
				"unlink x; cp -r -f a b; rm -r ./-f; rm -r 'x -f'; bash -c 'echo rm -r -f'; cat <<'E'\nrm -r -f x\nE"},
		{"rm -rf *", "rm -r -f x; rm x --recursive -f", "rm -r x"},
		{"rm -rf*", "rm -r -f x; rm x --recursive -f; rm -rfv x", "rm -r x"},
		{"rm -rf", "rm -r -f; rm -fr x", "rm -r x"},
		{"rm  --recursive   --force:*", "rm -rf x", "rm --force x"},
		{"'rm' -rf:*", "rm -rf x", "rm -r x"},
		{"rm -rf build:*", "rm -fr build; rm -r -f build x; rm build -rf; rm -f x build -r", "rm -r -f dist; rm -rf dist; rm -r build; rm -fr build2; rm -fr"},
		{"rm -rf /tmp/*", "rm -fr /tmp/a; rm -f -r /tmp/a/b", "rm -fr /var/a; rm -fr a/tmp/b; rm -fr /tmp"},
		{"rm -rf ~/x:*", "rm -fr ~/x; rm -r -f /h/x", "rm -fr ~/y"},
		{"git commit --no-verify:*", "git commit -n -m x; git commit -m x --no-verify; git commit -nm x; git commit -anm x; git commit --no-verif; git commit -m x -n; git -C x commit -n; " +
			"git -c a.b=c commit -m x -n; git commit -m \"$M\" -n; sudo -u u git commit -n; git commit --amend --no-edit -n; cd x && git commit -n",
			"git commit -m -n; git commit -m x -- -n; git commit -m --no-verify; git commit -F -n; git push -n; git push --no-verify; git commit -mn; git commit -m no-verify; git commit --verify; " +
				"git log -n 3; git commit -C -n; echo git commit -n; git commit --dry-run; git commit -m 'x -n'; hg commit -n; git commit --author -n"},
		{"git commit -n:*", "git commit --no-verify; git commit -m x -n", "git commit -m -n; git commit -m x"},
		{"git push --force:*", "git push -f; git push origin main -f; git push origin --force main; git push -uf origin; git push -qf; git -C /w push origin -f; git push --forc",
			"git push --force-with-lease; git push --force-if-includes; git push --force-with-lease=main; git push --no-force; git push origin force; git push -n; git push --repo -f; git push -o -f; git push -- -f; git pull -f; git fetch --force; git push --force-with origin"},
		{"git push --force origin:*", "git push -f origin main; git push origin -f", "git push --force-with-lease origin; git push -f other"},
		{"git push --force-with-lease:*", "git push origin --force-with-lease; git push origin --force-with-lease=main:abc", "git push --force; git push -f"},
		{"git push -f origin main", "git push origin main --force; git push origin -f main", "git push -f origin dev; git push -f main origin; git push -f; git push origin main"},
		{"git reset --hard:*", "git reset HEAD~1 --hard; git reset -q --hard; git -C x reset --hard", "git reset --soft; git reset HEAD~1; git reset -- --hard; git restore --hard"},
		{"git -c commit.gpgsign=false commit:*", "git -c a.b=c -c commit.gpgsign=false commit -m x", "git commit -c commit.gpgsign=false; git -c commit.gpgsign=true commit; git -c commit.gpgsign=false push"},
		{"git commit -c:*", "git commit -m x -c HEAD", "git -c a.b=c commit -m x"},
		{"/opt/x/rm -rf:*", "/opt/x/rm -r -f y", "rm -r -f y; /opt/rm -fr y; /bin/rm -fr y"},
		{"rm -rf build dist*", "rm -fr build distx; rm build -rf dist", "rm -fr buildx distx; rm -fr dist build; rm -fr build"},
		{"curl -X DEL -o f*", "curl -o foo u -X DEL", "curl -X DELETE -o foo u; curl -X DEL -o o u"},
		{"sed -i.bak:*", "sed -n p --in-place=.bak f", "sed -n -i p f; sed -n -i.old p f"},
		{"git:*", "git push", "rm x"},
		{"curl -X DELETE:*", "curl -XDELETE u; curl --request DELETE u; curl u -X DELETE; curl -sX DELETE u; curl --request=DELETE u", "curl -X POST u; curl -d DELETE u; curl -X GET -d '-X DELETE' u; curl u"},
		{"curl -XDEL*", "curl --request DELETE u; curl u -X DELX", "curl -X GET u"},
		{"chmod -R:*", "chmod 755 --recursive x; chmod -v -R 755 x", "chmod 755 x; chmod -v 755 R; chown -R u x"},
		{"sed -i:*", "sed -n -i p f; sed -i.bak s/a/b/ f; sed -e s/a/b/ f --in-place; sed -ne p -i f", "sed -n p f; sed -e -i f; sed s/a/-i/ f"},
		{"docker run --privileged:*", "docker run -it --privileged x; docker run --rm --privileged x sh; sudo docker run -d --privileged x", "docker run x --privileged; docker run -it x sh --privileged; docker exec --privileged x y; docker run --privileged=false x; docker run --name --privileged x"},
		{"docker run --privileged ubuntu:*", "docker run -it --privileged ubuntu sh", "docker run --privileged alpine echo ubuntu; docker run ubuntu --privileged"},
		{"kubectl delete --force:*", "kubectl delete pod x --force; kubectl -n a delete pod x --force; kubectl delete --force=true pod x", "kubectl delete pod x; kubectl delete pod x --force=false; kubectl get --force"},
		{"npm install --global:*", "npm install -g x; npm install x -g; npm install x --global", "npm install x; npm install -D x; npm uninstall -g x"},
		{"git push * --force", "git push x --force", "git push x -f"},
		{"git * --force", "git push --force", "git push -f"},
		{"nosuchprogram -rf:*", "nosuchprogram -rf x", "nosuchprogram -fr x; nosuchprogram -r -f x"},
		{"git nosuchverb --force:*", "git nosuchverb --force x", "git nosuchverb x --force"},
		{"rm --nosuchoption -f:*", "rm --nosuchoption -f x", "rm -f --nosuchoption x; rm -f x"},
		{"git push --forc:*", "git push --forc", "git push -f"},
	} {
		rule := denyOf(t, c.pattern)
		for call := range strings.SplitSeq(c.calls, "; ") {
			if _, v := decided(call, rule); v.Decision() != hookio.Deny {
				t.Errorf("%s: %s is not denied, but %v: %s", rule.Text, call, v.Decision(), v.Reason())
			}
		}
		for call := range strings.SplitSeq(c.not, "; ") {
			if _, v := decided(call, rule); len(v.Facts().Hits()) > 0 {
				t.Errorf("%s: %s matches: %s", rule.Text, call, v.Reason())
			}
		}
	}
}

// TestMayMean: a value, an operand or a place that is not known makes it a question; that an option may be among
// unknown words does not.
func TestMayMean(t *testing.T) {
	for _, c := range [...]struct{ pattern, call, want string }{
		{"curl -X DELETE:*", "curl --request $M u", "may"},
		{"curl -X DELETE:*", "curl --request \"DEL$M\" u", "may"},
		{"curl -X DELETE:*", "curl --request \"P$M\" u", "no"},
		{"rm -rf build:*", "rm -r -f $D", "may"},
		{"rm -rf build:*", "rm -r -f \"b$D\"", "may"},
		{"rm -rf build:*", "rm -r -f \"c$D\"", "no"},
		{"git commit -n:*", "git commit -m \"$M\" -n", "yes"},
		{"git commit -n:*", "git commit -m $M -n", "may"},
		{"git commit -n:*", "git commit \"$M\" -n", "may"},
		{"git commit -n:*", "git commit -m x $M", "no"},
		{"git commit -n:*", "git commit --nosuch -n", "may"},
		{"git push --force:*", "git push origin --force\"$M\"", "may"},
		{"rm -rf:*", "rm x $M", "no"},
		{"rm -rf:*", "rm -r x $M", "no"},
		{"kubectl delete --force:*", "kubectl delete x --force=$M", "may"},
	} {
		r := denyOf(t, c.pattern)
		_, v := decided(c.call, r)
		got := "no"
		for _, h := range v.Facts().Hits() {
			if got = "may"; h.Sure {
				got = "yes"
			}
		}
		if got != c.want {
			t.Errorf("%s: %s: %s, want %s", r.Text, c.call, got, c.want)
		}
	}
	allow := denyOf(t, "rm -rf:*")
	allow.List = rules.Allow
	c, _ := decided("rm -fr x")
	c.Policy.Allow = []rules.Rule{allow}
	if v := Decide(c); len(v.Facts().Hits()) > 0 {
		t.Error("an allow rule matches by meaning")
	}
}
