package local

import (
	"math/rand/v2"
	"testing"

	"gatehouse.dev/ratelimit/internal/rules"
)

func table(t *testing.T) *rules.Table {
	t.Helper()
	table, err := rules.New("a", []rules.Row{
		{Name: "leaky", Limit: 3, WindowSeconds: 10},
		{Name: "window", Limit: 4, WindowSeconds: 7, Kind: rules.FixedWindow},
		{Name: "permits", Limit: 5, WindowSeconds: 9, Kind: rules.Concurrency},
		{Name: "year", Limit: 1_000_000, WindowSeconds: 31_536_000},
	}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func randomCharge(random *rand.Rand, of *rules.Table) Charge {
	kind := []string{"leaky", "window", "permits"}[random.IntN(3)]
	charge := Charge{Rule: of.Rule(kind), Key: Key{byte(random.IntN(60))}, Cost: 1 + random.Int64N(3)}
	if kind == "permits" {
		charge.Lease = string(rune('a' + random.IntN(4)))
	}
	return charge
}

// What a full store admits, a store without a bound admits too that was charged with nothing else: evictions never admit
// more. And a store that never was full decides the same.
func TestAFullStoreNeverAdmitsMoreThanOneWithoutABound(t *testing.T) {
	of := table(t)
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		full, unbounded := NewStore(40), NewStore(1_000_000)
		now := int64(1_800_000_000_000_000)
		admitted := 0
		for range 5_000 {
			now += random.Int64N(300_000)
			set := []Charge{randomCharge(random, of)}
			if other := randomCharge(random, of); other.id() != set[0].id() && random.IntN(3) == 0 {
				set = append(set, other)
			}
			if full.Charge(set, now) == nil {
				admitted++
				if denial := unbounded.Charge(set, now); denial != nil {
					t.Fatalf("seed %d: admitted %+v, which the unbounded store denies: %+v", seed, set, denial)
				}
			} else if random.IntN(10) == 0 {
				full.Release(set[0])
				unbounded.Release(set[0])
			}
			if full.Size() > 40+2*16 {
				t.Fatalf("seed %d: %d entries", seed, full.Size())
			}
		}
		if admitted < 500 {
			t.Errorf("seed %d: only %d of 5,000 sets were admitted", seed, admitted)
		}
	}
}

func TestAStoreIsBounded(t *testing.T) {
	of := table(t)
	store := NewStore(1_000)
	for n := range 20_000 {
		key := Key{byte(n), byte(n >> 8), 1}
		store.Charge([]Charge{{Rule: of.Rule("leaky"), Key: key, Cost: 1}}, 1_000_000)
		store.Charge([]Charge{{Rule: of.Rule("permits"), Key: key, Cost: 1, Lease: "a"}}, 1_000_000)
		if size := store.Size(); size > 1_000 {
			t.Fatalf("%d entries", size)
		}
	}
	store.Sweep(1_000_000_000)
	if size := store.Size(); size != 0 {
		t.Errorf("%d entries are left of empty buckets", size)
	}
}

func TestALimitOfAYearCountsInCoarserTicks(t *testing.T) {
	rule := table(t).Rule("year")
	if rule.Tick != 1_000_000 {
		t.Fatalf("a tick of %d us", rule.Tick)
	}
	store := NewStore(10)
	now := int64(1_800_000_000_500_000)
	whole := []Charge{{Rule: rule, Cost: 1_000_000}}
	if denial := store.Charge(whole, now); denial != nil {
		t.Fatalf("%+v", denial)
	}
	denial := store.Charge([]Charge{{Rule: rule, Cost: 1}}, now)
	// One token drains in 31.536 s, at a whole second.
	if denial == nil || denial.RetryAfter != 31_500_000 {
		t.Fatalf("%+v", denial)
	}
	if denial := store.Charge([]Charge{{Rule: rule, Cost: 1}}, now+31_499_999); denial == nil {
		t.Error("admitted too early")
	}
	if denial := store.Charge([]Charge{{Rule: rule, Cost: 1}}, now+31_500_000); denial != nil {
		t.Errorf("%+v", denial)
	}
}

func TestAClockThatGoesBackAdmitsNothingMore(t *testing.T) {
	of := table(t)
	store := NewStore(100)
	now := int64(1_800_000_000_000_000)
	for _, charge := range []Charge{
		{Rule: of.Rule("leaky"), Cost: 3}, {Rule: of.Rule("window"), Cost: 4}, {Rule: of.Rule("permits"), Cost: 5, Lease: "a"},
	} {
		if denial := store.Charge([]Charge{charge}, now); denial != nil {
			t.Fatalf("%+v", denial)
		}
		charge.Cost, charge.Lease = 1, charge.Lease+charge.Lease
		if denial := store.Charge([]Charge{charge}, now-60_000_000); denial == nil {
			t.Errorf("%s admits", charge.Rule.Name)
		}
	}
	// A lease ends no later than a window after the new time.
	if denial := store.Charge([]Charge{{Rule: of.Rule("permits"), Cost: 5, Lease: "b"}}, now-51_000_000); denial != nil {
		t.Errorf("%+v", denial)
	}
}

func TestLeasesOfOneBucketInASetAreCountedTogether(t *testing.T) {
	of := table(t)
	store := NewStore(100)
	set := []Charge{{Rule: of.Rule("permits"), Cost: 3, Lease: "a"}, {Rule: of.Rule("permits"), Cost: 3, Lease: "b"}}
	if store.Charge(set, 1_000_000) == nil {
		t.Fatal("6 of 5 permits are admitted")
	}
	set[1].Cost = 2
	if denial := store.Charge(set, 1_000_000); denial != nil {
		t.Fatalf("%+v", denial)
	}
	if store.Charge([]Charge{{Rule: of.Rule("permits"), Cost: 1, Lease: "c"}}, 1_000_000) == nil {
		t.Error("a sixth permit is admitted")
	}
}

func TestListsOfIdentitiesHaveDifferentKeys(t *testing.T) {
	hash := NewHash()
	seen := map[Key][]string{}
	for _, identities := range [][]string{{}, {""}, {"", ""}, {"a", "b"}, {"ab"}, {"a|b"}, {"ab", ""}, {"", "ab"}} {
		key := hash.key(identities)
		if other, ok := seen[key]; ok {
			t.Errorf("%q has the key of %q", identities, other)
		}
		seen[key] = identities
	}
	if NewHash().key([]string{"a"}) == hash.key([]string{"a"}) {
		t.Error("two processes have the same keys")
	}
}
