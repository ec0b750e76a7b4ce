import { expect } from '@jest/globals';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member } from '../src/members/schemas.ts';
import type { RunningMembers } from './running-members.ts';

export const membersPath = '/api/members';
export const clubsPath = '/api/members/clubs';

/** Invented people with different names, so that none is a duplicate. */
let made = 0;

/** The body of an adult; changes may be valid or invalid. */
export function person(changes: object = {}): Record<string, unknown> {
	made += 1;
	return { firstName: `Vera${letters(made)}`, lastName: 'Prüfling', dateOfBirth: '1990-03-04', ...changes };
}

/** No vowels, with which two names could be equal, see `nameKey`. */
function letters(number: number): string {
	return String(number).replaceAll(/\d/g, (digit) => 'bcdfghklmn'.charAt(Number(digit)));
}

/** Makes records through the API, as the federation's office. */
export function recordsOf(members: () => RunningMembers) {
	const post = async <Data>(path: string, body: object): Promise<Data> => {
		const { call, officer } = members();
		const { status, data } = await call<Data>('POST', path, { token: officer, body });
		expect([status, data]).toEqual([201, data]);
		return data;
	};
	const step = async (member: Member, name: string, body?: object): Promise<Member> => {
		const { call, officer } = members();
		const sent = { token: officer, ...(body === undefined ? {} : { body }) };
		const { status, data } = await call<Member>('POST', `${membersPath}/${member.id}/${name}`, sent);
		expect([status, data]).toEqual([200, data]);
		return data;
	};
	const createMember = (changes: object = {}) => post<Member>(membersPath, person(changes));
	return {
		createMember,
		/** Approved. */
		activeMember: async (changes: object = {}) => step(await createMember(changes), 'approve'),
		createClub: (clubNumber: string, changes: object = {}) =>
			post<Club>(clubsPath, { clubNumber, name: `Verein ${clubNumber}`, ...changes }),
		step,
		storedRow: (id: string) =>
			members().db.selectFrom('members').selectAll().where('id', '=', id).executeTakeFirst(),
	};
}

/** The fields of a GET that a PUT may send back. */
export function bodyOf(member: Member, changes: object = {}): Record<string, unknown> {
	return { ...member, ...changes };
}
