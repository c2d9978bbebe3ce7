package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// convertCommands are the programs that turn documents, pictures and sound into others.
var convertCommands = []Command{
	{
		Names: "xmllint", Title: "checks and prints XML",
		Style: SingleDash,
		Flags: "noout format nonet noent noblanks nocdata huge html recover debug copy repeat version valid postvalid timing memory push stream xinclude c14n c14n11 exc-c14n " +
			"nowarning noxincludenode nofixup-base-uris dropdtd nsclean sax1 sax quiet nodefdtd xmlout pedantic nocompact oldxml10 insert testIO",
		Values: "xpath pretty encode maxmem dtdvalidfpi max-ampl",
		Opts: []Opt{
			{"output o", HasArg, WritesValue}, {"schema relaxng schematron dtdvalid pattern", HasArg, Reads},
			{"shell", NoArg, Unsafe}, {"path catalogs nocatalogs load-trace loaddtd dtdattr", NoArg, Unsafe},
		},
		Operands: Reads, ReadOnly: true, Net: FetchesURLs, refine: refineMedia,
		// what a document names is read, or fetched, when its entities are replaced or it is checked
		Forms: []Form{
			{"--schema|--relaxng|--schematron !--nonet", Disproves, "may fetch what the schema imports; add --nonet"},
			{"--noent|--valid|--postvalid|--dtdvalid|--dtdvalidfpi|--xinclude", Disproves, "reads the files and URLs the document names"},
		},
	},
	{
		Names: "pandoc", Title: "converts documents",
		Flags: "-psNV standalone toc table-of-contents number-sections embed-resources self-contained ascii preserve-tabs no-highlight mathjax katex trace fail-if-warnings quiet verbose version help",
		Values: "-ftrwMTD from to read write metadata wrap columns tab-stop toc-depth highlight-style top-level-division shift-heading-level-by markdown-headings " +
			"reference-location eol dpi slide-level title-prefix variable id-prefix",
		Opts: []Opt{
			{"-o output", HasArg, Writes}, {"-FL filter lua-filter pdf-engine citeproc-engine", HasArg, Executes}, {"-dC defaults data-dir sandbox-file pdf-engine-opt extract-media log", HasArg, Unsafe},
			{"-HAB include-in-header include-before-body include-after-body template css bibliography csl reference-doc metadata-file resource-path", HasArg, Reads},
			{"print-default-template print-default-data-file", HasArg, 0},
		},
		Operands: Reads, Forms: []Form{{"-f|-t|-r|-w|--from|--to|--read|--write=NAME:*.lua*|*/*", Narrows, "a format may be a program"}},
	},
	{Names: "ffmpeg ffplay", InfoFlags: "-version -formats -codecs", Title: "converts audio and video", Style: NoOptions, refine: refineFfmpeg},
	{
		Names: "ffprobe", Title: "describes audio and video files", Style: SingleDash,
		Flags: "hide_banner show_streams show_format show_frames show_packets show_chapters show_programs count_frames count_packets unit prefix pretty sexagesimal version L h bitexact " +
			"show_error show_entries_all formats codecs decoders encoders",
		Values:   "v loglevel of print_format output_format select_streams show_entries read_intervals f analyzeduration probesize threads show_optional_fields",
		Opts:     []Opt{{"i", HasArg, Reads}, {"o report", HasArg, WritesValue}},
		Operands: Reads, ReadOnly: true, Net: FetchesURLs, refine: refineFfprobe,
		Forms: []Form{{"-f", Disproves, "gets a format that may be a filter graph reading other files"}},
	},
	{
		// Pictures may name programs that convert them, so that nothing is proven.
		Names: "magick convert montage composite compare mogrify", Title: "converts images", Style: NoOptions, refine: refineImages,
	},
	{
		Names: "certbot acme.sh", Title: "gets certificates", Flags: "-nq non-interactive agree-tos dry-run standalone nginx apache webroot quiet", Values: "-dmw domain email webroot-path cert-name",
		Opts: []Opt{{"pre-hook post-hook deploy-hook renew-hook manual-auth-hook manual-cleanup-hook", HasArg, Executes}, {"-c config config-dir work-dir logs-dir", HasArg, Unsafe}},
	},
	{
		Names: "buildah skopeo crictl ctr kind minikube k3d k3s skaffold argocd istioctl stern kustomize helmfile", Title: "manages containers and clusters",
		Flags: "debug help version", Style: ProgramOptionsFirst, Subs: []Command{
			{Names: "version images ps pods list status info ls", ReadOnly: true, Flags: "-aqo all quiet output json no-trunc", Values: "-n namespace"},
			{Names: "exec run", Flags: "-it tty interactive", Style: StopAtOperand, Forms: []Form{{"* COMMAND...", RunsThere, ""}}},
			{Names: "unshare", Style: StopAtOperand, Forms: []Form{{"COMMAND...", Runs, ""}}},
			{Names: "kubectl", Style: NoOptions, refine: nestedKubectl},
			{Names: "*"},
		},
		Special: &Special{Losses: []Loss{
			{Of: OfCluster, Names: "helmfile", Values: "-fenlb file environment namespace selector state-values-set kube-context", Verbs: []string{"destroy|delete"}},
			{
				Of: OfCluster, Names: "argocd", Values: "-NH server auth-token header grpc-web-root-path core plugins project",
				Verbs: []string{"app|appset|proj|project|account|cluster|repo|repocreds|cert|gpg ** delete|rm|remove|delete-*|remove-*", "app sync --prune", "app terminate-op", "app delete-resource"},
			},
			{Of: OfCluster, Names: "k3d", Verbs: []string{"cluster|node|registry delete|del|rm"}},
			{Of: OfCluster, Names: "kind", Values: "-v verbosity name", Verbs: []string{"delete cluster|clusters"}},
			{Of: OfCluster, Names: "minikube", Values: "-p profile", Verbs: []string{"delete"}, fits: minikubeDeletes},
			{Of: OfContainer, Names: "buildah", Verbs: []string{"rm -a|--all", "rmi -a|--all|-p|--prune|-f|--force", "prune"}},
			{Of: OfContainer, Names: "crictl", Values: "-rict runtime-endpoint image-endpoint config timeout", Verbs: []string{"rmi -a|--all|-q|--prune", "rm|rmp -a|--all"}},
			{Of: OfContainer, Names: "ctr", Values: "-an address namespace timeout", Verbs: []string{"namespaces|namespace|ns|content|snapshots|snapshot|leases rm|remove|delete|del|prune"}}}},
	},
	{
		Names: "vault consul etcdctl nomad bao", Title: "stores secrets, settings and files remotely", refine: func(c *Invocation) { c.environment() },
		Special: &Special{Environments: []Environment{
			{Skip: 1, Shell: true, Command: Command{Names: "lock", Style: SingleDash, Flags: "verbose child-exit-code shell", Values: "n name timeout monitor-retry pass-stdin"}},
			{Shell: true, Command: Command{Names: "watch", Style: SingleDash, Flags: "shell stale", Values: "type key prefix service tag state name passingonly"}},
		}, Credentials: []Credential{{"vault|bao kv get", "*"}, {"vault|bao read", "*"}, {"vault|bao print token", ""}, {"vault|bao token create", ""}, {"nomad var get", "*"}}, Losses: []Loss{
			{
				Of: OfCluster, Names: "nomad", Values: "namespace region address token ca-cert", Style: SingleDash,
				Verbs: []string{"stop", "job stop", "namespace delete", "node drain|eligibility", "system gc", "var purge", "volume delete|deregister", "alloc stop", "deployment fail", "acl ** delete"},
			},
			{Of: OfCluster, Names: "consul", Values: "http-addr token datacenter", Style: SingleDash, Verbs: []string{"kv delete", "acl * delete", "config delete", "leave", "force-leave", "services deregister", "namespace delete", "peering delete"}}}},
	},
	{
		Names: "pass gopass bw rbw lpass secret-tool keyring keepassxc-cli credstash", Title: "keeps passwords",
		Special: &Special{Credentials: []Credential{{"pass|gopass *", "*"}, {"bw get|list|export", "*"}, {"rbw get|code", "*"}, {"lpass show|export", "*"}, {"secret-tool lookup|search", "*"}, {"keyring get", "*"}, {"keepassxc-cli show|export", "*"}, {"credstash get|getall", "*"}}},
	},
}

// refineMedia: operands that are URLs are no files.
func refineMedia(c *Invocation) {
	fetched := false
	for _, w := range c.operands() {
		if strings.Contains(w.Text, "://") {
			fetched = true
			c.network(w)
			c.Disprove("reads a URL")
		}
	}
	if fetched {
		c.Facts.Effects = slices.DeleteFunc(c.Facts.Effects, func(e shell.Effect) bool {
			return e.Kind == shell.Read && strings.Contains(e.Path, ":/")
		})
	}
}

// refineFfprobe: a name may have a protocol in front, of which there are many.
func refineFfprobe(c *Invocation) {
	refineMedia(c)
	var files []*shell.Word
	for _, w := range c.operands() {
		files = append(files, w)
	}
	if o := c.Option("i"); o != nil {
		files = append(files, &o.Value)
	}
	for _, w := range files {
		if name, _, ok := strings.Cut(w.Text, ":"); ok && !strings.Contains(name, "/") {
			c.Disprove("reads through a protocol: " + name)
		}
	}
}

// ffmpegFlags are options of ffmpeg without a value.
const ffmpegFlags = "y n hide_banner nostdin nostats stats an vn sn dn shortest re benchmark copyts version L h " +
	"formats codecs encoders decoders filters"

// refineFfmpeg: what follows -i is read; a word that is no option and follows
// none that takes a value is written.
func refineFfmpeg(c *Invocation) {
	words := c.Argv[1:]
	value := false
	for i := range words {
		w := &words[i]
		t := shell.LiteralPrefix(w)
		switch {
		case i > 0 && words[i-1].Known && words[i-1].Text == "-i":
			if value = false; strings.Contains(t, "://") {
				c.network(w)
			} else {
				c.readValue(w)
			}
		case strings.HasPrefix(t, "-") && t != "-":
			value = !shell.Listed(ffmpegFlags, t[1:])
		case value:
			value = false
			c.ffmpegValue(shell.LiteralPrefix(&words[i-1]), w)
		case strings.Contains(t, "://"):
			c.network(w)
		default:
			c.write(w)
		}
	}
}

// ffmpegValue says what the value of an option writes or loads, where that is more than a setting.
func (c *Invocation) ffmpegValue(option string, w *shell.Word) {
	name, stream, _ := strings.Cut(option, ":")
	switch {
	case shell.Among("-progress -vstats_file -passlogfile -sdp_file -dump_attachment -stats_enc_pre -stats_enc_post -stats_mux_pre", name):
		if strings.HasPrefix(w.Text, "file:") {
			w = new(shell.Suffix(w, len("file:")))
		}
		c.write(w)
	case shell.Among("-vf -af -filter -filter_complex -lavfi", name) && shell.ContainsAny(w.Text, "frei0r", "ladspa", "lv2"):
		c.Narrow("a filter loads code")
	case name == "-f" && stream == "" && w.Text == "tee":
		c.Narrow("tee writes to every name in its operand")
	}
}

// refineImages: the last word is written, or all images are when they are changed in place. magick
// takes the name of the program it replaces.
func refineImages(c *Invocation) {
	name, words := c.as, c.Argv[1:]
	if name == "magick" && len(words) > 0 && shell.Listed("convert mogrify montage composite compare", words[0].Text) {
		name, words = words[0].Text, words[1:]
	}
	for i := range words {
		w := &words[i]
		t := shell.LiteralPrefix(w)
		if shell.StartsWithAny(t, "msl:", "mvg:", "ephemeral:", "https:", "@") || t == "-write" || t == "-script" {
			c.Narrow("it can run commands of its own or write other files")
		}
		switch {
		case strings.HasPrefix(t, "-"):
		case i == len(words)-1, name == "mogrify" && strings.Contains(t, "."):
			c.write(w)
		case strings.ContainsAny(t, ".:") && !strings.Contains(t, "%"):
			c.read(w)
		}
	}
}

// nestedKubectl is another program's way to run kubectl.
func nestedKubectl(c *Invocation) {
	argv := c.rest(0)
	if len(argv) > 0 && argv[0].Known && argv[0].Text == "--" {
		argv = argv[1:]
	}
	argv = append([]shell.Word{shell.Literal("kubectl", &c.Argv[0])}, argv...)
	c.runs(Inner{Kind: InnerArgv, Via: ProgramName(c.Argv) + " kubectl", Argv: argv})
}

// minikubeDeletes: minikube brings kubectl along.
func minikubeDeletes(r *reading) bool {
	if len(r.words) < 2 || !wordFits("kubectl", r.words[0]) {
		return false
	}
	within := *r
	within.words = r.words[1:]
	return kubectlDeletes(&within)
}
