// The client of openapi-generator's `go`, used as an office does.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	paddock "example.org/paddock"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("go: ")
	configuration := paddock.NewConfiguration()
	configuration.Servers = paddock.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := paddock.NewAPIClient(configuration)
	credentials := *paddock.NewLogin(os.Getenv("EMAIL"), os.Getenv("PASSWORD"))
	signIn, _, err := client.AuthenticationAPI.Login(context.Background()).Login(credentials).Execute()
	must(err)
	ctx := context.WithValue(context.Background(), paddock.ContextAccessToken, signIn.Data.AccessToken)

	list, _, err := client.HorsesAPI.ListHorses(ctx).Size(200).Sort([]paddock.HorseSort{paddock.HORSESORT_NAME_DESCENDING}).Execute()
	must(err)
	horses := list.Data.Items
	check(len(horses) > 0 && int64(len(horses)) == list.Data.Pagination.TotalElements, "not all horses were listed")
	for _, horse := range horses {
		check(len(horse.Owners) > 0, horse.Name+" has no owners")
		check(horse.GetUeln()+horse.GetMicrochip()+horse.GetPassportNumber() != "", horse.Name+" has no number")
	}

	shares := []float64{33.33, 33.33, 33.34}
	owners := []paddock.HorseOwnerBody{}
	for index, share := range shares {
		owner := *paddock.NewHorseOwnerBody()
		owner.SetExternalParty(*paddock.NewExternalParty(fmt.Sprintf("Stall %d", index), "AT"))
		owner.SetSharePercent(share)
		owners = append(owners, owner)
	}
	registration := *paddock.NewHorseRegistration("Go", paddock.KNOWNHORSESEX_MARE, owners)
	registration.SetBirthYear(2018)
	registration.SetMicrochip(os.Getenv("MICROCHIP"))
	registered, _, err := client.HorsesAPI.RegisterHorse(ctx).HorseRegistration(registration).Execute()
	must(err)
	horse := registered.Data
	check(horse.Version == 1, "a new horse has another version")
	for index, share := range shares {
		check(horse.Owners[index].GetSharePercent() == share, "other shares were stored")
	}

	_, response, err := client.HorsesAPI.GetHorse(ctx, horse.Id).Execute()
	must(err)
	etag := response.Header.Get("ETag")
	body := *paddock.NewHorsePatch()
	body.SetColour("Rappe")
	change := client.HorsesAPI.ReplaceHorse(ctx, horse.Id).HorsePatch(body).IfMatch(etag)
	changed, _, err := change.Execute()
	must(err)
	check(changed.Data.Version == 2 && changed.Data.GetColour() == "Rappe", "the change was not stored")
	check(changed.Data.DateOfBirth.Get() == nil, "a date of birth appeared")

	_, response, err = change.Execute()
	var refusal *paddock.GenericOpenAPIError
	check(errors.As(err, &refusal) && response.StatusCode == 412, "a stale ETag was accepted")
	var failure paddock.Failure
	must(json.Unmarshal(refusal.Body(), &failure))
	check(failure.Data.Code == "PRECONDITION_FAILED", "another failure: "+string(refusal.Body()))

	fmt.Printf("go: %d horses with owners and numbers; registered, changed, 412\n", len(horses))
}

func must(err error) {
	var refusal *paddock.GenericOpenAPIError
	if errors.As(err, &refusal) {
		log.Fatalf("%v: %s", err, refusal.Body())
	}
	check(err == nil, fmt.Sprint(err))
}

func check(isTrue bool, text string) {
	if !isTrue {
		log.Fatal(text)
	}
}
