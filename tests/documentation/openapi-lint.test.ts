import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

// Spectral holds every example, of bodies and of parameters, against its schema as well.
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
