import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { Member } from '../src/members/schemas.ts';
import { visibleNames } from '../src/migrations/0009-visible-names.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, recordsOf } from './test-records.ts';

const members = useMembers();
const records = recordsOf(() => members);

async function storedAs(firstName: string, lastName: string): Promise<string> {
	const { id } = await records.activeMember();
	await sql`
		update members set first_name = ${firstName}, last_name = ${lastName}, sort_name = ${`${lastName}\t${firstName}`}
		where id = ${id}::uuid`.execute(members.db);
	return id;
}

// Earlier releases accepted invisible characters in names; a member could not save the own record any more.
test('invisible characters are removed from stored names, and the member’s own change is accepted again', async () => {
	const id = await storedAs('An\u00adna\u200b', 'Hu\u2060ber');
	const kept = await storedAs('\u0639\u0644\u06cc\u200c\u0631\u0636\u0627', '\u3164');
	const token = members.memberIs(id);
	const keptBefore = await records.storedRow(kept);
	const before = await records.storedRow(id);
	await visibleNames.up(members.db);
	expect(await records.storedRow(id)).toMatchObject({
		firstName: 'Anna',
		lastName: 'Huber',
		nameKey: 'anna huber',
		sortName: 'huber\tanna',
		version: (before?.version ?? 0) + 1,
	});
	expect(await records.storedRow(kept)).toEqual(keptBefore);
	const body = (await members.call<Member>('GET', `${path}/${id}`, { token })).data;
	expect((await members.call('PUT', `${path}/${id}`, { token, body })).status).toBe(200);
	const found = await members.db
		.selectFrom('memberSearch')
		.select(['searchText', 'sortName'])
		.where('id', '=', id)
		.executeTakeFirst();
	expect(found).toMatchObject({
		sortName: 'huber\tanna',
		searchText: expect.stringContaining('huber anna'),
	});
});
