// Package wine runs the test programs of all packages as a Windows has them, through wine.
package wine
