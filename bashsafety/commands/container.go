package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// containerCommands are the programs that run containers and manage clusters.
var containerCommands = []Command{
	{
		Names: "docker podman nerdctl", Title: "runs containers",
		Flags:  "-Dv debug tls tlsverify remote version help",
		Values: "-cln context log-level log-driver connection namespace",
		Opts: []Opt{
			{"-H host url config tlscacert tlscert tlskey identity", HasArg, Unsafe},
			{"root runroot runtime runtime-flag hooks-dir conmon module storage-opt storage-driver cgroup-manager network-cmd-path tmpdir volumepath", HasArg, Unsafe},
		},
		Style: StopAtOperand | ProgramOptionsFirst | ShortEquals, ReadOnly: true,
		Subs: dockerSubs, Also: dockerVerbs,
		Special: &Special{Losses: []Loss{{
			Of: OfContainer, Dry: "dry-run",
			Values: "-fp project-name project-directory profile file env-file ansi progress filter timeout",
			Flags:  "-ats volumes remove-orphans compatibility keep-storage",
			Verbs: []string{
				"system|volume|volumes|network|networks|container|containers|pod|secret|artifact prune", "image|images prune -a|--all|--external|--build-cache", "prune", "builder|buildx prune -a|--all", "system reset|nuke", "volume rm|remove", "stack rm|remove|down", "service rm|remove", "secret rm|remove", "config rm|remove",
				"machine rm|reset", "compose down -v|--volumes", "compose down --rmi=all", "compose rm -v|--volumes", "compose rm -f=v|sv|vs",
				"rm -a|--all", "rmi -a|--all|-f|--force", "image rm|remove -f|--force|-a|--all", "container|pod rm -a|--all", "pod rm -a|--all", "pod rm -f=a", "kill|stop -a|--all",
				"kube down --force", "trust revoke", "service scale ** *=0", "service update --replicas=0",
			},
		}, {Of: OfSwarm, Verbs: []string{"node rm|remove", "swarm leave"}}}},
	},
	{
		Names: "docker-compose podman-compose", Title: "runs groups of containers",
		Flags: "compatibility dry-run verbose all-resources version help", Values: "-p project-name project-directory profile ansi parallel progress",
		Opts:  []Opt{{"-f file env-file", HasArg, Reads}, {"-H host", HasArg, Unsafe}},
		Style: ProgramOptionsFirst | ShortEquals, ReadOnly: true, Subs: composeSubs,
		Special: &Special{Losses: []Loss{{
			Of: OfContainer, Dry: "dry-run", Values: "-t timeout",
			Flags: "-v volumes remove-orphans",
			Verbs: []string{"down -v|--volumes", "down --rmi=all", "rm -v|--volumes", "rm -f=v|sv|vs"},
		}}},
	},
	{
		Names: "kubectl oc k", Title: "manages clusters",
		Flags:  "disable-compression match-server-version warnings-as-errors help",
		Values: "-nv namespace context cluster user token as as-group as-uid request-timeout tls-server-name log-flush-frequency password username vmodule",
		Opts: []Opt{
			{"-s server kubeconfig certificate-authority client-certificate client-key cache-dir", HasArg, Unsafe},
			{"insecure-skip-tls-verify", NoArg, Unsafe}, {"profile-output", HasArg, WritesValue}, {"profile", HasArg, Changes},
		},
		Style: ShortEquals, ReadOnly: true, Subs: kubectlSubs,
		Special: &Special{Credentials: []Credential{{"kubectl|oc|k get *secret* -o|--output|-oyaml|-ojson|-ojsonpath|-ogo-template", "*"}, {"kubectl|oc|k config view --raw", ""}, {"kubectl|oc|k create token", ""}, {"oc whoami -t|--show-token", ""}}, Losses: []Loss{{
			Of: OfCluster, Values: "-flkLo filename kustomize selector field-selector grace-period timeout cascade output current-replicas resource-version raw replicas",
			Flags: "-R include-uninitialized prune overwrite", Dry: "dry-run",
			Verbs: []string{
				"delete --raw", "drain", "adm drain", "adm prune --confirm", "scale|autoscale --replicas=0", "replace --force|--raw", "patch ~finalizers", "apply --prune",
				"taint ** *:NoExecute", "adm taint ** *:NoExecute",
			},
			fits: kubectlDeletes,
		}}},
	},
	{
		Names:  "helm",
		Title:  "manages Helm charts",
		Flags:  "debug help version",
		Values: "-n namespace kube-context kube-as-group kube-as-user kube-token burst-limit qps",
		Opts: []Opt{
			{"post-renderer", HasArg, Executes}, {"post-renderer-args", HasArg, Unsafe},
			{"kubeconfig plugins-dir registry-config repository-cache repository-config kube-apiserver kube-ca-file kube-tls-server-name content-cache", HasArg, Unsafe},
			{"kube-insecure-skip-tls-verify", NoArg, Unsafe},
		},
		Style: ShortEquals, ReadOnly: true, Subs: helmSubs,
		Special: &Special{Losses: []Loss{{
			Of: OfCluster, Values: "-fo timeout values set set-string version description cascade",
			Flags: "keep-history", Dry: "dry-run",
			Verbs: []string{"uninstall|delete|del|un", "upgrade --force|--force-replace"},
		}}},
	},
}

var dockerSubs = []Command{
	{
		Names: "compose", Flags: "compatibility dry-run verbose all-resources", Values: "-p project-name project-directory profile ansi parallel progress",
		Opts: []Opt{{"-f file env-file", HasArg, Reads}}, ReadOnly: true, Subs: composeSubs,
	},
	{Names: "container pod", Also: dockerVerbs},
	{Names: "image volume network system context node service stack plugin", Also: dockerGroup},
	{Names: "secret config", Also: dockerGroup, Subs: []Command{{Names: "create", Flags: "replace", Values: "-ldo label driver template-driver driver-opts", Forms: []Form{{"* FILE", Reads, ""}}}}},
	{ // what is asked about is fetched from the registry that its name names
		Names: "manifest trust", Also: dockerGroup,
		Subs: []Command{{Names: dockerAsks, ReadOnly: true, Operands: Sends, Flags: dockerAskFlags, Values: dockerAskValues}},
	},
	{
		Names: "buildx builder", Also: dockerGroup,
		Subs: []Command{{Names: "history", Subs: []Command{{Names: "ls inspect logs", ReadOnly: true, Flags: dockerAskFlags, Values: dockerAskValues}}}},
	},
	{Names: "unshare", Flags: "rootless-netns", Style: StopAtOperand, Forms: []Form{{"COMMAND...", Runs, ""}}},
}

// What the verbs of groups have in common that only ask.
const (
	dockerAsks     = "ls list inspect df du info history ps show logs events services version tree exists"
	dockerAskFlags = "-aqvftH all quiet no-trunc verbose digests tree follow timestamps details raw human insecure cluster no-resolve no-task-ids " +
		"pretty"
	dockerAskValues = "-n filter format tail since until platform builder type orchestrator"
)

// dockerGroup are the verbs of groups.
var dockerGroup = []Command{
	{Names: dockerAsks, ReadOnly: true, Flags: dockerAskFlags, Values: dockerAskValues},
	{Names: "save export import load", Opts: []Opt{{"-o output", HasArg, Writes}, {"-i input", HasArg, Reads}}},
	{
		Names: "create", Flags: "attachable internal ipv6", Values: "-d driver label name subnet gateway ip-range docker description",
		Opts: []Opt{{"-o opt", HasArg, Unsafe}, {"mount", HasArg, 0}}, Style: StopAtOperand, refine: refineDockerRun,
	},
	{Names: "install upgrade", Flags: "disable", Values: "alias", Opts: []Opt{{"grant-all-permissions", NoArg, Unsafe}}},
	{Names: "build", Flags: dockerBuildFlags, Values: dockerBuildValues, Opts: dockerBuildOpts, refine: refineDockerBuild},
}

const (
	dockerListFlags = "-aqfsltHp all quiet follow no-trunc size latest digests timestamps details no-stream human " +
		"tree names pod"
	dockerListValues = "-n filter format tail since until last type platform limit sort"

	dockerBuildFlags = "-qD compress no-cache pull rm force-rm squash quiet load push disable-content-trust debug " +
		"check"
	dockerBuildValues = "-tcm tag build-arg target platform label progress cpu-period cpu-quota cpu-shares " +
		"cpuset-cpus cpuset-mems memory memory-swap isolation shm-size ulimit cgroup-parent add-host builder " +
		"annotation attest sbom provenance no-cache-filter call"
)

var dockerBuildOpts = []Opt{
	{"-f file", HasArg, Reads}, {"iidfile metadata-file", HasArg, Writes}, {"security-opt allow", HasArg, Unsafe},
	{"-o output secret ssh cache-to cache-from build-context network", HasArg, 0},
}

// dockerVerbs are the verbs of containers, with and without "container" in front.
var dockerVerbs = []Command{
	{
		Names: "run create",
		Flags: "-ditPq detach interactive tty rm init publish-all read-only no-healthcheck sig-proxy disable-content-trust oom-kill-disable quiet replace",
		Values: "-aceuhlmpw attach cpus cpu-shares env user workdir hostname label memory publish name add-host " +
			"dns expose platform restart pull ip log-driver log-opt shm-size stop-signal stop-timeout tmpfs ulimit gpus group-add " +
			"link mac-address memory-swap network-alias pids-limit storage-opt sysctl isolation annotation " +
			"cpuset-cpus cpuset-mems domainname health-interval health-retries health-timeout health-start-period blkio-weight " +
			"cap-drop cpu-count cpu-percent cpu-period cpu-quota detach-keys dns-option dns-search ip6 kernel-memory memory-reservation memory-swappiness " +
			"oom-score-adj device-read-bps device-write-bps device-read-iops device-write-iops link-local-ip pod arch os variant",
		Opts: []Opt{
			{"-v volume mount", HasArg, 0}, {"privileged use-api-socket rootfs", NoArg, Unsafe}, {"pid ipc uts cgroupns userns network net cgroup-parent", HasArg, 0},
			{"env-file label-file", HasArg, Reads}, {"entrypoint health-cmd", HasArg, 0},
			{"cap-add device security-opt volumes-from device-cgroup-rule volume-driver runtime", HasArg, Unsafe}, {"cidfile pidfile conmon-pidfile", HasArg, WritesValue},
		},
		Style:  StopAtOperand,
		refine: refineDockerRun,
	},
	{
		Names:    "exec",
		Flags:    "-ditl detach interactive tty latest",
		Values:   "-euw detach-keys env workdir user preserve-fds",
		Opts:     []Opt{{"privileged", NoArg, Unsafe}, {"env-file", HasArg, Reads}},
		Style:    StopAtOperand,
		ReadOnly: true, Contains: true,
		Forms: []Form{{"-e|--env|--env-file|-d|--detach|--privileged", Disproves, "changes how the command runs"}, {"-l|--latest COMMAND", RunsThere, ""}, {"* COMMAND", RunsThere, ""}},
	},
	{
		Names:    "ps images ls list logs inspect version info port stats history events diff exists",
		Special:  &Special{Tokens: ids},
		ReadOnly: true, Flags: dockerListFlags, Values: dockerListValues,
	},
	{Names: "search", ReadOnly: true, Flags: dockerListFlags, Values: dockerListValues, Forms: []Form{{"HOST...:*/*", Sends, ""}}},
	{Names: "top", ReadOnly: true, Flags: dockerListFlags, Values: dockerListValues, Forms: []Form{{"* NAME...:*e*", Disproves, printsEnvironment}}},
	{Names: "cp", Flags: "-aLq archive follow-link quiet", refine: refineDockerCopy},
	{Names: "build", Flags: dockerBuildFlags, Values: dockerBuildValues, Opts: dockerBuildOpts, refine: refineDockerBuild},
	{
		Names: "commit export import kill load login logout pause pull push rename restart rm rmi save start stop tag " +
			"unpause update wait attach swarm machine generate play kube prune checkpoint mount unmount restore " +
			"init farm untag",
		Opts: []Opt{{"-o output", HasArg, Writes}, {"-i input", HasArg, Reads}},
	},
}

const (
	composeFlags = "-aqft all quiet follow timestamps services no-color no-log-prefix no-trunc orphans json short " +
		"profiles hash no-interpolate no-normalize no-path-resolution no-consistency resolve-image-digests " +
		"no-stream variables networks models"
	composeValues = "-n tail format filter status since until index protocol"
)

var composeOpts = []Opt{{"-o output", HasArg, WritesValue}, {"lock-image-digests", NoArg, 0}, {"environment", NoArg, Changes}}

var composeSubs = []Command{
	{
		Names:  "run exec",
		Flags:  "-dTiqP detach rm no-deps service-ports build no-TTY quiet-pull interactive use-aliases remove-orphans quiet quiet-build",
		Values: "-euwlp env user workdir name label publish index pull cap-drop env-from-file",
		Opts:   []Opt{{"-v volume", HasArg, 0}, {"privileged", NoArg, Unsafe}, {"cap-add", HasArg, Unsafe}, {"entrypoint", HasArg, 0}},
		Style:  StopAtOperand,
		refine: refineDockerRun,
	},
	{
		Names:    "ps logs images ls top version port events stats volumes",
		ReadOnly: true, Flags: composeFlags, Values: composeValues, Opts: composeOpts, refine: refineCompose,
	},
	{
		Names:    "config convert",
		ReadOnly: true, Flags: composeFlags, Values: composeValues, Opts: composeOpts, refine: refineCompose,
		Forms: []Form{{"!-q|--quiet|--services|--networks|--profiles|--hash", Disproves, "prints values from .env and from the services' env files"}},
	},
	{Names: "cp", Flags: "-aL all archive follow-link", Values: "index", refine: refineDockerCopy},
	{
		Names: "up down build start stop restart rm pull push kill create pause unpause watch attach commit export " +
			"publish scale wait bridge alpha",
		Flags:  "-dvfqst detach build force-recreate no-deps remove-orphans volumes no-cache pull quiet-pull wait abort-on-container-exit watch always-recreate-deps no-build no-start",
		Values: "scale timeout wait-timeout rmi exit-code-from attach no-attach build-arg signal",
		Opts:   []Opt{{"-o output", HasArg, Writes}},
	},
}

var kubectlSubs = []Command{
	{
		Names: "exec rsh", ReadOnly: true, Contains: true, Flags: "-itqT stdin tty quiet", Values: "-c container pod-running-timeout", Opts: []Opt{{"-f filename", HasArg, Reads}},
		Forms: []Form{{"-f|--filename", Disproves, "reads the container ID from a file"}, {"-- COMMAND", RunsThere, ""}, {"!-- * COMMAND", RunsThere, ""}},
	},
	{
		Names:  "run debug",
		Flags:  "-itq rm stdin tty command attach expose save-config leave-stdin-open share-processes replace same-node copy-to quiet keep-labels wait force arguments-only",
		Values: "-clo image restart env labels port target container image-pull-policy annotations dry-run output set-image field-manager timeout",
		Opts:   []Opt{{"privileged", NoArg, Unsafe}, {"overrides custom", HasArg, Unsafe}, {"-f filename", HasArg, Reads}, {"-k kustomize", HasArg, Unsafe}},
		Forms:  []Form{{"-- COMMAND", RunsThere, ""}, {"!-- * COMMAND", RunsThere, ""}, {"--profile=^general|restricted|baseline|netadmin", Narrows, "--profile may give the container the host"}},
		refine: refineKubectlDebug,
	},
	{
		Names:    "get describe",
		Special:  &Special{Tokens: names},
		ReadOnly: true,
		Flags: "-AwR all-namespaces watch show-labels no-headers recursive watch-only ignore-not-found show-kind show-managed-fields output-watch-events " +
			"allow-missing-template-keys server-print show-events",
		Values: "-olL output selector field-selector sort-by label-columns template chunk-size subresource",
		Opts:   []Opt{{"-f filename", HasArg, Reads}, {"-k kustomize", HasArg, Unsafe}, {"raw", HasArg, Changes}},
		Forms:  []Form{{"-f|--filename", Disproves, ""}},
		refine: refineKubectlGet,
	},
	{
		Names:    "logs explain api-resources api-versions version events top wait whoami status",
		ReadOnly: true,
		Flags: "-ApwfR all-namespaces previous follow timestamps recursive all-containers all-pods client prefix ignore-errors watch no-headers cached namespaced " +
			"containers sum use-protocol-buffers all local short show-managed-fields show-capacity allow-missing-template-keys " +
			"insecure-skip-tls-verify-backend",
		Values: "-olc output selector field-selector container since since-time tail sort-by limit-bytes max-log-requests api-version api-group verbs " +
			"categories for types template timeout pod-running-timeout",
	},
	{
		Names: "cluster-info", Subs: []Command{{
			Names: "dump", Flags: "-A all-namespaces show-managed-fields allow-missing-template-keys", Values: "-o output namespaces pod-running-timeout template", Opts: []Opt{{"output-directory", HasArg, WritesValue}},
			ReadOnly: true,
		}},
		ReadOnly: true,
	},
	{
		Names: "config", Subs: []Command{{
			Names: "view get-contexts current-context get-clusters get-users", ReadOnly: true,
			Flags: "minify flatten merge no-headers show-managed-fields allow-missing-template-keys", Values: "-o output template", Opts: []Opt{{"raw", NoArg, Changes}},
		}, {
			Names: "*", Forms: []Form{{"!--kubeconfig", Configures, ".kube/config"}},
		}},
	},
	{
		Names: "auth", Subs: []Command{{
			Names: "can-i whoami", ReadOnly: true, Flags: "-Aq all-namespaces list no-headers quiet", Values: "-o output subresource",
		}},
	},
	{
		Names: "rollout", Subs: []Command{{
			Names: "status history", ReadOnly: true, Flags: "-wR watch recursive", Values: "-lo selector output revision timeout template",
			Opts: []Opt{{"-f filename", HasArg, Reads}, {"-k kustomize", HasArg, Unsafe}}, Net: FetchesURLs,
		}, {
			Names: "restart undo pause resume", Opts: []Opt{{"-f filename", HasArg, Reads}},
		}},
	},
	{Names: "cp", Values: "-c container retries", Flags: "no-preserve", refine: refineKubectlCopy},
	{
		Names: "apply create delete edit patch replace scale set label annotate drain cordon uncordon taint " +
			"port-forward proxy attach expose autoscale certificate diff kustomize plugin login logout adm new-app " +
			"start-build rsync project new-project",
		Flags:     "-RA force recursive prune wait server-side all ignore-daemonsets delete-emptydir-data overwrite now all-namespaces ignore-not-found",
		Values:    "-lop selector output patch type replicas grace-period timeout from-literal field-manager image port address",
		OptValues: "dry-run cascade",
		Opts:      []Opt{{"-f filename from-env-file patch-file", HasArg, Reads}, {"from-file", HasArg, 0}, {"-k kustomize", HasArg, Unsafe}, {"-w www", HasArg, 0}},
		Forms:     []Form{{"--from-file=*=FILE", Reads, ""}, {"--from-file=FILE:^*=*", Reads, ""}}, Net: FetchesURLs,
	},
}

var helmSubs = []Command{
	{
		Names: "list ls status history hist", ReadOnly: true,
		Flags:  "-aAqdr all all-namespaces deployed failed pending superseded uninstalled uninstalling short date reverse show-resources show-desc no-headers",
		Values: "-olfm output selector filter max offset time-format revision",
	},
	{
		Names: "get", Subs: []Command{{
			Names: "notes metadata", ReadOnly: true, Values: "-o output revision template",
		}},
	},
	{
		Names: "search", Subs: []Command{{
			Names: "hub repo", ReadOnly: true, Net: AsksServices, Flags: "-lr versions regexp devel fail-on-no-result list-repo-url", Values: "-o output version max-col-width", Opts: []Opt{{"endpoint", HasArg, Sends}},
		}},
	},
	{Names: "version env", ReadOnly: true, Flags: "-c short client", Values: "template"},
	{
		Names: "repo plugin dependency dep registry", Subs: []Command{{
			Names: "list ls", ReadOnly: true, Values: "-o output max-col-width type",
		}, {
			Names: "*", Operands: Words,
		}},
	},
	{
		Names: "install upgrade uninstall delete rollback template lint package pull fetch push create test show " +
			"inspect verify",
		Flags: "-igu install wait atomic dry-run create-namespace force debug devel dependency-update include-crds skip-crds no-hooks reuse-values reset-values " +
			"untar cleanup-on-failure strict hide-notes verify",
		Values: "-sa set set-string set-json set-literal version repo timeout description name-template username password show-only api-versions kube-version history-max",
		Opts: []Opt{
			{"-f values", HasArg, Reads}, {"set-file", HasArg, 0}, {"-d destination untardir output-dir", HasArg, Writes},
			{"ca-file", HasArg, Reads}, {"cert-file key-file keyring passphrase-file", HasArg, UsesKey}, {"insecure-skip-tls-verify plain-http pass-credentials", NoArg, Unsafe},
		},
		Forms: []Form{{"--set-file=*=FILE", Reads, ""}}, Net: FetchesURLs, refine: refineHelm,
	},
}

// refineDockerRun looks at what is mounted and shared, and runs the rest inside.
func refineDockerRun(c *Invocation) {
	for u := range c.options() {
		switch u.Name {
		case "v", "volume", "mount":
			c.mounts(u)
		case "pid", "ipc", "uts", "cgroupns", "userns", "network", "net":
			if strings.HasPrefix(u.Value.Text, "host") || !u.Value.Known {
				c.Narrow("--" + u.Name + " shares a namespace of the host")
			}
		case "health-cmd":
			c.remote(Inner{Kind: InnerText, Via: c.Form() + " --health-cmd", Text: u.Value})
		}
	}
	argv := c.rest(1)
	if o := c.Option("entrypoint"); o != nil && o.Value.Text != "" {
		argv = append([]shell.Word{o.Value}, argv...)
	}
	in := Inner{Kind: InnerArgv, Via: c.Form(), Argv: argv, Standing: Stand(Elsewhere)}
	in.Box = c.box()
	c.runs(in)
}

// mounts says what a container gets of the host: it reads a directory, and
// writes one that configures programs of the host.
func (c *Invocation) mounts(u *Used) {
	src, readOnly := mountSource(u)
	switch {
	case strings.Contains(u.Value.Text, `"`):
		c.Narrow("the mount is quoted")
		return
	case strings.HasPrefix(u.Value.Text, "npipe:"), drive(u.Value.Text):
		c.Narrow("it mounts a pipe or a drive of the host")
		return
	case strings.HasPrefix(src, shell.HoleMark):
		c.Narrow("what it mounts is unknown")
		return
	case !strings.HasPrefix(src, "/") && !strings.HasPrefix(src, "."):
		return // a named volume
	}
	w := u.Value
	w.Text, w.Known = src, !strings.Contains(src, shell.HoleMark)
	before := len(c.Facts.Effects)
	c.touch(shell.Read, &w, true)
	for i := before; i < len(c.Facts.Effects); i++ {
		e := &c.Facts.Effects[i]
		e.Mounts = hostPath(e.Path, c.Home)
	}
	if !readOnly && slices.ContainsFunc(strings.Split(src, "/"), configures) {
		c.touch(shell.Write, &w, true)
	}
}

// drive reports whether a mount starts with a drive of Windows: C:\x:/y.
func drive(mount string) bool {
	if len(mount) < 4 || mount[1] != ':' {
		return false
	}
	return mount[2] == '\\' || mount[2] == '/' && strings.Contains(mount[3:], ":/")
}

// configures reports whether a component of a path is a hidden file, as those are that configure programs.
func configures(name string) bool {
	return strings.HasPrefix(name, ".") && strings.Trim(name, ".") != ""
}

// refineDockerBuild reads the context and the secrets, and writes the output.
func refineDockerBuild(c *Invocation) {
	if w := c.Operand(0); w != nil && (!w.Known || w.Text != "-") {
		if c.Recursive = true; strings.Contains(shell.LiteralPrefix(w), "://") {
			c.network(w)
		} else {
			c.touch(shell.Read, w, true)
		}
	}
	for u := range c.options() {
		switch u.Name {
		case "o", "output", "cache-to":
			if dest := csvValue(&u.Value, "dest"); dest.Text != "" {
				c.Recursive = true
				c.write(&dest)
			} else if !strings.Contains(u.Value.Text, "=") && u.Name != "cache-to" {
				c.Recursive = true
				c.write(&u.Value)
			}
		case "secret", "ssh":
			if src := csvValue(&u.Value, "src"); src.Text != "" {
				c.readValue(&src)
			} else if src := csvValue(&u.Value, "source"); src.Text != "" {
				c.readValue(&src)
			}
		case "network":
			if strings.HasPrefix(u.Value.Text, "host") {
				c.Narrow("--network shares a namespace of the host")
			}
		}
	}
}

// csvValue is the value of a key in key=value,key=value; its Text is "" without one.
func csvValue(w *shell.Word, key string) shell.Word {
	for f := range strings.SplitSeq(w.Text, ",") {
		if k, v, ok := strings.Cut(strings.Trim(f, `"`), "="); ok && strings.EqualFold(k, key) {
			part := *w
			part.Text = v
			return part
		}
	}
	return shell.Word{}
}

// refineDockerCopy is docker cp: the side with a colon is in the container.
func refineDockerCopy(c *Invocation) {
	c.Recursive = true
	for n, w := range c.operands() {
		switch {
		case elsewhere(w) || w.Text == "-":
		case n == 0:
			c.read(w)
		default:
			c.write(w)
			c.fetched(w, c.Operands[:1])
		}
	}
}

// refineKubectlCopy: kubectl copies like tar: what is in a folder, not the folder.
func refineKubectlCopy(c *Invocation) {
	refineDockerCopy(c)
	if from := c.Operand(0); from == nil || !elsewhere(from) {
		return
	}
	for _, i := range c.Operands[1:] {
		if w := &c.Argv[i]; !elsewhere(w) && w.Text != "-" {
			c.unpacks(w, shell.Contents{})
		}
	}
}

// mountSource is the host's side of -v SRC:DST[:ro] or --mount source=SRC.
func mountSource(u *Used) (src string, readOnly bool) {
	if u.Name == "mount" {
		for _, key := range [...]string{"source", "src"} {
			if w := csvValue(&u.Value, key); w.Text != "" {
				src = w.Text
			}
		}
		return src, false
	}
	src, rest, _ := strings.Cut(u.Value.Text, ":")
	_, mode, _ := strings.Cut(rest, ":")
	return src, slices.Contains(strings.Split(mode, ","), "ro")
}

// hostPath reports whether a mount hands over the host: its root, its system
// directories, a whole home, or the socket of a daemon.
func hostPath(p, home string) bool {
	if !strings.HasPrefix(p, "/") {
		return false
	}
	p = shell.CleanPath(p)
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

// refineKubectlDebug: debugging a node mounts its root.
func refineKubectlDebug(c *Invocation) {
	if w := c.Operand(0); w != nil && c.Subs[0] == "debug" && (!w.Known || shell.StartsWithAny(w.Text, "no/", "node")) {
		c.Narrow("debugging a node mounts the root of its host")
	}
}

// refineKubectlGet: secrets are printed by get, and their tokens by describe.
func refineKubectlGet(c *Invocation) {
	for _, w := range c.operands() {
		c.disproveIf(!w.Known || strings.Contains(strings.ToLower(w.Text), "secret"))
	}
	// jsonpath-file=FILE, go-template-file with --template
	if o := c.Option("o", "output"); o != nil && strings.Contains(o.Value.Text, "file") {
		c.Disprove("reads a template and prints parts of it in errors")
	}
}

// refineHelm reads a chart that is a local path.
func refineHelm(c *Invocation) {
	for _, w := range c.operands() {
		if shell.StartsWithAny(shell.LiteralPrefix(w), ".", "/") {
			c.touch(shell.Read, w, true)
		}
	}
}

// refineCompose: a description may be fetched from a registry or with git.
func refineCompose(c *Invocation) {
	for u := range c.options() {
		if (u.Name == "f" || u.Name == "file") && strings.Contains(u.Value.Text, ":") {
			c.network(&u.Value)
		}
	}
}

// podKinds are what a cluster makes again, or what has done its work.
const podKinds = " pod pods po job jobs event events ev replicaset replicasets rs lease leases endpoints ep " +
	"endpointslice endpointslices csr controllerrevision "

// kubectlDeletes: kubectl delete takes kinds and names, KIND/NAME, or files.
func kubectlDeletes(r *reading) bool {
	at := 0
	for at < len(r.words) && shell.NothingKnown(r.words[at]) {
		at++
	}
	if at == len(r.words) || !wordFits("delete", r.words[at]) {
		return false
	}
	for _, option := range [...]string{"--filename|-f", "--kustomize|-k", "--all-namespaces|-A", "--all"} {
		if r.given(option, false) {
			return true
		}
	}
	words := r.words[at+1:]
	for i, w := range words {
		lit := shell.LiteralPrefix(w)
		kind, _, named := strings.Cut(lit, "/")
		if i > 0 && !named {
			continue
		}
		if !w.Known && !named {
			return true
		}
		for k := range strings.SplitSeq(strings.ToLower(kind), ",") {
			k, _, _ = strings.Cut(k, ".")
			if !strings.Contains(podKinds, " "+k+" ") {
				return true
			}
		}
	}
	return false
}
