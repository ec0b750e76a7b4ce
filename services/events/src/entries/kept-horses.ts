import { ApiError } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';
import type { CallContext } from '../directory/call-context.ts';
import type { Directory } from '../directory/directory.ts';

/** Ids of horses that the caller owns or is responsible for today. */
export type KeptHorses = ReadonlySet<string>;

/** The caller, with the context of calls to the horse registry. */
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
 * Like `keptHorsesOf`, for reads. If the horse registry does not respond, the result is empty and entries are visible
 * to the horse's parties of the day of entry, so that riders and sellers can still read theirs.
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
