import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { describeUnless, describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { describeLong } from '../endurance/describe-long.ts';
import { acceptsTheChart } from './chart-dry-run.ts';
import { installsTheChart } from './chart-in-cluster.ts';
import { apiAddress, type Cluster, mountAccount, startCluster } from './cluster.ts';
import { template } from './helm.ts';
import { createPod, report, serviceText, startProcess } from './manual-pods.ts';
import { definitionOfServiceMonitors } from './service-monitor-definition.ts';

const programs = ['helm', 'kubectl', 'etcd', 'kube-apiserver', 'kube-controller-manager', 'kwok', 'ip'];
// Network namespaces need it.
const isRoot = process.getuid?.() === 0;

describeLong(process.env, 'a real Kubernetes API', () => {
	const suite = () => {
		let cluster: Cluster;
		beforeAll(async () => {
			cluster = await startCluster(process.env['PATH'] ?? '');
		}, 180_000);
		afterAll(() => cluster?.stop(), 60_000);

		acceptsTheChart(() => cluster, definitionOfServiceMonitors(process.env));
		installsTheChart(() => cluster);
		followsPods(() => cluster);
	};
	const name = 'with etcd, controllers and kwok';
	if (isRoot) describeWithPrograms(programs, name, suite);
	else describeUnless('needs root', name, suite);
});

function followsPods(cluster: () => Cluster): void {
	const namespace = 'live';
	const service = 'ping-service';
	const gatewayUrl = 'http://10.98.0.2:8080';
	const sendGets = fileURLToPath(new URL('send-gets.ts', import.meta.url));
	const get = async (path: string, count: number) =>
		JSON.parse(await cluster().exec(process.execPath, sendGets, `${gatewayUrl}${path}`, String(count))) as {
			status: number;
			body: string;
		}[];
	const data = async <T>(path: string): Promise<T> =>
		(JSON.parse((await get(path, 1))[0]?.body ?? '') as { data: T }).data;
	const instances = async () =>
		(await data<{ instances: { id: string; breaker: { state: string } }[] }>('/actuator/health/ping'))
			.instances;
	const sees = (...ids: string[]) =>
		eventually(
			`pods ${ids}`,
			async () => (await instances()).map(({ id }) => id).join() === ids.join(),
			20_000,
		);
	/** Sends GETs of which none fails. @returns the processes that responded */
	const pings = async (count: number): Promise<Set<string>> => {
		const responses = await get('/api/ping', count);
		expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
		return new Set(
			responses.map(({ body }) => (JSON.parse(body) as { data: { instance: string } }).data.instance),
		);
	};
	const pods = { 'ping-1': '10.98.0.3', 'ping-2': '10.98.0.4' };
	const processes: Record<string, ReturnType<typeof startProcess>> = {};

	beforeAll(async () => {
		await cluster().kubectl('create', 'namespace', namespace);
		const account = template().replaceAll('namespace: paddock', `namespace: ${namespace}`);
		const selector = ['--selector', 'app.kubernetes.io/component=discovery'];
		await cluster().apply(account, '--namespace', namespace, ...selector);
		await cluster().apply(serviceText(namespace, service));
		for (const [name, HOST] of Object.entries(pods)) {
			processes[name] = startProcess(cluster(), name, 'services/ping/src/main.ts', { HOST, PORT: '8086' });
			await createPod(cluster(), namespace, name, service);
		}
		await report(cluster(), namespace, 'ping-1', { address: pods['ping-1'], ready: true });
		await report(cluster(), namespace, 'ping-2', { address: pods['ping-2'], ready: false });
		startProcess(cluster(), 'gateway', 'gateway/src/main.ts', {
			...{ HOST: '10.98.0.2', PORT: '8080', CONTEXTS: 'ping', DISCOVERY: 'kubernetes' },
			...{ KUBERNETES_SERVICE_HOST: apiAddress, KUBERNETES_SERVICE_PORT: '6443' },
			KUBERNETES_ACCOUNT_DIR: await mountAccount(cluster(), namespace, 'paddock'),
			...{ RATE_LIMIT_ANONYMOUS: '0', RESPONSE_TIMEOUT_MS: '500', EVENT_LOOP_DELAY_MAX_MS: '60000' },
			HEALTH_SHARED_MS: '0',
		});
		await eventually(
			'the gateway responds',
			() =>
				get('/actuator/health', 1).then(
					() => true,
					() => false,
				),
			60_000,
		);
	}, 120_000);

	test('a pod gets requests once it is ready', async () => {
		await sees('ping-1');
		expect((await pings(20)).size).toBe(1);
		await report(cluster(), namespace, 'ping-2', { address: pods['ping-2'], ready: true });
		await sees('ping-1', 'ping-2');
		expect((await pings(40)).size).toBe(2);
		expect(await data('/actuator/health/discovery')).toMatchObject({ status: 'UP', kind: 'kubernetes' });
	}, 60_000);

	test('a pod that hangs costs none of 110 GETs, and only its own breaker opens', async () => {
		processes['ping-2']?.kill('SIGSTOP');
		expect((await pings(110)).size).toBe(1);
		const states = (await instances()).map(({ id, breaker }) => [id, breaker.state]);
		expect(states).toEqual([
			['ping-1', 'CLOSED'],
			['ping-2', 'OPEN'],
		]);
		processes['ping-2']?.kill('SIGCONT');
		await eventually('both respond again', async () => (await pings(20)).size === 2, 30_000);
	}, 120_000);

	test('while the API server is down the last known pods are used, and new ones when it is back', async () => {
		await cluster().stopApiServer();
		await eventually(
			'staleness',
			async () => {
				const { status, kind } = await data<{ status: string; kind: string }>('/actuator/health/discovery');
				return status === 'DEGRADED' && kind === 'kubernetes';
			},
			20_000,
		);
		expect((await pings(20)).size).toBe(2);
		await cluster().startApiServer();
		await eventually(
			'discovery is up',
			async () => {
				return (await data<{ status: string }>('/actuator/health/discovery')).status === 'UP';
			},
			30_000,
		);
	}, 180_000);

	test('a pod that terminates gets no requests, unless it is the last one that serves', async () => {
		const remove = (name: string, ...words: string[]) =>
			cluster().kubectl('delete', 'pod', name, '--namespace', namespace, '--wait=false', ...words);
		await remove('ping-1');
		await sees('ping-2');
		expect((await pings(40)).size).toBe(1);
		await remove('ping-1', '--force');
		await remove('ping-2');
		await eventually('the Service has no ready pod', async () => {
			const selector = ['--selector', `kubernetes.io/service-name=${service}`];
			const conditions = ['--output', 'jsonpath={.items[*].endpoints[*].conditions}'];
			const text = await cluster().kubectl(
				'get',
				'endpointslices',
				'--namespace',
				namespace,
				...selector,
				...conditions,
			);
			return !text.includes('"ready":true') && text.includes('"terminating":true');
		});
		await sees('ping-2');
		expect((await pings(40)).size).toBe(1);
		expect(await data('/actuator/health/discovery')).toMatchObject({ status: 'UP', stale: false });
	}, 60_000);
}
