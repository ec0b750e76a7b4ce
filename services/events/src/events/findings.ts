import type { Route } from '@paddock/service';
import type { CompetitionRow, EventRow } from '../database-schema.ts';
import { type EventsDeps, personalCacheControl, route } from '../deps.ts';
import { listTakenCompetitions } from '../entries/places.ts';
import { managerErrors } from '../errors.ts';
import type { CompetitionFinding } from '../rules/competition-rules.ts';
import { judgeEvent } from '../rules/event-rules.ts';
import { managersOnly, managingReaders } from './access.ts';
import type { Missing } from './publish.ts';
import { entryWindow } from './rules.ts';
import { type EventFindings, eventFindings } from './view-schemas.ts';

type Judged = CompetitionRow & { readonly accepted?: number };

/** What the rules do not allow in an announcement: deadlines, fees, prizes, divisions. Empty for events of the FEI. */
export function findingsAbout(
	event: EventRow,
	competitions: readonly Judged[],
	isClosed = false,
): readonly CompetitionFinding[] {
	if (event.ruleset !== 'OETO') return [];
	const open = competitions.filter(({ status }) => status === 'OPEN');
	return judgeEvent(
		event,
		open.map((one) => ({ ...one, starters: one.accepted ?? 0, isClosed })),
	);
}

const isRequiredDivision = ({ rule: { code, level } }: CompetitionFinding) =>
	code === 'DIVISION_REQUIRED' && level === 'ERROR';

/** Divisions without which the rules do not allow a competition (OeTO §900.3). */
export function missingDivisions(
	event: EventRow,
	competitions: readonly CompetitionRow[],
): readonly Missing[] {
	return findingsAbout(event, competitions)
		.filter(isRequiredDivision)
		.map(({ message }) => ({ code: 'DIVISION_REQUIRED', message }));
}

export function toWarning({ message, rule: { code, paragraph } }: CompetitionFinding) {
	return { code, message, rule: { source: 'OETO', paragraph } };
}

async function listFindings(event: EventRow, now: Date, { db }: EventsDeps): Promise<EventFindings> {
	const isClosed = entryWindow(event, now) === 'CLOSED';
	const found = findingsAbout(event, await listTakenCompetitions(db, event.id), isClosed);
	return {
		items: found.map((finding) => ({
			...toWarning(finding),
			level: finding.rule.level,
			competitionId: finding.competitionId ?? null,
		})),
	};
}

export const findingRoutes: readonly Route<EventsDeps>[] = [
	route({
		method: 'get',
		path: '/api/events/{id}/findings',
		operationId: 'listEventFindings',
		summary: 'List what the rules do not allow in an event',
		description:
			'For its organiser and the office, at its present state: deadlines, fees and prizes, divisions that are missing in the announcement or, by the number of starters, in a competition (OeTO §39.2), and competitions with too few starters (§25.2). Empty for events of the FEI.',
		access: managersOnly,
		output: eventFindings,
		message: 'Findings',
		etag: 'content',
		cacheControl: personalCacheControl,
		errors: managerErrors(),
		readers: managingReaders,
		handler: ({ viewer: { event }, now }, deps) => listFindings(event, now, deps),
	}),
];
