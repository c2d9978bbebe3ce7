package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// infraDeletions are the programs that build and take down what a description
// of infrastructure names.
var infraDeletions = []Loss{
	{
		Names: "terraform tofu", Style: SingleDash, Dry: "dry-run",
		Values: "chdir var-file target replace var parallelism lock-timeout backup state state-out out",
		Flags:  "auto-approve no-color lock input refresh destroy compact-warnings reconfigure",
		Verbs:  []string{"destroy", "apply -destroy", "apply $ -auto-approve", "state rm|push", "workspace delete", "taint", "force-unlock -force"},
	},
	{
		Names: "terragrunt", Style: SingleDash, Values: "terragrunt-config working-dir terragrunt-working-dir config queue-include-dir queue-exclude-dir log-level target var var-file",
		Flags: "auto-approve destroy terragrunt-non-interactive",
		Verbs: []string{
			"destroy|destroy-all", "run-all|run|stack|all|exec ** destroy", "apply|apply-all -auto-approve", "run-all|run|stack ** apply",
			"apply -destroy", "state rm|push", "workspace delete", "run ** state rm", "run-all ** state rm",
		},
	},
	{
		Names: "pulumi", Values: "-sCtrpm stack cwd target replace parallel message config secrets-provider color verbose", Dry: "preview-only",
		Verbs: []string{"destroy|down|dn", "up|update --yes|-y|--skip-preview|-f", "stack rm|remove", "state delete|remove|rm", "cancel", "org|policy|env|deployment ** rm|remove|delete"},
	},
	{Names: "cdk cdktf", Values: "-aocvpr app output context profile region role-arn plugin toolkit-stack-name", Verbs: []string{"destroy", "gc"}},
	{Names: "sam", Values: "stack-name region profile config-file config-env", Verbs: []string{"delete"}},
	{Names: "serverless sls osls", Values: "-srca stage region config app org aws-profile param", Verbs: []string{"remove", "** remove"}},
	{Names: "sst amplify ampx chalice", Values: "stage profile region", Verbs: []string{"remove", "delete", "* remove|delete"}},
	{Names: "zappa", Verbs: []string{"undeploy"}},
	{Names: "copilot", Values: "-aetn app env name", Verbs: []string{"app|env|svc|service|job|task|pipeline|secret delete"}},
	{Names: "eb", Values: "-pr profile region", Verbs: []string{"terminate", "appversion --delete|-d"}},
	{Names: "arc nitric", Verbs: []string{"destroy|down"}},
	{Names: "knife", Values: "-czEukVse config environment user key server-url", Verbs: []string{"* delete", "* purge", "* bulk delete", "* * delete"}},
	{Names: "puppet", Verbs: []string{"node deactivate|purge|clean", "cert clean|destroy", "resource ** ensure=absent|ensure=purged|ensure=stopped"}},
	{
		Names: "salt salt-call", Values: "-ctbCI config-dir timeout batch-size out log-level", Dry: "test",
		Verbs: []string{
			"** system.reboot|system.shutdown|system.poweroff|system.halt", "** pkg.remove|pkg.purge|file.remove|user.delete|service.stop|service.disable|lvm.*remove",
		},
		fits: runsRemovals,
	},
	{
		Names: "ansible", Values: "-mailuUeftMBPTK module-name args inventory limit user extra-vars forks", Dry: "check syntax-check list-hosts C",
		Verbs: []string{
			" -m=reboot|*.reboot|*shutdown", " -a=*state=absent*|*state=stopped*|*state=killed*|*state=killing*|*state=removed*", " --args=*state=absent*|*state=stopped*",
			" --module-name=reboot|*.reboot",
		},
		fits: runsRemovals,
	},
	{
		Names: "ansible-playbook", Values: "-ileutMfT inventory limit extra-vars user tags forks start-at-task skip-tags", Flags: "-bKkC become",
		Dry:   "check syntax-check list-hosts list-tasks list-tags C",
		Verbs: []string{"*destroy*|*teardown*|*decommission*"},
	},
}

// runsRemovals: the text after -a and cmd.run is for the shells of other
// machines; what is looked for in it is told by its words alone.
func runsRemovals(r *lossReading) bool {
	return slices.ContainsFunc([]string{"rm -r", "rm -fr", "rm -f -r", "rm --recursive", "reboot", "shutdown ", "poweroff",
		"systemctl stop ", "mkfs"}, r.holds)
}

// clusterDeletions are the programs that manage clusters and what runs in them.
var clusterDeletions = []Loss{
	{
		Names: "kubectl oc k kubecolor",
		Values: "-nvsflkLo namespace context cluster user token as as-group as-uid server kubeconfig request-timeout filename kustomize selector field-selector " +
			"grace-period timeout cascade output current-replicas resource-version raw replicas cache-dir certificate-authority client-certificate client-key",
		Flags: "-R force all ignore-not-found all-namespaces recursive include-uninitialized prune overwrite", Dry: "dry-run",
		Verbs: []string{
			"delete --raw", "drain", "adm drain", "adm prune --confirm", "scale|autoscale --replicas=0", "replace --force|--raw", "patch ~finalizers", "apply --prune",
			"taint ** *:NoExecute", "adm taint ** *:NoExecute",
		},
		fits: kubectlDeletes,
	},
	{
		Names: "helm helm3", Values: "-nfo namespace kube-context kubeconfig kube-as-user kube-token timeout values set set-string version description cascade",
		Flags: "keep-history", Dry: "dry-run",
		Verbs: []string{"uninstall|delete|del|un", "upgrade --force|--force-replace"},
	},
	{
		Names: "helmfile", Values: "-fenlb file environment namespace selector state-values-set kube-context", Verbs: []string{"destroy|delete"},
	},
	{Names: "kapp", Values: "-an app namespace", Dry: "diff-run", Verbs: []string{"delete", "app-group delete", "app-change gc"}},
	{Names: "skaffold tanzu clusterctl vcluster loft crc", Values: "-fpmn filename profile module namespace context", Verbs: []string{"delete", "** delete"}},
	{Names: "tilt", Verbs: []string{"down --delete-namespaces"}},
	{Names: "garden okteto devspace", Values: "-nkce namespace context env", Verbs: []string{"delete", "destroy", "purge", "cleanup", "reset ** pods", "* delete|destroy"}},
	{Names: "flux", Values: "-n namespace context kubeconfig timeout", Dry: "dry-run", Flags: "-s silent keep-namespace", Verbs: []string{"uninstall", "delete", "suspend"}},
	{
		Names: "argocd", Values: "-NH server auth-token header grpc-web-root-path core plugins project",
		Verbs: []string{"app|appset|proj|project|account|cluster|repo|repocreds|cert|gpg ** delete|rm|remove|delete-*|remove-*", "app sync --prune", "app terminate-op", "app delete-resource"},
	},
	{Names: "argo tkn kn", Values: "-nl namespace selector", Verbs: []string{"delete|stop|terminate", "* delete|rm"}},
	{Names: "istioctl cilium", Values: "-fn filename namespace context", Dry: "dry-run", Verbs: []string{"uninstall", "x uninstall", "experimental uninstall"}},
	{Names: "eksctl", Values: "-frpCnv config-file region profile cluster name nodegroup", Flags: "approve", Verbs: []string{"delete", "drain", "scale nodegroup --nodes=0"}},
	{Names: "kops", Values: "name state", Verbs: []string{"delete ** --yes|-y", "delete instance|secret|sshpublickey"}},
	{Names: "kubeadm k0s k0sctl microk8s", Values: "config", Dry: "dry-run", Verbs: []string{"reset"}},
	{Names: "talosctl", Values: "-nec nodes endpoints context talosconfig", Dry: "dry-run", Verbs: []string{"reset|shutdown|wipe", "cluster destroy", "etcd remove-member|leave|forfeit-leadership"}},
	{Names: "rke", Verbs: []string{"remove"}},
	{Names: "rancher", Verbs: []string{"** delete|rm"}},
	{Names: "k3s-uninstall.sh k3s-agent-uninstall.sh k3s-killall.sh rke2-uninstall.sh rke2-killall.sh", Verbs: []string{""}},
	{Names: "k3d", Verbs: []string{"cluster|node|registry delete|del|rm"}},
	{Names: "kind", Values: "-v verbosity name", Verbs: []string{"delete cluster|clusters"}},
	{Names: "minikube", Values: "-p profile", Verbs: []string{"delete"}, fits: minikubeDeletes},
	{
		Names: "nomad", Values: "namespace region address token ca-cert", Style: SingleDash,
		Verbs: []string{"stop", "job stop", "namespace delete", "node drain|eligibility", "system gc", "var purge", "volume delete|deregister", "alloc stop", "deployment fail", "acl ** delete"},
	},
	{Names: "consul", Values: "http-addr token datacenter", Style: SingleDash, Verbs: []string{"kv delete", "acl * delete", "config delete", "leave", "force-leave", "services deregister", "namespace delete", "peering delete"}},
}

// podKinds are what a cluster makes again, or what has done its work.
const podKinds = " pod pods po job jobs event events ev replicaset replicasets rs lease leases endpoints ep " +
	"endpointslice endpointslices csr controllerrevision "

// kubectlDeletes: kubectl delete takes kinds and names, KIND/NAME, or files.
func kubectlDeletes(r *lossReading) bool {
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
func minikubeDeletes(r *lossReading) bool {
	if len(r.words) < 2 || !wordFits("kubectl", r.words[0]) {
		return false
	}
	within := *r
	within.words = r.words[1:]
	return kubectlDeletes(&within)
}

// containerDeletions are the programs that run containers.
var containerDeletions = []Loss{
	{
		Names: "docker podman nerdctl finch docker.io", Dry: "dry-run",
		Values: "-Hclfp host context log-level config tlscacert tlscert tlskey project-name project-directory profile file env-file ansi progress filter connection url timeout",
		Flags:  "-avtsD volumes remove-orphans tls tlsverify debug compatibility keep-storage",
		Verbs: []string{
			"system|volume|volumes|network|networks|image|images|container|containers|builder|buildx|pod|secret|artifact prune", "prune", "system reset|nuke", "volume rm|remove", "stack rm|remove|down", "service rm|remove", "secret rm|remove", "config rm|remove",
			"node rm|remove|demote", "swarm leave", "machine rm|reset", "compose down -v|--volumes", "compose down --rmi=all", "compose rm -v|--volumes", "compose rm -f=v|sv|vs",
			"rm -a|--all", "rmi -a|--all|-f|--force", "image rm|remove -f|--force|-a|--all", "container|pod rm -a|--all", "pod rm -a|--all", "pod rm -f=a", "kill|stop -a|--all",
			"kube down --force", "trust revoke", "service scale ** *=0", "service update --replicas=0",
		},
	},
	{
		Names: "docker-compose podman-compose", Dry: "dry-run", Values: "-pftH project-name project-directory profile file env-file ansi progress timeout host",
		Flags: "-v volumes remove-orphans",
		Verbs: []string{"down -v|--volumes", "down --rmi=all", "rm -v|--volumes", "rm -f=v|sv|vs"},
	},
	{Names: "buildah", Verbs: []string{"rm -a|--all", "rmi -a|--all|-p|--prune|-f|--force", "prune"}},
	{Names: "crictl", Values: "-rict runtime-endpoint image-endpoint config timeout", Verbs: []string{"rmi -a|--all|-q|--prune", "rm|rmp -a|--all"}},
	{Names: "ctr", Values: "-an address namespace timeout", Verbs: []string{"namespaces|namespace|ns|content|snapshots|snapshot|leases rm|remove|delete|del|prune"}},
	{Names: "skopeo regctl crane oras reg harbor", Values: "-u", Verbs: []string{"delete", "* delete|rm", "rm"}},
	{Names: "docker-machine", Values: "-s", Verbs: []string{"rm|kill"}},
}

// machineDeletions are the programs that run virtual machines.
var machineDeletions = []Loss{
	{Names: "vagrant", Verbs: []string{"destroy", "snapshot delete"}},
	{Names: "multipass limactl lima colima tart orb orbctl", Values: "-p profile", Verbs: []string{"delete", "purge", "rm", "factory-reset", "reset", "prune"}},
	{
		Names: "virsh", Values: "-cdlek connect debug log",
		Verbs: []string{"destroy|undefine|*-destroy|*-undefine|vol-delete|vol-wipe|pool-delete|snapshot-delete|managedsave-remove|checkpoint-delete|shutdown|reset"},
	},
	{
		Names: "VBoxManage vboxmanage", Style: SingleDash,
		Verbs: []string{"unregistervm", "closemedium ** -delete", "controlvm * poweroff|reset", "snapshot * delete", "natnetwork|hostonlyif|dhcpserver remove"},
	},
	{Names: "qm pct pvesh", Verbs: []string{"destroy|stop|delsnapshot|shutdown", "delete"}},
	{Names: "lxc incus", Verbs: []string{"delete|rm", "* delete|rm", "storage * delete", "stop --all"}},
	{Names: "lxc-destroy", Verbs: []string{""}},
	{Names: "prlctl utmctl", Verbs: []string{"delete|stop --kill", "delete", "unregister"}},
	{Names: "wsl", Verbs: []string{" --unregister"}},
	{Names: "govc", Style: SingleDash, Verbs: []string{"*.destroy|*.rm|*.remove|*.delete"}},
	{Names: "xe", Verbs: []string{"*-destroy|*-uninstall"}},
}
