package commands

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// hostCommands are the programs that talk to code hosts.
var hostCommands = []Command{
	{
		Names: "gh", Title: "talks to GitHub", Flags: "help version", Values: "-R repo hostname",
		Style: ShortEquals, ReadOnly: true, Subs: ghSubs, Forms: []Form{{"--hostname=HOST", Sends, ""}}, refine: ghHosts,
		Special: &Special{Credentials: []Credential{{"gh auth token", onGitHub}, {"gh auth status -t|--show-token", onGitHub}, {"gh config get *token*", onGitHub}, {"gh auth git-credential", onGitHub}}, Losses: []Loss{{
			Of: OfCodeHost, Values: "-qtXHeoufF field raw-field input jq template method header env org user app body visibility", Flags: "-d cleanup-tag delete-branch",
			Verbs: []string{
				"repo|release|secret|variable|issue|gist|label|ssh-key|gpg-key|codespace|cs|run|project|workflow @", "repo archive", "repo autolink|deploy-key @",
				"repo edit --visibility", "repo sync --force", "cache delete --all|-a",
			},
			fits: apiDeletes,
		}}},
	},
	{
		Names: "glab", Title: "talks to GitLab", Flags: "help version", Values: "-R repo",
		Style: ShortEquals, ReadOnly: true, Subs: glabSubs, refine: glabHosts,
		Special: &Special{Credentials: []Credential{{"glab auth status -t|--show-token", "gitlab.com *.gitlab.com"}, {"glab config get *token*", "gitlab.com *.gitlab.com"}}, Losses: []Loss{{
			Of: OfCodeHost, Values: "-XHFfg hostname method header field raw-field group",
			Verbs: []string{
				"repo|project archive", "runner-controller|runner|token|cluster ** @", "* @", "repo * @",
			},
			Spares: []string{"alias|config|auth"},
			fits:   apiDeletes,
		}}},
	},
}

var ghSubs = []Command{
	{Names: "pr", Subs: []Command{
		{
			Names: "list ls", ReadOnly: true, Flags: "-d draft",
			Values: "-LlsAaBHSqt limit label state author assignee base head search json jq template app",
			Opts:   []Opt{{"-w web", NoArg, Executes}},
		},
		{
			Names: "view status checks diff", ReadOnly: true,
			Flags:  "-c comments conflict-status watch fail-fast required name-only patch",
			Values: "-qtie json jq template interval color exclude",
			Opts:   []Opt{{"-w web", NoArg, Executes}},
		},
	}, Also: ghChanges},
	{Names: "issue", Subs: []Command{
		{
			Names: "list ls", ReadOnly: true,
			Values: "-LlsAamSqt limit label state author assignee milestone mention search json jq template app",
			Opts:   []Opt{{"-w web", NoArg, Executes}},
		},
		{
			Names: "view status", ReadOnly: true, Flags: "-c comments", Values: "-qt json jq template",
			Opts: []Opt{{"-w web", NoArg, Executes}},
		},
	}, Also: ghChanges},
	{Names: "run", Subs: []Command{
		{
			Names: "list ls", ReadOnly: true, Flags: "-a all",
			Values: "-LwbuescqtR limit workflow branch user event status commit created json jq template",
		},
		{
			Names: "view watch", ReadOnly: true, Flags: "-v verbose log log-failed exit-status compact",
			Values: "-jaqti job attempt json jq template interval",
			Opts:   []Opt{{"-w web", NoArg, Executes}},
		},
	}, Also: ghChanges},
	{
		Names: "workflow", Subs: []Command{{
			Names: "list ls view", ReadOnly: true, Flags: "-ay all yaml", Values: "-Lrqt limit ref json jq template",
			Opts: []Opt{{"-w web", NoArg, Executes}},
		}}, Also: ghChanges,
	},
	{
		Names: "release", Subs: []Command{{
			Names: "list ls view", ReadOnly: true, Flags: "exclude-drafts exclude-pre-releases",
			Values: "-LOqt limit order json jq template", Opts: []Opt{{"-w web", NoArg, Executes}},
		}}, Also: ghChanges,
	},
	{Names: "repo", Subs: []Command{
		{
			Names: "list ls view", ReadOnly: true, Flags: "fork source archived no-archived public private",
			Values: "-Llbqt limit language branch visibility topic json jq template", Opts: []Opt{{"-w web", NoArg, Executes}},
		},
		{Names: "gitignore license autolink deploy-key", Subs: []Command{{
			Names: "list ls view", ReadOnly: true, Values: "-qt json jq template", Opts: []Opt{{"-w web", NoArg, Executes}},
		}}},
	}, Also: ghChanges},
	{
		Names: "search", Subs: []Command{{
			Names: "prs issues repos code commits", ReadOnly: true,
			Flags: "archived draft locked merged no-assignee no-label no-milestone no-project include-prs merge include-forks",
			Values: "-LBHSqtR limit app assignee author base head checks closed commenter comments created interactions involves json jq template label " +
				"language match mentions merged-at milestone order owner project reactions repo review review-requested reviewed-by sort state " +
				"team-mentions updated user visibility extension filename size author-date author-email author-name committer committer-date " +
				"committer-email committer-name hash parent tree followers forks good-first-issues help-wanted-issues license number-topics stars topic",
			Opts: []Opt{{"-w web", NoArg, Executes}},
		}},
	},
	{
		Names: "secret variable", Subs: []Command{{
			Names: "list ls", ReadOnly: true, Values: "-oeuaqt org env user app json jq template",
		}, {
			Names: "get", ReadOnly: true, Values: "-oeqt org env json jq template",
		}, {
			Names: "set delete remove", Flags: "-u user no-store no-repos-selected", Values: "-abeorv app body env org repos visibility",
			Opts: []Opt{{"-f env-file", HasArg, Reads}},
		}},
	},
	{
		Names: "label gist cache ruleset org ssh-key gpg-key codespace cs",
		Subs: []Command{{
			Names: "list ls", ReadOnly: true, Flags: "public secret include-content parents",
			Values: "-LSkrOoueaqt limit search sort order key ref org user env app json jq template filter repo", Opts: []Opt{{"-w web", NoArg, Executes}},
		}, {
			Names: "view get check", ReadOnly: true, Flags: "-r raw files default", Values: "-foecqt filename org env json jq template codespace",
			Opts: []Opt{{"-w web", NoArg, Executes}},
		}}, Also: ghChanges,
	},
	{
		Names: "project", Subs: []Command{{
			Names: "list ls view field-list item-list", ReadOnly: true, Flags: "closed",
			Values: "-Lqt owner format limit jq template query", Opts: []Opt{{"-w web", NoArg, Executes}},
		}}, Also: ghChanges,
	},
	{
		Names: "auth", Subs: []Command{{
			Names: "status", ReadOnly: true, Flags: "-a active", Values: "-h hostname", Opts: []Opt{{"-t show-token", NoArg, Changes}},
		}}, Also: ghChanges,
	},
	{Names: "attestation at", Also: ghChanges},
	{Names: "alias extension extensions ext config", Subs: []Command{
		{
			Names:      "list ls get search",
			ReadOnly:   true,
			Values:     "-hLqt host limit sort order json jq template license owner",
			Opts:       []Opt{{"-w web", NoArg, Executes}},
			KnownWords: true,
		},
		{
			Names: "*",
			Flags: "-s shell clobber force",
			Style: StopAtOperand,
			Forms: []Form{{"", Narrows, setsUpLater}},
		},
	}},
	{
		Names:     "api",
		Flags:     "-i include paginate slurp silent verbose",
		Values:    "-XHqtpf method header jq template preview cache hostname raw-field",
		Opts:      []Opt{{"-F field", HasArg, 0}, {"input", HasArg, Reads}},
		ReadsSome: true, refine: refineGhAPI,
	},
	{Names: "status", ReadOnly: true, Values: "-oe org exclude"},
	{Names: "version help completion", ReadOnly: true, Values: "-s shell"},
	{Names: "browse", Flags: "-nscrpwau no-browser settings commit releases projects wiki actions", Values: "-b branch"},
}

// ghChanges are the verbs that change something on the host or in the clone.
var ghChanges = []Command{{
	Names: "create edit comment close reopen merge review checkout co ready delete clone fork rename sync set-default " +
		"upload download rerun cancel enable disable run login logout refresh token setup-git pin unpin transfer " +
		"lock unlock develop set add remove archive unarchive update-branch item-* field-* verify verify-asset " +
		"switch deploy-key copy link unlink mark-template delete-asset revert ssh cp code jupyter ports logs " +
		"rebuild stop trusted-root",
	Flags: "-dfwsrye draft fill fill-first fill-verbose squash merge rebase delete-branch admin auto disable-auto failed debug approve " +
		"request-changes undo detach force recurse-submodules editor yes public private internal push clobber skip-existing latest prerelease " +
		"verify-tag generate-notes dry-run no-maintainer-edit edit-last create-if-none delete-last",
	Values: "-tbBHaAlmpRDOcCoj title body base head assignee label milestone project reviewer repo dir pattern output method subject notes reason " +
		"description ref raw-field add-label remove-label add-assignee remove-assignee add-reviewer remove-reviewer add-project remove-project " +
		"match-head-commit author-email notes-start-tag target discussion-category color name branch tag comment visibility homepage org env job",
	Opts: []Opt{
		{"-F body-file notes-file env-file secret-file", HasArg, Reads}, {"web", NoArg, Executes}, {"-T template", HasArg, Reads},
		{"recover", HasArg, Reads}, {"source", HasArg, Reads},
	},
	refine: refineGh,
}}

// ghHosts makes the hosts that a command names, other than the service's own,
// known as what it talks to: gh takes URLs and HOST/OWNER/REPO in many places.
func ghHosts(c *Invocation) {
	for _, w := range c.operands() {
		if strings.Contains(w.Text, "://") && !ghOwn(w.Text) {
			c.network(w)
		}
	}
	for u := range c.options() {
		switch u.Name {
		case "q", "jq":
			if jqEnvironment(u.Value.Text) {
				c.Disprove(printsEnvironment)
			}
		case "R", "repo":
			if ghMayNameHost(&u.Value) {
				c.network(&u.Value)
			}
		}
	}
}

// ghMayNameHost reports whether HOST/OWNER/REPO may name a host other than GitHub's own.
func ghMayNameHost(w *shell.Word) bool {
	return !ghOwn(w.Text) && (strings.Count(w.Text, "/") > 1 || shell.LiteralPrefix(w) == "")
}

// glabHosts is ghHosts for GitLab, whose groups nest: a URL or a first part with a dot is a host.
func glabHosts(c *Invocation) {
	for _, w := range c.operands() {
		if strings.Contains(w.Text, "://") && glabNamesHost(w.Text) {
			c.network(w)
		}
	}
	if o := c.Option("R", "repo"); o != nil && (glabNamesHost(o.Value.Text) || shell.LiteralPrefix(&o.Value) == "") {
		c.network(&o.Value)
	}
}

// glabNamesHost reports whether a project is named with a host other than GitLab's own.
func glabNamesHost(project string) bool {
	if strings.HasPrefix(strings.TrimPrefix(project, "https://"), "gitlab.com/") {
		return false
	}
	first, _, below := strings.Cut(project, "/")
	return strings.Contains(project, "://") || below && strings.Contains(first, ".")
}

// ghOwn reports whether a URL or HOST/OWNER/REPO is on the service's own host.
func ghOwn(s string) bool {
	s = strings.TrimPrefix(s, "https://")
	return strings.HasPrefix(s, "github.com/") || strings.HasPrefix(s, "api.github.com/")
}

// refineGh: gh repo clone and fork hand options after -- to git, downloads
// write files, and codespace ssh runs a command there.
func refineGh(c *Invocation) {
	switch c.Subs[len(c.Subs)-1] {
	case "create", "upload":
		switch first := c.Subs[0]; {
		case first == "gist":
			c.readOperands(c.Operands)
			if o := c.Option("p"); o != nil { // there it is --public, and has no value
				c.readValue(&o.Value)
			}
		case first == "release" && len(c.Operands) > 1:
			c.readOperands(c.Operands[1:])
		}
	case "clone", "fork":
		if c.DashDash > 0 {
			c.Narrow("options after -- go to git")
		}
	case "download":
		if o := c.Option("O", "output"); o != nil {
			c.write(&o.Value)
		}
		if o := c.Option("D", "dir"); o != nil {
			c.Recursive = true
			c.write(&o.Value)
		}
	case "ssh":
		if len(c.Operands) > 0 {
			c.remote(Inner{Kind: InnerText, Via: c.Form(), Text: joined(c.rest(0))})
		}
	}
}

// refineGhAPI: a request without fields and method is a GET; a GraphQL request
// is always a POST and reads when its document holds queries only.
func refineGhAPI(c *Invocation) {
	if fields := ghFieldsOf(c); !fields.harmless || !fields.reads(c) {
		c.Disprove("")
	}
}

// ghFields is what the options of gh api send.
type ghFields struct {
	n, queries, asks int
	harmless         bool // no file, and no header that changes the method
}

func ghFieldsOf(c *Invocation) ghFields {
	fields := ghFields{harmless: true}
	for u := range c.options() {
		switch u.Name {
		case "F", "field":
			fields.add(c, &u.Value, true)
		case "f", "raw-field":
			fields.add(c, &u.Value, false)
		case "input":
			fields.harmless = false
		case "H", "header":
			if !u.Value.Known || strings.Contains(strings.ToLower(u.Value.Text), "method") {
				fields.harmless = false
				return fields
			}
		}
	}
	return fields
}

// add notes KEY=VALUE; a value that starts with @ is a file where files may be sent.
func (f *ghFields) add(c *Invocation, w *shell.Word, files bool) {
	f.n++
	key, value, _ := strings.Cut(w.Text, "=")
	file := files && strings.HasPrefix(value, "@")
	if file {
		f.harmless = false
		c.readAt(w, len(w.Text)-len(value)+1)
	}
	if key == "query" {
		f.queries++
		if w.Known && !file && lang.GraphQLAsks(value) {
			f.asks++
		}
	}
}

// reads reports whether the one operand is asked for and nothing is sent.
func (f *ghFields) reads(c *Invocation) bool {
	w := c.Operand(0)
	if w == nil || len(c.Operands) > 1 {
		return false
	}
	path, method := shell.LiteralPrefix(w), c.Option("X", "method")
	if strings.TrimPrefix(path, "/") == "graphql" {
		return w.Known && f.queriesOnly() && (method == nil || isMethod(method, "POST"))
	}
	if !ghNamesPath(w, path) {
		return false
	}
	if method == nil {
		return f.n == 0
	}
	return isMethod(method, "GET", "HEAD")
}

// ghNamesPath reports whether a word is certainly a path of the service, or a URL there.
func ghNamesPath(w *shell.Word, path string) bool {
	if strings.Contains(path, "://") {
		return strings.HasPrefix(path, "https://api.github.com/")
	}
	return w.Known || strings.Contains(path, "/")
}

// queriesOnly reports whether a GraphQL document is sent, and all of them ask.
func (f *ghFields) queriesOnly() bool { return f.queries > 0 && f.queries == f.asks }

func isMethod(u *Used, names ...string) bool {
	return u.Value.Known && slices.Contains(names, strings.ToUpper(u.Value.Text))
}

// glabSubs are the subcommands of glab; its api is that of gh.
var glabSubs = []Command{
	{Names: "mr issue incident", Subs: []Command{
		{
			Names: "list ls view show diff approvers", ReadOnly: true,
			Flags: "-AcdMO all closed draft merged opened comments system-logs raw not-draft confidential",
			Values: "-almnrtsFGPp assignee author label milestone search source-branch target-branch reviewer output group per-page page color in " +
				"not-label not-author not-assignee order sort created-after created-before",
			Opts: []Opt{{"-w web", NoArg, Executes}},
		},
		{
			Names: "create new update close reopen delete merge approve revoke rebase note checkout subscribe todo " +
				"for",
		},
	}},
	{Names: "ci pipeline pipe", Subs: []Command{
		{
			Names: "list ls get status trace", ReadOnly: true, Flags: "-lcd live compact with-job-details with-variables",
			Values: "-bpsoPF branch pipeline-id status orderBy per-page page sort output ref source updated-after username name scope",
		},
		{Names: "run retry delete cancel lint view artifact trigger config"},
	}},
	{Names: "release label milestone repo project snippet iteration", Subs: []Command{
		{
			Names: "list ls view", ReadOnly: true, Flags: "-am all mine", Values: "-bPpFgou branch per-page page output group user",
			Opts: []Opt{{"-w web", NoArg, Executes}},
		},
		{
			Names:  "clone create delete fork archive transfer mirror upload download update contributors search",
			refine: refineGh, Values: "-D dir",
		},
	}},
	{Names: "alias config", Subs: []Command{
		{Names: "list ls", ReadOnly: true},
		{Names: "*", Flags: "-s shell", Style: StopAtOperand, Forms: []Form{{"", Narrows, setsUpLater}}},
	}},
	{
		Names: "api", Flags: "-i include paginate silent", Values: "-XHf method header hostname raw-field output",
		Opts: []Opt{{"-F field", HasArg, 0}, {"input", HasArg, Reads}}, ReadsSome: true, Forms: []Form{{"--hostname=HOST", Sends, ""}}, refine: refineGhAPI,
	},
	{Names: "version", ReadOnly: true},
}

// apiDeletes: gh api and glab api with DELETE, or a mutation that deletes.
func apiDeletes(r *reading) bool {
	if len(r.words) == 0 || !wordFits("api", r.words[0]) {
		return false
	}
	graph := len(r.words) > 1 && wordFits("graphql", r.words[1])
	return slices.ContainsFunc(r.opts, func(u Used) bool { return u.requestsDeletion(graph) })
}

// requestsDeletion reports whether an option of gh api makes a request that deletes.
func (u *Used) requestsDeletion(graph bool) bool {
	switch {
	case !u.Given:
		return false
	case u.Name == "X", u.means("method"):
		return MethodDeletes(&u.Value)
	case u.Name == "H", u.means("header"):
		return OverridesMethod(u.Value.Text)
	case u.Value.Text == "archived=true":
		return true
	}
	return graph && strings.HasPrefix(u.Value.Text, "query=") && lang.PostsDeletion(u.Value.Text)
}
