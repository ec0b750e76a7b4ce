import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createMetrics } from '@paddock/telemetry';
import { eventually, startConsulAgent } from '@paddock/testing';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { createSignInMetrics } from '../../services/auth/src/sign-in/sign-in-metrics.ts';
import { startSystem } from '../system.ts';
import { runbookUrl, startPrometheus } from './prometheus-server.ts';

const dashboard = JSON.parse(
	readFileSync(fileURLToPath(new URL('../../deploy/grafana/paddock.json', import.meta.url)), 'utf8'),
) as { panels: { targets?: { expr: string }[] }[] };

interface Target {
	labels: { job: string; instance: string };
	health: string;
	lastError: string;
}

describeWithPrograms(['prometheus', 'consul'], 'Prometheus with Consul', () => {
	test('scrapes the gateway and every registered instance, and loads the alerts', async () => {
		const consul = await startConsulAgent();
		const system = await startSystem({
			consulAddress: consul.address,
			instances: { ping: 2 },
			// Spans are recorded; that they can't be exported does not matter here.
			gateway: { HEALTH_WATCH_MS: '500', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
		});
		const prometheus = await startPrometheus(system.gateway.url);
		try {
			const targets = async () =>
				((await prometheus.api('targets')) as { activeTargets: Target[] }).activeTargets;
			await eventually(
				'all targets are scraped',
				async () => {
					const found = await targets();
					return found.length === 5 && found.every(({ health }) => health === 'up');
				},
				15_000,
			);
			expect((await targets()).map(({ labels }) => labels.job).sort()).toEqual([
				'auth-service',
				'gateway',
				'masterdata-service',
				'ping-service',
				'ping-service',
			]);
			await fetch(`${system.gateway.url}/api/ping`);
			await eventually('a proxied request is counted by the gateway and by the service', async () => {
				const atGateway = await prometheus.query('gateway_requests_total{route="/api/ping"}', 'status');
				const atService = await prometheus.query('sum by (route) (service_requests_total)', 'route');
				return atGateway['200'] === 1 && atService['/api/ping'] === 1;
			});
			const recorded = 'query_exemplars?query=gateway_request_duration_seconds_bucket&start=0&end=9999999999';
			await eventually('the trace of the request is an exemplar', async () => {
				const found = (await prometheus.api(recorded)) as { exemplars: { labels: object }[] }[];
				return found.some(({ exemplars }) => exemplars.some(({ labels }) => 'trace_id' in labels));
			});
			const { groups } = (await prometheus.api('rules')) as {
				groups: { rules: { name: string; health: string; state: string; lastError?: string }[] }[];
			};
			const rules = groups.flatMap((group) => group.rules);
			expect(rules.length).toBeGreaterThan(0);
			await eventually('each rule has been evaluated', async () => {
				const now = (await prometheus.api('rules')) as { groups: typeof groups };
				return now.groups.flatMap((group) => group.rules).every(({ health }) => health === 'ok');
			});

			for (const { targets: queries } of dashboard.panels) {
				for (const { expr } of queries ?? []) {
					await expect(prometheus.api(`query?query=${encodeURIComponent(expr)}`)).resolves.toBeDefined();
				}
			}

			const [one] = system.services.ping;
			await one?.kill();
			await eventually(
				'the gateway and Prometheus notice the stopped instance',
				async () => {
					const up = await prometheus.query(
						'gateway_instances{upstream="ping-service", health="UP"}',
						'health',
					);
					return up['UP'] === 1;
				},
				15_000,
			);
			await eventually('an alert is pending, with the whole address of its runbook', async () => {
				const { alerts } = (await prometheus.api('alerts')) as {
					alerts: { annotations: Record<string, string> }[];
				};
				const addresses = alerts.map(({ annotations }) => annotations['runbook_url']);
				return addresses.includes(`${runbookUrl}docs/operations.md#toofewinstances`);
			});
		} finally {
			await prometheus.stop();
			await system.stop();
			await consul.stop();
		}
	}, 90_000);
});

describeWithPrograms(['amtool'], 'amtool', () => {
	test('accepts the configuration of Alertmanager, and routes a critical alert', () => {
		const file = fileURLToPath(new URL('../../deploy/alertmanager/alertmanager.yml', import.meta.url));
		const amtool = (...args: string[]) => execFileSync('amtool', args, { encoding: 'utf8' });
		expect(amtool('check-config', file)).toContain('SUCCESS');
		const route = amtool('config', 'routes', 'test', `--config.file=${file}`, 'severity=critical');
		expect(route.trim()).toBe('none');
	});
});

describeWithPrograms(['promtool'], 'promtool', () => {
	const folder = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url));
	const promtool = (...args: string[]) => execFileSync('promtool', args, { cwd: folder, encoding: 'utf8' });

	test('accepts the configurations and alerts', () => {
		expect(promtool('check', 'config', 'prometheus.yml')).toContain('valid prometheus config');
		// The certificates that it names do not exist here.
		const withTls = promtool('check', 'config', '--syntax-only', 'prometheus-tls.yml');
		expect(withTls).toContain('valid prometheus config');
	});

	test.each(['alerts.test.yml', 'slo.test.yml'])(
		'passes the unit tests %s',
		(file) => {
			expect(promtool('test', 'rules', file)).toContain('SUCCESS');
		},
		60_000,
	);

	test('parses every expression of the dashboard', () => {
		const queries = dashboard.panels.flatMap(({ targets }) => (targets ?? []).map(({ expr }) => expr));
		const rules = queries.map((expr, at) => ({ record: `panel:${at}`, expr }));
		const folder = mkdtempSync(join(tmpdir(), 'promtool-'));
		try {
			// YAML includes JSON.
			writeFileSync(join(folder, 'panels.yml'), JSON.stringify({ groups: [{ name: 'panels', rules }] }));
			const printed = promtool('check', 'rules', join(folder, 'panels.yml'));
			expect(printed).toContain(`SUCCESS: ${queries.length} rules found`);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	test('reports no problem in the metrics of a service', async () => {
		const metrics = createMetrics({ prefix: 'service', service: 'ping-service' });
		createSignInMetrics(metrics);
		metrics.observeRequest({ route: '/api/ping', method: 'GET', status: 200 }, 3);
		const text = await metrics.registry.metrics();
		expect(execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('');
	});
});
