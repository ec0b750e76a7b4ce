import { referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import type { MembersDeps } from './deps.ts';
import { referenceCounts } from './repository/references.ts';
import { clubRoutes } from './routes/clubs.ts';
import { lookupRoutes } from './routes/lookups.ts';
import { memberReadingRoutes } from './routes/member-reading.ts';
import { memberStateRoutes } from './routes/member-states.ts';
import { memberWritingRoutes } from './routes/member-writing.ts';

/** All routes under /api/members, and the internal routes for other services. */
export const membersRoutes: readonly Route<MembersDeps>[] = [
	...memberReadingRoutes,
	...memberWritingRoutes,
	...memberStateRoutes,
	...clubRoutes,
	...lookupRoutes,
	referencesRoute<MembersDeps>(referenceCounts),
];
