import type { Role } from '@paddock/identity';
import {
	migratedTemplate,
	type SettableRegistry,
	startTestContext,
	type TestContext,
	useRunning,
} from '@paddock/testing';
import { openMasterdata } from '../src/app.ts';
import { type MasterdataSettings, settings } from '../src/config.ts';
import type { MasterdataSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { seedSets } from '../src/seed.ts';

/** Its clock begins on 1 May 2026, 12:00 in Vienna. */
export interface RunningMasterdata extends TestContext<MasterdataSchema, MasterdataSettings> {
	/** A token of a MEMBER. */
	readonly member: string;
	/** An officer's expired token. */
	readonly expired: string;
	/** A token with one role. */
	readonly signAs: (role: Role) => string;
}

const template = migratedTemplate('masterdata', migrations, seedSets);

/** The real service, migrated and seeded; by default no other context is deployed. */
export async function runMasterdata(
	changes: Partial<MasterdataSettings> = {},
	registry?: SettableRegistry,
): Promise<RunningMasterdata> {
	const context: TestContext<MasterdataSchema, MasterdataSettings> = await startTestContext(
		{
			template,
			settings,
			env: { CONTEXTS: 'auth,masterdata', PEER_TIMEOUT_MS: '2000' },
			open: openMasterdata,
			startsAt: '2026-05-01T10:00:00Z',
			...(registry === undefined ? {} : { registry }),
		},
		changes,
	);
	return Object.assign(context, {
		member: context.sign(),
		expired: context.signExpired({ roles: ['FEDERATION_OFFICER'] }),
		signAs: (role: Role) => context.sign({ roles: [role] }),
	});
}

/** The same for the tests of a file. */
export const useMasterdata = () => useRunning(() => runMasterdata());
