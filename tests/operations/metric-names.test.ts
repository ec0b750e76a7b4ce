import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
	createDatabase,
	observeDatabase,
	observeNumberSpaces,
	observePools,
	observeReplica,
} from '@paddock/database';
import { createMetrics, observeTls, silentLogger } from '@paddock/telemetry';
import { parse } from 'yaml';
import { startTestGateway, type TestGateway } from '../../gateway/test/start-test-gateway.ts';
import { observeJobs } from '../../libs/jobs/src/job-metrics.ts';
import { createMailReports } from '../../services/auth/src/mails/mail-reports.ts';
import { createSignInMetrics } from '../../services/auth/src/sign-in/sign-in-metrics.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

interface Panel {
	title: string;
	type: string;
	targets?: { expr: string }[];
}

const dashboard = JSON.parse(read('deploy/grafana/paddock.json')) as { panels: Panel[] };
const rules = ['alerts.yml', 'slo.yml'].flatMap((file) => {
	const { groups } = parse(read(`deploy/prometheus/${file}`)) as {
		groups: { rules: { alert?: string; record?: string; expr: string }[] }[];
	};
	return groups.flatMap((group) => group.rules);
});

/** Names of metrics in PromQL: words that are not labels, functions, operators or string literals. */
function namesIn(expression: string): string[] {
	const bare = expression
		.replaceAll(/\{[^}]*\}/g, ' ')
		.replaceAll(/"[^"]*"/g, ' ')
		.replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
		.replaceAll(/\[[^\]]*\]/g, ' ');
	const words = [...bare.matchAll(/\b[a-z_:][\w:]*\b(?!\s*\()/gi)].map(([word]) => word);
	return words.filter((word) => !['or', 'and', 'unless', 'by', 'bool', 'offset'].includes(word));
}

const expressions = [
	...rules.map(({ alert, record, expr }) => [`${alert ?? record}`, expr] as const),
	...dashboard.panels.flatMap(({ title, targets }) =>
		(targets ?? []).map(({ expr }) => [`panel ${title}`, expr] as const),
	),
];

/** Labels by metric, including the series of histograms and the labels that Prometheus adds. */
const known = new Map<string, ReadonlySet<string>>([
	['up', new Set(['job', 'instance'])],
	...rules.flatMap(({ record }) =>
		record === undefined ? [] : [[record, new Set(['context', 'slo'])] as const],
	),
]);
let gateway: TestGateway;

beforeAll(async () => {
	gateway = await startTestGateway({
		settings: { CONTEXTS_FILE: `${root}docs/examples/attached/contexts.yaml` },
	});
	const service = createMetrics({ prefix: 'service', service: 'ping-service' });
	createSignInMetrics(service);
	createMailReports({
		db: undefined as never,
		metrics: service,
		messageIds: undefined as never,
		secret: undefined,
	});
	observeTls(service.registry, {
		expiresAt: () => new Date(),
		failedHandshakes: { counts: () => new Map() },
	});
	const database = createDatabase({
		url: 'postgres://127.0.0.1/none',
		applicationName: 'test',
		logger: silentLogger(),
		onPool: (pool) => observePools(service)('primary', pool),
	});
	observeDatabase(service, database);
	observeJobs(service, database, []);
	observeNumberSpaces(service, database, { spaces: {}, now: () => new Date() });
	observeReplica(service, { state: () => ({ lagMs: 0, problem: undefined }) });
	for (const registry of [gateway.opened.deps.operations.metrics.registry, service.registry]) {
		for (const metric of registry.getMetricsAsArray()) {
			const labels = Reflect.get(metric, 'labelNames') as string[];
			const all = new Set([...labels, 'job', 'instance', 'service']);
			known.set(metric.name, all);
			if (Reflect.get(metric, 'buckets') === undefined) continue;
			known.set(`${metric.name}_bucket`, new Set([...all, 'le']));
			for (const end of ['sum', 'count']) known.set(`${metric.name}_${end}`, all);
		}
	}
});

afterAll(() => gateway.close());

describe('dashboard and alerts', () => {
	test('contain expressions, and their metric names are parsed', () => {
		expect(expressions.length).toBeGreaterThan(30);
		expect(namesIn('sum by (a) (rate(x_total{b="c d"}[5m])) > 2 or absent(up)')).toEqual(['x_total', 'up']);
	});

	test.each(expressions)('%s uses only metrics that exist', (_name, expression) => {
		const names = namesIn(expression);
		expect(names.length).toBeGreaterThan(0);
		expect(names.filter((name) => !known.has(name))).toEqual([]);
	});

	test.each(expressions)('%s uses only labels that its metrics have', (_name, expression) => {
		const labels = new Set(namesIn(expression).flatMap((name) => [...(known.get(name) ?? [])]));
		const grouped = [...expression.matchAll(/\b(?:by|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
			list.split(',').map((label) => label.trim()),
		);
		const matched = [...expression.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)"/g)].map(
			([, label = '']) => label,
		);
		expect([...grouped, ...matched].filter((label) => !labels.has(label))).toEqual([]);
	});
});

describe('docs/how-to.md', () => {
	test('lists every metric of the gateway and of sign-in, and no other', () => {
		const table = read('docs/how-to.md') + read('docs/operations.md');
		const ours = [...known.keys()].filter(
			(name) => /^(?:gateway|auth|service_database)_/.test(name) && !/_(bucket|sum|count)$/.test(name),
		);
		const explained = new Set(
			[...table.matchAll(/`((?:gateway|service|auth)_\w+)/g)].map(([, name = '']) => name),
		);
		const shortened = (name: string) => /_(max(_seconds)?|waiting)$/.test(name);
		expect(ours.filter((name) => !explained.has(name) && !shortened(name))).toEqual([]);
		expect([...explained].filter((name) => !known.has(name))).toEqual([]);
	});
});
