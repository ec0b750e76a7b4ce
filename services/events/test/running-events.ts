import type { Database } from '@paddock/database';
import type { AccessTokenClaims } from '@paddock/identity';
import { readSettings } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import {
	createMovingClock,
	createTestDatabase,
	createTestIdentity,
	type MovingClock,
	migratedTemplate,
	openTestPool,
	startTestService,
	type TestService,
} from '@paddock/testing';
import { openEvents } from '../src/app.ts';
import { type EventsSettings, settings } from '../src/config.ts';
import type { EventsSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { type StubPeers, startStubPeers } from './stub-peers.ts';

export interface RunningEvents extends Pick<TestService, 'url' | 'call'> {
	/** The same database, to read stored rows. */
	readonly db: Database<EventsSchema>;
	readonly databaseUrl: string;
	/** Begins on 15 September 2026, 12:00 in Vienna. */
	readonly clock: MovingClock;
	readonly peers: StubPeers;
	/** A token of a FEDERATION_OFFICER. */
	readonly officer: string;
	/** A token; that of some MEMBER by default. */
	readonly sign: (claims?: Partial<AccessTokenClaims>) => string;
	/** An officer's expired token. */
	readonly expired: string;
	/** A token of another service. */
	readonly service: string;
	/** A token of another service that may count references. */
	readonly counting: string;
	/** A further instance of the service over the same database; closed with the first. */
	another(): Promise<Pick<TestService, 'call'>>;
	close(): Promise<void>;
}

const template = migratedTemplate('events', migrations);

/** The real service on a real port with its own database; the services that it calls are stubs. */
export async function runEvents(options: Partial<EventsSettings> = {}): Promise<RunningEvents> {
	const clock = createMovingClock(new Date('2026-09-15T10:00:00Z'));
	const database = await createTestDatabase(template);
	const identity = await createTestIdentity({ now: clock.now });
	const peers = await startStubPeers();
	const instances: TestService[] = [];
	const start = async (): Promise<TestService> => {
		const opened = await openEvents(
			{ ...readSettings(settings, { DATABASE_URL: database.url }), ...options },
			{
				logger: silentLogger(),
				metrics: createMetrics({ prefix: 'service', service: 'events-service' }),
				now: clock.now,
				registry: peers.registry,
			},
		);
		const started = await startTestService({ opened, keys: identity.keys, now: clock.now });
		instances.push(started);
		return started;
	};
	const service = await start();
	const db = openTestPool<EventsSchema>(database.url, { camelCase: true });
	return {
		url: service.url,
		call: service.call,
		db,
		databaseUrl: database.url,
		clock,
		peers,
		officer: identity.sign({ roles: ['FEDERATION_OFFICER'] }),
		sign: identity.sign,
		expired: identity.signExpired({ roles: ['FEDERATION_OFFICER'] }),
		service: identity.signService(['events:lookup']),
		counting: identity.signService(['references:count']),
		another: start,
		close: async () => {
			for (const instance of instances) await instance.close();
			await db.destroy();
			await identity.keys.close();
			await peers.close();
			await database.drop();
		},
	};
}
