import { inTransaction, type SeedSet } from '@paddock/database';
import { birthDateOf, demoSignIns } from '@paddock/demo';
import { sql } from 'kysely';
import { clubRow } from './clubs/store.ts';
import type { MembersQueryable, MembersSchema, NewMemberRow } from './database-schema.ts';
import { demoClubList } from './demo/demo-club-list.ts';
import { type DemoPerson, demoPeople } from './demo/demo-people.ts';
import { memberColumns } from './members/rows.ts';
import type { MemberFields } from './members/schemas.ts';
import { saveSearch } from './members/store.ts';

/**
 * Invented clubs and members, inserted once if DEMO=on. The seed mark remains after their removal, so that they are not
 * inserted again. Birth dates are computed from the year of `now`.
 */
export function demoMembership(now: () => Date): SeedSet<MembersSchema> {
	return {
		name: 'demo-members-1',
		insert: async (db) => {
			await db
				.insertInto('clubs')
				.values(demoClubList.map(({ id, club }) => ({ ...clubRow(club), id, isDemo: true })))
				.execute();
			// A guardian's row must exist before the rows that refer to it.
			const guardiansFirst = [
				...demoPeople.filter(({ guardian }) => guardian === undefined),
				...demoPeople.filter(({ guardian }) => guardian !== undefined),
			];
			for (const person of guardiansFirst) {
				const insert = db.insertInto('members').values(rowOf(person, now())).returningAll();
				await saveSearch(db, await insert.executeTakeFirstOrThrow());
			}
		},
	};
}

function rowOf(person: DemoPerson, now: Date): NewMemberRow {
	const { state } = person;
	return {
		...memberColumns(fieldsOf(person, now)),
		id: person.id,
		status: state === 'PENDING' || state === 'SUSPENDED' ? state : 'ACTIVE',
		statusReason: state === 'SUSPENDED' ? 'Disziplinarverfahren (Demo)' : null,
		deletedAt: state === 'DELETED' ? now : null,
		createdAt: now,
		updatedAt: now,
		isDemo: true,
	};
}

function fieldsOf(person: DemoPerson, now: Date): MemberFields {
	const year = now.getUTCFullYear();
	const address = demoClubList.find(({ id }) => id === person.clubId)?.club;
	const { feePaidYearsAgo = 0 } = person;
	const signIn = demoSignIns.find(({ memberId }) => memberId === person.id);
	return {
		membershipNumber: person.membershipNumber,
		federationNumber: null,
		feiId: person.feiId ?? null,
		title: person.title ?? null,
		firstName: person.firstName,
		lastName: person.lastName,
		dateOfBirth: birthDateOf(person, now),
		gender: person.gender,
		nationality: person.nationality,
		address:
			address?.address == null ? null : { ...address.address, street: null, stateCode: address.stateCode },
		email: signIn?.email ?? `${person.membershipNumber}@example.org`,
		phone: null,
		homeClubId: person.clubId,
		membershipType: person.membershipType ?? 'FULL',
		joinDate: `${year - Math.min(5, person.ageInYear - 7)}-01-15`,
		feePaidForYear: feePaidYearsAgo === null ? null : year - feePaidYearsAgo,
		guardian: guardianOf(person),
		emergencyContact: null,
		consents: {
			publishResults: { given: true, at: now.toISOString() },
			newsletter: { given: false, at: null },
		},
		notes: null,
	};
}

function guardianOf({ guardian, guardianName }: DemoPerson): MemberFields['guardian'] {
	const shared = { phone: null, email: 'family@example.org' };
	if (guardian !== undefined) {
		const { id: memberId, firstName, lastName } = guardian;
		return { ...shared, name: `${firstName} ${lastName}`, relationship: 'legal guardian', memberId };
	}
	if (guardianName === undefined) return null;
	return { ...shared, name: guardianName, relationship: 'parent', memberId: null };
}

/**
 * Removes the demo members and clubs, even if they were changed; resolves with their number. Members that users added
 * to a demo club remain, without a club; minors of a demo guardian remain, without that link.
 */
export async function removeDemo(db: MembersQueryable): Promise<number> {
	const remove = async (transaction: MembersQueryable) => {
		const demoMemberIds = transaction.selectFrom('members').select('id').where('isDemo', '=', true);
		await transaction
			.updateTable('members')
			.set({ guardianMemberId: null, updatedAt: sql<Date>`now()`, version: sql<number>`version + 1` })
			.where('guardianMemberId', 'in', demoMemberIds)
			.where('isDemo', '=', false)
			.execute();
		const members = await transaction
			.deleteFrom('members')
			.where('isDemo', '=', true)
			.returning('id')
			.execute();
		const ofDemoClubs = transaction.selectFrom('clubs').select('id').where('isDemo', '=', true);
		const left = await transaction
			.updateTable('members')
			.set({ homeClubId: null, updatedAt: sql<Date>`now()`, version: sql<number>`version + 1` })
			.where('homeClubId', 'in', ofDemoClubs)
			.returningAll()
			.execute();
		for (const member of left) await saveSearch(transaction, member);
		const clubs = await transaction.deleteFrom('clubs').where('isDemo', '=', true).returning('id').execute();
		return members.length + clubs.length;
	};
	return db.isTransaction ? remove(db) : inTransaction(db, remove);
}
