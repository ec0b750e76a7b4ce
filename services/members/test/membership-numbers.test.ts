import { describe, expect, test } from '@jest/globals';
import { officeOf } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, recordsOf } from './test-records.ts';

const members = useMembers();
const { call } = members;
const records = recordsOf(() => members);
const { refusalOf } = officeOf(() => members);

describe('numbers', () => {
	test.each([
		['membershipNumber', '77770001', 'MEMBERSHIP_NUMBER_TAKEN'],
		['federationNumber', '777001', 'FEDERATION_NUMBER_TAKEN'],
		['feiId', '77700001', 'FEI_ID_TAKEN'],
	])('%s is assigned once, also after the deletion of its member', async (field, value, code) => {
		const first = await records.createMember({ [field]: value });
		await call('DELETE', `${path}/${first.id}`, { token: members.officer });
		expect(await refusalOf({ [field]: value })).toMatchObject({ status: 409, code });
		expect((await call('GET', `${path}/search?q=${value}`, { token: members.officer })).data).toMatchObject({
			items: [],
		});
	});

	test('are assigned in the order of the home club’s', async () => {
		const own = await records.createClub('2222');
		const numberOf = async (changes: object = {}) =>
			(await records.createMember({ homeClubId: own.id, ...changes })).membershipNumber;
		expect([await numberOf(), await numberOf()]).toEqual(['22220001', '22220002']);
		await numberOf({ membershipNumber: '22220007' });
		expect(await numberOf()).toBe('22220008');
		await numberOf({ membershipNumber: '22229999' });
		expect([await numberOf(), await numberOf()]).toEqual(['22220003', '22220004']);
	});

	test('of those without a club are the federation’s, which no club can have', async () => {
		const { membershipNumber } = await records.createMember();
		expect(membershipNumber).toMatch(/^9000\d{4}$/);
		const { status, data } = await call('POST', `${path}/clubs`, {
			token: members.officer,
			body: { clubNumber: '9000', name: 'X' },
		});
		expect([status, data.code]).toEqual([409, 'CLUB_NUMBER_TAKEN']);
	});

	test('that are used up are said to be', async () => {
		const full = await records.createClub('3333');
		const { db } = members;
		const { id } = await records.createMember({ membershipNumber: '33330001' });
		const template = await records.storedRow(id);
		if (template === undefined) throw new Error('no row');
		const { suspensionEndsAt: _, guardian: __, emergencyContact: ___, ...columns } = template;
		const rows = Array.from({ length: 9_998 }, (_row, index) => {
			const { id: ____, ...row } = columns;
			return { ...row, membershipNumber: `3333${String(index + 2).padStart(4, '0')}` };
		});
		for (let from = 0; from < rows.length; from += 1_000)
			await db
				.insertInto('members')
				.values(rows.slice(from, from + 1_000))
				.execute();
		const { status, code } = await refusalOf({ homeClubId: full.id });
		expect([status, code]).toEqual([409, 'MEMBERSHIP_NUMBERS_USED_UP']);
	});
});
