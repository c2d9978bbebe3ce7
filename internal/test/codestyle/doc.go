// Package codestyle holds the counts that keep this source readable, as tests:
// how many conditions are long, how wide lines and how large folders are, and how
// often a message uses a word that makes it hard to read. Whether a function can be
// read is for a reader to say.
//
// Each count has a limit and a goal. A change may not go over the limit, and one
// that brings a count well below its limit has to lower the limit with it, until
// the goal is reached. To see what is counted:
//
//	go test ./internal/test/codestyle -v -args -list bool
//
// with bool, long, files, words or pages.
package codestyle
