import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { type ConsulAgent, startConsulAgent } from '../../testing/src/consul-agent.ts';
import { eventually } from '../../testing/src/eventually.ts';
import type { ConsulSettings } from '../src/consul-access.ts';
import { type ConsulRegistryDeps, openConsulRegistry } from '../src/consul-registry.ts';
import type { Registration, Registry, Watch } from '../src/registry.ts';

/** The shape of the defaults, with outages that last seconds instead of minutes. */
const settings: Partial<ConsulSettings> = {
	waitMs: 2_000,
	pauseMs: 50,
	backoffMinMs: 50,
	backoffMaxMs: 300,
	checkRegistrationMs: 500,
	probeMs: 300,
	callTimeoutMs: 1_500,
};

/** A real agent for one suite and, for each test, a service name of its own; see `consulScenario`. */
export interface ConsulScenario {
	readonly agent: ConsulAgent;
	readonly service: string;
	/** Run after the test, the last one first. */
	readonly cleanups: (() => Promise<void>)[];
	/** A registry on the suite's agent, or on the one that `deps` names; closed after the test. */
	registry(deps?: Partial<ConsulRegistryDeps>): Registry;
	/** A registration of this test's service with the id `<service>-<id>`. */
	registration(id: string, port: number, own?: Partial<Registration>): Registration;
	/** Registers an entry that our registration would not write. */
	registerRaw(body: Record<string, unknown>): Promise<void>;
	/** The ids of all services that the agent knows. */
	idsInAgent(): Promise<string[]>;
}

/** Starts the agent before the suite that calls it and stops it after. */
export function consulScenario(): ConsulScenario {
	let agent: ConsulAgent | undefined;
	let serviceCount = 0;
	const cleanups: (() => Promise<void>)[] = [];
	const running = () => {
		if (agent === undefined) throw new Error('the agent runs only while the suite does');
		return agent;
	};
	beforeAll(async () => {
		agent = await startConsulAgent();
	});
	afterAll(() => agent?.stop());
	beforeEach(() => {
		serviceCount += 1;
	});
	afterEach(async () => {
		for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	});

	const scenario: ConsulScenario = {
		get agent() {
			return running();
		},
		get service() {
			return `horses-${serviceCount}-service`;
		},
		cleanups,
		registry: (deps = {}) => {
			const registry = openConsulRegistry({
				address: running().address,
				logger: silentLogger(),
				now: () => new Date(),
				settings,
				...deps,
			});
			cleanups.push(registry.close);
			return registry;
		},
		registration: (id, port, own = {}) => ({
			name: scenario.service,
			id: `${scenario.service}-${id}`,
			address: '127.0.0.1',
			port,
			healthPath: '/health',
			// Usually nothing listens at the port: the first check must not run within the test.
			checkIntervalMs: 6_000_000,
			checkTimeoutMs: 1_000,
			...own,
		}),
		registerRaw: async (body) => {
			const response = await fetch(`http://${running().address}/v1/agent/service/register`, {
				method: 'PUT',
				body: JSON.stringify({ Name: scenario.service, ...body }),
			});
			expect(response.status).toBe(200);
		},
		idsInAgent: async () => {
			const response = await fetch(`http://${running().address}/v1/agent/services`);
			return Object.keys((await response.json()) as object);
		},
	};
	return scenario;
}

/** The ports of the instances that a watch sees, ascending. */
export function portsOf(watch: Watch): number[] {
	return watch
		.current()
		.instances.map(({ port }) => port)
		.sort((a, b) => a - b);
}

/** Resolves when a watch sees instances at exactly these ports. */
export function sees(watch: Watch, ...ports: number[]): Promise<void> {
	const expected = ports.sort((a, b) => a - b).join();
	return eventually(`instances at ${expected}`, () => portsOf(watch).join() === expected);
}
