import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { officeOf } from './federation-office.ts';
import { type RunningMembers, runMembers } from './running-members.ts';
import { membersPath as path, person, recordsOf } from './test-records.ts';

let members: RunningMembers;
const records = recordsOf(() => members);
const { post } = officeOf(() => members);

beforeAll(async () => {
	members = await runMembers();
});
afterAll(() => members.close());

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

	test('is none with another birth date or name', async () => {
		const one = person({ firstName: 'Ida', lastName: 'Zwilling', dateOfBirth: '1985-05-05' });
		expect((await post(one)).status).toBe(201);
		expect((await post({ ...one, firstName: 'Ada' })).status).toBe(201);
		expect((await post({ ...one, dateOfBirth: '1985-05-06' })).status).toBe(201);
	});

	test('is told to an official without telling who it is elsewhere', async () => {
		const [own, elsewhere] = [await records.createClub('4321'), await records.createClub('1234')];
		const secret = await records.createMember({ homeClubId: elsewhere.id, lastName: 'Geheim' });
		const { firstName, lastName, dateOfBirth } = secret;
		const { status, data, text } = await members.call('POST', path, {
			token: members.officialOf(own.id),
			body: { firstName, lastName, dateOfBirth, homeClubId: own.id },
		});
		expect([status, data['candidates'], data['otherCandidates']]).toEqual([409, [], 1]);
		expect(text).not.toContain(secret.membershipNumber);
	});
});
