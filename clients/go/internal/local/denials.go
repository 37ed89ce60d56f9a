package local

import (
	"sync"

	"gatehouse.dev/ratelimit/internal/rules"
)

// Denials remembers denials of ratelimit until their waits are over. Only time lets a leaky bucket or a fixed window admit
// what it has denied, whatever other callers do. A release frees permits at any time, so denials of concurrency limits are
// not remembered.
type Denials struct {
	half int

	mu sync.Mutex
	// Two generations: the older one is dropped without a search.
	young, old map[id]entry
}

type entry struct {
	rule *rules.Rule
	cost int64
	// It denies until `until`, and reports waits that end at `retryAt`.
	since, until, retryAt, emptyAt int64
}

// NewDenials remembers at most `max` denials.
func NewDenials(max int) *Denials {
	return &Denials{half: max / 2, young: map[id]entry{}, old: map[id]entry{}}
}

// IsEmpty reports whether none is remembered.
func (d *Denials) IsEmpty() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.young)+len(d.old) == 0
}

// Count is the number of remembered denials whose wait is not over.
func (d *Denials) Count(now int64) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	count := 0
	for _, generation := range []map[id]entry{d.young, d.old} {
		for _, held := range generation {
			if now < held.until {
				count++
			}
		}
	}
	return count
}

// Clear drops all.
func (d *Denials) Clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.young, d.old = map[id]entry{}, map[id]entry{}
}

// Recall returns the denial of a check's first set if it has one bucket. With several buckets ratelimit must decide, since
// another one may deny for longer by now.
func (d *Denials) Recall(first []Charge, now int64) *Denial {
	if len(first) != 1 || first[0].Cost < 1 {
		return nil
	}
	return d.Of(first, now)
}

// Of returns the denial with the longest wait among the buckets of a set.
func (d *Denials) Of(set []Charge, now int64) *Denial {
	d.mu.Lock()
	defer d.mu.Unlock()
	var denial *Denial
	for _, charge := range set {
		denial = longest(denial, d.of(charge, now))
	}
	return denial
}

// of also denies a higher cost than the remembered one, which waits for the difference too.
func (d *Denials) of(charge Charge, now int64) *Denial {
	held, ok := d.find(charge, now)
	if !ok || charge.Cost < held.cost {
		return nil
	}
	retryAfter := held.retryAt - now
	if held.rule.Kind == rules.LeakyBucket {
		more := min(charge.Cost-held.cost, held.rule.Limit) * held.rule.Window
		retryAfter += drainTime(held.rule, more, 0)
	}
	return &Denial{charge, retryAfter, max(0, held.emptyAt-now)}
}

// Answer is a denial of ratelimit that was made at most Age ago.
type Answer struct {
	Bucket                             string
	Limit, RetryAfter, EmptyAfter, Age int64
}

// Remember keeps the denial of a check. It denies as if it were as old as it may be, so that it never
// denies a charge that the bucket would admit, and reports waits as if it were new, so that a caller that waits is admitted.
func (d *Denials) Remember(sets [][]Charge, denied Answer, now int64) {
	charge, ok := only(sets, denied.Bucket)
	// A denial with another limit follows rules that are not known here yet.
	if !ok || charge.Rule.Limit != denied.Limit || charge.Rule.Kind == rules.Concurrency || denied.RetryAfter <= denied.Age {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	// The denial of a lower cost also denies higher ones.
	if known, ok := d.find(charge, now); ok && known.cost < charge.Cost {
		return
	}
	d.forget(charge.id())
	if len(d.young) >= d.half {
		d.young, d.old = map[id]entry{}, d.young
	}
	d.young[charge.id()] = entry{
		rule: charge.Rule, cost: charge.Cost, since: now,
		until: now + denied.RetryAfter - denied.Age, retryAt: now + denied.RetryAfter, emptyAt: now + denied.EmptyAfter,
	}
}

// only returns the charge of a bucket's name. With several, a denial does not say which one it is about.
func only(sets [][]Charge, bucket string) (Charge, bool) {
	var found Charge
	count := 0
	for _, set := range sets {
		for _, charge := range set {
			if charge.Rule.Name == bucket {
				found = charge
				count++
			}
		}
	}
	return found, count == 1
}

// Forget drops the denials of these buckets.
func (d *Denials) Forget(charges []Charge) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, charge := range charges {
		d.forget(charge.id())
	}
}

// find drops an entry whose time is over, or whose rule has changed. With a clock that went back, its wait would grow.
func (d *Denials) find(charge Charge, now int64) (entry, bool) {
	at := charge.id()
	held, ok := d.young[at]
	if !ok {
		held, ok = d.old[at]
	}
	if ok && (held.rule != charge.Rule || now >= held.until || now < held.since) {
		d.forget(at)
		return entry{}, false
	}
	return held, ok
}

func (d *Denials) forget(at id) {
	delete(d.young, at)
	delete(d.old, at)
}
