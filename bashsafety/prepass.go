package bashsafety

import "mvdan.cc/sh/v3/syntax"

func (w *walker) prepass(src string, file *syntax.File, whole bool, c *ctx) {}
