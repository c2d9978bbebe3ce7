// Package codestyle holds the tests that read the source, which is parsed once for all of them. Some hold an argument:
// which packages import which, that one file makes an allow and few places take an ask back. Some read comments: the
// files that they name exist, and known hard phrases are gone. Others count what makes a source hard to read: how many
// conditions are long, how wide lines and how large folders are, and how often a message uses a hard word. Whether a
// function can be read is for a reader to say.
//
// Each count has a limit and a goal. A change may not go over the limit, and one
// that brings a count well below its limit has to lower the limit with it, until
// the goal is reached. To see what is counted:
//
//	go test ./internal/test/codestyle -v -args -list bool
//
// with bool, long, files, words or pages.
package codestyle
