package local

import (
	"cmp"
	"slices"
	"sync"

	"gatehouse.dev/ratelimit/internal/rules"
)

// state counts one bucket. Callers advance it to now before anything else.
type state interface {
	advance(now int64)
	// wait is the time until the charge is admitted; 0: now.
	wait(cost int64, lease string, now int64) int64
	emptyAfter(now int64) int64
	add(cost int64, lease string, now int64)
	release(lease string)
	// size is the number of entries that it takes in the store.
	size() int
	copy() state
	// raise takes the fuller of both.
	raise(other state)
	// follow changes the rule, and keeps the content as of its time.
	follow(rule *rules.Rule)
}

func newState(rule *rules.Rule, now int64) state {
	switch rule.Kind {
	case rules.FixedWindow:
		return &window{rule: rule, at: now / rule.WindowMicros()}
	case rules.Concurrency:
		return &permits{rule: rule, leases: map[string]lease{}}
	default:
		return &leaky{rule: rule, at: now / rule.Tick}
	}
}

// bucket is a state under the rule that it follows.
type bucket struct {
	rule *rules.Rule
	state
}

// Store is buckets in memory, at most `max` of them; each lease counts as one.
//
// A full store evicts buckets that would be empty soonest. Each rule keeps the highest level that was evicted, and its new
// buckets start there. So nobody is ever admitted beyond a limit, and a flood of identities takes tokens only from
// newcomers.
type Store struct {
	max int

	mu      sync.Mutex
	buckets map[id]*bucket
	size    int
	evicted map[string]*bucket
}

// NewStore makes an empty store.
func NewStore(max int) *Store {
	return &Store{max: max, buckets: map[id]*bucket{}, evicted: map[string]*bucket{}}
}

// Charge charges all buckets of a set, or none: then it returns the denial with the longest wait.
func (s *Store) Charge(set []Charge, now int64) *Denial {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.makeRoom(len(set), now) // before the lookup, so that none of the set's buckets is evicted
	found := s.bucketsOf(set, now)
	var denial *Denial
	for i := range set {
		denial = longest(denial, denialIn(set, found, i, now))
	}
	if denial != nil {
		return denial
	}
	for i, charge := range set {
		s.add(charge, found[i], now)
	}
	return nil
}

// Read returns the denial with the longest wait of those that the charges would get by themselves, and charges nothing.
func (s *Store) Read(set []Charge, now int64) *Denial {
	s.mu.Lock()
	defer s.mu.Unlock()
	var denial *Denial
	for _, charge := range set {
		denial = longest(denial, denialIn([]Charge{charge}, []*bucket{s.bucketOf(charge, now)}, 0, now))
	}
	return denial
}

// Release ends a lease.
func (s *Store) Release(charge Charge) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held := s.buckets[charge.id()]; held != nil {
		s.size -= held.size()
		held.release(charge.Lease)
		s.size += held.size()
	}
}

// Sweep removes empty buckets.
func (s *Store) Sweep(now int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at, held := range s.buckets {
		s.removeIfEmpty(at, held, now)
	}
}

// Keep empties the buckets of removed rules.
func (s *Store) Keep(table *rules.Table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at, held := range s.buckets {
		if table.Rule(at.bucket) == nil {
			s.remove(at, held)
		}
	}
	for name := range s.evicted {
		if table.Rule(name) == nil {
			delete(s.evicted, name)
		}
	}
}

// Size is the number of entries.
func (s *Store) Size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size
}

// denialIn counts earlier charges of the set that hold other leases of the same bucket.
func denialIn(set []Charge, found []*bucket, i int, now int64) *Denial {
	charge := set[i]
	cost := charge.Cost
	for _, earlier := range set[:i] {
		if earlier.id() == charge.id() {
			cost += earlier.Cost
		}
	}
	wait := found[i].wait(cost, charge.Lease, now)
	if wait <= 0 {
		return nil
	}
	return &Denial{charge, wait, found[i].emptyAfter(now)}
}

// bucketsOf finds the bucket of each charge. Leases of one bucket have the same one.
func (s *Store) bucketsOf(set []Charge, now int64) []*bucket {
	found := make([]*bucket, len(set))
	for i, charge := range set {
		for j, earlier := range set[:i] {
			if earlier.id() == charge.id() {
				found[i] = found[j]
			}
		}
		if found[i] == nil {
			found[i] = s.bucketOf(charge, now)
		}
	}
	return found
}

// bucketOf returns the bucket of a charge as of now. One that the store does not hold starts at the level at which it may
// have been evicted.
func (s *Store) bucketOf(charge Charge, now int64) *bucket {
	held := s.buckets[charge.id()]
	if held == nil {
		held = &bucket{charge.Rule, newState(charge.Rule, now)}
		if before := s.evictedOf(charge.Rule, now); before != nil {
			held.state = before.copy()
		}
	}
	before := held.size()
	held.follow(charge.Rule, now)
	held.advance(now)
	if s.buckets[charge.id()] != nil {
		s.size += held.size() - before
	}
	return held
}

func (b *bucket) follow(rule *rules.Rule, now int64) {
	if b.rule == rule {
		return
	}
	if b.rule.Kind == rule.Kind {
		b.state.follow(rule)
	} else {
		b.state = newState(rule, now)
	}
	b.rule = rule
}

func (s *Store) evictedOf(rule *rules.Rule, now int64) *bucket {
	before := s.evicted[rule.Name]
	if before == nil {
		return nil
	}
	before.follow(rule, now)
	before.advance(now)
	if before.emptyAfter(now) == 0 {
		delete(s.evicted, rule.Name)
		return nil
	}
	return before
}

func (s *Store) add(charge Charge, held *bucket, now int64) {
	if charge.Cost <= 0 {
		return
	}
	if s.buckets[charge.id()] != held {
		s.buckets[charge.id()] = held
	} else {
		s.size -= held.size()
	}
	held.add(charge.Cost, charge.Lease, now)
	s.size += held.size()
}

const (
	sample       = 64
	evictAtOnce  = 8
	leastEntries = 2 * 16 // a set has at most 16 charges, and evicted permits take an entry more
)

func (s *Store) makeRoom(entries int, now int64) {
	for len(s.buckets) > 0 && s.size+2*entries > max(s.max, leastEntries) {
		s.evict(now)
	}
}

type candidate struct {
	at    id
	held  *bucket
	empty int64
}

// evict removes the empty buckets of a sample; if there are none, those that would be empty soonest. Go begins to iterate
// over a map at a random place.
func (s *Store) evict(now int64) {
	candidates := make([]candidate, 0, sample)
	removed := false
	for at, held := range s.buckets {
		if s.removeIfEmpty(at, held, now) {
			removed = true
		} else {
			candidates = append(candidates, candidate{at, held, held.emptyAfter(now)})
		}
		if len(candidates) == sample {
			break
		}
	}
	if removed {
		return
	}
	slices.SortFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.empty, b.empty) })
	for _, of := range candidates[:min(evictAtOnce, len(candidates))] {
		s.raise(of.held, now)
		s.remove(of.at, of.held)
	}
}

func (s *Store) raise(held *bucket, now int64) {
	if before := s.evictedOf(held.rule, now); before != nil {
		before.raise(held.state)
		return
	}
	kept := &bucket{held.rule, newState(held.rule, now)}
	kept.raise(held.state)
	s.evicted[held.rule.Name] = kept
}

func (s *Store) removeIfEmpty(at id, held *bucket, now int64) bool {
	before := held.size()
	held.advance(now)
	s.size += held.size() - before
	if held.emptyAfter(now) > 0 {
		return false
	}
	s.remove(at, held)
	return true
}

func (s *Store) remove(at id, held *bucket) {
	delete(s.buckets, at)
	s.size -= held.size()
}
