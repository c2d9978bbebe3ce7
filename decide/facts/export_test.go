package facts

// SpellCommand is for a test with package algebra, which imports this one.
var SpellCommand = command
