package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// lossFamilies are the tables of the programs that no Command has, or more than one.
var lossFamilies = [...][]Loss{
	OfInfra: {
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
	},
	OfCluster: {
		{Names: "kapp", Values: "-an app namespace", Dry: "diff-run", Verbs: []string{"delete", "app-group delete", "app-change gc"}},
		{Names: "skaffold tanzu clusterctl vcluster loft crc", Values: "-fpmn filename profile module namespace context", Verbs: []string{"delete", "** delete"}},
		{Names: "tilt", Verbs: []string{"down --delete-namespaces"}},
		{Names: "garden okteto devspace", Values: "-nkce namespace context env", Verbs: []string{"delete", "destroy", "purge", "cleanup", "reset ** pods", "* delete|destroy"}},
		{Names: "flux", Values: "-n namespace context kubeconfig timeout", Dry: "dry-run", Flags: "-s silent keep-namespace", Verbs: []string{"uninstall", "delete", "suspend"}},
		{Names: "argo tkn kn", Values: "-nl namespace selector", Verbs: []string{"delete|stop|terminate", "* delete|rm"}},
		{Names: "istioctl cilium", Values: "-fn filename namespace context", Dry: "dry-run", Verbs: []string{"uninstall", "x uninstall", "experimental uninstall"}},
		{Names: "kops", Values: "name state", Verbs: []string{"delete --yes|-y", "delete instance|secret|sshpublickey"}},
		{Names: "kubeadm k0s k0sctl microk8s", Values: "config", Dry: "dry-run", Verbs: []string{"reset"}},
		{Names: "talosctl", Values: "-nec nodes endpoints context talosconfig", Dry: "dry-run", Verbs: []string{"reset|shutdown|wipe", "cluster destroy", "etcd remove-member|leave|forfeit-leadership"}},
		{Names: "rke ko kompose", Verbs: []string{"remove|delete|down"}},
		{Names: "rancher", Verbs: []string{"** delete|rm"}},
		{Names: "k3s-uninstall.sh k3s-agent-uninstall.sh k3s-killall.sh rke2-uninstall.sh rke2-killall.sh", Verbs: []string{""}},
	},
	OfContainer: {
		{Names: "skopeo regctl crane oras harbor", Values: "-u", Verbs: []string{"delete", "* delete|rm", "rm"}},
		{Names: "reg", Values: "-u", Verbs: []string{"delete", "* delete|rm", "rm"}, Spares: []string{`delete hk*|\\\\*`}}, // not that of Windows
		{Names: "docker-machine", Values: "-s", Verbs: []string{"rm|kill"}},
	},
	OfMachine: {
		{Names: "multipass limactl lima colima tart orb orbctl", Values: "-p profile", Verbs: []string{"delete", "purge", "rm", "factory-reset", "reset", "prune"}},
		{
			Names: "virsh", Values: "-cdlek connect debug log",
			Verbs: []string{"destroy|undefine|*-destroy|*-undefine|vol-delete|vol-wipe|pool-delete|snapshot-delete|managedsave-remove|checkpoint-delete|shutdown|reset"},
		},
		{
			Names: "VBoxManage vboxmanage", Style: SingleDash,
			Verbs: []string{"unregistervm", "closemedium -delete", "controlvm * poweroff|reset", "snapshot * delete", "natnetwork|hostonlyif|dhcpserver remove"},
		},
		{Names: "qm pct pvesh", Verbs: []string{"destroy|stop|delsnapshot|shutdown", "delete"}},
		{Names: "lxc-destroy", Verbs: []string{""}},
		{Names: "prlctl utmctl quickemu krunvm", Verbs: []string{"delete|stop --kill", "delete", "unregister", " --delete-vm|--delete-disk"}},
		{Names: "govc", Style: SingleDash, Verbs: []string{"*.destroy|*.rm|*.remove|*.delete"}},
		{Names: "xe", Verbs: []string{"*-destroy|*-uninstall"}},
	},
	OfCloud: {
		{Names: "azd", Values: "-eC environment cwd", Verbs: []string{"** @|down"}},
		{Names: "ibmcloud bx", Values: "-gr output region", Verbs: []string{"** @"}, Spares: []string{"plugin", "config"}},
		{
			Names: "oci", Values: "profile config-file region output query auth", Flags: "force", Dry: "dry-run generate-full-command-json-input",
			Verbs: []string{"** @", "** action --action=STOP|SOFTSTOP|RESET|SOFTRESET"},
		},
		{Names: "hcloud", Values: "context config", Verbs: []string{"** @"}, Spares: []string{"context", "config"}},
		{Names: "scw", Values: "-pcDo profile config output", Verbs: []string{"** @"}, Spares: []string{"config"}},
		{
			Names: "vultr-cli vultr exo upctl civo linode packet metal ovhcloud openstack linode-cli lin yc sf sfdx", Verbs: []string{"** @|halt|shelve|pause"},
			Values: "region output as-user format page os-cloud os-project-name profile folder-id cloud-id target-org", Spares: []string{"config"},
		},
		{Names: "aliyun tccli", Values: "profile region", Verbs: []string{"** @", "* Release*|Isolate*", "oss rb"}},
		{Names: "cf cf7 cf8", Verbs: []string{"@|d|ds|dsk|sp|us"}},
		{
			Names: "remove-az* remove-ec2* remove-s3* remove-rds* remove-iam* remove-vm remove-gc* stop-az* stop-ec2* stop-vm remove-cluster* disable-az*",
			Style: SingleDash, Dry: "whatif", Verbs: []string{""},
		},
	},
	OfPlatform: {
		{Names: "netlify ntl", Values: "-s auth site filter", Verbs: []string{"** @|*:clear", "api *{*"}, Spares: []string{"api get*|list*", "unlink"}},
		{
			Names: "vercel vc render northflank koyeb deployctl shopify eas expo-cli appwrite sanity contentful ngrok clever scalingo dokku platform upsun " +
				"terminus acli cloudflared fastly twilio sentry-cli datadog-ci dog newrelic pd grr grafanactl algolia apigeecli",
			Values: "token scope local-config global-config cwd team output project environment store theme dataset space-id app config service-id " +
				"service-name profile application-id org env",
			Verbs: []string{"** @|archive|pause|*:wipe|clean|cleanup|clear|del|*_delete"},
		},
		{Names: "surge", Verbs: []string{"teardown"}},
		{Names: "ddev lando", Verbs: []string{"delete|clean|destroy"}},
		{
			Names: "stripe", Values: "-pd project-name api-key config device-name data stripe-account", Flags: "live",
			Verbs: []string{"** @|void|void_invoice|archive|roll"}, Spares: []string{"listen|trigger|logs|samples"},
		},
		{Names: "flarectl cfcli cli53 cli4", Verbs: []string{"** @|d|removerecord|rrdelete|rrpurge", " --delete"}},
		{Names: "dnscontrol", Verbs: []string{"push"}},
		{Names: "octodns-sync", Verbs: []string{" --doit"}},
		{Names: "lexicon", Verbs: []string{"* delete"}},
		{Names: "pdnsutil rndc", Values: "-sk", Verbs: []string{"@|clear-zone|delzone|halt", "zone delete"}},
		{Names: "splunk", Verbs: []string{"@|clean|offline"}, Values: "-auth"},
		{Names: "ldcli unleash flipt flagsmith configcat statsig", Values: "access-token project environment", Verbs: []string{"** @|archive|toggle-off"}},
		{Names: "deck", Values: "-s kong-addr headers config", Verbs: []string{"reset|sync", "gateway reset|sync"}},
		{Names: "kong", Values: "-cp conf prefix", Verbs: []string{"migrations reset", "stop|quit"}},
		{Names: "curator curator_cli", Values: "config host port", Dry: "dry-run", Verbs: []string{"delete*|close|shrink"}},
		{Names: "influx", Values: "-o host org token", Verbs: []string{"@", "* @"}},
	},
	OfCodeHost: {
		{Names: "hub", Values: "-C", Verbs: []string{"delete", "release delete", "api -X|--method=DELETE"}},
		{Names: "tea", Values: "-lro login repo remote", Verbs: []string{"** @"}},
		{Names: "gitlab-runner", Verbs: []string{"unregister|stop|uninstall"}},
		{Names: "gitlab-ctl", Verbs: []string{"stop|cleanse|uninstall|remove-accounts"}},
		{Names: "circleci", Values: "host token", Verbs: []string{"** @|unlist"}},
		{Names: "jenkins-cli jenkins-cli.jar jcli", Values: "-s auth", Verbs: []string{jenkinsVerbs}},
		{Names: "jenkins-jobs jjb", Values: "conf", Verbs: []string{"delete|delete-all", "update --delete-old"}},
		{Names: "bk drone woodpecker-cli codefresh spin octopus octo", Values: "-ts server token org pipeline", Verbs: []string{"** @"}},
		{Names: "travis", Values: "-re repo api-endpoint", Verbs: []string{"disable|cancel", "cache --delete|-d", "env unset|clear"}},
	},
	OfRegistry: {
		{
			Names: "npm pnpm", Values: "-Cw registry otp tag loglevel prefix dir userconfig workspace", Dry: "dry-run",
			Verbs: []string{"unpublish|deprecate", "access|author|dist-tag|dist-tags|hook|org|owner|profile|team|token @"},
		},
		{Names: "dotnet nuget", Values: "-sk source api-key", Verbs: []string{"nuget delete", "delete"}},
		{Names: "mix", Verbs: []string{"hex.retire", "hex.publish --revert", "hex.owner remove"}},
		{Names: "pod", Verbs: []string{"trunk delete|deprecate|remove-owner"}},
		{Names: "vsce ovsx", Values: "-p pat", Verbs: []string{"unpublish|delete-publisher"}},
		{Names: "pypi-cleanup", Verbs: []string{" --do-it"}},
		{Names: "hub-tool pio platformio", Verbs: []string{"tag|repo rm", "pkg|package unpublish", "org|team destroy"}},
		{Names: "conan", Values: "-q", Verbs: []string{"remove --remote|-r"}},
		{Names: "anaconda cloudsmith", Values: "-tsk", Verbs: []string{"delete|remove|rm|quarantine", "* delete|rm"}},
		{Names: "jf jfrog", Dry: "dry-run", Verbs: []string{"rt delete|del|rdel|repo-delete|*-delete|*-del", "* delete|*-delete"}, Values: "server-id url user password"},
		{Names: "aptly", Values: "-config", Verbs: []string{"repo|snapshot|mirror|publish drop", "repo remove"}},
		{Names: "reprepro", Values: "-bC", Verbs: []string{"remove*|clearvanished|removefilter"}},
		{Names: "hf huggingface-cli", Values: "repo-type token", Verbs: []string{"repo delete", "repo-files ** delete", "repo branch|tag delete"}},
		{Names: "kaggle", Verbs: []string{"* delete"}},
	},
	OfStorage: {
		{
			Names: "mc mcli minio-mc", Values: "-C config-dir older-than newer-than", Dry: "dry-run fake",
			Flags: "-r recursive force dangerous versions incomplete remove insecure",
			Verbs: []string{
				"rb", "rm -r|--recursive|--force|--versions|-I", "mirror --remove", "admin ** remove|rm|delete|stop", "ilm|event|replicate|tag|quota|encrypt ** rm|remove|clear",
				"retention|legalhold clear",
			},
		},
		{Names: "s4cmd", Dry: "dry-run n", Verbs: []string{"del -r|--recursive"}},
		{Names: "b2 b2v4 backblaze-b2", Values: "threads", Dry: "dry-run", Verbs: []string{"delete-*", "rm", "bucket|key|file ** delete", "sync --delete", "cancel-all-*", "file large|unfinished ** cancel*"}},
		{Names: "ossutil ossutil64 coscli obsutil", Values: "-ceik config-file", Verbs: []string{"rm -r|-b|--recursive|-a", "rb", "del* -r", "delete -r"}},
		{Names: "swift", Values: "-AUKV", Verbs: []string{"delete"}},
		{Names: "gdrive dbxcli ia skicka filen transmission-remote", Verbs: []string{"** delete|rm", "rm", " --remove-and-delete"}},
		{Names: "hdfs hadoop", Style: SingleDash, Values: "D conf fs", Verbs: []string{"dfs|fs -rm -r|-R|-f|-skipTrash", "dfs|fs -rmr|-expunge", "namenode -format"}},
		{Names: "ceph rbd rados", Values: "-pc pool conf cluster", Verbs: []string{"** rm|remove|delete|purge|destroy|zap|rmpool|cleanup|out"}},
		{Names: "gluster", Verbs: []string{"volume delete|stop|reset", "snapshot delete", "peer detach"}},
	},
	OfBackup: {
		{Names: "borg borg1 borg2", Values: "-rPa repo prefix glob-archives remote-path rsh lock-wait", Dry: "dry-run n", Verbs: []string{"delete|prune|compact|recreate|repo-delete", "key remove"}},
		{Names: "borgmatic", Values: "-cv config verbosity repository archive", Dry: "dry-run n", Verbs: []string{"prune|compact|delete|repo-delete", " --prune"}},
		{Names: "restic rustic", Values: "-rpo repo repository-file password-file password-command option keep-last keep-daily tag host path cache-dir", Dry: "dry-run n", Verbs: []string{"forget|prune", "key remove", "snapshots ** delete", "unlock --remove-all"}},
		{Names: "kopia", Values: "config-file log-level password", Verbs: []string{"snapshot|snap|manifest|blob|policy|content|index delete|remove|rm", "snapshot expire --delete"}},
		{Names: "duplicity", Values: "name archive-dir", Dry: "dry-run", Verbs: []string{"remove-*|cleanup"}},
		{Names: "duply", Verbs: []string{"* purge*|cleanup"}},
		{Names: "bup duplicacy", Values: "-d", Dry: "dry-run n", Verbs: []string{"rm|gc|prune|prune-older"}},
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
	},
	OfQueue: {
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
		{Names: "exim exim4 postsuper", Style: SingleDash, Verbs: []string{" -Mrm|-d"}},
		{Names: "artisan", Verbs: []string{"queue:clear|queue:flush|horizon:clear"}},
		{Names: "rq", Values: "-u url", Verbs: []string{"empty"}},
		{Names: "temporal tctl", Values: "-n namespace address", Verbs: []string{"** delete|terminate|cancel|reset|term|can"}},
		{Names: "airflow prefect dagster", Verbs: []string{"* delete|clear", "** delete|wipe"}},
	},
	OfCall: {
		{Names: "grpcurl grpc_cli evans", Values: "-dHv import-path proto", Style: SingleDash, Verbs: []string{"** */Delete*|*.Delete*|*/Remove*|*/Purge*"}},
		{Names: "awscurl", Values: "-XdH request", Verbs: []string{" -X|--request=DELETE"}},
	},
	OfServices: {
		{Names: "service rc-service", Verbs: []string{"* stop|force-stop|zap"}},
		{Names: "invoke-rc.d", Verbs: []string{"* stop"}},
		{Names: "rc-update update-rc.d chkconfig", Values: "level", Verbs: []string{"del|delete", "* remove|disable|off", " --del"}},
		{Names: "initctl", Values: "system", Verbs: []string{"stop|emit"}},
		{Names: "sv", Values: "-w", Verbs: []string{"stop|down|d|exit|kill|force-stop|force-shutdown|k"}},
		{Names: "supervisorctl", Values: "-csup configuration serverurl username password", Verbs: []string{"stop|shutdown|remove|clear"}},
		{Names: "monit", Values: "-cg", Verbs: []string{"stop|quit|unmonitor"}},
		{Names: "nginx", Verbs: []string{" -s=stop|quit"}, Values: "-scgp"},
		{Names: "apachectl apache2ctl httpd apache2 squid", Verbs: []string{"stop|graceful-stop", " -k=stop|graceful-stop|shutdown|kill"}, Values: "-kfd"},
		{Names: "caddy varnishadm", Values: "-STn address", Verbs: []string{"stop"}},
		{Names: "stop-service stop-computer restart-computer remove-service suspend-service", Style: SingleDash, Dry: "whatif", Verbs: []string{""}},
		{Names: "sc", Verbs: []string{"stop|delete", "\\\\* stop|delete"}},
		{Names: "net", Verbs: []string{"stop"}},
		{Names: "fuser", Values: "n namespace", Verbs: []string{" -k -m|--mount"}},
		{Names: "pm2", Verbs: []string{"delete|del|stop all", "kill"}},
	},
	OfPower: {
		{Names: "pm-suspend pm-hibernate zzz", Verbs: []string{""}},
	},
	OfAccounts: {
		{Names: "userdel deluser groupdel delgroup remove-localuser remove-aduser remove-adgroup remove-localgroup", Style: SingleDash, Dry: "whatif", Verbs: []string{""}},
		{Names: "pw", Verbs: []string{"userdel|groupdel", "user|group del"}},
		{Names: "dscl", Style: SingleDash, Verbs: []string{" -delete"}},
		{Names: "sysadminctl", Style: SingleDash, Verbs: []string{" -deleteUser"}},
		{Names: "dseditgroup", Values: "-outTnpar", Verbs: []string{" -o=delete"}},
		{Names: "net", Verbs: []string{"user|localgroup|group|share|use ** /delete|/del"}},
		{Names: "ipa samba-tool homectl pveum", Verbs: []string{"*-del|remove", "user|group|computer|ou delete"}},
		{Names: "gpasswd smbpasswd pdbedit", Verbs: []string{" -d|-x|--delete"}},
		{Names: "chpasswd", Verbs: []string{""}},
		{Names: "ldapdelete", Dry: "n", Values: "-DHwyfxbs", Verbs: []string{""}},
	},
	OfNetwork: {
		{
			Names: "iptables ip6tables iptables-legacy ip6tables-legacy iptables-nft ip6tables-nft ebtables arptables", Values: "-tsw table",
			Flags: "-vn", Verbs: []string{" -F|--flush", " -X|--delete-chain", " -D|--delete", " -P|--policy ~DROP"},
		},
		{Names: "ipfw", Verbs: []string{"** flush|delete"}},
		{Names: "ifdown", Verbs: []string{""}},
		{
			Names: "nmcli", Values: "-fmegw fields mode escape get-values wait",
			Verbs: []string{
				"c|co|con|conn|connection d|de|del|dele|delet|delete|do|dow|down", "n|net|netw|networking off|of", "r|ra|radio ** off", "d|dev|device d|di|dis|disc*|de|del*",
			},
		},
		{Names: "wg-quick", Verbs: []string{"down"}},
		{Names: "brctl ovs-vsctl", Verbs: []string{"delbr|delif|del-*", "** del-br|del-port|emer-reset"}},
		{Names: "netsh", Verbs: []string{"advfirewall reset", "advfirewall set * state off", "** delete|reset"}},
	},
	OfVolumes: {
		{Names: "lvremove vgremove pvremove lvreduce vgreduce", Dry: "test t", Verbs: []string{""}, Values: "-L size"},
		{Names: "lvm", Dry: "test t", Verbs: []string{"lvremove|vgremove|pvremove|lvreduce|vgreduce"}},
		{Names: "btrfs", Verbs: []string{"su*|subvolume del*", "d*|device rem*|del*", "qgroup destroy"}},
		{Names: "dmsetup", Verbs: []string{"remove|remove_all|wipe_table|clear"}},
		{Names: "losetup", Verbs: []string{" -D|--detach-all", " -d|--detach"}},
		{Names: "stratis", Verbs: []string{"pool|filesystem|fs|blockdev destroy", "filesystem|fs snapshot destroy"}},
		{Names: "partx kpartx systemd-cryptenroll", Verbs: []string{" -d|--delete|--wipe-slot"}},
		{Names: "ndctl bcachefs esptool esptool.py st-flash", Values: "-pbc port baud chip", Verbs: []string{"destroy-namespace|format|erase|erase_*|erase-*", "device remove"}},
		{Names: "iscsiadm", Values: "-mTpo op", Verbs: []string{" -o=delete", " --op=delete"}},
		{Names: "remove-partition clear-disk format-volume remove-virtualdisk remove-storagepool", Style: SingleDash, Dry: "whatif", Verbs: []string{""}},
	},
	// The tools of Windows as https://learn.microsoft.com/windows-server/administration/windows-commands has them, with
	// / and with Git Bash's // before an option.
	OfWindows: {
		{Names: "logoff runas", Verbs: []string{""}},
		{Names: "pnputil", Verbs: []string{"** */delete-driver*|*/add-driver*|*/remove-device*", " -delete-driver|-add-driver|-d|-a"}, Style: SingleDash},
		{Names: "reg", Verbs: []string{"add|delete|import|restore|load|unload|copy|save"}},
		{Names: "subst", Verbs: []string{"*: *"}, Spares: []string{"*/d"}},
		{Names: "regini takeown sdelete sdelete64 bootrec bcdboot bootsect setx", Verbs: []string{"*"}, Spares: []string{"*/?"}},
		{Names: "regedit", Verbs: []string{"*"}, Spares: []string{"*/e"}},
		{Names: "schtasks", Style: SingleDash, Verbs: []string{"** */create|*/change|*/delete|*/run|*/end", " -create|-change|-delete|-run|-end"}},
		{Names: "sc", Verbs: []string{"create|config|failure|sdset|pause|privs|triggerinfo", "\\\\* create|config|failure|sdset"}},
		{
			Names: "net net1", Verbs: []string{"** */add*|*/delete|*/del|*/active:*|*/grant:*|*/times:*", "user * *", "accounts *"},
			Spares: []string{"user * */domain $", "accounts */domain $"},
		},
		{
			Names: "icacls cacls xcacls",
			Verbs: []string{"** */grant*|*/deny*|*/remove*|*/reset|*/setowner|*/setintegritylevel|*/inheritance*|*/restore|*/substitute|*/g|*/e|*/p|*/r|*/s*"},
		},
		{Names: "bcdedit", Verbs: []string{"*"}, Spares: []string{"*/enum*", "*/v $", "*/?"}},
		{Names: "cipher", Verbs: []string{"** */w*|*/e*|*/d*|*/rekey|*/removeuser*"}},
		{Names: "format format.com", Verbs: []string{"** *:"}},
		{Names: "fsutil", Verbs: []string{"usn deletejournal|createjournal", "file setzerodata|setshortname", "dirty set", "behavior set", "reparsepoint delete"}},
		{Names: "wevtutil", Verbs: []string{"cl|clear-log|sl|set-log|im|um|install-manifest|uninstall-manifest"}},
		{Names: "wmic", Verbs: []string{"** call|create|delete|set"}},
		{
			Names: "netsh",
			Verbs: []string{"advfirewall ** add|set|delete|reset|import", "interface portproxy add|set|reset", "winhttp set|import", "wlan ~key=clear"},
		},
		{Names: "mountvol", Verbs: []string{"** */d|*/p|*/r|*/n"}},
		{Names: "auditpol secedit wusa", Verbs: []string{"** */clear|*/remove|*/restore|*/set|*/configure|*/import|*/uninstall"}},
		{Names: "manage-bde", Style: SingleDash, Verbs: []string{" -off|-on|-lock|-forcerecovery|-protectors"}, Spares: []string{" -protectors -get"}},
		{Names: "dism", Verbs: []string{"** */disable-feature*|*/enable-feature*|*/remove-*|*/add-*|*/apply*|*/cleanup-image"}},
		{Names: "robocopy", Verbs: []string{"** */mir|*/purge|*/mov|*/move"}, Spares: []string{"** */l"}},
		{
			Names: "set-mppreference add-mppreference register-scheduledjob register-wmievent register-cimindicationevent set-wmiinstance " +
				"new-ciminstance set-ciminstance remove-wmiobject remove-ciminstance register-scheduledtask set-scheduledtask unregister-scheduledtask start-scheduledtask " +
				"new-service set-service new-localuser set-localuser enable-localuser add-localgroupmember add-adgroupmember " +
				"set-netfirewallprofile set-netfirewallrule new-netfirewallrule enable-psremoting clear-eventlog limit-eventlog " +
				"disable-computerrestore enable-windowsoptionalfeature disable-windowsoptionalfeature add-windowscapability " +
				"new-smbshare grant-smbshareaccess set-dnsclientserveraddress add-appxpackage install-windowsfeature " +
				"remove-eventlog remove-appxpackage set-acl uninstall-windowsfeature suspend-bitlocker clear-tpm restore-computer rename-computer add-computer " +
				"disable-bitlocker disable-netadapter remove-netroute remove-smbshare remove-vhd remove-printer set-disk set-partition " +
				"import-certificate import-pfxcertificate export-pfxcertificate enable-wsmancredssp new-aduser set-adaccountpassword",
			Style: SingleDash, Dry: "whatif", Verbs: []string{""},
		},
	},
	OfLoaders: {
		{Names: "certutil", Style: SingleDash, Verbs: []string{
			"** */urlcache|*/verifyctl|*/decode*|*/addstore|*/delstore|*/importpfx", " -urlcache|-verifyctl|-decode|-decodehex|-addstore|-delstore|-importpfx",
		}},
		{Names: "bitsadmin", Verbs: []string{"** */transfer|*/addfile*|*/create|*/setnotifycmdline|*/resume"}},
		{
			Names: "mshta rundll32 regsvr32 cscript wscript msiexec installutil regasm regsvcs msxsl ieexec odbcconf pcalua cmstp " +
				"desktopimgdownldr presentationhost mavinject infdefaultinstall hh",
			Verbs: []string{"*", " -*"}, Spares: []string{"*/? $"},
		},
		{Names: "forfiles", Verbs: []string{"** */c"}},
	},
	OfMac: {
		{
			Names: "security", Style: SingleDash,
			Verbs: []string{
				"add-trusted-cert|remove-trusted-cert|trust-settings-import|set-keychain-settings|set-*partition-list|delete-keychain",
				"authorizationdb write|remove", "dump-keychain|export|unlock-keychain", "list-keychains|default-keychain|login-keychain -s",
			},
		},
		{Names: "tmutil", Verbs: []string{"setdestination|removedestination|addexclusion|restore"}},
		{Names: "osascript", Style: SingleDash, Values: "els", fits: scriptsOthers},
		{Names: "launchctl", Verbs: []string{"load|bootstrap|submit|setenv|unsetenv|enable|kickstart|config"}, Flags: "-wFkp", Values: "-SD"},
		{Names: "defaults", Style: SingleDash, Flags: "currentHost", Verbs: []string{"write|delete|delete-all|import|rename"}},
		{Names: "csrutil", Verbs: []string{"disable|clear|authenticated-root|netboot"}},
		{Names: "spctl", Verbs: []string{" --master-disable|--global-disable|--disable|--add|--remove|--reset-default"}},
		{Names: "xattr", Flags: "-rsvc", Values: "-wpd", Verbs: []string{" -d=com.apple.quarantine", " -c"}},
		{Names: "nvram", Verbs: []string{"*=*", " -d", " -c", " -f"}},
		{Names: "bless kextload kextunload kmutil tccutil screencapture", Style: SingleDash, Verbs: []string{"*", " -*", " --*"}},
		{Names: "dscl", Style: SingleDash, Verbs: []string{" -passwd|-create|-append|-change|-changei|-merge|-delprop", " ~ShadowHashData"}, Values: "u P"},
		{Names: "log", Verbs: []string{"erase|config"}},
		{Names: "diskutil", Verbs: []string{"cs|coreStorage delete*|resize*", "resetUserPermissions"}},
		{Names: "dsconfigad", Style: SingleDash, Verbs: []string{" -remove|-add"}},
		{Names: "gpt", Verbs: []string{"destroy|create|remove|add"}, Flags: "-frqv"},
		{Names: "sysadminctl", Style: SingleDash, Verbs: []string{" -addUser|-resetPasswordFor|-newPassword|-secureTokenO*|-guestAccount|-autologin"}},
		{Names: "dseditgroup", Values: "-outTnpar", Verbs: []string{" -o=edit|create"}},
		{Names: "systemsetup networksetup", Style: SingleDash, Verbs: []string{" -set*", " -create*", " -remove*", " -add*", " -delete*", " -switch*"}},
		{Names: "scutil", Verbs: []string{" --set"}},
		{Names: "pmset", Verbs: []string{"schedule|repeat|sleepnow|restoredefaults"}, Style: SingleDash},
		{Names: "softwareupdate", Verbs: []string{" -i|--install", " -d|--download", " --fetch-full-installer", " --schedule"}},
		{Names: "profiles", Style: SingleDash, Verbs: []string{"install|remove|renew", " -I|-R"}},
		{Names: "fdesetup", Verbs: []string{"enable|disable|add|remove|authrestart|change*|remove*"}},
		{Names: "asr", Verbs: []string{"restore", " --erase"}},
		{
			// a file of these kinds, and a URL of these programs, is run and not shown
			Names: "open", Flags: "-egnRWFtfhj", Values: "-ab",
			Verbs:  []string{"** *.command|*.terminal|*.tool|*.workflow|*.scpt|*.pkg|*.mobileconfig|*.inetloc|shortcuts:*", " -a=Terminal*|iTerm*|Script*|Automator*", " -b=com.apple.Terminal|com.googlecode.iterm2"},
			Spares: []string{" -R"},
		},
	},
	// man7.org, kmod 33, audit 4, systemd 257 and util-linux 2.40; the others as their own documentation has them (2026-11)
	OfLinux: {
		{Names: "insmod rmmod kexec setcap setsebool aa-disable aa-complain aa-teardown grub-install grub2-install kldload kldunload", Dry: "v V version", Verbs: []string{""}},
		{Names: "modprobe", Flags: "-arfqvisb", Values: "-Cd", Dry: "n dry-run simulate show show-depends D c showconfig show-config R resolve-alias V", Verbs: []string{"*"}},
		{Names: "semodule apparmor_parser", Verbs: []string{" -i|-r|-R|-d|-u|-X|--install|--remove|--disable|--upgrade"}},
		{Names: "semanage", Verbs: []string{"* -d|-D|--delete|--deleteall", "permissive -a|--add"}},
		{Names: "auditctl", Values: "-eafbrRswkF", Verbs: []string{" -e=0", " -D", " -d|-W"}},
		{Names: "sysctl", Verbs: []string{"** *randomize_va_space=0|*ptr_restrict=0|*dmesg_restrict=0|*ptrace_scope=0|*unprivileged_bpf_disabled=0|*syncookies=0|*sysrq=1|" +
			"*core_pattern=*|*.modprobe=*|*suid_dumpable=1|*protected_*=0"}},
		{Names: "setenforce kmod trust bootctl kernel-install falconctl sentinelctl mdatp", Values: "value path name", Verbs: []string{"0|permissive|insert|remove|load|unload|anchor|unlink|set-default|uninstall|stop|disable|unprotect", "exclusion ** add", "threat allowed add", " --value=disabled|off|passive|audit"}},
		{Names: "mkcert keytool", Style: SingleDash, Verbs: []string{" -install|-uninstall", " -import|-importcert|-delete -cacerts"}},
		{Names: "certutil", Values: "-dntkhfioPv", Verbs: []string{" -A|-D|-M|-E"}},
		{Names: "systemctl", Verbs: []string{"link", "enable|reenable ** */*", "service-watchdogs no", "service-log-target * null"}},
		{Names: "systemd-run systemd-firstboot journalctl", Verbs: []string{" --reset|--delete-root-password|--vacuum-*|--on-calendar|--on-active|--on-boot|--on-startup|--on-unit-active|" +
			"--on-unit-inactive|--on-clock-change|--timer-property|--path-property"}},
		{Names: "efibootmgr mokutil swapoff", Values: "-bDlLpO", Verbs: []string{" -a|--all|-B|-c|-o|-n|-i|-d|--delete*|--create|--bootorder|--bootnext|--import|--reset|--disable-validation"}},
	},
	OfTunnels: {
		{Names: "cloudflared code code-insiders codium cursor", Verbs: []string{"tunnel"}, Spares: []string{"tunnel ** list|info|login|create|route|delete|cleanup|vnet|token|ready|diag|status|user|prune|kill|unregister|rename"}},
		{Names: "ngrok tailscale devtunnel zrok loclx localxpose bore chisel", Verbs: []string{"http|tcp|tls|start|tunnel|service|funnel|host|share|reserve|local", "client ** R:*", "server --reverse"}, Spares: []string{"funnel status|reset", "** off"}},
		{Names: "frpc holesail tunnelmole tmole pagekite localtunnel", Dry: "v version", Verbs: []string{"*", " -*"}, Spares: []string{"verify|status|completion|help"}},
		{Names: "lt", Verbs: []string{" -p", " --port"}}, // also a short name for ls -t
		{Names: "ssh autossh", Verbs: []string{" -R", " -o=RemoteForward*"}},
	},
	// https://www.mercurial-scm.org/help, svnbook, https://docs.jj-vcs.dev and the pages of git-extras (2026-11)
	OfVersions: {
		{Names: "hg chg sl jj", Values: "-Rrd repository cwd config rev at-op at-operation", Flags: "-aCpn", Dry: "print p dry-run n", Verbs: []string{"abandon|restore", "op|operation abandon", "purge|clean|strip|debugstrip|rollback|prune|obsolete", "revert -a|-C|--all|--no-backup", "revert .", "update|up|checkout|co|goto -C|--clean"}},
		{Names: "svn", Values: "-r depth", Flags: "-R", Verbs: []string{"revert -R|--recursive|--remove-added", "revert --depth=infinity", "cleanup --remove-*", "delete|del|remove|rm --force"}},
		{Names: "fossil bzr brz darcs pijul p4", Verbs: []string{"revert|uncommit|unrecord|obliterate|unpull|scrub|purge|reset", "clean-tree|update|clean --force"}},
		{Names: "bfg", Verbs: []string{"*", " -*"}, Dry: "version"},
		{Names: "git", Verbs: []string{"obliterate|unpublish|delete-merged-branches|delete-squashed-branches|delete-branch|delete-tag|delete-submodule|reset-file", "clear|clear-soft -f|--force", "undo --hard|-h"}},
	},
	OfAddresses: {
		{
			Names: "npm pnpm yarn bun pip pip2 pip3 pipx uv gem poetry pdm pipenv conda mamba micromamba brew dnf yum zypper helm cpanm luarocks ansible-galaxy opam",
			Values: "-CwifrceUhPp registry otp tag loglevel prefix dir userconfig workspace index index-url extra-index-url default-index find-links trusted-host proxy cert source install-dir " +
				"channel repo repofrompath server mirror set set-string values",
			Verbs: []string{"i|install|in|add|upgrade|localinstall|reinstall ** http*://*|git+*", "pip|tool install ** http*://*|git+*"},
		},
		{Names: "rpm", Flags: "-ivhUF", Verbs: []string{"** http*://*"}},
		{Names: "bun bunx npx pnpx uvx deno uv pipx", Values: "-p package from", Verbs: []string{"http*://*|git+*|data:*", " --from|--package|-p=http*://*|git+*"}},
		{Names: "bun deno uv pipx npm pnpm yarn", Verbs: []string{"run|x|test|bench|exec|dlx|serve http*://*|git+*|data:*"}},
		{Names: "cargo gh", Verbs: []string{"install --git", "extension|extensions|ext install"}, Spares: []string{"* install ."}},
		{Names: "kubectl oc k k3s", Values: "-fkn filename kustomize namespace context", Verbs: []string{"apply|create|replace -f|--filename|-k|--kustomize=http*://*"}},
		{Names: "vim vi nvim view ex gvim", Values: "-cSsuiTtw cmd", Verbs: []string{" -c|--cmd|-S=*http*://*", "** +*http*://*"}},
		{Names: "docker podman nerdctl", Flags: "-itdqP rm init detach tty interactive", Values: "-vepwuhmtf name volume env publish network entrypoint platform user workdir tag file build-arg", Verbs: []string{"run|build http*://*|git@*", "buildx|image|builder build http*://*|git@*"}},
	},
}

// forms are the ways to lose what one family of LossFamily is about by a program that has no table: its spellings, and
// a pattern of a Loss. No options are listed, see loosely.
var forms = [...][]string{
	OfDatabase: {
		"dropdb|dropuser|pg_dropcluster|pg_resetwal * !-?|-V", "mysqladmin|mariadb-admin ** drop|shutdown", "mongoimport --drop",
		"mongorestore --drop !--dryRun", "supabase db reset", "turso db|group destroy", "pscale|planetscale database|branch|db delete",
		"neonctl|neon projects|project|branches|branch|databases|database delete", "atlas clusters|cluster|projects|project delete",
		"heroku pg:reset|redis:destroy|addons:destroy", "wrangler d1|r2 delete", "wp db reset|drop|clean", "wp site empty",
		"drush sql:drop|sql-drop|site:install|site-install|si", "bq rm", "etcdctl del", "etcdctl member|user|role remove|delete", "influx delete",
		"influx bucket|org delete", "rabbitmqctl reset|force_reset|delete_vhost|delete_queue|purge_queue|delete_user",
		"kafka-topics|kafka-topics.sh --delete", "couchbase-cli bucket-delete|bucket-flush|collection-manage", "sqlite-utils drop-table|drop-view|delete",
		"neo4j-admin database delete|wipe", "nodetool clearsnapshot|truncatehints", "edgedb|gel database|branch|instance drop|destroy|wipe",
	},
	OfReset: {
		"rails|rake|jrake ** db:drop|db:drop:*|db:reset|db:reset:*|db:purge|db:purge:*|db:schema:load|db:schema:load:*|db:structure:load|db:migrate:reset|" +
			"db:truncate_all|db:seed:replant|db:mongoid:drop|db:mongoid:purge|db:mongoid:reset|parallel:drop !-T|--tasks|-n|--dry-run|-D|--describe|-P|--prereqs|-g",
		"hanami db drop|reset", "prisma migrate reset", "prisma db push --force-reset|--accept-data-loss",
		"artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe|tenants:migrate-fresh|schema:drop !--pretend",
		"ace migration:fresh|migration:reset|migration:refresh|db:wipe|db:truncate !--dry-run",
		"manage.py|django-admin|django-admin.py flush|reset_db|reset_schema|drop_test_database",
		"manage.py|django-admin|django-admin.py migrate * zero !--plan", "knex migrate:rollback --all",
		"sequelize|sequelize-cli db:drop|db:migrate:undo:all|db:seed:undo:all", "typeorm|typeorm-ts-node-commonjs|typeorm-ts-node-esm schema:drop",
		"mikro-orm schema:drop|schema:fresh|migration:fresh !--dump|-d", "drizzle-kit drop", "drizzle-kit push --force", "medusa db:rollback",
		"alembic|flask-migrate downgrade base !--sql", "flask db downgrade base !--sql",
		"mix ** ecto.drop|ecto.reset|ecto.drop,|ecto.reset,|ash.reset|ash_postgres.drop", "mix ecto.rollback --all", "flyway ** clean",
		"gradle|gradlew ** flywayClean|dropAll|*:flywayClean|liquibaseDropAll !-m|--dry-run",
		"mvn|mvnw|mvnd ** flyway:clean|liquibase:dropAll|hibernate:drop", "liquibase ** drop-all|dropAll",
		"console|doctrine|doctrine.php|cake ** doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load|orm:schema-tool:drop|dbal:database:drop|d:d:d|d:s:d !--dump-sql|--append",
		"dotnet ef database drop !--dry-run", "dotnet ef database update 0", "dotnet-ef database drop !--dry-run", "dotnet-ef database update 0",
		"magento ** setup:uninstall", "bench ** drop-site|reinstall", "diesel|sqlx database|db reset|drop", "sea-orm-cli migrate fresh|refresh|reset",
		"goose ** reset", "goose ** down-to ** 0", "migrate|golang-migrate ** drop", "migrate|golang-migrate ** down -all|--all", "dbmate ** drop",
		"atlas schema clean", "atlas schema apply --auto-approve !--dry-run", "hasura migrate apply --down", "loco|loco-cli db reset|truncate|drop",
	},
	OfSecrets: {
		"vault|bao delete", "vault|bao kv delete|destroy", "vault|bao kv metadata delete", "vault|bao secrets|auth|audit disable",
		"vault|bao policy|namespace|plugin delete|deregister", "vault|bao token|lease revoke", "vault|bao operator seal|step-down",
		"vault|bao operator raft remove-peer", "doppler secrets|projects|configs|environments|configs:tokens delete",
		"op item|document|vault|user|group|connect delete !--archive", "op connect token|server delete", "security|akeyless delete-*", "secret-tool clear",
		"pass|gopass|passage rm|remove|delete|del", "gopass mounts|recipients rm|remove|delete|deauthorize", "bw delete|purge",
		"berglas|chamber|credhub delete", "keyctl clear|unlink|revoke|purge", "bws secret|project delete", "lpass rm", "keepassxc-cli rm|rmdir",
		"keyring del", "kwallet-query -d", "infisical secrets delete", "infisical secrets folders delete",
		"gpg|gpg2 --delete-secret-keys|--delete-secret-key|--delete-secret-and-public-key|--delete-secret-and-public-keys",
		"heroku config:unset|config:remove", "fly|flyctl|supabase secrets unset", "consul kv delete", "wrangler secret delete", "vercel env rm|remove",
		"netlify env:unset", "conjur policy replace", "cmdkey /delete*|-delete*", "step ca revoke", "ykman ** reset|delete",
		"pkcs11-tool --delete-object", "tpm2|keybase clear|deprovision",
	},
}

// scriptsOthers: AppleScript and JavaScript that type, run shell text or delete through another program. The language
// takes its words in any case.
func scriptsOthers(r *reading) bool {
	says := func(text string) bool {
		for _, word := range [...]string{"keystroke", "key code", "do shell script", "do script", "doshellscript", "doscript", "delete", "empty",
			"administrator", "system events", "the clipboard", "theclipboard", "objc", "run script", "load script", "hidden answer", "shut down",
			"restart", "log out", "$."} {
			if strings.Contains(text, word) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(r.opts, func(u Used) bool {
		return u.Given && (!u.Value.Known || says(strings.ToLower(u.Value.Text)))
	})
}

// runsRemovals: the text after -a and cmd.run is for the shells of other
// machines; what is looked for in it is told by its words alone.
func runsRemovals(r *reading) bool {
	return slices.ContainsFunc([]string{"rm -r", "rm -fr", "rm -f -r", "rm --recursive", "reboot", "shutdown ", "poweroff",
		"systemctl stop ", "mkfs"}, func(text string) bool { return r.holds(text, true) })
}

const jenkinsVerbs = "delete-*|disable-job|safe-shutdown|shutdown|quiet-down|clear-queue|offline-node|" +
	"disconnect-node|stop-builds|remove-job-from-view"

// OverridesMethod reports whether a header has the server take a request for a
// DELETE.
func OverridesMethod(header string) bool {
	name, value, ok := strings.Cut(header, ":")
	return ok && strings.EqualFold(strings.TrimSpace(value), "delete") &&
		strings.Contains(strings.ToLower(name), "method")
}

// MethodDeletes reports whether a method deletes. One of which nothing is known may.
func MethodDeletes(method *shell.Word) bool {
	return shell.NothingKnown(method) || wordFits("DELETE|PURGE", method)
}
