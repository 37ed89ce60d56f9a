// Plays callers with the Go client: it takes the path of a plan, and writes a line for each step
// (../exactness/records.ts has both formats).
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatehouse.dev/ratelimit"
)

type plan struct {
	TimeoutMs int `json:"timeout_ms"`
	Callers   []caller
}

type caller struct {
	ID      int
	Address string
	Steps   []step
}

type step struct {
	Check  [][]charge
	Refund []charge
	Of     int
}

type charge ratelimit.Charge

// UnmarshalJSON reads [bucket, identities, cost, lease].
func (c *charge) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&c.Bucket, &c.Identities, &c.Cost, &c.LeaseID})
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var p plan
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	player := &player{out: bufio.NewWriter(os.Stdout)}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		player.ended.Store(true)
	}()
	clients := map[string]*ratelimit.Client{}
	var callers sync.WaitGroup
	for _, each := range p.Callers {
		client := clients[each.Address]
		if client == nil {
			timeout := time.Duration(p.TimeoutMs) * time.Millisecond
			if client, err = ratelimit.Dial(each.Address, ratelimit.WithTimeout(timeout)); err != nil {
				return err
			}
			defer client.Close()
			clients[each.Address] = client
		}
		callers.Go(func() { player.play(client, each) })
	}
	callers.Wait()
	return player.out.Flush()
}

type player struct {
	ended atomic.Bool
	mutex sync.Mutex
	out   *bufio.Writer
}

func (p *player) play(client *ratelimit.Client, c caller) {
	admitted := map[int]bool{}
	for index, step := range c.Steps {
		if p.ended.Load() {
			return
		}
		if step.Refund != nil && !admitted[step.Of] {
			continue
		}
		start := time.Now().UnixMicro()
		outcome := outcomeOf(client, step)
		end := time.Now().UnixMicro() + 1
		admitted[index] = strings.HasPrefix(outcome, "A")
		p.write(fmt.Sprintf("%d %d %d %d %s\n", c.ID, index, start, end, outcome))
		if strings.HasPrefix(outcome, "E") {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

func outcomeOf(client *ratelimit.Client, step step) string {
	ctx := context.Background()
	if step.Refund != nil {
		if err := client.Refund(ctx, charges(step.Refund)...); err != nil {
			return "E - " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		return "R -"
	}
	sets := make([]ratelimit.Set, len(step.Check))
	for i, set := range step.Check {
		sets[i] = charges(set)
	}
	denial, err := client.Check(ctx, sets...)
	switch {
	case err != nil:
		return "E - " + strings.ReplaceAll(err.Error(), "\n", " ")
	case denial != nil:
		return "D -"
	default:
		return "A -"
	}
}

func charges(planned []charge) []ratelimit.Charge {
	made := make([]ratelimit.Charge, len(planned))
	for i, each := range planned {
		made[i] = ratelimit.Charge(each)
	}
	return made
}

// write flushes each line: the test waits for them.
func (p *player) write(line string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	_, _ = p.out.WriteString(line)
	_ = p.out.Flush()
}
