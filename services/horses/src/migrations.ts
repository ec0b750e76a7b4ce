import { sentReminders } from '@paddock/context';
import { changeHistory, foldedLetters, idempotencyKeys, type Migration, seedMarks } from '@paddock/database';
import { jobsSchema } from '@paddock/jobs';
import { horses } from './migrations/0001-horses.ts';
import { ownership } from './migrations/0002-ownership.ts';
import { horsesStatusIndex } from './migrations/0005-horses-status-index.ts';
import { ownershipTransfers } from './migrations/0006-ownership-transfers.ts';
import { ownershipCorrections } from './migrations/0007-ownership-corrections.ts';
import { deathReports } from './migrations/0008-death-reports.ts';
import { formerOwners } from './migrations/0009-former-owners.ts';
import { formerClubs } from './migrations/0010-former-clubs.ts';
import { foldedWords } from './migrations/0012-folded-words.ts';
import { listIndexes } from './migrations/0013-list-indexes.ts';
import { transferChanges } from './migrations/0051-transfer-changes.ts';
import { transferExpiries } from './migrations/0053-transfer-expiries.ts';
import { countedLists } from './migrations/0055-counted-lists.ts';
import { transferTexts } from './migrations/0056-transfer-texts.ts';
import { countedPairs } from './migrations/0057-counted-pairs.ts';
import { filteredLists } from './migrations/0058-filtered-lists.ts';
import { orderedTransfers } from './migrations/0059-ordered-transfers.ts';
import { horsesOfClubs } from './migrations/0060-horses-of-clubs.ts';
import { tiedHorses } from './migrations/0062-tied-horses.ts';
import { namedBreeds } from './migrations/0063-named-breeds.ts';

/** Applied in the order of their names. Never edit a released migration. */
export const migrations: Record<string, Migration> = {
	'0001-horses': horses,
	'0002-ownership': ownership,
	'0003-seed-marks': seedMarks,
	'0004-idempotency-keys': idempotencyKeys,
	'0005-horses-status-index': horsesStatusIndex,
	'0006-ownership-transfers': ownershipTransfers,
	'0007-ownership-corrections': ownershipCorrections,
	'0008-death-reports': deathReports,
	'0009-former-owners': formerOwners,
	'0010-former-clubs': formerClubs,
	'0011-folded-letters': foldedLetters({ horses: ['name_text', 'number_text', 'breed_key'] }),
	'0012-folded-words': foldedWords,
	'0013-list-indexes': listIndexes,
	'0050-change-history': changeHistory({
		horses: { type: 'HORSE', without: ['name_text', 'number_text', 'breed_key', 'passport_key'] },
		ownership_periods: { type: 'OWNERSHIP_PERIOD', record: 'horse_id' },
		ownership_shares: {
			type: 'OWNERSHIP_SHARE',
			record: 'select p.horse_id from ownership_periods p where p.id = period_id',
		},
		ownership_transfers: { type: 'OWNERSHIP_TRANSFER', record: 'horse_id' },
		ownership_confirmations: {
			type: 'OWNERSHIP_CONFIRMATION',
			record: 'select t.horse_id from ownership_transfers t where t.id = transfer_id',
		},
	}),
	'0051-transfer-changes': transferChanges,
	'0052-jobs': jobsSchema,
	'0053-sent-reminders': sentReminders,
	'0053-transfer-expiries': transferExpiries,
	'0055-counted-lists': countedLists,
	'0056-transfer-texts': transferTexts,
	'0057-counted-pairs': countedPairs,
	'0058-filtered-lists': filteredLists,
	'0059-ordered-transfers': orderedTransfers,
	'0060-horses-of-clubs': horsesOfClubs,
	'0062-tied-horses': tiedHorses,
	'0063-named-breeds': namedBreeds,
};
