"""Schemathesis check: input that openapi.yaml declares valid is refused only by rules that OpenAPI 3.0 can't express."""

import re

import schemathesis

# Field messages of rules between fields, between items, or on stored state. Everything else must be in the schema.
INEXPRESSIBLE = re.compile(
    "|".join(
        [
            r"^is not the id of",
            r"^must list each of these at most once",
            r"^page/size and limit/offset exclude each other",
            r"^is required, or else ",
            r"^is named twice",
            r"^must not be less than minAge",
            r"^must not lie in the past",
            r"^must be a language tag",
            r"^must have shares that are 100 together",
            r"^is among the first that anybody would guess",
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
