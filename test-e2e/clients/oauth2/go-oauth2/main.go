// An OAuth2 client of golang.org/x/oauth2, through the whole flow. It reads its settings, then the callback, each
// from a line of standard input, and prints lines of JSON: the authorization URL, then the result of each call.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

type settings struct {
	Routes         string `json:"routes"`
	ClientID       string `json:"client_id"`
	ClientSecret   string `json:"client_secret"`
	RedirectURI    string `json:"redirect_uri"`
	Authentication string `json:"authentication"`
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	input := bufio.NewReader(os.Stdin)
	var given settings
	if err := readLine(input, func(line []byte) error { return json.Unmarshal(line, &given) }); err != nil {
		return err
	}
	style := oauth2.AuthStyleInHeader
	if given.Authentication == "client_secret_post" {
		style = oauth2.AuthStyleInParams
	}
	config := &oauth2.Config{
		ClientID:     given.ClientID,
		ClientSecret: given.ClientSecret,
		RedirectURL:  given.RedirectURI,
		Scopes:       []string{"identify", "email"},
		Endpoint: oauth2.Endpoint{
			AuthURL:   given.Routes + "/authorize",
			TokenURL:  given.Routes + "/token",
			AuthStyle: style,
		},
	}
	verifier := oauth2.GenerateVerifier()
	show(config.AuthCodeURL("a state", oauth2.S256ChallengeOption(verifier)))

	var callback *url.URL
	if err := readLine(input, func(line []byte) (err error) {
		callback, err = url.Parse(strings.TrimSpace(string(line)))
		return err
	}); err != nil {
		return err
	}
	code := callback.Query().Get("code")
	first, err := config.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		return err
	}
	userinfo, err := get(config.Client(ctx, first), given.Routes+"/userinfo")
	if err != nil {
		return err
	}
	// An expired token makes the client refresh by itself.
	expired := *first
	expired.Expiry = time.Now().Add(-time.Minute)
	second, err := config.TokenSource(ctx, &expired).Token()
	if err != nil {
		return err
	}
	again, err := get(config.Client(ctx, second), given.Routes+"/userinfo")
	if err != nil {
		return err
	}
	_, err = config.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	show(map[string]any{
		"state": callback.Query().Get("state"), "first": shown(first), "userinfo": userinfo,
		"second": shown(second), "again": again, "replay": refusal(err),
	})
	return nil
}

func readLine(input *bufio.Reader, read func([]byte) error) error {
	line, err := input.ReadBytes('\n')
	if err != nil {
		return err
	}
	return read(line)
}

func show(value any) {
	line, _ := json.Marshal(value)
	fmt.Println(string(line))
}

func shown(token *oauth2.Token) map[string]any {
	return map[string]any{
		"access_token": token.AccessToken, "refresh_token": token.RefreshToken, "token_type": token.TokenType,
		"expires_in": token.ExpiresIn, "scope": token.Extra("scope"),
	}
}

func refusal(err error) any {
	var failed *oauth2.RetrieveError
	if !errors.As(err, &failed) {
		return fmt.Sprint(err)
	}
	return map[string]any{"status": failed.Response.StatusCode, "body": json.RawMessage(failed.Body)}
}

func get(client *http.Client, address string) (json.RawMessage, error) {
	answer, err := client.Get(address)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, body)
	}
	return body, err
}
