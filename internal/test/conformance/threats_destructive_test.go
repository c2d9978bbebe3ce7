package conformance

import (
	"testing"
)

// TestThreatDestructive is class 14: destructive commands in every spelling.
func TestThreatDestructive(t *testing.T) {
	destructive := []string{
		"rm -rf build", "rm -fr build", "rm -r -f build", "rm -f -r build", "rm -Rf build", "rm -fR build", "rm -rfv build", "rm -vrf build", "rm --recursive --force build", "rm --recurs --forc build", "rm -r --force build",
		"rm --r --f build", "rm build -rf", "rm build -r -f", "rm -rf -- build", "rm -rf ./build", "rm -rf build/", "rm -rf \"build\"", "rm -rf 'build'", "rm -rf bui''ld", "r''m -rf build", "\\rm -rf build", "/bin/rm -rf build", "/usr/bin/rm -fr build",
		"rm -rf $DIR", "rm -rf \"$DIR\"", "rm -rf build/*", "rm -rf {a,b}", "rm -I -rf build", "rm -rf --one-file-system build", "rm -rf --no-preserve-root build", "rm -d -rf build", "rm --interactive=never -rf build", "rm $'-rf' build", "rm -r\"f\" build",
		"git reset --hard", "git reset --hard HEAD~1", "git reset HEAD~1 --hard", "git reset --har", "git reset -q --hard", "git -C . reset --hard", "git -c a.b=c reset --hard", "git --no-pager reset --hard", "git reset --hard origin/main",
		"git clean -fdx", "git clean -xdff", "git clean -f -d", "git clean -df", "git clean --force -d", "git clean -d --forc", "git clean -fd -- src", "git clean src -fd", "git -C sub clean -fdX",
		"git push -f", "git push --force", "git push --forc", "git push -uf origin x", "git push -fu origin x", "git push origin x -f", "git push origin +main", "git push origin +x:main", "git push origin main --force", "git -c a.b=c push -f", "git push --force --tags",
		"git branch -D x", "git branch -d -f x", "git branch -df x", "git branch --delete --force x", "git branch -f -d x", "git branch x -D",
		"git stash drop", "git stash clear", "git stash drop stash@{1}", "git checkout .", "git checkout -- .", "git checkout -- a.go", "git checkout HEAD -- a.go", "git restore .", "git restore a.go", "git restore --worktree a.go", "git restore -W a", "git restore --staged --worktree a",
		"find . -delete", "find . -name x -delete", "find build -type f -exec rm -rf {} +", "find . -execdir rm -rf {} \\;",
		"chmod 777 f", "chmod 0777 f", "chmod -R 777 d", "chmod a+rwx f", "chmod ugo+rwx f", "chmod -R a+rwx d", "chmod +rwx f && chmod a=rwx f", "chmod --recursive 777 d", "chmod 777 -R d", "chmod 1777 d",
		"dd if=a of=/dev/sda", "dd of=/dev/sda if=a", "dd if=a of=/dev/nvme0n1", "dd if=a of=/dev/vda", "dd if=a of=/dev/xvda", "dd if=a of=/dev/mmcblk0", "dd if=a of=/dev/disk2", "dd if=a of=/dev/mapper/vg-x", "dd if=a of=/dev//sda", "dd if=a \"of=/dev/sdb1\"", "cat a > /dev/sda", "cp a /dev/sdb", "tee /dev/nvme0n1 < a", "echo x > /dev/vdb", "cat a >| /dev/sdc", "cat a >> /dev/dm-0",
		"mkfs.ext4 /dev/sda1", "mkfs -t ext4 /dev/sda1", "mkfs.xfs -f /dev/sdb", "wipefs -a /dev/sda", "shred /dev/sda", "shred -u a.txt", "mkswap /dev/sda2",
		":(){ :|:& };:", ":() { : | : & }; :", "bomb() { bomb | bomb & }; bomb", "f(){ f|f& };f", "function x { x | x & }; x", "forkbomb() { forkbomb|forkbomb& }\nforkbomb",
	}
	wrapped := []string{}
	for _, form := range []string{
		"sudo %", "env A=1 %", "A=1 %", "cd a && %", "true; %", "if true; then %; fi", "for i in a b; do %; done", "( % )", "{ %; }", "x() { %; }; x", "echo $(%)", "timeout 5 %", "nohup % &", "bash -c '%'", "xargs -I{} %", "! %", "% || true",
	} {
		for _, cmd := range []string{"rm -rf build", "git reset --hard", "git push --force", "git clean -fdx", "chmod 777 f", "dd if=a of=/dev/sda"} {
			wrapped = append(wrapped, fill(form, cmd))
		}
	}
	sentences := []sentence{
		{must: "decided-on-parsed-flags-not-on-text", allow: anything, step: "2", asked: destructive},
		{must: "after-unwrapping", allow: anything, step: "2", asked: wrapped},
		{
			must: "look-alikes-stay-allowed", allow: anything,
			passed: []string{
				"rm a.txt", "rm -f a.txt", "rm -- -rf", "rm ./-rf", "rm -v a b", "git reset", "git reset --soft HEAD~1", "git reset HEAD a", "git reset --mixed", "git clean -n", "git clean -nd", "git clean --dry-run -d",
				"git push", "git push -u origin x", "git push --force-with-lease", "git push --force-with-lease=main:abc origin main", "git push origin main:main", "git push --tags", "git push --follow-tags", "git branch -d x", "git branch -a", "git branch --delete x",
				"git stash", "git stash list", "git stash pop", "git checkout main", "git checkout -b x", "git restore --staged a", "git restore -S a",
				"find . -name '*.o'", "find . -name delete", "chmod 644 f", "chmod +x f", "chmod 755 f", "chmod u+rwx f", "chmod -R 755 d", "dd if=/dev/sda count=1", "cat /dev/null > a",
				"a | b &", "mkfs.ext4 --help", "shutdown() { echo a; }", "git commit -m 'rm -rf build'", "git commit -m 'git reset --hard'", "echo 'rm -rf build'", "grep -rn 'git push --force' .", "echo \":(){ :|:& };:\"",
				"git log --grep='reset --hard'", "printf 'chmod 777\\n'", "cat <<'E'\nrm -rf build\ngit push -f\nE", "git commit --amend -m 'push -f'", "rg 'dd if=.* of=/dev/sda' docs", "docker rm -f web", "npm test -- -rf", "make reset --hard -n",
				"git tag -f v1", "git fetch -f", "git add -f a", "git checkout --ours a", "git rm a", "go test -run 'rm -rf'", "test -f rm",
			},
		},
	}
	for _, mode := range []string{"default", "acceptEdits", "bypassPermissions", "auto"} {
		// what auto denies on top of that is in the lists that these replace
		lists := map[string]string{"/home/dev/.san/settings.json": `{"autoMode": {"hard_deny": [], "soft_deny": []}}`}
		sentences = append(sentences, sentence{must: "same-answer-in-mode-" + mode, allow: anything, mode: mode, files: lists, step: "2", asked: destructive},
			sentence{must: "held-in-mode-" + mode, allow: anything, mode: mode, held: destructive})
	}
	for _, mode := range []string{"dontAsk", "plan", "explore"} {
		sentences = append(sentences, sentence{must: "denied-in-mode-" + mode, allow: anything, mode: mode, step: "8", denied: destructive})
	}
	runSentences(t, sentences)
}

// fill puts a command into a form at its %.
func fill(form, cmd string) string {
	for i := range form {
		if form[i] == '%' {
			return form[:i] + cmd + form[i+1:]
		}
	}
	return form
}

// TestThreatContainerRemote is class 22: containers and remote shells.
func TestThreatContainerRemote(t *testing.T) {
	mounts := []string{
		"-v /:/host", "-v /:/host:ro", "-v/:/h", "--volume /:/h", "--volume=/:/h", "-v //:/h", "-v /./:/h", "-v /../:/h", "-itv /:/h", "--mount type=bind,source=/,target=/h", "--mount type=bind,src=/,dst=/h", "--mount=type=bind,src=/,dst=/h", "--mount src=/,dst=/h,type=bind", "--mount 'type=bind,\"source=/\",target=/h'",
		"-v /var/run/docker.sock:/var/run/docker.sock", "-v /run/docker.sock:/s", "--volume=/var/run/docker.sock:/s", "--mount type=bind,src=/var/run/docker.sock,dst=/s", "-v /run/podman/podman.sock:/s", "-v /run/containerd/containerd.sock:/s", "-v /var/run:/r", "-v /run:/r", "-v /etc:/e", "-v /root:/r", "-v /home:/h", "-v ~/.ssh:/s", "-v $HOME:/h", "-v /proc:/p", "-v /sys:/s", "-v /dev:/d", "-v /usr:/u", "-v \"$X\":/h", "-v $X", "-v /boot:/b", "-v /var/lib/docker:/d",
		"--privileged", "--privileged=true", "--pid=host", "--pid host", "--ipc=host", "--uts=host", "--userns=host", "--network=host --privileged", "--cap-add=ALL", "--cap-add ALL", "--cap-add SYS_ADMIN", "--cap-add=SYS_PTRACE", "--security-opt apparmor=unconfined", "--security-opt=seccomp=unconfined", "--device /dev/sda", "--device=/dev/mem", "--cgroupns=host", "--volumes-from x --privileged", "--device-cgroup-rule 'a *:* rwm'",
	}
	var runs []string
	for _, m := range mounts {
		runs = append(runs, "docker run "+m+" alpine sh", "docker run --rm -it "+m+" alpine ls", "docker container run "+m+" alpine", "docker create "+m+" alpine", "podman run "+m+" alpine id")
	}
	runSentences(t, []sentence{
		{must: "host-root-and-socket-mounts-privileged-and-pid-host-ask", allow: []string{"Bash({prog} *)"}, held: runs},
		{
			must: "the-same-for-compose-and-others", allow: []string{"Bash({prog} *)", "Bash(pwd)"},
			held: []string{
				"docker compose run -v /:/h web", "docker compose run --volume=/:/h web sh", "docker-compose run -v /:/h web", "nerdctl run --privileged x", "docker -H tcp://h run x", "docker --host=tcp://h ps", "docker --host tcp://h run x", "docker --config /tmp/x run y", "docker buildx build --allow security.insecure .", "docker exec --privileged c id", "docker run --env-file /etc/passwd --privileged x", "docker service create --mount type=bind,src=/,dst=/h x", "docker plugin install --grant-all-permissions x", "docker cp c:/x /etc/cron.d/x", "docker run --runtime=x y --privileged",
				"kubectl run x --image=y --overrides='{\"spec\":{\"hostPID\":true}}'", "kubectl run x --image=y --privileged", "kubectl debug node/x -it --image=y", "kubectl --kubeconfig=./x get pods", "kubectl --kubeconfig ./x get pods", "kubectl get pods --kubeconfig=x", "kubectl config set-credentials x --exec-command=id", "kubectl cp ns/p:/x /etc/y", "kubectl --as=admin get secrets --kubeconfig x",
				"ssh -o ProxyCommand=id h", "ssh -J h2 -o LocalCommand=id h", "ssh -F x h uptime",
			},
			passed: []string{
				"docker run --rm alpine echo a", "docker run -v ./src:/src alpine ls", "docker run -v /work/project:/p alpine ls", "docker run -v \"$PWD\":/p alpine make", "docker run -v $(pwd):/app node npm test", "docker run -v \"$(pwd)/src:/src\" x", "docker run -v data:/data alpine", "docker run -p 80:80 -e A=1 -d nginx", "docker ps -a", "docker images", "docker build -t x .", "docker compose up", "docker compose run web npm test", "docker logs -f c", "docker run --mount type=volume,src=data,dst=/d alpine", "docker run --network none alpine", "docker inspect c", "docker exec c ls", "docker exec -it c sh -c 'ls /'", "docker stop c", "docker run -it --rm --name x -w /app node:20 npm test", "docker pull alpine", "docker run --cap-drop ALL alpine",
				"kubectl get pods", "kubectl get pods -n x -o yaml", "kubectl logs p", "kubectl exec p -- ls", "kubectl describe pod p", "kubectl apply -f x.yaml", "kubectl port-forward p 80:80", "podman ps", "podman run --rm alpine ls", "ssh h uptime",
			},
		},
		{
			must: "remote-commands-are-searched-for-step-2", allow: anything, step: "2",
			asked: []string{
				"docker exec c rm -rf /data", "docker exec -it c rm -rf /data", "docker exec -u 0 -w /x c rm -rf y", "docker exec --user root --workdir=/x c rm -rf y", "docker exec -e A=1 --env B=2 c rm -rf y", "docker exec c sh -c 'rm -rf /data'", "docker exec -it c bash -lc 'rm -rf /data'", "docker exec -d c git reset --hard", "docker container exec c rm -rf x", "docker compose exec web rm -rf x", "docker compose exec -T web sh -c 'rm -rf x'", "docker compose -f a.yml exec web rm -rf x", "docker run --rm alpine rm -rf /x", "docker run --rm -v ./a:/a alpine sh -c 'rm -rf /a'", "docker run --entrypoint sh alpine -c 'rm -rf /a'", "docker run --rm -it --entrypoint rm alpine -rf /a", "docker run --entrypoint=/bin/rm alpine -rf /a", "docker compose run --rm web rm -rf x", "podman exec c rm -rf x", "nerdctl exec c rm -rf x",
				"kubectl exec p -- rm -rf /data", "kubectl exec -it p -- sh -c 'rm -rf /data'", "kubectl exec -n ns p -c app -- rm -rf x", "kubectl exec -it deploy/x -n y -- bash -c 'rm -rf x'", "kubectl exec p rm -rf x", "kubectl -n x exec p -- git clean -fdx", "kubectl --context c -n x exec p -- rm -rf y", "oc exec p -- rm -rf x", "kubectl run x --rm -it --image=y -- rm -rf z", "kubectl run x --image=y --command -- sh -c 'rm -rf z'",
				"ssh h rm -rf x", "ssh h 'rm -rf x'", "ssh h \"cd a && rm -rf x\"", "ssh -t -p 22 u@h -- rm -rf x", "ssh h sudo rm -rf x", "ssh h bash -c 'rm\\ -rf\\ x'", "ssh -J j h 'git push --force'", "ssh h <<'E'\nrm -rf x\nE", "ssh h 'bash -s' <<'E'\nrm -rf x\nE", "echo 'rm -rf x' | ssh h sh", "adb shell rm -rf /x", "vagrant ssh -c 'rm -rf x'", "gcloud compute ssh vm --command 'rm -rf x'", "gcloud compute ssh vm -- rm -rf x", "docker exec c sh <<'E'\nrm -rf x\nE", "kubectl exec -i p -- sh <<'E'\nrm -rf x\nE", "lxc exec c -- rm -rf x", "docker-compose exec web rm -rf x", "multipass exec vm -- rm -rf x", "fly ssh console -C 'rm -rf x'", "heroku run 'rm -rf x'", "limactl shell vm rm -rf x", "wsl rm -rf x",
			},
			passed: []string{"docker exec c ls /data", "kubectl exec p -- cat a", "ssh h ls", "docker exec c echo 'rm -rf x'", "ssh h \"echo 'rm -rf x'\"", "docker run alpine echo rm -rf x", "docker rm -f c", "docker compose down", "kubectl exec p -- grep 'rm -rf' a"},
		},
		{
			must: "remote-commands-are-seen-by-deny", allow: anything, deny: []string{"Bash(npm publish:*)"},
			denied: []string{"docker exec c npm publish", "docker exec c sh -c 'npm publish'", "docker run --rm node npm publish", "kubectl exec p -- npm publish", "ssh h npm publish", "ssh h 'cd a; npm publish'", "docker compose exec web npm publish", "podman run x npm publish", "docker run --entrypoint npm node publish"},
			passed: []string{"docker exec c npm test", "ssh h 'echo npm publish'"},
		},
		{
			must: "remote-launchers-need-their-own-rule-only", allow: []string{"Bash(docker exec:*)", "Bash(ssh h *)", "Bash(kubectl exec:*)"},
			passed: []string{"docker exec c frobnicate --x", "ssh h frobnicate", "kubectl exec p -- frobnicate"},
			held:   []string{"frobnicate", "docker run x frobnicate", "ssh other frobnicate"},
		},
	})
}
