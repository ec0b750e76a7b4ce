import { expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { contexts, serviceName } from '../../scripts/contexts/contexts.ts';
import type { Cluster } from './cluster.ts';
import { chart, setting } from './helm.ts';
import { admittedPods, expectedPolicies } from './network-policies.ts';

/** The namespace of the installation. */
export const namespace = 'paddock';

/** The names of all Deployments. */
export const processes = ['gateway', ...contexts.map(serviceName)].sort();

// The minReplicas of each autoscaler.
const replicas = 2;

interface Status {
	metadata: { name: string };
	status: {
		currentReplicas?: number;
		expectedPods?: number;
		disruptionsAllowed?: number;
		conditions?: { type: string; status: string }[];
	};
}

/** Installs the chart in its namespace, which exists; each test needs those before it. */
export function installsTheChart(cluster: () => Cluster): void {
	const { helm, kubectl } = releaseIn(cluster);

	test('an installation and an upgrade roll out, and each service has its pods', async () => {
		await kubectl('create', 'secret', 'generic', 'paddock');
		await helm('install');
		await helm('upgrade', 'environment.LOG_LEVEL=warn');
		for (const service of [...processes, 'paddock']) {
			const ready = '{.items[*].endpoints[?(@.conditions.ready==true)].addresses[0]}';
			const selector = ['--selector', `kubernetes.io/service-name=${service}`];
			const pods = async () =>
				(await kubectl('get', 'endpointslices', ...selector, '--output', `jsonpath=${ready}`)).split(' ');
			await eventually(`pods of ${service}`, async () => (await pods()).length === replicas, 60_000);
		}
	}, 600_000);

	scalesTheChart(cluster);
}

function scalesTheChart(cluster: () => Cluster): void {
	const { helm, kubectl } = releaseIn(cluster);
	const listed = async (resource: string) =>
		(JSON.parse(await kubectl('get', resource, '--output', 'json')) as { items: Status[] }).items;

	test('each autoscaler reads and sets the scale of its Deployment', async () => {
		await eventually(
			'autoscalers are able to scale',
			async () => {
				const able = (await listed('horizontalpodautoscalers')).filter(
					({ status: { conditions, currentReplicas } }) =>
						currentReplicas === replicas &&
						conditions?.some(({ type, status }) => type === 'AbleToScale' && status === 'True'),
				);
				return able.map(({ metadata }) => metadata.name).join() === processes.join();
			},
			60_000,
		);
	}, 90_000);

	test('each network policy selects the pods of its process, and admits those of its callers', async () => {
		expect(await admittedPods(kubectl)).toEqual(expectedPolicies(processes));
	}, 60_000);

	test('each disruption budget permits one eviction, also of the only pod', async () => {
		const single = ['contexts.ping.autoscaling.enabled=false', 'contexts.ping.replicas=1'];
		await helm('upgrade', 'environment.LOG_LEVEL=warn', ...single);
		const expected = processes.map((name) => ({
			name,
			pods: name === 'ping-service' ? 1 : replicas,
			allowed: 1,
		}));
		await eventually(
			'disruptions are allowed',
			async () => {
				const budgets = (await listed('poddisruptionbudgets')).map(({ metadata: { name }, status }) => ({
					name,
					pods: status.expectedPods,
					allowed: status.disruptionsAllowed,
				}));
				return JSON.stringify(budgets) === JSON.stringify(expected);
			},
			60_000,
		);
		const pods = ['--pod-selector', 'app.kubernetes.io/name=ping-service', '--delete-emptydir-data'];
		await cluster().kubectl('drain', 'fake', ...pods, '--timeout=30s');
		await cluster().kubectl('uncordon', 'fake');
	}, 300_000);
}

function releaseIn(cluster: () => Cluster) {
	const inNamespace = ['--namespace', namespace];
	const helm = (command: string, ...values: string[]) =>
		cluster().exec(
			...(['helm', command, 'paddock', chart, ...inNamespace, '--wait', '--timeout', '4m'] as const),
			...setting(values),
		);
	const kubectl = (...words: string[]) => cluster().kubectl(...inNamespace, ...words);
	return { helm, kubectl };
}
