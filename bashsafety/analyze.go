package bashsafety

// Analyze says what the bash text would do. It never fails: what cannot be
// analysed becomes a Doubt.
func Analyze(text string, env Env) *Script {
	return &Script{Text: text, Doubts: []Doubt{{ID: "not-implemented", Msg: "not implemented"}}}
}
