package remote

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// infraDeletions are the programs that build and take down what a description
// of infrastructure names.
var infraDeletions = []deletion{
	{
		programs: "terraform tofu", style: commands.SingleDash, dry: "dry-run",
		values: "chdir var-file target replace var parallelism lock-timeout backup state state-out out",
		flags:  "auto-approve no-color lock input refresh destroy compact-warnings reconfigure",
		verbs:  []string{"destroy", "apply -destroy", "apply $ -auto-approve", "state rm|push", "workspace delete", "taint", "force-unlock -force"},
	},
	{
		programs: "terragrunt", style: commands.SingleDash, values: "terragrunt-config working-dir terragrunt-working-dir config queue-include-dir queue-exclude-dir log-level target var var-file",
		flags: "auto-approve destroy terragrunt-non-interactive",
		verbs: []string{
			"destroy|destroy-all", "run-all|run|stack|all|exec ** destroy", "apply|apply-all -auto-approve", "run-all|run|stack ** apply",
			"apply -destroy", "state rm|push", "workspace delete", "run ** state rm", "run-all ** state rm",
		},
	},
	{
		programs: "pulumi", values: "-sCtrpm stack cwd target replace parallel message config secrets-provider color verbose", dry: "preview-only",
		verbs: []string{"destroy|down|dn", "up|update --yes|-y|--skip-preview|-f", "stack rm|remove", "state delete|remove|rm", "cancel", "org|policy|env|deployment ** rm|remove|delete"},
	},
	{programs: "cdk cdktf", values: "-aocvpr app output context profile region role-arn plugin toolkit-stack-name", verbs: []string{"destroy", "gc"}},
	{programs: "sam", values: "stack-name region profile config-file config-env", verbs: []string{"delete"}},
	{programs: "serverless sls osls", values: "-srca stage region config app org aws-profile param", verbs: []string{"remove", "** remove"}},
	{programs: "sst amplify ampx chalice", values: "stage profile region", verbs: []string{"remove", "delete", "* remove|delete"}},
	{programs: "zappa", verbs: []string{"undeploy"}},
	{programs: "copilot", values: "-aetn app env name", verbs: []string{"app|env|svc|service|job|task|pipeline|secret delete"}},
	{programs: "eb", values: "-pr profile region", verbs: []string{"terminate", "appversion --delete|-d"}},
	{programs: "arc nitric", verbs: []string{"destroy|down"}},
	{programs: "knife", values: "-czEukVse config environment user key server-url", verbs: []string{"* delete", "* purge", "* bulk delete", "* * delete"}},
	{programs: "puppet", verbs: []string{"node deactivate|purge|clean", "cert clean|destroy", "resource ** ensure=absent|ensure=purged|ensure=stopped"}},
	{
		programs: "salt salt-call", values: "-ctbCI config-dir timeout batch-size out log-level", dry: "test",
		verbs: []string{
			"** system.reboot|system.shutdown|system.poweroff|system.halt", "** pkg.remove|pkg.purge|file.remove|user.delete|service.stop|service.disable|lvm.*remove",
		},
		fits: runsRemovals,
	},
	{
		programs: "ansible", values: "-mailuUeftMBPTK module-name args inventory limit user extra-vars forks", dry: "check syntax-check list-hosts C",
		verbs: []string{
			" -m=reboot|*.reboot|*shutdown", " -a=*state=absent*|*state=stopped*|*state=killed*|*state=killing*|*state=removed*", " --args=*state=absent*|*state=stopped*",
			" --module-name=reboot|*.reboot",
		},
		fits: runsRemovals,
	},
	{
		programs: "ansible-playbook", values: "-ileutMfT inventory limit extra-vars user tags forks start-at-task skip-tags", flags: "-bKkC become",
		dry:   "check syntax-check list-hosts list-tasks list-tags C",
		verbs: []string{"*destroy*|*teardown*|*decommission*"},
	},
}

// ArgsInEnvironment finds terraform where the text sets a variable that it adds
// to its arguments: TF_CLI_ARGS_apply=-destroy terraform apply.
func ArgsInEnvironment(s *interp.Analysis) []interp.Finding {
	return RunningTools(s, func(t *interp.Tool) bool {
		known := t.Deletions&(1<<OfInfra) != 0 && shell.Listed("terraform tofu terragrunt", t.Name)
		return known && strings.Contains(s.Text, "TF_CLI_ARGS") &&
			shell.ContainsAny(s.Text, "-destroy", "-auto-approve")
	})
}

// runsRemovals: the text after -a and cmd.run is for the shells of other
// machines; what is looked for in it is told by its words alone.
func runsRemovals(r *reading) bool {
	return slices.ContainsFunc([]string{"rm -r", "rm -fr", "rm -f -r", "rm --recursive", "reboot", "shutdown ", "poweroff",
		"systemctl stop ", "mkfs"}, r.holds)
}

// clusterDeletions are the programs that manage clusters and what runs in them.
var clusterDeletions = []deletion{
	{
		programs: "kubectl oc k kubecolor",
		values: "-nvsflkLo namespace context cluster user token as as-group as-uid server kubeconfig request-timeout filename kustomize selector field-selector " +
			"grace-period timeout cascade output current-replicas resource-version raw replicas cache-dir certificate-authority client-certificate client-key",
		flags: "-R force all ignore-not-found all-namespaces recursive include-uninitialized prune overwrite", dry: "dry-run",
		verbs: []string{
			"delete --raw", "drain", "adm drain", "adm prune --confirm", "scale|autoscale --replicas=0", "replace --force|--raw", "patch ~finalizers", "apply --prune",
			"taint ** *:NoExecute", "adm taint ** *:NoExecute",
		},
		fits: kubectlDeletes,
	},
	{
		programs: "helm helm3", values: "-nfo namespace kube-context kubeconfig kube-as-user kube-token timeout values set set-string version description cascade",
		flags: "keep-history", dry: "dry-run",
		verbs: []string{"uninstall|delete|del|un", "upgrade --force|--force-replace"},
	},
	{
		programs: "helmfile", values: "-fenlb file environment namespace selector state-values-set kube-context", verbs: []string{"destroy|delete"},
	},
	{programs: "kapp", values: "-an app namespace", dry: "diff-run", verbs: []string{"delete", "app-group delete", "app-change gc"}},
	{programs: "skaffold tanzu clusterctl vcluster loft crc", values: "-fpmn filename profile module namespace context", verbs: []string{"delete", "** delete"}},
	{programs: "tilt", verbs: []string{"down --delete-namespaces"}},
	{programs: "garden okteto devspace", values: "-nkce namespace context env", verbs: []string{"delete", "destroy", "purge", "cleanup", "reset ** pods", "* delete|destroy"}},
	{programs: "flux", values: "-n namespace context kubeconfig timeout", dry: "dry-run", flags: "-s silent keep-namespace", verbs: []string{"uninstall", "delete", "suspend"}},
	{
		programs: "argocd", values: "-NH server auth-token header grpc-web-root-path core plugins project",
		verbs: []string{"app|appset|proj|project|account|cluster|repo|repocreds|cert|gpg ** delete|rm|remove|delete-*|remove-*", "app sync --prune", "app terminate-op", "app delete-resource"},
	},
	{programs: "argo tkn kn", values: "-nl namespace selector", verbs: []string{"delete|stop|terminate", "* delete|rm"}},
	{programs: "istioctl cilium", values: "-fn filename namespace context", dry: "dry-run", verbs: []string{"uninstall", "x uninstall", "experimental uninstall"}},
	{programs: "eksctl", values: "-frpCnv config-file region profile cluster name nodegroup", flags: "approve", verbs: []string{"delete", "drain", "scale nodegroup --nodes=0"}},
	{programs: "kops", values: "name state", verbs: []string{"delete ** --yes|-y", "delete instance|secret|sshpublickey"}},
	{programs: "kubeadm k0s k0sctl microk8s", values: "config", dry: "dry-run", verbs: []string{"reset"}},
	{programs: "talosctl", values: "-nec nodes endpoints context talosconfig", dry: "dry-run", verbs: []string{"reset|shutdown|wipe", "cluster destroy", "etcd remove-member|leave|forfeit-leadership"}},
	{programs: "rke", verbs: []string{"remove"}},
	{programs: "rancher", verbs: []string{"** delete|rm"}},
	{programs: "k3s-uninstall.sh k3s-agent-uninstall.sh k3s-killall.sh rke2-uninstall.sh rke2-killall.sh", verbs: []string{""}},
	{programs: "k3d", verbs: []string{"cluster|node|registry delete|del|rm"}},
	{programs: "kind", values: "-v verbosity name", verbs: []string{"delete cluster|clusters"}},
	{programs: "minikube", values: "-p profile", verbs: []string{"delete"}, fits: minikubeDeletes},
	{
		programs: "nomad", values: "namespace region address token ca-cert", style: commands.SingleDash,
		verbs: []string{"stop", "job stop", "namespace delete", "node drain|eligibility", "system gc", "var purge", "volume delete|deregister", "alloc stop", "deployment fail", "acl ** delete"},
	},
	{programs: "consul", values: "http-addr token datacenter", style: commands.SingleDash, verbs: []string{"kv delete", "acl * delete", "config delete", "leave", "force-leave", "services deregister", "namespace delete", "peering delete"}},
}

// podKinds are what a cluster makes again, or what has done its work.
const podKinds = " pod pods po job jobs event events ev replicaset replicasets rs lease leases endpoints ep " +
	"endpointslice endpointslices csr controllerrevision "

// kubectlDeletes: kubectl delete takes kinds and names, KIND/NAME, or files.
func kubectlDeletes(r *reading) bool {
	at := 0
	for at < len(r.words) && nothingKnown(r.words[at]) {
		at++
	}
	if at == len(r.words) || !wordFits("delete", r.words[at]) {
		return false
	}
	for _, option := range [...]string{"--filename|-f", "--kustomize|-k", "--all-namespaces|-A", "--all"} {
		if r.given(option) {
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

// minikubeDeletes: minikube brings kubectl along.
func minikubeDeletes(r *reading) bool {
	if len(r.words) < 2 || !wordFits("kubectl", r.words[0]) {
		return false
	}
	within := *r
	within.words = r.words[1:]
	return kubectlDeletes(&within)
}

// containerDeletions are the programs that run containers.
var containerDeletions = []deletion{
	{
		programs: "docker podman nerdctl finch docker.io", dry: "dry-run",
		values: "-Hclfp host context log-level config tlscacert tlscert tlskey project-name project-directory profile file env-file ansi progress filter connection url timeout",
		flags:  "-avtsD volumes remove-orphans tls tlsverify debug compatibility keep-storage",
		verbs: []string{
			"system|volume|volumes|network|networks|image|images|container|containers|builder|buildx|pod|secret|artifact prune", "prune", "system reset|nuke", "volume rm|remove", "stack rm|remove|down", "service rm|remove", "secret rm|remove", "config rm|remove",
			"node rm|remove|demote", "swarm leave", "machine rm|reset", "compose down -v|--volumes", "compose down --rmi=all", "compose rm -v|--volumes", "compose rm -f=v|sv|vs",
			"rm -a|--all", "rmi -a|--all|-f|--force", "image rm|remove -f|--force|-a|--all", "container|pod rm -a|--all", "pod rm -a|--all", "pod rm -f=a", "kill|stop -a|--all",
			"kube down --force", "trust revoke", "service scale ** *=0", "service update --replicas=0",
		},
	},
	{
		programs: "docker-compose podman-compose", dry: "dry-run", values: "-pftH project-name project-directory profile file env-file ansi progress timeout host",
		flags: "-v volumes remove-orphans",
		verbs: []string{"down -v|--volumes", "down --rmi=all", "rm -v|--volumes", "rm -f=v|sv|vs"},
	},
	{programs: "buildah", verbs: []string{"rm -a|--all", "rmi -a|--all|-p|--prune|-f|--force", "prune"}},
	{programs: "crictl", values: "-rict runtime-endpoint image-endpoint config timeout", verbs: []string{"rmi -a|--all|-q|--prune", "rm|rmp -a|--all"}},
	{programs: "ctr", values: "-an address namespace timeout", verbs: []string{"namespaces|namespace|ns|content|snapshots|snapshot|leases rm|remove|delete|del|prune"}},
	{programs: "skopeo regctl crane oras reg harbor", values: "-u", verbs: []string{"delete", "* delete|rm", "rm"}},
	{programs: "docker-machine", values: "-s", verbs: []string{"rm|kill"}},
}

// machineDeletions are the programs that run virtual machines.
var machineDeletions = []deletion{
	{programs: "vagrant", verbs: []string{"destroy", "snapshot delete"}},
	{programs: "multipass limactl lima colima tart orb orbctl", values: "-p profile", verbs: []string{"delete", "purge", "rm", "factory-reset", "reset", "prune"}},
	{
		programs: "virsh", values: "-cdlek connect debug log",
		verbs: []string{"destroy|undefine|*-destroy|*-undefine|vol-delete|vol-wipe|pool-delete|snapshot-delete|managedsave-remove|checkpoint-delete|shutdown|reset"},
	},
	{
		programs: "VBoxManage vboxmanage", style: commands.SingleDash,
		verbs: []string{"unregistervm", "closemedium ** -delete", "controlvm * poweroff|reset", "snapshot * delete", "natnetwork|hostonlyif|dhcpserver remove"},
	},
	{programs: "qm pct pvesh", verbs: []string{"destroy|stop|delsnapshot|shutdown", "delete"}},
	{programs: "lxc incus", verbs: []string{"delete|rm", "* delete|rm", "storage * delete", "stop --all"}},
	{programs: "lxc-destroy", verbs: []string{""}},
	{programs: "prlctl utmctl", verbs: []string{"delete|stop --kill", "delete", "unregister"}},
	{programs: "wsl", verbs: []string{" --unregister"}},
	{programs: "govc", style: commands.SingleDash, verbs: []string{"*.destroy|*.rm|*.remove|*.delete"}},
	{programs: "xe", verbs: []string{"*-destroy|*-uninstall"}},
}
