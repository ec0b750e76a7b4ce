import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { commonErrors } from '@paddock/contract';
import { parse } from 'yaml';
import { failureTable } from '../../gateway/src/exchange/failures.ts';
import { contexts, serviceName } from '../../scripts/contexts/contexts.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const runbook = readFileSync(`${root}docs/operations.md`, 'utf8');

interface Rule {
	alert: string;
	annotations: Record<string, string>;
}

const read = (file: string) => readFileSync(`${root}deploy/prometheus/${file}`, 'utf8');
const rules = ['alerts.yml', 'slo.yml'].flatMap((file) => {
	const { groups } = parse(read(file)) as { groups: { rules: Partial<Rule>[] }[] };
	return groups.flatMap((group) => group.rules);
});
const alerts = rules.filter((rule): rule is Rule => rule.alert !== undefined);
const alertTests = read('alerts.test.yml') + read('slo.test.yml');

/** The text of each level-3 section, by its heading. */
const sections = new Map(
	runbook
		.split(/^### /m)
		.slice(1)
		.map((text) => [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n')).split(/^#/m)[0] ?? '']),
);

/** The sections of each page, as GitHub names their anchors. */
const anchorsOf = (file: string): readonly string[] =>
	[...readFileSync(`${root}docs/${file}`, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replaceAll(/[^\w -]/g, '')
			.replaceAll(' ', '-'),
	);

test.each(['operations.md', 'how-to.md', 'scaling.md', 'performance.md', 'capacity.md'])(
	'docs/%s links only to sections and files that exist',
	(file) => {
		for (const [, target = ''] of readFileSync(`${root}docs/${file}`, 'utf8').matchAll(/\]\(([^)]+)\)/g)) {
			if (/^https?:/.test(target)) continue;
			const [path = '', anchor] = target.split('#');
			const linked = path === '' ? file : path;
			expect([linked, existsSync(`${root}docs/${linked}`)]).toEqual([linked, true]);
			if (anchor !== undefined && linked.endsWith('.md'))
				expect([target, anchorsOf(linked).includes(anchor)]).toEqual([target, true]);
		}
	},
);

describe('docs/operations.md', () => {
	test('has a section with text for each alert, and the alert links to it', () => {
		expect(alerts.length).toBeGreaterThan(6);
		for (const { alert, annotations } of alerts) {
			expect([alert, sections.get(alert)?.includes('**Means**')]).toEqual([alert, true]);
			expect(annotations['runbook_url']).toBe(
				`{{ $externalLabels.runbooks }}docs/operations.md#${alert.toLowerCase()}`,
			);
		}
	});

	test('states the status and the remedy of each error code', () => {
		const gatewayCodes = Object.values(failureTable).map(({ code }) => code);
		for (const code of [...Object.keys(commonErrors), ...gatewayCodes]) {
			const { status } = commonErrors[code as keyof typeof commonErrors];
			expect([code, sections.get(code)?.trim().slice(0, 3)]).toEqual([code, String(status)]);
			expect((sections.get(code) ?? '').length).toBeGreaterThan(30);
		}
	});

	test('has no section for unknown alerts or codes', () => {
		const known = new Set([...alerts.map(({ alert }) => alert), ...Object.keys(commonErrors)]);
		expect([...sections.keys()].filter((name) => !known.has(name))).toEqual([]);
	});

	// Regression: a paragraph that begins with "400." was an ordered list with that number on the page /runbook.
	test('begins no paragraph with a status and a full stop', () => {
		expect(runbook).not.toMatch(/^\d{3}\. /m);
	});
});

test('prometheus-tls.yml verifies the name of each process', () => {
	const { scrape_configs: jobs } = parse(read('prometheus-tls.yml'), { merge: true }) as {
		scrape_configs: { job_name: string; tls_config: { server_name: string } }[];
	};
	const names = ['gateway', ...contexts.map(serviceName)].sort();
	expect(jobs.map(({ job_name: name }) => name).sort()).toEqual(names);
	expect(jobs.map(({ tls_config: { server_name: name } }) => name).sort()).toEqual(names);
});

test('each alert has a unit test', () => {
	for (const { alert } of alerts) expect(alertTests).toContain(`alertname: ${alert}\n`);
});
