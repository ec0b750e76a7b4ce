import { contextOpener } from '@paddock/context';
import { context } from '../context.ts';
import type { SpecimensSettings } from './config.ts';
import type { SpecimensSchema } from './database-schema.ts';
import { demoSpecimens } from './demo.ts';
import type { SpecimensDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { specimensRoutes } from './routes.ts';

export const openSpecimens = contextOpener<SpecimensSchema, SpecimensDeps, SpecimensSettings>({
	description: context,
	migrations,
	demo: () => demoSpecimens,
	open: ({ db }) => ({ routes: specimensRoutes, deps: { db } }),
});
