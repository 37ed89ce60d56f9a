package rules

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"gatehouse.dev/ratelimit/ratelimitv1"
)

// Row is a row of the reference before it is checked.
type Row struct {
	Name                 string
	Aliases              []string
	Limit, WindowSeconds int64
	Kind                 Kind
	Policy               Policy
}

// Table is the rules by name and alias.
type Table struct {
	// Revision of ListBuckets; empty for the rules of this module.
	Revision string
	byName   map[string]*Rule
}

// Rule returns nil if there is no bucket of this name.
func (t *Table) Rule(name string) *Rule { return t.byName[name] }

// New makes a table for one of `replicas` processes.
func New(revision string, rows []Row, replicas int) (*Table, error) {
	table := &Table{Revision: revision, byName: make(map[string]*Rule, len(rows))}
	for _, row := range rows {
		rule, err := newRule(row, replicas)
		if err != nil {
			return nil, err
		}
		table.byName[row.Name] = rule
		for _, alias := range row.Aliases {
			table.byName[alias] = rule
		}
	}
	return table, nil
}

// Served makes the table that ratelimit serves.
func Served(response *ratelimitv1.ListBucketsResponse, replicas int) (*Table, error) {
	rows := make([]Row, 0, len(response.GetBuckets()))
	for _, bucket := range response.GetBuckets() {
		rows = append(rows, Row{
			Name: bucket.GetName(), Aliases: bucket.GetAliases(),
			Limit: int64(bucket.GetLimit()), WindowSeconds: int64(bucket.GetWindowSeconds()),
			Kind: kindOf(bucket.GetKind()), Policy: policyOf(bucket.GetPolicy()),
		})
	}
	return New(response.GetRevision(), rows, replicas)
}

func kindOf(kind ratelimitv1.LimitKind) Kind {
	switch kind {
	case ratelimitv1.LimitKind_LIMIT_KIND_FIXED_WINDOW:
		return FixedWindow
	case ratelimitv1.LimitKind_LIMIT_KIND_CONCURRENCY:
		return Concurrency
	default:
		return LeakyBucket
	}
}

func policyOf(policy ratelimitv1.FailurePolicy) Policy {
	switch policy {
	case ratelimitv1.FailurePolicy_FAILURE_POLICY_OPEN:
		return Open
	case ratelimitv1.FailurePolicy_FAILURE_POLICY_CLOSED:
		return Closed
	default:
		return Local
	}
}

// The reference that ratelimit serves by default: a copy of proto/gatehouse/ratelimit/v1/buckets.json.
//
//go:embed buckets.json
var reference []byte

type referenceRow struct {
	Limit         int64  `json:"limit"`
	WindowSeconds int64  `json:"window_seconds"`
	Kind          string `json:"kind"`
	Policy        string `json:"policy"`
	AliasOf       string `json:"alias_of"`
	// Callers cannot name it.
	Internal bool `json:"internal"`
}

var (
	kinds    = map[string]Kind{"": LeakyBucket, "leaky_bucket": LeakyBucket, "fixed_window": FixedWindow, "concurrency": Concurrency}
	policies = map[string]Policy{"": Local, "local": Local, "open": Open, "closed": Closed}
)

// BuiltIn is the reference of this module, for use until ratelimit has served its own.
func BuiltIn(replicas int) (*Table, error) {
	var named map[string]referenceRow
	if err := json.Unmarshal(reference, &named); err != nil {
		return nil, fmt.Errorf("the built-in reference: %w", err)
	}
	aliases := map[string][]string{}
	for name, row := range named {
		if row.AliasOf != "" {
			aliases[row.AliasOf] = append(aliases[row.AliasOf], name)
		}
	}
	var rows []Row
	for name, row := range named {
		if row.AliasOf != "" || row.Internal {
			continue
		}
		kind, known := kinds[row.Kind]
		policy, knownPolicy := policies[row.Policy]
		if !known || !knownPolicy {
			return nil, fmt.Errorf("the built-in reference: bucket %s has kind %q and policy %q", name, row.Kind, row.Policy)
		}
		rows = append(rows, Row{
			Name: name, Aliases: aliases[name], Limit: row.Limit, WindowSeconds: row.WindowSeconds, Kind: kind, Policy: policy,
		})
	}
	return New("", rows, replicas)
}
