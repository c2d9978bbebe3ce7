package bashsafety

func (w *walker) unicode(src string, c *ctx) {}
