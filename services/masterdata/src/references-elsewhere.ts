import type { Reference } from '@paddock/contract';
import type { MasterdataDeps } from './deps.ts';
import { failMasterdata, type MasterdataErrorCode } from './errors.ts';
import type { AgeClass } from './schemas/age-class.ts';
import type { Country } from './schemas/country.ts';
import type { State } from './schemas/state.ts';

interface Call {
	readonly requestId: string;
	readonly signal: AbortSignal;
	readonly traceparent: string;
}

interface Refusal {
	readonly code: MasterdataErrorCode;
	/** Instead of the code's own. */
	readonly message?: string;
}

/**
 * Asks the other contexts before a record goes or changes its code. Runs before the transaction, so that no row is locked
 * during a call; a reference that is added in between is found when the event that holds it is published.
 * @throws ApiError with that code if other contexts refer to the record; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if one of
 * them does not respond.
 */
export async function requireUnusedElsewhere(
	{ references }: Pick<MasterdataDeps, 'references'>,
	record: Reference,
	{ code, message }: Refusal,
	{ requestId, signal, traceparent }: Call,
): Promise<void> {
	const count = await references.count(record, { requestId, signal, traceparent });
	if (count === 0) return;
	throw failMasterdata(code, {
		context: { references: count },
		...(message === undefined ? {} : { message }),
	});
}

/** The codes that other contexts store; alpha-3 and IOC codes are for reading only. */
export function countryReference({ id, isoAlpha2, isoNumeric }: Country): Reference {
	return { type: 'COUNTRY', id, codes: [isoAlpha2, isoNumeric] };
}

export function stateReference({ id, iso3166_2 }: State): Reference {
	return { type: 'STATE', id, codes: [iso3166_2] };
}

/** Competitions store the code, which has its meaning from the event's ruleset. */
export function ageClassReference({ id, ruleset, code }: AgeClass): Reference {
	return { type: 'AGE_CLASS', id, codes: [`${ruleset}:${code}`] };
}

/** The reference by those codes that would be lost; undefined when none would. */
export function lostCodes(stored: Reference, changed: Reference): Reference | undefined {
	const codes = stored.codes.filter((code) => !changed.codes.includes(code));
	return codes.length === 0 ? undefined : { ...stored, codes };
}
