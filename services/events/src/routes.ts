import { referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import type { EventsDeps } from './deps.ts';
import { referenceCounts } from './repository/references.ts';
import { activeMembersOnly } from './routes/active-members-only.ts';
import { competitionRoutes } from './routes/competitions.ts';
import { entryRoutes } from './routes/entries.ts';
import { entryListRoutes } from './routes/entry-lists.ts';
import { eventListRoutes } from './routes/event-lists.ts';
import { eventStepRoutes } from './routes/event-steps.ts';
import { eventRoutes } from './routes/events.ts';

/** Everything under /api/events, and the count of references for other services. */
export const eventsRoutes: readonly Route<EventsDeps>[] = [
	...eventListRoutes,
	...eventRoutes,
	...eventStepRoutes,
	...competitionRoutes,
	...entryListRoutes,
	...entryRoutes,
	referencesRoute<EventsDeps>(referenceCounts),
].map(activeMembersOnly);
