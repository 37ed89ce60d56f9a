package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"gatehouse.dev/ratelimit"
)

// These examples run without ratelimit: this process decides.
const nowhere = "127.0.0.1:1"

func ExampleClient_Check() {
	limits, err := ratelimit.Dial(nowhere)
	if err != nil {
		panic(err)
	}
	defer limits.Close()

	// The global bucket is charged first, by itself, and stays charged if the other set denies.
	global := ratelimit.Set{{Bucket: "global", Identities: []string{"ip:192.0.2.1"}}}
	register := ratelimit.Set{
		{Bucket: "auth:register", Identities: []string{"ip:192.0.2.1"}},
		{Bucket: "registration:email", Identities: []string{"ada@example.com"}},
	}
	for range 4 {
		denial, err := limits.Check(context.Background(), global, register)
		switch {
		case err != nil:
			fmt.Println(err)
		case denial != nil:
			fmt.Println(denial.Bucket, "denies, limit", denial.Limit)
		default:
			fmt.Println("admitted")
		}
	}
	// Output:
	// admitted
	// admitted
	// admitted
	// registration:email denies, limit 3
}

func ExampleClient_Acquire() {
	limits, err := ratelimit.Dial(nowhere)
	if err != nil {
		panic(err)
	}
	defer limits.Close()

	export := func(ctx context.Context, account string) error {
		lease, err := limits.Acquire(ctx, ratelimit.Charge{Bucket: "exports", Identities: []string{account}})
		var denial *ratelimit.Denial
		if errors.As(err, &denial) {
			return fmt.Errorf("too many exports at once: %w", denial)
		}
		if err != nil {
			return err
		}
		defer lease.Release()
		// Work, until it is done or the lease is lost.
		select {
		case <-lease.Done():
			return lease.Err()
		case <-time.After(time.Millisecond):
			return nil
		}
	}
	fmt.Println(export(context.Background(), "account:1001"))
	// Output: <nil>
}

func ExampleTLSFiles() {
	config, err := ratelimit.TLSFiles("ca.pem", "platform.pem", "platform-key.pem", "ratelimit.gatehouse.internal")
	if err != nil {
		fmt.Println("no certificates here")
		return
	}
	limits, err := ratelimit.Dial("ratelimit:8081", ratelimit.WithTLS(config), ratelimit.WithLogger(slog.Default()))
	if err != nil {
		panic(err)
	}
	defer limits.Close()
	// Output: no certificates here
}
