package automaton

// For benchmarks with what package algebra compiles.
var (
	Looser = looser
	Stems  = stems
)

// Stars are patterns that may match anywhere.
var Stars = []string{"*--force*", "* --help", "*sudo*", "*secret*", "* --version", "*.env*", "*password*", "*curl*bash*",
	"*rm -rf*", "* -h", "*id_rsa*", "*.pem", "*token*", "*eval *", "* --dry-run*", "*drop table*", "*prod*", "*--no-verify*", "*.ssh/*", "*wget*sh"}
