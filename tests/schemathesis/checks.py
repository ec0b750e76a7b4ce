"""Schemathesis check: input that openapi.yaml declares valid breaks no rule that openapi.yaml states."""

import pathlib
import re

import schemathesis

# tests/documentation/stated-rules.test.ts compares the list with the schemas: every rule on one value is in it, no rule
# between fields is. How many rules a run reaches depends on the machine's speed, so the list must not depend on runs.
LINES = pathlib.Path(__file__).with_name("stated-rules.txt").read_text(encoding="utf-8").splitlines()
STATED = re.compile("|".join(line for line in LINES if line and not line.startswith("#")))


@schemathesis.check
def declared_input_is_accepted(ctx, response, case):
    """A 400 for generated valid input names a field whose declared schema is too wide."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    data = response.json()["data"]
    errors = data.get("errors", [])
    stated = [error for error in errors if STATED.fullmatch(error["message"])]
    if stated or not errors:
        raise AssertionError(f"valid by the document, refused: {stated or data}")
