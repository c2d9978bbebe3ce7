package bashsafety

// toolCommands are programs of many trades of which some option executes or
// writes something one would not expect.
var toolCommands = []Command{
	{
		Names: []string{"dos2unix", "unix2dos", "mac2unix"}, Title: "converts the ends of lines in place",
		Flags:  "-abfhklLqrRsSuvV7 ascii iso add-bom keep-bom no-add-eol force follow-symlink keepdate quiet remove-bom safe skip-symlink version help",
		Values: "-cD convmode display-enc", OptValues: "-i info", Opts: []Opt{{"-n newfile", NoArg, 0}}, Operands: Writes,
		Examples: []Example{{"dos2unix a b", "write:a write:b"}},
	},
	{
		Names: []string{"xclip", "xsel", "wl-copy"}, Title: "copies to the clipboard", Style: SingleDash, Flags: "i o in out f filter r rmlastnl quiet",
		Values: "selection sel display d target t loops l", Operands: Reads, Examples: []Example{{"xclip -sel clip a", "read:a"}},
	},
	{
		Names: []string{"sponge"}, Title: "writes standard input to a file when it has ended", Flags: "-a", Operands: Writes,
		Examples: []Example{{"sponge a", "write:a"}},
	},
}
