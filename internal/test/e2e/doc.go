// Package e2e tests permgate as its users and its hosts see it: each test starts
// the whole program in a home directory of its own. The sessions that the README
// and the pages in docs show are run here, too.
package e2e
