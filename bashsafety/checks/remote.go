package checks

import (
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/remote"
)

// remoteChecks find what deletes or stops what is no file of this machine, by the losses of the
// tables.
var remoteChecks = []analysis.Check{
	{
		ID:       "infra-destroy",
		Title:    "destroys infrastructure, or changes it without review",
		Why:      "the resources and their data are lost",
		Instead:  "`terraform plan -destroy` to see what would be destroyed, or `terraform plan -out=tfplan`",
		Severity: analysis.Destructive,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(remote.Deleting(s, commands.OfInfra), remote.ArgsInEnvironment(s)...)
		},
	},
	{
		ID:       "cluster-delete",
		Title:    "deletes or stops resources in a cluster",
		Why:      "namespaces, volumes and releases do not come back by themselves",
		Instead:  "`kubectl delete --dry-run=client`, `helm uninstall --dry-run` or `kubectl get` to look first",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfCluster) },
	},
	{
		ID:       "container-delete",
		Title:    "deletes container volumes, or everything unused",
		Why:      "data in a volume is in no image and cannot be recreated",
		Instead:  "`docker rm web`, which names the container, or `docker compose down`, which keeps the volumes",
		Severity: analysis.Destructive,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(remote.Deleting(s, commands.OfContainer), remote.EveryContainer(s)...)
		},
	},
	{
		ID:       "machine-delete",
		Title:    "deletes a virtual machine",
		Why:      "its disks go with it",
		Instead:  "`vagrant status` or `virsh list --all` to look first",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfMachine) },
	},
	{
		ID:       "cloud-delete",
		Title:    "deletes or stops resources in a cloud",
		Why:      "the cloud keeps no copy of what it deletes",
		Instead:  "`aws ec2 describe-instances`, `aws s3 rm --dryrun` or `gcloud compute instances list` to look first",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfCloud) },
	},
	{
		ID:       "platform-delete",
		Title:    "deletes or stops something on a hosting platform",
		Why:      "a deleted application, domain or record is gone for its users",
		Instead:  "`heroku apps:info`, `fly status` or `wrangler deploy --dry-run` to look first",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfPlatform) },
	},
	{
		ID:       "code-host-delete",
		Title:    "deletes something on a code host or build service",
		Why:      "no clone contains issues, releases or settings",
		Instead:  "`gh repo view`, `gh release view` or `gh api` without -X to look first",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfCodeHost) },
	},
	{
		ID:       "registry-delete",
		Title:    "unpublishes a package from a registry",
		Why:      "projects that depend on it can no longer build",
		Instead:  "`npm view x` or `npm unpublish --dry-run`",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfRegistry) },
	},
	{
		ID:       "storage-delete",
		Title:    "deletes data stored on another machine",
		Why:      "remote storage has no trash folder",
		Instead:  "`rclone sync --dry-run`, `rsync -n --delete` or a listing to look first",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfStorage) },
	},
	{
		ID:       "backup-delete",
		Title:    "deletes backups or snapshots",
		Why:      "the last copy may be among them",
		Instead:  "`restic forget --dry-run`, `borg prune --dry-run --list` or a listing",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfBackup) },
	},
	{
		ID:       "queue-delete",
		Title:    "deletes messages, topics or queues",
		Why:      "unread messages are lost",
		Instead:  "`kafka-topics.sh --describe`, `rabbitmqctl list_queues` or `nats stream info`",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfQueue) },
	},
	{
		ID:       "http-delete",
		Title:    "asks a server to delete something",
		Why:      "the server may keep no copy of what it deletes",
		Instead:  "the same request with GET to look first",
		Severity: analysis.Destructive,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(remote.HTTPDeletes(s), fedMutations(s)...)
		},
	},
	{
		ID:       "service-stop",
		Title:    "stops or disables a system service",
		Why:      "everything that needs the service stops too",
		Instead:  "`systemctl status nginx`, or `systemctl restart nginx`",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfServices) },
	},
	{
		ID:       "machine-stop",
		Title:    "shuts down or restarts the machine",
		Why:      "everything running on it ends",
		Instead:  "`uptime`, then let the user restart it",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfPower) },
	},
	{
		ID:       "kill-all",
		Title:    "kills every process, or one the system needs",
		Why:      "unsaved work and the session itself are lost",
		Instead:  "`pkill -f vite` or `kill 1234`, which names the process",
		Severity: analysis.Destructive,
		Find:     remote.KillsAll,
	},
	{
		ID:       "account-delete",
		Title:    "deletes a user or group account",
		Why:      "the user's files may be deleted or left without an owner",
		Instead:  "`id dev` to look first",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfAccounts) },
	},
	{
		ID:       "network-cut",
		Title:    "removes firewall rules or cuts the network connection",
		Why:      "the machine is exposed, or can no longer be reached",
		Instead:  "`iptables -L` or `ip addr` to look first",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfNetwork) },
	},
	{
		ID:       "volume-delete",
		Title:    "deletes a storage volume, pool or snapshot",
		Why:      "everything on it is lost",
		Instead:  "`lvs`, `zfs list` or `btrfs subvolume list` to look first",
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfVolumes) },
	},
}
