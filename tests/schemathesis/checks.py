"""Schemathesis check: input that openapi.yaml declares valid is refused only by rules that OpenAPI 3.0 can't express."""

import re

import schemathesis

# Field messages of rules between fields, between items, or on stored state. Everything else must be in the schema.
INEXPRESSIBLE = re.compile(
    "|".join(
        [
            # Between fields, items, or on stored records.
            r"^is not (the|a|an|yours) ",
            r"^is (named twice|given more than once|among the first that anybody would guess)",
            r"^is required(:|,| where | of )",
            r"^is set by the server",
            r"^limits a role",
            r"^page/size and limit/offset exclude each other",
            r"^must list each of these at most once",
            r"^must name each ",
            r"^must (be|not be|lie|not lie) (after|before|later|earlier|less|in|more|longer|shorter)",
            r"^must be (a day|a discipline) of the event",
            r"^must be the (year|id) of",
            r"^must begin with",
            r"^must include ",
            r"^must have shares",
            r"^must leave ",
            # Values whose set no pattern describes.
            r"^must be from 1900",
            r"^must be (an instant|a date|a year) ",
            r"^must be a phone number",
            r"^must be a language tag",
            r"^must be a zone of the IANA",
            r"^must be a category of the ruleset",
            r"^must be an e-mail address",
            r"^must be an address of the web",
            r"^must not (hold|contain) ",
            r"^must be the code of an age class",
        ]
    )
)


@schemathesis.check
def declared_input_is_accepted(ctx, response, case):
    """A 400 for generated valid input names a field whose declared schema is too wide."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    data = response.json()["data"]
    unexplained = [
        error
        for error in data.get("errors", [])
        if error["code"] != "INVALID_REFERENCE" and not INEXPRESSIBLE.search(error["message"])
    ]
    if unexplained or not data.get("errors"):
        raise AssertionError(f"valid by the document, refused: {unexplained or data}")
