"""The client of openapi-generator's `python`, used as an office does."""

import os

from openapi_client import ApiClient, ApiException, AuthenticationApi, Configuration, HorsesApi
from openapi_client.models import ExternalParty, Failure, HorseOwnerBody, HorsePatch, HorseRegistration, HorseSort, KnownHorseSex, Login


def check(condition, text):
    if not condition:
        raise SystemExit(f"python: {text}")


configuration = Configuration(host=os.environ["BASE_URL"])
client = ApiClient(configuration)
credentials = Login(email=os.environ["EMAIL"], password=os.environ["PASSWORD"])
configuration.access_token = AuthenticationApi(client).login(credentials).data.access_token
horses = HorsesApi(client)

page = horses.list_horses(size=200, sort=[HorseSort.NAME_DESCENDING]).data
check(len(page.items) == page.pagination.total_elements > 0, "not all horses were listed")
for horse in page.items:
    check(horse.owners, f"{horse.name} has no owners")
    check(horse.ueln or horse.microchip or horse.passport_number, f"{horse.name} has no number")

shares = [33.33, 33.33, 33.34]
owners = [
    HorseOwnerBody(externalParty=ExternalParty(name=f"Stall {index}", countryCode="AT"), sharePercent=share)
    for index, share in enumerate(shares)
]
registration = HorseRegistration(
    name="Python", sex=KnownHorseSex.MARE, birthYear=2018, microchip=os.environ["MICROCHIP"], owners=owners
)
created = horses.register_horse(registration).data
check(created.version == 1, "a new horse has another version")
check([owner.share_percent for owner in created.owners] == shares, "other shares were stored")

# The generated code copies the headers into a dictionary, which has their names in lower or in mixed case.
headers = horses.get_horse_with_http_info(created.id).headers
etag = next(value for name, value in headers.items() if name.lower() == "etag")
body = HorsePatch(colour="Rappe")
changed = horses.replace_horse(created.id, body, if_match=etag).data
check(changed.version == 2 and changed.colour == "Rappe", "the change was not stored")
check(changed.date_of_birth is None, "a date of birth appeared")

try:
    horses.replace_horse(created.id, body, if_match=etag)
    check(False, "a stale ETag was accepted")
except ApiException as error:
    failure = Failure.from_json(error.body)
    check(error.status == 412 and failure.data.code == "PRECONDITION_FAILED", f"another failure: {error.body}")

print(f"python: {len(page.items)} horses with owners and numbers; registered, changed, 412")
