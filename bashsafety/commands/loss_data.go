package commands

import "strings"

// storageDeletions are the programs that look after what is stored elsewhere.
var storageDeletions = []Loss{
	{
		Names: "mc mcli minio-mc", Values: "-C config-dir older-than newer-than", Dry: "dry-run fake",
		Flags: "-r recursive force dangerous versions incomplete remove insecure",
		Verbs: []string{
			"rb", "rm -r|--recursive|--force|--versions|-I", "mirror --remove", "admin ** remove|rm|delete|stop", "ilm|event|replicate|tag|quota|encrypt ** rm|remove|clear",
			"retention|legalhold clear",
		},
	},
	{Names: "s4cmd", Dry: "dry-run n", Verbs: []string{"del -r|--recursive"}},
	{Names: "b2 b2v4 backblaze-b2", Values: "threads", Dry: "dry-run", Verbs: []string{"delete-*", "rm", "bucket|key|file|bucket ** delete", "sync --delete", "cancel-all-*", "file large|unfinished ** cancel*"}},
	{Names: "ossutil ossutil64 coscli obsutil", Values: "-ceik config-file", Verbs: []string{"rm -r|-b|--recursive|-a", "rb", "del* -r", "delete -r"}},
	{Names: "swift", Values: "-AUKV", Verbs: []string{"delete"}},
	{Names: "gdrive dbxcli", Verbs: []string{"** delete|rm", "rm"}},
	{Names: "hdfs hadoop", Style: SingleDash, Values: "D conf fs", Verbs: []string{"dfs|fs -rm -r|-R|-f|-skipTrash", "dfs|fs -rmr|-expunge", "namenode -format"}},
	{Names: "ceph rbd rados", Values: "-pc pool conf cluster", Verbs: []string{"** rm|remove|delete|purge|destroy|zap|rmpool|cleanup|out"}},
	{Names: "gluster", Verbs: []string{"volume delete|stop|reset", "snapshot delete", "peer detach"}},
}

// rsyncDeletesThere: what rsync deletes is at its last operand, here about
// files, on another machine about something else.
func rsyncDeletesThere(r *lossReading) bool {
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
var backupDeletions = []Loss{
	{Names: "borg borg1 borg2", Values: "-rPa repo prefix glob-archives remote-path rsh lock-wait", Dry: "dry-run n", Verbs: []string{"delete|prune|compact|recreate|repo-delete", "key remove"}},
	{Names: "borgmatic", Values: "-cv config verbosity repository archive", Dry: "dry-run n", Verbs: []string{"prune|compact|delete|repo-delete", " --prune"}},
	{Names: "restic rustic", Values: "-rpo repo repository-file password-file password-command option keep-last keep-daily tag host path cache-dir", Dry: "dry-run n", Verbs: []string{"forget|prune", "key remove", "snapshots ** delete", "unlock --remove-all"}},
	{Names: "kopia", Values: "config-file log-level password", Verbs: []string{"snapshot|snap|manifest|blob|policy|content|index delete|remove|rm", "snapshot expire --delete"}},
	{Names: "duplicity", Values: "name archive-dir", Dry: "dry-run", Verbs: []string{"remove-*|cleanup"}},
	{Names: "duply", Verbs: []string{"* purge*|cleanup"}},
	{Names: "bup", Values: "-d", Dry: "dry-run n", Verbs: []string{"rm|gc|prune-older"}},
	{Names: "tarsnap", Values: "-f keyfile cachedir", Verbs: []string{" -d", " --nuke"}},
	{Names: "rdiff-backup", Verbs: []string{"remove", " --remove-older-than"}},
	{Names: "timeshift", Verbs: []string{" --delete|--delete-all", " --restore"}},
	{Names: "snapper", Values: "-c config root", Verbs: []string{"delete|remove|rm|cleanup|delete-config|rollback|undochange"}},
	{Names: "wal-g", Verbs: []string{"delete --confirm", "st rm"}},
	{Names: "pgbackrest barman", Values: "-c stanza config", Dry: "dry-run", Verbs: []string{"expire|stanza-delete|stop", "delete"}},
	{Names: "proxmox-backup-client proxmox-backup-manager", Values: "repository ns", Dry: "dry-run", Verbs: []string{"** forget|prune|delete|remove"}},
	{
		Names: "velero", Values: "-nl namespace kubeconfig kubecontext selector", Flags: "confirm",
		Verbs: []string{"delete", "* delete", "uninstall", "schedule pause"},
	},
	{Names: "vssadmin wbadmin", Verbs: []string{"delete", "resize shadowstorage"}},
}

// queueDeletions are the programs of message brokers and schedulers.
var queueDeletions = []Loss{
	{Names: "kafka-topics kafka-topics.sh", Values: "bootstrap-server zookeeper topic command-config partitions", Flags: "if-exists", Verbs: []string{" --delete"}},
	{
		Names: "kafka-consumer-groups kafka-consumer-groups.sh", Values: "bootstrap-server group topic command-config", Dry: "dry-run",
		Verbs: []string{" --delete|--delete-offsets", " --reset-offsets --execute"},
	},
	{Names: "kafka-configs kafka-configs.sh", Values: "bootstrap-server entity-type entity-name", Verbs: []string{" --delete-config"}},
	{Names: "kafka-acls kafka-acls.sh", Values: "bootstrap-server", Verbs: []string{" --remove"}},
	{Names: "kafka-delete-records kafka-delete-records.sh kafka-streams-application-reset kafka-streams-application-reset.sh", Dry: "dry-run", Verbs: []string{""}},
	{Names: "kafka-storage kafka-storage.sh", Verbs: []string{"format"}},
	{Names: "kafka-server-stop kafka-server-stop.sh zookeeper-server-stop zookeeper-server-stop.sh", Verbs: []string{""}},
	{Names: "zookeeper-shell zookeeper-shell.sh zkCli.sh zkCli zkcli", Values: "server", Verbs: []string{"** delete|deleteall|rmr", " ~deleteall", " ~rmr"}},
	{Names: "rpk", Values: "-X brokers config profile", Verbs: []string{"** delete|trim-prefix|remove|decommission|destroy"}, Spares: []string{"profile", "container"}},
	{Names: "confluent kcctl", Values: "environment cluster context url", Verbs: []string{"** delete|pause", "delete"}},
	{
		Names: "rabbitmqctl rabbitmq-diagnostics", Values: "-nptl node vhost timeout",
		Verbs: []string{"delete_*|reset|force_reset|purge_queue|forget_cluster_node|stop|stop_app|shutdown|clear_*|close_*|remove_*"},
	},
	{Names: "rabbitmqadmin", Values: "-HPupVcN host port username password vhost config node base-uri", Verbs: []string{"delete|purge|close", "** delete|purge|delete_*|purge_*"}},
	{
		Names: "nats", Values: "-s server user password creds context timeout domain",
		Verbs: []string{"stream|str|s|st|consumer|con|c|kv|object|obj|account|auth ** rm|del|delete|purge|rmm|d", "server|srv ** purge|peer-remove|account-purge"},
		Spares: []string{
			"context",
		},
	},
	{Names: "pulsar-admin", Values: "admin-url auth-plugin auth-params", Verbs: []string{"* delete|delete-*|clear-*|terminate|truncate|skip-all|expire-messages*|remove-*|unload|reset-cursor"}},
	{Names: "activemq artemis", Values: "user password url", Verbs: []string{"purge|stop|destroy", "** delete|purge"}},
	{Names: "mosquitto_ctrl", Verbs: []string{"** delete*|remove*"}},
	{Names: "celery", Values: "-Ab app broker workdir", Verbs: []string{"purge", "amqp queue.delete|queue.purge|exchange.delete", "control shutdown|revoke|terminate", "multi stop*|kill"}},
	{Names: "artisan", Verbs: []string{"queue:clear|queue:flush|horizon:clear"}},
	{Names: "rq", Values: "-u url", Verbs: []string{"empty"}},
	{Names: "temporal tctl", Values: "-n namespace address", Verbs: []string{"** delete|terminate|cancel|reset|term|can"}},
	{Names: "airflow prefect dagster", Verbs: []string{"* delete|clear", "** delete|wipe"}},
}
