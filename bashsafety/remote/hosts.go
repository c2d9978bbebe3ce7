package remote

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/commands/lang"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// codeHostDeletions are the programs of code hosts and of the services that
// build what they hold.
var codeHostDeletions = []deletion{
	{
		programs: "gh", values: "-RqtXHeoufF field raw-field input repo hostname jq template method header env org user app body visibility", flags: "-d cleanup-tag delete-branch",
		verbs: []string{
			"repo|release|secret|variable|issue|gist|label|ssh-key|gpg-key|codespace|cs|run|project|workflow @", "repo archive", "repo autolink|deploy-key @",
			"repo edit --visibility", "repo sync --force", "cache delete --all|-a",
		},
		fits: apiDeletes,
	},
	{
		programs: "glab", values: "-RXHFfg repo hostname method header field raw-field group",
		verbs: []string{
			"repo|project archive", "runner-controller|runner|token|cluster ** @", "* @", "repo * @",
		},
		spares: []string{"alias|config|auth"},
		fits:   apiDeletes,
	},
	{programs: "hub", values: "-C", verbs: []string{"delete", "release delete", "api -X|--method=DELETE"}},
	{programs: "tea", values: "-lro login repo remote", verbs: []string{"** @"}},
	{programs: "gitlab-runner", verbs: []string{"unregister|stop|uninstall"}},
	{programs: "gitlab-ctl", verbs: []string{"stop|cleanse|uninstall|remove-accounts"}},
	{programs: "circleci", values: "host token", verbs: []string{"** @|unlist"}},
	{programs: "java", values: "-s auth http user jar cp", style: commands.SingleDash, fits: jenkinsDeletes},
	{programs: "jenkins-cli jenkins-cli.jar jcli", values: "-s auth", verbs: []string{jenkinsVerbs}},
	{programs: "jenkins-jobs jjb", values: "conf", verbs: []string{"delete|delete-all", "update --delete-old"}},
	{programs: "bk drone woodpecker-cli codefresh spin octopus octo", values: "-ts server token org pipeline", verbs: []string{"** @"}},
	{programs: "travis", values: "-re repo api-endpoint", verbs: []string{"disable|cancel", "cache --delete|-d", "env unset|clear"}},
}

const jenkinsVerbs = "delete-*|disable-job|safe-shutdown|shutdown|quiet-down|clear-queue|offline-node|" +
	"disconnect-node|stop-builds|remove-job-from-view"

// jenkinsDeletes: the client of Jenkins is a jar, its command a word after it.
func jenkinsDeletes(r *reading) bool {
	return r.given("-jar=*jenkins-cli*.jar") && r.fitsPattern("** "+jenkinsVerbs)
}

// apiDeletes: gh api and glab api with DELETE, or a mutation that deletes.
func apiDeletes(r *reading) bool {
	if len(r.words) == 0 || !wordFits("api", r.words[0]) {
		return false
	}
	graph := len(r.words) > 1 && wordFits("graphql", r.words[1])
	for i := range r.opts {
		if r.opts[i].requestsDeletion(graph) {
			return true
		}
	}
	return false
}

// requestsDeletion reports whether an option of gh api makes a request that deletes.
func (g *argOption) requestsDeletion(graph bool) bool {
	switch {
	case g.value == nil:
		return false
	case g.name == "X", g.means("method"):
		return deletes(g.value)
	case g.name == "H", g.means("header"):
		return overridesMethod(g.value.Text)
	case g.value.Text == "archived=true":
		return true
	}
	return graph && strings.HasPrefix(g.value.Text, "query=") && PostsDeletion(g.value.Text)
}

// overridesMethod reports whether a header has the server take a request for a
// DELETE.
func overridesMethod(header string) bool {
	name, value, ok := strings.Cut(header, ":")
	return ok && strings.EqualFold(strings.TrimSpace(value), "delete") &&
		strings.Contains(strings.ToLower(name), "method")
}

// mutationDeletes reports whether a GraphQL document that changes something
// names a field that deletes.
func mutationDeletes(doc string) bool {
	if lang.GraphQLAsks(doc) {
		return false
	}
	for i := 0; i < len(doc); i++ {
		from := i
		for i < len(doc) && shell.NameByte(doc[i]) {
			i++
		}
		if from < i && deletesField(doc[from:i]) {
			return true
		}
		if i < len(doc) && doc[i] == '%' { // in a URL
			i += 2
		}
	}
	return false
}

// deletesField reports whether one of the verbs of deletion begins a part of a
// field's name, with what it is done to: deleteIssue, delete_users, bulkDeleteUsers.
func deletesField(name string) bool {
	for whole := name; name != ""; {
		for _, verb := range [...]string{"delete", "remove", "archive", "destroy", "purge"} {
			if len(whole) > len(verb) && len(name) >= len(verb) && strings.EqualFold(name[:len(verb)], verb) {
				return true
			}
		}
		name = strings.TrimLeft(name[partEnd(name):], "_")
	}
	return false
}

// registryDeletions are the programs of package registries.
var registryDeletions = []deletion{
	{
		programs: "npm pnpm", values: "-Cw registry otp tag loglevel prefix dir userconfig workspace", dry: "dry-run",
		verbs: []string{"unpublish|deprecate", "access|author|dist-tag|dist-tags|hook|org|owner|profile|team|token @"},
	},
	{programs: "yarn yarnpkg", verbs: []string{"unpublish", "owner|tag remove|rm", "npm tag remove", "npm unpublish", "team destroy"}},
	{programs: "cargo", values: "-CpZ registry index token vers version manifest-path", verbs: []string{"yank !--undo", "+* yank !--undo", "owner --remove|-r"}},
	{programs: "gem", values: "-vkp version key host platform", verbs: []string{"yank", "owner --remove|-r"}},
	{programs: "dotnet nuget", values: "-sk source api-key", verbs: []string{"nuget delete", "delete"}},
	{programs: "mix", verbs: []string{"hex.retire", "hex.publish --revert", "hex.owner remove"}},
	{programs: "pod", verbs: []string{"trunk delete|deprecate|remove-owner"}},
	{programs: "vsce ovsx", values: "-p pat", verbs: []string{"unpublish|delete-publisher"}},
	{programs: "pypi-cleanup", verbs: []string{" --do-it"}},
	{programs: "hub-tool", verbs: []string{"tag|repo rm"}},
	{programs: "conan", values: "-q", verbs: []string{"remove ** --remote|-r"}},
	{programs: "anaconda cloudsmith", values: "-tsk", verbs: []string{"delete|remove|rm|quarantine", "* delete|rm"}},
	{programs: "jf jfrog", dry: "dry-run", verbs: []string{"rt delete|del|rdel|repo-delete|*-delete|*-del", "* delete|*-delete"}, values: "server-id url user password"},
	{programs: "aptly", values: "-config", verbs: []string{"repo|snapshot|mirror|publish drop", "repo remove"}},
	{programs: "reprepro", values: "-bC", verbs: []string{"remove*|clearvanished|removefilter"}},
	{programs: "hf huggingface-cli", values: "repo-type token", verbs: []string{"repo delete", "repo-files ** delete", "repo branch|tag delete"}},
	{programs: "kaggle", verbs: []string{"* delete"}},
}
