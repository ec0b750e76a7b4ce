import { ageInYear } from '@paddock/calendar';
import type { EventRow } from '../database-schema.ts';
import type { HorseReference, MemberReference } from '../directory/references.ts';
import { eventsError } from '../errors.ts';
import type { ConfirmedEntry } from '../repository/entries.ts';
import { ageClassCodes } from './age-class.ts';
import { isAcceptable, riderName } from './entry-check.ts';
import { horseParties, missingSides, riderParties } from './entry-scope.ts';
import { toCheck } from './entry-view.ts';
import type { EntryQuestion, Judgement } from './judge-entry.ts';

/** Rider and horse of an acceptable entry. */
export interface EntryPair {
	readonly rider: MemberReference;
	readonly horse: HorseReference;
}

/** @throws ApiError ENTRY_NOT_ALLOWED with the checks that the caller may read. */
export function requireAcceptable({ participants }: EntryQuestion, judgement: Judgement): EntryPair {
	const { rider, horse } = participants;
	if (rider !== undefined && horse !== undefined && isAcceptable(judgement.checks)) return { rider, horse };
	throw eventsError('ENTRY_NOT_ALLOWED', { context: { checks: judgement.readableChecks.map(toCheck) } });
}

/** The status of an acceptable entry. */
export function statusOf({
	agreed,
	hasPlace,
}: Pick<Judgement, 'agreed' | 'hasPlace'>): 'PENDING_CONFIRMATION' | 'ACCEPTED' | 'WAITLISTED' {
	if (missingSides(agreed).length > 0) return 'PENDING_CONFIRMATION';
	return hasPlace ? 'ACCEPTED' : 'WAITLISTED';
}

/** The stored snapshot of an entry: its outcome and the current data of rider and horse. */
export function entrySnapshot(
	event: EventRow,
	{ participants, now }: EntryQuestion,
	judgement: Judgement,
	{ rider, horse }: EntryPair,
): ConfirmedEntry {
	const status = statusOf(judgement);
	const age = ageInYear(rider.dateOfBirth, event.start_date);
	const { riderClubId, riderGuardianId } = riderParties(rider.id, rider);
	const { horseKeeperIds, horseClubId } = horseParties(horse);
	return {
		type: judgement.type,
		status,
		position: status === 'WAITLISTED' ? judgement.counters.nextPosition : null,
		rider_member_id: rider.id,
		rider_name: riderName(rider),
		rider_club_id: riderClubId,
		rider_club_name: rider.homeClubName,
		rider_guardian_id: riderGuardianId,
		rider_nation: rider.nationality,
		rider_age_classes: [...ageClassCodes(participants.ageClasses, age, event.start_date)],
		horse_id: horse.id,
		horse_name: horse.name,
		horse_head_number: horse.headNumber,
		horse_birth_year: horse.birthYear,
		horse_sire_name: horse.sireName,
		horse_club_id: horseClubId,
		horse_keeper_ids: [...horseKeeperIds],
		checks: JSON.stringify(judgement.checks),
		amount_due: status === 'PENDING_CONFIRMATION' ? 0 : judgement.amountDue,
		is_confirmed: judgement.agreed.includes('RIDER'),
		is_horse_confirmed: judgement.agreed.includes('HORSE'),
		updated_at: now,
	};
}
