import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { neverRespond, type Respond, respondWithStatus } from '@paddock/testing';
import { officeOf } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { clubsPath, recordsOf } from './test-records.ts';

const members = useMembers();
const records = recordsOf(() => members);
const office = officeOf(() => members);

async function count(type: string, codes: string, scopes = ['references:count']) {
	const token = members.signService(scopes);
	const to = `/internal/references?type=${type}&id=${randomUUID()}&codes=${codes}`;
	const { status, data } = await members.call<{ count: number }>('GET', to, { token });
	return status === 200 ? data.count : status;
}

describe('the count of references', () => {
	test('has members, deleted ones too, and clubs by country and state', async () => {
		const before = [await count('COUNTRY', 'CH,756'), await count('STATE', 'AT-6')];
		expect(before).toEqual([0, 0]);
		await records.createMember({ nationality: 'CH' });
		const deleted = await records.activeMember({ address: { city: 'Chur', countryCode: 'CH' } });
		await office.remove(deleted);
		await records.createClub('1111', { address: { city: 'Chur', countryCode: 'CH' } });
		expect([await count('COUNTRY', 'CH,756'), await count('COUNTRY', '756')]).toEqual([3, 0]);
		const inStyria = { city: 'Graz', countryCode: 'AT', stateCode: 'AT-6' };
		await records.createMember({ address: inStyria });
		await records.createClub('2222', { stateCode: 'AT-6' });
		expect([await count('STATE', 'AT-6'), await count('STATE', 'AT-1')]).toEqual([2, 0]);
		for (const type of ['VENUE', 'ARENA', 'AGE_CLASS', 'CLUB']) expect(await count(type, 'X')).toBe(0);
	});

	test('needs its own scope', async () => {
		expect(await count('STATE', 'AT-6', ['members:lookup'])).toBe(403);
	});
});

// A club of an event or a horse was deleted: only members were checked.
describe('DELETE of a club', () => {
	const remove = (id: string) => members.call('DELETE', `${clubsPath}/${id}`, { token: members.officer });
	const exists = async (id: string) =>
		(await members.call('GET', `${clubsPath}/${id}`, { token: members.officer })).status === 200;
	let number = 3_000;
	const newClub = () => {
		number += 1;
		return records.createClub(String(number));
	};

	test.each(['auth', 'horses', 'events'] as const)('is refused while %s refers to it', async (context) => {
		const { id } = await newClub();
		members[context].clubReferences.set(id, 2);
		const { status, data } = await remove(id);
		expect([status, data.code, data['references']]).toEqual([409, 'CLUB_IN_USE', 2]);
		expect(await exists(id)).toBe(true);
		members[context].clubReferences.delete(id);
		expect((await remove(id)).status).toBe(200);
		expect(await exists(id)).toBe(false);
	});

	const failures: [string, Respond, unknown[]][] = [
		['do not respond', neverRespond, [504, 'UPSTREAM_TIMEOUT']],
		['fail', respondWithStatus(500), [503, 'SERVICE_UNAVAILABLE']],
		['lack the route', respondWithStatus(404), [503, 'SERVICE_UNAVAILABLE']],
	];

	test.each(failures)('is not done on trust while events %s', async (_how, response, expected) => {
		const { id } = await newClub();
		members.events.misbehave(response);
		const { status, data } = await remove(id);
		await members.events.recover();
		expect([status, data.code]).toEqual(expected);
		expect(await exists(id)).toBe(true);
	});
});
