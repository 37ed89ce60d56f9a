package local

import (
	"maps"
	"slices"

	"gatehouse.dev/ratelimit/internal/rules"
)

// permits is a concurrency limit: Limit permits, held by leases that expire.
type permits struct {
	rule   *rules.Rule
	leases map[string]lease
}

type lease struct{ permits, until int64 }

// evicted is the lease that stands for the permits of evicted buckets. Leases of callers have an ID.
const evicted = ""

func (p *permits) advance(now int64) {
	latest := now + p.rule.WindowMicros()
	for id, held := range p.leases {
		if held.until <= now {
			delete(p.leases, id)
		} else if held.until > latest { // the clock went back
			p.leases[id] = lease{held.permits, latest}
		}
	}
}

// wait counts a renewal of a live lease without the permits that it has.
func (p *permits) wait(cost int64, id string, now int64) int64 {
	needed := max(1, cost) - p.rule.Limit
	others := make([]lease, 0, len(p.leases))
	for holder, held := range p.leases {
		if holder != id || id == evicted {
			needed += held.permits
			others = append(others, held)
		}
	}
	if needed <= 0 {
		return 0
	}
	slices.SortFunc(others, func(a, b lease) int { return int(a.until - b.until) })
	for _, held := range others {
		needed -= held.permits
		if needed <= 0 {
			return held.until - now
		}
	}
	return p.rule.WindowMicros() // more permits than the limit
}

func (p *permits) emptyAfter(now int64) int64 {
	last := now
	for _, held := range p.leases {
		last = max(last, held.until)
	}
	return last - now
}

func (p *permits) add(cost int64, id string, now int64) {
	p.leases[id] = lease{cost, now + p.rule.WindowMicros()}
}

func (p *permits) release(id string) { delete(p.leases, id) }

func (p *permits) size() int { return max(1, len(p.leases)) }

func (p *permits) copy() state { return &permits{p.rule, maps.Clone(p.leases)} }

// raise keeps one lease with the most permits that one bucket held, until the last of them ends.
func (p *permits) raise(other state) {
	most := lease{permits: max(p.held(), other.(*permits).held())}
	for _, of := range []*permits{p, other.(*permits)} {
		for _, held := range of.leases {
			most.until = max(most.until, held.until)
		}
	}
	p.leases = map[string]lease{evicted: most}
}

func (p *permits) held() int64 {
	var sum int64
	for _, held := range p.leases {
		sum += held.permits
	}
	return sum
}

func (p *permits) follow(rule *rules.Rule) { p.rule = rule }
