package decide

// SecretReads are the parts that step 2 asks about as reads of a secret outside
// the project. An exact Read rule in the user's own settings allows each.
func SecretReads(c *Case) []Part {
	c.prepare()
	if c.Policy.Posture.Secrets.Value != "ask" {
		return nil
	}
	var parts []Part
	for i := range c.units {
		u := &c.units[i]
		if !c.readsContent(u) {
			continue
		}
		if _, why := c.secretRead(u); why != "" && !c.allowedByName(u) {
			parts = append(parts, u.part())
		}
	}
	return parts
}
