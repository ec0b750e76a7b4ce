import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { yamlText } from '../../gateway/src/portal/yaml-text.ts';
import { yamlDifferences } from '../../scripts/docs/yaml-differences.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Templates of the chart are no YAML until Helm renders them.
const exclude = ['node_modules/**', '**/templates/**'];
const files = globSync('{*,.*,{deploy,docs,tests}/**/*}.{yaml,yml}', { cwd: root, exclude });

// Text that YAML 1.1 reads as a boolean, null, number, time, date or mark of its own, or that some readers refuse.
const booleans = 'y Y n N yes Yes YES no No NO on On ON off Off OFF true True TRUE false False FALSE';
const nulls = '~ null Null NULL';
const numbers =
	'0 00 08 0123 0o17 0x1F 0b101 1_000 +1 -1 0.10 1. .5 1e5 e5 1.5e3 +1e+5 .inf -.inf +.INF .nan .NaN';
const times =
	'12:30 12:30:45 -1:30 190:20:30.15 2026-03-01 2026-3-1 2026-03-01T08:15:00.000Z 2026-03-01t08:15:00.1-05:00';
const marks =
	'= << < . - .. -- --- ... ? ?a :a a? https://example.org/?a=b | > * & ! % @ ` # , [] {} a: /path';
const words = [booleans, nulls, numbers, times, marks].flatMap((line) => line.split(' '));
const spaced = [
	'',
	' a',
	'a ',
	'\ta',
	'a\tb',
	'a\nb',
	'\na\n',
	'2026-03-01 08:15:00 +1',
	'? a',
	'- a',
	'a: b',
	'a #b',
];
const unprintable = ['a\u0085b', '\u2028', '\u2029', '\ufeffa', '\u007f', '\u0080', '\u0000'];
const texts = [...words, ...spaced, ...unprintable, `${'1 '.repeat(150)}?`];

describe('YAML that the project writes', () => {
	test.each(texts)('has %j as text for readers of YAML 1.1 and 1.2, as value and as key', (text) => {
		const content = {
			value: text,
			[text]: { list: [text], inner: { [text]: [text] } },
			long: 'x '.repeat(150),
		};
		const written = yamlText(content);
		for (const version of ['1.1', '1.2'] as const) expect(parse(written, { version })).toEqual(content);
		expect(yamlDifferences(written)).toEqual([]);
	});

	test('has numbers that each reader takes for numbers', () => {
		const large = [1e21, -1e21, 1e-7, 2.5e-9, Number.MAX_VALUE, Number.MIN_VALUE];
		const content = { numbers: [0, -1, 0.01, 33.33, Number.MAX_SAFE_INTEGER, ...large, null, true, false] };
		const written = yamlText(content);
		for (const version of ['1.1', '1.2'] as const) expect(parse(written, { version })).toEqual(content);
		expect(yamlDifferences(written)).toEqual([]);
	});

	test('leaves prose and addresses without quotes', () => {
		const text = yamlText({
			'x-path': '/api/horses',
			word: 'onward',
			description: 'Page of the list; from 1.',
		});
		expect(text).toBe('x-path: /api/horses\nword: onward\ndescription: Page of the list; from 1.\n');
	});
});

describe('Differences between readers of YAML', () => {
	test.each(['on', 'n', '12:30', '0123', '1_000', '2026-03-01', '=', '1e5', '.'])(
		'are found in %s',
		(text) => {
			expect(yamlDifferences(`key: ${text}`)).toHaveLength(1);
			expect(yamlDifferences(`${text}: value`)).toHaveLength(1);
			expect(yamlDifferences(`key: "${text}"`)).toEqual([]);
		},
	);

	test('are not what both merge', () => {
		expect(yamlDifferences('a: &a { b: c }\nd:\n  <<: *a\n')).toEqual([]);
	});
});

describe('YAML in the repository', () => {
	test('is known', () => {
		const some = ['openapi.yaml', 'docker-compose.yml', '.spectral.yaml', 'deploy/prometheus/alerts.yml'];
		expect(files).toEqual(expect.arrayContaining([...some, 'deploy/kubernetes/paddock/values.yaml']));
	});

	test.each(files)('means the same in YAML 1.1 and 1.2: %s', (file) => {
		expect(yamlDifferences(readFileSync(`${root}${file}`, 'utf8'))).toEqual([]);
	});
});
