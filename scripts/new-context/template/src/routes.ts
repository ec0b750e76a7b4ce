import type { Route } from '@paddock/service';
import type { SpecimensDeps } from './deps.ts';
import { specimenRoutes } from './specimens/routes.ts';

/** Everything under /api/specimens. */
export const specimensRoutes: readonly Route<SpecimensDeps>[] = [...specimenRoutes];
