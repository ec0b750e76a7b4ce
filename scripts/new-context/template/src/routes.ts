import { personRoutes } from '@paddock/context';
import type { Route } from '@paddock/service';
import type { SpecimensSchema } from './database-schema.ts';
import type { SpecimensDeps } from './deps.ts';
import { personalData } from './personal-data.ts';
import { specimenRoutes } from './specimens/routes.ts';

/** Everything under /api/specimens, and the internal routes. */
export const specimensRoutes: readonly Route<SpecimensDeps>[] = [
	...specimenRoutes,
	...personRoutes<SpecimensSchema, SpecimensDeps>(personalData),
];
