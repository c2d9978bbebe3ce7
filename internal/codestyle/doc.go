// Package codestyle holds the counts that keep this source readable, as tests:
// how many functions are dense, how many conditions are long, how wide lines and
// how large folders are, and how often a message uses a word that makes it hard
// to read.
//
// Each count has a limit and a goal. A change may not go over the limit, and one
// that brings a count well below its limit has to lower the limit with it, until
// the goal is reached. To see what is counted:
//
//	go test ./internal/codestyle -v -args -list dense
//
// with dense, bool, long, files, words or pages.
package codestyle
