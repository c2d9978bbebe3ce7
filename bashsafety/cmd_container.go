package bashsafety

import "strings"

// containerCommands are the programs that run containers and manage clusters.
var containerCommands = []Command{
	{
		Names: []string{"docker", "podman", "nerdctl"}, Title: "runs containers",
		Flags:    "-Dv debug tls tlsverify remote version help",
		Values:   "-cl context log-level log-driver url connection",
		Opts:     []Opt{{"-H host config tlscacert tlscert tlskey identity", HasArg, Unsafe}},
		Style:    StopAtOperand | Apart,
		Subs:     dockerSubs,
		Examples: []Example{{"docker -H tcp://x ps", "narrow"}, {"docker frob", ""}},
	},
	{
		Names: []string{"kubectl", "oc", "k"}, Title: "manages clusters",
		Flags:    "-A all-namespaces insecure-skip-tls-verify match-server-version warnings-as-errors help",
		Values:   "-nsv namespace context cluster user server token as as-group request-timeout cache-dir tls-server-name",
		Opts:     []Opt{{"kubeconfig certificate-authority client-certificate client-key", HasArg, Unsafe}},
		Subs:     kubectlSubs,
		Examples: []Example{{"kubectl --kubeconfig x get pods", "narrow"}},
	},
	{
		Names:    []string{"helm"},
		Title:    "manages charts",
		Flags:    "debug",
		Values:   "-n namespace kube-context",
		Opts:     []Opt{{"post-renderer kubeconfig plugins-dir", HasArg, Executes}},
		Examples: []Example{{"helm list -n x", ""}, {"helm template . --post-renderer ./x", "narrow helm --post-renderer>>'./x'"}},
	},
}

var dockerSubs = []Command{
	{
		Names: []string{"run", "create"},
		Flags: "-ditPq detach interactive tty rm init publish-all read-only no-healthcheck sig-proxy disable-content-trust oom-kill-disable quiet replace",
		Values: "-aceuwhlmpns attach entrypoint cpus cpu-shares env user workdir hostname label memory publish name network net add-host " +
			"dns expose platform restart pull ip log-driver log-opt shm-size stop-signal stop-timeout tmpfs ulimit gpus group-add health-cmd " +
			"link mac-address memory-swap network-alias pids-limit storage-opt sysctl userns cidfile isolation runtime annotation " +
			"cgroup-parent cpuset-cpus domainname health-interval health-retries health-timeout blkio-weight",
		Opts: []Opt{
			{"-v volume mount", HasArg, 0}, {"privileged", NoArg, Unsafe}, {"pid ipc uts cgroupns", HasArg, 0}, {"env-file label-file", HasArg, ReadsValue},
			{"cap-add device security-opt volumes-from device-cgroup-rule", HasArg, Unsafe},
		},
		Style: StopAtOperand,
		more:  dockerRunMore,
		Examples: []Example{
			{"docker run --rm -v /:/host alpine chroot /host sh -c id", "narrow docker run>>chroot /host sh -c id"},
			{"docker run --rm -e NODE_ENV=test node:20 npm test", "docker run>>npm test"},
			{"docker run --privileged alpine", "narrow"},
			{"docker run -v /var/run/docker.sock:/x alpine", "narrow"},
			{"docker run --mount type=bind,source=/,target=/h a", "narrow"},
			{"docker run --pid=host a", "narrow"},
			{"docker run -v /w/src:/src -w /src golang go test", "docker run>>go test"},
			{"docker run --pid host a", "narrow"},
		}},
	{
		Names:    []string{"exec"},
		Flags:    "-dit detach interactive tty latest",
		Values:   "-ewu detach-keys env workdir user",
		Opts:     []Opt{{"privileged", NoArg, Unsafe}, {"env-file", HasArg, ReadsValue}},
		Style:    StopAtOperand,
		more:     remoteRest,
		Examples: []Example{{"docker exec -it c rm -rf /data", "docker exec>>rm -rf /data"}}},
	{
		Names:    []string{"ps", "images", "logs", "inspect", "version", "info", "top", "port", "stats", "history", "search", "events", "diff"},
		ReadOnly: true,
		Flags:    "-aqfslt all quiet follow no-trunc size latest digests timestamps details no-stream human",
		Values:   "-n filter format tail since until last type",
		Examples: []Example{{"docker ps -a", "ro"}, {"docker logs -f --tail 5 x", "ro"}}},
	{Names: []string{"cp"}, Flags: "-aLq", more: dockerCopyMore, Examples: []Example{{"docker cp c:/x .env", "write:.env/**"}, {"docker cp .env c:/x", "read:.env/**"}}},
	{
		Names: []string{
			"build", "buildx", "commit", "export", "import", "kill", "load", "login", "logout", "pause", "pull", "push", "rename", "restart",
			"rm", "rmi", "save", "start", "stop", "tag", "unpause", "update", "wait", "attach", "plugin", "swarm", "node", "service", "stack",
			"config", "secret", "trust", "manifest", "builder", "machine", "pod", "generate", "play",
		},
		Opts:     []Opt{{"security-opt", HasArg, Unsafe}, {"-o output iidfile", HasArg, OutputsValue}},
		Examples: []Example{{"docker build -t x .", ""}},
	},
	{Names: []string{"compose"}, Values: "-fp file project-name project-directory profile", Opts: []Opt{{"env-file", HasArg, ReadsValue}}, Subs: []Command{
		{
			Names:    []string{"run", "exec"},
			Flags:    "-dTi detach rm no-deps service-ports build no-TTY quiet-pull interactive",
			Values:   "-euwlp env user workdir name entrypoint label publish index",
			Opts:     []Opt{{"-v volume", HasArg, 0}, {"privileged cap-add", NoArg, Unsafe}},
			Style:    StopAtOperand,
			more:     dockerRunMore,
			Examples: []Example{{"docker compose exec web rm -rf /x", "docker compose exec>>rm -rf /x"}},
		},
		{
			Names:    []string{"ps", "logs", "config", "images", "ls", "top", "version", "port"},
			ReadOnly: true,
			Flags:    "-aqft all quiet follow timestamps services",
			Values:   "-n tail format",
			Examples: []Example{{"docker compose ps", "ro"}},
		},
		{Names: []string{"cp"}, Flags: "-aL all archive follow-link", Values: "index", more: dockerCopyMore, Examples: []Example{{"docker compose cp .env w:/x", "read:.env/**"}}},
		{
			Names:    []string{"up", "down", "build", "start", "stop", "restart", "rm", "pull", "push", "kill", "create", "pause", "unpause", "watch"},
			Examples: []Example{{"docker compose rm -f web", ""}},
		},
	}},
	{Names: []string{"container", "image", "volume", "network", "system", "context"}, Subs: []Command{
		{
			Names:    []string{"ls", "list", "inspect", "df", "logs", "ps", "show"},
			ReadOnly: true,
			Flags:    "-aq all quiet no-trunc size",
			Values:   "-f filter format",
			Examples: []Example{{"docker volume ls", "ro"}},
		},
		{
			Names:    []string{"prune", "rm", "remove", "create", "connect", "disconnect", "use", "update", "stop", "start", "kill"},
			Examples: []Example{{"docker system prune -f", ""}},
		},
		{
			Names:    []string{"run"},
			Style:    StopAtOperand,
			Values:   "-eup env name",
			Opts:     []Opt{{"-v volume mount", HasArg, 0}, {"privileged", NoArg, Unsafe}, {"pid ipc uts", HasArg, 0}},
			more:     dockerRunMore,
			Examples: []Example{{"docker container run --privileged a", "narrow"}},
		},
		{
			Names:    []string{"exec"},
			Style:    StopAtOperand,
			Flags:    "-dit",
			Values:   "-ewu",
			more:     remoteRest,
			Examples: []Example{{"docker container exec c id", "docker container exec>>id"}},
		},
	}},
}

var kubectlSubs = []Command{
	{Names: []string{"exec"}, Flags: "-itq stdin tty quiet", Values: "-cf container filename pod-running-timeout", more: kubectlExecMore,
		Examples: []Example{
			{"kubectl exec deploy/api -- rm -rf /data", "kubectl exec>>rm -rf /data"},
			{"kubectl -n x exec -it p -c c -- sh -c 'rm -rf /'", "kubectl exec>>sh -c rm -rf /"}},
	},
	{
		Names:    []string{"run"},
		Flags:    "-it rm stdin tty command attach",
		Values:   "image restart env labels overrides port",
		more:     kubectlExecMore,
		Examples: []Example{{"kubectl run x --image=y -- rm -rf /", "kubectl run>>rm -rf /"}},
	},
	{
		Names:    []string{"get", "describe", "logs", "explain", "api-resources", "api-versions", "version", "top", "cluster-info", "events"},
		ReadOnly: true,
		Flags:    "-wpR watch show-labels no-headers previous follow timestamps recursive all-containers client short watch-only containers ignore-not-found",
		Values: "-olcf output selector field-selector container since since-time tail sort-by filename label-columns limit-bytes max-log-requests " +
			"template chunk-size raw",
		OptValues: "",
		Examples:  []Example{{"kubectl get pods -o wide", "ro"}, {"kubectl logs -f p", "ro"}},
	},
	{
		Names: []string{"cp"}, Values: "-c container retries", Flags: "no-preserve", more: dockerCopyMore,
		Examples: []Example{{"kubectl cp .env p:/x", "read:.env/**"}, {"kubectl cp -c w p:/x y", "write:y/**"}},
	},
	{
		Names: []string{
			"apply", "create", "delete", "edit", "patch", "replace", "scale", "rollout", "set", "label", "annotate", "drain", "cordon",
			"uncordon", "taint", "port-forward", "proxy", "attach", "debug", "expose", "autoscale", "auth", "certificate", "config", "diff", "wait",
			"kustomize", "plugin",
		},
		Flags:    "-R force recursive prune wait dry-run server-side all",
		Values:   "-klo kustomize selector output",
		Opts:     []Opt{{"-f filename from-file from-env-file", HasArg, ReadsValue}},
		Examples: []Example{{"kubectl apply -f x.yaml", "read:x.yaml"}, {"kubectl create secret generic x --from-file=.env", "read:.env"}},
	},
}

// remoteRest runs what follows the first operand elsewhere.
func remoteRest(c *call) {
	if argv := c.rest(1); len(argv) > 0 {
		c.remote(inner{kind: innerArgv, via: programName(c.argv) + " " + strings.Join(c.subs, " "), argv: argv})
	}
}

// dockerRunMore looks at what is mounted and shared, and runs the rest inside.
func dockerRunMore(c *call) {
	for i := range c.opts {
		u := &c.opts[i]
		switch u.name {
		case "v", "volume", "mount":
			if src := mountSource(u); hostPath(src, c.home) {
				c.narrow("it mounts " + src + " of the host")
			}
		case "pid", "ipc", "uts", "cgroupns", "userns":
			if strings.HasPrefix(u.value.Text, "host") || !u.value.Known {
				c.narrow("--" + u.name + " shares a namespace of the host")
			}
		}
	}
	remoteRest(c)
}

// dockerCopyMore is docker cp: the side with a colon is in the container.
func dockerCopyMore(c *call) {
	c.recursive = true
	for n, i := range c.operands {
		switch w := &c.argv[i]; {
		case elsewhere(w) || w.Text == "-":
		case n == 0:
			c.read(w)
		default:
			c.write(w)
		}
	}
}

// mountSource is the host's side of -v SRC:DST or --mount source=SRC.
func mountSource(u *used) string {
	if u.name == "mount" {
		for f := range strings.SplitSeq(u.value.Text, ",") {
			key, v, _ := strings.Cut(f, "=")
			if key == "source" || key == "src" {
				return v
			}
		}
		return ""
	}
	src, _, _ := strings.Cut(u.value.Text, ":")
	return src
}

// hostPath reports whether a mount hands over the host: its root, its system
// directories, a whole home, or the socket of a daemon.
func hostPath(p, home string) bool {
	if !strings.HasPrefix(p, "/") {
		return false
	}
	p = cleanPath(p)
	if strings.HasSuffix(p, ".sock") || p == home || p == home+"/.ssh" {
		return true
	}
	switch first, _, _ := strings.Cut(p[1:], "/"); first {
	case "", "etc", "root", "proc", "sys", "dev", "boot", "usr", "lib", "bin", "sbin", "run":
		return true
	case "var":
		return p == "/var" || strings.HasPrefix(p, "/var/run") || strings.HasPrefix(p, "/var/lib")
	case "home", "Users":
		return strings.Count(p, "/") == 1
	}
	return false
}

// kubectlExecMore runs what stands behind --, else what follows the pod.
func kubectlExecMore(c *call) {
	via := programName(c.argv) + " " + strings.Join(c.subs, " ")
	if c.dashdash > 0 && c.dashdash+1 < len(c.argv) {
		c.remote(inner{kind: innerArgv, via: via, argv: c.argv[c.dashdash+1:]})
		return
	}
	remoteRest(c)
}
