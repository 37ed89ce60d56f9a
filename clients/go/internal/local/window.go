package local

import "gatehouse.dev/ratelimit/internal/rules"

// window is a fixed window: Limit tokens in each window since the Unix epoch.
type window struct {
	rule  *rules.Rule
	count int64
	// at is the number of the window that is counted.
	at int64
}

// A clock that went back into an earlier window counts on in this one.
func (w *window) advance(now int64) {
	if at := now / w.rule.WindowMicros(); at > w.at {
		w.at, w.count = at, 0
	}
}

func (w *window) wait(cost int64, _ string, now int64) int64 {
	if w.count+max(1, cost) <= w.rule.Limit {
		return 0
	}
	return w.rest(now)
}

func (w *window) emptyAfter(now int64) int64 {
	if w.count == 0 {
		return 0
	}
	return w.rest(now)
}

func (w *window) rest(now int64) int64 { return (w.at+1)*w.rule.WindowMicros() - now }

func (w *window) add(cost int64, _ string, _ int64) { w.count += cost }

func (w *window) release(string) {}

func (w *window) size() int { return 1 }

func (w *window) copy() state { c := *w; return &c }

func (w *window) raise(other state) { w.count = max(w.count, other.(*window).count) }

func (w *window) follow(rule *rules.Rule) {
	w.at = w.at * w.rule.WindowMicros() / rule.WindowMicros()
	w.rule, w.count = rule, min(w.count, rule.Limit)
}
