import { migratedTemplate, startTestContext, type TestContext, useRunning } from '@paddock/testing';
import { openSpecimens } from '../src/app.ts';
import { type SpecimensSettings, settings } from '../src/config.ts';
import type { SpecimensSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';

const template = migratedTemplate('specimens_service', migrations);

/** The real service on a real port over a migrated database of its own. */
export function runSpecimens(
	changes: Partial<SpecimensSettings> = {},
): Promise<TestContext<SpecimensSchema, SpecimensSettings>> {
	const startsAt = '2026-05-01T10:00:00Z';
	return startTestContext({ template, settings, open: openSpecimens, startsAt }, changes);
}

/** The same for the tests of a file. */
export const useSpecimens = () => useRunning(() => runSpecimens());
