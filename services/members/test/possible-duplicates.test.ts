import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member } from '../src/members/schemas.ts';
import { officeOf } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, person, recordsOf } from './test-records.ts';

const members = useMembers();
const records = recordsOf(() => members);
const { post, put } = officeOf(() => members);

describe('a possible duplicate', () => {
	test.each([
		['the same', 'Jörg', 'Groß'],
		['without dots', 'Jorg', 'Gross'],
		['written out', 'Joerg', 'GROSS'],
		['with other marks', 'jo\u0308rg', 'Gróß'],
	])('is refused and shown: %s', async (how, firstName, lastName) => {
		const dateOfBirth = `1980-01-${10 + how.length}`;
		const first = await records.createMember({ firstName: 'Jörg', lastName: 'Groß', dateOfBirth });
		const body = person({ firstName, lastName, dateOfBirth });
		const { status, data } = await post(body);
		expect([status, data.code]).toEqual([409, 'POSSIBLE_DUPLICATE']);
		expect(data['candidates']).toEqual([
			{
				id: first.id,
				membershipNumber: first.membershipNumber,
				firstName: 'Jörg',
				lastName: 'Groß',
				homeClubId: null,
			},
		]);
		expect((await post(body, '?confirmDuplicate=true')).status).toBe(201);
	});

	test('is not one with another birth date or name', async () => {
		const one = person({ firstName: 'Ida', lastName: 'Zwilling', dateOfBirth: '1985-05-05' });
		expect((await post(one)).status).toBe(201);
		expect((await post({ ...one, firstName: 'Ada' })).status).toBe(201);
		expect((await post({ ...one, dateOfBirth: '1985-05-06' })).status).toBe(201);
	});
});

describe('a possible duplicate whom the caller may not see', () => {
	type Sent = Awaited<ReturnType<typeof sendAs>>;
	let own: Club;
	let hidden: Member[];

	beforeAll(async () => {
		own = await records.createClub('4321');
		const elsewhere = await records.createClub('1234');
		const clubless = await records.createMember({ lastName: 'Vereinslos' });
		const foreign = await records.createMember({ homeClubId: elsewhere.id, lastName: 'Geheim' });
		const deleted = await records.createMember({ homeClubId: own.id, lastName: 'Gelöscht' });
		await members.call('DELETE', `${path}/${deleted.id}`, { token: members.officer });
		hidden = [clubless, foreign, deleted];
	});

	async function sendAs(token: string, method: string, to: string, body: object) {
		const { status, data, headers } = await members.call<Member>(method, to, { token, body });
		return { status, data, headers: [...headers.keys()].sort() };
	}

	/** Without the values that differ between any two members. */
	function comparable({ status, data, headers }: Sent) {
		const {
			id: _,
			membershipNumber: __,
			firstName: ___,
			lastName: ____,
			dateOfBirth: _____,
			...others
		} = data;
		return { status, headers, others };
	}

	test('gets an official the same response as no duplicate, on creating and on changing', async () => {
		const official = members.officialOf(own.id);
		const create = (changes: object) =>
			sendAs(official, 'POST', path, { ...person({ homeClubId: own.id }), ...changes });
		const change = async (changes: object) => {
			const stored = await records.createMember({ homeClubId: own.id });
			const body = { ...person({ homeClubId: own.id }), ...changes };
			return sendAs(official, 'PUT', `${path}/${stored.id}`, body);
		};
		for (const send of [create, change]) {
			const unique = await send({});
			expect([200, 201]).toContain(unique.status);
			for (const { firstName, lastName, dateOfBirth } of hidden) {
				const duplicate = await send({ firstName, lastName, dateOfBirth });
				expect(comparable(duplicate)).toEqual(comparable(unique));
				expect(duplicate.data.lastName).toBe(lastName);
				const stored = await records.storedRow(duplicate.data.id);
				expect([stored?.status, stored?.duplicateSuspected]).toEqual(['PENDING', true]);
				await members.db.deleteFrom('members').where('id', '=', duplicate.data.id).execute();
			}
			expect((await records.storedRow(unique.data.id))?.duplicateSuspected).toBe(false);
		}
	});

	test('is not counted beside one whom the official sees', async () => {
		const [, foreign] = hidden;
		const { firstName, lastName, dateOfBirth } = foreign ?? person();
		const visible = await records.createMember({ homeClubId: own.id });
		const copies = [{ firstName, lastName, dateOfBirth }, visible];
		await post(
			{ ...person({ homeClubId: own.id }), firstName, lastName, dateOfBirth },
			'?confirmDuplicate=true',
		);
		const official = members.officialOf(own.id);
		const contexts = await Promise.all(
			copies.map(async (copy) => {
				const names = { firstName: copy.firstName, lastName: copy.lastName, dateOfBirth: copy.dateOfBirth };
				const body = person({ homeClubId: own.id, ...names });
				const { status, data } = await members.call('POST', path, { token: official, body });
				expect([status, data.code]).toEqual([409, 'POSSIBLE_DUPLICATE']);
				return [Object.keys(data).sort(), (data['candidates'] as unknown[]).length];
			}),
		);
		expect(contexts[0]).toEqual(contexts[1]);
	});

	test('is visible to the office, which lists the record, gets the candidates and decides', async () => {
		const known = await records.createMember({ lastName: 'Entscheidung' });
		const { firstName, lastName, dateOfBirth } = known;
		const body = person({ homeClubId: own.id, firstName, lastName, dateOfBirth });
		const { data: suspected } = await sendAs(members.officialOf(own.id), 'POST', path, body);
		expect(suspected).not.toHaveProperty('duplicateSuspected');
		const listed = async (token: string) =>
			members.call<{ items: Member[] }>('GET', `${path}?duplicateSuspected=true&activeOnly=false&size=200`, {
				token,
			});
		const inList = async () => (await listed(members.officer)).data.items.map(({ id }) => id);
		expect(await inList()).toContain(suspected.id);
		expect((await listed(members.officialOf(own.id))).status).toBe(403);
		const approve = (query = '') =>
			members.call('POST', `${path}/${suspected.id}/approve${query}`, { token: members.officer });
		const refused = await approve();
		expect([refused.status, refused.data.code]).toEqual([409, 'POSSIBLE_DUPLICATE']);
		expect(refused.data['candidates']).toMatchObject([{ id: known.id }]);
		expect((await records.storedRow(suspected.id))?.status).toBe('PENDING');
		expect((await approve('?confirmDuplicate=true')).data).toMatchObject({
			status: 'ACTIVE',
			duplicateSuspected: false,
		});
		expect(await inList()).not.toContain(suspected.id);
	});

	test('of an approved member is decided with the office’s next change', async () => {
		const known = await records.createMember({ lastName: 'Umbenannt' });
		const { firstName, lastName, dateOfBirth } = known;
		const renamed = await records.activeMember({ homeClubId: own.id, dateOfBirth });
		const names = { firstName, lastName, dateOfBirth, homeClubId: own.id };
		const official = members.officialOf(own.id);
		expect((await sendAs(official, 'PUT', `${path}/${renamed.id}`, names)).status).toBe(200);
		// The official's further changes are not refused.
		expect((await sendAs(official, 'PUT', `${path}/${renamed.id}`, { ...names, title: 'Dr.' })).status).toBe(
			200,
		);
		expect((await records.storedRow(renamed.id))?.duplicateSuspected).toBe(true);
		const refused = await put(renamed.id, names);
		expect([refused.status, refused.data.code]).toEqual([409, 'POSSIBLE_DUPLICATE']);
		const confirmed = await put<Member>(renamed.id, names, {}, '?confirmDuplicate=true');
		expect([confirmed.status, confirmed.data.duplicateSuspected]).toEqual([200, false]);
	});
});
