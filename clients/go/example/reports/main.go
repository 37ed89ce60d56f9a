// Counts eleven reports of an account.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"time"

	"gatehouse.dev/ratelimit"
)

func main() {
	address := cmp.Or(os.Getenv("RATELIMIT_ADDRESS"), "127.0.0.1:8081")
	// A server's requests should wait less: 250 ms is the default.
	limits, err := ratelimit.Dial(address, ratelimit.WithTimeout(5*time.Second))
	if err != nil {
		log.Fatal(err)
	}
	defer limits.Close()

	report := ratelimit.Charge{Bucket: "report", Identities: []string{"account:1001"}}
	for n := 1; n <= 11; n++ {
		denial, err := limits.Check(context.Background(), ratelimit.Set{report})
		switch {
		case err != nil:
			log.Fatal(err)
		case denial == nil:
			fmt.Printf("report %d is taken\n", n)
		default:
			fmt.Printf("report %d has to wait %.0f s\n", n, math.Ceil(denial.RetryAfter.Seconds()))
		}
	}
}
