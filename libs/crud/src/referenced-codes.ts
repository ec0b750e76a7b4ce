import { isDeepStrictEqual } from 'node:util';
import { type ApiError, type ApiErrorOptions, apiError, type ReferencedRecord } from '@paddock/contract';
import type { Call } from '@paddock/service';
import type { CrudSetup } from './crud-declaration.ts';

type ReferencedAs<Rec> = ((record: Rec) => ReferencedRecord) | undefined;

interface Counting<Deps> {
	readonly referenceCounter?: CrudSetup<Deps, never>['referenceCounter'];
	readonly table: { inUse(options: ApiErrorOptions): ApiError };
}

/** The record with the codes that a change would take away; undefined if it takes none. */
export function lostCodes<Rec>(
	referencedAs: ReferencedAs<Rec>,
	stored: Rec,
	changed: Rec,
): ReferencedRecord | undefined {
	if (referencedAs === undefined) return undefined;
	const before = referencedAs(stored);
	const after = referencedAs(changed);
	const codes = before.codes.filter((code) => !after.codes.includes(code));
	return codes.length === 0 ? undefined : { ...before, codes };
}

/** @throws ApiError CONFLICT if another request has changed the codes whose references were counted */
export function requireSameCodes<Rec>(referencedAs: ReferencedAs<Rec>, counted: Rec, stored: Rec): void {
	if (!isDeepStrictEqual(referencedAs?.(counted), referencedAs?.(stored))) throw apiError('CONFLICT');
}

/**
 * Queries the other contexts before the transaction, so that no row is locked during a call.
 * @throws ApiError `inUse` if they refer to the record; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if one does not respond
 */
export async function requireUnused<Deps>(
	{ referenceCounter, table }: Counting<Deps>,
	deps: Deps,
	record: ReferencedRecord,
	request: Call,
	message?: string,
): Promise<void> {
	if (referenceCounter === undefined)
		throw new TypeError('crudRoutesWith needs a referenceCounter for records with `referencedAs`.');
	const count = await referenceCounter(deps).count(record, request);
	if (count === 0) return;
	throw table.inUse({ context: { references: count }, ...(message === undefined ? {} : { message }) });
}
