import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '@paddock/testing';
import { openNetwork } from './network.ts';

const kwokStages = fileURLToPath(new URL('kwok-stages.yaml', import.meta.url));

/** The address of the API server; pods get further ones of 10.98.0.0/24. EndpointSlices refuse those of 127.0.0.0/8. */
export const apiAddress = '10.98.0.1';

export interface Cluster {
	readonly directory: string;
	/** Runs a program in the network of the cluster. @returns its output */
	exec(program: string, ...words: string[]): Promise<string>;
	kubectl(...words: string[]): Promise<string>;
	/** `kubectl apply` of objects in YAML or JSON. @returns its output, warnings included */
	apply(text: string, ...words: string[]): Promise<string>;
	/** Starts a program in the network of the cluster; its output is in `directory`. Stopped with the cluster. */
	start(name: string, words: readonly string[], env?: Record<string, string>): ChildProcess;
	stopApiServer(): Promise<void>;
	startApiServer(): Promise<void>;
	stop(): Promise<void>;
}

/**
 * A Kubernetes API with its controllers in a network namespace. kwok reports pods of the node `fake` as running; the node `manual`
 * has no kubelet. In place of a scheduler each pod is bound to `fake`. `path` is the PATH of the programs.
 */
export async function startCluster(path: string): Promise<Cluster> {
	const directory = await mkdtemp(join(tmpdir(), 'paddock-kubernetes-'));
	const network = openNetwork(directory, path);
	const { exec, start, end } = network;
	const kubectl = (...words: string[]) => exec('kubectl', ...words);
	const startApiServer = async (): Promise<void> => {
		start('apiserver', apiServer(directory));
		const ready = () =>
			kubectl('get', '--raw', '/readyz').then(
				() => true,
				() => false,
			);
		await eventually('the API server is ready', ready, 90_000);
	};

	/** Keeps the logs. */
	const abandon = async (error: unknown): Promise<never> => {
		await network.close();
		throw new Error(`no cluster; see ${directory}`, { cause: error });
	};
	await writeAccess(directory);
	start('etcd', etcd(directory));
	await startApiServer().catch(abandon);
	const inDirectory = (name: string) => join(directory, name);
	const withConfig = ['--kubeconfig', inDirectory('kubeconfig')];
	const managerKeys = ['--service-account-private-key-file', inDirectory('accounts.key')];
	// Without kubelets the nodes send no heartbeats.
	const controllers = '*,-node-lifecycle-controller,-taint-eviction-controller';
	start('controllers', [
		...['kube-controller-manager', ...withConfig, ...managerKeys, '--leader-elect=false'],
		...['--root-ca-file', inDirectory('certificates/apiserver.crt'), '--controllers', controllers],
	]);
	const kwok = [
		'--manage-nodes-with-annotation-selector',
		'kwok.x-k8s.io/node=fake',
		'--cidr',
		'10.98.0.128/25',
	];
	start('kwok', ['kwok', ...withConfig, '--config', kwokStages, ...kwok, '--node-ip', apiAddress]);
	const apply: Cluster['apply'] = async (text, ...words) => {
		const file = inDirectory(`${crypto.randomUUID()}.yaml`);
		await writeFile(file, text);
		return kubectl('apply', '-f', file, ...words);
	};
	await apply(
		JSON.stringify({
			apiVersion: 'v1',
			kind: 'Node',
			metadata: { name: 'fake', annotations: { 'kwok.x-k8s.io/node': 'fake' } },
		}),
	);
	await apply(JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'manual' } }));
	const stopping = new AbortController();
	const scheduler = bindPods(exec, directory, stopping.signal);
	return {
		...{ directory, exec, kubectl, apply, start, startApiServer },
		stopApiServer: () => end('apiserver'),
		stop: async () => {
			stopping.abort();
			await scheduler;
			await network.close();
			await rm(directory, { recursive: true, force: true });
		},
	};
}

async function writeAccess(directory: string): Promise<void> {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const pem = { format: 'pem' } as const;
	await writeFile(join(directory, 'accounts.key'), privateKey.export({ type: 'pkcs8', ...pem }));
	await writeFile(join(directory, 'accounts.pub'), publicKey.export({ type: 'spki', ...pem }));
	await writeFile(join(directory, 'tokens.csv'), 'administrator,admin,admin,system:masters\n');
	const cluster = { server: `https://${apiAddress}:6443`, 'insecure-skip-tls-verify': true };
	const config = {
		apiVersion: 'v1',
		kind: 'Config',
		clusters: [{ name: 'test', cluster }],
		users: [{ name: 'admin', user: { token: 'administrator' } }],
		contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
		'current-context': 'test',
	};
	await writeFile(join(directory, 'kubeconfig'), JSON.stringify(config));
}

function etcd(directory: string): string[] {
	const urls = [
		'--listen-client-urls',
		'http://127.0.0.1:2379',
		'--advertise-client-urls',
		'http://127.0.0.1:2379',
	];
	return [
		'etcd',
		'--data-dir',
		join(directory, 'etcd'),
		...urls,
		'--log-level',
		'error',
		'--unsafe-no-fsync',
	];
}

function apiServer(directory: string): string[] {
	const inDirectory = (name: string) => join(directory, name);
	return [
		'kube-apiserver',
		...[
			'--etcd-servers',
			'http://127.0.0.1:2379',
			'--advertise-address',
			apiAddress,
			'--secure-port',
			'6443',
		],
		...['--cert-dir', inDirectory('certificates'), '--service-cluster-ip-range', '10.97.0.0/24'],
		...['--service-account-key-file', inDirectory('accounts.pub')],
		...['--service-account-signing-key-file', inDirectory('accounts.key')],
		...['--service-account-issuer', 'https://kubernetes.default.svc', '--authorization-mode', 'RBAC'],
		...['--token-auth-file', inDirectory('tokens.csv')],
	];
}

/** The scheduler: binds each new pod to the node `fake`. */
async function bindPods(exec: Cluster['exec'], directory: string, signal: AbortSignal): Promise<void> {
	const file = join(directory, 'binding.json');
	while (!signal.aborted) {
		try {
			const unbound = ['get', 'pods', '-A', '--field-selector', 'spec.nodeName=', '-o', 'json'];
			const { items } = JSON.parse(await exec('kubectl', ...unbound)) as {
				items: { metadata: { name: string; namespace: string } }[];
			};
			for (const { metadata } of items) {
				const target = { apiVersion: 'v1', kind: 'Node', name: 'fake' };
				await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'Binding', metadata, target }));
				const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/binding`;
				await exec('kubectl', 'create', '--raw', path, '-f', file);
			}
		} catch {
			// The API server is stopped, or the pod no longer exists; the next round lists the pods again.
		}
		await wait(300, undefined, { signal }).catch(() => undefined);
	}
}

/** The account of a pod as the kubelet mounts it, with a token of the API server. @returns its directory */
export async function mountAccount(cluster: Cluster, namespace: string, account: string): Promise<string> {
	const directory = await mkdtemp(join(cluster.directory, 'account-'));
	const token = await cluster.kubectl('create', 'token', account, '--namespace', namespace);
	await writeFile(join(directory, 'token'), token.trim());
	await writeFile(join(directory, 'namespace'), namespace);
	const certificate = await readFile(join(cluster.directory, 'certificates/apiserver.crt'));
	await writeFile(join(directory, 'ca.crt'), certificate);
	return directory;
}
