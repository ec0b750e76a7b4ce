import { ageOnDate, dayInVienna } from '@paddock/calendar';
import { ApiError } from '@paddock/contract';
import type { Call } from '@paddock/service';
import type { EventsQueryable } from '../../database-schema.ts';
import type { Directory } from '../../peers/directory.ts';
import type { FullEntryRow } from '../store.ts';

const fullAgeYears = 18;

/** The guardian of the day of entry reads nothing from the rider's 18th birthday on, nor while members do not respond. */
async function minorsAmong(
	riderIds: readonly string[],
	caller: Call,
	{ members }: Pick<Directory, 'members'>,
): Promise<ReadonlySet<string>> {
	if (riderIds.length === 0) return new Set();
	const today = dayInVienna(caller.now);
	try {
		const known = await members([...new Set(riderIds)], caller);
		const isMinor = (id: string) => {
			const born = known.get(id)?.dateOfBirth;
			return born !== undefined && ageOnDate(born, today) < fullAgeYears;
		};
		return new Set(riderIds.filter(isMinor));
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		caller.log.warn('ages of wards unknown, their entries are not shown', { code: error.code });
		return new Set();
	}
}

/** The riders of an event whose guardian the caller was at entry, and who are minors today. */
export async function wardsOfEvent(
	db: EventsQueryable,
	eventId: string,
	caller: Call,
	directory: Pick<Directory, 'members'>,
): Promise<ReadonlySet<string>> {
	const { memberId } = caller.principal;
	if (memberId === undefined) return new Set();
	const rows = await db
		.selectFrom('entries')
		.select('riderMemberId')
		.distinct()
		.where('eventId', '=', eventId)
		.where('riderGuardianId', '=', memberId)
		.execute();
	return minorsAmong(
		rows.map(({ riderMemberId }) => riderMemberId),
		caller,
		directory,
	);
}

/** The entries as the caller reads them: the stored guardian of a rider who is of age today is none. */
export async function withPresentWards(
	entries: readonly FullEntryRow[],
	caller: Call,
	directory: Pick<Directory, 'members'>,
): Promise<FullEntryRow[]> {
	const { memberId } = caller.principal;
	const isWards = (entry: FullEntryRow) => memberId !== undefined && entry.riderGuardianId === memberId;
	const riders = entries.filter(isWards).map(({ riderMemberId }) => riderMemberId);
	const minors = await minorsAmong(riders, caller, directory);
	return entries.map((entry) => (isWards(entry) ? whileMinor(entry, minors) : entry));
}

export function whileMinor(entry: FullEntryRow, minors: ReadonlySet<string>): FullEntryRow {
	return minors.has(entry.riderMemberId) ? entry : { ...entry, riderGuardianId: null };
}
