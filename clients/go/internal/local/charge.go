// Package local decides checks in this process: by remembered denials, and by failure policies while ratelimit does not
// answer. All times are in microseconds.
package local

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"

	"gatehouse.dev/ratelimit/internal/rules"
	"gatehouse.dev/ratelimit/ratelimitv1"
)

// Key stands for the identities of a bucket, which may be personal: this process keeps no identities.
type Key [16]byte

// Charge is a bucket and its cost.
type Charge struct {
	Rule  *rules.Rule
	Key   Key
	Cost  int64
	Lease string
}

type id struct {
	bucket string
	key    Key
}

func (c Charge) id() id { return id{c.Rule.Name, c.Key} }

// Denial is the charge that is denied, and its waits.
type Denial struct {
	Charge                 Charge
	RetryAfter, EmptyAfter int64
}

// Hash makes keys by a secret of this process.
type Hash struct{ secret []byte }

// NewHash makes a Hash with a new secret.
func NewHash() Hash {
	secret := make([]byte, sha256.Size)
	rand.Read(secret) // never fails
	return Hash{secret}
}

// key is the first half of an HMAC-SHA256. Lengths separate the identities, so that no two lists have the same text.
func (h Hash) key(identities []string) Key {
	mac := hmac.New(sha256.New, h.secret)
	var length [4]byte
	for _, identity := range identities {
		binary.BigEndian.PutUint32(length[:], uint32(len(identity)))
		mac.Write(length[:])
		mac.Write([]byte(identity))
	}
	return Key(mac.Sum(nil)[:16])
}

// Set returns the charges of a set as this process counts them. Names without a rule are left out. Charges of one bucket,
// and of one lease if it is a concurrency limit, are added up.
func (h Hash) Set(table *rules.Table, set *ratelimitv1.ChargeSet) []Charge {
	charges := make([]Charge, 0, len(set.GetCharges()))
next:
	for _, named := range set.GetCharges() {
		rule := table.Rule(named.GetBucket())
		if rule == nil {
			continue
		}
		charge := Charge{Rule: rule, Key: h.key(named.GetIdentities()), Cost: 1, Lease: named.GetLeaseId()}
		if named.Cost != nil {
			charge.Cost = int64(named.GetCost())
		}
		for i := range charges {
			if charges[i].id() == charge.id() && charges[i].Lease == charge.Lease {
				charges[i].Cost += charge.Cost
				continue next
			}
		}
		charges = append(charges, charge)
	}
	return charges
}

// Sets returns the charges of several sets.
func (h Hash) Sets(table *rules.Table, sets []*ratelimitv1.ChargeSet) [][]Charge {
	charges := make([][]Charge, len(sets))
	for i, set := range sets {
		charges[i] = h.Set(table, set)
	}
	return charges
}

func longest(first, second *Denial) *Denial {
	if first == nil || second != nil && second.RetryAfter > first.RetryAfter {
		return second
	}
	return first
}
