import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

// Spectral compares every example, of bodies and of parameters, with its schema as well.
test('Spectral finds neither errors nor warnings in openapi.yaml', () => {
	const { stdout, status } = spawnSync(
		process.execPath,
		[
			`${root}node_modules/@stoplight/spectral-cli/dist/index.js`,
			'lint',
			'--ruleset',
			`${root}.spectral.yaml`,
			'--fail-severity',
			'warn',
			'--format',
			'json',
			`${root}openapi.yaml`,
		],
		{ encoding: 'utf8' },
	);
	const found = JSON.parse(stdout.slice(stdout.indexOf('['), stdout.lastIndexOf(']') + 1)) as {
		code: string;
		path: string[];
	}[];
	expect(found.map(({ code, path }) => [code, path.join('.')])).toEqual([]);
	expect(status).toBe(0);
}, 60_000);

// The engine and the rules of @redocly/cli.
const { lint, loadConfig } = createRequire(new URL('../../libs/testing/package.json', import.meta.url))(
	'@redocly/openapi-core',
) as typeof import('@redocly/openapi-core');

test('Redocly finds neither errors nor warnings in openapi.yaml', async () => {
	const config = await loadConfig({ configPath: `${root}redocly.yaml` });
	const problems = await lint({ ref: `${root}openapi.yaml`, config });
	expect(problems.map(({ ruleId, location }) => [ruleId, location[0]?.pointer])).toEqual([]);
}, 60_000);
