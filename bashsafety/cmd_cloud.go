package bashsafety

// cloudCommands are the programs that manage infrastructure.
var cloudCommands = []Command{
	{
		Names: []string{
			"terraform", "tofu", "terragrunt", "pulumi", "ansible", "ansible-playbook", "packer", "vagrant", "aws", "gcloud", "az", "flyctl", "heroku",
			"vercel", "netlify", "wrangler", "firebase", "doctl",
		},
		Title:    "manages infrastructure",
		Style:    SingleDash,
		Examples: []Example{{"terraform plan", ""}},
	},
}
