package bashsafety

import "strings"

// convertCommands are the programs that turn documents, pictures and sound into others.
var convertCommands = []Command{
	{
		Names: []string{"xmllint"}, Title: "checks and prints XML",
		Style: SingleDash,
		Flags: "noout format nonet noent noblanks nocdata huge html recover debug copy repeat version valid postvalid timing memory push stream xinclude c14n c14n11 exc-c14n " +
			"nowarning noxincludenode nofixup-base-uris dropdtd nsclean sax1 sax quiet nodefdtd xmlout pedantic nocompact oldxml10 insert testIO",
		Values: "xpath pretty encode maxmem dtdvalidfpi max-ampl",
		Opts: []Opt{
			{"output o", HasArg, WritesValue}, {"schema relaxng schematron dtdvalid pattern", HasArg, ReadsValue},
			{"shell", NoArg, Unsafe}, {"path catalogs nocatalogs load-trace loaddtd dtdattr", NoArg, Unsafe},
		},
		Operands: Reads, ReadOnly: true, more: mediaMore,
		Examples: []Example{
			{"xmllint --noout f.xml", "ro read:f.xml"}, {"xmllint --xpath '//a' f.xml", "ro read:f.xml"}, {"xmllint --format f.xml --output .envrc", "write:.envrc narrow read:f.xml"},
			{"xmllint --shell f.xml", "narrow read:f.xml"}, {"xmllint -o x f.xml", "write:x narrow read:f.xml"}, {"xmllint --schema s.xsd f.xml", "ro read:s.xsd read:f.xml"},
			{"xmllint http://a/b.xml", "net:http://a/b.xml"}, {"xmllint --frob f", "read:f"}, {`xmllint "$x"`, "narrow read:?"},
		},
	},
	{
		Names: []string{"pandoc"}, Title: "converts documents",
		Flags: "-psNV standalone toc table-of-contents number-sections embed-resources self-contained ascii preserve-tabs no-highlight mathjax katex trace fail-if-warnings quiet verbose version help",
		Values: "-ftrwMTD from to read write metadata wrap columns tab-stop toc-depth highlight-style top-level-division shift-heading-level-by markdown-headings " +
			"reference-location eol dpi slide-level title-prefix variable id-prefix",
		Opts: []Opt{
			{"-o output", HasArg, OutputsValue}, {"-FL filter lua-filter pdf-engine citeproc-engine", HasArg, Executes}, {"-dC defaults data-dir sandbox-file pdf-engine-opt extract-media log", HasArg, Unsafe},
			{"-HAB include-in-header include-before-body include-after-body template css bibliography csl reference-doc metadata-file resource-path", HasArg, ReadsValue},
			{"print-default-template print-default-data-file", HasArg, 0},
		},
		Operands: Reads, more: pandocMore,
		Examples: []Example{
			{"pandoc a.md -o b.html", "write:b.html read:a.md"}, {"pandoc -F ./x a.md", "narrow pandoc -F>>'./x' read:a.md"}, {"pandoc --lua-filter=x.lua a.md", "narrow pandoc --lua-filter>>'x.lua' read:a.md"},
			{"pandoc -t ./x.lua a.md", "narrow read:a.md"}, {"pandoc a.md -t plain", "read:a.md"}, {"pandoc --template .env a.md", "read:.env read:a.md"}, {"pandoc -d x a.md", "narrow read:a.md"},
			{"pandoc --pdf-e ./x a.md", "narrow pandoc --pdf-engine>>'./x' read:a.md"},
		},
	},
	{
		Names: []string{"ffmpeg", "ffplay"}, Title: "converts sound and film", Style: NoOptions, more: ffmpegMore,
		Examples: []Example{
			{"ffmpeg -i a.mp4 -c copy b.mkv", "read:a.mp4 write:b.mkv"}, {"ffmpeg -y -i a.mp4 -vf scale=1:2 -t 5 ../b.gif", "read:a.mp4 write:/b.gif"}, {"ffmpeg -version", "ro"},
			{"ffmpeg -i a.mp4 -f null -", "read:a.mp4"}, {"ffmpeg -i concat:a .envrc", "read:concat:a write:.envrc"}, {"ffmpeg -i https://a/b c.mp4", "net:https://a/b write:c.mp4"},
			{"ffmpeg -i a x.mp4 y.mp4", "read:a write:x.mp4 write:y.mp4"},
		},
	},
	{
		Names: []string{"ffprobe"}, Title: "describes sound and film", Style: SingleDash,
		Flags: "hide_banner show_streams show_format show_frames show_packets show_chapters show_programs count_frames count_packets unit prefix pretty sexagesimal version L h bitexact " +
			"show_error show_entries_all formats codecs decoders encoders",
		Values:   "v loglevel of print_format output_format select_streams show_entries read_intervals f analyzeduration probesize threads show_optional_fields",
		Opts:     []Opt{{"i", HasArg, ReadsValue}, {"o report", HasArg, WritesValue}},
		Operands: Reads, ReadOnly: true, more: mediaMore,
		Examples: []Example{
			{"ffprobe -v error -show_format -of json a.mp4", "ro read:a.mp4"}, {"ffprobe -i a.mp4", "ro read:a.mp4"}, {"ffprobe -o .envrc a.mp4", "write:.envrc narrow read:a.mp4"},
			{"ffprobe http://a/b", "net:http://a/b"}, {"ffprobe -f lavfi movie=x", "read:movie=x"},
		},
	},
	{
		// Pictures may name programs that convert them, so that nothing is proven.
		Names: []string{"magick", "convert", "mogrify", "montage", "composite", "compare"}, Title: "converts pictures", Style: NoOptions, more: magickMore,
		Examples: []Example{
			{"convert a.png -resize 50% b.jpg", "read:a.png write:b.jpg"}, {"magick a.png ../b.jpg", "read:a.png write:/b.jpg"}, {"mogrify -resize 5 a.png", "write:a.png"}, {"convert a.png .envrc", "read:a.png write:.envrc"},
			{"magick mogrify -strip a.png", "write:a.png"}, {"convert msl:x y", "narrow read:msl:x write:y"},
		},
	},
	{
		Names: []string{"certbot", "acme.sh"}, Title: "gets certificates", Flags: "-nq non-interactive agree-tos dry-run standalone nginx apache webroot quiet", Values: "-dmw domain email webroot-path cert-name",
		Opts:     []Opt{{"pre-hook post-hook deploy-hook renew-hook manual-auth-hook manual-cleanup-hook", HasArg, Executes}, {"-c config config-dir work-dir logs-dir", HasArg, Unsafe}},
		Examples: []Example{{"certbot renew --post-hook 'rm x'", "narrow certbot --post-hook>>'rm x'"}, {"certbot renew", ""}},
	},
	{
		Names: []string{"buildah", "skopeo", "crictl", "ctr", "kind", "minikube", "k3d", "k3s", "skaffold", "argocd", "istioctl", "stern", "kustomize", "helmfile"}, Title: "looks after containers and clusters",
		Flags: "debug help version", Style: Apart, Subs: []Command{
			{
				Names: []string{"version", "images", "ps", "pods", "list", "status", "info", "ls"}, ReadOnly: true, Flags: "-aqo all quiet output json no-trunc", Values: "-n namespace",
				Examples: []Example{{"crictl ps -a", "ro"}, {"minikube status", "ro"}, {"buildah images", "ro"}, {"kind delete cluster", ""}},
			},
			{Names: []string{"exec", "run"}, Flags: "-it tty interactive", Style: StopAtOperand, more: remoteRest, Examples: []Example{{"crictl exec c rm -rf /", "crictl exec>>rm -rf /"}}},
			{Names: []string{"unshare"}, Style: StopAtOperand, more: unshareMore, Examples: []Example{{"buildah unshare rm x", "buildah unshare>rm x"}}},
			{Names: []string{"kubectl"}, Style: NoOptions, more: nestedKubectl, Examples: []Example{{"minikube kubectl -- delete pod x", "minikube kubectl>kubectl delete pod x"}, {"k3s kubectl get pods", "k3s kubectl>kubectl get pods"}}},
			{Names: []string{"*"}, Examples: []Example{{"skopeo copy a b", ""}, {"kustomize build .", ""}}},
		}, Examples: []Example{{"stern", ""}},
	},
	{
		Names: []string{"vault", "consul", "etcdctl", "nomad", "rclone", "s3cmd", "mc"}, Title: "keeps secrets, settings and files elsewhere",
		Examples: []Example{{"vault kv get x", ""}, {"rclone sync a b:c", ""}},
	},
}

// mediaMore: operands that are URLs, or formats that are no files.
func mediaMore(c *call) {
	kept := c.d.effects[:0]
	for _, e := range c.d.effects {
		if e.Kind != Read || !strings.Contains(e.Path, ":/") {
			kept = append(kept, e)
		}
	}
	for _, i := range c.operands {
		if w := &c.argv[i]; strings.Contains(w.Text, "://") {
			c.d.effects = kept
			c.network(w)
			c.disprove("reads a URL")
		}
	}
	if o := c.option("f"); o != nil && programName(c.argv) == "ffprobe" {
		c.disprove("is told a format, which may be a graph of filters that reads other files")
	}
}

// pandocMore: a format may be a program in Lua.
func pandocMore(c *call) {
	for _, name := range [...]string{"f", "t", "r", "w", "from", "to", "read", "write"} {
		if o := c.option(name); o != nil && (!o.value.Known || strings.Contains(o.value.Text, ".lua") || strings.Contains(o.value.Text, "/")) {
			c.narrow("a format may be a program")
			return
		}
	}
}

// ffmpegMore: what follows -i is read; a word that is no option and follows
// none that takes a value is written.
func ffmpegMore(c *call) {
	words := c.argv[1:]
	value := false
	for i := range words {
		w := &words[i]
		t := literalPrefix(w)
		switch {
		case i > 0 && words[i-1].Known && words[i-1].Text == "-i":
			if value = false; strings.Contains(t, "://") {
				c.network(w)
			} else {
				c.readValue(w)
			}
		case strings.HasPrefix(t, "-") && t != "-":
			value = !listed("y n hide_banner nostdin nostats stats an vn sn dn shortest re benchmark copyts version L h formats codecs encoders decoders filters", t[1:])
		case value:
			value = false
		case strings.Contains(t, "://"):
			c.network(w)
		default:
			c.write(w)
		}
	}
	c.d.readOnly = len(words) == 1 && (words[0].Text == "-version" || words[0].Text == "-formats" || words[0].Text == "-codecs")
}

// magickMore: the last word is written, mogrify changes its files.
func magickMore(c *call) {
	words := c.argv[1:]
	name := programName(c.argv)
	if name == "magick" && len(words) > 0 && listed("convert mogrify montage composite compare", words[0].Text) {
		name, words = words[0].Text, words[1:]
	}
	for i := range words {
		w := &words[i]
		t := literalPrefix(w)
		switch {
		case strings.HasPrefix(t, "msl:"), strings.HasPrefix(t, "mvg:"), strings.HasPrefix(t, "ephemeral:"), strings.HasPrefix(t, "https:"), strings.HasPrefix(t, "@"), t == "-write", t == "-script":
			c.narrow("it can run commands of its own or write other files")
		}
		switch {
		case strings.HasPrefix(t, "-"):
		case name == "mogrify" && strings.Contains(t, "."):
			c.write(w)
		case i == len(words)-1:
			c.write(w)
		case strings.ContainsAny(t, ".:") && !strings.Contains(t, "%"):
			c.read(w)
		}
	}
}

// nestedKubectl is another program's way to run kubectl.
func nestedKubectl(c *call) {
	argv := c.rest(0)
	if len(argv) > 0 && argv[0].Known && argv[0].Text == "--" {
		argv = argv[1:]
	}
	c.runs(inner{kind: innerArgv, via: programName(c.argv) + " kubectl", argv: append([]Word{literal("kubectl", &c.argv[0])}, argv...)})
}
