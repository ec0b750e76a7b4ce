import { referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import { activeMembersOnly } from './active-members-only.ts';
import { competitionRoutes } from './competitions/routes.ts';
import type { EventsDeps } from './deps.ts';
import { entryListRoutes } from './entries/list-routes.ts';
import { entryRoutes } from './entries/routes.ts';
import { eventListRoutes } from './events/event-lists.ts';
import { eventRoutes } from './events/routes.ts';
import { eventStepRoutes } from './events/step-routes.ts';
import { referenceCounts } from './reference-counts.ts';

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
