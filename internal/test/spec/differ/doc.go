// Package differ compares the executable specification, package spec, with the program: it draws abstract cases, makes
// settings files, options and payloads of them, asks both, and shrinks what they answer differently to the fewest
// facts. Every difference that was ever found is a line of ../testdata/seeds.jsonl, which an ordinary test asks again.
//
//	go test ./internal/test/spec/differ -differ 1h              new cases for an hour; without it for two seconds
//	go test ./internal/test/spec/differ -lines 1e6 -hooks 2e4   so many calls for check --lines, so many processes
//	go test ./internal/test/spec/differ -seed 7                 the cases of an earlier run
//	PERMGATE_MUTANTS=1 go test ./internal/test/spec/differ -run Mutants -v   faults put into the program, which have to be told
//
// Calls are decided, never run.
package differ
