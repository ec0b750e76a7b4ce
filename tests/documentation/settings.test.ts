import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { misspelledSettings } from '@paddock/service/misspelled-settings';
import { z } from 'zod';
import { gatewaySettings } from '../../gateway/src/config/config.ts';
import {
	boundsOf,
	fallbackOf,
	readableQuantity,
	settingFacts,
} from '../../scripts/docs/settings/setting-facts.ts';
import { processes, requiredInProduction, settingsText } from '../../scripts/docs/settings/settings-text.ts';
import { startSettings } from '../../scripts/start/config.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const committed = read('docs/settings.md');
const listed = new Set(
	[...committed.matchAll(/^\| `(\w+)`(?:, `\1_FILE`)? \|/gm)].map(([, name = '']) => name),
);

const settingsOf = (process: z.ZodObject): [string, z.ZodType][] => Object.entries(process.shape);

describe('docs/settings.md', () => {
	test('matches the declarations', () => {
		expect(committed).toBe(settingsText());
	});

	test('lists the settings of every process', () => {
		const services = execFileSync('ls', [`${root}services`], { encoding: 'utf8' })
			.trim()
			.split('\n');
		expect(Object.keys(processes).sort()).toEqual([...services, 'gateway'].sort());
		const names = [
			...Object.values(processes).flatMap(({ shape }) => Object.keys(shape)),
			...Object.keys(startSettings),
		];
		expect(listed).toEqual(new Set(names));
	});

	test('names the variable for a file beside every secret, and beside no other setting', () => {
		const names = [...listed].filter((name) => committed.includes(`\`${name}\`, \`${name}_FILE\` |`));
		const unmarked = ['CONSUL_HTTP_TOKEN']; // Its file has a row of its own.
		const secret = [...listed].filter((name) =>
			/(PASSWORD|SECRETS?|TOKEN|HEADERS|_URL|ENCRYPTION_KEY)$/.test(name),
		);
		expect(names.sort()).toEqual(secret.filter((name) => !unmarked.includes(name)).sort());
		expect(names).toEqual(
			expect.arrayContaining(['ADMIN_PASSWORD', 'DATABASE_URL', 'REDIS_URL', 'POSTGRES_URL']),
		);
	});

	test('has four cells in every table row', () => {
		for (const line of committed.split('\n').filter((text) => text.startsWith('|'))) {
			expect([line, line.split('|').length]).toEqual([line, 6]);
		}
	});
});

const aSentence = /^[A-Z`].{20,}\.$/;

test('npm start and the gateway have the same defaults', () => {
	const ofGateway = new Map(settingsOf(gatewaySettings));
	// The start decides on DEMO by NODE_ENV, and sets it for every process.
	const shared = Object.entries(startSettings).filter(([name]) => name !== 'DEMO' && ofGateway.has(name));
	expect(shared.map(([name]) => name)).toEqual(expect.arrayContaining(['PORT', 'OPS_PREFIX', 'CONTEXTS']));
	for (const [name, setting] of shared) {
		expect([name, fallbackOf(setting)]).toEqual([name, fallbackOf(ofGateway.get(name) ?? z.never())]);
	}
});

describe('the declarations', () => {
	const all = { ...processes, 'npm start': z.object(startSettings) };

	test.each(Object.entries(all))('of %s describe each setting in a sentence', (_process, schema) => {
		const unclear = settingsOf(schema).filter(
			([name, one]) => !aSentence.test(settingFacts(name, one).meaning),
		);
		expect(unclear.map(([name]) => name)).toEqual([]);
	});

	test('without a description are refused', () => {
		expect(() => settingFacts('LIFE', z.string())).toThrow('LIFE has no description');
	});

	test.each(Object.entries(processes))('of %s state the bounds that are enforced', (_process, schema) => {
		for (const [name, setting] of settingsOf(schema)) {
			const bounds = boundsOf(setting);
			if (bounds === undefined) {
				expect(name).not.toMatch(/(_MS|_MAX|_MIN|_DAYS|_KIB|_PERCENT|PORT)$|^RATE_/);
				continue;
			}
			const accepts = (value: number) => setting.safeParse(String(value)).success;
			const { minimum, maximum } = bounds;
			const around = [minimum - 1, minimum, maximum, maximum + 1];
			expect([name, around.map(accepts)]).toEqual([name, [false, true, true, false]]);
		}
	});

	test.each(Object.entries(processes))(
		'of %s state defaults that change nothing when set',
		(_process, schema) => {
			for (const [name, setting] of settingsOf(schema)) {
				const fallback = fallbackOf(setting);
				// The page shows the names of the secrets only.
				if (fallback === undefined || name === 'SERVICE_SECRETS') continue;
				expect([name, setting.parse(fallback)]).toEqual([name, setting.parse(undefined)]);
			}
		},
	);
});

test('the settings required in production suffice, and none can be omitted', () => {
	const values: Record<string, string> = {
		DATABASE_URL: 'postgres://role:password@127.0.0.1/database',
		ADMIN_EMAIL: 'boss@example.org',
		ADMIN_PASSWORD: 'seven ladders behind the barn',
		SMTP_URL: 'smtp://mail.example.org',
		SERVICE_SECRET: 's'.repeat(32),
		SERVICE_SECRETS: `horses-service=${'s'.repeat(32)}`,
		KEY_ENCRYPTION_KEY: 'e'.repeat(64),
	};
	for (const [process, schema] of Object.entries(processes)) {
		const required = requiredInProduction(schema);
		const env = Object.fromEntries(required.map((name) => [name, values[name]]));
		const starts = (given: object) => schema.safeParse({ NODE_ENV: 'production', ...given }).success;
		expect([process, starts(env)]).toEqual([process, true]);
		for (const name of required) {
			expect([process, name, starts({ ...env, [name]: undefined })]).toEqual([process, name, false]);
		}
	}
});

test.each([
	['A_MS', 0, '0 ms'],
	['A_MS', 1_500, '1.5 s'],
	['A_MS', 65_000, '65 s'],
	['A_MS', 1_234, '1234 ms'],
	['A_MS_MAX', 7_776_000_000, '90 d'],
	['A_BYTES_MAX', 102_400, '100 KiB'],
	['A_KIB', 19_456, '19 MiB'],
	['A_MAX', 1_000, undefined],
])('%s=%i reads %s', (name, value, reading) => {
	expect(readableQuantity(name, value)).toBe(reading);
});

test.each(['README.md', 'docs/operations.md', 'docs/how-to.md', 'docs/reliability.md', 'docker-compose.yml'])(
	'%s names no setting that does not exist',
	(path) => {
		// Names with the ending of a setting; error codes end differently, and PADDOCK_… are variables of docker-compose.yml.
		const named = [
			...read(path).matchAll(
				/(?<![\w$])(?!PADDOCK_)[A-Z]+(?:_[A-Z]+)*_(?:MS|MAX|MIN|PERCENT|PORT|PREFIX|PROXIES|URL)\b/g,
			),
		].map(([name]) => name);
		expect(named.filter((name) => !listed.has(name))).toEqual([]);
	},
);

// `npm start` passes its environment on, so each process sees the settings of the others.
test.each(Object.entries(processes))(
	'no setting of another process resembles one of %s',
	(_name, { shape }) => {
		const others = [...listed].flatMap((name) =>
			name === undefined || /^SERVICE_SECRETS?$/.test(name) ? [] : [name],
		);
		const env = Object.fromEntries(others.map((name) => [name, 'x']));
		expect(misspelledSettings(Object.keys(shape), env)).toEqual([]);
	},
);
