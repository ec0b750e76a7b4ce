import { describe, expect, test } from '@jest/globals';
import type { Member } from '../src/members/schemas.ts';
import { officeOf } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { person } from './test-records.ts';

const members = useMembers();
const { post, refusalOf } = officeOf(() => members);

describe('the calendar', () => {
	const guardian = { name: 'Maria', relationship: 'mother' };

	test.each([
		['today', '2026-05-01'],
		['tomorrow', '2026-05-02'],
		['111 years ago', '1915-05-01'],
		['a 29 February that never was', '2100-02-29'],
	])('refuses a birth %s', async (_when, dateOfBirth) => {
		const { status, errors } = await refusalOf({ dateOfBirth, guardian });
		expect([status, errors]).toEqual([400, [expect.stringMatching(/^dateOfBirth INVALID_(RANGE|FORMAT)$/)]]);
	});

	test.each(['2026-04-30', '1915-05-02', '2024-02-29'])('accepts a birth on %s', async (dateOfBirth) => {
		const { status, data } = await post<Member>(person({ dateOfBirth, guardian, joinDate: '2026-05-01' }));
		expect([status, data.dateOfBirth]).toEqual([201, dateOfBirth]);
	});

	test('of Vienna counts: at 22:30 UTC in summer it is tomorrow there', async () => {
		members.clock.advance(12.5 * 3_600_000);
		const body = person({ dateOfBirth: '2026-05-01', guardian });
		const { status, data } = await post<Member>(body);
		members.clock.advance(-12.5 * 3_600_000);
		expect([status, data.joinDate]).toEqual([201, '2026-05-02']);
	});

	test('refuses to join before the birth', async () => {
		const { errors } = await refusalOf({ dateOfBirth: '2000-05-01', joinDate: '2000-04-30' });
		expect(errors).toEqual(['joinDate INVALID_RANGE']);
	});

	test.each([
		['17, who is 18 tomorrow', '2008-05-02', 422],
		['18 today', '2008-05-01', 201],
	])('requires a guardian for minors: a member of %s', async (_who, dateOfBirth, expected) => {
		const { status, data } = await post(person({ dateOfBirth }));
		expect([status, status === 422 ? data.code : '']).toEqual([
			expected,
			expected === 422 ? 'GUARDIAN_REQUIRED' : '',
		]);
		const withGuardian = await post(person({ dateOfBirth, guardian }));
		expect(withGuardian.status).toBe(201);
	});
});
