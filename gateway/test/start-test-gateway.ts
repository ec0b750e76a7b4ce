import type { MutualTls, Registry } from '@paddock/discovery';
import { openRedis } from '@paddock/redis';
import { listen } from '@paddock/service';
import { type LineSink, type Logger, silentLogger, type Tracing } from '@paddock/telemetry';
import {
	createSettableRegistry,
	createTestIdentity,
	eventually,
	type SettableRegistry,
	type TestIdentity,
} from '@paddock/testing';
import { openAttachedContexts } from '../src/attached/attached-contexts.ts';
import { createPreparation, openAttachedFeed } from '../src/attached/prepared-contexts.ts';
import { readConfig } from '../src/config/config.ts';
import { readOwnContracts } from '../src/contexts/contracts.ts';
import { gatewayPages } from '../src/pages/gateway-pages.ts';
import type { PortalFiles } from '../src/portal/portal-documents.ts';
import { type OpenedGateway, type OpenGatewayOptions, openGateway } from '../src/process/open-gateway.ts';
import { clientServerOptions } from '../src/process/server-options.ts';
import { requestPipeline } from '../src/request-pipeline.ts';

import { forwarderUnderTest } from './forwarder-under-test.ts';
import { type StandInAuth, standInAuth } from './stand-in-auth.ts';

export interface TestGateway {
	url: string;
	port: number;
	registry: SettableRegistry;
	/** Signs and forges tokens; its keys are the ones that the gateway fetches. */
	identity: Awaited<ReturnType<typeof createTestIdentity>>;
	/** The stub of auth, which publishes the keys. */
	auth: StandInAuth;
	opened: OpenedGateway;
	close(): Promise<void>;
}

export interface TestGatewayOptions {
	/** URLs of the instances by service name; auth-service is added by default. */
	services?: Record<string, string[]>;
	/** Environment variables, e.g. `{ RATE_LIMIT_ANONYMOUS: '3' }`. Rate limits are off by default. */
	settings?: Record<string, string>;
	/** This gateway's entry in the registry. */
	advertised?: OpenGatewayOptions['advertised'];
	/** The store that gateways share; none by default. */
	sharedValues?: Registry['sharedValues'];
	/** The generated documents; nearly empty by default. */
	portalFiles?: PortalFiles;
	/** Signs the tokens; a new one by default. */
	identity?: TestIdentity;
	/** Of connections to services, also to `auth-service`, which has to be given then; plain HTTP by default. */
	tls?: MutualTls;
	/** Silent by default. */
	logger?: Logger;
	/** Receives the lines of the access log; discarded by default. */
	accessSink?: LineSink;
	/** Off by default. */
	tracing?: Tracing;
	/** The system clock by default. */
	now?: () => Date;
}

const emptyFiles = {
	collection: '{ "item": [] }',
	environment: '{ "values": [] }',
	runbook: '# Operations',
};

const build = {
	application: { name: 'paddock-gateway', version: '0.0.0-test' },
	build: { time: null },
	git: { commit: null, branch: null },
	node: { version: process.version },
};

/** Read once: a file starts many gateways, and reading takes a quarter of each start. */
const ownContracts = readOwnContracts();

/**
 * Starts the real gateway in this process on a real socket, in front of the test's upstreams. Its keys come from a stub
 * of auth.
 */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
	const identity = options.identity ?? (await createTestIdentity());
	const auth = await standInAuth(identity.jwks);
	const config = readConfig({
		NODE_ENV: 'test',
		RATE_LIMIT_SIGN_IN: '0',
		RATE_LIMIT_ANONYMOUS: '0',
		RATE_LIMIT_USER: '0',
		RATE_LIMIT_OFFICER: '0',
		// Tests share the machine; only tests of load shedding set this.
		EVENT_LOOP_DELAY_MAX_MS: '60000',
		HEALTH_SHARED_MS: '0',
		HEALTH_WATCH_MS: '600000',
		...options.settings,
	});
	const registry = registryOf({ 'auth-service': [auth.url], ...options.services }, options.sharedValues);
	const { now = () => new Date() } = options;
	const logger = options.logger ?? silentLogger();
	const { REDIS_URL: url, REDIS_TIMEOUT_MS: timeoutMs } = config;
	const redis = url === undefined ? undefined : await openRedis({ url, timeoutMs, logger, now });
	const contracts = await ownContracts;
	const preparation = createPreparation();
	const attachedContexts = await openAttachedContexts({
		...{ config, own: contracts, registry, tls: options.tls, logger, now, preparation },
	});
	const opened = openGateway({
		config,
		registry,
		tls: options.tls,
		logger,
		accessSink: options.accessSink ?? { write: () => undefined },
		...(options.tracing === undefined ? {} : { tracing: options.tracing }),
		now,
		random: Math.random,
		version: '0.0.0-test',
		build,
		advertised: options.advertised ?? (() => undefined),
		contracts,
		attached: await openAttachedFeed(attachedContexts, { preparation, registry, logger }),
		attachedContexts,
		portalFiles: options.portalFiles ?? emptyFiles,
		draining: () => false,
		redis,
		...forwarderUnderTest(),
	});
	const server = await listen({
		listener: requestPipeline(opened.deps, gatewayPages(opened.deps)),
		...clientServerOptions(opened.deps),
		host: '127.0.0.1',
		port: 0,
	});
	// Like a load balancer. With auth the gateway is ready at once, without it after a few seconds.
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
			redis?.close();
			await auth.close();
		},
	};
}

function registryOf(
	services: Record<string, string[]>,
	sharedValues: Registry['sharedValues'],
): SettableRegistry {
	const registry = createSettableRegistry(services);
	return sharedValues === undefined ? registry : { ...registry, sharedValues };
}
