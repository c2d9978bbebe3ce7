package remote

import "github.com/permgate--owner/permgate/bashsafety/commands"

// cloudDeletions are the programs of clouds: where the verbs that take away stand,
// and what else does.
var cloudDeletions = []deletion{
	{
		programs: "aws aws2",
		values: "output query profile region color cli-read-timeout cli-connect-timeout cli-binary-format cli-input-json cli-input-yaml page-size max-items " +
			"starting-token endpoint-url ca-bundle",
		flags: "debug no-paginate no-sign-request no-verify-ssl no-cli-pager force only-show-errors delete include-ssl", dry: "dry-run dryrun generate-cli-skeleton",
		verbs: []string{
			"* @|release-*|close-account|unsubscribe|global-sign-out|admin-user-global-sign-out", "s3 rb", "s3 rm --recursive", "s3 sync --delete", "ecs update-service --desired-count=0",
			"autoscaling * --desired-capacity=0", "autoscaling * --max-size=0", "lambda put-function-concurrency --reserved-concurrent-executions=0",
			"eks update-nodegroup-config ~desiredSize=0", "route53 change-resource-record-sets ~DELETE", "s3api put-object-lock-configuration ~Disabled",
			"s3api put-bucket-versioning ~Suspended", "guardduty update-detector --no-enable",
			"* * --no-deletion-protection|--no-disable-api-termination|--no-termination-protected|--no-enable-termination-protection",
		},
		spares: []string{
			"* * help $", "* stop-query*|cancel-query*|stop-live-tail", "s3 rm !--recursive",
			"** --endpoint-url=http://localhost:4566*|http://127.0.0.1:4566*|http://localstack:4566*|http://localhost:8000*|http://localhost:9000*|http://localhost:9324*",
		},
	},
	{
		programs: "gcloud", values: "account billing-project configuration flatten format project trace-token verbosity filter limit zone region location",
		flags: "user-output-enabled delete-unmatched-destination-objects async", dry: "dry-run",
		verbs: []string{
			"** @|clear|drain", "storage rm -r|-R|--recursive|-a|--all-versions", "storage rm ~*", "storage rsync|cp --delete-unmatched-destination-objects",
			"container clusters resize --num-nodes=0", "container clusters resize --size=0", "compute instance-groups managed resize --size=0",
		},
		spares: []string{"config", "components", "auth", "info", "topic", "* config", "storage rm !-r|-R|--recursive|-a|--all-versions !~*"},
	},
	{
		programs: "gsutil", values: "-ou", flags: "-mqDh",
		verbs: []string{"rb", "rm -r|-R|-a", "rm ~*", "rsync -d !-n", "iam ch -d", "hmac|notification|defacl|acl|pap @"},
	},
	{programs: "bq", values: "project_id location format dataset_id", verbs: []string{"@"}, flags: "-rt"},
	{
		programs: "az", values: "-ognlt output query subscription resource-group name location ids", flags: "verbose debug only-show-errors no-wait", dry: "dryrun",
		verbs: []string{
			"** @|power-off|simulate-eviction", "rest --method|-m=delete", "deployment ** create --mode=Complete", "** scale --node-count=0",
			"vmss scale --new-capacity=0", "** replace --desired-nodes=0",
		},
		spares: []string{"extension|cache|config|cloud|alias|local-context|bicep", "account clear"},
	},
	{programs: "azd", values: "-eC environment cwd", verbs: []string{"** @|down"}},
	{
		programs: "doctl", values: "-tcuo access-token config context output api-url http-retry-max", flags: "force dangerous",
		verbs:  []string{"** @|d|del|power-off|power-cycle|drop-*"},
		spares: []string{"auth"},
	},
	{programs: "ibmcloud bx", values: "-gr output region", verbs: []string{"** @"}, spares: []string{"plugin", "config"}},
	{
		programs: "oci", values: "profile config-file region output query auth", flags: "force", dry: "dry-run generate-full-command-json-input",
		verbs: []string{"** @", "** action --action=STOP|SOFTSTOP|RESET|SOFTRESET"},
	},
	{programs: "hcloud", values: "context config", verbs: []string{"** @"}, spares: []string{"context", "config"}},
	{programs: "scw", values: "-pcDo profile config output", verbs: []string{"** @"}, spares: []string{"config"}},
	{
		programs: "vultr-cli vultr exo upctl civo linode packet metal ovhcloud openstack linode-cli lin yc sf sfdx", verbs: []string{"** @|halt|shelve|pause"},
		values: "region output as-user format page os-cloud os-project-name profile folder-id cloud-id target-org", spares: []string{"config"},
	},
	{programs: "aliyun tccli", values: "profile region", verbs: []string{"** @", "* Release*|Isolate*", "oss rb"}},
	{programs: "cf cf7 cf8", verbs: []string{"@|d|ds|dsk|sp|us"}},
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
		verbs:  []string{"@|*:clear|maintenance:on|*:purge_cache", "* @", "ps:scale ** *=0", "ps:scale ** *=0:*"},
		spares: []string{"plugins*|autocomplete*|git*|local*"},
	},
	{
		programs: "flyctl fly", values: "-acotrg app config org access-token region group target",
		verbs: []string{"** @|dp|archive-*|abort-build", "scale count 0|*=0", "scale count ** 0"},
	},
	{programs: "wrangler wrangler2", values: "-ce config env name cwd namespace-id binding", flags: "remote local preview skip-delete", dry: "dry-run", verbs: []string{"** @|del"}},
	{programs: "firebase", values: "-PpA project account token config only", flags: "shallow", verbs: []string{"** @|*:clear"}},
	{
		programs: "supabase", values: "project-ref workdir profile dns-resolver network-id", flags: "experimental linked local",
		verbs: []string{"** @|pause", "stop --no-backup"}, spares: []string{"stop !--no-backup", "migration|test new"},
	},
	{
		programs: "railway", values: "-sepv service environment project volume",
		verbs: []string{"@|down|del", "* @|del", "variables|variable --remove|--unset|delete"},
	},
	{programs: "netlify ntl", values: "-s auth site filter", verbs: []string{"** @|*:clear", "api *{*"}, spares: []string{"api get*|list*", "unlink"}},
	{
		programs: "vercel vc render northflank koyeb deployctl shopify eas expo-cli appwrite sanity contentful ngrok clever scalingo dokku platform upsun " +
			"terminus acli cloudflared fastly twilio sentry-cli datadog-ci dog newrelic pd grr grafanactl algolia apigeecli",
		values: "token scope local-config global-config cwd team output project environment store theme dataset space-id app config service-id " +
			"service-name profile application-id org env",
		verbs: []string{"** @|archive|pause|*:wipe|clean|cleanup|clear|del|*_delete"},
	},
	{programs: "surge", verbs: []string{"teardown"}},
	{programs: "ddev lando", verbs: []string{"delete|clean|destroy"}},
	{
		programs: "stripe", values: "-pd project-name api-key config device-name data stripe-account", flags: "live",
		verbs: []string{"** @|void|void_invoice|archive|roll"}, spares: []string{"listen|trigger|logs|samples"},
	},
	{programs: "flarectl cfcli", verbs: []string{"** @|d|removerecord"}},
	{programs: "dnscontrol", verbs: []string{"push"}},
	{programs: "octodns-sync", verbs: []string{" --doit"}},
	{programs: "lexicon", verbs: []string{"* delete"}},
	{programs: "pdnsutil rndc", values: "-sk", verbs: []string{"@|clear-zone|delzone|halt", "zone delete"}},
	{programs: "splunk", verbs: []string{"@|clean|offline"}, values: "-auth"},
	{programs: "ldcli unleash flipt flagsmith configcat statsig", values: "access-token project environment", verbs: []string{"** @|archive|toggle-off"}},
	{programs: "deck", values: "-s kong-addr headers config", verbs: []string{"reset|sync", "gateway reset|sync"}},
	{programs: "kong", values: "-cp conf prefix", verbs: []string{"migrations reset", "stop|quit"}},
	{programs: "curator curator_cli", values: "config host port", dry: "dry-run", verbs: []string{"delete*|close|shrink"}},
	{programs: "influx", values: "-o host org token", verbs: []string{"@", "* @"}},
}
