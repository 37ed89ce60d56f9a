// Package rules has the bucket reference: the limits by name.
package rules

import "fmt"

// Kind is how a bucket counts.
type Kind int

const (
	LeakyBucket Kind = iota
	FixedWindow
	Concurrency
)

// Policy decides for a bucket while ratelimit does not answer.
type Policy int

const (
	// Local counts in this process.
	Local Policy = iota
	// Open admits.
	Open
	// Closed denies, for a second.
	Closed
)

// Rule is a row of the reference. A changed row is another Rule.
type Rule struct {
	Name string
	// Limit is the limit that this process counts with, and Whole the one that denials name.
	Limit, Whole  int64
	WindowSeconds int64
	Kind          Kind
	Policy        Policy
	// Tick is the resolution of a leaky bucket's clock in microseconds, and Window its window in ticks.
	Tick, Window int64
	// Share is the rule with this process's part of the limit. Nil if this is the part.
	Share *Rule
}

// Capacity of a full leaky bucket in token·ticks.
func (r *Rule) Capacity() int64 { return r.Limit * r.Window }

// WindowMicros is the window in microseconds.
func (r *Rule) WindowMicros() int64 { return r.WindowSeconds * second }

const (
	second = 1_000_000
	// ratelimit counts in numbers that are exact below 2^53, and keeps a margin of 32. Its ticks follow from that.
	exact    = 1<<53 - 1
	headroom = 32
	// The most that a row may say; products of both stay far below 2^63.
	maxLimit, maxWindow = 1<<32 - 1, 3 * 365 * 86_400
)

// newRule makes a rule of which each of `replicas` processes counts an equal share, at least one token.
func newRule(row Row, replicas int) (*Rule, error) {
	tick, err := tickOf(row)
	if err != nil {
		return nil, err
	}
	rule := Rule{
		Name: row.Name, Limit: row.Limit, Whole: row.Limit, WindowSeconds: row.WindowSeconds,
		Kind: row.Kind, Policy: row.Policy, Tick: tick, Window: row.WindowSeconds * (second / tick),
	}
	share := rule
	share.Limit = max(1, row.Limit/int64(replicas))
	rule.Share = &share
	return &rule, nil
}

// tickOf returns the smallest of 1 µs, 1 ms and 1 s at which a full leaky bucket is an exact number.
func tickOf(row Row) (int64, error) {
	valid := row.Limit > 0 && row.WindowSeconds > 0 && row.Limit <= maxLimit && row.WindowSeconds <= maxWindow
	for _, tick := range []int64{1, 1_000, second} {
		if valid && (row.Kind != LeakyBucket || row.Limit <= exact/headroom/(row.WindowSeconds*(second/tick))) {
			return tick, nil
		}
	}
	return 0, fmt.Errorf("bucket %s: no exact limit of %d tokens per %d s", row.Name, row.Limit, row.WindowSeconds)
}
