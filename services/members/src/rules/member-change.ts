import { isDeepStrictEqual } from 'node:util';
import { dayInVienna } from '@paddock/calendar';
import { type FieldError, fail } from '@paddock/contract';
import { type MemberBody, type MemberFields, memberFields } from '../schemas/member.ts';
import { maySee, mayWrite, type Rights } from './member-rights.ts';

type Consents = MemberFields['consents'];

const noConsent = { given: false, at: null };

/** What a field becomes when a body leaves it out; the others keep what is stored. */
export const memberDefaults = {
	federationNumber: null,
	feiId: null,
	title: null,
	gender: 'UNKNOWN',
	nationality: 'AT',
	address: null,
	email: null,
	phone: null,
	homeClubId: null,
	membershipType: 'FULL',
	feePaidForYear: null,
	guardian: null,
	emergencyContact: null,
	notes: null,
} as const satisfies Partial<MemberFields>;

/**
 * What a new member is, from the body that a caller with these rights sent.
 * @throws ApiError FORBIDDEN naming the fields that are not the caller's to set.
 */
export function newMemberFields(
	body: MemberBody,
	rights: Rights,
	now: Date,
): Omit<MemberFields, 'membershipNumber'> {
	const refused = Object.entries(body).flatMap(([field, value]) =>
		isField(field) && value !== undefined && value !== null && !mayWrite(rights, field) ? [field] : [],
	);
	if (refused.length > 0) throw notYours(refused);
	const consents = changedConsents({ publishResults: noConsent, newsletter: noConsent }, body.consents, now);
	const { membershipNumber: _, ...sent } = withoutUndefined(body);
	return { joinDate: dayInVienna(now), ...memberDefaults, ...sent, consents };
}

/**
 * What a stored member becomes. A field that the caller may not write must be left out or be equal to what is stored;
 * one that the caller isn't shown must be left out.
 * @throws ApiError FORBIDDEN naming each that is not; VALIDATION_ERROR for an instant of consent that was changed.
 */
export function changedMemberFields(
	stored: MemberFields,
	body: MemberBody,
	rights: Rights,
	now: Date,
): MemberFields {
	const names = [...Object.keys(memberFields), 'notes'].filter(isField);
	const refused = names.filter(
		(field) =>
			!mayWrite(rights, field) &&
			body[field] !== undefined &&
			// Who may not see a field must not find out by trying whether it is what was sent.
			(!maySee(rights, field) || !isDeepStrictEqual(body[field], stored[field])),
	);
	if (refused.length > 0) throw notYours(refused);
	const consents = changedConsents(stored.consents, body.consents, now);
	const mine = (fields: object) =>
		Object.fromEntries(Object.entries(fields).filter(([field]) => isField(field) && mayWrite(rights, field)));
	return {
		...onlyFields(stored, names),
		...mine(memberDefaults),
		...mine(withoutUndefined(body)),
		consents,
	};
}

function onlyFields(stored: MemberFields, names: readonly (keyof MemberFields)[]): MemberFields {
	return Object.fromEntries(names.map((name) => [name, stored[name]])) as unknown as MemberFields;
}

function changedConsents(stored: Consents, sent: MemberBody['consents'], now: Date): Consents {
	if (sent === undefined) return stored;
	const errors: FieldError[] = [];
	const changed = (name: keyof Consents): Consents[keyof Consents] => {
		const { given, at } = sent[name];
		if (at !== undefined && at !== stored[name].at) errors.push(setByServer(`consents.${name}.at`));
		return given === stored[name].given ? stored[name] : { given, at: now.toISOString() };
	};
	const consents = { publishResults: changed('publishResults'), newsletter: changed('newsletter') };
	if (errors.length > 0) throw fail('VALIDATION_ERROR', { errors });
	return consents;
}

function setByServer(field: string): FieldError {
	return { field, code: 'UNKNOWN_FIELD', message: 'is set by the server and cannot be changed' };
}

function notYours(fields: readonly string[]) {
	return fail('FORBIDDEN', {
		message: 'Some of these fields are not yours to change.',
		errors: fields.map((field) => ({ field, code: 'UNKNOWN_FIELD', message: 'is not yours to change' })),
	});
}

function isField(name: string): name is keyof MemberFields {
	return name === 'notes' || name in memberFields;
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(fields: T): Present<T> {
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as unknown as Present<T>;
}
