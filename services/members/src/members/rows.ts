import { withInstants } from '@paddock/service';
import type { MemberRow } from '../database-schema.ts';
import { nameKey, sortName } from './names.ts';
import type { MemberFields, WholeMember } from './schemas.ts';
import { currentState } from './state-rules.ts';

export function memberColumns(fields: MemberFields) {
	const { address, guardian, emergencyContact, consents, phoneNumber, ...columns } = fields;
	return {
		...columns,
		phone: phoneNumber,
		...addressColumns(address),
		stateCode: address?.stateCode ?? null,
		...guardianColumns(guardian),
		emergencyContact: contactJson(emergencyContact),
		publishResultsGiven: consents.publishResults.given,
		publishResultsAt: dateOf(consents.publishResults.at),
		newsletterGiven: consents.newsletter.given,
		newsletterAt: dateOf(consents.newsletter.at),
		nameKey: nameKey(fields),
		sortName: sortName(fields),
	};
}

function guardianColumns(guardian: MemberFields['guardian']) {
	if (guardian === null) return { guardian: null, guardianMemberId: null };
	const { memberId, ...contact } = guardian;
	return { guardian: contactJson(contact), guardianMemberId: memberId };
}

function contactJson<Contact extends { phoneNumber: string | null }>(contact: Contact | null) {
	if (contact === null) return null;
	const { phoneNumber: phone, ...others } = contact;
	return json({ ...others, phone });
}

function json(value: object | null): string | null {
	return value === null ? null : JSON.stringify(value);
}

function dateOf(instant: string | null): Date | null {
	return instant === null ? null : new Date(instant);
}

/** Maps a row to the member at `now`; see `currentState`. */
export function toMember(row: MemberRow, now: Date): WholeMember {
	const shown = withInstants({ ...row, ...currentState(row, now) });
	const { street, postalCode, city, countryCode, stateCode, guardian, guardianMemberId, ...others } = shown;
	const { publishResultsGiven, publishResultsAt, newsletterGiven, newsletterAt, ...more } = others;
	const { nameKey, sortName, isDemo, suspensionEndsAt, phone, emergencyContact, ...columns } = more;
	const address = toAddress({ street, postalCode, city, countryCode });
	return {
		...columns,
		address: address === null ? null : { ...address, stateCode },
		phoneNumber: phone,
		guardian: guardian === null ? null : { ...contactOf(guardian), memberId: guardianMemberId },
		emergencyContact: emergencyContact === null ? null : contactOf(emergencyContact),
		consents: {
			publishResults: { given: publishResultsGiven, at: publishResultsAt },
			newsletter: { given: newsletterGiven, at: newsletterAt },
		},
	};
}

function contactOf<Contact extends { phone: string | null }>({ phone, ...others }: Contact) {
	return { ...others, phoneNumber: phone as Contact['phone'] };
}

interface AddressColumns {
	readonly street: string | null;
	readonly postalCode: string | null;
	/** Null = no address. */
	readonly city: string | null;
	readonly countryCode: string | null;
}

interface Address extends AddressColumns {
	readonly city: string;
	readonly countryCode: string;
}

const noAddress: AddressColumns = { street: null, postalCode: null, city: null, countryCode: null };

/** The columns that the addresses of clubs and of members have in common. */
export function addressColumns(address: Address | null): AddressColumns {
	const { street, postalCode, city, countryCode } = address ?? noAddress;
	return { street, postalCode, city, countryCode };
}

export function toAddress({ street, postalCode, city, countryCode }: AddressColumns): Address | null {
	return city === null || countryCode === null ? null : { street, postalCode, city, countryCode };
}
