// The client of oapi-codegen, used as an office does.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	paddock "example.org/paddock"
	types "github.com/oapi-codegen/runtime/types"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("oapi-codegen: ")
	ctx := context.Background()
	token := ""
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	url := os.Getenv("BASE_URL")
	anonymous := must(paddock.NewClientWithResponses(url))
	client := must(paddock.NewClientWithResponses(url, paddock.WithRequestEditorFn(authorize)))
	credentials := paddock.Login{Email: types.Email(os.Getenv("EMAIL")), Password: os.Getenv("PASSWORD")}
	signIn := must(anonymous.LoginWithResponse(ctx, nil, credentials))
	check(signIn.JSON200 != nil, "no sign-in: "+string(signIn.Body))
	token = signIn.JSON200.Data.AccessToken

	size, sort := 200, paddock.HorseSortParameter{paddock.HorseSortNAMEDESCENDING}
	list := must(client.ListHorsesWithResponse(ctx, &paddock.ListHorsesParams{Size: &size, Sort: &sort}))
	check(list.JSON200 != nil, "no list: "+string(list.Body))
	horses := list.JSON200.Data.Items
	check(len(horses) > 0 && int64(len(horses)) == list.JSON200.Data.Pagination.TotalElements, "not all horses were listed")
	for _, horse := range horses {
		check(horse.Owners != nil && len(*horse.Owners) > 0, horse.Name+" has no owners")
		check(horse.Ueln != nil || horse.Microchip != nil || horse.PassportNumber != nil, horse.Name+" has no number")
	}

	shares := []float64{33.33, 33.33, 33.34}
	owners := []paddock.HorseOwnerBody{}
	for index := range shares {
		party := paddock.ExternalParty{Name: fmt.Sprintf("Stall %d", index), CountryCode: "AT"}
		owners = append(owners, paddock.HorseOwnerBody{ExternalParty: &party, SharePercent: &shares[index]})
	}
	year, microchip, colour := 2018, os.Getenv("MICROCHIP"), "Rappe"
	registration := paddock.HorseRegistration{
		Name: "Oapi", Sex: paddock.KnownHorseSex("MARE"), BirthYear: &year, Microchip: &microchip, Owners: owners,
	}
	registered := must(client.RegisterHorseWithResponse(ctx, nil, registration))
	check(registered.JSON201 != nil, "not registered: "+string(registered.Body))
	horse := registered.JSON201.Data
	check(horse.Version == 1, "a new horse has another version")
	for index, share := range shares {
		check(*horse.Owners[index].SharePercent == share, "other shares were stored")
	}

	read := must(client.GetHorseWithResponse(ctx, horse.Id, nil))
	etag := read.HTTPResponse.Header.Get("ETag")
	body := paddock.HorsePatch{Colour: &colour}
	version := &paddock.ReplaceHorseParams{IfMatch: &etag}
	changed := must(client.ReplaceHorseWithResponse(ctx, horse.Id, version, body))
	check(changed.JSON200 != nil, "not changed: "+string(changed.Body))
	check(changed.JSON200.Data.Version == 2 && *changed.JSON200.Data.Colour == colour, "the change was not stored")
	check(changed.JSON200.Data.DateOfBirth == nil, "a date of birth appeared")

	refused := must(client.ReplaceHorseWithResponse(ctx, horse.Id, version, body))
	check(refused.StatusCode() == 412 && refused.JSON412 != nil, "a stale ETag was accepted")
	check(refused.JSON412.Data.Code == "PRECONDITION_FAILED", "another failure: "+string(refused.Body))

	fmt.Printf("oapi-codegen: %d horses with owners and numbers; registered, changed, 412\n", len(horses))
}

func must[Result any](result Result, err error) Result {
	check(err == nil, fmt.Sprint(err))
	return result
}

func check(isTrue bool, text string) {
	if !isTrue {
		log.Fatal(text)
	}
}
