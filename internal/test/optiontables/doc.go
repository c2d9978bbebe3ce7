// Package optiontables holds tests only: it compares the tables of
// bashsafety/commands with two public ones, the completions of carapace and of
// Fig. See TestPublicTables.
package optiontables
