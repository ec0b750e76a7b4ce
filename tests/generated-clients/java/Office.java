import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AuthenticationApi;
import org.openapitools.client.api.HorsesApi;
import org.openapitools.client.model.*;

/** The client of openapi-generator's `java` with the library `native`, used as an office does. */
public class Office {
	public static void main(String[] arguments) throws Exception {
		ApiClient client = new ApiClient();
		client.updateBaseUri(System.getenv("BASE_URL"));
		Login credentials = new Login().email(System.getenv("EMAIL")).password(System.getenv("PASSWORD"));
		String token = new AuthenticationApi(client).login(credentials, null).getData().getAccessToken();
		client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
		HorsesApi horses = new HorsesApi(client);

		HorsePage page = horses.listHorses(null, null, null, null, null, null, null, null, null, null, null, null, null, null,
			Set.of(HorseSort.NAME_DESCENDING), null, 200, null, null, null, null, null, null).getData();
		long total = page.getPagination().getTotalElements();
		check(total > 0 && page.getItems().size() == total, "not all horses were listed");
		for (HorseView horse : page.getItems()) {
			check(horse.getOwners() != null && !horse.getOwners().isEmpty(), horse.getName() + " has no owners");
			boolean hasNumber = horse.getUeln() != null || horse.getMicrochip() != null || horse.getPassportNumber() != null;
			check(hasNumber, horse.getName() + " has no number");
		}

		List<Double> shares = List.of(33.33, 33.33, 33.34);
		List<HorseOwnerBody> owners = new ArrayList<>();
		for (Double share : shares) {
			ExternalParty party = new ExternalParty().name("Stall " + owners.size()).countryCode("AT");
			owners.add(new HorseOwnerBody().externalParty(party).sharePercent(share));
		}
		HorseRegistration registration = new HorseRegistration().name("Java").sex(KnownHorseSex.MARE).birthYear(2018)
			.microchip(System.getenv("MICROCHIP")).owners(owners);
		Horse horse = horses.registerHorse(registration, null).getData();
		check(horse.getVersion() == 1, "a new horse has another version");
		check(horse.getOwners().stream().map(HorseOwner::getSharePercent).toList().equals(shares), "other shares were stored");

		UUID id = horse.getId();
		Map<String, List<String>> headers = horses.getHorseWithHttpInfo(id, null).getHeaders();
		String etag = headers.get("etag").get(0);
		HorsePatch body = new HorsePatch().colour("Rappe");
		Horse changed = horses.replaceHorse(id, body, etag).getData();
		check(changed.getVersion() == 2 && changed.getColour().equals("Rappe"), "the change was not stored");
		check(changed.getDateOfBirth() == null, "a date of birth appeared");

		try {
			horses.replaceHorse(id, body, etag);
			check(false, "a stale ETag was accepted");
		} catch (ApiException refusal) {
			Failure failure = ApiClient.createDefaultObjectMapper().readValue(refusal.getResponseBody(), Failure.class);
			boolean isStale = refusal.getCode() == 412 && failure.getData().getCode().equals("PRECONDITION_FAILED");
			check(isStale, "another failure: " + refusal.getResponseBody());
		}
		System.out.println("java: " + total + " horses with owners and numbers; registered, changed, 412");
	}

	private static void check(boolean isTrue, String text) {
		if (isTrue) return;
		System.err.println("java: " + text);
		System.exit(1);
	}
}
