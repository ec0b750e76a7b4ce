import { randomUUID } from 'node:crypto';
import {
	createSettableRegistry,
	type RecordedRequest,
	recordingUpstream,
	respondWithEnvelope,
	type SettableRegistry,
} from '@paddock/testing';

/** A server in place of the members service; a test may change its data at any time. */
export interface StubMembers {
	readonly registry: SettableRegistry;
	readonly requests: readonly RecordedRequest[];
	/** A new member or club with this status. @returns its id */
	member(status?: string): string;
	club(status?: string): string;
	/** Whether an instance is registered that responds. */
	reachable(isReachable: boolean): void;
	close(): Promise<void>;
}

export async function stubMembers(): Promise<StubMembers> {
	const known = { members: new Map<string, string>(), clubs: new Map<string, string>() };
	const upstream = await recordingUpstream((req, res) => {
		const url = new URL(req.url ?? '', 'http://stub');
		const records = url.pathname === '/internal/clubs/lookup' ? known.clubs : known.members;
		const ids = (url.searchParams.get('ids') ?? '').split(',');
		const items = ids.flatMap((id) => (records.has(id) ? [{ id, status: records.get(id) }] : []));
		respondWithEnvelope(res, 200, { items });
	});
	const registry = createSettableRegistry({ 'members-service': [upstream.url] });
	const add = (records: Map<string, string>, status: string): string => {
		const id = randomUUID();
		records.set(id, status);
		return id;
	};
	return {
		registry,
		requests: upstream.requests,
		member: (status = 'ACTIVE') => add(known.members, status),
		club: (status = 'ACTIVE') => add(known.clubs, status),
		reachable: (isReachable) => registry.set('members-service', isReachable ? [upstream.url] : []),
		close: () => upstream.close(),
	};
}
