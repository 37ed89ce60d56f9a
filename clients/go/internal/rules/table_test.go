package rules

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"testing"
)

func TestTheBuiltInReferenceIsTheOneOfRatelimit(t *testing.T) {
	source, err := os.ReadFile("../../../../proto/gatehouse/ratelimit/v1/buckets.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("SKIPPED: this copy of the module is not in Gatehouse's repository")
	}
	if err != nil || !bytes.Equal(source, reference) {
		t.Errorf("buckets.json is another one (%v): npm run generate", err)
	}
	table, err := BuiltIn(4)
	if err != nil {
		t.Fatal(err)
	}
	rule := table.Rule("guild:list")
	if rule == nil || rule.Limit != 40 || rule.Share.Limit != 10 || rule.Share.Whole != 40 || rule.WindowSeconds != 10 {
		t.Errorf("guild:list is %+v", rule)
	}
}

func TestATickIsTheSmallestThatIsExact(t *testing.T) {
	for _, of := range []struct{ limit, window, tick int64 }{
		{1, 1, 1}, {200, 60, 1}, {281, 1_000_000, 1}, {282, 1_000_000, 1_000}, {281_474, 1_000_000, 1_000}, {281_475, 1_000_000, 1_000_000},
		{281_474_976, 1_000_000, 1_000_000},
	} {
		rule, err := newRule(Row{Name: "a", Limit: of.limit, WindowSeconds: of.window}, 1)
		if err != nil || rule.Tick != of.tick {
			t.Errorf("%d per %d s: %+v, %v", of.limit, of.window, rule, err)
		}
	}
	for _, row := range []Row{
		{Limit: 281_474_977, WindowSeconds: 1_000_000}, {Limit: 0, WindowSeconds: 1}, {Limit: 1, WindowSeconds: 0},
	} {
		if rule, err := newRule(row, 1); err == nil {
			t.Errorf("%+v is %+v", row, rule)
		}
	}
	if _, err := newRule(Row{Limit: 4_000_000_000, WindowSeconds: 31_536_000, Kind: FixedWindow}, 1); err != nil {
		t.Error(err)
	}
}
