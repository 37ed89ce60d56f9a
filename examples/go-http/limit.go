package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"strconv"

	"gatehouse.dev/ratelimit"
)

// limit passes on the requests that all sets admit, and answers the others with 429.
func limit(client *ratelimit.Client, sets func(*http.Request) []ratelimit.Set, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		denial, err := client.Check(r.Context(), sets(r)...)
		switch {
		case r.Context().Err() != nil: // the client has gone
		case err != nil:
			slog.Error("limits", "err", err)
			http.Error(w, "internal error", http.StatusInternalServerError)
		case denial != nil:
			tooManyRequests(w, denial)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func tooManyRequests(w http.ResponseWriter, denial *ratelimit.Denial) {
	seconds := strconv.Itoa(int(math.Ceil(denial.RetryAfter.Seconds())))
	header := w.Header()
	header.Set("Retry-After", seconds)
	header.Set("X-RateLimit-Limit", strconv.Itoa(int(denial.Limit)))
	header.Set("X-RateLimit-Remaining", "0")
	header.Set("X-RateLimit-Reset-After", strconv.FormatFloat(denial.EmptyAfter.Seconds(), 'f', 3, 64))
	header.Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusTooManyRequests)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": "too many requests", "retry_after": seconds})
}

// byKeyAndAddress charges the bucket "global" of the API key, or of the address of a request without one, and then another
// bucket of the address.
func byKeyAndAddress(bucket string) func(*http.Request) []ratelimit.Set {
	return func(r *http.Request) []ratelimit.Set {
		address := "ip:" + subnet(r.RemoteAddr)
		client := address
		if key := r.Header.Get("X-Api-Key"); key != "" {
			hash := sha256.Sum256([]byte(key)) // the key itself does not leave this process
			client = "credential:" + base64.RawURLEncoding.EncodeToString(hash[:16])
		}
		return []ratelimit.Set{
			{{Bucket: "global", Identities: []string{client}}},
			{{Bucket: bucket, Identities: []string{address}}},
		}
	}
}

// subnet is an IPv4 address, or the /64 of an IPv6 address, since one client has all addresses of a /64.
func subnet(remote string) string {
	host, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	address := host.Addr().Unmap()
	if address.Is4() {
		return address.String()
	}
	prefix, _ := address.WithZone("").Prefix(64) // 64 bits exist
	return prefix.String()
}
