import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect } from '@jest/globals';
import {
	eventually,
	type RawUpstream,
	rawUpstream,
	recordingUpstream,
	type TestUpstream,
} from '@paddock/testing';
import { nodeWarnings } from './node-warnings.ts';
import { type ReceivedResponse, type SentRequest, sendRequest } from './send-request.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './start-test-gateway.ts';

export interface Bench {
	/** A gateway in front of these instances of horses-service. */
	gateway(urls: readonly string[], settings?: Record<string, string>): Promise<BenchGateway>;
	start(options: TestGatewayOptions): Promise<BenchGateway>;
	upstream(...args: Parameters<typeof recordingUpstream>): Promise<TestUpstream>;
	raw(...args: Parameters<typeof rawUpstream>): Promise<RawUpstream>;
	/** Starts listening with a server of the test. @returns its URL */
	serve(server: Server): Promise<string>;
	/** Registers a function to call after the test, in reverse order. */
	closing(close: () => Promise<void> | void): void;
}

export interface BenchGateway extends TestGateway {
	/** Sends a request, by default with a valid token. */
	send(sent: SentRequest): Promise<ReceivedResponse>;
	/** The sum of a counter over all series with these labels. */
	counted(metric: string, labels: Readonly<Record<string, string>>): Promise<number>;
	inFlight(): number;
}

/**
 * A test bench: gateways, upstreams and clients. After each test no request may be in flight and Node.js must not have
 * warned of a leak.
 */
export function testBench(): Bench {
	const closers: (() => Promise<void> | void)[] = [];
	const gateways: BenchGateway[] = [];
	afterEach(async () => {
		try {
			for (const gateway of gateways.splice(0))
				await eventually('nothing is in flight', () => gateway.inFlight() === 0);
		} finally {
			for (const close of closers.splice(0).reverse()) await close();
		}
		expect(await nodeWarnings()).toEqual([]);
	});
	const bench: Bench = {
		gateway: (urls, settings = {}) => bench.start({ services: { 'horses-service': [...urls] }, settings }),
		start: async (options) => {
			const started = await startTestGateway({
				...options,
				settings: { CONTEXTS: 'auth,members,horses,ping', ...options.settings },
			});
			closers.push(() => started.close());
			const gateway = { ...started, ...toolsOf(started) };
			gateways.push(gateway);
			return gateway;
		},
		upstream: async (...args) => {
			const upstream = await recordingUpstream(...args);
			closers.push(() => upstream.close());
			return upstream;
		},
		raw: async (...args) => {
			const upstream = await rawUpstream(...args);
			closers.push(() => upstream.close());
			return upstream;
		},
		serve: async (server) => {
			server.listen(0, '127.0.0.1');
			await once(server, 'listening');
			closers.push(() => {
				server.closeAllConnections();
				server.close();
			});
			return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		},
		closing: (close) => {
			closers.push(close);
		},
	};
	return bench;
}

function toolsOf(gateway: TestGateway): Omit<BenchGateway, keyof TestGateway> {
	const { metrics } = gateway.opened.deps.operations;
	const token = gateway.identity.sign();
	return {
		send: (sent) => sendRequest(gateway.port, { token, ...sent }),
		counted: async (metric, labels) => {
			const read = await metrics.registry.getSingleMetric(metric)?.get();
			const series = (read?.values ?? []).filter((value) =>
				Object.entries(labels).every(([name, text]) => String(Reflect.get(value.labels, name)) === text),
			);
			return series.reduce((sum, { value }) => sum + value, 0);
		},
		inFlight: () =>
			gateway.opened.deps.contexts
				.flatMap(({ service }) => gateway.opened.deps.table.upstreams(service))
				.reduce((sum, { inFlight }) => sum + inFlight, 0),
	};
}
