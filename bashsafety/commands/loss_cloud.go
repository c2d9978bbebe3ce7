package commands

// cloudDeletions are the programs of clouds: where the verbs that take away stand,
// and what else does.
var cloudDeletions = []Loss{
	{
		Names: "aws aws2",
		Values: "output query profile region color cli-read-timeout cli-connect-timeout cli-binary-format cli-input-json cli-input-yaml page-size max-items " +
			"starting-token endpoint-url ca-bundle",
		Flags: "debug no-paginate no-sign-request no-verify-ssl no-cli-pager force only-show-errors delete include-ssl", Dry: "dry-run dryrun generate-cli-skeleton",
		Verbs: []string{
			"* @|release-*|close-account|unsubscribe|global-sign-out|admin-user-global-sign-out", "s3 rb", "s3 rm --recursive", "s3 sync --delete", "ecs update-service --desired-count=0",
			"autoscaling * --desired-capacity=0", "autoscaling * --max-size=0", "lambda put-function-concurrency --reserved-concurrent-executions=0",
			"eks update-nodegroup-config ~desiredSize=0", "route53 change-resource-record-sets ~DELETE", "s3api put-object-lock-configuration ~Disabled",
			"s3api put-bucket-versioning ~Suspended", "guardduty update-detector --no-enable",
			"* * --no-deletion-protection|--no-disable-api-termination|--no-termination-protected|--no-enable-termination-protection",
		},
		Spares: []string{
			"* * help $", "* stop-query*|cancel-query*|stop-live-tail", "s3 rm !--recursive",
			"** --endpoint-url=http://localhost:4566*|http://127.0.0.1:4566*|http://localstack:4566*|http://localhost:8000*|http://localhost:9000*|http://localhost:9324*",
		},
	},
	{
		Names: "gcloud", Values: "account billing-project configuration flatten format project trace-token verbosity filter limit zone region location",
		Flags: "user-output-enabled delete-unmatched-destination-objects async", Dry: "dry-run",
		Verbs: []string{
			"** @|clear|drain", "storage rm -r|-R|--recursive|-a|--all-versions", "storage rm ~*", "storage rsync|cp --delete-unmatched-destination-objects",
			"container clusters resize --num-nodes=0", "container clusters resize --size=0", "compute instance-groups managed resize --size=0",
		},
		Spares: []string{"config", "components", "auth", "info", "topic", "* config", "storage rm !-r|-R|--recursive|-a|--all-versions !~*"},
	},
	{
		Names: "gsutil", Values: "-ou", Flags: "-mqDh",
		Verbs: []string{"rb", "rm -r|-R|-a", "rm ~*", "rsync -d !-n", "iam ch -d", "hmac|notification|defacl|acl|pap @"},
	},
	{Names: "bq", Values: "project_id location format dataset_id", Verbs: []string{"@"}, Flags: "-rt"},
	{
		Names: "az", Values: "-ognlt output query subscription resource-group name location ids", Flags: "verbose debug only-show-errors no-wait", Dry: "dryrun",
		Verbs: []string{
			"** @|power-off|simulate-eviction", "rest --method|-m=delete", "deployment ** create --mode=Complete", "** scale --node-count=0",
			"vmss scale --new-capacity=0", "** replace --desired-nodes=0",
		},
		Spares: []string{"extension|cache|config|cloud|alias|local-context|bicep", "account clear"},
	},
	{Names: "azd", Values: "-eC environment cwd", Verbs: []string{"** @|down"}},
	{
		Names: "doctl", Values: "-tcuo access-token config context output api-url http-retry-max", Flags: "force dangerous",
		Verbs:  []string{"** @|d|del|power-off|power-cycle|drop-*"},
		Spares: []string{"auth"},
	},
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
}

// platformDeletions are the programs of platforms that host applications and of
// services that an application uses.
var platformDeletions = []Loss{
	{
		Names: "heroku", Values: "-artpo app remote team space confirm",
		Verbs:  []string{"@|*:clear|maintenance:on|*:purge_cache", "* @", "ps:scale ** *=0", "ps:scale ** *=0:*"},
		Spares: []string{"plugins*|autocomplete*|git*|local*"},
	},
	{
		Names: "flyctl fly", Values: "-acotrg app config org access-token region group target",
		Verbs: []string{"** @|dp|archive-*|abort-build", "scale count 0|*=0", "scale count ** 0"},
	},
	{Names: "wrangler wrangler2", Values: "-ce config env name cwd namespace-id binding", Flags: "remote local preview skip-delete", Dry: "dry-run", Verbs: []string{"** @|del"}},
	{Names: "firebase", Values: "-PpA project account token config only", Flags: "shallow", Verbs: []string{"** @|*:clear"}},
	{
		Names: "supabase", Values: "project-ref workdir profile dns-resolver network-id", Flags: "experimental linked local",
		Verbs: []string{"** @|pause", "stop --no-backup"}, Spares: []string{"stop !--no-backup", "migration|test new"},
	},
	{
		Names: "railway", Values: "-sepv service environment project volume",
		Verbs: []string{"@|down|del", "* @|del", "variables|variable --remove|--unset|delete"},
	},
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
	{Names: "flarectl cfcli", Verbs: []string{"** @|d|removerecord"}},
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
}
