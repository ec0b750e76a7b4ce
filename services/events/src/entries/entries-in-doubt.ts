import type { Principal } from '@paddock/identity';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import { attentionMax, type EntriesNeedingAttention } from './attention-schemas.ts';
import { listEventEntries } from './list.ts';
import { toEntry } from './view.ts';

/** The entries of a published event that need attention, as its manager may read them; undefined of any other event. */
export async function entriesInDoubt(
	db: EventsQueryable,
	event: Pick<EventRow, 'id' | 'status'>,
	{ principal, now }: { readonly principal: Principal; readonly now: Date },
): Promise<{ readonly entriesNeedingAttention?: EntriesNeedingAttention }> {
	if (event.status !== 'PUBLISHED') return {};
	const viewer = { principal, keptHorses: 'all', now } as const;
	const query = { needsAttention: true, page: 1, size: attentionMax };
	const { items, pagination } = await listEventEntries(db, event.id, viewer, query);
	return {
		entriesNeedingAttention: {
			total: pagination.totalElements,
			items: items
				.map((row) => toEntry(row, { principal, now }))
				.map(({ id, entryNumber, status, rider, horse, checks }) => ({
					id,
					entryNumber,
					status,
					riderName: rider?.name ?? null,
					horseName: horse.name,
					checks,
				})),
		},
	};
}
