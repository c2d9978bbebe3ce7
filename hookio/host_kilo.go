package hookio

// kilo is Kilo, which was made out of opencode: it loads the same plugin from folders of its own.
var kilo = likeOpencode(Host{
	Name:     "kilo",
	Aliases:  []string{"kilocode"},
	Title:    "Kilo",
	Alone:    Alone{Source: "the program itself, 7.7.9: what it tells its agents"},
	Register: &Registration{Programs: []string{"kilo", "kilocode"}, Source: "the program itself, 7.7.9"},
	Driven:   Driven{kiloVersion, kiloDay},
	Source:   "the program itself, 7.7.9",
})
