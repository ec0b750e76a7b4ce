import { refilledTexts, searchLines } from '@paddock/database';

/** Punctuation separates words, and each word has a line of its own. */
export const foldedWords = refilledTexts({
	table: 'events',
	read: ['name', 'event_number', 'venue_name', 'venue_city', 'organiser_club_name', 'category'],
	write: ['search_text'],
	compute: (...texts) => [searchLines(...texts)],
});
