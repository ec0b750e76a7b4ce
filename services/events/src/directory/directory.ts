import { apiError } from '@paddock/contract';
import type { PeerRequest, Peers } from '@paddock/peers';
import { z } from 'zod';
import type { CallContext } from './call-context.ts';
import {
	type ClubReference,
	clubReference,
	type HorseReference,
	horseReference,
	type MemberReference,
	memberReference,
} from './references.ts';

/** Resolves ids to records, keyed by id; unknown ids are missing from the result. */
export type Lookup<Reference> = (
	ids: readonly string[],
	context: CallContext,
) => Promise<ReadonlyMap<string, Reference>>;

/**
 * Current members, horses and clubs, from their services; not cached.
 * @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if a service does not respond; no id is accepted unchecked.
 */
export interface Directory {
	readonly members: Lookup<MemberReference>;
	readonly horses: Lookup<HorseReference>;
	readonly clubs: Lookup<ClubReference>;
	/** Ids of the horses that a member owns or is responsible for today. */
	keptHorses(memberId: string, context: CallContext): Promise<ReadonlySet<string>>;
}

const keptHorseIds = z.object({ horseIds: z.array(z.uuid()) });
const retryAfterMs = 2_000;

/** Maximum number of ids in one lookup. */
const idsMax = 50;

export function createDirectory(peers: Pick<Peers, 'peer'>): Directory {
	return {
		members: lookup(peers, 'members-service', '/internal/members/lookup', memberReference),
		horses: lookup(peers, 'horses-service', '/internal/horses/lookup', horseReference),
		clubs: lookup(peers, 'members-service', '/internal/clubs/lookup', clubReference),
		keptHorses: keptHorses(peers),
	};
}

function lookup<Schema extends z.ZodType<{ id: string }>>(
	peers: Pick<Peers, 'peer'>,
	service: Parameters<Peers['peer']>[0],
	path: PeerRequest<z.ZodType>['path'],
	reference: Schema,
): Lookup<z.output<Schema>> {
	const schema = z.object({ items: z.array(reference) });
	return async (ids, { requestId, signal, traceparent }) => {
		const answers = await Promise.all(
			portions([...new Set(ids)]).map((portion) =>
				peers.peer(service).get({
					path,
					query: { ids: portion.join(',') },
					schema,
					credentials: 'service',
					requestId,
					signal,
					traceparent,
				}),
			),
		);
		return new Map(answers.flatMap((answer) => answer?.items ?? []).map((item) => [item.id, item]));
	};
}

function keptHorses(peers: Pick<Peers, 'peer'>): Directory['keptHorses'] {
	return async (memberId, { requestId, signal, traceparent }) => {
		const found = await peers.peer('horses-service').get({
			path: '/internal/horses/kept',
			query: { memberId },
			schema: keptHorseIds,
			credentials: 'service',
			requestId,
			signal,
			traceparent,
		});
		// A 404 means that the horse registry runs another version, not that the member has no horses.
		if (found === undefined) throw apiError('SERVICE_UNAVAILABLE', { retryAfterMs });
		return new Set(found.horseIds);
	};
}

function portions(ids: readonly string[]): string[][] {
	const count = Math.ceil(ids.length / idsMax);
	return Array.from({ length: count }, (_, index) => ids.slice(index * idsMax, (index + 1) * idsMax));
}
