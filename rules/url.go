package rules

// ParseURL returns what WebFetch rules look at in text.
func ParseURL(text string) URL { return URL{Text: text} }
