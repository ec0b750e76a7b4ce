import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, respondsOk, startProgram } from '@paddock/testing';

export interface PrometheusServer {
	/** GET below /api/v1. @returns the `data` of the response */
	api(path: string): Promise<unknown>;
	/** The values of an instant query, keyed by a label. */
	query(expression: string, label: string): Promise<Record<string, number>>;
	stop(): Promise<void>;
}

/** RUNBOOK_BASE of the test servers. */
export const runbookUrl = 'https://git.example.org/paddock/';

const deployed = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url));

/** A real Prometheus with the deployed configuration, except for the gateway's address and the intervals. */
export async function startPrometheus(gatewayUrl: string): Promise<PrometheusServer> {
	const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
	await cp(deployed, folder, { recursive: true });
	const config = await readFile(join(folder, 'prometheus.yml'), 'utf8');
	const accelerated = config
		.replace('http://gateway:8079', gatewayUrl)
		.replaceAll(/_interval: 15s/g, '_interval: 1s')
		.replace('scrape_timeout: 5s', 'scrape_timeout: 1s');
	await writeFile(join(folder, 'prometheus.yml'), accelerated);
	const port = await freePort();
	const program = await startProgram({
		command: [
			...(['env', `RUNBOOK_BASE=${runbookUrl}`, 'prometheus'] as const),
			`--config.file=${join(folder, 'prometheus.yml')}`,
			`--storage.tsdb.path=${join(folder, 'data')}`,
			'--enable-feature=exemplar-storage,expand-external-labels',
			`--web.listen-address=127.0.0.1:${port}`,
		],
		ready: () => respondsOk(`http://127.0.0.1:${port}/-/ready`),
	});
	const api = async (path: string): Promise<unknown> => {
		const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
		if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
		return ((await response.json()) as { data: unknown }).data;
	};
	return {
		api,
		query: async (expression, label) => {
			const data = (await api(`query?query=${encodeURIComponent(expression)}`)) as {
				result: { metric: Record<string, string>; value: [number, string] }[];
			};
			return Object.fromEntries(
				data.result.map(({ metric, value }) => [metric[label] ?? '', Number(value[1])]),
			);
		},
		stop: async () => {
			await program.kill();
			await rm(folder, { recursive: true });
		},
	};
}
