import {
	changeHistory,
	foldedLetters,
	idempotencyKeys,
	type Migration,
	recordTimes,
	seedMarks,
} from '@paddock/database';
import { jobsSchema } from '@paddock/jobs';
import { clubs } from './migrations/0001-clubs.ts';
import { members } from './migrations/0002-members.ts';
import { memberSearch } from './migrations/0003-member-search.ts';
import { memberListIndexes } from './migrations/0006-member-list-indexes.ts';
import { memberGuardians } from './migrations/0007-member-guardians.ts';
import { suspectedDuplicates } from './migrations/0008-suspected-duplicates.ts';
import { visibleNames } from './migrations/0009-visible-names.ts';
import { foldedWords } from './migrations/0011-folded-words.ts';
import { listIndexes } from './migrations/0012-list-indexes.ts';
import { consentHistory } from './migrations/0060-consent-history.ts';
import { countedLists } from './migrations/0062-counted-lists.ts';
import { filteredLists } from './migrations/0063-filtered-lists.ts';
import { changedLists } from './migrations/0064-changed-lists.ts';
import { filterKeys } from './migrations/0065-filter-keys.ts';
import { tiedMembers } from './migrations/0068-tied-members.ts';
import { searchedFilters } from './migrations/0069-searched-filters.ts';
import { searchedPairs } from './migrations/0070-searched-pairs.ts';

/** Applied in the order of their names. A released migration must not be edited. */
export const migrations: Record<string, Migration> = {
	'0001-clubs': clubs,
	'0002-members': members,
	'0003-member-search': memberSearch,
	'0004-idempotency-keys': idempotencyKeys,
	'0005-seed-marks': seedMarks,
	'0006-member-list-indexes': memberListIndexes,
	'0007-member-guardians': memberGuardians,
	'0008-suspected-duplicates': suspectedDuplicates,
	'0009-visible-names': visibleNames,
	'0010-folded-letters': foldedLetters({
		members: ['name_key', 'sort_name'],
		member_search: ['search_text', 'sort_name'],
		clubs: ['search_text'],
	}),
	'0011-folded-words': foldedWords,
	'0012-list-indexes': listIndexes,
	'0013-record-times': recordTimes('clubs'),
	'0050-change-history': changeHistory({
		members: { type: 'MEMBER', without: ['name_key', 'sort_name', 'suspension_ends_at'] },
		clubs: { type: 'CLUB' },
	}),
	'0051-jobs': jobsSchema,
	'0060-consent-history': consentHistory,
	'0062-counted-lists': countedLists,
	'0063-filtered-lists': filteredLists,
	'0064-changed-lists': changedLists,
	'0065-filter-keys': filterKeys,
	'0068-tied-members': tiedMembers,
	'0069-searched-filters': searchedFilters,
	'0070-searched-pairs': searchedPairs,
};
