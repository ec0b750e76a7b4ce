"""The client of openapi-python-client, used as an office does."""

import os

from paddock.api.authentication import login
from paddock.api.horses import get_horse, list_horses, register_horse, replace_horse
from paddock.client import AuthenticatedClient, Client
from paddock.models import (
    ExternalPartyType0,
    Failure,
    HorseOwnerBody,
    HorsePatch,
    HorseRegistration,
    HorseSort,
    KnownHorseSex,
    Login,
)


def check(condition, text):
    if not condition:
        raise SystemExit(f"openapi-python-client: {text}")


url = os.environ["BASE_URL"]
credentials = Login(email=os.environ["EMAIL"], password=os.environ["PASSWORD"])
token = login.sync(client=Client(base_url=url), body=credentials).data.access_token
client = AuthenticatedClient(base_url=url, token=token)

page = list_horses.sync(client=client, size=200, sort=[HorseSort.NAME_DESCENDING]).data
check(len(page.items) == page.pagination.total_elements > 0, "not all horses were listed")
for horse in page.items:
    check(horse.owners, f"{horse.name} has no owners")
    check(horse.ueln or horse.microchip or horse.passport_number, f"{horse.name} has no number")

shares = [33.33, 33.33, 33.34]
owners = [
    HorseOwnerBody(external_party=ExternalPartyType0(name=f"Stall {index}", country_code="AT"), share_percent=share)
    for index, share in enumerate(shares)
]
registration = HorseRegistration(
    name="Python", sex=KnownHorseSex.MARE, birth_year=2018, microchip=os.environ["MICROCHIP"], owners=owners
)
created = register_horse.sync(client=client, body=registration).data
check(created.version == 1, "a new horse has another version")
check([owner.share_percent for owner in created.owners] == shares, "other shares were stored")

etag = get_horse.sync_detailed(created.id, client=client).headers["ETag"]
body = HorsePatch(colour="Rappe")
changed = replace_horse.sync(created.id, client=client, body=body, if_match=etag).data
check(changed.version == 2 and changed.colour == "Rappe", "the change was not stored")
check(changed.date_of_birth is None, "a date of birth appeared")

refused = replace_horse.sync_detailed(created.id, client=client, body=body, if_match=etag)
check(refused.status_code == 412 and isinstance(refused.parsed, Failure), f"another response: {refused}")
check(refused.parsed.data.code == "PRECONDITION_FAILED", f"another failure: {refused.parsed}")

print(f"openapi-python-client: {len(page.items)} horses with owners and numbers; registered, changed, 412")
