import type { TestFailure, TestResponse } from '@paddock/testing';
import type { Member } from '../src/members/schemas.ts';
import type { RunningMembers } from './running-members.ts';
import { membersPath as path, person } from './test-records.ts';

type Headers = Readonly<Record<string, string>>;

/** A request of the federation’s office and its response. */
export interface FederationOffice {
	post<Data = TestFailure>(body: object, query?: string): Promise<TestResponse<Data>>;
	put<Data = TestFailure>(
		id: string,
		body: object,
		headers?: Headers,
		query?: string,
	): Promise<TestResponse<Data>>;
	/** A step from one state to another. */
	act<Data = Member>(
		member: Member,
		step: string,
		body?: object,
		headers?: Headers,
	): Promise<TestResponse<Data>>;
	remove<Data = Member>(member: Member, headers?: Headers): Promise<TestResponse<Data>>;
	read(id: string): Promise<Member>;
	/** The errors of a new member with these changes to a valid one. */
	refusalOf(changes: object): Promise<{ status: number; code: string; errors: string[] }>;
}

export function officeOf(members: () => RunningMembers): FederationOffice {
	const send = <Data>(method: string, route: string, sent: { body?: object; headers?: Headers } = {}) => {
		const { call, officer } = members();
		return call<Data>(method, route, { token: officer, ...sent });
	};
	const post: FederationOffice['post'] = (body, query = '') => send('POST', `${path}${query}`, { body });
	return {
		post,
		put: (id, body, headers = {}, query = '') => send('PUT', `${path}/${id}${query}`, { body, headers }),
		act: ({ id }, step, body, headers = {}) =>
			send('POST', `${path}/${id}/${step}`, { headers, ...(body === undefined ? {} : { body }) }),
		remove: ({ id }, headers = {}) => send('DELETE', `${path}/${id}`, { headers }),
		read: async (id) => (await send<Member>('GET', `${path}/${id}`)).data,
		refusalOf: async (changes) => {
			const { status, data } = await post(person(changes));
			return { status, code: data.code, errors: blamedFields(data) };
		},
	};
}

/** `dateOfBirth INVALID_RANGE`, in the order of the alphabet; empty where no field is to blame. */
export function blamedFields({ errors = [] }: TestFailure): string[] {
	return errors.map(({ field, code }) => `${field} ${code}`).sort();
}
