import { openContext } from '@paddock/context';
import type { OpenContext, OpenedService } from '@paddock/service';
import { context as description } from '../context.ts';
import type { SpecimensSettings } from './config.ts';
import type { SpecimensSchema } from './database-schema.ts';
import { demoSpecimens } from './demo.ts';
import type { SpecimensDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { specimensRoutes } from './routes.ts';

/** @throws as `openContext` */
export function openSpecimens(
	settings: SpecimensSettings,
	context: OpenContext,
): Promise<OpenedService<SpecimensDeps>> {
	const seedSets = settings.DEMO ? [demoSpecimens] : [];
	return openContext<SpecimensSchema, SpecimensDeps>(
		{ description, settings, context, migrations, seedSets },
		({ db }) => ({ routes: specimensRoutes, deps: { db } }),
	);
}
