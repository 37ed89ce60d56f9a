// Command stream-load makes checks on one CheckStream for many callers, each of which waits for its response before it
// makes the next check. It prints the rate and the latencies as JSON.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"time"

	"gatehouse.dev/ratelimit/ratelimitv1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// result has the members of ghz's figures that the benchmark reads.
type result struct {
	Calls     int     `json:"calls"`
	PerSecond float64 `json:"per_second"`
	P50Ms     float64 `json:"p50_ms"`
	P99Ms     float64 `json:"p99_ms"`
	Failed    int     `json:"failed"`
}

func main() {
	address := flag.String("address", "", "host:port of ratelimit")
	callers := flag.Int("callers", 64, "checks in flight")
	duration := flag.Duration("duration", time.Second, "time of the load")
	identities := flag.Int("identities", 20_000, "number of clients and of webhooks")
	flag.Parse()
	measured, err := run(*address, *callers, *duration, *identities)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(measured); err != nil {
		log.Fatal(err)
	}
}

func run(address string, callers int, duration time.Duration, identities int) (result, error) {
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return result{}, err
	}
	defer connection.Close()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	stream, err := ratelimitv1.NewRatelimitServiceClient(connection).CheckStream(ctx)
	if err != nil {
		return result{}, err
	}
	loads := make([]*caller, callers)
	for tag := range loads {
		loads[tag] = &caller{tag: uint32(tag), responses: make(chan *ratelimitv1.CheckResponse, 1)}
	}
	requests := make(chan *ratelimitv1.CheckRequest, callers)
	go send(stream, requests, cancel)
	go receive(stream, loads, cancel)

	began := time.Now()
	var running sync.WaitGroup
	for _, one := range loads {
		running.Go(func() { one.run(ctx, requests, began.Add(duration), identities) })
	}
	running.Wait()
	if err := context.Cause(ctx); err != nil {
		return result{}, fmt.Errorf("the stream failed: %w", err)
	}
	return summary(loads, time.Since(began)), nil
}

// send writes the requests of all callers: a stream takes one at a time.
func send(
	stream ratelimitv1.RatelimitService_CheckStreamClient,
	requests <-chan *ratelimitv1.CheckRequest,
	cancel context.CancelCauseFunc,
) {
	for request := range requests {
		if err := stream.Send(request); err != nil {
			cancel(err)
			return
		}
	}
}

// receive passes each response to the caller of its tag.
func receive(
	stream ratelimitv1.RatelimitService_CheckStreamClient,
	loads []*caller,
	cancel context.CancelCauseFunc,
) {
	for {
		response, err := stream.Recv()
		if err != nil {
			cancel(err)
			return
		}
		loads[response.GetTag()].responses <- response
	}
}

// A caller has one check in flight, whose tag is its own number.
type caller struct {
	tag       uint32
	responses chan *ratelimitv1.CheckResponse
	latencies []time.Duration
	failed    int
}

func (c *caller) run(
	ctx context.Context,
	requests chan<- *ratelimitv1.CheckRequest,
	until time.Time,
	identities int,
) {
	for sent := time.Now(); sent.Before(until); sent = time.Now() {
		requests <- checkOf(c.tag, rand.IntN(identities))
		select {
		case response := <-c.responses:
			if response.GetError() != nil || response.GetDegraded() {
				c.failed++
			}
			c.latencies = append(c.latencies, time.Since(sent))
		case <-ctx.Done():
			return
		}
	}
}

// checkOf has the buckets that ShouldRateLimit charges in the same benchmark.
func checkOf(tag uint32, n int) *ratelimitv1.CheckRequest {
	set := func(bucket, identity string) *ratelimitv1.ChargeSet {
		charge := &ratelimitv1.Charge{Bucket: bucket, Identities: []string{identity}}
		return &ratelimitv1.ChargeSet{Charges: []*ratelimitv1.Charge{charge}}
	}
	return &ratelimitv1.CheckRequest{
		Tag: &tag,
		Sets: []*ratelimitv1.ChargeSet{
			set("global", fmt.Sprintf("client:stream:%d", n)),
			set("webhook:execute", fmt.Sprintf("webhook:stream:%d", n)),
		},
	}
}

func summary(loads []*caller, elapsed time.Duration) result {
	var latencies []time.Duration
	failed := 0
	for _, one := range loads {
		latencies = append(latencies, one.latencies...)
		failed += one.failed
	}
	slices.Sort(latencies)
	at := func(share float64) float64 {
		if len(latencies) == 0 {
			return 0
		}
		return latencies[int(share*float64(len(latencies)))].Seconds() * 1000
	}
	return result{
		Calls:     len(latencies),
		PerSecond: float64(len(latencies)) / elapsed.Seconds(),
		P50Ms:     at(0.5),
		P99Ms:     at(0.99),
		Failed:    failed,
	}
}
