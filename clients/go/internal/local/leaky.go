package local

import (
	"math/bits"

	"gatehouse.dev/ratelimit/internal/rules"
)

// leaky is a leaky bucket in integers. One token is `Window` units, the bucket holds Limit × Window of them, and Limit
// units drain each tick. So a burst admits exactly Limit, and a wait is exact to the tick.
type leaky struct {
	rule  *rules.Rule
	level int64
	// at is the tick of the level.
	at int64
}

func (l *leaky) advance(now int64) {
	tick := now / l.rule.Tick
	elapsed := tick - l.at
	l.at = tick // a clock that went back drains nothing, and the bucket goes on from there
	switch {
	case elapsed >= l.rule.Window:
		l.level = 0
	case elapsed > 0:
		l.level = max(0, l.level-elapsed*l.rule.Limit)
	}
}

func (l *leaky) wait(cost int64, _ string, now int64) int64 {
	excess := l.level + max(1, cost)*l.rule.Window - l.rule.Capacity()
	return drainTime(l.rule, excess, now)
}

func (l *leaky) emptyAfter(now int64) int64 { return drainTime(l.rule, l.level, now) }

func (l *leaky) add(cost int64, _ string, _ int64) { l.level += cost * l.rule.Window }

func (l *leaky) release(string) {}

func (l *leaky) size() int { return 1 }

func (l *leaky) copy() state { c := *l; return &c }

func (l *leaky) raise(other state) {
	if o := other.(*leaky); o.level > l.level {
		l.level, l.at = o.level, o.at
	}
}

// follow converts the level to a changed rule: the same tokens, rounded up to a unit, at most a full bucket. Its time is
// rounded up too, so that nothing drains earlier.
func (l *leaky) follow(rule *rules.Rule) {
	from := l.rule
	l.rule, l.at = rule, (l.at*from.Tick+rule.Tick-1)/rule.Tick
	if l.level/from.Window >= rule.Limit {
		l.level = rule.Capacity()
		return
	}
	high, low := bits.Mul64(uint64(l.level), uint64(rule.Window))
	whole, rest := bits.Div64(high, low, uint64(from.Window))
	if rest > 0 {
		whole++
	}
	l.level = min(int64(whole), rule.Capacity())
}

// drainTime is the time until `units` have drained, at the end of a tick.
func drainTime(rule *rules.Rule, units, now int64) int64 {
	if units <= 0 {
		return 0
	}
	ticks := (units + rule.Limit - 1) / rule.Limit
	return ticks*rule.Tick - now%rule.Tick
}
