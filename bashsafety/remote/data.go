package remote

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// storageDeletions are the programs that look after what is stored elsewhere.
var storageDeletions = []deletion{
	{
		programs: "rclone", dry: "dry-run n", flags: "-vPiL progress fast-list",
		values: "config transfers checkers include exclude filter filter-from max-age min-age max-size min-size log-file log-level bwlimit",
		verbs:  []string{"delete|purge|deletefile|sync|cleanup|dedupe|bisync", "backend cleanup|cleanup-hidden"},
	},
	{
		programs: "mc mcli minio-mc", values: "-C config-dir older-than newer-than", dry: "dry-run fake",
		flags: "-r recursive force dangerous versions incomplete remove insecure",
		verbs: []string{
			"rb", "rm -r|--recursive|--force|--versions|-I", "mirror --remove", "admin ** remove|rm|delete|stop", "ilm|event|replicate|tag|quota|encrypt ** rm|remove|clear",
			"retention|legalhold clear",
		},
	},
	{programs: "s3cmd", values: "-c config access_key secret_key region host", dry: "dry-run n", verbs: []string{"rb|delbucket", "del|rm -r|--recursive", "sync --delete-removed", "expire|dellifecycle|delpolicy"}},
	{programs: "s5cmd", values: "endpoint-url profile credentials-file numworkers", dry: "dry-run", verbs: []string{"rb", "rm ~*", "sync --delete"}},
	{programs: "s4cmd", dry: "dry-run n", verbs: []string{"del -r|--recursive"}},
	{programs: "b2 b2v4 backblaze-b2", values: "threads", dry: "dry-run", verbs: []string{"delete-*", "rm", "bucket|key|file|bucket ** delete", "sync --delete", "cancel-all-*", "file large|unfinished ** cancel*"}},
	{programs: "ossutil ossutil64 coscli obsutil", values: "-ceik config-file", verbs: []string{"rm -r|-b|--recursive|-a", "rb", "del* -r", "delete -r"}},
	{programs: "azcopy", flags: "recursive", dry: "dry-run", verbs: []string{"remove|rm", "sync --delete-destination=true|prompt"}},
	{programs: "swift", values: "-AUKV", verbs: []string{"delete"}},
	{programs: "gdrive dbxcli", verbs: []string{"** delete|rm", "rm"}},
	{programs: "lftp", values: "-euc", verbs: []string{" ~mirror ~--delete", " ~rm"}},
	{programs: "hdfs hadoop", style: commands.SingleDash, values: "D conf fs", verbs: []string{"dfs|fs -rm -r|-R|-f|-skipTrash", "dfs|fs -rmr|-expunge", "namenode -format"}},
	{programs: "ceph rbd rados", values: "-pc pool conf cluster", verbs: []string{"** rm|remove|delete|purge|destroy|zap|rmpool|cleanup|out"}},
	{programs: "gluster", verbs: []string{"volume delete|stop|reset", "snapshot delete", "peer detach"}},
	{
		programs: "rsync", dry: "dry-run n list-only",
		values: "-efTBM@ rsh exclude include filter files-from exclude-from include-from rsync-path password-file port max-delete bwlimit timeout chmod chown backup-dir",
		flags:  "-avzrhPuctlpgoDiWxSHXEIVOJRdbLKkF",
		fits:   rsyncDeletesThere,
	},
}

// rsyncDeletesThere: what rsync deletes is at its last operand, here about
// files, on another machine about something else.
func rsyncDeletesThere(r *reading) bool {
	if len(r.words) < 2 || !r.given("--delete*|--del|--remove-source-files") {
		return false
	}
	there := r.words
	if r.given("--delete*|--del") {
		there = there[len(there)-1:]
	} else {
		there = there[:len(there)-1]
	}
	for _, w := range there {
		host, _, remote := strings.Cut(w.Text, ":")
		if remote && !strings.Contains(host, "/") {
			return true
		}
	}
	return false
}

// backupDeletions are the programs that keep copies of the past.
var backupDeletions = []deletion{
	{programs: "borg borg1 borg2", values: "-rPa repo prefix glob-archives remote-path rsh lock-wait", dry: "dry-run n", verbs: []string{"delete|prune|compact|recreate|repo-delete", "key remove"}},
	{programs: "borgmatic", values: "-cv config verbosity repository archive", dry: "dry-run n", verbs: []string{"prune|compact|delete|repo-delete", " --prune"}},
	{programs: "restic rustic", values: "-rpo repo repository-file password-file password-command option keep-last keep-daily tag host path cache-dir", dry: "dry-run n", verbs: []string{"forget|prune", "key remove", "snapshots ** delete", "unlock --remove-all"}},
	{programs: "kopia", values: "config-file log-level password", verbs: []string{"snapshot|snap|manifest|blob|policy|content|index delete|remove|rm", "snapshot expire --delete"}},
	{programs: "duplicity", values: "name archive-dir", dry: "dry-run", verbs: []string{"remove-*|cleanup"}},
	{programs: "duply", verbs: []string{"* purge*|cleanup"}},
	{programs: "bup", values: "-d", dry: "dry-run n", verbs: []string{"rm|gc|prune-older"}},
	{programs: "tarsnap", values: "-f keyfile cachedir", verbs: []string{" -d", " --nuke"}},
	{programs: "rdiff-backup", verbs: []string{"remove", " --remove-older-than"}},
	{programs: "timeshift", verbs: []string{" --delete|--delete-all", " --restore"}},
	{programs: "snapper", values: "-c config root", verbs: []string{"delete|remove|rm|cleanup|delete-config|rollback|undochange"}},
	{programs: "tmutil", verbs: []string{"delete|deletelocalsnapshots|deleteinprogress|disable|thinlocalsnapshots"}},
	{programs: "wal-g", verbs: []string{"delete --confirm", "st rm"}},
	{programs: "pgbackrest barman", values: "-c stanza config", dry: "dry-run", verbs: []string{"expire|stanza-delete|stop", "delete"}},
	{programs: "proxmox-backup-client proxmox-backup-manager", values: "repository ns", dry: "dry-run", verbs: []string{"** forget|prune|delete|remove"}},
	{
		programs: "velero", values: "-nl namespace kubeconfig kubecontext selector", flags: "confirm",
		verbs: []string{"delete", "* delete", "uninstall", "schedule pause"},
	},
	{programs: "vssadmin wbadmin", verbs: []string{"delete", "resize shadowstorage"}},
}

// queueDeletions are the programs of message brokers and schedulers.
var queueDeletions = []deletion{
	{programs: "kafka-topics kafka-topics.sh", values: "bootstrap-server zookeeper topic command-config partitions", flags: "if-exists", verbs: []string{" --delete"}},
	{
		programs: "kafka-consumer-groups kafka-consumer-groups.sh", values: "bootstrap-server group topic command-config", dry: "dry-run",
		verbs: []string{" --delete|--delete-offsets", " --reset-offsets --execute"},
	},
	{programs: "kafka-configs kafka-configs.sh", values: "bootstrap-server entity-type entity-name", verbs: []string{" --delete-config"}},
	{programs: "kafka-acls kafka-acls.sh", values: "bootstrap-server", verbs: []string{" --remove"}},
	{programs: "kafka-delete-records kafka-delete-records.sh kafka-streams-application-reset kafka-streams-application-reset.sh", dry: "dry-run", verbs: []string{""}},
	{programs: "kafka-storage kafka-storage.sh", verbs: []string{"format"}},
	{programs: "kafka-server-stop kafka-server-stop.sh zookeeper-server-stop zookeeper-server-stop.sh", verbs: []string{""}},
	{programs: "zookeeper-shell zookeeper-shell.sh zkCli.sh zkCli zkcli", values: "server", verbs: []string{"** delete|deleteall|rmr", " ~deleteall", " ~rmr"}},
	{programs: "rpk", values: "-X brokers config profile", verbs: []string{"** delete|trim-prefix|remove|decommission|destroy"}, spares: []string{"profile", "container"}},
	{programs: "confluent kcctl", values: "environment cluster context url", verbs: []string{"** delete|pause", "delete"}},
	{
		programs: "rabbitmqctl rabbitmq-diagnostics", values: "-nptl node vhost timeout",
		verbs: []string{"delete_*|reset|force_reset|purge_queue|forget_cluster_node|stop|stop_app|shutdown|clear_*|close_*|remove_*"},
	},
	{programs: "rabbitmqadmin", values: "-HPupVcN host port username password vhost config node base-uri", verbs: []string{"delete|purge|close", "** delete|purge|delete_*|purge_*"}},
	{
		programs: "nats", values: "-s server user password creds context timeout domain",
		verbs: []string{"stream|str|s|st|consumer|con|c|kv|object|obj|account|auth ** rm|del|delete|purge|rmm|d", "server|srv ** purge|peer-remove|account-purge"},
		spares: []string{
			"context",
		},
	},
	{programs: "pulsar-admin", values: "admin-url auth-plugin auth-params", verbs: []string{"* delete|delete-*|clear-*|terminate|truncate|skip-all|expire-messages*|remove-*|unload|reset-cursor"}},
	{programs: "activemq artemis", values: "user password url", verbs: []string{"purge|stop|destroy", "** delete|purge"}},
	{programs: "mosquitto_ctrl", verbs: []string{"** delete*|remove*"}},
	{programs: "celery", values: "-Ab app broker workdir", verbs: []string{"purge", "amqp queue.delete|queue.purge|exchange.delete", "control shutdown|revoke|terminate", "multi stop*|kill"}},
	{programs: "artisan", verbs: []string{"queue:clear|queue:flush|horizon:clear"}},
	{programs: "rq", values: "-u url", verbs: []string{"empty"}},
	{programs: "temporal tctl", values: "-n namespace address", verbs: []string{"** delete|terminate|cancel|reset|term|can"}},
	{programs: "airflow prefect dagster", verbs: []string{"* delete|clear", "** delete|wipe"}},
}
