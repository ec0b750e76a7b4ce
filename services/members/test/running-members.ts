import {
	migratedTemplate,
	registryOfStubs,
	type SettableRegistry,
	type StubService,
	startTestContext,
	type TestContext,
	useRunning,
} from '@paddock/testing';
import { openMembers } from '../src/app.ts';
import { type MembersSettings, settings } from '../src/config.ts';
import type { MembersSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { stubAuth, stubEvents, stubHorses, stubMasterdata } from './stub-peers.ts';

/** Its clock begins on 1 May 2026, 12:00 in Vienna. */
export interface RunningMembers extends TestContext<MembersSchema, MembersSettings> {
	readonly registry: SettableRegistry;
	readonly masterdata: StubService;
	readonly events: Awaited<ReturnType<typeof stubEvents>>;
	/** Member id → number of horses owned. */
	readonly horses: Awaited<ReturnType<typeof stubHorses>>;
	readonly auth: Awaited<ReturnType<typeof stubAuth>>;
	/** A token of a CLUB_OFFICIAL of these clubs. */
	readonly officialOf: (...clubIds: readonly string[]) => string;
	/** A token of the member with this id. */
	readonly memberIs: (memberId: string) => string;
}

const template = migratedTemplate('members', migrations);

/** The real service with stubs of the contexts that it calls. */
export async function runMembers(changes: Partial<MembersSettings> = {}): Promise<RunningMembers> {
	const [masterdata, events, horses, auth] = await Promise.all([
		stubMasterdata(),
		stubEvents(),
		stubHorses(),
		stubAuth(),
	]);
	const registry = registryOfStubs({
		'masterdata-service': masterdata,
		'events-service': events,
		'horses-service': horses,
		'auth-service': auth,
	});
	const context: TestContext<MembersSchema, MembersSettings> = await startTestContext(
		{
			template,
			settings,
			env: { PEER_TIMEOUT_MS: '2000' },
			open: openMembers,
			startsAt: '2026-05-01T10:00:00Z',
			registry,
		},
		changes,
	);
	const { sign, close } = context;
	return Object.assign(context, {
		registry,
		masterdata,
		events,
		horses,
		auth,
		officialOf: (...clubIds: readonly string[]) =>
			sign({ roles: ['MEMBER', 'CLUB_OFFICIAL'], roleScopes: { CLUB_OFFICIAL: { clubIds } } }),
		memberIs: (memberId: string) => sign({ roles: ['MEMBER'], memberId }),
		close: async () => {
			await close();
			await Promise.all([masterdata, events, horses, auth].map((peer) => peer.close()));
		},
	});
}

/** The same for the tests of a file. */
export const useMembers = (changes?: Partial<MembersSettings>) => useRunning(() => runMembers(changes));
