import org.openapitools.client.apis.AuthenticationApi
import org.openapitools.client.apis.HorsesApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.*
import kotlin.system.exitProcess

fun check(isTrue: Boolean, text: String) {
	if (isTrue) return
	System.err.println("kotlin: $text")
	exitProcess(1)
}

/** The client of openapi-generator's `kotlin`, used as an office does. */
fun main() {
	val url = System.getenv("BASE_URL")
	val credentials = Login(email = System.getenv("EMAIL"), password = System.getenv("PASSWORD"))
	ApiClient.accessToken = AuthenticationApi(url).login(credentials).data.accessToken
	val horses = HorsesApi(url)

	val page = horses.listHorses(size = 200, sort = setOf(HorseSort.NAME_DESCENDING)).data
	check(page.items.isNotEmpty() && page.items.size.toLong() == page.pagination.totalElements, "not all horses were listed")
	for (horse in page.items) {
		check(!horse.owners.isNullOrEmpty(), "${horse.name} has no owners")
		check((horse.ueln ?: horse.microchip ?: horse.passportNumber) != null, "${horse.name} has no number")
	}

	val shares = listOf(33.33, 33.33, 33.34)
	val owners = shares.mapIndexed { index, share ->
		HorseOwnerBody(externalParty = ExternalParty("Stall $index", "AT"), sharePercent = share)
	}
	val registration = HorseRegistration(
		name = "Kotlin", sex = KnownHorseSex.MARE, birthYear = 2018, microchip = System.getenv("MICROCHIP"), owners = owners,
	)
	val horse = horses.registerHorse(registration).data
	check(horse.version == 1L, "a new horse has another version")
	check(horse.owners.map { it.sharePercent } == shares, "other shares were stored")

	val etag = horses.getHorseWithHttpInfo(horse.id, null).headers["etag"]?.single()
	val body = HorsePatch(colour = "Rappe")
	val changed = horses.replaceHorse(horse.id, body, etag).data
	check(changed.version == 2L && changed.colour == "Rappe", "the change was not stored")
	check(changed.dateOfBirth == null, "a date of birth appeared")

	try {
		horses.replaceHorse(horse.id, body, etag)
		check(false, "a stale ETag was accepted")
	} catch (refusal: ClientException) {
		val text = (refusal.response as ClientError<*>).body.toString()
		val failure = Serializer.moshi.adapter(Failure::class.java).fromJson(text)
		check(refusal.statusCode == 412 && failure?.data?.code == "PRECONDITION_FAILED", "another failure: $text")
	}
	println("kotlin: ${page.items.size} horses with owners and numbers; registered, changed, 412")
}
