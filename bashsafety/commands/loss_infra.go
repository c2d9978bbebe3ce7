package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// infraDeletions are the programs that build and take down what a description
// of infrastructure names.
var infraDeletions = []Loss{
	{Names: "cdk cdktf", Values: "-aocvpr app output context profile region role-arn plugin toolkit-stack-name", Verbs: []string{"destroy", "gc"}},
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
}

// runsRemovals: the text after -a and cmd.run is for the shells of other
// machines; what is looked for in it is told by its words alone.
func runsRemovals(r *lossReading) bool {
	return slices.ContainsFunc([]string{"rm -r", "rm -fr", "rm -f -r", "rm --recursive", "reboot", "shutdown ", "poweroff",
		"systemctl stop ", "mkfs"}, r.holds)
}

// clusterDeletions are the programs that manage clusters and what runs in them.
var clusterDeletions = []Loss{
	{Names: "kapp", Values: "-an app namespace", Dry: "diff-run", Verbs: []string{"delete", "app-group delete", "app-change gc"}},
	{Names: "skaffold tanzu clusterctl vcluster loft crc", Values: "-fpmn filename profile module namespace context", Verbs: []string{"delete", "** delete"}},
	{Names: "tilt", Verbs: []string{"down --delete-namespaces"}},
	{Names: "garden okteto devspace", Values: "-nkce namespace context env", Verbs: []string{"delete", "destroy", "purge", "cleanup", "reset ** pods", "* delete|destroy"}},
	{Names: "flux", Values: "-n namespace context kubeconfig timeout", Dry: "dry-run", Flags: "-s silent keep-namespace", Verbs: []string{"uninstall", "delete", "suspend"}},
	{Names: "argo tkn kn", Values: "-nl namespace selector", Verbs: []string{"delete|stop|terminate", "* delete|rm"}},
	{Names: "istioctl cilium", Values: "-fn filename namespace context", Dry: "dry-run", Verbs: []string{"uninstall", "x uninstall", "experimental uninstall"}},
	{Names: "kops", Values: "name state", Verbs: []string{"delete ** --yes|-y", "delete instance|secret|sshpublickey"}},
	{Names: "kubeadm k0s k0sctl microk8s", Values: "config", Dry: "dry-run", Verbs: []string{"reset"}},
	{Names: "talosctl", Values: "-nec nodes endpoints context talosconfig", Dry: "dry-run", Verbs: []string{"reset|shutdown|wipe", "cluster destroy", "etcd remove-member|leave|forfeit-leadership"}},
	{Names: "rke", Verbs: []string{"remove"}},
	{Names: "rancher", Verbs: []string{"** delete|rm"}},
	{Names: "k3s-uninstall.sh k3s-agent-uninstall.sh k3s-killall.sh rke2-uninstall.sh rke2-killall.sh", Verbs: []string{""}},
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
	{Names: "skopeo regctl crane oras reg harbor", Values: "-u", Verbs: []string{"delete", "* delete|rm", "rm"}},
	{Names: "docker-machine", Values: "-s", Verbs: []string{"rm|kill"}},
}

// machineDeletions are the programs that run virtual machines.
var machineDeletions = []Loss{
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
	{Names: "lxc-destroy", Verbs: []string{""}},
	{Names: "prlctl utmctl", Verbs: []string{"delete|stop --kill", "delete", "unregister"}},
	{Names: "govc", Style: SingleDash, Verbs: []string{"*.destroy|*.rm|*.remove|*.delete"}},
	{Names: "xe", Verbs: []string{"*-destroy|*-uninstall"}},
}
