import { z } from 'zod';
import { discipline } from './event-fields.ts';
import { stateCodeFilter } from './query-schemas.ts';

/** Other parameters are ignored: programs and pages that pass on an address add their own (`fbclid`, `utm_source`). */
export const calendarQuery = z.object({
	discipline: discipline.optional().describe('Events with this discipline.'),
	stateCode: stateCodeFilter.optional(),
});

export type CalendarQuery = z.output<typeof calendarQuery>;

/** A VCALENDAR of RFC 5545. */
export const calendarDocument = z.string();
