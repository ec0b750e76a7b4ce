import { migratedTemplate, startTestContext, type TestContext } from '@paddock/testing';
import { openEvents } from '../src/app.ts';
import { type EventsSettings, settings } from '../src/config.ts';
import type { EventsSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { type StubPeers, startStubPeers } from './stub-peers.ts';

/** Its clock begins on 15 September 2026, 12:00 in Vienna. */
export interface RunningEvents extends TestContext<EventsSchema, EventsSettings> {
	readonly peers: StubPeers;
	/** An officer's expired token. */
	readonly expired: string;
	/** A token of another service. */
	readonly service: string;
	/** A token of another service that may count references. */
	readonly counting: string;
}

const template = migratedTemplate('events', migrations);

/** The real service; the services that it calls are stubs. */
export async function runEvents(changes: Partial<EventsSettings> = {}): Promise<RunningEvents> {
	const peers = await startStubPeers();
	const { registry } = peers;
	const startsAt = '2026-09-15T10:00:00Z';
	const context: TestContext<EventsSchema, EventsSettings> = await startTestContext(
		// Long enough for a busy machine; tests of a service that hangs set less.
		{ template, settings, env: { PEER_TIMEOUT_MS: '3000' }, open: openEvents, startsAt, registry },
		changes,
	);
	const { close } = context;
	return Object.assign(context, {
		peers,
		expired: context.signExpired({ roles: ['FEDERATION_OFFICER'] }),
		service: context.signService(['events:lookup']),
		counting: context.signService(['references:count']),
		close: async () => {
			await close();
			await peers.close();
		},
	});
}
