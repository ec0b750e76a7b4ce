import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// The generator needs the API of TypeScript 5, which TypeScript 7 no longer has: both are packages of libs/testing.
const require = createRequire(new URL('../../libs/testing/package.json', import.meta.url));
const program = (name: string, path: string) => join(dirname(require.resolve(`${name}/package.json`)), path);
const openapi = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));

const client = `
import type { components, operations } from './api.ts';

type Schemas = components['schemas'];

export function lastName(response: Schemas['MemberResponse']): string {
	return response.data.lastName;
}

export function firstName(response: Schemas['VenuePageResponse']): string | undefined {
	return response.data.items[0]?.name;
}

export function codeOf(response: Schemas['Success'] | Schemas['Failure']): string | undefined {
	return response.success ? undefined : response.data.code;
}

type Replace = operations['replaceMember'];
export const body: Replace['requestBody']['content']['application/json']['gender'] = 'FEMALE';
export const ifMatch: NonNullable<Replace['parameters']['header']>['If-Match'] = '"3"';
export type Stale = Replace['responses'][412]['content']['application/json'];
export const staleIsAFailure: Stale extends Schemas['Failure'] ? true : false = true;
`;

let folder: string;

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'paddock-client-'));
	const generator = program('openapi-typescript', 'bin/cli.js');
	execFileSync(process.execPath, [generator, openapi, '--output', join(folder, 'api.ts')], { stdio: 'pipe' });
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

/** What the compiler reports for a program beside the generated types. */
function compile(source: string): string {
	writeFileSync(join(folder, 'client.ts'), source);
	const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--allowImportingTsExtensions'];
	try {
		const compiler = program('typescript', 'lib/tsc.js');
		return execFileSync(process.execPath, [compiler, ...options, join(folder, 'client.ts')], {
			encoding: 'utf8',
		});
	} catch (error) {
		return String((error as { stdout?: unknown }).stdout);
	}
}

test('a generated client compiles, with one envelope type and the names of the data', () => {
	expect(compile(client)).toBe('');
	const types = readFileSync(join(folder, 'api.ts'), 'utf8');
	expect(
		types.match(/^ {8}\w+Response: components\["schemas"\]\["Success"\] & \{$/gm)?.length,
	).toBeGreaterThan(50);
	expect(types.match(/success: true;/g)).toHaveLength(1);
}, 60_000);

test('a client that reads what the data does not have is refused', () => {
	expect(compile(client.replace('data.lastName', 'data.surname'))).toContain("'surname' does not exist");
}, 60_000);
