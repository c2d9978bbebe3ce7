package commands

// cloudDeletions are the programs of clouds: where the verbs that take away stand,
// and what else does.
var cloudDeletions = []Loss{
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
}

// platformDeletions are the programs of platforms that host applications and of
// services that an application uses.
var platformDeletions = []Loss{
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
