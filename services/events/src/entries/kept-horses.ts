import { ApiError } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';
import type { CallContext } from '../directory/call-context.ts';
import type { Directory } from '../directory/directory.ts';
import { mayManage } from '../event-access.ts';
import { noSuchEntry } from '../repository/entries.ts';
import { type FullEntryRow, partiesOfRow } from '../repository/entry-rows.ts';
import { actsForRider, isConcerned } from './entry-scope.ts';

/** Ids of horses that the caller owns or is responsible for today. */
export type KeptHorses = ReadonlySet<string>;

/** Who calls, and what a call to the horse registry carries along. */
interface Caller extends CallContext {
	readonly principal: Principal;
}

type Horses = Pick<Directory, 'keptHorses'>;

const none: KeptHorses = new Set();

/** @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if the horse registry does not respond. */
export async function keptHorsesOf({ principal, ...context }: Caller, horses: Horses): Promise<KeptHorses> {
	const { memberId } = principal;
	return memberId === undefined ? none : horses.keptHorses(memberId, context);
}

/**
 * As `keptHorsesOf`, for reading. If the horse registry does not respond, an entry is visible to whoever kept the horse
 * on the day of entry, so that riders and sellers still read theirs.
 */
export async function keptHorsesForReading(
	caller: Caller & { readonly log: Logger },
	horses: Horses,
): Promise<KeptHorses> {
	try {
		return await keptHorsesOf(caller, horses);
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		caller.log.warn('kept horses unknown, entries visible as on the day of entry', { code: error.code });
		return none;
	}
}

/**
 * An entry concerns, for reading, everybody whom it concerned on the day of entry, and who keeps the horse now: a buyer
 * reads all entries of the horse, a seller those made in the seller's time.
 * @throws ApiError NOT_FOUND: that somebody is entered somewhere is nobody else's business.
 */
export function requireVisible(principal: Principal, entry: FullEntryRow, kept: KeptHorses): void {
	if (kept.has(entry.horse_id)) return;
	if (!isConcerned(principal, partiesOfRow(entry))) throw noSuchEntry();
}

/** Whether the caller ends an entry in another quality than as a keeper of the horse, which may have been sold since. */
export function actsWithoutHorse(principal: Principal, entry: FullEntryRow): boolean {
	return mayManage(principal, entry.organiser_club_id) || actsForRider(principal, partiesOfRow(entry));
}
