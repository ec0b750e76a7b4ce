import {
	changeHistory,
	foldedLetters,
	idempotencyKeys,
	type Migration,
	recordTimes,
	seedMarks,
} from '@paddock/database';
import { countriesAndStates } from './migrations/0001-countries-and-states.ts';
import { ageClasses } from './migrations/0002-age-classes.ts';
import { venues } from './migrations/0003-venues.ts';
import { inactiveArenas } from './migrations/0006-inactive-arenas.ts';
import { foldedWords } from './migrations/0008-folded-words.ts';
import { searchTexts } from './migrations/0010-search-texts.ts';

/** Applied in the order of their names. A released migration must not be edited. */
export const migrations: Record<string, Migration> = {
	'0001-countries-and-states': countriesAndStates,
	'0002-age-classes': ageClasses,
	'0003-venues': venues,
	'0004-seed-marks': seedMarks,
	'0005-idempotency-keys': idempotencyKeys,
	'0006-inactive-arenas': inactiveArenas,
	'0007-folded-letters': foldedLetters({ countries: ['search_text'], venues: ['search_text'] }),
	'0008-folded-words': foldedWords,
	'0009-record-times': recordTimes('countries', 'states', 'age_classes', 'venues', 'arenas'),
	'0010-search-texts': searchTexts,
	'0050-change-history': changeHistory({
		countries: { type: 'COUNTRY' },
		states: { type: 'STATE' },
		age_classes: { type: 'AGE_CLASS' },
		venues: { type: 'VENUE' },
		arenas: { type: 'ARENA' },
	}),
};
