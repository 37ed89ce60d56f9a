// A server whose requests are limited by ratelimit: by API key, and by IP address.
package main

import (
	"cmp"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"

	"gatehouse.dev/ratelimit"
)

func main() {
	client, err := ratelimit.Dial(cmp.Or(os.Getenv("RATELIMIT_ADDRESS"), "127.0.0.1:8081"), ratelimit.WithLogger(slog.Default()))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "hello") })
	mux := http.NewServeMux()
	mux.Handle("GET /hello", limit(client, byKeyAndAddress("auth:check-username"), hello))

	listener, err := net.Listen("tcp", cmp.Or(os.Getenv("LISTEN"), "127.0.0.1:8090"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, mux))
}
