package remote

import "github.com/permgate--owner/permgate/bashsafety/commands"

// cloudDeletions are the programs of clouds, told by their verbs.
var cloudDeletions = []deletion{
	{
		programs: "aws aws2",
		values: "output query profile region color cli-read-timeout cli-connect-timeout cli-binary-format cli-input-json cli-input-yaml page-size max-items " +
			"starting-token endpoint-url ca-bundle",
		flags: "debug no-paginate no-sign-request no-verify-ssl no-cli-pager force only-show-errors delete include-ssl", dry: "dry-run dryrun generate-cli-skeleton",
		verbs: []string{
			"* delete-*|terminate-*|purge-*|deregister-*|remove-*|destroy-*|batch-delete-*|bulk-delete-*|schedule-*-deletion|leave-*|close-account",
			"* disable-*|stop-*|release-*|revoke-*|cancel-*|detach-*|disassociate-*|reject-*|deactivate-*|disconnect-*|suspend-*",
			"s3 rb", "s3 rm --recursive", "s3 sync --delete", "ecs update-service --desired-count=0", "autoscaling * --desired-capacity=0",
			"autoscaling * --max-size=0", "lambda put-function-concurrency --reserved-concurrent-executions=0", "eks update-nodegroup-config ~desiredSize=0",
			"route53 change-resource-record-sets ~DELETE", "organizations leave-organization", "s3api put-object-lock-configuration ~Disabled", "s3api put-bucket-versioning ~Suspended",
			"* * --no-deletion-protection|--no-disable-api-termination|--no-termination-protected|--no-enable-termination-protection", "guardduty update-detector --no-enable",
		},
		spares: []string{"* * help $", "* stop-query*|cancel-query*|stop-live-tail", "** --endpoint-url=http://localhost:4566*|http://127.0.0.1:4566*|http://localstack:4566*|http://localhost:8000*|http://localhost:9000*|http://localhost:9324*"},
	},
	{
		programs: "gcloud", values: "account billing-project configuration flatten format project trace-token verbosity filter limit zone region location",
		flags: "user-output-enabled delete-unmatched-destination-objects async", dry: "dry-run",
		verbs: []string{
			"** delete|destroy|purge|remove|delete-*|remove-*|bulk-delete|disable|deactivate|revoke|clear", "** stop|suspend|cancel|kill|abandon|abandon-*|drain|detach-*|undeploy",
			"storage rm -r|-R|--recursive|-a|--all-versions", "storage rm ~*", "storage rsync|cp --delete-unmatched-destination-objects",
			"container clusters resize --num-nodes=0", "container clusters resize --size=0", "compute instance-groups managed resize --size=0",
		},
		spares: []string{"config", "components", "auth", "info", "topic", "* config"},
	},
	{
		programs: "gsutil", values: "-ou", flags: "-mqDh",
		verbs: []string{"rb", "rm -r|-R|-a", "rm ~*", "rsync -d !-n", "iam ch -d", "hmac|notification|defacl|acl|pap delete"},
	},
	{programs: "bq", values: "project_id location format dataset_id", verbs: []string{"rm", "cancel"}, flags: "-rt"},
	{
		programs: "az", values: "-ognlt output query subscription resource-group name location ids", flags: "verbose debug only-show-errors no-wait", dry: "dryrun",
		verbs: []string{
			"** delete|purge|remove|delete-*|remove-*|*_delete|destroy|revoke|unassign|deregister|unregister|disassociate|detach|delete-batch",
			"** stop|deallocate|disable|cancel|kill|power-off|suspend|disconnect|deactivate|simulate-eviction", "rest --method|-m=delete",
			"deployment ** create --mode=Complete", "** scale --node-count=0", "vmss scale --new-capacity=0", "** replace --desired-nodes=0",
		},
		spares: []string{"extension|cache|config|cloud|alias|local-context|bicep", "account clear"},
	},
	{programs: "azd", values: "-eC environment cwd", verbs: []string{"down"}},
	{
		programs: "doctl", values: "-tcuo access-token config context output api-url http-retry-max", flags: "force dangerous",
		verbs:  []string{"** delete|destroy|rm|d|del|remove|delete-*|remove-*|power-off|shutdown|power-cycle|undeploy|uninstall|drop-*|detach*"},
		spares: []string{"auth"},
	},
	{
		programs: "ibmcloud bx", values: "-gr output region", verbs: []string{"** delete|rm|remove|cancel|destroy|*-delete|*-rm|*-remove|*-cancel|*-destroy|*-stop|stop"},
		spares: []string{"plugin", "config"},
	},
	{
		programs: "oci", values: "profile config-file region output query auth", flags: "force", dry: "dry-run generate-full-command-json-input",
		verbs: []string{"** delete|terminate|bulk-delete|bulk-delete-*|purge|delete-*|schedule-*deletion|cancel-*|deactivate|detach-*|detach|disable", "** action --action=STOP|SOFTSTOP|RESET|SOFTRESET"},
	},
	{programs: "linode-cli lin", values: "as-user format page", verbs: []string{"* delete|rm|shutdown|cancel|*-delete|*-rm|*-cancel|*-disable"}},
	{
		programs: "hcloud", values: "context config", verbs: []string{"** delete|destroy|shutdown|poweroff|reset|remove-*|delete-*|detach*|disable-*|unassign"},
		spares: []string{"context", "config"},
	},
	{programs: "scw", values: "-pcDo profile config output", verbs: []string{"** delete|terminate|remove|stop|delete-*|poweroff|detach*|purge"}, spares: []string{"config"}},
	{programs: "vultr-cli vultr exo upctl civo linode packet metal ovhcloud", values: "-or region output", verbs: []string{"** delete|destroy|remove|rm|stop|halt|terminate|evict|detach"}, spares: []string{"config"}},
	{programs: "openstack", values: "os-cloud os-project-name", verbs: []string{"** delete|purge|stop|suspend|shelve|pause"}},
	{programs: "yc", values: "profile folder-id cloud-id format", verbs: []string{"** delete|stop|remove-*|delete-*|cancel"}, spares: []string{"config"}},
	{programs: "aliyun tccli", values: "profile region", verbs: []string{"* Delete*|Release*|Stop*|Remove*|Terminate*|Purge*|Destroy*|Isolate*|Deactivate*", "oss rm|rb"}},
	{programs: "sf sfdx", values: "-o target-org", verbs: []string{"org|data|project|package|force delete|uninstall", "** delete", "*:delete*|*:uninstall"}},
	{
		programs: "cf cf7 cf8", verbs: []string{"delete|d|delete-*|ds|dsk|purge-*|stop|sp|unmap-route|unbind-*|us|uninstall-*|disable-*|terminate*"},
	},
	{
		programs: "remove-az* remove-ec2* remove-s3* remove-rds* remove-iam* remove-vm remove-gc* stop-az* stop-ec2* stop-vm remove-cluster* disable-az*",
		style:    commands.SingleDash, dry: "whatif", verbs: []string{""},
	},
}

// platformDeletions are the programs of platforms that host applications and of
// services that an application uses.
var platformDeletions = []deletion{
	{
		programs: "heroku", values: "-artpo app remote team space confirm",
		verbs: []string{
			"*:destroy|*:delete|*:remove|*:rm|*:clear|*:kill|*:killall|*:stop|*:reset|*:detach|*:disable|*:revoke|*:unset|*:deprovision|repo:reset|maintenance:on|*:purge_cache",
			"ps:scale ** *=0", "ps:scale ** *=0:*", "* destroy|delete|remove|kill|detach|unset",
		},
		spares: []string{"plugins*|autocomplete*|git*|local*"},
	},
	{
		programs: "flyctl fly", values: "-acotrg app config org access-token region group target",
		verbs: []string{
			"** destroy|delete|rm|remove|stop|suspend|unset|kill|revoke|detach", "scale count 0|*=0", "scale count ** 0", "destroy-pipeline|dp|delete-*|destroy-*|archive-*|abort-build",
		},
	},
	{
		programs: "vercel vc", values: "-tSAQ token scope local-config global-config cwd team", verbs: []string{"remove|rm", "** rm|remove|delete|del|delete-store"},
	},
	{programs: "netlify ntl", values: "-s auth site filter", verbs: []string{"*:delete|*:remove|*:unset|*:clear", "** delete|unset|remove", "api delete*|remove*|cancel*|*{*"}, spares: []string{"api get*|list*", "unlink"}},
	{
		programs: "wrangler wrangler2", values: "-ce config env name cwd namespace-id binding", flags: "remote local preview skip-delete",
		dry: "dry-run", verbs: []string{"delete", "** delete|rm|remove|purge|terminate|del", "*:delete|* *:delete"},
	},
	{
		programs: "firebase", values: "-PpA project account token config only", flags: "shallow",
		verbs: []string{"*:delete*|*:remove*|*:disable*|*:unset|*:destroy|*:clear|*:uninstall", "apps|functions|hosting|firestore ** delete"},
	},
	{
		programs: "supabase", values: "project-ref workdir profile dns-resolver network-id", flags: "experimental linked local",
		verbs: []string{"* delete|unset|remove|pause|rm", "storage rm", "* * delete", "stop --no-backup"},
	},
	{programs: "railway", values: "-sepv service environment project volume", verbs: []string{"delete|down", "* delete|remove|rm|detach|del", "variables|variable --remove|--unset|delete"}},
	{programs: "render northflank koyeb", values: "-o output", verbs: []string{"** delete|rm|remove|suspend|pause|archive"}},
	{programs: "deployctl", values: "project token", verbs: []string{"* delete|rm"}},
	{programs: "surge", verbs: []string{"teardown"}},
	{programs: "shopify", verbs: []string{"** delete", "*:delete"}, values: "-es environment store theme"},
	{programs: "eas expo-cli", verbs: []string{"*:delete|*:cancel|*:revoke|*:remove", "** delete"}},
	{programs: "appwrite sanity contentful ngrok", values: "-p project dataset space-id", verbs: []string{"** delete|delete-*", "delete"}},
	{programs: "clever scalingo dokku platform upsun terminus acli", values: "-ap app project environment", verbs: []string{"delete", "*destroy|*:delete|*:destroy|*:remove|*:wipe|*:stop", "** delete|destroy"}},
	{programs: "ddev lando", verbs: []string{"delete|clean|destroy"}},
	{programs: "cloudflared", values: "config", verbs: []string{"tunnel delete|cleanup", "tunnel ** delete"}},
	{
		programs: "stripe", values: "-pd project-name api-key config device-name data stripe-account", flags: "live",
		verbs: []string{"delete", "** delete|cancel|detach|void|void_invoice|archive|roll|reject"}, spares: []string{"listen|trigger|logs|samples"},
	},
	{programs: "fastly", values: "-tos token service-id service-name version", verbs: []string{"** delete|remove|deactivate|disable", "purge"}},
	{programs: "flarectl cfcli", verbs: []string{"zone|dns|firewall|user-agents ** delete|d|rm|purge", "rm|removerecord|purge|delete"}},
	{programs: "dnscontrol", verbs: []string{"push"}},
	{programs: "octodns-sync", verbs: []string{" --doit"}},
	{programs: "lexicon", verbs: []string{"* delete"}},
	{programs: "pdnsutil rndc", values: "-sk", verbs: []string{"delete-*|clear-zone|zone delete", "delzone|stop|halt"}},
	{programs: "twilio", values: "-p profile", verbs: []string{"*:remove|*:delete", "** remove|delete"}},
	{programs: "sentry-cli datadog-ci dog newrelic pd grr grafanactl", values: "-op org project", verbs: []string{"** delete|destroy|delete_*|remove|archive", "*:delete|*:remove|*:disable"}},
	{programs: "splunk", verbs: []string{"remove|clean|stop|delete|disable", "offline"}, values: "-auth"},
	{programs: "algolia", values: "-p profile application-id", verbs: []string{"** delete|clear|rm"}},
	{programs: "ldcli unleash flipt flagsmith configcat statsig", values: "access-token project environment", verbs: []string{"** delete|archive|remove|kill|toggle-off", "delete"}},
	{programs: "deck", values: "-s kong-addr headers config", verbs: []string{"reset|sync", "gateway reset|sync"}},
	{programs: "kong", values: "-cp conf prefix", verbs: []string{"migrations reset", "stop|quit"}},
	{programs: "apigeecli", values: "-oet org env token", verbs: []string{"** delete|undeploy|clean"}},
	{programs: "curator curator_cli", values: "config host port", dry: "dry-run", verbs: []string{"delete*|close|shrink"}},
	{programs: "influx", values: "-o host org token", verbs: []string{"delete", "* delete"}},
}
