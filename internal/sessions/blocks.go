package sessions

import "github.com/tidwall/gjson"

// uses hands the calls in the content of a message on, which are blocks as the
// interface of Claude's models has them.
func uses(content gjson.Result, take func(block gjson.Result) error) error {
	return blocks(content, "tool_use", take)
}

// results hands the results in the content of a message on, and the call each is of.
func (w *window) results(content gjson.Result, take func(c *Call, block gjson.Result)) error {
	return blocks(content, "tool_result", func(block gjson.Result) error {
		h := w.get(block.Get("tool_use_id").Str)
		if h == nil {
			return nil
		}
		take(h.call, block)
		return w.settle(h)
	})
}

func blocks(content gjson.Result, kind string, take func(gjson.Result) error) (err error) {
	content.ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == kind {
			err = take(block)
		}
		return err == nil
	})
	return err
}

// of is the call of a block.
func (r recorded) of(block gjson.Result) recorded {
	r.tool, r.id, r.input = block.Get("name").String(), block.Get("id").Str, block.Get("input").Raw
	return r
}

// plainResult notes a result that does not tell a call that failed from one that was
// refused.
func plainResult(c *Call, block gjson.Result) {
	if !block.Get("is_error").Bool() {
		c.ended(false)
	}
}
