import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Workflow {
	readonly permissions: unknown;
	readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
	readonly container?: string | { readonly image: string };
	readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}.github/workflows/`;
const text = (name: string) => readFileSync(`${folder}${name}`, 'utf8');
const { permissions, jobs }: Workflow = parse(text('ci.yml'));
const commands = (job: Job | undefined) => job?.steps.flatMap(({ run = [] }) => run) ?? [];

test.each(readdirSync(folder))('%s pins each action by a commit and names its version', (name) => {
	const used = [...text(name).matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, action]) => action);
	expect(used.length).toBeGreaterThan(0);
	expect(
		used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? '')),
	).toEqual([]);
});

test('the workflow runs .ci/run in a Debian container, and may write nothing', () => {
	const { container } = jobs['test'] ?? {};
	expect(container).toMatchObject({ image: expect.stringMatching(/^(debian:|node:\d+-)bookworm$/) });
	expect(commands(jobs['test'])).toEqual(['.ci/run']);
	accessSync(`${root}.ci/run`, constants.X_OK);
	expect(permissions).toEqual({ contents: 'read' });
});

test('the workflow audits the dependencies: all that run in production, and the tools', () => {
	expect(commands(jobs['audit'])).toEqual([
		expect.stringMatching(/^npm audit .*--omit=dev$/),
		expect.stringMatching(/^npm audit .*--audit-level=high$/),
	]);
});

test('the scripts that install programs name no host of packages', () => {
	for (const name of ['scripts/install-test-tools', '.ci/run'])
		expect(readFileSync(`${root}${name}`, 'utf8')).not.toMatch(/\w+:\/\/|debian\.org|npmjs/);
});
