// Counts eleven reports of an account.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"math"
	"os"

	"gatehouse.dev/ratelimit"
)

func main() {
	limits, err := ratelimit.Dial(cmp.Or(os.Getenv("RATELIMIT_ADDRESS"), "127.0.0.1:8081"))
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
