package local

import "gatehouse.dev/ratelimit/internal/rules"

// The wait of a denial by the policy Closed.
const closedWait = 1_000_000

// Policies decides checks by each bucket's failure policy. Remembered denials still hold.
type Policies struct {
	Store   *Store
	Denials *Denials
}

// Decide charges sets in order, each as a whole or not at all, up to the first that denies.
func (p *Policies) Decide(sets [][]Charge, now int64) *Denial {
	for _, set := range sets {
		if denial := p.decideSet(set, now); denial != nil {
			return denial
		}
	}
	return nil
}

func (p *Policies) decideSet(set []Charge, now int64) *Denial {
	var counted []Charge
	var denial *Denial
	for _, charge := range set {
		switch charge.Rule.Policy {
		case rules.Local:
			counted = append(counted, shareOf(charge))
		case rules.Closed:
			denial = longest(denial, &Denial{charge, closedWait, closedWait})
		}
	}
	denial = longest(p.Denials.Of(set, now), denial)
	if denial != nil {
		return longest(denial, p.Store.Read(counted, now)) // denied anyway: nothing is charged
	}
	return p.Store.Charge(counted, now)
}

// shareOf is the charge of this process's share. A cost above the share but within the limit takes the whole share;
// otherwise it would never be admitted.
func shareOf(charge Charge) Charge {
	most := charge.Rule.Share.Limit
	if charge.Cost > charge.Rule.Limit {
		most++
	}
	charge.Rule, charge.Cost = charge.Rule.Share, min(charge.Cost, most)
	return charge
}

// Release ends the leases of these charges in this process.
func (p *Policies) Release(charges []Charge) {
	for _, charge := range charges {
		if charge.Rule.Kind == rules.Concurrency {
			p.Store.Release(charge)
		}
	}
}
