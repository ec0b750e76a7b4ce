import { listen } from '@paddock/service';
import { type LineSink, type Logger, silentLogger } from '@paddock/telemetry';
import {
	createSettableRegistry,
	createTestIdentity,
	eventually,
	type SettableRegistry,
} from '@paddock/testing';
import { createGateway } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { refusalLog } from '../src/edge/access-log.ts';
import { type OpenedGateway, openGateway } from '../src/open-gateway.ts';
import type { PortalFiles } from '../src/portal/portal-files.ts';

import { forwarderUnderTest } from './forwarder-under-test.ts';
import { type StandInAuth, standInAuth } from './stand-in-auth.ts';

export interface TestGateway {
	url: string;
	port: number;
	registry: SettableRegistry;
	/** Signs and forges tokens; its keys are the ones that the gateway fetches. */
	identity: Awaited<ReturnType<typeof createTestIdentity>>;
	/** What stands in the place of the auth context: it publishes the keys and answers everything else with them. */
	auth: StandInAuth;
	opened: OpenedGateway;
	close(): Promise<void>;
}

export interface TestGatewayOptions {
	/** Service name → urls of its instances; auth-service is added unless given. */
	services?: Record<string, string[]>;
	/** As in the environment, e.g. `{ RATE_LIMIT_ANONYMOUS: '3' }`. Rate limits are off unless set here. */
	settings?: Record<string, string>;
	/** The generated documents; next to nothing unless given. */
	portalFiles?: PortalFiles;
	/** Silent unless given. */
	logger?: Logger;
	/** Takes the lines of the access log; they are dropped unless given. */
	accessSink?: LineSink;
}

const emptyFiles = {
	openapi: 'openapi: 3.0.3\n',
	collection: '{ "item": [] }',
	environment: '{ "values": [] }',
};

/**
 * The real gateway in this process, on a real socket, in front of whatever upstreams a test brings. Keys come from a
 * real HTTP server in the place of the auth context.
 */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
	const identity = await createTestIdentity();
	const auth = await standInAuth(identity.jwks);
	const config = readConfig({
		NODE_ENV: 'test',
		RATE_LIMIT_SIGN_IN: '0',
		RATE_LIMIT_ANONYMOUS: '0',
		RATE_LIMIT_USER: '0',
		RATE_LIMIT_OFFICER: '0',
		// Tests share two cores with whatever else runs; shedding is tested where it is asked for.
		EVENT_LOOP_DELAY_MAX_MS: '60000',
		HEALTH_SHARED_MS: '0',
		HEALTH_WATCH_MS: '600000',
		...options.settings,
	});
	const registry = createSettableRegistry({ 'auth-service': [auth.url], ...options.services });
	const now = () => new Date();
	const logger = options.logger ?? silentLogger();
	const opened = openGateway({
		config,
		registry,
		logger,
		accessSink: options.accessSink ?? { write: () => undefined },
		now,
		random: Math.random,
		version: '0.0.0-test',
		build: {
			application: { name: 'paddock-gateway', version: '0.0.0-test' },
			build: { time: null },
			git: { commit: null, branch: null },
			node: { version: process.version },
		},
		advertised: () => undefined,
		portalFiles: options.portalFiles ?? emptyFiles,
		draining: () => false,
		...forwarderUnderTest(),
	});
	const server = await listen({
		listener: createGateway(opened.deps),
		host: '127.0.0.1',
		port: 0,
		keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
		headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
		requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
		unreadTimeoutMs: config.IDLE_TIMEOUT_MS,
		headerBytesMax: 2 * (config.URL_BYTES_MAX + config.HEADER_BYTES_MAX),
		now,
		onRefused: refusalLog({ lines: opened.deps.accessLines, metrics: opened.deps.operations.metrics }),
	});
	// As whoever sends it traffic would; without an auth context that is after a few seconds, with one at once.
	const hasKeys = options.services?.['auth-service'] === undefined;
	if (hasKeys) await eventually('the gateway is ready', () => opened.deps.operations.ready());
	return {
		url: `http://127.0.0.1:${server.port}`,
		port: server.port,
		registry,
		identity,
		auth,
		opened,
		close: async () => {
			await server.close(1_000);
			opened.close();
			await auth.close();
		},
	};
}
