import { randomUUID } from 'node:crypto';
import { createDatabase, migrateToLatest } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { sql } from 'kysely';
import { clubRow } from '../../services/members/src/clubs/store.ts';
import type { MembersSchema, NewMemberRow } from '../../services/members/src/database-schema.ts';
import { memberColumns } from '../../services/members/src/members/rows.ts';
import type { MemberFields } from '../../services/members/src/members/schemas.ts';
import { searchRow } from '../../services/members/src/members/store.ts';
import { migrations } from '../../services/members/src/migrations.ts';
import { inventedPerson } from './invented-names.ts';
import { createRandomChoice, type RandomChoice } from './random-choice.ts';

const clubCount = 400;
const batchSize = 1_000;
const now = new Date();

/** Keys of the seeded members, for requests. */
export interface SeededMembers {
	readonly ids: readonly string[];
	readonly membershipNumbers: readonly string[];
}

/** Fills a new database with members of 400 clubs, in the format of the service. */
export async function seedMembers(url: string, count: number): Promise<SeededMembers> {
	const db = createDatabase<MembersSchema>({
		url,
		applicationName: 'bench',
		logger: silentLogger(),
		statementTimeoutMs: 120_000,
	});
	try {
		await migrateToLatest(db, migrations, silentLogger());
		const random = createRandomChoice(1);
		const clubs = Array.from({ length: clubCount }, (_, index) => clubOf(index));
		await db.insertInto('clubs').values(clubs).execute();
		const ids: string[] = [];
		const membershipNumbers: string[] = [];
		for (let from = 0; from < count; from += batchSize) {
			const rows = Array.from({ length: Math.min(batchSize, count - from) }, (_, index) =>
				memberOf(from + index, clubs[(from + index) % clubCount] ?? clubOf(0), random),
			);
			const stored = await db.insertInto('members').values(rows).returningAll().execute();
			await db.insertInto('memberSearch').values(stored.map(searchRow)).execute();
			ids.push(...stored.map(({ id }) => id));
			membershipNumbers.push(...stored.map(({ membershipNumber }) => membershipNumber));
		}
		// In production autovacuum does this minutes after such a load.
		await sql`vacuum analyze`.execute(db);
		return { ids, membershipNumbers };
	} finally {
		await db.destroy();
	}
}

function clubOf(index: number) {
	const clubNumber = String(1_000 + index);
	const body = {
		clubNumber,
		name: `Reitverein ${clubNumber}`,
		shortName: null,
		stateCode: `AT-${1 + (index % 9)}`,
		address: null,
		email: null,
		website: null,
		status: 'ACTIVE',
	} as const;
	return { ...clubRow(body), id: randomUUID() };
}

function memberOf(
	index: number,
	club: { readonly id: string; readonly clubNumber: string },
	random: RandomChoice,
): NewMemberRow {
	const { firstName, lastName } = inventedPerson(random);
	const year = 1940 + random.integer(65);
	const two = (number: number) => String(number).padStart(2, '0');
	const email = `${firstName}.${lastName}${index}@example.org`
		.normalize('NFKD')
		.replaceAll(/[^\w.@-]/g, '')
		.toLowerCase();
	const fields: MemberFields = {
		membershipNumber: `${club.clubNumber}${String(Math.floor(index / clubCount) + 1).padStart(4, '0')}`,
		federationNumber: index < 60_000 ? String(100_000 + index) : null,
		feiId: index % 50 === 0 ? String(10_000_000 + index) : null,
		title: null,
		firstName,
		lastName,
		dateOfBirth: `${year}-${two(1 + random.integer(12))}-${two(1 + random.integer(28))}`,
		gender: random.of(['FEMALE', 'FEMALE', 'FEMALE', 'MALE', 'DIVERSE']),
		nationality: random.of(['AT', 'AT', 'AT', 'AT', 'DE', 'CH']),
		address: {
			street: `Koppelweg ${1 + random.integer(200)}`,
			postalCode: String(1_000 + random.integer(9_000)),
			city: `Musterort ${random.integer(500)}`,
			countryCode: 'AT',
			stateCode: `AT-${1 + random.integer(9)}`,
		},
		email,
		phone: null,
		homeClubId: club.id,
		membershipType: random.of(['FULL', 'FULL', 'FULL', 'YOUTH', 'ASSOCIATE', 'HONORARY']),
		joinDate: `${2006 + random.integer(20)}-01-15`,
		feePaidForYear: 2024 + random.integer(3),
		guardian: null,
		emergencyContact: null,
		consents: { publishResults: { given: true, at: null }, newsletter: { given: false, at: null } },
		notes: null,
	};
	const state = random.integer(20);
	return {
		...memberColumns(fields),
		status: state === 0 ? 'PENDING' : state === 1 ? 'SUSPENDED' : 'ACTIVE',
		deletedAt: state === 2 ? now : null,
		createdAt: now,
		updatedAt: now,
	};
}
