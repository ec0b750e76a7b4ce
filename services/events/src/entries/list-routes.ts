import type { Route } from '@paddock/service';
import { z } from 'zod';
import { competitionRows } from '../competitions/store.ts';
import { type EventsDeps, personalCacheControl, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { managingReaders } from '../events/access.ts';
import { allEntriesOf, listEntries } from './list.ts';
import { entryListScope } from './rights/visibility.ts';
import { entriesFileQuery, entriesQuery } from './schemas.ts';
import { entriesFile, toEntryPage } from './view.ts';
import { entryPage } from './view-schemas.ts';

export const entryListRoutes: readonly Route<EventsDeps>[] = [
	route({
		method: 'get',
		path: '/api/events/entries',
		operationId: 'listEntries',
		summary: 'List entries of all events',
		description:
			'Officers get all entries; members those with their own `riderMemberId`, guardians those of their wards, owners those with the `horseId` of their horse, club officials those of riders of their clubs. `open=true` shows whether a member or a horse is entered for any event; `status=PENDING_CONFIRMATION` lists entries that need a confirmation.',
		access: 'signedIn',
		query: entriesQuery,
		output: entryPage,
		message: 'Entries',
		etag: 'content',
		cacheControl: personalCacheControl,
		mayLag: true,
		errors: errorsNamed('OUT_OF_SCOPE'),
		readers: async (request, { directory }) => ({
			principal: request.principal,
			scope: await entryListScope(request.query, request, directory),
		}),
		handler: async ({ query, viewer: { principal, scope }, now }, { db }) => {
			const viewer = { principal, now };
			return toEntryPage(await listEntries(db, query, scope, viewer), viewer);
		},
	}),
	route({
		method: 'get',
		path: '/api/events/{id}/entries.csv',
		operationId: 'downloadEntries',
		heavy: true,
		summary: 'Download the entries of an event as a table',
		description:
			'For the organiser and officers. With a byte order mark, so that spreadsheets read umlauts. `separator=comma` is for programs. `separator=semicolon` is for spreadsheets: amounts have a decimal comma, and texts that a spreadsheet would convert, such as `0012` or `1-2`, end with a tab. In both, an apostrophe precedes text that would be a formula.',
		access: 'signedIn',
		query: entriesFileQuery,
		output: z.string(),
		document: 'text/csv',
		fileName: 'entries.csv',
		message: 'Entries',
		cacheControl: personalCacheControl,
		errors: errorsNamed('OUT_OF_SCOPE'),
		readers: managingReaders,
		handler: async ({ query, viewer: { principal, event }, now }, { db }) => {
			const competitions = await competitionRows(db, event.id);
			const numbers = new Map(competitions.map(({ id, number }) => [id, number]));
			const form = query.separator ?? 'comma';
			const { currency } = event;
			return entriesFile(allEntriesOf(db, event.id), { principal, now }, numbers, { form, currency });
		},
	}),
];
