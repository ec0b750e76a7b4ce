import { expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { useMembers } from './running-members.ts';
import { membersPath as path, recordsOf } from './test-records.ts';

const members = useMembers();
const records = recordsOf(() => members);

interface Change {
	readonly operation: string;
	readonly author: { readonly userId: string | null; readonly roles: readonly string[] };
	readonly requestId: string;
	readonly reason: string | null;
	readonly fields: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[];
}

const historyOf = (id: string, token: string) =>
	members.call<Page<Change>>('GET', `${path}/${id}/history`, { token });
const namesIn = ({ items }: Page<Change>) => items.flatMap(({ fields }) => fields.map(({ name }) => name));

test('the office reads all changes; the member those of visible fields, without reasons and authors', async () => {
	const { id } = await records.activeMember();
	await members.call('PATCH', `${path}/${id}`, {
		token: members.officer,
		body: { notes: 'secret', title: 'Dr.' },
	});
	await members.call('POST', `${path}/${id}/suspend`, {
		token: members.officer,
		body: { reason: 'Unpaid fees.' },
	});
	const office = (await historyOf(id, members.officer)).data;
	expect(office.items[0]).toMatchObject({
		operation: 'CHANGED',
		reason: 'Unpaid fees.',
		author: { userId: expect.any(String), roles: expect.arrayContaining(['FEDERATION_OFFICER']) },
		fields: expect.arrayContaining([{ name: 'status', before: 'ACTIVE', after: 'SUSPENDED' }]),
	});
	expect(namesIn(office)).toEqual(expect.arrayContaining(['notes', 'title', 'statusReason']));
	expect(office.items.at(-1)).toMatchObject({ operation: 'CREATED', fields: [] });

	const { data: own } = await historyOf(id, members.memberIs(id));
	expect(own.items.at(-1)?.operation).toBe('CREATED');
	expect(namesIn(own)).toContain('title');
	expect(namesIn(own)).not.toContain('notes');
	expect(JSON.stringify(own)).not.toMatch(/secret|Unpaid/);
	expect(own.items.map(({ author }) => author.userId)).toEqual(own.items.map(() => null));
});

test('a member whom the caller may not see has no history', async () => {
	const [{ id }, other] = [await records.activeMember(), await records.activeMember()];
	expect((await historyOf(id, members.memberIs(other.id))).status).toBe(404);
	const unknown = '5f0c3a52-6a0e-4b55-8d5d-6c2c9f6d1a77';
	expect((await historyOf(unknown, members.officer)).status).toBe(404);
});

// Hidden changes were left out of a page that had been selected with them.
test('pages and totals of a member have visible changes only, also of fields with other names', async () => {
	const { id } = await records.activeMember();
	const before = (await historyOf(id, members.memberIs(id))).data;
	const token = members.officer;
	const changes: object[] = [
		{ title: 'Dr.' },
		{ notes: 'one' },
		{ notes: 'two' },
		{ address: { city: 'Graz' } },
		{ notes: 'three' },
		{ phoneNumber: '+43 316 123456' },
		{ notes: 'four' },
	];
	for (const body of changes)
		expect((await members.call('PATCH', `${path}/${id}`, { token, body })).status).toBe(200);
	const pages: Page<Change>[] = [];
	let next: string | null = '';
	while (next !== null) {
		const query: string = next === '' ? '?size=1' : `?size=1&cursor=${next}`;
		const own = { token: members.memberIs(id) };
		const { data } = await members.call<Page<Change>>('GET', `${path}/${id}/history${query}`, own);
		pages.push(data);
		next = data.pagination.nextCursor;
	}
	const total = before.items.length + 3;
	expect(pages.map(({ items }) => items.length)).toEqual(Array(total).fill(1));
	expect(pages.map(({ pagination }) => pagination.totalElements)).toEqual(Array(total).fill(total));
	const address = expect.arrayContaining(['address.city']);
	expect(pages.slice(0, 3).map(namesIn)).toEqual([['phoneNumber'], address, ['title']]);
	const office = (await historyOf(id, members.officer)).data;
	expect(office.pagination.totalElements).toBeGreaterThanOrEqual(total + 4);
});

test('pages of the history follow their cursor', async () => {
	const { id } = await records.activeMember();
	for (const title of ['Dr.', 'DI', 'Mag.'])
		await members.call('PATCH', `${path}/${id}`, { token: members.officer, body: { title } });
	const all = (await historyOf(id, members.officer)).data.items;
	const read: Change[] = [];
	let cursor: string | null = '';
	while (cursor !== null) {
		const query: string = cursor === '' ? 'size=2' : `size=2&cursor=${cursor}`;
		const page = await members.call<Page<Change>>('GET', `${path}/${id}/history?${query}`, {
			token: members.officer,
		});
		read.push(...page.data.items);
		cursor = page.data.pagination.nextCursor;
	}
	expect(read).toEqual(all);
	expect(all.length).toBeGreaterThan(3);
});

test('a cursor of another member’s history is refused', async () => {
	const [one, other] = [await records.activeMember(), await records.activeMember()];
	const body = { title: 'Dr.' };
	await members.call('PATCH', `${path}/${one.id}`, { token: members.officer, body });
	const token = members.officer;
	const { data } = await members.call<Page<Change>>('GET', `${path}/${one.id}/history?size=1`, { token });
	const query = `cursor=${data.pagination.nextCursor}`;
	expect((await members.call('GET', `${path}/${one.id}/history?${query}`, { token })).status).toBe(200);
	const refused = await members.call('GET', `${path}/${other.id}/history?${query}`, { token });
	expect([refused.status, refused.data.errors?.[0]]).toEqual([
		400,
		expect.objectContaining({ field: 'cursor', code: 'INVALID_FORMAT' }),
	]);
});
