// Package growth measures how the work of permgate grows with everything that
// somebody else controls: the files of a repository, the text of a call, what
// programs leave. One table says what that is (rows_test.go).
//
//	go test ./internal/test/growth                         # a quarter of the sizes, counted
//	go test ./internal/test/growth -bench . -benchtime 3x  # all of them, with times
//
// The test counts what repeats on every machine: bytes and pieces of memory that
// are taken, and what is asked of the file system. It does not see a loop that
// compares and takes nothing; the benchmark does, by the clock, and so is run by hand
// for a change of such code. Both fit the exponent e of size^e, after taking off
// what the smallest size costs.
package growth
