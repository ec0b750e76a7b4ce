import { clubRow } from '../../services/members/src/clubs/store.ts';
import { memberColumns } from '../../services/members/src/members/rows.ts';
import type { MemberFields } from '../../services/members/src/members/schemas.ts';
import { searchRow } from '../../services/members/src/members/store.ts';
import { migrations } from '../../services/members/src/migrations.ts';
import { copyRows, fillDatabase } from './copy-rows.ts';
import { inventedPerson } from './invented-names.ts';
import { choicesFor, inventedId } from './random-choice.ts';
import type { RegistrySize } from './registry-size.ts';

const now = new Date();
const dayMs = 86_400_000;

/** Name and club of the member of that index. */
export function inventedMember(index: number, { clubs }: RegistrySize) {
	const random = choicesFor('member', index);
	const person = inventedPerson(random);
	return { id: inventedId('member', index), ...person, club: index % clubs, random };
}

export function clubName(index: number): string {
	return `Reitverein ${1_000 + index}`;
}

/** Fills a new database with clubs and their members, in the format of the service. */
export async function seedMembers(url: string, size: RegistrySize): Promise<void> {
	await fillDatabase(url, migrations, async (client) => {
		await copyRows(client, 'clubs', size.clubs, clubOf);
		await copyRows(client, 'members', size.members, (index) => memberOf(index, size));
		// From the stored rows, as `searchRow` reads what the database has derived.
		const generated = (index: number) =>
			searchRow({ ...memberOf(index, size), suspensionEndsAt: null, duplicateSuspected: false } as never);
		await copyRows(client, 'member_search', size.members, generated);
		await client.query(`
			update member_search set suspension_ends_at = members.suspension_ends_at
			from members where members.id = member_search.id and members.suspension_ends_at is not null`);
	});
}

function clubOf(index: number) {
	const body = {
		clubNumber: String(1_000 + index),
		name: clubName(index),
		shortName: null,
		stateCode: `AT-${1 + (index % 9)}`,
		address: null,
		email: null,
		website: null,
		status: 'ACTIVE',
	} as const;
	return { ...clubRow(body), id: inventedId('club', index) };
}

function memberOf(index: number, size: RegistrySize) {
	const { id, firstName, lastName, club, random } = inventedMember(index, size);
	const two = (number: number) => String(number).padStart(2, '0');
	const local = `${firstName}.${lastName}`
		.normalize('NFKD')
		.replaceAll(/[^\w.-]/g, '')
		.toLowerCase();
	const fields: MemberFields = {
		membershipNumber: `${1_000 + club}${String(Math.floor(index / size.clubs) + 1).padStart(4, '0')}`,
		federationNumber: index < 800_000 ? String(100_000 + index) : null,
		feiId: index % 50 === 0 ? String(10_000_000 + index) : null,
		title: null,
		firstName,
		lastName,
		dateOfBirth: `${1940 + random.integer(75)}-${two(1 + random.integer(12))}-${two(1 + random.integer(28))}`,
		gender: random.of(['FEMALE', 'FEMALE', 'FEMALE', 'FEMALE', 'MALE', 'MALE', 'DIVERSE']),
		nationality: random.skewed([
			'AT',
			'AT',
			'AT',
			'AT',
			'AT',
			'AT',
			'AT',
			'AT',
			'DE',
			'CH',
			'IT',
			'HU',
			'SI',
			'US',
		]),
		address: {
			street: `Koppelweg ${1 + random.integer(200)}`,
			postalCode: String(1_000 + random.integer(9_000)),
			city: `Musterort ${random.integer(500)}`,
			countryCode: 'AT',
			stateCode: `AT-${1 + random.integer(9)}`,
		},
		email: `${local}${index}@example.org`,
		phoneNumber: null,
		homeClubId: inventedId('club', club),
		membershipType: random.of(['FULL', 'FULL', 'FULL', 'FULL', 'YOUTH', 'YOUTH', 'ASSOCIATE', 'HONORARY']),
		joinDate: `${2006 + random.integer(20)}-${two(1 + random.integer(12))}-15`,
		feePaidForYear: now.getUTCFullYear() - random.skewed([0, 0, 0, 0, 1, 2, 3, 5]),
		guardian: null,
		emergencyContact: null,
		consents: { publishResults: { given: true, at: null }, newsletter: { given: false, at: null } },
		notes: null,
	};
	const createdAt = new Date(now.getTime() - random.integer(3_650) * dayMs - random.integer(dayMs));
	const state = random.integer(100);
	return {
		...memberColumns(fields),
		id,
		status: state < 2 ? 'PENDING' : state < 4 ? 'SUSPENDED' : 'ACTIVE',
		// Those that are over are written by the service at its start, as a part of each page of the table.
		suspendedUntil: state === 2 ? `${now.getUTCFullYear() + 1}-06-30` : null,
		deletedAt: state > 94 ? createdAt : null,
		createdAt,
		updatedAt: new Date(createdAt.getTime() + random.integer(now.getTime() - createdAt.getTime() + 1)),
	};
}
