import { isDeepStrictEqual } from 'node:util';
import { dayInVienna } from '@paddock/calendar';
import { apiError, type FieldError, refuseInvalid } from '@paddock/contract';
import { maySee, mayUnlinkGuardian, mayWrite, type Rights } from './rules.ts';
import { type Member, type MemberBody, type MemberFields, memberFields } from './schemas.ts';

type Consents = MemberFields['consents'];

const noConsent = { given: false, at: null };
const noConsents: Consents = { publishResults: noConsent, newsletter: noConsent };

/** Values of fields that the body of a new member leaves out. */
const memberDefaults = {
	federationNumber: null,
	feiId: null,
	title: null,
	firstName: '',
	gender: 'UNKNOWN',
	nationality: 'AT',
	address: null,
	email: null,
	phoneNumber: null,
	homeClubId: null,
	membershipType: 'FULL',
	feePaidForYear: null,
	guardian: null,
	emergencyContact: null,
	notes: null,
} as const satisfies Partial<MemberFields>;

/** The defaults of fields that a change clears with null. */
export function clearedFields(named: object): Partial<MemberBody> {
	return Object.fromEntries(
		Object.entries(memberDefaults).filter(([name]) => Reflect.get(named, name) === null),
	);
}

/** @throws ApiError FORBIDDEN naming the fields that a caller with these rights may not set. */
export function newMemberFields(
	body: MemberBody,
	rights: Rights,
	now: Date,
): Omit<MemberFields, 'membershipNumber'> {
	const refused = Object.entries(body).flatMap(([field, value]) =>
		isField(field) && !isUnset(field, value) && !mayWrite(rights, field, 'PENDING') ? [field] : [],
	);
	if (refused.length > 0) throw notYours(refused);
	const consents = changedConsents(noConsents, body.consents, now);
	const { membershipNumber: _, ...sent } = withoutUndefined(body);
	return { joinDate: dayInVienna(now), ...memberDefaults, ...sent, consents };
}

/**
 * A field that the caller may not write must be left out or equal the stored value; one that it may not see must be left out.
 * @throws ApiError FORBIDDEN naming each violating field; VALIDATION_ERROR for a changed instant of consent.
 */
export function changedMemberFields(
	stored: MemberFields & Pick<Member, 'status'>,
	body: MemberBody,
	rights: Rights,
	now: Date,
): MemberFields {
	const { status } = stored;
	const names = [...Object.keys(memberFields), 'notes'].filter(isField);
	const refused = names.filter(
		(field) =>
			!mayWrite(rights, field, status) &&
			body[field] !== undefined &&
			// A caller who may not see a field must not learn by trial whether a value is the stored one.
			(!maySee(rights, field) || !isUnchanged(field, body, stored)),
	);
	const keepsLink = !mayUnlinkGuardian(rights, stored);
	if (keepsLink && body.guardian !== undefined && body.guardian?.memberId !== stored.guardian?.memberId)
		throw notYours([...refused.filter((field) => field !== 'guardian'), 'guardian.memberId']);
	if (refused.length > 0) throw notYours(refused);
	const consents = changedConsents(stored.consents, body.consents, now);
	const mine = (fields: object) =>
		Object.fromEntries(
			Object.entries(fields).filter(([field]) => isField(field) && mayWrite(rights, field, status)),
		);
	return {
		...onlyFields(stored, names),
		...mine(withoutUndefined(body)),
		...(keepsLink && body.guardian === undefined ? { guardian: stored.guardian } : {}),
		consents,
	};
}

/** Whether a field of a new member has no effect: it is empty or repeats the default consents. */
function isUnset(field: keyof MemberFields, value: unknown): boolean {
	if (value === undefined || value === null) return true;
	return field === 'consents' && sameConsents(noConsents, value as MemberBody['consents']);
}

function isUnchanged(field: keyof MemberFields, body: MemberBody, stored: MemberFields): boolean {
	if (field === 'consents') return sameConsents(stored.consents, body.consents);
	return isDeepStrictEqual(body[field], stored[field]);
}

/** The instants are set by the server and may be left out. */
function sameConsents(stored: Consents, sent: MemberBody['consents']): boolean {
	const same = (name: keyof Consents) => {
		const { given, at } = sent?.[name] ?? stored[name];
		return given === stored[name].given && (at === undefined || at === stored[name].at);
	};
	return same('publishResults') && same('newsletter');
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
	refuseInvalid(errors);
	return consents;
}

function setByServer(field: string): FieldError {
	return { field, code: 'UNKNOWN_FIELD', message: 'is set by the server and cannot be changed' };
}

function notYours(fields: readonly string[]) {
	return apiError('FORBIDDEN', {
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
