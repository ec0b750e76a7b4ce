import { apiError } from '@paddock/contract';
import { isOfficer, type Principal } from '@paddock/identity';
import type { HorseRow } from '../database-schema.ts';
import { horsesError } from '../errors.ts';
import { decidesAlone, type HorseTies, identifiesAlone, isEntrusted } from './access.ts';
import { type HorseBody, type OfficeValues, officeFields } from './body-schemas.ts';
import type { Horse } from './schemas.ts';
import type { HorseChange } from './store.ts';

/** @throws ApiError OUT_OF_SCOPE unless the caller is an officer or entrusted with the horse. */
export function requireEntrusted(principal: Principal, horse: HorseTies): void {
	if (!isEntrusted(principal, horse)) throw apiError('OUT_OF_SCOPE');
}

/** @throws ApiError OUT_OF_SCOPE, see `decidesAlone`. */
export function requireDecidingAlone(principal: Principal, horse: HorseTies): void {
	if (decidesAlone(principal, horse)) return;
	throw apiError('OUT_OF_SCOPE', {
		message: 'The person responsible for the horse, its sole owner or the federation’s office decides this.',
	});
}

/** Columns by which a horse is told from others. A wrong value makes it another horse, and takes a number away from it. */
const identityColumns = [
	'name',
	'sex',
	'dateOfBirth',
	'birthYear',
	'countryOfBirth',
	'breed',
	'studbook',
	'ueln',
	'microchip',
	'passportNumber',
	'passportIssuer',
	'sireId',
	'sireName',
	'damId',
	'damName',
	'damSireName',
	'breederName',
] as const satisfies readonly (keyof HorseChange)[];

/**
 * Requires that a change of what identifies the horse is made by the office or a sole owner: one of several owners would
 * decide for the others, as with a transfer.
 * @throws ApiError IDENTITY_BY_OWNERS_ONLY naming each changed field.
 */
export function requireSameIdentity(
	principal: Principal,
	horse: HorseTies,
	{ row, change }: { readonly row: HorseRow; readonly change: HorseChange },
): void {
	if (identifiesAlone(principal, horse)) return;
	const fields = identityColumns.filter(
		(column) => change[column] !== undefined && change[column] !== row[column],
	);
	if (fields.length === 0) return;
	throw horsesError('IDENTITY_BY_OWNERS_ONLY', {
		errors: fields.map((field) => ({
			field,
			code: 'UNKNOWN_FIELD',
			message: 'is changed by the sole owner or the federation’s office only',
		})),
		context: { fields },
	});
}

/**
 * The values to store for fields that only the office may write: the submitted values of an officer (null if omitted),
 * the stored ones for all other callers.
 * @throws ApiError FORBIDDEN naming each field for which another caller sent a different value.
 */
export function officeValues(
	principal: Principal,
	body: Pick<HorseBody, keyof OfficeValues>,
	stored?: OfficeValues,
): OfficeValues {
	const isOffice = isOfficer(principal);
	const storedValue = (field: keyof OfficeValues) => stored?.[field] ?? null;
	const refused = officeFields.filter(
		(field) => !isOffice && body[field] !== undefined && body[field] !== storedValue(field),
	);
	if (refused.length > 0) throw writtenByOffice(refused);
	const values = officeFields.map((field) => [field, isOffice ? (body[field] ?? null) : storedValue(field)]);
	return Object.fromEntries(values) as OfficeValues;
}

/** The error of a field that only the office writes. */
export function writtenByOffice(fields: readonly string[]) {
	return apiError('FORBIDDEN', {
		message: 'Only the federation’s office writes these fields.',
		errors: fields.map((field) => ({
			field,
			code: 'UNKNOWN_FIELD',
			message: 'is written by the federation’s office only',
		})),
		context: { fields },
	});
}

/** @throws ApiError INSUFFICIENT_IDENTIFICATION */
export function requireIdentification({
	ueln,
	microchip,
	passportNumber,
}: Pick<HorseBody, 'ueln' | 'microchip' | 'passportNumber'>): void {
	if (ueln === null && microchip === null && passportNumber === null)
		throw horsesError('INSUFFICIENT_IDENTIFICATION');
}

/** @throws ApiError HORSE_REMOVED: a removed horse must be restored before it can be changed. */
export function requireKept({ status }: Pick<Horse, 'status'>): void {
	if (status === 'INACTIVE') throw horsesError('HORSE_REMOVED');
}
