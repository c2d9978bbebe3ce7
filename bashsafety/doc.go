// Package bashsafety says what a shell text would run, read and write, without
// running it. Everything is parsed as bash. It knows no file system, no rules
// and no decisions; paths are joined lexically with the tracked cd.
//
// What it cannot know is never left out: an unknown word is a hole, an unknown
// construct a Doubt.
//
// The work is done in the packages below, and each knows only those above it:
//
//	shell          the values all parts speak in: words, effects, paths
//	crosscheck     a second reader of the text, compared with the parser's tree
//	commands/lang  readers of sed, awk, SQL and GraphQL
//	commands       what each program does with its words
//	analysis       what is known of a text: its commands, effects, doubts and findings
//	powershell     reads PowerShell texts into commands
//	words          what a word expands to
//	interp         walks the tree in the order it runs and lists what it would do
//	remote         what deletes data on other machines and services
//	checks         what is always asked about
package bashsafety
