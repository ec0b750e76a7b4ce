import { requireVersion } from '@paddock/service';
import type { EventsDeps } from '../deps.ts';
import type { Entry } from './entry-schemas.ts';
import { illegalStep } from './finish-entry.ts';
import { entrySnapshot, judgeEntry, requireAcceptable } from './judge-entry.ts';
import { changeEntry, type EntryCall, type LockedEntry } from './locked-entry.ts';
import { requireMissingSide } from './rights/authority.ts';
import { type Participants, type PresentParticipants, participantsOf } from './rights/participants.ts';
import { agreedSides } from './rights/sides.ts';
import { isOpenStatus, shownEntryStatus } from './rules.ts';
import { updateConfirmedEntry } from './store.ts';

/**
 * Confirms an entry for the sides that the caller acts for. Once both sides agree, the entry gets the status that a new
 * entry would get now. Idempotent: an entry that is already confirmed stays unchanged, so that a client may retry after
 * a lost response.
 * @throws ApiError NOT_FOUND; OUT_OF_SCOPE for other callers whom the entry concerns; ILLEGAL_STATE_TRANSITION;
 * ENTRY_NOT_ALLOWED, and the entry stays unconfirmed; MEMBER_NOT_ACTIVE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT.
 */
export function confirmEntry(request: EntryCall, deps: EventsDeps): Promise<Entry> {
	return changeEntry<PresentParticipants>(request, deps, {
		prepare: async (event, entry) => {
			const prepared = await participantsOf(entry, event, deps.directory, request);
			requireMissingSide(request, entry, prepared.present);
			return prepared;
		},
		apply: async (locked, { participants }) => {
			const { entry } = locked;
			if (isOpenStatus(entry.status)) return;
			// The client confirms the version that it read; the starts may have changed since.
			requireVersion(request.preconditions, entry.version);
			await locked.promoteWaiting();
			await confirm(locked, participants, request);
		},
	});
}

async function confirm(
	{ db, event, entry }: LockedEntry,
	participants: Participants,
	{ principal, now }: EntryCall,
): Promise<void> {
	const shown = shownEntryStatus(entry.status, entry, now);
	if (shown !== 'PENDING_CONFIRMATION') throw illegalStep(shown, 'ACCEPTED', []);
	const question = {
		body: {
			riderMemberId: entry.riderMemberId,
			horseId: entry.horseId,
			starts: entry.starts.filter(({ status }) => status === 'PENDING_CONFIRMATION'),
			type: entry.type,
		},
		participants,
		principal,
		now,
		entry: { id: entry.id, isOpen: false, agreed: agreedSides(entry) },
	};
	const judgement = await judgeEntry(db, event, question);
	const pair = requireAcceptable(question, judgement);
	await updateConfirmedEntry(db, entry.id, entrySnapshot(event, question, judgement, pair));
}
