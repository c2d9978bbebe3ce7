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
		ID:    "infra-destroy",
		Title: "destroys infrastructure, or changes it without review",
		Why:   "the resources and their data are lost",
		Says: []analysis.Said{
			{For: "terraform destroy", Title: "destroys everything that this configuration manages"},
			{For: "tofu destroy", Title: "destroys everything that this configuration manages"},
			{For: "terraform apply -destroy", Title: "destroys everything that this configuration manages"},
			{For: "tofu apply -destroy", Title: "destroys everything that this configuration manages"},
			{For: "terraform apply", Title: "changes infrastructure without review", Why: "what it deletes or replaces is lost with its data"},
			{For: "tofu apply", Title: "changes infrastructure without review", Why: "what it deletes or replaces is lost with its data"},
		},
		Instead: []analysis.Hint{
			{For: "terraform destroy", Text: "`terraform plan -destroy` to see what would be destroyed"},
			{For: "terraform apply", Text: "`terraform plan` to see what would change"},
			{For: "tofu destroy", Text: "`tofu plan -destroy` to see what would be destroyed"},
			{For: "tofu apply", Text: "`tofu plan` to see what would change"},
		},
		Severity: analysis.Destructive,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(remote.Deleting(s, commands.OfInfra), remote.ArgsInEnvironment(s)...)
		},
	},
	{
		ID:    "cluster-delete",
		Title: "deletes or stops resources in a cluster",
		Why:   "namespaces, volumes and releases do not come back by themselves",
		Says: []analysis.Said{
			{For: "kubectl delete ns", Title: "deletes the namespace NAME and everything in it", Why: "only a backup can restore it"},
			{For: "kubectl delete namespace", Title: "deletes the namespace NAME and everything in it", Why: "only a backup can restore it"},
			{For: "kubectl delete", Title: "deletes what it names from the cluster", Why: "it does not come back by itself"},
			{For: "helm uninstall", Title: "uninstalls the release NAME", Why: "what it runs in the cluster is deleted"},
		},
		Instead: []analysis.Hint{
			{For: "kubectl delete ns", Text: "`kubectl get all -n NAME` to look first"},
			{For: "kubectl delete namespace", Text: "`kubectl get all -n NAME` to look first"},
			{For: "kubectl delete", Swap: "delete=get --force= --now=", Text: "`CALL` to look first"},
			{For: "helm uninstall", Add: "--dry-run", Text: "`CALL` to look first"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfCluster) },
	},
	{
		ID:    "container-delete",
		Title: "deletes container volumes, or everything unused",
		Why:   "data in a volume is in no image and cannot be recreated",
		Says: []analysis.Said{
			{For: "docker image prune -a", Title: "deletes every image that no container uses", Why: "they have to be pulled or built again"},
			{For: "docker image prune --all", Title: "deletes every image that no container uses", Why: "they have to be pulled or built again"},
			{For: "docker image prune", Title: "deletes every image without a tag that no container uses", Why: "they have to be pulled or built again"},
			{For: "docker system prune --volumes", Title: "deletes what no container uses, volumes with their data too"},
			{For: "docker system prune", Title: "deletes stopped containers and what no container uses", Why: "images have to be pulled or built again"},
			{For: "docker volume rm", Title: "deletes the volume NAME and everything stored in it", Why: "no image holds a copy"},
			{For: "docker volume prune", Title: "deletes every volume that no container uses", Why: "no image holds a copy"},
			{For: "docker compose down", Title: "stops the containers of this project and deletes their volumes"},
			{For: "docker-compose down", Title: "stops the containers of this project and deletes their volumes"},
			{For: "docker machine", Title: "deletes or stops a virtual machine", Why: "its disks may go with it"},
			{For: "docker-machine", Title: "deletes or stops a virtual machine", Why: "its disks may go with it"},
		},
		Instead: []analysis.Hint{
			{For: "docker system prune", Text: "`docker system df` to look first"},
			{For: "docker volume", Text: "`docker volume ls` to look first"},
			{For: "docker compose down", Swap: "-v= --volumes=", Text: "`CALL`, which keeps the volumes"},
			{For: "docker-compose down", Swap: "-v= --volumes=", Text: "`CALL`, which keeps the volumes"},
		},
		Severity: analysis.Destructive,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(remote.Deleting(s, commands.OfContainer), remote.EveryContainer(s)...)
		},
	},
	{
		ID:    "swarm-change",
		Title: "takes a machine out of a swarm, or its rights",
		Why:   "what runs on it is moved or stopped",
		Says: []analysis.Said{
			{For: "docker node demote", Title: "makes the swarm's manager NAME a worker", Why: "with too few managers nobody can change the swarm"},
			{For: "docker node", Title: "removes a machine from the swarm"},
			{For: "docker swarm leave", Title: "takes this machine out of the swarm", Why: "its services stop here"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfSwarm) },
	},
	{
		ID:    "machine-delete",
		Title: "deletes a virtual machine",
		Why:   "its disks go with it",
		Instead: []analysis.Hint{
			{For: "vagrant", Text: "`vagrant status` to look first"},
			{For: "virsh", Text: "`virsh list --all` to look first"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfMachine) },
	},
	{
		ID:    "cloud-delete",
		Title: "deletes or stops resources in a cloud",
		Why:   "the cloud keeps no copy of what it deletes",
		Says: []analysis.Said{
			{For: "aws s3 rb --force", Title: "deletes the bucket NAME and everything in it"},
			{For: "aws s3 rb", Title: "deletes the bucket NAME"},
			{For: "aws s3 rm", Title: "deletes NAME from a bucket"},
		},
		Instead: []analysis.Hint{
			{For: "aws s3 rm", Add: "--dryrun", Text: "`CALL` to look first"},
			{For: "aws s3 rb", Swap: "rb=ls --force=", Text: "`CALL` to look first"},
			{For: "aws ec2", Swap: "terminate-instances=describe-instances stop-instances=describe-instances",
				Text: "`CALL` to look first"},
			{For: "gcloud", Swap: "delete=describe --quiet= -q=", Text: "`CALL` to look first"},
			{For: "az", Swap: "delete=show --yes= -y=", Text: "`CALL` to look first"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfCloud) },
	},
	{
		ID:    "platform-delete",
		Title: "deletes or stops something on a hosting platform",
		Why:   "a deleted application, domain or record is gone for its users",
		Instead: []analysis.Hint{
			{For: "heroku apps:destroy", Text: "`heroku apps:info` to look first"},
			{For: "wrangler delete", Add: "--dry-run", Text: "`CALL` to look first"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfPlatform) },
	},
	{
		ID:    "code-host-delete",
		Title: "deletes something on a code host or build service",
		Why:   "no clone contains issues, releases or settings",
		Says: []analysis.Said{
			{For: "gh repo delete", Title: "deletes the repository NAME", Why: "no clone contains its issues, releases and settings"},
			{For: "gh release delete", Title: "deletes the release NAME", Why: "its files and notes are gone"},
			{For: "gh secret delete", Title: "deletes the secret NAME", Why: "workflows that use it fail"},
		},
		Instead: []analysis.Hint{
			{For: "gh repo", Swap: "delete=view --yes= --confirm=", Text: "`CALL` to look first"},
			{For: "gh release", Swap: "delete=view --yes= -y= --cleanup-tag=", Text: "`CALL` to look first"},
			{For: "gh secret", Text: "`gh secret list` to look first"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfCodeHost) },
	},
	{
		ID:       "registry-delete",
		Title:    "unpublishes a package from a registry",
		Why:      "projects that depend on it can no longer build",
		Says:     []analysis.Said{{For: "npm unpublish", Title: "takes the package NAME off the registry"}},
		Instead:  []analysis.Hint{{For: "npm unpublish", Add: "--dry-run", Text: "`CALL` to look first"}},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfRegistry) },
	},
	{
		ID:    "storage-delete",
		Title: "deletes data stored on another machine",
		Why:   "remote storage has no trash folder",
		Instead: []analysis.Hint{
			{For: "rclone", Add: "--dry-run", Text: "`CALL` to look first"},
			{For: "rsync", Add: "--dry-run", Text: "`CALL` to look first"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfStorage) },
	},
	{
		ID:    "backup-delete",
		Title: "deletes backups or snapshots",
		Why:   "the last copy may be among them",
		Instead: []analysis.Hint{
			{For: "restic", Add: "--dry-run", Text: "`CALL` to look first"},
			{For: "borg", Add: "--dry-run", Text: "`CALL` to look first"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfBackup) },
	},
	{
		ID:    "queue-delete",
		Title: "deletes messages, topics or queues",
		Why:   "unread messages are lost",
		Instead: []analysis.Hint{
			{For: "kafka-topics.sh", Swap: "--delete=--describe", Text: "`CALL` to look first"},
			{For: "kafka-topics", Swap: "--delete=--describe", Text: "`CALL` to look first"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Deleting(s, commands.OfQueue) },
	},
	{
		ID:       "http-delete",
		Title:    "asks a server to delete something",
		Why:      "the server may keep no copy of what it deletes",
		Of:       "asks URL to delete something",
		Severity: analysis.Destructive,
		Find: func(s *analysis.Analysis) []analysis.Finding {
			return append(remote.HTTPDeletes(s), fedMutations(s)...)
		},
	},
	{
		ID:    "service-stop",
		Title: "stops or disables a system service",
		Why:   "what it provides is not available until it is started again",
		Says: []analysis.Said{
			{For: "systemctl stop", Title: "stops the service NAME"},
			{For: "systemctl disable --now", Title: "stops the service NAME and keeps it from starting"},
			{For: "systemctl disable", Title: "keeps the service NAME from starting"},
		},
		Instead:  []analysis.Hint{{For: "systemctl", Swap: "stop=status disable=status mask=status --now=", Text: "`CALL` to look first"}},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfServices) },
	},
	{
		ID:    "machine-stop",
		Title: "shuts down or restarts the machine",
		Why:   "everything running on it ends",
		Says: []analysis.Said{
			{For: "reboot", Title: "restarts the machine"},
			{For: "shutdown -r", Title: "restarts the machine"},
			{For: "shutdown", Title: "shuts the machine down"},
			{For: "poweroff", Title: "shuts the machine down"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfPower) },
	},
	{
		ID:       "kill-all",
		Title:    "kills every process, or one the system needs",
		Why:      "unsaved work and the session itself are lost",
		Says:     []analysis.Said{{For: "kill", Title: "kills every process that you may kill", Why: "unsaved work and this session are lost"}},
		Instead:  []analysis.Hint{{Text: "naming one process"}},
		Severity: analysis.Destructive,
		Find:     remote.KillsAll,
	},
	{
		ID:       "account-delete",
		Title:    "deletes a user or group account",
		Why:      "the user's files may be deleted or left without an owner",
		Says:     []analysis.Said{{For: "userdel", Title: "deletes the account NAME"}},
		Instead:  []analysis.Hint{{For: "userdel", Swap: "userdel=id -r= --remove= -f= --force=", Text: "`CALL` to look first"}},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfAccounts) },
	},
	{
		ID:    "network-cut",
		Title: "removes firewall rules or cuts the network connection",
		Why:   "the machine is exposed, or can no longer be reached",
		Instead: []analysis.Hint{
			{For: "iptables", Text: "`iptables -L` to look first"},
			{For: "ip", Text: "`ip addr` to look first"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfNetwork) },
	},
	{
		ID:    "volume-delete",
		Title: "deletes a storage volume, pool or snapshot",
		Why:   "everything on it is lost",
		Instead: []analysis.Hint{
			{For: "lvremove", Text: "`lvs` to look first"},
			{For: "zfs", Text: "`zfs list` to look first"},
		},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfVolumes) },
	},
	{
		ID:       "windows-system",
		Title:    "changes or deletes by a system tool of Windows",
		Why:      "what it changes binds every program and later login, or cannot be undone",
		Instead:  []analysis.Hint{{For: "reg", Swap: "add=query delete=query /f= //f=", Text: "`CALL` to look first"}},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfWindows) },
	},
	{
		ID:       "windows-loader",
		Title:    "fetches or runs code by a tool of Windows not meant for it",
		Why:      "what it runs is never shown, and virus scanners take it for an attack",
		Instead:  []analysis.Hint{{Text: "`curl -o FILE URL`, and reading the file before you run it"}},
		Severity: analysis.Suspicious,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfLoaders) },
	},
	{
		ID:       "macos-system",
		Title:    "changes macOS itself, its guards or other programs on it",
		Why:      "what it changes binds every program and later login, or acts in your name",
		Instead:  []analysis.Hint{{For: "defaults write", Swap: "write=read", Text: "`defaults read` to look first"}},
		Severity: analysis.Destructive,
		Find:     func(s *analysis.Analysis) []analysis.Finding { return remote.Stopping(s, commands.OfMac) },
	},
}
