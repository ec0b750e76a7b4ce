"""Schemathesis checks of what openapi.yaml says in its own words: the rules for input and the codes of failures."""

import json
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
    errors = [error for error in data.get("errors", []) if not may_be_absent(ctx, case, error)]
    if data.get("errors") and not errors:
        return
    # Links, codes and challenges that nobody issued: valid in form, and refused with a code of the operation.
    if not data.get("errors") and data.get("code") in case.operation.definition.raw.get("x-error-codes", []):
        return
    stated = [error for error in errors if STATED.fullmatch(error["message"])]
    if stated or not errors:
        raise AssertionError(f"valid by the document, refused: {stated or data}")


def may_be_absent(ctx, case, error):
    """A required field that the document can't call required: one of an update, which the stored record may have, and one
    with a former name, of which a request has one or the other."""
    if error["code"] != "REQUIRED":
        return False
    former = f"Former name of `{error['field'].split('.')[-1]}`."
    return case.method in ("PUT", "PATCH") or former in json.dumps(case.operation.schema.raw_schema)


@schemathesis.check
def failure_is_declared(ctx, response, case):
    """The code of a failure is one of the operation or of any operation, with the status that the code has."""
    if response.status_code < 400 or case.method.lower() != case.operation.method.lower():
        return
    code = response.json()["data"].get("code")
    if code is None:  # A health view of something that is down.
        return
    document = case.operation.schema.raw_schema
    codes = [
        *case.operation.definition.raw.get("x-error-codes", []),
        *document["components"]["responses"]["AnyFailure"]["x-error-codes"],
    ]
    if code not in codes or document["x-error-codes"][code]["status"] != response.status_code:
        raise AssertionError(f"{response.status_code} {code} is not declared")
