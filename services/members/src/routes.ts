import type { Route } from '@paddock/service';
import type { MembersDeps } from './deps.ts';
import { clubRoutes } from './routes/clubs.ts';
import { lookupRoutes } from './routes/lookups.ts';
import { memberReadingRoutes } from './routes/member-reading.ts';
import { memberStateRoutes } from './routes/member-states.ts';
import { memberWritingRoutes } from './routes/member-writing.ts';
import { referenceRoutes } from './routes/references.ts';

/** Everything under /api/members, and what other services are told. */
export const membersRoutes: readonly Route<MembersDeps>[] = [
	...memberReadingRoutes,
	...memberWritingRoutes,
	...memberStateRoutes,
	...clubRoutes,
	...lookupRoutes,
	...referenceRoutes,
];
