package golden

import (
	"encoding/json"
	"strconv"
)

// Inject calls f with every text that a JSON text becomes where one of values is put into one place: instead of
// the value there, as the first element of a list, or as the key "future" of an object. path leads to the place.
func Inject(text string, values []string, f func(path []string, changed string)) error {
	var root any
	if err := json.Unmarshal([]byte(text), &root); err != nil {
		return err
	}
	var failed error
	var walk func(path []string, v any, set func(any))
	try := func(path []string, before any, set func(any), build func(json.RawMessage) any) {
		for _, value := range values {
			set(build(json.RawMessage(value)))
			changed, err := json.Marshal(root)
			if err != nil {
				failed = err
			}
			f(path, string(changed))
		}
		set(before)
	}
	walk = func(path []string, v any, set func(any)) {
		try(path, v, set, func(value json.RawMessage) any { return value })
		at := func(key string) []string { return append(path[:len(path):len(path)], key) }
		switch v := v.(type) {
		case map[string]any:
			for key, member := range v {
				walk(at(key), member, func(now any) { v[key] = now })
			}
			try(at("future"), nil, func(now any) {
				if v["future"] = now; now == nil {
					delete(v, "future")
				}
			}, func(value json.RawMessage) any { return value })
		case []any:
			for i, element := range v {
				walk(at(strconv.Itoa(i)), element, func(now any) { v[i] = now })
			}
			try(at("+"), v, set, func(value json.RawMessage) any { return append([]any{value}, v...) })
		}
	}
	walk(nil, root, func(now any) { root = now })
	return failed
}
