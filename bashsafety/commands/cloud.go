package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// The hosts that a password or token of each issuer is for.
const (
	onGitHub    = "github.com *.github.com *.githubusercontent.com ghcr.io *.ghcr.io"
	onCodeHosts = onGitHub + " gitlab.com *.gitlab.com bitbucket.org *.bitbucket.org dev.azure.com *.visualstudio.com codeberg.org"
	onNpm       = "registry.npmjs.org *.npmjs.org *.npmjs.com npm.pkg.github.com"
	onAmazon    = "*.amazonaws.com *.amazonaws.com.cn *.aws.dev"
	onGoogle    = "*.googleapis.com *.google.com *.run.app *.cloudfunctions.net *.pkg.dev gcr.io *.gcr.io"
	onMicrosoft = "*.azure.com *.azure.net *.windows.net *.microsoft.com *.microsoftonline.com *.azurecr.io *.visualstudio.com *.azurewebsites.net"
)

// shellTasks is for calls of ansible whose tasks are commands.
const shellTasks = "!-m|-module-name=^shell|command|raw|script|" +
	"ansible.builtin.shell|ansible.builtin.command|ansible.builtin.raw|ansible.builtin.script"

// cloudCommands are the programs that manage infrastructure.
var cloudCommands = []Command{
	{
		Names: "aws", InfoFlags: "--version", Title: "manages Amazon's cloud", Net: AsksServices,
		Flags: "debug no-paginate no-sign-request version no-cli-pager no-cli-auto-prompt help",
		Values: "output query profile region color cli-read-timeout cli-connect-timeout cli-binary-format cli-input-json cli-input-yaml page-size " +
			"max-items starting-token",
		Opts:       []Opt{{"endpoint-url", HasArg, Unsafe}, {"no-verify-ssl", NoArg, Unsafe}, {"ca-bundle", HasArg, Reads}, {"cli-auto-prompt", NoArg, Unsafe}},
		Parameters: true, Subs: awsServices, refine: refineAws,
		Special: &Special{Credentials: []Credential{{"aws secretsmanager get-secret-value|batch-get-secret-value", "*"}, {"aws ssm get-parameter|get-parameters|get-parameters-by-path --with-decryption", "*"}, {"aws configure get|export-credentials", onAmazon}, {"aws ecr|ecr-public get-login-password|get-authorization-token|get-login", onAmazon}, {"aws sts get-session-token|get-federation-token|assume-role*", onAmazon}, {"aws sso get-role-credentials", onAmazon}, {"aws eks get-token", onAmazon}, {"aws codeartifact get-authorization-token", onAmazon}, {"aws iam create-access-key", onAmazon}, {"aws rds|dsql generate-db-*auth-token", onAmazon}, {"aws redshift|redshift-serverless get-c*credentials*", onAmazon}, {"aws cognito-identity get-credentials-for-identity", onAmazon}, {"aws lightsail get-instance-access-details|download-default-key-pair", ""}}, Losses: []Loss{{
			Of:    OfCloud,
			Flags: "only-show-errors delete include-ssl", Dry: "dry-run dryrun generate-cli-skeleton",
			Verbs: []string{
				"* @|release-*|close-account|unsubscribe|global-sign-out|admin-user-global-sign-out", "s3 rb", "s3 rm --recursive", "s3 sync --delete", "ecs update-service --desired-count=0",
				"autoscaling * --desired-capacity=0", "autoscaling * --max-size=0", "lambda put-function-concurrency --reserved-concurrent-executions=0",
				"eks update-nodegroup-config ~desiredSize=0", "route53 change-resource-record-sets ~DELETE", "route53 change-resource-record-sets !~UPSERT !~CREATE", "s3api put-object-lock-configuration ~Disabled",
				"s3api put-bucket-versioning ~Suspended", "guardduty update-detector --no-enable",
				"* * --no-deletion-protection|--no-disable-api-termination|--no-termination-protected|--no-enable-termination-protection",
			},
			Spares: []string{
				"* * help $", "* stop-query*|cancel-query*|stop-live-tail", "s3 rm !--recursive",
				" --endpoint-url=http://localhost:4566*|http://127.0.0.1:4566*|http://localstack:4566*|http://localhost:8000*|http://localhost:9000*|http://localhost:9324*",
			},
		}}},
	},
	{
		Names: "gcloud", InfoFlags: "--version", Title: "manages Google's cloud", Net: AsksServices, Flags: "-q quiet help version user-output-enabled no-user-output-enabled",
		Values: "account billing-project configuration flatten format project trace-token verbosity",
		Opts: []Opt{
			{"flags-file", HasArg, Unsafe}, {"access-token-file credential-file-override", HasArg, Reads}, {"log-http", NoArg, Changes},
			{"impersonate-service-account", HasArg, Changes},
		},
		Style: ShortEquals,
		Subs: []Command{
			{Names: "alpha beta", Also: gcloudGroups},
			{Names: "version info help", ReadOnly: true, Flags: "show-log anonymize run-diagnostics"},
		}, Also: gcloudGroups,
		Special: &Special{Credentials: []Credential{{"gcloud secrets versions access", "*"}, {"gcloud auth print-*", onGoogle}, {"gcloud auth application-default print-*", onGoogle}, {"gcloud config config-helper", onGoogle}, {"gcloud sql generate-login-token", onGoogle}}, Losses: []Loss{{
			Of: OfCloud, Values: "filter limit zone region location",
			Flags: "delete-unmatched-destination-objects async", Dry: "dry-run",
			Verbs: []string{
				"** @|clear|drain", "storage rm -r|-R|--recursive|-a|--all-versions", "storage rm ~*", "storage rsync|cp --delete-unmatched-destination-objects",
				"container clusters resize --num-nodes=0", "container clusters resize --size=0", "compute instance-groups managed resize --size=0",
			},
			Spares: []string{"config", "components", "auth", "info", "topic", "* config", "storage rm !-r|-R|--recursive|-a|--all-versions !~*"},
		}}},
	},
	{
		Names: "az", InfoFlags: "--version --help -h", Title: "manages Microsoft's cloud", Net: AsksServices, Flags: "-h debug help only-show-errors verbose version",
		Values: "-o output query subscription", Style: ShortEquals,
		Subs: azGroups,
		Special: &Special{Credentials: []Credential{{"az keyvault secret show|download", "*"}, {"az account get-access-token", onMicrosoft}, {"az acr credential show", onMicrosoft}, {"az acr login --expose-token", onMicrosoft}, {"az storage account keys list|show-connection-string", onMicrosoft}, {"az storage account show-connection-string", onMicrosoft}, {"az *search*|cosmosdb|functionapp|batch|maps|redis|cognitiveservices keys|account|list-keys", onMicrosoft}, {"az ad sp|app create-for-rbac", onMicrosoft}}, Losses: []Loss{{
			Of: OfCloud, Values: "-gnlt resource-group name location ids", Dry: "dryrun",
			Verbs: []string{
				"** @|power-off|simulate-eviction", "rest --method|-m=delete", "deployment ** create --mode=Complete", "** scale --node-count=0",
				"vmss scale --new-capacity=0", "** replace --desired-nodes=0",
			},
			Spares: []string{"extension|cache|config|cloud|alias|local-context|bicep", "account clear"},
		}}},
	},
	{
		Names: "terraform tofu", InfoFlags: "--version -version -v --help -help -h", Title: "manages infrastructure from a description", Style: SingleDash,
		Flags: "help version", Opts: []Opt{{"chdir", HasArg, WorkDir}}, Subs: terraformSubs,
		Special: &Special{Credentials: []Credential{{"terraform|tofu state pull", "*"}}, Losses: []Loss{{
			Of: OfInfra, Style: SingleDash, Dry: "dry-run",
			Values: "var-file target replace var parallelism lock-timeout backup state state-out out",
			Flags:  "no-color lock input refresh destroy compact-warnings reconfigure",
			Verbs:  []string{"destroy", "apply -destroy", "apply $ -auto-approve", "state rm|remove|push", "workspace delete", "taint", "force-unlock -force"},
		}}},
	},
	{
		Names: "ansible", Title: "runs tasks on other machines, or this one", Style: SingleDash, Opts: []Opt{{"a args m module-name", HasArg, 0}},
		Forms: []Form{
			{shellTasks + " localhost|127.0.0.1|all -a|-args=TEXT", MayRunText, ""}, {shellTasks + " ^localhost|127.0.0.1|all -a|-args=TEXT", TextThere, ""},
		},
		Special: &Special{Losses: []Loss{
			{
				Of: OfInfra, Values: "-mailuUeftMBPTK module-name args inventory limit user extra-vars forks", Dry: "check syntax-check list-hosts C",
				Verbs: []string{
					" -m=reboot|*.reboot|*shutdown", " -a=*state=absent*|*state=stopped*|*state=killed*|*state=killing*|*state=removed*", " --args=*state=absent*|*state=stopped*",
					" --module-name=reboot|*.reboot",
				},
				fits: runsRemovals,
			},
		}},
	},
	{
		Names: "terragrunt pulumi ansible-playbook packer vercel netlify wrangler firebase doctl railway " +
			"supabase eksctl cdk sam serverless bq",
		Title: "manages infrastructure", Style: SingleDash, Opts: []Opt{{"a args m module-name", HasArg, 0}},
		Special: &Special{Credentials: []Credential{{"doctl auth token", "*.digitalocean.com"}, {"firebase login:ci", onGoogle}, {"railway variables", "*"}, {"pulumi config get", "*"}, {"pulumi stack output --show-secrets", "*"}, {"netlify env:get|env:list", "*"}, {"eksctl get token", onAmazon}}, Losses: []Loss{
			{
				Of: OfInfra, Names: "terragrunt", Style: SingleDash, Values: "terragrunt-config working-dir terragrunt-working-dir config queue-include-dir queue-exclude-dir log-level target var var-file",
				Flags: "destroy terragrunt-non-interactive",
				Verbs: []string{
					"destroy|destroy-all", "run-all|run|stack|all|exec ** destroy", "apply|apply-all -auto-approve", "run-all|run|stack ** apply",
					"apply -destroy", "state rm|remove|push", "workspace delete", "run ** state rm", "run-all ** state rm",
				},
			},
			{
				Of: OfInfra, Names: "pulumi", Values: "-sCtrpm stack cwd target replace parallel message config secrets-provider color verbose", Dry: "preview-only",
				Verbs: []string{"destroy|down|dn", "up|update --yes|-y|--skip-preview|-f", "stack rm|remove", "state delete|remove|rm", "cancel", "org|policy|env|deployment ** rm|remove|delete"},
			},
			{Of: OfInfra, Names: "sam", Values: "stack-name region profile config-file config-env", Verbs: []string{"delete"}},
			{
				Of: OfInfra, Names: "ansible-playbook", Values: "-ileutMfT inventory limit extra-vars user tags forks start-at-task skip-tags", Flags: "-bKkC become",
				Dry:   "check syntax-check list-hosts list-tasks list-tags C",
				Verbs: []string{"*destroy*|*teardown*|*decommission*"},
			},
			{Of: OfCluster, Names: "eksctl", Values: "-frpCnv config-file region profile cluster name nodegroup", Flags: "approve", Verbs: []string{"delete", "drain", "scale nodegroup --nodes=0"}},
			{Of: OfCloud, Names: "bq", Values: "project_id location format dataset_id", Verbs: []string{"@"}, Flags: "-rt"},
			{
				Of: OfCloud, Names: "doctl", Values: "-tcuo access-token config context output api-url http-retry-max", Flags: "dangerous",
				Verbs:  []string{"** @|d|del|power-off|power-cycle|drop-*"},
				Spares: []string{"auth"},
			},
			{Of: OfPlatform, Names: "wrangler", Values: "-ce config env name cwd namespace-id binding", Flags: "remote local preview skip-delete", Dry: "dry-run", Verbs: []string{"** @|del"}},
			{Of: OfPlatform, Names: "firebase", Values: "-PpA project account token config only", Flags: "shallow", Verbs: []string{"** @|*:clear"}},
			{
				Of: OfPlatform, Names: "supabase", Values: "project-ref workdir profile dns-resolver network-id", Flags: "experimental linked local",
				Verbs: []string{"** @|pause", "stop --no-backup"}, Spares: []string{"stop !--no-backup", "migration|test new"},
			},
			{
				Of: OfPlatform, Names: "railway", Values: "-sepv service environment project volume",
				Verbs: []string{"@|down|del", "* @|del", "variables|variable --remove|--unset|--delete"},
			},
		}},
	},
}

// refineAws: of a reading command every parameter is harmless, known or not, and
// may name a file that is read: https://docs.aws.amazon.com/cli/latest/userguide/cli-usage-parameters-file.html
func refineAws(c *Invocation) {
	for _, w := range c.words() {
		for _, scheme := range [...]string{"file://", "fileb://", "http://", "https://"} {
			k := strings.Index(w.Text, scheme)
			switch {
			case k < 0 || k > 0 && w.Text[k-1] != '=':
			case scheme[0] == 'f':
				c.readAt(w, k+len(scheme))
				c.Disprove("sends the contents of a file")
			default: // version 1 fetches what the URL names
				c.network(new(shell.Suffix(w, k)))
			}
		}
	}
}

// awsWords are the words left once every option has at most one value, and those that may be several.
func (c *Invocation) awsWords() (words []*shell.Word) {
	value := false
	for i := c.From; i < len(c.Argv); i++ {
		w := &c.Argv[i]
		switch t := shell.LiteralPrefix(w); {
		case several(w), t == "--", !value && !strings.HasPrefix(t, "--"):
			words = append(words, w)
		default:
			value = strings.HasPrefix(t, "--") && !strings.Contains(t, "=") && !strings.HasPrefix(t, "--no-") && t != "--debug"
		}
	}
	return words
}

// refineAwsGet: some get- commands end in the file they write.
func refineAwsGet(c *Invocation) { c.Wrote = c.Wrote || len(c.awsWords()) > 0 }

// awsServices: the services whose reading commands print no secret but where
// awsSecrets says so. Services not named here prove nothing.
var awsServices = []Command{
	{Names: "s3", Subs: []Command{
		{Names: "ls", ReadOnly: true, Flags: "recursive human-readable summarize", Values: "request-payer bucket-name-prefix bucket-region"},
		{
			Names: "cp mv sync rm mb rb website presign",
			Flags: "recursive dryrun quiet follow-symlinks no-follow-symlinks only-show-errors no-progress delete exact-timestamps size-only force " +
				"no-guess-mime-type ignore-glacier-warnings force-glacier-transfer",
			Values: "acl exclude include sse storage-class content-type cache-control content-disposition content-encoding content-language expires " +
				"metadata metadata-directive source-region request-payer expected-size copy-props expires-in index-document error-document sse-kms-key-id " +
				"checksum-mode checksum-algorithm website-redirect grants",
			refine: refineAwsS3,
		},
	}},
	{Names: "s3api s3control", Subs: []Command{
		{
			Names: "get-object-acl get-object-attributes get-object-tagging get-object-lock-configuration " +
				"get-object-legal-hold get-object-retention get-bucket-* get-public-access-block head-object " +
				"head-bucket list-* describe-*",
			ReadOnly: true, refine: refineAwsGet,
		},
		{Names: "get-object get-object-torrent", refine: refineAwsOutfile},
	}},
	{Names: "sts", Subs: []Command{{
		Names: "get-caller-identity get-access-key-info decode-authorization-message", ReadOnly: true,
	}}},
	{Names: "secretsmanager ssm", Subs: []Command{{
		Names: "list-* describe-* get-resource-policy get-command-invocation get-document get-inventory " +
			"get-connection-status get-maintenance-window get-patch-baseline get-automation-execution", ReadOnly: true, refine: refineAwsGet,
	}, {
		Names: "send-command", refine: refineAwsSend,
	}}},
	{Names: "ecs", Subs: []Command{{
		Names: "execute-command", Values: "cluster container task", Flags: "interactive", Opts: []Opt{{"command", HasArg, 0}}, Forms: []Form{{"--command=TEXT", TextThere, ""}},
	}}, Also: awsVerbs},
	{Names: "lambda", Subs: []Command{
		{Names: "get-function", ReadOnly: true, refine: refineAwsGet},
		{Names: "invoke", refine: refineAwsOutfile},
	}, Also: awsVerbs},
	{Names: "cognito-idp", Subs: []Command{{ // it sends a person a code
		Names: "get-user-attribute-verification-code",
	}}, Also: awsVerbs},
	{Names: "logs", Subs: []Command{{
		Names: "filter-log-events tail get-log-events get-query-results", ReadOnly: true,
	}}, Also: awsVerbs},
	{Names: "dynamodb", Subs: []Command{{
		Names: "query scan get-item batch-get-item", ReadOnly: true,
	}}, Also: awsVerbs},
	{Names: "cloudformation", Subs: []Command{{
		Names: "validate-template estimate-template-cost", ReadOnly: true,
	}}, Also: awsVerbs},
	{Names: "cloudtrail", Subs: []Command{{
		Names: "lookup-events", ReadOnly: true,
	}}, Also: awsVerbs},
	{Names: "kms", Subs: []Command{{
		Names: "list-* describe-* get-key-policy get-key-rotation-status get-public-key", ReadOnly: true,
	}}},
	{Names: "cloudwatch ce acm iam eks ecr", Also: awsVerbs},
	{
		Names: "accessanalyzer application-autoscaling athena autoscaling backup batch budgets cloudcontrol " +
			"codecommit codedeploy codepipeline cognito-idp compute-optimizer configservice dynamodbstreams ec2 " +
			"efs elasticache elasticbeanstalk elb elbv2 es opensearch events guardduty health imagebuilder " +
			"inspector2 kafka kinesis neptune docdb organizations pi pipes pricing ram rds redshift " +
			"resource-groups resourcegroupstaggingapi route53 route53domains route53resolver savingsplans " +
			"scheduler securityhub servicecatalog servicediscovery service-quotas ses sesv2 shield sns sqs " +
			"sso-admin stepfunctions support synthetics transfer xray apigateway apigatewayv2",
		Also: awsVerbs,
	},
	{
		Names: "configure", Subs: []Command{{
			Names: "list list-profiles", ReadOnly: true,
		}, {
			Names: "set sso import add-model sso-session mfa-login", refine: func(c *Invocation) { c.Recursive = true; c.writesHome(".aws") },
		}},
	},
}

// awsVerbs are the verbs of the services. What gives out credentials, a
// secret, a key or a file comes first.
var awsVerbs = []Command{
	{
		Names: "get-account-password-policy get-account-authorization-details get-ssh-public-key get-queue-url " +
			"get-authorizer get-authorizers",
		ReadOnly: true, refine: refineAwsGet,
	},
	{
		Names: "*token* *credential* *password* *secret* *api-key* *login* *auth* *private* *session* get-*access* " +
			"get-*parameter* get-export get-sdk get-object* get-*function get-job-details get-third-party-* " +
			"get-activity-task list-webhooks describe-user-pool-client describe-vpn-connections " +
			"describe-verified-access-trust-providers describe-input-device-thumbnail get-*asset* get-*content* " +
			"get-*latest* get-*download* get-profile get-*configuration get-*shadow *identity-provider* " +
			"describe-configuration-settings get-*url* get-connection* get-*export*",
	},
	{Names: "describe-* list-*", ReadOnly: true},
	{Names: "get-*", ReadOnly: true, refine: refineAwsGet},
	{Names: "wait", ReadOnly: true},
	{Names: "update-kubeconfig", Forms: []Form{{"!--kubeconfig", Configures, ".kube/config"}}, Values: "name alias role-arn user-alias", Opts: []Opt{{"kubeconfig", HasArg, Writes}}},
}

// refineAwsOutfile: the last word is the file the answer is written to.
func refineAwsOutfile(c *Invocation) {
	out := new(shell.Hole("", &c.Argv[0]))
	for _, w := range c.awsWords() {
		if w.Text != "--" {
			out = w
		}
	}
	c.write(out)
}

// refineAwsSend shows the checks what is run on the other machine.
func refineAwsSend(c *Invocation) {
	for i := range c.Argv {
		_, list, ok := strings.Cut(c.Argv[i].Text, "commands=")
		if !ok || !c.Argv[i].Known {
			continue
		}
		brackets := strings.NewReplacer(`","`, "\n", `['`, "", `["`, "", `"]`, "", `']`, "")
		text := brackets.Replace(strings.Trim(list, `'`))
		c.remote(Inner{Kind: InnerText, Via: c.Form(), Text: shell.Literal(text, &c.Argv[i])})
	}
}

// refineAwsS3 reads the local sources and writes the local destination.
func refineAwsS3(c *Invocation) {
	verb := c.Subs[len(c.Subs)-1]
	c.Recursive = c.Has("recursive") || verb == "sync"
	for n, w := range c.operands() {
		switch {
		case strings.HasPrefix(shell.LiteralPrefix(w), "s3://"), verb != "cp" && verb != "mv" && verb != "sync":
			c.network(w)
		case n == 0 && verb == "mv":
			c.remove(w)
		case n == 0:
			c.read(w)
		default:
			c.write(w)
			switch {
			case c.Recursive:
				c.unpacks(w, shell.Contents{})
			case n > 0 && directory(w, c.Home):
				c.write(new(shell.Beneath(w, &c.Argv[c.Operands[n-1]])))
			}
		}
	}
}

// gcloudGroups are groups that have the verbs of gcloudVerbs, by the first word.
var gcloudGroups = []Command{
	{Names: "compute", Subs: []Command{
		{Names: "instance-groups", Subs: []Command{{Names: "managed unmanaged", Also: gcloudVerbs}}, Also: gcloudVerbs},
		{Names: "networks", Subs: []Command{{Names: "subnets peerings", Also: gcloudVerbs}}, Also: gcloudVerbs},
		{Names: "os-login", Subs: []Command{{Names: "describe-profile"}}},
		{Names: "accelerator-types addresses backend-buckets backend-services commitments disk-types disks " +
			"external-vpn-gateways firewall-policies firewall-rules forwarding-rules health-checks " +
			"http-health-checks https-health-checks images instance-templates instances instant-snapshots " +
			"interconnects machine-images machine-types network-attachments network-endpoint-groups operations " +
			"packet-mirrorings project-info regions reservations resource-policies routers routes " +
			"security-policies service-attachments snapshots ssl-certificates ssl-policies target-grpc-proxies " +
			"target-http-proxies target-https-proxies target-instances target-pools target-ssl-proxies " +
			"target-tcp-proxies target-vpn-gateways url-maps vpn-gateways zones", Also: gcloudVerbs},
		{
			Names: "ssh", Values: "zone project ssh-key-file command ssh-key-expiration", Flags: "internal-ip tunnel-through-iap plain",
			Opts: []Opt{{"ssh-flag", HasArg, Unsafe}},
			Forms: []Form{
				{"--command=TEXT", TextThere, ""}, {"!--command -- TEXT...", TextThere, ""}, {"!--command !--", InputThere, ""},
				{"!--command -- NAME:-*", Narrows, "options after -- go to ssh"},
			},
		},
	}},
	{Names: "container", Subs: []Command{
		{Names: "clusters", Subs: []Command{{
			Names: "get-credentials", Forms: []Form{{"", Configures, ".kube/config"}}, Values: "zone region location project",
		}}, Also: gcloudVerbs},
		{Names: "node-pools operations images", Also: gcloudVerbs},
		{Names: "fleet hub", Subs: []Command{{Names: "memberships features operations scopes", Also: gcloudVerbs}}},
	}},
	{Names: "run", Subs: []Command{
		{Names: "services revisions regions domain-mappings", Also: gcloudVerbs},
		{Names: "jobs", Subs: []Command{{Names: "executions", Also: gcloudVerbs}}, Also: gcloudVerbs},
	}},
	{Names: "functions", Subs: []Command{{Names: "logs", Also: gcloudVerbs}}, Also: gcloudVerbs},
	{Names: "sql", Subs: []Command{{Names: "instances databases backups operations users tiers flags", Also: gcloudVerbs}}},
	{Names: "storage", Subs: []Command{
		{
			Names: "ls du", ReadOnly: true, Flags: "-abeLlrRjs all-versions buckets etag exhaustive full json long readable-sizes recursive soft-deleted summarize total",
			Values: "additional-headers next-page-token",
		},
		{Names: "cp mv rsync", Flags: "-rRn recursive no-clobber delete-unmatched-destination-objects", refine: refineGcloudCopy},
		{Names: "buckets objects managed-folders", Also: gcloudVerbs},
	}},
	{Names: "iam", Subs: []Command{
		{Names: "roles", Also: gcloudVerbs},
		{Names: "service-accounts", Subs: []Command{{
			Names: "keys", Subs: []Command{{
				Names: "list", ReadOnly: true, Values: "iam-account managed-by filter limit sort-by",
			}},
		}}, Also: gcloudVerbs},
	}},
	{Names: "projects organizations", Also: gcloudVerbs},
	{Names: "config", Subs: []Command{
		{Names: "configurations", Also: gcloudVerbs},
		{Names: "list get-value get", ReadOnly: true, Flags: "all", Values: "filter limit sort-by"},
	}},
	{
		Names: "auth", Subs: []Command{{
			Names: "list", ReadOnly: true, Values: "filter-account filter limit sort-by",
		}},
	},
	{Names: "services", Subs: []Command{{
		Names: "list", ReadOnly: true, Flags: "available enabled", Values: "filter limit sort-by page-size",
	}}},
	{Names: "logging", Subs: []Command{
		{Names: "read", ReadOnly: true, Values: "billing-account bucket folder freshness limit location order organization resource-names view"},
		{Names: "buckets links locations logs metrics resource-descriptors sinks views", Also: gcloudVerbs},
	}},
	{Names: "pubsub", Subs: []Command{{Names: "topics subscriptions schemas snapshots", Also: gcloudVerbs}}},
	{Names: "dns", Subs: []Command{{Names: "managed-zones record-sets policies operations project-info", Also: gcloudVerbs}}},
	{Names: "artifacts", Subs: []Command{
		{Names: "repositories packages versions tags files locations", Also: gcloudVerbs},
		{Names: "docker", Subs: []Command{{Names: "images tags", Also: gcloudVerbs}}},
	}},
	{Names: "builds", Subs: []Command{
		{Names: "log", ReadOnly: true, Flags: "stream", Values: "region"},
		{Names: "connections repositories triggers worker-pools", Also: gcloudVerbs},
	}, Also: gcloudVerbs},
	{Names: "dataproc", Subs: []Command{{Names: "batches clusters jobs operations", Also: gcloudVerbs}}},
	{Names: "dataflow", Subs: []Command{{Names: "jobs snapshots", Also: gcloudVerbs}}},
	{Names: "bigtable", Subs: []Command{{Names: "instances clusters backups operations app-profiles", Also: gcloudVerbs}}},
	{Names: "spanner", Subs: []Command{{Names: "instances databases backups operations instance-configs", Also: gcloudVerbs}}},
	{Names: "redis filestore", Subs: []Command{{Names: "instances operations regions zones locations backups", Also: gcloudVerbs}}},
	{Names: "scheduler tasks", Subs: []Command{{Names: "jobs locations queues", Also: gcloudVerbs}}, Also: gcloudVerbs},
	{Names: "secrets", Subs: []Command{{
		Names: "versions", Subs: []Command{{
			Names: "list describe", ReadOnly: true, Values: "secret location filter limit sort-by",
		}},
	}}, Also: gcloudVerbs},
	{Names: "kms", Subs: []Command{{Names: "keyrings keys locations import-jobs", Also: gcloudVerbs}}},
	{Names: "app", Subs: []Command{
		{Names: "services versions instances operations regions domain-mappings firewall-rules", Also: gcloudVerbs},
		{Names: "logs", Subs: []Command{{
			Names: "read tail", ReadOnly: true, Values: "-s service version level limit logs",
		}}},
	}, Also: gcloudVerbs},
	{Names: "eventarc", Subs: []Command{{Names: "triggers providers locations channels", Also: gcloudVerbs}}},
	{Names: "workflows", Subs: []Command{{Names: "executions", Also: gcloudVerbs}}, Also: gcloudVerbs},
	{Names: "endpoints", Subs: []Command{{Names: "services configs operations", Also: gcloudVerbs}}},
	{Names: "deploy", Subs: []Command{{Names: "delivery-pipelines releases rollouts targets job-runs", Also: gcloudVerbs}}},
	{Names: "monitoring", Subs: []Command{{Names: "dashboards snoozes policies channels", Also: gcloudVerbs}}},
	{Names: "resource-manager", Subs: []Command{{Names: "folders org-policies", Also: gcloudVerbs}}},
}

// gcloudVerbs are the verbs that only ask.
var gcloudVerbs = []Command{{
	Names: "list describe get-iam-policy read list-tags", ReadOnly: true,
	Flags: "uri global all show-labels show-events ongoing include-tags full show-package-vulnerability",
	Values: "regexp -i filter limit page-size sort-by zones zone regions region location locations cluster namespace platform service instance network keyring " +
		"secret database topic managed-zone folder organization view page-token repository package status state version " +
		"min-log-level execution-id start-time end-time created-after created-before job-filter build-filter delivery-pipeline release rollout",
}}

// refineGcloudCopy copies between the bucket and the disk.
func refineGcloudCopy(c *Invocation) {
	c.Recursive = true
	for n, w := range c.operands() {
		switch {
		case strings.Contains(shell.LiteralPrefix(w), "://"):
			c.network(w)
		case n < len(c.Operands)-1:
			c.read(w)
		default:
			c.write(w)
			if slices.Contains(c.Subs, "rsync") {
				c.unpacks(w, shell.Contents{})
				continue
			}
			for _, k := range c.Operands[:n] {
				c.arrives(w, &c.Argv[k], shell.Contents{}, false)
			}
		}
	}
}

// azGroups are the groups whose list and show print no secret.
var azGroups = []Command{
	{Names: "account", Subs: []Command{{
		Names: "list show list-locations", ReadOnly: true, Flags: "all refresh", Values: "-ns name",
	}}},
	{Names: "vm vmss", Subs: []Command{{Names: "run-command", Subs: []Command{{
		Names: "invoke create", Values: "-gn resource-group name command-id parameters script", Opts: []Opt{{"scripts", HasArg, 0}},
		Forms: []Form{{"--scripts=@FILE", Reads, ""}, {"--scripts=TEXT:^@*", TextThere, ""}},
	}}}}, Also: azVerbs},
	{Names: "disk snapshot image group resource provider tag identity lock feature aro", Also: azVerbs},
	{Names: "aks acr", Subs: []Command{
		{Names: "nodepool repository task replication", Also: azVerbs},
		{Names: "get-credentials", Values: "-gn resource-group name", Flags: "admin", Opts: []Opt{{"-f file", HasArg, Writes}}, Forms: []Form{{"!-f|--file", Configures, ".kube/config"}}},
	}, Also: azVerbs},
	{Names: "storage", Subs: []Command{
		{Names: "account", Also: azVerbs},
		{Names: "container blob share queue table file", Also: azVerbs},
	}},
	{Names: "network", Subs: []Command{
		{Names: "vnet nsg lb public-ip nic application-gateway route-table private-endpoint dns", Subs: []Command{
			{Names: "subnet rule zone record-set peering route", Also: azVerbs},
		}, Also: azVerbs},
	}},
	{Names: "webapp functionapp appservice containerapp", Subs: []Command{{Names: "plan deployment slot revision", Subs: []Command{{Names: "slot", Also: azVerbs}}}}, Also: azVerbs},
	{Names: "sql postgres mysql", Subs: []Command{{Names: "server db flexible-server elastic-pool", Also: azVerbs}}},
	{Names: "keyvault", Subs: []Command{
		{Names: "secret key certificate", Subs: []Command{{
			Names: "list list-versions", ReadOnly: true, Values: "-n vault-name name id maxresults", Flags: "include-managed include-pending",
		}}},
	}, Also: azVerbs},
	{Names: "monitor", Subs: []Command{
		{Names: "activity-log metrics alert action-group log-profiles diagnostic-settings", Also: azVerbs},
	}},
	{Names: "role", Subs: []Command{{Names: "assignment definition", Also: azVerbs}}},
	{Names: "ad", Subs: []Command{{Names: "user group app sp", Also: azVerbs}}},
	{Names: "deployment", Subs: []Command{{Names: "group sub mg tenant", Also: azVerbs}}},
	{Names: "version", ReadOnly: true},
	{Names: "pipelines boards repos", Subs: []Command{
		{Names: "pr build runs work-item policy", Also: azVerbs},
	}, Also: azVerbs},
	{Names: "cosmosdb redis servicebus eventhubs cognitiveservices", Also: azVerbs},
}

// azVerbs are the verbs that only ask; --open starts a browser.
var azVerbs = []Command{{
	Names: "list show list-sizes list-skus list-usage get-instance-view", ReadOnly: true,
	Flags: "-d show-details all include-deleted",
	Values: "-gnlspc resource-group name location server resource-type ids namespace account-name container-name vault-name vnet-name nsg-name " +
		"cluster-name registry repository top orderby tag scope assignee upn-or-object-id object-id id org project prefix num-results resource offset start-time " +
		"end-time interval metric resource-id display-name filter auth-mode",
	Opts: []Opt{{"open", NoArg, Executes}},
}}

// terraformSubs: whatever needs the schemas of the providers (validate, plan,
// show) runs programs below .terraform, so that little is proven.
var terraformSubs = []Command{
	{Names: "fmt", Flags: "check diff recursive no-color list", Opts: []Opt{{"write", OptArg, 0}}, Forms: []Form{{"!--diff", Hides, ""}, {"--check", Proves, ""}, {"--write=false", Proves, ""}, {"!--check !--write=false", Rewrites, ""}}, Operands: ReadsTree},
	{Names: "state", Subs: []Command{
		{Names: "list", ReadOnly: true, Values: "id state"},
		{Names: "show mv rm pull push replace-provider"},
	}},
	{Names: "workspace", Subs: []Command{
		{Names: "list show", ReadOnly: true},
		{Names: "select new delete"},
	}},
	{ // a single output is printed even when it is marked sensitive
		Names: "output", Flags: "no-color", Values: "state", Opts: []Opt{{"json raw", NoArg, Changes}}, ReadOnly: true, Bare: true,
	},
	{Names: "version", ReadOnly: true, Flags: "json"},
	{
		Names: "init validate plan apply destroy console force-unlock get graph import login logout metadata modules " +
			"providers query refresh show taint test untaint",
		Flags:  "auto-approve no-color upgrade reconfigure migrate-state force-copy refresh-only destroy json detailed-exitcode compact-warnings lock input refresh backend",
		Values: "target replace var parallelism lock-timeout backup state",
		Opts: []Opt{
			{"var-file", HasArg, Reads}, {"out state-out generate-config-out", HasArg, Writes},
			{"plugin-dir from-module backend-config lockfile test-directory", HasArg, Unsafe},
		},
	},
}
