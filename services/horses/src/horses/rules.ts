import { actingForMember, apiError } from '@paddock/contract';
import {
	actedFor,
	actingMember,
	actsFor,
	isClubOfficial,
	isOfficer,
	membersActedFor,
	type Principal,
} from '@paddock/identity';
import type { HorseRow } from '../database-schema.ts';
import { horsesError } from '../errors.ts';
import { type HorseBody, type OfficeValues, officeFields } from './body-schemas.ts';
import type { FindingScope } from './number-store.ts';
import type { Horse } from './schemas.ts';
import type { HorseChange } from './store.ts';

/** Precedes the transaction of a write, which names its author at its start. @throws ApiError OUT_OF_SCOPE */
export function requireEntrusted(principal: Principal, horse: HorseTies): void {
	if (!isEntrusted(principal, horse)) throw apiError('OUT_OF_SCOPE');
	noteActing(principal, keepersOf(horse));
}

/** Notes in the change history for which of these members the caller acts, if not for the own one. */
export function noteActing(principal: Principal, memberIds: readonly (string | null)[]): void {
	const memberId = isOfficer(principal) ? undefined : actingMember(principal, memberIds);
	if (memberId !== undefined) actingForMember(memberId);
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

/** One of several owners would decide for the others, as with a transfer. @throws ApiError IDENTITY_BY_OWNERS_ONLY */
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

/** An officer's values (null if omitted), the stored ones for all others. @throws ApiError FORBIDDEN naming each changed field. */
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

export function requireIdentification({ ueln, microchip, passportNumber }: Identifiers): void {
	if ((ueln ?? microchip ?? passportNumber) === null) throw horsesError('INSUFFICIENT_IDENTIFICATION');
}

type Identifiers = Pick<HorseBody, 'ueln' | 'microchip' | 'passportNumber'>;

/** @throws ApiError HORSE_INACTIVE: a deleted horse must be restored before it can be changed. */
export function requireKept({ status }: Pick<Horse, 'status'>): void {
	if (status === 'INACTIVE') throw horsesError('HORSE_INACTIVE');
}

export interface HorseTies {
	readonly clubId: string | null;
	readonly responsibleMemberId: string | null;
	/** The owners of today. */
	readonly owners: readonly { readonly memberId: string | null }[];
}

export function keepersOf({ responsibleMemberId, owners }: HorseTies): readonly (string | null)[] {
	return [...owners.map(({ memberId }) => memberId), responsibleMemberId];
}

/** Whether the caller is, or acts for, a current owner of the horse or the person responsible for it. */
function isOwn(principal: Principal, horse: HorseTies): boolean {
	return actedFor(principal, keepersOf(horse)).length > 0;
}

/** Who may register and change the horse, request its transfer and report its death, and reads the whole record. */
export function isEntrusted(principal: Principal, horse: HorseTies): boolean {
	return isOfficer(principal) || isOwn(principal, horse) || isClubOfficial(principal, horse.clubId);
}

/** Status and responsible person: the office, the responsible person, a sole owner; not one of several owners, nor officials. */
function decidesAlone(principal: Principal, horse: HorseTies): boolean {
	return identifiesAlone(principal, horse) || actsFor(principal, horse.responsibleMemberId);
}

/** What identifies the horse: the office and a sole owner, as with a transfer; not the responsible person, who is no owner. */
function identifiesAlone(principal: Principal, { owners }: HorseTies): boolean {
	if (isOfficer(principal)) return true;
	return owners.length === 1 && actsFor(principal, owners[0]?.memberId);
}

/** Anyone can register an account: it must act for a member or have a role from the office, as organisers check horses. */
export function seesIdentifiers(principal: Principal): boolean {
	return membersActedFor(principal).length > 0 || principal.roles.some((role) => role !== 'MEMBER');
}

/** The horses and numbers by which the caller may find a horse: deleted ones are the office's. */
function findingScopeOf(principal: Principal): FindingScope {
	return { withDeleted: isOfficer(principal), withIdentifiers: seesIdentifiers(principal) };
}

/** The caller, and the horses and numbers by which it may find a horse. */
export interface HorseViewer {
	readonly principal: Principal;
	readonly scope: FindingScope;
}

/** The `readers` of horses: `horseViewFor` shows each in the view for the caller. */
export function horseReaders({ principal }: { readonly principal: Principal }): HorseViewer {
	return { principal, scope: findingScopeOf(principal) };
}

/** Whether the caller may assign the horse to that club: an official's permissions are limited to the own clubs. */
export function mayBringTo(principal: Principal, horse: HorseTies, clubId: string | null): boolean {
	return isOfficer(principal) || isOwn(principal, horse) || isClubOfficial(principal, clubId);
}
