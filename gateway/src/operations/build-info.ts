import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { z } from 'zod';
import type { info } from './operations-schemas.ts';

export type BuildInfo = Omit<z.output<typeof info>, 'contexts' | 'uptimeSeconds'>;

/** The version of the project, as in openapi.yaml; those of its private workspaces don't follow it. */
export async function readVersion(): Promise<string> {
	const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
	const { version } = JSON.parse(text) as { version: string };
	return version;
}

/** Settings have precedence; without them the commit of the checkout in `root`, if it is one. */
export async function readBuildInfo(
	settings: { readonly BUILD_COMMIT?: string | undefined; readonly BUILD_TIME?: string | undefined },
	options: { readonly root: string; readonly version: string },
): Promise<BuildInfo> {
	const checkout = settings.BUILD_COMMIT === undefined ? await readCheckout(options.root) : undefined;
	return {
		application: { name: 'paddock-gateway', version: options.version },
		build: { time: settings.BUILD_TIME ?? null },
		git: { commit: settings.BUILD_COMMIT ?? checkout?.commit ?? null, branch: checkout?.branch ?? null },
		node: { version: process.version },
	};
}

interface Checkout {
	readonly commit: string | undefined;
	readonly branch: string | undefined;
}

const run = promisify(execFile);
const gitTimeoutMs = 2_000;

/** Undefined without git, without a commit, or if `root` is not the top of a checkout, e.g. a copy inside another project. */
async function readCheckout(root: string): Promise<Checkout | undefined> {
	try {
		const words = ['rev-parse', '--show-prefix', 'HEAD', '--abbrev-ref', 'HEAD'];
		const { stdout } = await run('git', words, { cwd: root, timeout: gitTimeoutMs });
		const [prefix, commit, branch] = stdout.split('\n');
		// A detached HEAD has no branch.
		return prefix === '' ? { commit, branch: branch === 'HEAD' ? undefined : branch } : undefined;
	} catch {
		return undefined;
	}
}
