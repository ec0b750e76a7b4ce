import { randomUUID } from 'node:crypto';
import {
	createSettableRegistry,
	type RecordedRequest,
	recordingUpstream,
	respondWithEnvelope,
	type SettableRegistry,
} from '@paddock/testing';
import type { LinkedMember } from '../src/peers/members.ts';

function matches(
	members: ReadonlyMap<string, LinkedMember>,
	query: URLSearchParams,
): readonly LinkedMember[] {
	return [...members.values()].filter(
		({ membershipNumber, dateOfBirth, status }) =>
			membershipNumber === query.get('membershipNumber') &&
			dateOfBirth === query.get('dateOfBirth') &&
			status !== 'INACTIVE',
	);
}

/** A server in place of the members service; a test may change its data at any time. */
export interface StubMembers {
	readonly registry: SettableRegistry;
	readonly requests: readonly RecordedRequest[];
	/** A new member or club with this status. @returns its id */
	member(status?: string): string;
	/** A new member with these data, or new data of the member with this id. */
	person(data: Partial<LinkedMember>): LinkedMember;
	club(status?: string): string;
	/** Whether an instance is registered that responds. */
	reachable(isReachable: boolean): void;
	close(): Promise<void>;
}

export async function stubMembers(): Promise<StubMembers> {
	const known = { members: new Map<string, LinkedMember>(), clubs: new Map<string, object>() };
	let numbers = 10_000_000;
	const someone = (): LinkedMember => ({
		id: randomUUID(),
		membershipNumber: String(++numbers),
		firstName: 'Mia',
		lastName: 'Huber',
		dateOfBirth: '1990-03-04',
		homeClubId: null,
		status: 'ACTIVE',
	});
	const person = (data: Partial<LinkedMember>): LinkedMember => {
		const record = { ...someone(), ...known.members.get(data.id ?? ''), ...data };
		known.members.set(record.id, record);
		return record;
	};
	const upstream = await recordingUpstream((req, res) => {
		const url = new URL(req.url ?? '', 'http://stub');
		const records = url.pathname === '/internal/clubs/lookup' ? known.clubs : known.members;
		const ids = (url.searchParams.get('ids') ?? '').split(',');
		const items =
			url.pathname === '/internal/members/match'
				? matches(known.members, url.searchParams)
				: ids.flatMap((id) => records.get(id) ?? []);
		respondWithEnvelope(res, 200, { items });
	});
	const registry = createSettableRegistry({ 'members-service': [upstream.url] });
	return {
		registry,
		requests: upstream.requests,
		member: (status = 'ACTIVE') => person({ status }).id,
		person,
		club: (status = 'ACTIVE') => {
			const id = randomUUID();
			known.clubs.set(id, { id, status });
			return id;
		},
		reachable: (isReachable) => registry.set('members-service', isReachable ? [upstream.url] : []),
		close: () => upstream.close(),
	};
}
