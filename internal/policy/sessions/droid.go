package sessions

import "github.com/tidwall/gjson"

// droid is what Factory Droid keeps of a session.
var droid = Format{
	Name:  "droid",
	Title: "session files of Factory Droid",
	Files: []string{
		"${FACTORY_HOME_OVERRIDE:-~}/.factory/sessions/*.jsonl",
		"${FACTORY_HOME_OVERRIDE:-~}/.factory/sessions/*/*.jsonl",
		"${FACTORY_HOME_OVERRIDE:-~}/.factory/projects/*/*.jsonl",
	},
	Is: func(line gjson.Result) bool {
		switch line.Get("type").Str {
		case "session_start":
			return line.Get("id").Exists()
		case "message":
			return line.Get("message.content").Exists()
		}
		return false
	},
	Lacks:  "which calls somebody was asked about, which of those that failed were refused, and the mode",
	Source: "session files of Factory Droid as read by public programs (2026-07); none was seen",
	Read:   readDroid,
}

type droidReader struct {
	f    *File
	w    *window
	call recorded // what calls have in common
}

func readDroid(f *File, take func(*Call) error) error {
	r := &droidReader{f: f, w: newWindow(f, take), call: recorded{host: "droid"}}
	if err := f.objects(r.line); err != nil {
		return err
	}
	return r.w.end()
}

func (r *droidReader) line(number int, line gjson.Result) error {
	switch line.Get("type").Str {
	case "session_start":
		carry(&r.call.session, line.Get("id"))
		carry(&r.call.cwd, line.Get("cwd"))
		if line.Get("callingSessionId").Str != "" {
			carry(&r.call.agent, line.Get("id"))
		}
		return nil
	case "message":
	case "todo_state", "session_end", "compaction_state", "session_title":
		return nil
	default:
		r.f.Counts.Unknown++
		return nil
	}
	content := line.Get("message.content")
	if err := r.w.results(content, plainResult); err != nil {
		return err
	}
	r.call.time = line.Get("timestamp").Str
	return uses(content, func(block gjson.Result) error {
		c := r.call.of(block)
		_, err := r.w.add(c.call(r.f.at(number)), nil, c.id)
		return err
	})
}
