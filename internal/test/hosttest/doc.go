// Package hosttest drives real agent hosts against a hook, without an account and without a network.
//
// A small server on 127.0.0.1 plays the model: it asks for a fixed list of tool calls, one after the
// other, and keeps what the host answers. Which calls the host ran is then read from the file system.
// The tool calls are executed for real, so they must be harmless: `touch NAME` in a temporary project.
package hosttest
