import { referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import { clubRoutes } from './clubs/routes.ts';
import type { MembersDeps } from './deps.ts';
import { lookupRoutes } from './lookup/routes.ts';
import { memberReadingRoutes } from './members/read-routes.ts';
import { memberWritingRoutes } from './members/routes.ts';
import { memberStateRoutes } from './members/state-routes.ts';
import { referenceCounts } from './reference-counts.ts';

/** All routes under /api/members, and the internal routes for other services. */
export const membersRoutes: readonly Route<MembersDeps>[] = [
	...memberReadingRoutes,
	...memberWritingRoutes,
	...memberStateRoutes,
	...clubRoutes,
	...lookupRoutes,
	referencesRoute<MembersDeps>(referenceCounts),
];
