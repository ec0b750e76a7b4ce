import { sentReminders } from '@paddock/context';
import {
	changeHistory,
	foldedLetters,
	idempotencyKeys,
	type Migration,
	recordTimes,
	seedMarks,
} from '@paddock/database';
import { jobsSchema } from '@paddock/jobs';
import { events } from './migrations/0001-events.ts';
import { competitions } from './migrations/0002-competitions.ts';
import { entries } from './migrations/0004-entries.ts';
import { entryConfirmations } from './migrations/0006-entry-confirmations.ts';
import { oneEntryPerHorse } from './migrations/0007-one-entry-per-horse.ts';
import { horseConfirmations } from './migrations/0008-horse-confirmations.ts';
import { competitionLevel } from './migrations/0009-competition-level.ts';
import { freeWithdrawal } from './migrations/0011-free-withdrawal.ts';
import { judgedBy } from './migrations/0012-judged-by.ts';
import { foldedWords } from './migrations/0013-folded-words.ts';
import { eventApproval } from './migrations/0014-event-approval.ts';
import { competitionClasses } from './migrations/0015-competition-classes.ts';
import { listIndexes } from './migrations/0016-list-indexes.ts';
import { entryLedger } from './migrations/0017-entry-ledger.ts';
import { entryOverrides } from './migrations/0018-entry-overrides.ts';
import { listTextIndexes, listTexts } from './migrations/0051-list-texts.ts';
import { announcements } from './migrations/0062-announcements.ts';
import { eventListIndexes } from './migrations/0063-event-list-indexes.ts';
import { entryActs } from './migrations/0070-entry-acts.ts';
import { countedLists } from './migrations/0074-counted-lists.ts';
import { orderedEntries } from './migrations/0075-ordered-entries.ts';
import { listsFromIndexes } from './migrations/0076-lists-from-indexes.ts';
import { entriesByTime } from './migrations/0077-entries-by-time.ts';
import { entriesOfClubs } from './migrations/0078-entries-of-clubs.ts';
import { tiedEntries } from './migrations/0081-tied-entries.ts';
import { coveredTies } from './migrations/0082-covered-ties.ts';
import { vacatedPlaces } from './migrations/0083-vacated-places.ts';

/** Applied in the order of their names. Never edit a released migration. */
export const migrations: Record<string, Migration> = {
	'0001-events': events,
	'0002-competitions': competitions,
	'0003-idempotency-keys': idempotencyKeys,
	'0004-entries': entries,
	'0005-seed-marks': seedMarks,
	'0006-entry-confirmations': entryConfirmations,
	'0007-one-entry-per-horse': oneEntryPerHorse,
	'0008-horse-confirmations': horseConfirmations,
	'0009-competition-level': competitionLevel,
	'0010-folded-letters': foldedLetters({ events: ['search_text'] }),
	'0011-free-withdrawal': freeWithdrawal,
	'0012-judged-by': judgedBy,
	'0013-folded-words': foldedWords,
	'0014-event-approval': eventApproval,
	'0015-competition-classes': competitionClasses,
	'0016-list-indexes': listIndexes,
	'0017-entry-ledger': entryLedger,
	'0018-entry-overrides': entryOverrides,
	'0050-change-history': changeHistory({
		events: { type: 'EVENT', without: ['starts_at', 'ends_at'] },
		competitions: { type: 'COMPETITION', record: 'event_id' },
		// Places on the waiting list and findings are computed again with each change of other records.
		entries: { type: 'ENTRY', without: ['position', 'checks', 'judged_by'] },
		starts: { type: 'START', record: 'entry_id' },
	}),
	'0051-list-texts': listTexts,
	'0052-list-text-indexes': listTextIndexes,
	'0053-record-times': recordTimes('competitions'),
	'0062-announcements': announcements,
	'0063-event-list-indexes': eventListIndexes,
	'0070-entry-acts': entryActs,
	'0071-jobs': jobsSchema,
	'0072-sent-reminders': sentReminders,
	'0074-counted-lists': countedLists,
	'0075-ordered-entries': orderedEntries,
	'0076-lists-from-indexes': listsFromIndexes,
	'0077-entries-by-time': entriesByTime,
	'0078-entries-of-clubs': entriesOfClubs,
	'0081-tied-entries': tiedEntries,
	'0082-covered-ties': coveredTies,
	'0083-vacated-places': vacatedPlaces,
};
